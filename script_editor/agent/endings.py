"""How a run ends, and the sentence for each end that is not the model's own answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from script_editor.agent.language import Language
from script_editor.agent.steps import StopReason
from script_editor.errors import ScriptEditorError


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a run ends; `output` is empty when the program has to find the words.

    `detail` names what was raised where `error` cannot. For the other fields see RunResult.
    """

    stop_reason: StopReason
    output: str = ""
    error: ScriptEditorError | None = None
    detail: str = ""
    concluded: bool = False
    objected: bool = False

    def sentence(self, language: Language, completed: Sequence[str] = ()) -> str:
        """Return what to tell the person: the answer, or why there is none and what was `completed` all the same."""
        if self.output:
            return self.output
        sentence = _SENTENCES[self.stop_reason][language].format(error=self.error or self.detail)
        if not completed or self.stop_reason in ("finished", "returned_directly"):
            return sentence
        if language == "zh":
            return f"{sentence}已完成：{'；'.join(completed)}"
        return f"{sentence} Completed: {'; '.join(completed)}"


_SENTENCES: Mapping[StopReason, Mapping[Language, str]] = {
    "finished": {"en": "Done.", "zh": "已完成。"},
    "returned_directly": {"en": "Done.", "zh": "已完成。"},
    "step_limit": {
        "en": "Stopped: the limit of steps for one run was reached before the task was finished.",
        "zh": "已停止：任务还没有完成，就达到了一次运行的步数上限。",
    },
    "model_call_limit": {
        "en": "Stopped: the limit of model calls for one run was reached before the task was finished.",
        "zh": "已停止：任务还没有完成，就达到了一次运行的模型调用上限。",
    },
    "call_limit": {
        "en": "Stopped: the limit of tool calls for one run was reached before the task was finished.",
        "zh": "已停止：任务还没有完成，就达到了一次运行的工具调用上限。",
    },
    "token_limit": {
        "en": "Stopped: the tokens allowed for one run were used up before the task was finished.",
        "zh": "已停止：任务还没有完成，一次运行的 token 额度已经用完。",
    },
    "time_limit": {
        "en": "Stopped: the time allowed for one run was over before the task was finished.",
        "zh": "已停止：任务还没有完成，一次运行的时间已经用完。",
    },
    "unreadable": {
        "en": "Stopped: the model's replies could not be read.",
        "zh": "已停止：模型的回复无法读取。",
    },
    "repeating": {
        "en": "Stopped: the model kept making the same call with the same result.",
        "zh": "已停止：模型一直重复同一个调用，结果也相同。",
    },
    "cancelled": {"en": "Cancelled.", "zh": "已取消。"},
    "declined": {"en": "Stopped: the person said no to a change.", "zh": "已停止：用户没有同意一处修改。"},
    "failed": {"en": "The run failed: {error}", "zh": "运行失败：{error}"},
    "crashed": {
        "en": "The run broke off because of an error in the program ({error}).",
        "zh": "程序出错（{error}），运行中断。",
    },
}
