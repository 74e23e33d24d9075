"""Every error this program raises on purpose, and who may see it.

ScriptEditorError                       exit 1
├─ BadInput                             exit 2   what was typed or read cannot be used
│   ├─ BadText · TooLarge               a text that the store refuses, with the position
│   ├─ BadScriptId · BadReference       an id, or an `ID@version`, that cannot be one
│   └─ BadInstruction · BadFile         an instruction or a file that cannot be used
├─ NotFound            (for the model)  exit 3
│   └─ ScriptNotFound · VersionNotFound · ProposalNotFound
├─ EditRefused         (for the model)  exit 4   a guard said no; `reason` is one of REASONS
├─ Conflict            (for the model)  exit 5   the script moved, or is in the way
│   └─ StaleHead · ScriptExists · ScriptArchived · ProposalClosed
├─ SetupError                           exit 6   settings, key, store, missing extra
│   ├─ MissingSetting · KeyRefused · ModelUnknown · BeyondOffline
│   └─ StoreUnusable · StoreFull · StoreDamaged · SchemaTooNew · SchemaTooOld
├─ ModelFailure                         exit 7   the model service failed after retries
├─ BudgetReached                        exit 8   tokens or time were used up
├─ GaveUp                               exit 9   the run ended without the edit
└─ Declined                             exit 11  a person said no

`for_model` errors are turned into an observation, because the model can repair its call; all others
end the run. `code` is the stable name in `--json`. An error keeps its objects and builds its sentence
in `__str__`: what happened, to what, and (`hint`) what to do next. Errors never hold a key.
"""

from collections.abc import Sequence
from typing import ClassVar


