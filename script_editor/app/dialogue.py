"""One part of a script with one model: ask, read, check, and say what is wrong until it is right.

A correction never repeats the script: it shows the lines that the reply was about.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from script_editor.app.drafts import Draft, draft, refused
from script_editor.app.ladder import Ladder
from script_editor.app.parts import REWRITE_TOKENS, Part, ranges, tokens
from script_editor.app.requests import Briefs, Form, asks_for_more
from script_editor.app.timing import Timing, share
from script_editor.domain.guards import check_reply
from script_editor.domain.operations import Plan, Scope
from script_editor.domain.replies import Syntax, parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.llm.chat import Message, OnText, Reply, Usage

MAX_REPAIRS = 2
MAX_TIME_ROUNDS = 2
_FINAL = frozenset({"refusal", "content_filter", "unchanged"})
"""Reasons that asking again does not mend."""
_CANNOT_REPLAY = frozenset({"empty", "truncated", "reasoning_leak"})
"""Reasons after which the reply is not shown to the model again: there is nothing in it to mend."""
_WRONG_FORM = frozenset({"malformed", "no_match", "conflict", "ambiguous_match", "empty"})
"""Reasons after which a short script is asked for as a whole text: some models cannot write operations."""


class NeedsMore(Exception):
    """The model says that the line to change is not among those it was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedAttempt:
    """A raw reply that could not be used, and why."""

    script: NumberedScript
    refusal: EditRefused
    reply: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartStarted:
    """A call about one chunk of a long script is about to be made.

    `first` and `last` are line numbers; the tokens are estimates for all chunks together.
    """

    number: int
    count: int
    first: int
    last: int
    tokens_in: int
    tokens_out: int


def _ignore(_event: object) -> None:
    """Listen to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Who is told what while a rewriter works.

    `on_text` gets pieces of the model's text, `on_part` each chunk before its call, `on_sent` which lines
    a call showed (such as "lines 12-18 of 600"), `on_refused` each raw reply that was not used.
    """

    on_text: OnText | None = None
    on_part: Callable[[PartStarted], None] = _ignore
    on_sent: Callable[[str], None] = _ignore
    on_refused: Callable[[RefusedAttempt], None] = _ignore


@dataclass
class Account:
    """What the calls of one request have cost."""

    model: str
    usage: Usage = field(default_factory=Usage)

    def add(self, reply: Reply) -> None:
        """Count one call."""
        self.usage += reply.usage
        self.model = reply.model or self.model


@dataclass(frozen=True, slots=True)
class _Attempt:
    plan: Plan
    draft: Draft
    timing: Timing | None

    @property
    def is_good(self) -> bool:
        return not self.draft.errors and (self.timing is None or self.timing.is_met)

    def is_better_than(self, other: "_Attempt") -> bool:
        if bool(self.draft.errors) != bool(other.draft.errors):
            return not self.draft.errors
        if self.timing is None or other.timing is None:
            return True
        return abs(self.timing.excess) <= abs(other.timing.excess)


