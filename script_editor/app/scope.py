"""What one request may touch, and what really happened in it."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from script_editor.app.proposals import Review
from script_editor.domain.diff import Change
from script_editor.domain.script import Version, canonical_id
from script_editor.errors import BadScriptId, EditRefused, ScriptEditorError


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """What is about to be saved, as a person is shown it. `proposal_id` is None for an older text brought back."""

    base: Version
    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()
    proposal_id: str | None = None


Approve = Callable[[Pending], bool]


@dataclass(frozen=True, slots=True)
class Scope:
    """What one request may touch: `script_id` is the only script that may be written.

    `instruction` is what the person asked for; scripts it names may be read as well. `author` signs
    versions, `run_id` ties them to the run.
    """

    script_id: str
    instruction: str
    author: str
    run_id: str | None = None

    def may_read(self, script_id: str) -> bool:
        """Say whether the request is about this script or names it."""
        return script_id == self.script_id or script_id in _names_in(self.instruction)


@dataclass
class Ledger:
    """What really happened in a run, kept by the program while the model talks.

    `answers` are what reading tools told; `refusal` is the last attempt to write that came to nothing.
    """

    saved: list[Version] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    refusal: ScriptEditorError | None = None

    @contextmanager
    def remembering(self) -> Iterator[None]:
        """Keep the error that ends the block, and forget the one before when the block ends well."""
        try:
            yield
        except ScriptEditorError as error:
            if not (self.refusal is not None and is_unchanged(error)):  # "nothing to change" hides no refusal
                self.refusal = error
            raise
        self.refusal = None


def is_unchanged(error: BaseException | None) -> bool:
    """Say whether an error only says that there was nothing to change."""
    return isinstance(error, EditRefused) and error.reason == "unchanged"


# Words of any script between spaces, and Latin ids that Chinese text surrounds without one.
_NAMES = (re.compile(r"[\w-]+(?:\.[\w-]+)?"), re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z-]+)?"))


def _names_in(instruction: str) -> set[str]:
    """Return the words of an instruction that could be ids, in their canonical spelling; `a` is not in "make"."""
    names = set()
    for word in {word for pattern in _NAMES for word in pattern.findall(instruction)}:
        with suppress(BadScriptId):
            names.add(canonical_id(word))
    return names
