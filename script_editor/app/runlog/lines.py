"""What happened in a run as JSON values, one for each line of its log.

A line has a `kind`: run, exchange, mode, outcome, call, result, rewriter, end. What was sent before is not written
again: a message, or the tools and the form of a request, is written in full the first time, with its number
`n`, and is that number from then on.
"""

import json
import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from script_editor import __version__
from script_editor.agent.events import ModeChanged
from script_editor.agent.steps import AgentAction, AgentStep, Malformed, RunResult
from script_editor.app.journal import RewriterReply
from script_editor.app.reply_reading import digest
from script_editor.app.runlog.form import FORMAT, Line
from script_editor.domain.script import RunRecord
from script_editor.llm.chat import Message, Reply, ToolSpec, Usage
from script_editor.llm.exchange import Exchange

_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Numbered:
    """Numbers values from 0 in the order they come; one that came before is its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def reference(self, value: Line) -> Line | int:
        """Return `value` with its number when it is new, else the number alone."""
        spelled = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
        if spelled in self._numbers:
            return self._numbers[spelled]
        self._numbers[spelled] = len(self._numbers)
        return {"n": self._numbers[spelled], **value}


def run_line(run: RunRecord, tool_names: Sequence[str]) -> Line:
    """Return the first line of a log."""
    return {
        "kind": "run",
        "format": FORMAT,
        "run": run.id,
        "mode": run.mode,
        "model": run.model,
        "instruction": run.input,
        "script": run.script_id,
        "chat": run.chat_id,
        "tools": list(tool_names),
        "program": __version__,
        "started": run.started_at.isoformat(),
    }


def exchange_line(exchange: Exchange, *, messages: Numbered, forms: Numbered) -> Line:
    """Return a request with its reply or its failure."""
    line: Line = {
        "kind": "exchange",
        "messages": [messages.reference(_message(message)) for message in exchange.messages],
        "seconds": round(exchange.seconds, 3),
    }
    if exchange.tools or exchange.stop or exchange.response_format:
        line["form"] = forms.reference(_form(exchange))
    if exchange.reply is not None:
        line["reply"] = _reply(exchange.reply)
    if exchange.failure is not None:
        line["failure"] = {"type": type(exchange.failure).__name__, "message": str(exchange.failure)}
    return line


def _form(exchange: Exchange) -> Line:
    return {
        "tools": [_tool(tool) for tool in exchange.tools],
        "stop": list(exchange.stop),
        "response_format": exchange.response_format,
    }


def _tool(tool: ToolSpec) -> Line:
    marks = {"forced": tool.is_forced, "legacy": tool.is_legacy}
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        **{name: True for name, is_set in marks.items() if is_set},
    }


def _message(message: Message) -> Line:
    """Return a message as it is sent: as the service wrote it where that is known."""
    if message.raw is not None:
        return {"role": message.role, "raw": message.raw}
    calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in message.tool_calls]
    more = {"tool_calls": calls, "tool_call_id": message.tool_call_id, "name": message.name}
    return {
        "role": message.role,
        "content": message.content,
        **{name: value for name, value in more.items() if value},
    }


def _reply(reply: Reply) -> Line:
    return {
        "message": reply.assistant_message(),
        "finish_reason": reply.finish_reason,
        "model": reply.model,
        "usage": usage_value(reply.usage),
    }


def usage_value(usage: Usage) -> Line:
    """Return tokens; `known` is False when the service reported none for some call."""
    return {"in": usage.prompt_tokens, "out": usage.completion_tokens, "known": usage.known}


def calls_outcome(actions: Sequence[AgentAction]) -> Line:
    """Return that a reply asked for these calls."""
    calls = [{"tool": action.tool, "arguments": action.arguments} for action in actions]
    return {"kind": "outcome", "actions": calls}


def answer_outcome(output: str) -> Line:
    """Return that a reply was the answer."""
    return {"kind": "outcome", "answer": output}


def questioned_outcome(objection: Malformed) -> Line:
    """Return that a reply was an answer which was not accepted, and why; its words are in the reply."""
    return {"kind": "outcome", "answer": None, "questioned": objection.message}


def malformed_outcome(malformed: Malformed) -> Line:
    """Return that a reply could not be read, and what the model was told."""
    return {
        "kind": "outcome",
        "malformed": {"code": malformed.code, "message": malformed.message, "hint": malformed.hint},
    }


def mode_line(changed: ModeChanged) -> Line:
    """Return that the model is talked to in another mode from here on."""
    return {"kind": "mode", "from": changed.from_mode, "to": changed.to_mode, "reason": changed.reason}


def call_line(action: AgentAction) -> Line:
    """Return that a tool begins."""
    return {
        "kind": "call",
        "turn": action.turn,
        "id": action.call_id,
        "tool": action.tool,
        "arguments": action.arguments,
    }


def result_line(step: AgentStep) -> Line:
    """Return what a tool told."""
    return {
        "kind": "result",
        "id": step.action.call_id,
        "tool": step.action.tool,
        "ok": step.ok,
        "observation": step.observation,
        "seconds": round(step.seconds, 3),
    }


def rewriter_line(told: RewriterReply, *, exchange_of: Callable[[str], int | None]) -> Line:
    """Return a reply to an editing request and what it was read against.

    `exchange_of` names the exchange whose reply has this text, None when none has.
    """
    asked, number = told.asked, exchange_of(told.text)
    return {
        "kind": "rewriter",
        **({"exchange": number} if number is not None else {"text": told.text}),
        "finish_reason": told.finish_reason,
        "refusal": told.refusal,
        "script": asked.script.script_id,
        "version": asked.script.version,
        "text_digest": digest(asked.script.text),
        "instruction": asked.instruction,
        "syntax": asked.syntax,
        "scope": asked.scope,
        "targets": list(asked.constraints.targets),
        "locks": [
            {"kind": lock.kind, "text": lock.text, "occurrences": lock.occurrences}
            for lock in asked.constraints.locks
        ],
        "is_excerpt": asked.is_excerpt,
        "is_bounded": asked.is_bounded,
        "outcome": told.reading.outcome,
        "errors": list(told.reading.errors),
        "result": told.reading.result,
    }


def end_line(result: RunResult | None, usage: Usage, bug: BaseException | None = None) -> Line:
    """Return how a run ended, with the traceback of a bug that ended it: without, nobody could mend it."""
    line: Line = {"kind": "end", "stop_reason": None, "usage": usage_value(usage)}
    if bug is not None:
        line["traceback"] = "".join(traceback.format_exception(bug))
    if result is None:
        return line
    error = None if result.error is None else str(result.error)
    return {
        **line,
        "stop_reason": result.stop_reason,
        "output": result.output,
        "error": error,
        "seconds": round(result.seconds, 3),
    }


def encoded(line: Mapping[str, Any], at: datetime) -> str:
    """Return a line of the file, with the moment it tells of and without its end.

    What UTF-8 cannot hold, such as half of a surrogate pair in a model's words, is escaped.
    """
    stamped = {"kind": line["kind"], "at": at.isoformat(timespec="milliseconds"), **line}
    text = json.dumps(stamped, ensure_ascii=False, default=str)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
