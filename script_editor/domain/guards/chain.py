"""The chain: every guard in its order, and which of them speak to which kind of plan."""

from collections.abc import Callable, Iterable, Iterator

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.commentary import commentary, view_prefix
from script_editor.domain.guards.duplicate import duplicate
from script_editor.domain.guards.elision import elision
from script_editor.domain.guards.facts import facts
from script_editor.domain.guards.invented import invented
from script_editor.domain.guards.language import language
from script_editor.domain.guards.losses import losses
from script_editor.domain.guards.markup import markup
from script_editor.domain.guards.off_target import off_target
from script_editor.domain.guards.reasoning import reasoning
from script_editor.domain.guards.refusal import empty, refusal
from script_editor.domain.guards.resemblance import unlike
from script_editor.domain.guards.size import size
from script_editor.domain.guards.structure import structure
from script_editor.domain.locks import violations
from script_editor.domain.segments import NumberedScript

Guard = Callable[[NumberedScript, NumberedScript, GuardContext], Iterable[Finding]]


def locked(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find locks that the edit breaks."""
    yield from violations(before, after, context.locks, moved=context.moved)


GUARDS: tuple[Guard, ...] = (
    empty, refusal, reasoning, commentary, view_prefix, elision, locked, structure, language, duplicate, size,
    losses, unlike, facts, off_target, markup,
)  # fmt: skip
"""In the order in which a person should hear of faults: a text that is none first, its taste last.

A text told twice over is also too long, and another text has lost its numbers too: `duplicate` speaks
before `size`, and both before `facts`.
"""

LITERAL_GUARDS: tuple[Guard, ...] = (empty, locked, off_target)
"""What a plan is asked that a program read off the person's own words: nothing about taste or meaning."""


def check(before: str, after: str, context: GuardContext) -> tuple[Finding, ...]:
    """Return everything the guards find in `after`, in the order of the guards; no error means it may be saved.

    An `after` that equals `before` is no finding here: whether "nothing changed" is an error is the
    caller's question.
    """
    old, new = NumberedScript("", 1, before), NumberedScript("", 1, after)
    guards = LITERAL_GUARDS if context.is_literal else GUARDS
    found = [finding for guard in guards for finding in guard(old, new, context)]
    if not context.is_literal and not any(finding.level == "error" for finding in found):
        found += invented(old, new, context)  # in a text that is refused anyway it would be noise
    return tuple(found)
