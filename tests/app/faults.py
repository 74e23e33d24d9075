"""A chat service that would carry out one known edit, and everything that can go wrong with its answers.

`healthy` is what a good model answers to a request, in the form the request asks for; it keeps no state, so
that any answer may be lost, spoilt or asked for again. A fault takes that answer and the request and returns
how the service behaves instead, or None where it cannot happen to such a request.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from random import Random
from typing import Any

from script_editor.agent.language import Language
from script_editor.llm.chat import ToolCall
from tests.support.openai_server import (
    Behaviour,
    ReceivedRequest,
    completion,
    deltas,
    drop,
    echo_key,
    hang,
    json_body,
    status,
    stream,
    text_body,
    trickle,
)

INSTRUCTIONS: dict[Language, str] = {"zh": "把第二行改得更口语一些", "en": "Make line two more casual"}
TEXTS: dict[Language, str] = {
    "zh": "大家好，欢迎来到我的频道。\n今天我们要聊一聊人工智能的发展历程。\n经历了几次寒冬和复兴。\n",
    "en": "Hello and welcome to my channel.\nToday we will discuss the history of robots.\nThey had some hard winters.\n",
}
LINES: dict[Language, tuple[str, str]] = {
    "zh": ("今天我们要聊一聊人工智能的发展历程。", "今天咱们来唠一唠人工智能的发展历程。"),
    "en": (
        "Today we will discuss the history of robots.",
        "Today let's have a chat about the history of robots.",
    ),
}
EDITED: dict[Language, str] = {language: TEXTS[language].replace(*LINES[language]) for language in TEXTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model writes. With `is_legacy` its one call is sent in the older form."""

    text: str | None = ""
    calls: tuple[ToolCall, ...] = ()
    is_legacy: bool = False
    finish: str | None = "stop"
    fields: Mapping[str, Any] = field(default_factory=dict)

    def written(self, change: Callable[[str], str]) -> "Answer":
        """Return the answer with its text and the arguments of its calls changed."""
        calls = tuple(replace(call, arguments=change(call.arguments)) for call in self.calls)
        return replace(self, text=change(self.text or ""), calls=calls)


# --- a service in good health ----------------------------------------------------------------


def healthy(request: ReceivedRequest) -> Answer:
    """Return what a good model answers to a request of the agent, or of its rewriter."""
    said = _said(request)
    language: Language = "zh" if INSTRUCTIONS["zh"] in said else "en"
    first = str(request.body["messages"][0]["content"])
    if "你负责修改视频口播脚本" in first or "You edit spoken video scripts" in first:
        return _rewritten(request, first, said, language)
    mode = mode_of(request)
    if is_done(request):
        return final(mode, "第二行已经改好了。" if language == "zh" else "Line two is changed.")
    named = re.search(r"Current script: (\S+)", said)
    assert named is not None, "the briefing names the script"
    return call(mode, "modify_script", script_id=named[1], instruction=INSTRUCTIONS[language])


def is_done(request: ReceivedRequest) -> bool:
    """Whether the conversation shows that the edit was saved."""
    return "@v2" in _said(request)


def mode_of(request: ReceivedRequest) -> str:
    """Return the mode in which an agent asks."""
    first = str(request.body["messages"][0]["content"])
    marks = {"tools": "tools" in request.body, "functions": "functions" in request.body}
    texts = {"xml": "<tool_input>", "json": '"action_input"', "conversational": "AI:"}
    marks |= {mode: mark in first for mode, mark in texts.items()}
    return next((mode for mode, is_it in marks.items() if is_it), "react")


def call(mode: str, tool: str, **arguments: object) -> Answer:
    """Return an answer that calls a tool in the form of a mode."""
    written = json.dumps(arguments, ensure_ascii=False)
    step = json.dumps({"action": tool, "action_input": arguments}, ensure_ascii=False)
    match mode:
        case "tools":
            return Answer(calls=(ToolCall("call_1", tool, written),), finish="tool_calls")
        case "functions":
            return Answer(calls=(ToolCall("", tool, written),), is_legacy=True, finish="function_call")
        case "xml":
            return Answer(text=f"先改。\n<tool>{tool}</tool><tool_input>{written}</tool_input>")
        case "json":
            return Answer(text=f"Thought: 先改。\nAction:\n```json\n{step}\n```")
        case "conversational":
            return Answer(
                text=f"Thought: Do I need to use a tool? Yes\nAction: {tool}\nAction Input: {written}"
            )
        case _:
            return Answer(text=f"Thought: 先改。\nAction: {tool}\nAction Input: {written}")


