"""The words in which services refuse a part of a request: patterns only, collected from many services.

`FIELDS` are names of fields, `NAMES` whatever a thing is called, `REFUSALS` whole sentences that name a thing
and say no. Every pattern is linear: a complaint may be anything.
"""

import re

from script_editor.llm.capabilities import Feature
from script_editor.patterns import Pattern

_IGNORE = re.IGNORECASE
FIELDS: dict[Feature, Pattern] = {
    "tool_choice": Pattern(r"tool_?choice", _IGNORE),
    "json_schema": Pattern(r"response_?format|json_schema", _IGNORE),
    "json_object": Pattern(r"response_?format|json_object", _IGNORE),
}
"""The names of fields; no word of ordinary speech is among them."""
_SHAPED_OUTPUT = (
    r"response[_ -]?(format|schema|mime)|structured[_ -]?(output|decoding)|json[_ -]?(mode|output|format|validat)"
    r"|guided[_ ](json|decoding)|\bgrammar|结构化|結構化|JSON\s*(模式|格式|输出|輸出)|(响应|返回|输出|回應|輸出)格式"
)
_TOOLS = Pattern(
    r"\btools\b|\btool[ _-](use|usage|calls?|calling|choice)\b|\bfunction[ -]call(s|ing)?\b"
    r"|\bfunctions\b|(工具|函数|函數|方法|\btool ?)的?(调用|使用|呼叫|功能)|不支[持援][^。，\n]{0,8}(工具|函数|函數)",
    _IGNORE,
)
NAMES: dict[Feature, Pattern] = {
    "stream_options": Pattern(r"stream_options|include_usage", _IGNORE),
    "max_tokens": Pattern(r"max_completion_tokens", _IGNORE),
    "strict": Pattern(r"\bstrict\b", _IGNORE),
    "tool_choice": Pattern(r"tool[ -]choice|指定(的)?(工具|函数)|强制(调用|使用)", _IGNORE),
    "tools": _TOOLS,
    "functions": _TOOLS,
    "json_schema": Pattern(rf"{_SHAPED_OUTPUT}|json[_ -]?schema|\bschema\b", _IGNORE),
    "json_object": Pattern(rf"{_SHAPED_OUTPUT}|json[_ -]?object", _IGNORE),
}
_REFUSES = (
    r"\bnot\b[^.\n]{0,24}?\b(support|allow|permit|accept|implement|enable|recogni[sz]e)|n't support|unsupport"
    r"|unavailable now|extra (input|field|_)|extra_forbidden|incompatible|disabled|\brequires?\b|should be"
    r"|only supports?|no endpoints? found|failed to (parse|initialize|compile|convert)"
    r"|不(被)?支[持援]|不允[许許]|未(开启|启用|開啟|啟用)|没有(开启|启用)|(只|仅|僅)支[持援]|暂不|暫不"
)
_COMPLAINS = (
    r"not (available|valid|expected)|unknown|unrecogni[sz]ed|unexpected|forbidden|invalid|unavailable|must be"
    r"|expected|cannot|can't|unable to|不可用|不能|[无無][法效]|未知|非法|不合法|有误|有誤|错误|錯誤"
)
SAYS_NO = Pattern(f"{_REFUSES}|{_COMPLAINS}", _IGNORE)
SAYS_NO_FOR_GOOD = Pattern(_REFUSES, _IGNORE)
"""Words in which a service that is out of order does not speak of itself."""
ELSEWHERE = Pattern(
    r"\bmessages?\b['\"]?\s*[\[.,]|\brole\b|\bcontent\b['\"]? (must|of|is)"
    r"|\btool[ _](call[ _]ids?|results?|messages?)\b|\bfunction (call|response) (turn|part)"
    r"|\b(temperature|top_p|stop|seed|images?|audio|video)\b",
    _IGNORE,
)
"""Words of a complaint about the conversation or another setting."""
THIS_TIME = Pattern(
    r"failed_generation|json_validate_failed|tool_use_failed|output_parse_failed"
    r"|failed to (generate|validate|call)|did not call|生成失败",
    _IGNORE,
)
"""The service tried, and what its model wrote did not have the shape."""
VAGUE = Pattern(
    r"\b(this|the|some|certain|requested|one or more)\b[^.\n]{0,16}"
    r"\b(features?|parameters?|options?|modes?|functionality|capabilit(y|ies)|fields?|arguments?)\b"
    r"[^.\n]{0,24}?\b(not|un|in)[ -]?(support|available|allow|valid|implement)"
    r"|(not|n't) support (this|that|the|some|certain|all)( \w+)? (feature|parameter|option|mode|field)"
    r"|\b(unsupported|unknown|invalid|unrecogni[sz]ed) (request )?(parameter|feature|option|field|argument)s?\s*[.!]?\s*$"
    r"|(参数|參數|功能|特性|选项|字段)[^。，\n]{0,6}(不支[持援]|有误|有誤|错误|錯誤|非法|无效|無效)"
    r"|不支[持援](该|此|这个|的|該|這個)?(参数|參數|功能|特性|选项|请求)",
    _IGNORE,
)


