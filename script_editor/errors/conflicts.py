"""Exit 5: the script moved, or something is in the way."""

from collections.abc import Sequence

from script_editor.errors.base import ScriptEditorError


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


class StaleProposal(StaleHead):
    """A proposal was made for a version that is no longer the newest; `fitting` of `total` changes still fit.

    The two numbers are None when nobody looked.
    """

    def __init__(
        self,
        script_id: str,
        *,
        expected: int,
        actual: int,
        proposal_id: str,
        fitting: int | None = None,
        total: int | None = None,
    ):
        super().__init__(script_id, expected=expected, actual=actual)
        self.proposal_id, self.fitting, self.total = proposal_id, fitting, total

    def __str__(self) -> str:
        moved = f"Script {self.script_id!r} moved from v{self.expected} to v{self.actual} after proposal"
        return f"{moved} {self.proposal_id}; nothing was saved.{_fitting(self.fitting, self.total)}"

    @property
    def hint(self) -> str:
        if self.fitting == 0:
            return f"Ask for the edit again, and drop this one: script-editor discard {self.proposal_id}"
        return f"Carry it over to v{self.actual}: script-editor apply {self.proposal_id} --rebase"


class MergeConflict(Conflict):
    """A proposal and a newer version changed the same lines; `fitting` of `total` changes fit all the same.

    `lines` are lines of the newest version.
    """

    code = "merge_conflict"

    def __init__(
        self, script_id: str, *, proposal_id: str | None, lines: Sequence[int], fitting: int, total: int
    ):
        super().__init__(script_id, proposal_id, tuple(lines))
        self.script_id, self.proposal_id, self.lines = script_id, proposal_id, tuple(lines)
        self.fitting, self.total = fitting, total

    def __str__(self) -> str:
        what = f"proposal {self.proposal_id}" if self.proposal_id else "this edit"
        lines = ", ".join(map(str, self.lines))
        where = f" in line{'s' if len(self.lines) > 1 else ''} {lines}" if lines else ""
        return (
            f"Script {self.script_id!r} was changed meanwhile{where}, where {what} changes it too; "
            f"nothing was saved.{_fitting(self.fitting, self.total)}"
        )

    @property
    def hint(self) -> str:
        if self.proposal_id and self.fitting == 0:
            return f"Ask for the edit again, and drop this one: script-editor discard {self.proposal_id}"
        return f"See the script as it is now: script-editor show {self.script_id} --lines"


def _fitting(fitting: int | None, total: int | None) -> str:
    return "" if fitting is None or total is None else f" {fitting} of {total} changes still fit."


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