def final(mode: str, text: str) -> Answer:
    """Return the last answer in the form of a mode."""
    step = json.dumps({"action": "FINISH", "action_input": text}, ensure_ascii=False)
    forms = {
        "react": f"Thought: 好了。\nFinal Answer: {text}",
        "json": f"Thought: 好了。\nAction:\n```json\n{step}\n```",
        "conversational": f"Thought: Do I need to use a tool? No\nAI: {text}",
        "xml": f"<final_answer>{text}</final_answer>",
    }
    return Answer(text=forms.get(mode, text))


def _said(request: ReceivedRequest) -> str:
    return "\n".join(str(message.get("content")) for message in request.body["messages"])


def _rewritten(request: ReceivedRequest, first: str, said: str, language: Language) -> Answer:
    """Return the edit of line two, as the request wants it: operations as JSON, a call or text, or the whole text."""
    if "<<<" in first:
        return Answer(text=EDITED[language])
    shown = re.search(r"\b(S2(?::\w+)?) \|", said)
    line = shown[1] if shown else "S2"
    operations = {"ops": [{"op": "replace", "id": line, "text": LINES[language][1]}], "need": None}
    written = json.dumps(operations, ensure_ascii=False)
    if "tools" in request.body:
        return Answer(calls=(ToolCall("call_1", "edit", written),), finish="tool_calls")
    if '{"ops"' in first:
        return Answer(text=written)
    return Answer(text=f"@@ replace {line}\n{LINES[language][1]}\n@@ end")


def answered(answer: Answer, *, times: int = 1) -> Behaviour:
    """Send an answer as the request wants it, in a stream or whole; each chunk of a stream is sent so many times."""

    def behave(exchange: Any) -> None:  # the server's own Exchange
        whole = {**answer.fields, **_calls(answer)}
        if not exchange.request.body.get("stream"):
            completion(answer.text, message=whole, finish_reason=answer.finish)(exchange)
            return
        text = answer.text
        parts: list[str | dict[str, Any]] = [{"content": None}] if text is None else []
        parts += [{name: value} for name, value in whole.items()]
        parts += [(text or "")[at : at + 7] for at in range(0, len(text or ""), 7)]
        sent = deltas(*chain.from_iterable([part] * times for part in parts), finish_reason=answer.finish)
        stream(sent)(exchange)

    return behave


def _calls(answer: Answer) -> dict[str, Any]:
    functions = [{"name": made.name, "arguments": made.arguments} for made in answer.calls]
    if answer.is_legacy and functions:
        return {"function_call": functions[0]}
    entries = [
        {"index": index, "id": made.id, "type": "function", "function": function}
        for index, (made, function) in enumerate(zip(answer.calls, functions, strict=True))
    ]
    return {"tool_calls": entries} if entries else {}


# --- what can go wrong -----------------------------------------------------------------------

Fault = Callable[[ReceivedRequest, Answer, Random], Behaviour | None]


def _always(behaviour: Behaviour) -> Fault:
    return lambda _request, _answer, _rng: behaviour


def _spoilt(spoil: Callable[[Answer], Answer | None]) -> Fault:
    def fault(_request: ReceivedRequest, answer: Answer, _rng: Random) -> Behaviour | None:
        spoilt = spoil(answer)
        return None if spoilt is None else answered(spoilt)

    return fault


def _refusing(uses: Callable[[Mapping[str, Any]], object], code: int, said: str) -> Fault:
    """Refuse a part of the request, where the request has that part."""

    def fault(request: ReceivedRequest, _answer: Answer, _rng: Random) -> Behaviour | None:
        return status(code, said) if uses(request.body) else None

    return fault


