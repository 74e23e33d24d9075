"""Exits 7 to 11: how a run can end."""

from script_editor.errors.base import ScriptEditorError

INTERRUPTED = 130


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


class Unfinished(ScriptEditorError):
    """A long edit stopped before its end; what was finished is kept as a proposal.

    `cause` is what stopped it, a failure or Ctrl-C, and gives the exit code; `untouched` names the lines
    that were not looked at, such as "41-120".
    """

    code = "unfinished"

    def __init__(
        self,
        script_id: str,
        *,
        proposal_id: str,
        untouched: str,
        cause: ScriptEditorError | KeyboardInterrupt,
    ):
        super().__init__(script_id, proposal_id)
        self.script_id, self.proposal_id = script_id, proposal_id
        self.untouched, self.cause = untouched, cause
        self.exit_code = cause.exit_code if isinstance(cause, ScriptEditorError) else INTERRUPTED

    def __str__(self) -> str:
        failed = isinstance(self.cause, ScriptEditorError)
        why = f" What stopped it: {self.cause}" if failed else " It was interrupted."
        return (
            f"{self.script_id} is edited in part only: lines {self.untouched} were not looked at. "
            f"What was finished is kept as proposal {self.proposal_id}; nothing was saved.{why}"
        )

    @property
    def hint(self) -> str:
        return f"Look at it: script-editor review {self.proposal_id}     Save it: script-editor apply {self.proposal_id}"
