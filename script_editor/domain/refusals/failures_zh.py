"""What goes wrong around an edit (service, key, settings, an id) in Chinese, for who gave the order in Chinese.

The errors have their sentences in English, where they are raised. What a service itself said stays as it said it; a
sentence that no row knows stays as it is.
"""

import re

from script_editor.errors import ScriptEditorError
from script_editor.patterns import Pattern

_SAID = r"(?:: (?P<said>.+)|\.)"
_ROWS = (
    (r"Cannot reach (?P<a>\S+)", "连不上 {a}"),
    (r"(?P<a>\S+) does not know the model (?P<b>.+?) \(HTTP (?P<c>\d+)\)", "{a} 没有模型 {b}（HTTP {c}）"),
    (r"(?P<a>\S+) has no money or quota left for this account \(HTTP (?P<c>\d+)\)", "{a} 的账户余额或额度已用完（HTTP {c}）"),
    (r"(?P<a>\S+) refused the API key \(HTTP (?P<c>\d+)\)", "{a} 不接受这个密钥（HTTP {c}）"),
    (r"The request is longer than (?P<b>.+?) at (?P<a>\S+) can read", "请求太长，超过了 {a} 的模型 {b} 能读的长度"),
    (r"(?P<a>\S+) answered with an error \(HTTP (?P<c>\d+)\)", "{a} 回了一个错误（HTTP {c}）"),
    (r"(?P<a>\S+) is limiting requests \(HTTP (?P<c>\d+)\)", "{a} 正在限流（HTTP {c}）"),
    (r"(?P<a>\S+) refused the request \(HTTP (?P<c>\d+)\)", "{a} 拒绝了这个请求（HTTP {c}）"),
    (r"(?P<a>\S+) failed \(HTTP (?P<c>\d+)\)", "{a} 出错了（HTTP {c}）"),
    (r"(?P<b>.+?) at (?P<a>\S+) does not take (?P<d>.+?) \(HTTP (?P<c>\d+)\)", "{a} 的模型 {b} 不支持 {d}（HTTP {c}）"),
    (r"(?P<a>\S+) sends the request to another address \(HTTP (?P<c>\d+)\)", "{a} 把请求转到了别的地址（HTTP {c}）"),
    (r"(?P<a>\S+) sent .+? instead of a chat completion", "{a} 的回答不是聊天补全的格式"),
    (r"(?P<a>\S+) broke off before the answer was complete", "{a} 在回答完之前断开了"),
    (r"(?P<a>\S+) gave no complete answer within (?P<b>\S+) seconds", "{a} 在 {b} 秒内没有答完"),
    (r"The proxy or certificate settings of the environment cannot be used", "环境里的代理或证书设置不能用"),
    (r"The API key is empty", "密钥是空的"),
    (r"The API key has a character in it that no key has", "密钥里有不该有的字符"),
    (r"The address of the model service is not an http or https address", "模型服务的地址不是 http 或 https 地址"),
    (r"(?P<a>\S+) is set, but no model is named", "设置了 {a}，但没有指定模型"),
    (r"The model (?P<a>\S+) needs a key", "模型 {a} 需要密钥"),
    (r"The key comes from (?P<a>.+?), but the address from (?P<b>.+?); a key is only sent to an address of its own layer",
     "密钥来自 {a}，地址却来自 {b}；密钥只发给同一层设置里的地址"),
    (r"(?P<a>\S+) cannot be used as it is", "{a} 的值不能用"),
    (r"The run has used (?P<a>[\d,]+) tokens; (?P<b>[\d,]+) were allowed", "这次运行用了 {a} 个 token，上限是 {b}"),
    (r"The run has made the (?P<a>[\d,]+) model calls it may make", "这次运行已经用完允许的 {a} 次模型调用"),
    (r"The time for this run is used up", "这次运行的时间用完了"),
    (r"(?P<a>\S+) was planned for the model '(?P<b>[^']+)', and '(?P<c>[^']+)' is configured",
     "{a} 是为模型 {b} 计划的，而现在设置的是 {c}"),
    (r"(?P<a>\S+) was planned with another version of the program, which asks in other words",
     "{a} 是用另一个版本的程序计划的，那个版本的提示词不同"),
    (r"A budget needs prices, and those of '(?P<a>[^']+)' are not known", "设预算需要价格，而模型 {a} 的价格未知"),
    (r"(?P<a>.+?) needs packages that are not installed", "{a} 需要的软件包没有安装"),
    (r"There is no script '(?P<a>[^']+)'", "没有脚本“{a}”"),
    (r"Script '(?P<a>[^']+)' has no version (?P<b>\S+); it has v1 to (?P<c>v\d+)", "脚本“{a}”没有版本 {b}，只有 v1 到 {c}"),
)  # fmt: skip
_HINTS = {
    "Nothing was saved. Try again, or choose another model with --model.":
        "没有保存任何内容。请重试，或者用 --model 换一个模型。",
    "Nothing was saved. Check OPENAI_BASE_URL, the network and the proxy settings.":
        "没有保存任何内容。请检查 OPENAI_BASE_URL、网络和代理设置。",
    "Check MODEL_NAME, and OPENAI_BASE_URL: for most services it ends in /v1.":
        "请检查 MODEL_NAME 和 OPENAI_BASE_URL：多数服务的地址以 /v1 结尾。",
    "Top it up at the service, or name another service or model; then do it again.":
        "请到服务方充值，或者换一个服务或模型，然后再来一次。",
    "Check OPENAI_API_KEY, and that OPENAI_BASE_URL is the service this key belongs to.":
        "请检查 OPENAI_API_KEY，并确认 OPENAI_BASE_URL 就是这个密钥所属的服务。",
    "Nothing was saved. Give it less text at a time, or choose a model with a larger context.":
        "没有保存任何内容。请一次少给一些文字，或者换一个上下文更长的模型。",
    "Nothing was saved. Try --mode react, which needs no tools, or another model with --model.":
        "没有保存任何内容。请试试不需要工具的 --mode react，或者用 --model 换一个模型。",
    "If you trust that address, set it as OPENAI_BASE_URL.": "如果信得过那个地址，请把它设为 OPENAI_BASE_URL。",
    "Nothing was saved. Check that OPENAI_BASE_URL is a chat service; for most it ends in /v1.":
        "没有保存任何内容。请确认 OPENAI_BASE_URL 是聊天服务；多数以 /v1 结尾。",
    "Nothing was saved. Try again, allow more time, or send less text at a time.":
        "没有保存任何内容。请重试，放宽时限，或者一次少给一些文字。",
    "Check HTTPS_PROXY, ALL_PROXY, NO_PROXY and SSL_CERT_FILE.": "请检查 HTTPS_PROXY、ALL_PROXY、NO_PROXY 和 SSL_CERT_FILE。",
    "Set OPENAI_API_KEY; for a local server any word will do.": "请设置 OPENAI_API_KEY；本地服务随便填一个词即可。",
    "Copy it again into OPENAI_API_KEY.": "请重新复制到 OPENAI_API_KEY。",
    "Set OPENAI_BASE_URL to one such as http://127.0.0.1:8080/v1, or leave it out for OpenAI.":
        "请把 OPENAI_BASE_URL 设为像 http://127.0.0.1:8080/v1 这样的地址；用 OpenAI 的话可以不设。",
    "Set MODEL_NAME, give --model NAME, or use --model offline.":
        "请设置 MODEL_NAME，或者给出 --model NAME，或者用 --model offline。",
    "Set OPENAI_API_KEY (any text will do for a local server), and OPENAI_BASE_URL for a service of your own. "
    "--model offline needs none.":
        "请设置 OPENAI_API_KEY（本地服务随便填），自己的服务再设 OPENAI_BASE_URL。--model offline 不需要密钥。",
    "Set both as SCRIPT_EDITOR_API_KEY and SCRIPT_EDITOR_BASE_URL, or both as OPENAI_*.":
        "请两个都用 SCRIPT_EDITOR_API_KEY 和 SCRIPT_EDITOR_BASE_URL，或者都用 OPENAI_*。",
    "The store is empty. Load samples: script-editor seeds load": "脚本库是空的。载入示例：script-editor seeds load",
    "Nothing of it is done yet: plan it again.": "还什么都没有做：请重新计划。",
    "Set SCRIPT_EDITOR_PRICE_IN and SCRIPT_EDITOR_PRICE_OUT, both for a million tokens.":
        "请设置 SCRIPT_EDITOR_PRICE_IN 和 SCRIPT_EDITOR_PRICE_OUT，都是每百万 token 的价格。",
}  # fmt: skip
_OTHER_NAMES = (
    ("SCRIPT_EDITOR_API_KEY", "OPENAI_API_KEY"),
    ("SCRIPT_EDITOR_BASE_URL", "OPENAI_BASE_URL"),
    ("SCRIPT_EDITOR_MODEL", "MODEL_NAME"),
    ("--model", "MODEL_NAME"),
)
"""What a setting may be called, and the name that stands in the hints above."""
_NEAR = Pattern(r"Did you mean (?P<ids>.+?)\? All ids: (?P<command>.+)", re.DOTALL)
_KNOWN = Pattern(r"Known ids: (?P<ids>.+?)\. All of them: (?P<command>.+)", re.DOTALL)
_NAME_IT = Pattern(r"Name its model: (?P<command>.+)")
_SEE = Pattern(r"See them: (?P<command>.+)")
_COMPILED = tuple((Pattern(f"{source}{_SAID}", re.DOTALL), zh) for source, zh in _ROWS)


