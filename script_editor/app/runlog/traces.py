"""The log of a run, read back: also one that was cut off in the middle of a line, or that holds lines nobody can read."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from script_editor.app.runlog.form import FORMAT, Line
from script_editor.app.runlog.shapes import is_whole
from script_editor.errors import BadFile


@dataclass(frozen=True)
class Trace:
    """One run as it was logged. `lines` are in the order they were written; `unreadable` is how many are lost."""

    path: Path
    lines: tuple[Line, ...]
    unreadable: int = 0

    @property
    def run(self) -> Mapping[str, Any]:
        """The first line: what the run was about."""
        return self.lines[0]

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return str(self.run.get("run", ""))

    def of_kind(self, kind: str) -> tuple[Line, ...]:
        """Return the lines of one kind."""
        return tuple(line for line in self.lines if line["kind"] == kind)

    def exchange(self, number: object) -> Line | None:
        """Return the exchange with this number."""
        return next((line for line in self.of_kind("exchange") if line.get("number") == number), None)

    def messages(self, exchange: Line) -> tuple[Line, ...]:
        """Return the whole request of an exchange; of a message that is lost only `{"role": "?"}` is left."""
        return tuple(
            self._messages.get(sent, {"role": "?"}) if isinstance(sent, int) else _without_number(sent)
            for sent in _list(exchange.get("messages"))
        )

    def form(self, exchange: Line) -> Line:
        """Return the tools, the stop words and the response format of a request; empty when it had none."""
        form = exchange.get("form")
        return self._forms.get(form, {}) if isinstance(form, int) else _without_number(form or {})

    def reply_text(self, rewriter: Line) -> str | None:
        """Return the text that a line about the rewriter speaks of, None when the exchange is lost."""
        if "text" in rewriter:
            return str(rewriter["text"])
        exchange = self.exchange(rewriter.get("exchange"))
        content = None if exchange is None else _reply_message(exchange).get("content")
        return content if isinstance(content, str) else None

    @cached_property
    def _messages(self) -> dict[int, Line]:
        return _by_number(
            sent for exchange in self.of_kind("exchange") for sent in _list(exchange.get("messages"))
        )

    @cached_property
    def _forms(self) -> dict[int, Line]:
        return _by_number(exchange.get("form") for exchange in self.of_kind("exchange"))


def read_trace(path: Path) -> Trace:
    """Return the log of a run.

    Raises:
        BadFile: it cannot be read, is no log of a run, or was written by a newer program.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or 'cannot be read'}.") from error
    raw = [row for row in content.split(b"\n") if row.strip()]
    lines = [line for row in raw if (line := _line(row)) is not None]
    if not lines or lines[0]["kind"] != "run":
        raise BadFile(f"{path} is no log of a run.", hint="The logs that are there: script-editor log")
    if lines[0].get("format") != FORMAT:
        raise BadFile(f"{path} was written by another version of the program and cannot be read by this one.")
    return Trace(path, tuple(lines), len(raw) - len(lines))


def raw_lines(path: Path) -> tuple[bytes, ...]:
    """Return the lines of a log as they are, without a torn last one. Raises BadFile when it cannot be read."""
    read_trace(path)
    return tuple(row for row in path.read_bytes().split(b"\n") if row.strip() and _line(row) is not None)


def _line(row: bytes) -> Line | None:
    try:
        line = json.loads(row)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) and is_whole(line) else None


def _reply_message(exchange: Line) -> Mapping[str, Any]:
    reply = exchange.get("reply")
    message = reply.get("message") if isinstance(reply, dict) else None
    return message if isinstance(message, dict) else {}


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _by_number(values: Iterable[object]) -> dict[int, Line]:
    return {
        value["n"]: _without_number(value)
        for value in values
        if isinstance(value, dict) and isinstance(value.get("n"), int)
    }


def _without_number(value: Line) -> Line:
    return {name: inner for name, inner in value.items() if name != "n"}