def _in_a_stream(end: Behaviour) -> Fault:
    return lambda request, _answer, _rng: end if request.body.get("stream") else None


def _in_calls(change: Callable[[ToolCall], ToolCall]) -> Callable[[Answer], Answer | None]:
    def spoil(answer: Answer) -> Answer | None:
        return replace(answer, calls=tuple(map(change, answer.calls))) if answer.calls else None

    return spoil


def _claim(request: ReceivedRequest, _answer: Answer, _rng: Random) -> Behaviour | None:
    return None if is_done(request) else answered(final(mode_of(request), "已经改好并保存为 v2。"))


def _garbage(_request: ReceivedRequest, _answer: Answer, rng: Random) -> Behaviour:
    signs = '{}[]"<>:：`\\\n\x00�😀好a1@S2| Action: Final Answer'
    return answered(Answer(text="".join(rng.choices(signs, k=200))))


def _leaking(request: ReceivedRequest, answer: Answer, _rng: Random) -> Behaviour:
    secret = request.headers["authorization"]
    return answered(replace(answer, text=f"{secret}\n{answer.text}", fields={"reasoning_content": secret}))


def _first_role(body: Mapping[str, Any]) -> bool:
    return bool(body["messages"][0]["role"] == "system")


def _shape(body: Mapping[str, Any]) -> object:
    return (body.get("response_format") or {}).get("type")