def _any(*phrases: str) -> Pattern:
    return Pattern("|".join(phrases), _IGNORE)


_NO = (
    r"(\bnot\b|n't|\bun(support|recogni[sz]|know|expect|avail)|\bdisallow|\bforbid|\bdisabled|\bextra\b|\binvalid\b"
    r"|\bdeprecated|\bonly\b|不|未|无[效法]|非法|禁止|[仅只]支持)"
)
_NEAR = r"[^.。\n]{0,60}?"
_STOP = (
    r"(['\"`“‘]stop['\"`”’]|\bstop[ _]?(sequences?|words?|strings?|tokens?)\b|\bstop\s?(parameter|argument|field|参数|字段)"
    r"|(parameter|argument|field|name|model|参数|字段)(s|\(s\))?( supplied| provided)?\s?[:：]?\s?stop\b"
    r"|\bstop\b(?= is not|: )|停止(词|符|序列|标记))"
)
_SYSTEM = (
    r"(\b(system|developer)['\"`]? (role|messages?|prompts?|instructions?)\b|系统(消息|角色|提示|指令|人设))"
)
_ROLE = r"(\brole\b|\.role\b|角色)"
_STREAM = r"(?<!-)\bstream(ing)?\b(?!_)"
_SEVERAL_CALLS = (
    r"((parallel|multiple|more than one|several) (tool|function)[ _-]?calls?"
    r"|(并行|并发|多个|同时调用多个)(的)?(工具|函数))"
)

