"""Old replies of models read again by the parsers of today: what comes out differently is reported.

Nothing is run, asked or saved. A reply is read with the tools that its run had, as they are today, and an editing
reply against the version that it was about, which is taken from the store.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from script_editor.agent.modes import MODES, read_reply
from script_editor.agent.steps import Actions, AgentFinish, Outcome
from script_editor.agent.tools import AnyTool, Toolbox
from script_editor.app.reply_reading import Asked, Reading, digest, reading
from script_editor.app.runlog.form import Line
from script_editor.app.runlog.traces import Trace
from script_editor.domain.locks import Lock
from script_editor.domain.operations import Constraints, Scope
from script_editor.domain.replies import Syntax
from script_editor.domain.segments import NumberedScript
from script_editor.errors import NotFound, ScriptEditorError, SetupError, StoreDamaged

TextOf = Callable[[str, int], str]
"""Returns the text of a version; raises NotFound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A reply that is read differently today. `step` is the number of the exchange, None when it is not known."""

    run_id: str
    step: int | None
    what: str
    was: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A reply that could not be read again, and why."""

    run_id: str
    step: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What reading again came to; `replies` is how many were read."""

    runs: int
    replies: int
    differences: tuple[Difference, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class _Left(Exception):
    """Carries why a reply cannot be read again."""


@dataclass(frozen=True, slots=True)
class _Compared:
    was: str
    now: str
    is_same: bool


def replay(traces: Sequence[Trace], *, tools: Sequence[AnyTool], text_of: TextOf) -> Replayed:
    """Read every reply of these runs again and return what differs from what was recorded.

    Of `tools`, those are used that a run had; they are never called.
    """
    differences: list[Difference] = []
    skipped: list[Skipped] = []
    replies = 0
    for trace in traces:
        for step, what, compare in _replies(trace, tools, text_of):
            try:
                compared = compare()
            except Exception as error:  # a file may hold anything: one reply stops none of the others
                if isinstance(error, SetupError) and not isinstance(error, StoreDamaged):
                    raise  # there is no store to look into
                skipped.append(Skipped(run_id=trace.run_id, step=step, reason=_why(error)))
                continue
            replies += 1
            if not compared.is_same:
                differences.append(
                    Difference(run_id=trace.run_id, step=step, what=what, was=compared.was, now=compared.now)
                )
    return Replayed(runs=len(traces), replies=replies, differences=tuple(differences), skipped=tuple(skipped))


def _why(error: Exception) -> str:
    if isinstance(error, _Left | ScriptEditorError):
        return str(error).removesuffix(".")
    return f"reading it failed ({type(error).__name__})"


_Reply = tuple[int | None, str, Callable[[], _Compared]]


def _replies(trace: Trace, tools: Sequence[AnyTool], text_of: TextOf) -> Iterator[_Reply]:
    had = trace.run.get("tools") or []
    toolbox = Toolbox([tool for tool in tools if tool.name in had])
    for line in trace.lines:
        match line["kind"]:
            case "outcome":
                yield line.get("number"), "decision", _decision(trace, line, toolbox)
            case "rewriter":
                yield line.get("exchange"), "edit", _edit(trace, line, text_of)
            case _:
                pass


# --- what the agent decided ------------------------------------------------------------------


def _decision(trace: Trace, line: Line, toolbox: Toolbox) -> Callable[[], _Compared]:
    def compare() -> _Compared:
        exchange = trace.exchange(line.get("number"))
        reply = None if exchange is None else exchange.get("reply")
        if exchange is None or not isinstance(reply, dict) or "message" not in reply:
            raise _Left("the reply is not in the log")
        mode = str(line.get("mode"))
        if mode not in MODES:
            raise _Left(f"there is no mode {mode!r} any more")
        outcome = read_reply(
            mode, reply["message"], toolbox, finish_reason=str(reply.get("finish_reason") or "stop")
        )
        compared = _Compared(_told(line), _told(_line_of(outcome)), _is_same(line, _line_of(outcome)))
        _check_mask(compared, line, exchange)
        return compared

    return compare


def _line_of(outcome: Outcome) -> Line:
    match outcome:
        case Actions(actions):
            return {"actions": [{"tool": each.tool, "arguments": each.arguments} for each in actions]}
        case AgentFinish(output=output):
            return {"answer": output}
        case _:
            return {"malformed": {"code": outcome.code}}


def _is_same(was: Line, now: Line) -> bool:
    if "malformed" in was or "malformed" in now:
        return _code(was) == _code(now)
    if "answer" in was and "answer" in now:  # the words of an answer that was questioned are not recorded
        return was["answer"] is None or was["answer"] == now["answer"]
    return "answer" not in was and "answer" not in now and was.get("actions") == _plain(now["actions"])


def _code(line: Line) -> object:
    malformed = line.get("malformed")
    return malformed.get("code") if isinstance(malformed, dict) else None


def _told(line: Line) -> str:
    if (code := _code(line)) is not None:
        return f"malformed: {code}"
    if "answer" in line:
        return f"answer: {line['answer'] or ''}".strip()
    calls = [
        f"{call.get('tool')} {json.dumps(call.get('arguments'), ensure_ascii=False)}"
        for call in line.get("actions") or []
    ]
    return "; ".join(calls)


def _plain(value: object) -> Any:  # JSON values
    """Return a value as it comes out of a log: tuples are lists there."""
    return json.loads(json.dumps(value, ensure_ascii=False, default=str))


# --- what the rewriter understood ------------------------------------------------------------


def _edit(trace: Trace, line: Line, text_of: TextOf) -> Callable[[], _Compared]:
    def compare() -> _Compared:
        text = trace.reply_text(line)
        if text is None:
            raise _Left("the reply is not in the log")
        now = reading(
            _asked(line, text_of),
            text,
            finish_reason=str(line.get("finish_reason")),
            refusal=line.get("refusal"),
        )
        was = Reading(
            outcome=str(line.get("outcome")),
            errors=tuple(line.get("errors") or ()),
            result=str(line.get("result") or ""),
        )
        compared = _Compared(*_both_told(was, now), was == now)
        exchange = trace.exchange(line.get("exchange"))
        _check_mask(compared, line, exchange or {})
        return compared

    return compare


def _asked(line: Line, text_of: TextOf) -> Asked:
    try:
        return _as_asked(line, text_of)
    except (KeyError, TypeError, ValueError, AttributeError) as error:  # a file may hold anything
        raise _Left("its line in the log is damaged") from error


def _as_asked(line: Line, text_of: TextOf) -> Asked:
    script_id, version = str(line["script"]), int(line["version"])
    try:
        text = text_of(script_id, version)
    except NotFound as error:
        raise _Left(f"{script_id} v{version} is not in this store") from error
    if digest(text) != line["text_digest"]:
        raise _Left(f"it was not about {script_id} v{version} as this store has it")
    locks = tuple(
        Lock(kind=lock["kind"], text=lock["text"], occurrences=lock["occurrences"]) for lock in line["locks"]
    )
    return Asked(
        script=NumberedScript(script_id, version, text),
        instruction=str(line["instruction"]),
        syntax=_one_of(line["syntax"], Syntax),
        scope=_one_of(line["scope"], Scope),
        constraints=Constraints(targets=tuple(map(int, line["targets"])), locks=locks),
        is_excerpt=bool(line["is_excerpt"]),
        is_bounded=bool(line["is_bounded"]),
    )


def _one_of(said: object, closed: Any) -> Any:  # a Literal, and a value of it
    if said not in get_args(closed):
        raise ValueError(said)
    return said


def _both_told(was: Reading, now: Reading) -> tuple[str, str]:
    """Return both readings in words; two plans that differ in nothing else make another text."""
    before, after = _reading_told(was), _reading_told(now)
    return (
        (before, after) if before != after or was == now else (before, f"{after}, which makes another text")
    )


def _reading_told(read: Reading) -> str:
    return f"{read.outcome} ({', '.join(read.errors)})" if read.errors else read.outcome


def _check_mask(compared: _Compared, *lines: Mapping[str, Any]) -> None:
    """A reply in which a key was hidden is not the one that was read. Raises _Left when that may be the difference."""
    if not compared.is_same and any(line.get("masked") for line in lines):
        raise _Left("a key was hidden in it")
