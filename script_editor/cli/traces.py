"""The log of one run as lines for a person: requests, replies, what they were read as, calls and results, in order."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from script_editor.cli import render
from script_editor.cli.printable import printable

if TYPE_CHECKING:
    from script_editor.app.runlog.traces import Trace

Line = Mapping[str, Any]  # JSON values


def trace_lines(trace: "Trace") -> list[str]:
    """Return the whole log of a run. A message that was shown with an earlier request is not repeated."""
    return [line for entry in trace.lines for line in _entry(entry)]


def _entry(entry: Line) -> Iterator[str]:
    match entry["kind"]:
        case "run":
            yield from _run(entry)
        case "exchange":
            yield from _exchange(entry)
        case "mode":
            yield f"mode: {entry.get('from')} → {entry.get('to')} {entry.get('reason') or ''}".rstrip()
        case "outcome":
            yield from _outcome(entry)
        case "call":
            yield f"call: {entry.get('tool')} {_json(entry.get('arguments'))}"
        case "result":
            yield from _result(entry)
        case "rewriter":
            yield from _rewriter(entry)
        case "end":
            yield from _end(entry)
        case _:
            yield f"{printable(str(entry['kind']))}: {_json(entry)}"


def _run(entry: Line) -> Iterator[str]:
    about = [entry.get("run"), _moment(entry.get("started")), entry.get("mode"), entry.get("model"),
             entry.get("script") or "the whole store"]  # fmt: skip
    yield printable(" · ".join(str(part) for part in about if part))
    yield from _block(str(entry.get("instruction")))
    yield f"    tools: {', '.join(entry.get('tools') or ())}; script-editor {entry.get('program')}"


def _moment(raw: object) -> str:
    try:
        return render.moment(datetime.fromisoformat(str(raw)))
    except ValueError:
        return str(raw)


def _exchange(entry: Line) -> Iterator[str]:
    yield ""
    yield f"request {entry.get('number')} ({_asker(entry)}), {entry.get('seconds')} s"
    messages = entry.get("messages") or []
    repeated = sum(isinstance(sent, int) for sent in messages)
    if repeated:
        yield f"  --> {render.count(repeated, 'message')} as before"
    for sent in messages:
        if isinstance(sent, dict):
            yield f"  --> {printable(str(sent.get('role')))}"
            yield from _message(sent.get("raw") or sent)
    yield from _form(entry.get("form"))
    if "failure" in entry:
        yield "  <-- failed"
        yield from _block(str(entry["failure"].get("message")))
    elif "reply" in entry:
        reply = entry["reply"]
        yield f"  <-- {reply.get('finish_reason')}, {_tokens(reply.get('usage') or {})}"
        yield from _message(reply["message"])


def _form(form: object) -> Iterator[str]:
    """Yield what a request asks of the service besides its messages, where that is not as before."""
    if not isinstance(form, dict):
        return
    if tools := [str(tool.get("name")) for tool in form.get("tools") or ()]:
        yield f"  --> with the tools: {printable(', '.join(tools))}"
    if stop := form.get("stop"):
        yield f"  --> to stop at: {_json(stop)}"
    if form.get("response_format"):
        yield f"  --> in the form: {form['response_format'].get('type')}"


def _asker(entry: Line) -> str:
    who = {"agent": "the agent", "rewriter": "the edit"}.get(str(entry.get("by")), "besides")
    turn = entry.get("turn")
    return f"{who}, turn {turn}" if turn is not None else who


def _message(message: Line) -> Iterator[str]:
    content = message.get("content")
    if content:
        yield from _block(content if isinstance(content, str) else _json(content))
    if message.get("refusal"):
        yield from _block(f"refusal: {message['refusal']}")
    if message.get("reasoning_content"):
        yield from _block(f"reasoning: {message['reasoning_content']}")
    calls = message.get("tool_calls") or ()
    for call in [
        *(calls if isinstance(calls, list) else [calls] if calls else ()),
        message.get("function_call"),
    ]:
        if call:
            yield from _block(_call(call))


def _call(call: object) -> str:
    """Return a call as the service sent it: in its words where it has any, else whatever it is."""
    function = call.get("function", call) if isinstance(call, dict) else call
    if isinstance(function, dict) and "name" in function:
        return f"{function['name']} {function.get('arguments')}"
    return _json(call)


def _outcome(entry: Line) -> Iterator[str]:
    if "malformed" in entry:
        malformed = entry["malformed"]
        yield f"  read as: malformed ({malformed.get('code')})"
        yield from _block(str(malformed.get("message")))
    elif "answer" in entry:
        yield "  read as: the answer" + (", which was questioned" if entry["answer"] is None else "")
        yield from _block(str(entry["answer"] or entry.get("questioned") or ""))
    else:
        for call in entry.get("actions") or ():
            yield f"  read as: {call.get('tool')} {_json(call.get('arguments'))}"


def _result(entry: Line) -> Iterator[str]:
    mark = "not run" if entry.get("skipped") else "ok" if entry.get("ok") else "refused"
    yield f"result: {entry.get('tool')} {mark}, {entry.get('seconds')} s"
    yield from _block(str(entry.get("observation")))


def _rewriter(entry: Line) -> Iterator[str]:
    errors = ", ".join(entry.get("errors") or ())
    about = f"{entry.get('script')} v{entry.get('version')}"
    yield f"  read as: {entry.get('outcome')} for {printable(about)}" + (
        f", not to be saved as it is: {errors}" if errors else ""
    )
    if "text" in entry:
        yield from _block(str(entry["text"]))


def _end(entry: Line) -> Iterator[str]:
    yield ""
    seconds = f", {entry['seconds']} s" if "seconds" in entry else ""
    reason = str(entry.get("stop_reason") or "by an error of the program").replace("_", " ")
    yield f"end: {reason}, {_tokens(entry.get('usage') or {})}{seconds}"
    yield from _block(str(entry.get("error") or entry.get("output") or ""))
    yield from _block(str(entry.get("traceback") or ""))


def _tokens(usage: Line) -> str:
    if not usage.get("known", True):
        return "tokens unknown"
    return f"{usage.get('in', 0):,} + {usage.get('out', 0):,} tokens"


def _block(text: str) -> Iterator[str]:
    """Yield a text that somebody wrote, indented; nothing in it steers a terminal."""
    for line in text.rstrip("\n").split("\n") if text.strip() else ():
        shown = printable(line.removesuffix("\r"))
        yield f"    {shown}"


def _json(value: object) -> str:
    try:
        return printable(json.dumps(value, ensure_ascii=False, default=str))
    except RecursionError:  # it was just shallow enough to be read
        return "…"