def failure_zh(sentence: str) -> str:
    """Return the sentence of a failure in Chinese; one that is not known comes back as it is."""
    for pattern, zh in _COMPILED:
        if match := pattern.fullmatch(sentence):
            parts = match.groupdict()
            said = parts.pop("said")
            return f"{zh.format_map(parts)}{f'：{said}' if said else '。'}"
    return sentence


def cause_zh(cause: BaseException) -> str:
    """Return what stopped a run in Chinese, "" where it is told in its own words or nobody knows these."""
    if not isinstance(cause, ScriptEditorError) or cause.language is not None:
        return ""
    said = str(cause)
    told = failure_zh(said)
    return "" if told == said else told


def next_step_zh(hint: str) -> str:
    """Return what to do after a failure in Chinese; what is not known comes back as it is."""
    if match := _NEAR.fullmatch(hint):
        return f"是不是 {match['ids'].replace(' or ', ' 或 ')}？全部编号：{match['command']}"
    if match := _KNOWN.fullmatch(hint):
        return f"已有的编号：{match['ids'].replace(', ', '、')}。全部：{match['command']}"
    if match := _SEE.fullmatch(hint):
        return f"查看：{match['command']}"
    if match := _NAME_IT.fullmatch(hint):
        return f"请指明模型：{match['command']}"
    return _HINTS.get(hint) or _renamed(hint)


def _renamed(hint: str) -> str:
    """Return a hint in which settings have other names than the usual ones, by the one that has these."""
    usual, renamed = hint, {}
    for name, other in _OTHER_NAMES:
        if name in usual:
            usual, renamed[other] = usual.replace(name, other), name
    said = _HINTS.get(usual)
    if said is None:
        return hint
    for other, name in renamed.items():
        said = said.replace(other, name)
    return said