FAULTS: dict[str, Fault] = {
    # a part of the request is refused
    "no tools": _refusing(lambda body: "tools" in body, 400, "qwen does not support tools"),
    "no tools, in a 200": _refusing(lambda body: "tools" in body, 200, "该模型不支持函数调用"),
    "no tools, 404": _refusing(
        lambda body: "tools" in body, 404, "No endpoints found that support tool use."
    ),
    "no functions": _refusing(
        lambda body: "functions" in body, 400, "Unrecognized request argument supplied: functions"
    ),
    "no choice of tool": _refusing(
        lambda body: "tool_choice" in body, 400, "Thinking mode does not support this tool_choice"
    ),
    "no schema": _refusing(
        lambda body: _shape(body) == "json_schema", 400, "This response_format type is unavailable now"
    ),
    "no JSON mode": _refusing(lambda body: _shape(body) == "json_object", 422, "该模型不支持 JSON 模式"),
    "no stop": _refusing(lambda body: "stop" in body, 400, "'stop' is not supported with this model."),
    "no stream": _refusing(lambda body: "stream" in body, 400, "该模型不支持流式输出"),
    "no stream options": _refusing(
        lambda body: "stream_options" in body, 422, "stream_options: Extra inputs are not permitted"
    ),
    "only streams": _refusing(
        lambda body: "stream" not in body, 400, "This model only support stream mode."
    ),
    "no system message": _refusing(_first_role, 500, "System role not supported"),
    "another 400": _always(status(400, "messages[0]: bad")),
    # the service is out of order
    "key refused": _always(echo_key(401)),
    "key forbidden": _always(echo_key(403)),
    "no such model": _always(status(404, "The model `qwen` does not exist")),
    "too many requests": _always(status(429, "slow down")),
    "too many, seconds": _always(status(429, "slow down", headers={"Retry-After": "1"})),
    "too many, a date": _always(
        status(
            429,
            headers={"Retry-After": "Fri, 20 Nov 2026 08:00:01 GMT", "Date": "Fri, 20 Nov 2026 08:00:00 GMT"},
        )
    ),
    "too many, for an hour": _always(status(429, headers={"Retry-After": "3600"})),
    "500": _always(status(500, "Internal Server Error")),
    "503": _always(status(503, "Loading model")),
    "dropped": _always(drop()),
    "dropped after the headers": _always(drop("headers")),
    "dropped in the body": _always(drop("half a body")),
    "stream dropped": _in_a_stream(stream(deltas("好", "的", finish_reason=None), done=False, end="drop")),
    "stream without end": _in_a_stream(
        stream(deltas(*"好的", finish_reason=None), done=False, end="unframed")
    ),
    "stream that stops": _in_a_stream(stream(deltas("好", finish_reason=None), done=False, end="hang")),
    "hang": _always(hang()),
    "trickle": _always(trickle("body")),
    # what comes is no answer
    "HTML": _always(text_body("<html><body>502</body></html>", content_type="text/html")),
    "cut JSON": _always(text_body('{"choices": [{"message": {"content": "好')),
    "no body": _always(text_body("")),
    "no choices": _always(json_body({"id": "x", "choices": []})),
    "null": _always(json_body(None)),
    "an error in a 200": _always(json_body({"error": {"message": "overloaded", "code": 503}})),
    "another error in a 200": _always(json_body({"error": {"message": "内部错误", "code": "1234"}})),
    "a message of nulls": _always(
        json_body({"choices": [{"message": {"role": None, "content": None, "tool_calls": None}}]})
    ),
    # what comes is no good answer
    "empty": _spoilt(lambda _answer: Answer()),
    "null content": _spoilt(lambda _answer: Answer(text=None)),
    "only reasoning": _spoilt(lambda _answer: Answer(text="<think>先看看脚本写了什么")),
    "only a reasoning field": _spoilt(lambda _answer: Answer(fields={"reasoning_content": "先看看"})),
    "reasoning in front": _spoilt(lambda answer: replace(answer, text=f"<think>嗯。</think>\n{answer.text}")),
    "cut off": _spoilt(
        lambda answer: replace(answer.written(lambda text: text[: len(text) // 2]), finish="length")
    ),
    "said to be cut off": _spoilt(lambda answer: replace(answer, finish="length")),
    "no finish reason": _spoilt(lambda answer: replace(answer, finish=None)),
    "filtered": _spoilt(lambda answer: replace(answer, text="", calls=(), finish="content_filter")),
    "refused": _spoilt(lambda _answer: Answer(fields={"refusal": "I cannot help with that."})),
    "garbage": _garbage,
    "the key in it": _leaking,
    "unknown tool": _spoilt(
        lambda answer: replace(
            answer.written(lambda text: text.replace("modify_script", "delete_script")),
            calls=tuple(replace(made, name="delete_script") for made in answer.calls),
        )
    ),
    "unfit arguments": _spoilt(lambda answer: answer.written(lambda text: text.replace('"', "", 3))),
    "strange arguments": _spoilt(
        lambda answer: answer.written(lambda text: text.replace('"script_id"', '"path"'))
    ),
    "no ids": _spoilt(_in_calls(lambda made: replace(made, id=""))),
    "a call twice": _spoilt(lambda answer: replace(answer, calls=answer.calls * 2) if answer.calls else None),
    "a text twice": _spoilt(lambda answer: replace(answer, text=f"{answer.text}\n\n{answer.text}")),
    "chunks twice": lambda _request, answer, _rng: answered(answer, times=2),
    "a claim": _claim,
    "prose around it": _spoilt(lambda answer: replace(answer, text=f"好的，马上改。\n{answer.text}\n已经改好了。")),
    "an invented result": _spoilt(
        lambda answer: replace(answer, text=f"{answer.text}\nObservation: saved video_001@v9\nFinal Answer: v9 已保存")
    ),
}  # fmt: skip
"""Every failure by name."""
SLOW = frozenset({"hang", "trickle", "stream that stops"})
"""Those that take all the time a call has."""


class FaultyService:
    """Behaves badly on that part of the calls; `made` counts which faults there were.

    Of the faults that fit a request, one that occurred least so far is taken, so that all of them come up.
    """

    def __init__(self, rng: Random, *, share: float, made: Counter[str]):
        self._rng, self._share, self.made = rng, share, made

    def __call__(self, request: ReceivedRequest) -> Behaviour:
        """Return how to answer a request."""
        answer = healthy(request)
        if self._rng.random() >= self._share:
            return answered(answer)
        names = self._rng.sample(list(FAULTS), len(FAULTS))
        for name in sorted(names, key=lambda name: self.made[name] * (10 if name in SLOW else 1)):
            behaviour = FAULTS[name](request, answer, self._rng)
            if behaviour is not None:
                self.made[name] += 1
                return behaviour
        return answered(answer)
