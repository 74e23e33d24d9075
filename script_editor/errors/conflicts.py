"""Exit 5: the script moved, or something is in the way."""

from collections.abc import Sequence

from script_editor.errors.base import Language, ScriptEditorError


class Conflict(ScriptEditorError):
    """Something moved or exists already; nothing was overwritten."""

    code = "conflict"
    exit_code = 5
    for_model = True


class StaleHead(Conflict):
    """Someone wrote a version after the one this write was based on."""

    code = "stale_head"
    is_bilingual = True

    def __init__(self, script_id: str, *, expected: int, actual: int):
        super().__init__(script_id, expected, actual)
        self.script_id, self.expected, self.actual = script_id, expected, actual

    def __str__(self) -> str:
        if self.language == "zh":
            return f"{self.script_id} 现在是 v{self.actual}，不是 v{self.expected}，没有保存任何内容。"
        return (
            f"Script {self.script_id!r} is at version {self.actual}, not {self.expected}; nothing was saved."
        )

    @property
    def hint(self) -> str:
        if self.language == "zh":
            return "请重新看一下脚本，再改一次。"
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
        fitting = _fitting(self.fitting, self.total, self.language)
        if self.language == "zh":
            moved = f"提案 {self.proposal_id} 之后 {self.script_id} 从 v{self.expected} 到了 v{self.actual}"
            return f"{moved}，没有保存任何内容。{fitting}"
        moved = f"Script {self.script_id!r} moved from v{self.expected} to v{self.actual} after proposal"
        return f"{moved} {self.proposal_id}; nothing was saved.{fitting}"

    @property
    def hint(self) -> str:
        if self.fitting == 0:
            return _ask_again(self.proposal_id, self.language)
        if self.language == "zh":
            return f"移到 v{self.actual} 上：script-editor apply {self.proposal_id} --rebase"
        return f"Carry it over to v{self.actual}: script-editor apply {self.proposal_id} --rebase"


class Overtaken(StaleHead):
    """A script moved after an item of a batch was planned, or after its proposal was made."""

    def __init__(self, script_id: str, *, expected: int, actual: int, batch_id: str):
        super().__init__(script_id, expected=expected, actual=actual)
        self.batch_id = batch_id

    def __str__(self) -> str:
        if self.language == "zh":
            return f"这期间 {self.script_id} 从 v{self.expected} 到了 v{self.actual}。"
        return f"{self.script_id} moved from v{self.expected} to v{self.actual} meanwhile."

    @property
    def hint(self) -> str:
        again = f"script-editor batch retry {self.batch_id} --only conflict"
        if self.language == "zh":
            return f"在 v{self.actual} 上重做：{again}"
        return f"Do it again over v{self.actual}: {again}"


class MergeConflict(Conflict):
    """A proposal and a newer version changed the same lines; `fitting` of `total` changes fit all the same.

    `lines` are lines of the newest version.
    """

    code = "merge_conflict"
    is_bilingual = True

    def __init__(
        self, script_id: str, *, proposal_id: str | None, lines: Sequence[int], fitting: int, total: int
    ):
        super().__init__(script_id, proposal_id, tuple(lines))
        self.script_id, self.proposal_id, self.lines = script_id, proposal_id, tuple(lines)
        self.fitting, self.total = fitting, total

    def __str__(self) -> str:
        fitting = _fitting(self.fitting, self.total, self.language)
        if self.language == "zh":
            mine = f"提案 {self.proposal_id}" if self.proposal_id else "这次修改"
            there = f"的第 {'、'.join(map(str, self.lines))} 行" if self.lines else ""
            return f"{self.script_id} {there}刚才有人改过，{mine}也要改这里，没有保存任何内容。{fitting}"
        what = f"proposal {self.proposal_id}" if self.proposal_id else "this edit"
        lines = ", ".join(map(str, self.lines))
        where = f" in line{'s' if len(self.lines) > 1 else ''} {lines}" if lines else ""
        return (
            f"Script {self.script_id!r} was changed meanwhile{where}, where {what} changes it too; "
            f"nothing was saved.{fitting}"
        )

    @property
    def hint(self) -> str:
        if self.proposal_id and self.fitting == 0:
            return _ask_again(self.proposal_id, self.language)
        if self.language == "zh":
            return f"看看脚本现在的样子：script-editor show {self.script_id} --lines"
        return f"See the script as it is now: script-editor show {self.script_id} --lines"


def _fitting(fitting: int | None, total: int | None, language: Language | None) -> str:
    if fitting is None or total is None:
        return ""
    if language == "zh":
        return f"{total} 处改动中有 {fitting} 处还对得上。"
    return f" {fitting} of {total} changes still fit."


def _ask_again(proposal_id: str, language: Language | None) -> str:
    if language == "zh":
        return f"请重新提要求，并放弃这份：script-editor discard {proposal_id}"
    return f"Ask for the edit again, and drop this one: script-editor discard {proposal_id}"


class ScriptExists(Conflict):
    """A script with this id is already there."""

    code = "script_exists"
    is_bilingual = True

    def __init__(self, script_id: str):
        super().__init__(script_id)
        self.script_id = script_id

    def __str__(self) -> str:
        if self.language == "zh":
            return f"已经有脚本 {self.script_id} 了。"
        return f"There is already a script {self.script_id!r}."

    @property
    def hint(self) -> str:
        if self.language == "zh":
            return f"请换一个编号，或者直接改它：script-editor edit {self.script_id} …"
        return f"Choose another id, or edit it: script-editor edit {self.script_id} …"


class EditedSinceImport(Conflict):
    """A file has another text than a script that was edited after it was imported."""

    code = "edited_since_import"
    is_bilingual = True

    def __init__(self, script_id: str, number: int):
        super().__init__(script_id, number)
        self.script_id, self.number = script_id, number

    def __str__(self) -> str:
        if self.language == "zh":
            return f"{self.script_id} 导入之后改过（现在是 v{self.number}），文件里是另一份文字，没有导入。"
        return (
            f"{self.script_id} was edited since it was imported (it is at v{self.number}), and the file has "
            f"another text; the file was not imported."
        )

    @property
    def hint(self) -> str:
        if self.language == "zh":
            return "以文件为准：--on-conflict new-version     保留脚本现在的文字：--on-conflict skip"
        return "Take the file: --on-conflict new-version     Keep the script as it is: --on-conflict skip"


class ScriptArchived(Conflict):
    """The script is archived: it can be read, not written."""

    code = "script_archived"
    is_bilingual = True

    def __init__(self, script_id: str):
        super().__init__(script_id)
        self.script_id = script_id

    def __str__(self) -> str:
        if self.language == "zh":
            return f"{self.script_id} 已归档，不能修改。"
        return f"Script {self.script_id!r} is archived and cannot be changed."


class ProposalClosed(Conflict):
    """The proposal was accepted or rejected before."""

    code = "proposal_closed"
    is_bilingual = True

    def __init__(self, proposal_id: str, status: str):
        super().__init__(proposal_id, status)
        self.proposal_id, self.status = proposal_id, status

    def __str__(self) -> str:
        if self.language == "zh":
            done = {"accepted": "保存", "rejected": "放弃"}.get(self.status, "处理")
            return f"提案 {self.proposal_id} 已经{done}了。"
        done = {"accepted": "saved", "rejected": "discarded"}.get(self.status, self.status)
        return f"Proposal {self.proposal_id} is already {done}."

    @property
    def hint(self) -> str:
        if self.language == "zh":
            return "看看还没有决定的：script-editor proposals"
        return "See the open ones: script-editor proposals"
