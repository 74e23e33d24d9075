"""What one request may touch, and what really happened in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from script_editor.app.proposals import Review
from script_editor.domain.script import Version
from script_editor.errors import ScriptEditorError

Approve = Callable[[Review], bool]


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
        return script_id == self.script_id or script_id in self.instruction.lower()


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
            self.refusal = error
            raise
        self.refusal = None
