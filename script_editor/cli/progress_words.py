"""What goes on, in words of both languages."""

from collections.abc import Mapping
from typing import Literal

from script_editor.errors import Language

Word = Literal[
    "thinking", "written", "summing up", "ok", "refused", "chunk", "about", "step", "so far", "unreadable", "questioned",
    "mode", "stopped", "ended", "not run", "more",
]  # fmt: skip

WORDS: Mapping[Language, Mapping[Word, str]] = {
    "en": {
        "thinking": "thinking …",
        "written": "thinking … {count}",
        "summing up": "summing up …",
        "ok": "ok",
        "refused": "refused",
        "chunk": "chunk {number} of {count} (lines {first}-{last})",
        "about": "about {tokens_in:,} tokens to send, {tokens_out:,} to receive",
        "step": "step {turn}",
        "so far": "so far {tokens_in:,} + {tokens_out:,} tokens",
        "unreadable": "unreadable reply ({code}): {why}",
        "questioned": "answer questioned: {why}",
        "mode": "mode {old} → {new}{why}",
        "stopped": "{why}: the model is asked for a summary",
        "ended": "ended: {why}, {seconds:.1f} s",
        "not run": "not run: {why}",
        "more": "… {count}",
    },
    "zh": {
        "thinking": "思考中 …",
        "written": "思考中 … 已写 {number:,} 字",
        "summing up": "总结中 …",
        "ok": "完成",
        "refused": "被拒绝",
        "chunk": "第 {number} 部分，共 {count} 部分（第 {first}-{last} 行）",
        "about": "大约要发送 {tokens_in:,} tokens，收回 {tokens_out:,} tokens",
        "step": "第 {turn} 步",
        "so far": "到现在 {tokens_in:,} + {tokens_out:,} tokens",
        "unreadable": "回复无法读取（{code}）：{why}",
        "questioned": "回答与事实不符：{why}",
        "mode": "模式 {old} → {new}{why}",
        "stopped": "{why}：请模型总结",
        "ended": "结束：{why}，{seconds:.1f} 秒",
        "not run": "没有执行：{why}",
        "more": "… 还有 {number:,} 行",
    },
}

STOPS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "step_limit": "no step is left",
        "call_limit": "no call is left",
        "token_limit": "the tokens are used up",
        "time_limit": "the time is used up",
    },
    "zh": {
        "step_limit": "步数用完了",
        "call_limit": "调用次数用完了",
        "token_limit": "token 用完了",
        "time_limit": "时间用完了",
    },
}
"""Why the model is asked for a summary."""

ENDINGS_ZH: Mapping[str, str] = {
    "finished": "完成", "returned_directly": "完成", "step_limit": "达到步数上限", "model_call_limit": "达到模型调用上限",
    "call_limit": "达到工具调用上限", "token_limit": "token 已用完", "time_limit": "时间已用完",
    "unreadable": "回复无法读取", "repeating": "重复同一调用", "cancelled": "已取消", "declined": "没有同意",
    "failed": "失败", "crashed": "程序出错", "not_ended": "没有结束",
}  # fmt: skip
"""How a run ended, by its stop reason."""

BUSY: Mapping[Language, str] = {"en": "service busy", "zh": "服务繁忙"}
SILENT: Mapping[Language, str] = {"en": "no answer from the service", "zh": "服务没有应答"}
WAITING: Mapping[Language, str] = {
    "en": ", trying again in {seconds} s ({retry} of {retries})",
    "zh": "，{seconds} 秒后重试（第 {retry} 次，共 {retries} 次）",
}
AGAIN: Mapping[Language, str] = {
    "en": "asking again ({retry} of {retries})",
    "zh": "正在重试（第 {retry} 次，共 {retries} 次）",
}