REFUSALS: dict[Feature, Pattern] = {
    "stop": _any(f"{_STOP}{_NEAR}{_NO}", f"{_NO}{_NEAR}{_STOP}", r"不支[持援]\s?stop\b"),
    "temperature": _any(
        rf"\btemperature\b{_NEAR}{_NO}",
        rf"{_NO}{_NEAR}\btemperature\b",
        f"不支[持援]{_NEAR}温度",
        f"温度{_NEAR}不支[持援]",
    ),
    "stream": _any(
        rf"{_STREAM}{_NEAR}\bnot (yet )?(support|allow|available|implement|permit|enabl)",
        rf"{_STREAM}{_NEAR}(n't support|\bun(support|avail)|\bdisabled)",
        rf"(\bnot|n't|\bun)\s?(yet )?(support|allow|implement)\w*{_NEAR}{_STREAM}",
        r"verified to stream",
        r"only supports? non-?stream",
        r"\bstream['\"`]? must be (set to )?false",
        rf"(不支[持援]|不允许)[^。\n]{{0,8}}((?<!非)流式|{_STREAM})",
        rf"((?<!非)流式|{_STREAM})[^。\n]{{0,12}}不(支[持援]|允许|可用)",
        r"[仅只]支持非流式",
    ),
    "whole": _any(
        r"only supports? (the )?stream",
        r"only (available|supported) (in|with|for|when) stream",
        r"stream['\"`]? must be (set to )?true",
        r"\bstream(ing)? is required",
        rf"non-?stream\w*{_NEAR}(\bnot\b|n't|\bunsupport)",
        rf"(\bnot\b|n't|must be){_NEAR}non-?stream",
        r"[仅只]支持\s?(流式|stream)",
        r"请(使用|开启|设置)[^。\n]{0,6}(流式|stream)",
        r"(不支[持援]|不允许)[^。\n]{0,4}非(流式|\s?stream)",
        r"非流式[^。\n]{0,12}不(支[持援]|允许)",
    ),
    "system": _any(
        f"{_SYSTEM}{_NEAR}(\\bnot\\b|n't|\\bun(support|avail|know)|\\bdisabled|不支[持援]|不允许|无效|非法|不合法)",
        rf"(\bnot\b|n't|\bun)\s?(support|allow|accept|permit|recogni[sz]|enabl)\w*{_NEAR}({_SYSTEM}|['\"`]system['\"`])",
        rf"\b(invalid|unknown|unsupported|unexpected)[^.。\n]{{0,20}}{_ROLE}{_NEAR}\bsystem\b",
        rf"{_ROLE}{_NEAR}\bsystem\b['\"`]?\s?(is )?(not|invalid|unsupport|不|无效|非法)",
        rf"{_ROLE}{_NEAR}(\bnot (yet )?(support|valid|allow|accept)\w*|\bunsupported){_NEAR}\bsystem\b",
        rf"不支[持援]{_NEAR}{_ROLE}{_NEAR}\bsystem\b",
        rf"{_ROLE} is ['\"`]system['\"`], not",
        r"messages?[.\[]0\]?\.role['\"`]?[^\n]{0,40}?(should be|must be|expected|allowed)(?![^\n]*\bsystem\b)",
        rf"(\bfirst message|messages?\[0\]){_NEAR}(must|should) be[^.。\n]{{0,12}}\buser\b",
        rf"不支[持援][^。\n]{{0,8}}(\bsystem\b|{_SYSTEM})",
        r"\bsystem\b[^。，\n]{0,8}(消息|角色)?[^。，\n]{0,4}(不支[持援]|不允许|无效|非法|不合法)",
    ),
    "repeated_roles": _any(
        r"\broles? (must|should|need to) alternate",
        r"must alternate between",
        r"alternat(e|ing) (user|roles)",
        r"(consecutive|successive)[^.。\n]{0,30}\b(messages?|roles?|turns?)\b",
        r"same role[^.。\n]{0,20}(in a row|consecutive)",
        r"(角色|消息|user|assistant|对话)[^。\n]{0,30}(交替|连续)",
        r"(交替|连续)[^。\n]{0,12}(角色|消息|user|assistant)",
    ),
    "parallel_calls": _any(
        r"only supports? (a )?(single|one) (tool|function)[ -]?calls?",
        r"(one|single) (tool|function)[ _-]?call (per|at a time|at once|is (supported|allowed))",
        f"{_SEVERAL_CALLS}{_NEAR}(\\bnot\\b|n't|\\bunsupport|不支[持援])",
        rf"(\bnot\b|n't|\bun)\s?(support|allow)\w*{_NEAR}{_SEVERAL_CALLS}",
        f"不支[持援]{_NEAR}{_SEVERAL_CALLS}",
        r"[仅只]支持(单个|一个|单次)(工具|函数)",
    ),
}
"""What is refused of these must stand near the no: their names are words of ordinary speech."""
OF_A_VALUE = _any(
    r"\bbetween\b|\brange\b|(less|greater|more|larger|smaller) than|[<>]|\bat (most|least)\b",
    r"之间|范围|小于|大于|不超过|介于",
)
"""A complaint about how much was asked for, not about the asking."""
MISSES = _any(
    r"\bmissing\b|\brequired?\b|must be (passed|provided|included|present|returned)|\bis empty\b",
    r"缺少|必须|需要|(回传|传回|保留)",
)
"""A complaint about something that is not there; leaving more out does not help."""