class ScriptEditorError(Exception):
    """The root of the tree; never raised itself."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1
    for_model: ClassVar[bool] = False

    @property
    def hint(self) -> str:
        """One sentence that says what to do next, or "" when there is nothing to add."""
        return ""


# --- 2: what was typed or read ---------------------------------------------------------------


class BadInput(ScriptEditorError):
    """What was given cannot be used; nothing was read or written because of it."""

    code = "bad_input"
    exit_code = 2

    def __init__(self, message: str, *, hint: str = ""):
        super().__init__(message)
        self.message, self._hint = message, hint

    def __str__(self) -> str:
        return self.message

    @property
    def hint(self) -> str:
        return self._hint


class BadText(BadInput):
    """A text holds a character that no store can keep: NUL or half of a surrogate pair."""

    code = "bad_text"

    def __init__(self, what: str, *, line: int, column: int):
        super().__init__(
            f"The text has {what} at line {line}, character {column}.",
            hint="Remove that character and try again; nothing was saved.",
        )
        self.what, self.line, self.column = what, line, column


class TooLarge(BadInput):
    """A text is over the size limit of the store."""

    code = "too_large"

    def __init__(self, size_bytes: int, *, limit_bytes: int):
        super().__init__(
            f"The text is {size_bytes:,} bytes; the limit is {limit_bytes:,}.",
            hint="Split it into several scripts.",
        )
        self.size_bytes, self.limit_bytes = size_bytes, limit_bytes


class BadScriptId(BadInput):
    """A string that cannot name a script."""

    code = "bad_script_id"

    def __init__(self, raw: str):
        super().__init__(
            f"{raw!r} cannot be a script id.",
            hint="An id has 1 to 64 letters or digits (of any language), '_' or '-', and starts with a "
            "letter or digit; '.en' after it names a language variant.",
        )
        self.raw = raw


class BadReference(BadInput):
    """A reference such as `video_001@v2` that cannot be read."""

    code = "bad_reference"

    def __init__(self, raw: str):
        super().__init__(
            f"{raw!r} does not name a version.",
            hint="Use video_001 (newest), video_001@v3, @prev, @v3~1 (its parent) or @2026-11-20 "
            "(last version of that day).",
        )
        self.raw = raw


class BadInstruction(BadInput):
    """An instruction that is empty or too long."""

    code = "bad_instruction"


class BadFile(BadInput):
    """A file that cannot be read as a script."""

    code = "bad_file"


# --- 3: nothing by that name -----------------------------------------------------------------


class NotFound(ScriptEditorError):
    """No such thing in the store."""

    code = "not_found"
    exit_code = 3
    for_model = True


class ScriptNotFound(NotFound):
    """No script has this id; `known` holds a few that exist, nearest first, or None when nobody looked."""

    code = "script_not_found"

    def __init__(self, script_id: str, *, known: Sequence[str] | None = ()):
        super().__init__(script_id)
        self.script_id, self.known = script_id, None if known is None else tuple(known)

    def __str__(self) -> str:
        return f"There is no script {self.script_id!r}."

    @property
    def hint(self) -> str:
        if self.known is None:
            return ""
        if not self.known:
            return "The store is empty. Load samples: script-editor seeds load"
        return f"Known ids: {', '.join(self.known)}. All of them: script-editor list"


class VersionNotFound(NotFound):
    """The script exists, but not this version of it."""

    code = "version_not_found"

    def __init__(self, script_id: str, wanted: object, *, head: int):
        super().__init__(script_id, wanted, head)
        self.script_id, self.wanted, self.head = script_id, wanted, head

    def __str__(self) -> str:
        name = f"v{self.wanted}" if isinstance(self.wanted, int) else str(self.wanted)
        return f"Script {self.script_id!r} has no version {name}; it has v1 to v{self.head}."

    @property
    def hint(self) -> str:
        return f"See them: script-editor history {self.script_id}"


class ProposalNotFound(NotFound):
    """No proposal has this id, or there is none to take."""

    code = "proposal_not_found"

    def __init__(self, proposal_id: str | None):
        super().__init__(proposal_id)
        self.proposal_id = proposal_id

    def __str__(self) -> str:
        if self.proposal_id is None:
            return "There is no open proposal that still fits its script."
        return f"There is no proposal {self.proposal_id!r}."

    @property
    def hint(self) -> str:
        return "See the open ones: script-editor proposals"


# --- 4: a guard said no ----------------------------------------------------------------------

REASONS = frozenset(
    {
        "ambiguous_match", "commentary", "conflict", "content_filter", "content_lost", "duplicated", "elision",
        "empty", "empty_search", "facts_changed", "language_changed", "locked_changed", "malformed",
        "markdown_added", "no_match", "off_target", "placeholder_lost", "reasoning_leak", "refusal", "stale",
        "structure_lost", "too_different", "truncated", "unchanged", "wrong_target",
    }
)  # fmt: skip


class EditRefused(ScriptEditorError):
    """An edit was not saved. `reason` is one of REASONS; `segments` are the lines concerned.

    `message` says what was wrong and where, `advice` what the one who asked can do about it, and
    `nearest` the passage that came closest when something was not found.
    """

    exit_code = 4
    for_model = True
    code = "edit_refused"

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        segments: Sequence[int] = (),
        nearest: str = "",
        advice: str = "",
    ):
        assert reason in REASONS, reason
        super().__init__(reason, message)
        self.reason, self.message = reason, message
        self.segments, self.nearest, self.advice = tuple(segments), nearest, advice

    def __str__(self) -> str:
        if not self.nearest:
            return self.message
        is_chinese = any("\u4e00" <= char <= "\u9fff" for char in self.message[-12:])
        label = "最接近的一句：" if is_chinese else " The nearest passage is: "
        return f"{self.message}{label}{self.nearest}"

    @property
    def hint(self) -> str:
        return self.advice


# --- 5: in the way ---------------------------------------------------------------------------


class Conflict(ScriptEditorError):
    """Something moved or exists already; nothing was overwritten."""

    code = "conflict"
    exit_code = 5
    for_model = True


class StaleHead(Conflict):
    """Someone wrote a version after the one this write was based on."""

    code = "stale_head"

    def __init__(self, script_id: str, *, expected: int, actual: int):
        super().__init__(script_id, expected, actual)
        self.script_id, self.expected, self.actual = script_id, expected, actual

    def __str__(self) -> str:
        return (
            f"Script {self.script_id!r} is at version {self.actual}, not {self.expected}; nothing was saved."
        )

    @property
    def hint(self) -> str:
        return "Read the script again and repeat the edit."


class ScriptExists(Conflict):
    """A script with this id is already there."""

    code = "script_exists"

    def __init__(self, script_id: str):
        super().__init__(script_id)
        self.script_id = script_id

    def __str__(self) -> str:
        return f"There is already a script {self.script_id!r}."

    @property
    def hint(self) -> str:
        return f"Choose another id, or edit it: script-editor edit {self.script_id} …"


class ScriptArchived(Conflict):
    """The script is archived: it can be read, not written."""

    code = "script_archived"

    def __init__(self, script_id: str):
        super().__init__(script_id)
        self.script_id = script_id

    def __str__(self) -> str:
        return f"Script {self.script_id!r} is archived and cannot be changed."


class ProposalClosed(Conflict):
    """The proposal was accepted or rejected before."""

    code = "proposal_closed"

    def __init__(self, proposal_id: str, status: str):
        super().__init__(proposal_id, status)
        self.proposal_id, self.status = proposal_id, status

    def __str__(self) -> str:
        done = {"accepted": "saved", "rejected": "discarded"}.get(self.status, self.status)
        return f"Proposal {self.proposal_id} is already {done}."

    @property
    def hint(self) -> str:
        return "See the open ones: script-editor proposals"


# --- 6: settings, key, store -----------------------------------------------------------------


class SetupError(ScriptEditorError):
    """Something around the program must be put right first."""

    code = "setup"
    exit_code = 6

    def __init__(self, message: str, *, hint: str = ""):
        super().__init__(message)
        self.message, self._hint = message, hint

    def __str__(self) -> str:
        return self.message

    @property
    def hint(self) -> str:
        return self._hint


class MissingSetting(SetupError):
    """A setting without which the model cannot be called."""

    code = "missing_setting"


class KeyRefused(SetupError):
    """The endpoint answered 401 or 403."""

    code = "key_refused"


class ModelUnknown(SetupError):
    """The endpoint does not know this model, or the address is not a model service."""

    code = "model_unknown"


class BeyondOffline(SetupError):
    """The embedded offline model was asked for something that needs a writer."""

    code = "beyond_offline"


class StoreUnusable(SetupError):
    """The store cannot be opened or written."""

    code = "store_unusable"


class StoreFull(SetupError):
    """The disk or the database quota is full; the write was rolled back."""

    code = "store_full"


class StoreDamaged(SetupError):
    """The stored history does not fit together; nothing was changed."""

    code = "store_damaged"


class SchemaTooNew(SetupError):
    """The store was made by a newer program; it is left untouched."""

    code = "schema_too_new"


class SchemaTooOld(SetupError):
    """The store is of an older revision and must be upgraded by hand."""

    code = "schema_too_old"


# --- 7 to 11: how a run can end --------------------------------------------------------------


class ModelFailure(ScriptEditorError):
    """The model service failed, or answered something that is not an answer.

    `retryable` says whether the same request may succeed later.
    """

    code = "model_failure"
    exit_code = 7

    def __init__(self, message: str, *, retryable: bool = False, hint: str = ""):
        super().__init__(message)
        self.message, self.retryable, self._hint = message, retryable, hint

    def __str__(self) -> str:
        return self.message

    @property
    def hint(self) -> str:
        return self._hint or "Nothing was saved. Try again, or choose another model with --model."


class BudgetReached(ScriptEditorError):
    """The tokens or seconds allowed for one run were used up."""

    code = "budget_reached"
    exit_code = 8

    def __init__(self, message: str):
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


class GaveUp(ScriptEditorError):
    """The run ended without doing what was asked; `stop_reason` says why."""

    code = "gave_up"
    exit_code = 9

    def __init__(self, message: str, *, stop_reason: str, hint: str = ""):
        super().__init__(message)
        self.message, self.stop_reason, self._hint = message, stop_reason, hint

    def __str__(self) -> str:
        return self.message

    @property
    def hint(self) -> str:
        return self._hint


class Declined(ScriptEditorError):
    """A person looked at the change and said no."""

    code = "declined"
    exit_code = 11

    def __init__(self, message: str = "Not saved.", *, hint: str = ""):
        super().__init__(message)
        self.message, self._hint = message, hint

    def __str__(self) -> str:
        return self.message

    @property
    def hint(self) -> str:
        return self._hint
