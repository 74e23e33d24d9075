"""Exits 7 to 11: how a run can end."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Literal

from script_editor.errors.base import Language, ScriptEditorError

INTERRUPTED = 130

BudgetKind = Literal["tokens", "seconds", "calls", "money"]


class ModelFailure(ScriptEditorError):
    """The model service failed, or answered something that is not an answer.

    `retryable` says whether the same request may succeed later, and `retry_after` in how many seconds, where the
    service said so. `may_cost` says that the request may have been worked on, and charged for, all the same.
    """

    code = "model_failure"
    exit_code = 7

    def __init__(
        self,
        message: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
        may_cost: bool = False,
        hint: str = "",
    ):
        super().__init__(message)
        self.message, self.retryable, self._hint = message, retryable, hint
        self.retry_after, self.may_cost = retry_after, may_cost

    def __str__(self) -> str:
        return self.message

    @property
    def hint(self) -> str:
        return self._hint or "Nothing was saved. Try again, or choose another model with --model."


class Unreachable(ModelFailure):
    """No connection to the model service could be made: it is down, or the address or the network is wrong."""


class BudgetReached(ScriptEditorError):
    """The tokens, seconds, model calls or money that were allowed are used up; `kind` says which."""

    code = "budget_reached"
    exit_code = 8

    def __init__(self, message: str, *, kind: BudgetKind = "tokens", language: Language | None = None):
        super().__init__(message)
        self.message, self.kind, self.language = message, kind, language

    def __str__(self) -> str:
        return self.message


class BudgetShort(BudgetReached):
    """What is left of the money that a batch may take does not cover its next call.

    `next_cost` is what that is reckoned with: for a batch that was stopped the call that was not made, and with
    `is_before`, where no call was asked for, the smallest one that is open. A budget that is `enough` covers all that is
    open, by the estimate of the plan. `is_new` says that the batch has never run.
    """

    is_bilingual = True

    def __init__(
        self,
        batch_id: str,
        *,
        budget: float,
        left: float,
        next_cost: float,
        enough: float,
        is_before: bool,
        is_new: bool,
    ):
        super().__init__(batch_id, kind="money")
        self.batch_id, self.budget, self.left = batch_id, budget, left
        self.next_cost, self.enough = next_cost, enough
        self.is_before, self.is_new = is_before, is_new

    def __str__(self) -> str:
        zh, cost = self.language == "zh", _money(self.next_cost, ROUND_CEILING)
        if self.is_before:
            call = (
                f"最小的一次调用也要按 {cost} 计算，而"
                if zh
                else f"Even the smallest call is reckoned with {cost}, and "
            )
        else:
            call = f"下一次调用最多可能花费 {cost}，" if zh else f"The next call may cost up to {cost}, and "
        return call + (self._left_zh() if zh else self._left())

    def _left(self) -> str:
        budget, left = f"{self.budget:,.12g}", _money(self.left, ROUND_FLOOR)
        if self.left >= self.budget:
            return f"the budget is {budget}."
        return f"{left} of the budget of {budget} is left; what was done is kept."

    def _left_zh(self) -> str:
        budget, left = f"{self.budget:,.12g}", _money(self.left, ROUND_FLOOR)
        if self.left >= self.budget:
            return f"预算是 {budget}。"
        return f"预算 {budget} 只剩 {left}；已完成的都已保留。"

    @property
    def hint(self) -> str:
        verb = "run" if self.is_new else "resume"
        command = f"script-editor batch {verb} {self.batch_id} --budget {self.enough:.12g}"
        if self.language == "zh":
            said = "运行（足够做完全部）" if self.is_new else "续跑（足够做完剩下的）"
            return f"{said}：{command}     不设上限：--budget none"
        said = (
            "Run it, with enough for all of it" if self.is_new else "Go on, with enough for all that is left"
        )
        return f"{said}: {command}     Without a limit: --budget none"


def _money(amount: float, rounding: str) -> str:
    """Return an amount with as many digits as matter: "1,204", "52.2", "0.0031"; rounded so that whoever takes it at its
    word is not refused again."""
    exact = Decimal(f"{amount:.12g}")
    told = exact.quantize(Decimal(1).scaleb(min(exact.adjusted() - 2, 0)), rounding=rounding)
    said = f"{told:,f}"
    return said.rstrip("0").rstrip(".") if "." in said else said


class GaveUp(ScriptEditorError):
    """The run ended without doing what was asked; `stop_reason` says why."""

    code = "gave_up"
    exit_code = 9

    def __init__(self, message: str, *, stop_reason: str, hint: str = "", language: Language | None = None):
        super().__init__(message)
        self.message, self.stop_reason, self._hint = message, stop_reason, hint
        self.language = language

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


class Objected(Declined):
    """A person looked at the change, said no, and said why; the agent may try again.

    `reason` is in the person's own words; `language` is that of the request, None means English.
    """

    for_model = True

    def __init__(self, reason: str, *, proposal_id: str | None = None, language: Language | None = None):
        super().__init__()
        self.reason, self.proposal_id, self.language = reason, proposal_id, language

    def __str__(self) -> str:
        if self.language == "zh":
            return f"用户没有同意保存，理由是：{self.reason}"
        return f"The person did not want this saved, and said why: {self.reason}"

    @property
    def hint(self) -> str:
        if self.proposal_id is None:
            return ""
        kept = "提案已保留：" if self.language == "zh" else "The proposal is kept: "
        return f"{kept}script-editor review {self.proposal_id}"


class Unfinished(ScriptEditorError):
    """A long edit stopped before its end; what was finished is kept as a proposal.

    `cause` is what stopped it, a failure or Ctrl-C, and gives the exit code; `untouched` names the lines
    that were not looked at, such as "41-120", "" when it is the save alone that is missing. `language` is
    that of the request; None means English. `cause_zh` is what the cause says in Chinese, where it does not know it.
    """

    code = "unfinished"

    def __init__(
        self,
        script_id: str,
        *,
        proposal_id: str,
        untouched: str,
        cause: ScriptEditorError | KeyboardInterrupt,
        language: Language | None = None,
        cause_zh: str = "",
    ):
        super().__init__(script_id, proposal_id)
        self._cause_zh = cause_zh
        self.script_id, self.proposal_id = script_id, proposal_id
        self.untouched, self.cause, self.language = untouched, cause, language
        self.exit_code = cause.exit_code if isinstance(cause, ScriptEditorError) else INTERRUPTED

    def __str__(self) -> str:
        return self._in_chinese() if self.language == "zh" else self._in_english()

    def _in_english(self) -> str:
        failed = isinstance(self.cause, ScriptEditorError)
        why = f" What stopped it: {self.cause}" if failed else " It was interrupted."
        done = (
            f" is edited in part only: lines {self.untouched} were not looked at." if self.untouched else ""
        )
        if not done:
            return (
                f"The edit of {self.script_id} was not saved; it is kept as proposal {self.proposal_id}.{why}"
            )
        kept = f"What was finished is kept as proposal {self.proposal_id}; nothing was saved."
        return f"{self.script_id}{done} {kept}{why}"

    def _in_chinese(self) -> str:
        is_told = isinstance(self.cause, ScriptEditorError) and self.cause.language == "zh"
        said = str(self.cause) if is_told else self._cause_zh
        why = f"原因：{said}" if said else _WHY_ZH.get(type(self.cause).__name__, "")
        if not self.untouched:
            return f"{self.script_id} 没有保存；改好的内容留作提案 {self.proposal_id}。{why}"
        lines = self.untouched.replace(", ", "、")
        return (
            f"{self.script_id} 只改了一部分：第 {lines} 行还没有改。"
            f"已完成的部分留作提案 {self.proposal_id}，没有保存任何内容。{why}"
        )

    @property
    def hint(self) -> str:
        if self.language == "zh":
            return f"先看一看：script-editor review {self.proposal_id}     保存：script-editor apply {self.proposal_id}"
        return f"Look at it: script-editor review {self.proposal_id}     Save it: script-editor apply {self.proposal_id}"


_WHY_ZH = {
    "KeyboardInterrupt": "是您中断的。",
    "ModelFailure": "原因：模型服务出错了。",
    "BudgetReached": "原因：词元数或时间用完了。",
    "GaveUp": "原因：模型没有做完。",
    "StaleHead": "原因：修改期间脚本有了新版本。",
    "StaleProposal": "原因：修改期间脚本有了新版本。",
    "MergeConflict": "原因：修改期间有人改了同样的行。",
    "KeyRefused": "原因：模型服务不接受这个密钥。",
    "ModelUnknown": "原因：模型服务没有这个模型。",
    "StoreFull": "原因：磁盘满了。",
}
"""What a Chinese reader is told of a cause whose own sentence is English."""


class BatchTroubled(ScriptEditorError):
    """A batch ended, and some of its items are not as they were asked to be."""

    code = "batch_troubled"
    exit_code = 10

    def __init__(self, batch_id: str, *, troubled: int, total: int):
        super().__init__(batch_id, troubled, total)
        self.batch_id, self.troubled, self.total = batch_id, troubled, total

    def __str__(self) -> str:
        return f"{self.troubled} of {self.total} items of {self.batch_id} were not done."

    @property
    def hint(self) -> str:
        return f"See why: script-editor batch failures {self.batch_id}     Again: script-editor batch retry {self.batch_id}"
