"""What one request may touch, and what really happened in it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime

from script_editor.app.proposals import Review
from script_editor.domain.diff import Change, align
from script_editor.domain.findings import Finding
from script_editor.domain.locks import Lock, keep
from script_editor.domain.operations import Constraints
from script_editor.domain.places import parse_place
from script_editor.domain.script import Version, utc_now
from script_editor.domain.segments import NumberedScript
from script_editor.domain.targets import DurationTarget, target_in
from script_editor.errors import (
    BadInput,
    EditRefused,
    Language,
    ScriptEditorError,
    ScriptNotFound,
    Unfinished,
)
from script_editor.llm.chat import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """What is about to be saved, as a person is shown it. `proposal_id` is None for an older text brought back.

    `after` is the whole text, `findings` what the guards warn of; both they and the notes are told in
    `language`.
    """

    base: Version
    after: str
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    proposal_id: str | None = None
    language: Language = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What a person asks of an edit besides the instruction.

    `only` names the part that may change, as `domain.places.parse_place` reads it; `keep` are words that
    must stay; `duration` is the spoken time wanted, None when only the instruction may name one.
    """

    only: str | None = None
    keep: tuple[str, ...] = ()
    duration: DurationTarget | None = None

    def constraints(
        self,
        script: NumberedScript,
        instruction: str,
        *,
        locks: Sequence[Lock] = (),
        targets: Sequence[int] = (),
        first: NumberedScript | None = None,
    ) -> tuple[Constraints, tuple[str, ...]]:
        """Return what they mean for one script, and notes for the person; `targets` narrow them further.

        `first` is the text that the person gave the order for, where `script` is a later version of it: `only`
        means the lines that it named there, wherever they stand now.

        Raises:
            BadInput, EditRefused: `only` names no part of the script, or `targets` lie outside it.
        """
        allowed = () if self.only is None else _place(self.only, script, first or script)
        if allowed and targets:
            outside = sorted(set(targets) - set(allowed))
            if outside:
                raise EditRefused(
                    "off_target",
                    f"Line {outside[0]} lies outside {self.only!r}, and only that part may change.",
                    segments=outside,
                )
        kept, missing = keep(script.text, self.keep)
        constraints = Constraints(
            targets=tuple(targets) or allowed,
            locks=(*locks, *kept),
            duration=self.duration or target_in(instruction),
        )
        return constraints, tuple(
            f"{word!r} does not occur in the script, so nothing keeps it." for word in missing
        )


def _place(only: str, script: NumberedScript, first: NumberedScript) -> tuple[int, ...]:
    """Return the lines that `only` named in `first`, as they are numbered in `script`, with the new ones among them.

    "2-3" must not come to mean another line because the run's own first edit deleted one.
    """
    named = parse_place(only, first)
    if script.text == first.text:
        return named
    sides = align(first.text, script.text)
    was = {
        sides.new.numbers[row.new]: None if row.old is None else sides.old.numbers.get(row.old)
        for row in sides.rows
        if row.new in sides.new.numbers
    }
    carried = {number for number, old in was.items() if old in named}
    with suppress(BadInput):  # the heading may have another name by now
        carried |= {number for number in parse_place(only, script) if was[number] is None}
    if not carried:
        raise EditRefused("off_target", f"No line of {only!r} is left, and only that part may change.")
    return tuple(sorted(carried))


@dataclass(frozen=True, slots=True)
class Objection:
    """A no with the person's reason, which the agent is told; it may try again."""

    reason: str


Approve = Callable[[Pending], bool | tuple[int, ...] | Objection]
"""Asks whether to save what is shown: all of it, none, or only the changes with these ids; or why not."""


NO_DEMANDS = Demands()


@dataclass(frozen=True, slots=True)
class Scope:
    """What one request may touch; `app.reach` reads it.

    `script_id` is the script it is about, None for the whole store. `instruction` is what the person asked
    for; scripts it names may be read as well. `author` signs versions, `run_id` ties them to the run, `demands`
    bound every edit. In a chat `past` is what was said before, and the person may turn to another script by
    naming it. `asked_at` is the moment that words such as "yesterday" and "two days ago" count from.
    """

    script_id: str | None
    instruction: str
    author: str
    run_id: str | None = None
    demands: Demands = NO_DEMANDS
    is_chat: bool = False
    past: tuple[Message, ...] = ()
    asked_at: datetime = field(default_factory=utc_now)

    @property
    def is_one_script(self) -> bool:
        """Whether one script alone may be written, whatever the words name."""
        return self.script_id is not None and not self.is_chat


@dataclass
class Ledger:
    """What really happened in a run, kept by the program while the model talks.

    `answers` are what reading tools told; `sent` which lines each call of the rewriter showed;
    `objected` are the ids of proposals that the person did not want, and `closed` those of this run that
    another took the place of; `reused` those of earlier runs that this one took up again;
    `refusals` holds, for each script, the last attempt to write it that came to nothing, newest last;
    `unfinished` is what stopped an edit that was partly done, and where the finished part is kept; `not_there` is
    the script that a tool was to read last and that does not exist.
    """

    saved: list[Version] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    objected: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)
    reused: set[str] = field(default_factory=set)
    refusals: dict[str, ScriptEditorError] = field(default_factory=dict)
    unfinished: Unfinished | None = None
    not_there: ScriptNotFound | None = None

    @property
    def saved_by_script(self) -> dict[str, list[Version]]:
        """The saved versions of each script, in the order of the first save of each."""
        found: dict[str, list[Version]] = {}
        for version in self.saved:
            found.setdefault(version.script_id, []).append(version)
        return found

    @property
    def kept(self) -> tuple[Review, ...]:
        """The proposals of this run that were neither saved nor replaced, in the order they were made."""
        gone = {version.proposal_id for version in self.saved} | self.closed
        return tuple(review for review in self.reviews if review.proposal.id not in gone)

    @property
    def refusal(self) -> ScriptEditorError | None:
        """What was refused last, of any script; "nothing to change" hides no other refusal."""
        said = [error for error in self.refusals.values() if not is_unchanged(error)]
        return said[-1] if said else next(iter(self.refusals.values()), None)

    @contextmanager
    def remembering(self, script_id: str) -> Iterator[None]:
        """Keep the error that ends the block, and forget what it made good when the block ends well.

        That is what was refused of this script before, and every call that missed what the person means.
        """
        try:
            yield
        except ScriptEditorError as error:
            if not (script_id in self.refusals and is_unchanged(error)):
                self.refusals.pop(script_id, None)
                self.refusals[script_id] = error
            raise
        for other, refused in tuple(self.refusals.items()):
            if other == script_id or _is_astray(refused):
                del self.refusals[other]


def _is_astray(error: ScriptEditorError) -> bool:
    """Say whether an error is about a call that nobody asked for, so that nothing was left undone."""
    is_aside = isinstance(error, EditRefused) and error.reason == "wrong_target"
    return is_aside or isinstance(error, ScriptNotFound)


def is_unchanged(error: BaseException | None) -> bool:
    """Say whether an error only says that there was nothing to change."""
    return isinstance(error, EditRefused) and error.reason == "unchanged"