class Dialogue:
    """The calls about one part. `plan` may be asked once."""

    def __init__(
        self,
        ladder: Ladder,
        briefs: Briefs,
        part: Part,
        scope: Scope,
        *,
        account: Account,
        final: frozenset[str] = frozenset(),
        hooks: Hooks,
    ):
        self._ladder, self._briefs, self._part, self._scope = ladder, briefs, part, scope
        self._account, self._final = account, _FINAL | final
        self._repairs, self._rounds, self._hooks = MAX_REPAIRS, MAX_TIME_ROUNDS, hooks
        # With targets nothing else may change; a chunk may change nothing outside itself.
        limited = part.editable if part.kind == "chunk" else briefs.constraints.targets
        self._constraints = replace(briefs.constraints, targets=limited, duration=None)
        self._view, self._follow = part, tuple[Message, ...]()
        self._as_whole = False
        self._reason_for_whole: EditRefused | None = None

    def plan(self) -> Plan:
        """Return the best plan that the allowed calls bring; errors in it are such that a person may overrule.

        Raises:
            EditRefused: no reply could be used; the last refusal, or the first that asking again cannot mend.
            NeedsMore: the place is not among the lines shown.
        """
        best: _Attempt | None = None
        while True:
            reply, text = self._ask()
            try:
                attempt = self._read(reply, text)
            except EditRefused as refusal:
                if not self._corrected(refusal, text):
                    if best is not None:
                        return best.plan
                    raise (self._reason_for_whole or refusal) from refusal
                continue
            if best is None or attempt.is_better_than(best):
                best = attempt
            if attempt.is_good or not self._asked_again(attempt, text):
                return best.plan

    # --- asking ------------------------------------------------------------------------------

    def _ask(self) -> tuple[Reply, str]:
        timing = self._wanted_time()

        def messages(form: Form) -> Sequence[Message]:
            return [*self._briefs.request(self._view, form, timing), *self._follow]

        if self._as_whole:
            reply, text = self._ladder.plain(messages("whole"), on_text=self._hooks.on_text)
        elif self._part.kind == "chunk":  # many lines: the form without escapes is a third shorter
            reply, text = self._ladder.plain(messages("text"), on_text=self._hooks.on_text)
        else:
            reply, text = self._ladder.ask(messages, on_text=self._hooks.on_text)
        self._account.add(reply)
        self._hooks.on_sent(self._shown())
        return reply, text

    def _shown(self) -> str:
        count = len(self._briefs.script.segments)
        numbers = (
            range(1, count + 1) if self._as_whole else sorted({*self._view.editable, *self._view.context})
        )
        return f"lines {ranges(numbers)} of {count}"

    def _part_text(self) -> str:
        script, part = self._briefs.script, self._part
        if part.kind == "whole":
            return script.text
        return "\n".join(script.segments[number - 1].content for number in part.editable)

    def _wanted_time(self) -> Timing | None:
        target = self._briefs.constraints.duration
        if target is None:
            return None
        text = self._briefs.script.text
        return share(text, text, self._part_text(), target)

    # --- reading -----------------------------------------------------------------------------

    def _read(self, reply: Reply, text: str) -> _Attempt:
        self._parsed: Plan | None = None
        script, briefs = self._briefs.script, self._briefs
        check_reply(reply.finish_reason, reply.refusal, text)
        if not self._as_whole and asks_for_more(text):
            raise NeedsMore
        syntax: Syntax = "whole" if self._as_whole else "operations"
        plan = parse_plan(
            text,
            script,
            syntax=syntax,
            instruction=briefs.instruction,
            scope=self._scope,
            targets=self._constraints.targets,
        )
        if not plan.operations:
            raise EditRefused("unchanged", "The model found nothing to change.")
        self._parsed = plan
        made = draft(script, plan, instruction=briefs.instruction, constraints=self._constraints)
        if self._as_whole and made.errors:  # nobody should look at what a model without the form made of it
            raise refused(made.findings)
        target = briefs.constraints.duration
        timing = None if target is None else share(script.text, made.text, self._part_text(), target)
        return _Attempt(plan, made, timing)

    # --- asking again ------------------------------------------------------------------------

    def _corrected(self, refusal: EditRefused, text: str) -> bool:
        """Prepare another call after a reply that could not be used; False when no more calls are allowed."""
        self._hooks.on_refused(
            RefusedAttempt(script=self._briefs.script, refusal=refusal, reply=text, model=self._account.model)
        )
        if refusal.reason in self._final or not self._repairs:
            return False
        self._repairs -= 1
        if not self._repairs and self._may_ask_for_the_whole(refusal):
            self._as_whole, self._view, self._follow = True, self._part, ()
            self._reason_for_whole = refusal
            return True
        self._as_whole = False
        if self._parsed is not None:
            self._view = self._narrowed(self._parsed, refusal.segments)
        correction = self._briefs.correction(refusal)
        can_replay = refusal.reason not in _CANNOT_REPLAY
        self._follow = (Message(role="assistant", content=text), correction) if can_replay else (correction,)
        return True

    def _may_ask_for_the_whole(self, refusal: EditRefused) -> bool:
        is_short = tokens(self._briefs.script.text) <= REWRITE_TOKENS
        return is_short and self._part.kind == "whole" and refusal.reason in _WRONG_FORM

    def _narrowed(self, plan: Plan, others: Sequence[int]) -> Part:
        """Return the lines that a plan is about, with the next ones on both sides to be read only."""
        script = self._briefs.script
        named = {
            script.resolve_reference(reference).number
            for operation in plan.operations
            for reference in (
                operation.id,
                getattr(operation, "before", None),
                getattr(operation, "after", None),
            )
            if reference is not None and _stands_in(script, reference)
        }
        named |= {number for number in others if number <= len(script.segments)}
        editable = tuple(sorted(named & set(self._part.editable)))
        if not editable:
            return self._part
        near = {n + step for n in editable for step in (-1, 1)} & {
            *self._part.editable,
            *self._part.context,
        }
        return replace(self._part, editable=editable, context=tuple(sorted(near - set(editable))))

    def _asked_again(self, attempt: _Attempt, text: str) -> bool:
        """Prepare another call after a plan that is not good enough yet; False when no more calls are allowed."""
        if attempt.draft.errors:
            return self._corrected(refused(attempt.draft.findings), text)
        if attempt.timing is None or not self._rounds:
            return False
        self._rounds -= 1
        self._follow = self._briefs.time_missed(text, attempt.timing)
        return True


def _stands_in(script: NumberedScript, reference: str) -> bool:
    try:
        script.resolve_reference(reference)
    except EditRefused:
        return False
    return True
