"""What a person sees while the agent runs: one line that changes, or every step with -v; without a terminal, the chunks."""

import json
import math
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from script_editor.agent.events import (
    AnswerQuestioned,
    CallsPlanned,
    ConclusionStarted,
    Event,
    ModeChanged,
    ReplyRejected,
    RunEnded,
    TextArrived,
    ToolFinished,
    ToolSkipped,
    ToolStarted,
    TurnStarted,
    UsageReported,
)
from script_editor.cli.printable import printable
from script_editor.cli.render import count, one_line
from script_editor.cli.session import Session
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.app.hooks import PartStarted, Wait

_MARGIN = "  │ "
_MOST_CELLS = 200
"""How much of a line of arguments or results is shown where no terminal sets a width."""
_STOPS = {"step_limit": "no step is left", "call_limit": "no call is left", "token_limit": "the tokens are used up",
          "time_limit": "the time is used up"}  # fmt: skip

_BUSY: Mapping[Language, str] = {"en": "service busy", "zh": "服务繁忙"}
_SILENT: Mapping[Language, str] = {"en": "no answer from the service", "zh": "服务没有应答"}
_WAITING: Mapping[Language, str] = {
    "en": ", trying again in {seconds} s ({retry} of {retries})",
    "zh": "，{seconds} 秒后重试（第 {retry} 次，共 {retries} 次）",
}
_AGAIN: Mapping[Language, str] = {
    "en": "asking again ({retry} of {retries})",
    "zh": "正在重试（第 {retry} 次，共 {retries} 次）",
}


class Progress:
    """Draws a run's events on stderr; with -q and --json only what -v asks for.

    Where no line can be drawn over, what takes long still gets a line of its own as it begins, and on a terminal
    that cannot do more each step as it ends.
    """

    def __init__(self, session: Session):
        silent = session.verbose > 0 or session.quiet or session.json
        can_redraw = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        # -vv shows every reply whole, so its text is not shown a second time as it arrives.
        self._steps = _Steps(streams=session.verbose == 1) if session.verbose else None
        self._line = _Line() if not silent and can_redraw else None
        self._is_plain = not silent and not can_redraw
        self._is_dumb = self._is_plain and sys.stderr.isatty()
        self._session = session

    def __enter__(self) -> Self:
        self._session.on_wait = self.wait
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._session.on_wait = None
        self.pause()

    def listen(self, event: Event) -> None:
        """Take one event of the run."""
        if self._steps:
            self._steps.listen(event)
        elif self._line:
            self._line.listen(event)
        elif self._is_dumb and isinstance(event, ToolFinished):
            _echo(_done(event))

    def draft(self, text: str) -> None:
        """Show a piece of the text that the model writes, as it arrives."""
        if self._steps:
            self._steps.stream(text)

    def tell(self, line: str) -> None:
        """Show what begins now."""
        if self._steps:
            self._steps.tell(line)
        elif self._line:
            self._line.draw(f"{line} …")
        elif self._is_plain:
            _echo(line)

    def part(self, part: "PartStarted") -> None:
        """Show that a chunk of a long script begins; with -v also what all of it will about cost."""
        if self._steps and part.number == 1:
            self._steps.tell(f"  about {part.tokens_in:,} tokens to send, {part.tokens_out:,} to receive")
        indent = "  " if self._steps else ""
        self.tell(f"{indent}chunk {part.number} of {part.count} (lines {part.first}-{part.last})")

    def wait(self, wait: "Wait") -> None:
        """Show that a request to the model is sent again, and when; that it is, only where a line is drawn over."""
        language = self._session.language
        if wait.seconds:
            self.tell(f"{'  ' if self._steps else ''}{_waiting(wait, language)}")
        elif self._line:
            self.tell(_AGAIN[language].format(retry=wait.retry, retries=wait.retries))

    def pause(self) -> None:
        """Leave the terminal clean for something else."""
        if self._steps:
            self._steps.end_text()
        elif self._line:
            self._line.clear()


class _Steps:
    """Every step in full, one under the other; the model's text behind a margin of its own."""

    def __init__(self, *, streams: bool):
        self._streams = streams
        self._in_text = False  # a line of the model's text has no end yet
        self._has_text = False  # the model's text of this turn was shown
        self._running: set[str] = set()
        self._side_by_side = False

    def listen(self, event: Event) -> None:
        match event:
            case TurnStarted(turn=turn):
                self._has_text = False
                self.tell(f"step {turn}")
            case TextArrived(text=text):
                self.stream(text)
            case UsageReported(usage=usage) if usage.prompt_tokens or usage.completion_tokens:
                self.tell(f"  so far {usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens")
            case CallsPlanned(actions=actions) if actions and not self._has_text:
                self.stream(f"{actions[0].log}\n")
            case ToolStarted() | ToolFinished() | ToolSkipped():
                self._show_call(event)
            case _:
                self._show_turn_of_events(event)

    def _show_turn_of_events(self, event: Event) -> None:
        match event:
            case ReplyRejected(correction=correction):
                malformed = correction.malformed
                self.tell(f"  unreadable reply ({malformed.code}): {_flat(malformed.message)}")
            case AnswerQuestioned(correction=correction):
                self.tell(f"  answer questioned: {_flat(correction.malformed.message)}")
            case ModeChanged(from_mode=old, to_mode=new, reason=reason):
                self.tell(f"  mode {old} → {new}{f': {_flat(reason)}' if reason else ''}")
            case ConclusionStarted(stop_reason=reason):
                self.tell(f"{_STOPS.get(reason, reason)}: the model is asked for a summary")
            case RunEnded(result=result):
                self.tell(f"ended: {result.stop_reason.replace('_', ' ')}, {result.seconds:.1f} s")
            case _:
                pass

    def _show_call(self, event: ToolStarted | ToolFinished | ToolSkipped) -> None:
        match event:
            case ToolStarted(action=action):
                self._side_by_side = bool(self._running)
                self._running.add(action.call_id)
                self.tell(f"  {_call(action.tool, action.arguments)}")
            case ToolFinished(step=step):
                self._running.discard(step.action.call_id)
                if self._side_by_side:  # other calls were shown since this one began
                    self.tell(f"  {_call(step.action.tool, step.action.arguments)}")
                mark = "ok" if step.ok else "refused"
                self.tell(
                    *(f"    {row}" for row in (f"{mark}, {step.seconds:.2f} s", *_head(step.observation)))
                )
            case ToolSkipped(step=step):
                self.tell(f"  {_call(step.action.tool, step.action.arguments)}")
                self.tell(f"    not run: {_flat(step.observation)}")

    def tell(self, *lines: str) -> None:
        self.end_text()
        for line in lines:
            _echo(line)

    def stream(self, text: str) -> None:
        """Show a piece of the model's text behind the margin; blank lines are left out."""
        if not self._streams:
            return
        first, *rest = text.replace("\r", "").split("\n")
        self._write(first)
        for line in rest:
            self.end_text()
            self._write(line)

    def _write(self, piece: str) -> None:
        if not piece:
            return
        margin = "" if self._in_text else _MARGIN
        click.echo(click.style(margin + printable(piece), dim=True), nl=False, err=True)
        self._in_text = self._has_text = True

    def end_text(self) -> None:
        if self._in_text:
            click.echo("", err=True)
            self._in_text = False


class _Line:
    """One line that is drawn over and over: what was done, and what goes on now."""

    _every_characters = 20

    def __init__(self) -> None:
        self._done: list[str] = []
        self._running: list[str] = []
        self._characters = 0
        self._drawn = False

    def listen(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self._characters = 0
                self.draw("thinking …")
            case TextArrived(text=text):
                self._count(len(text))
            case ToolStarted(action=action):
                self._running.append(action.tool)
                self._draw_running()
            case ToolFinished():
                tool = event.step.action.tool
                if tool in self._running:
                    self._running.remove(tool)
                self._done.append(_done(event))
                self._draw_running()
            case ConclusionStarted():
                self.draw("summing up …")
            case _:
                pass

    def _count(self, characters: int) -> None:
        """Show how much the model has written, now and then: a line for every piece would flicker."""
        before, self._characters = self._characters, self._characters + characters
        if before // self._every_characters != self._characters // self._every_characters:
            self.draw(f"thinking … {count(self._characters, 'character')}")

    def _draw_running(self) -> None:
        self.draw(f"{', '.join(self._running)} …" if self._running else "")

    def draw(self, present: str) -> None:
        width = shutil.get_terminal_size().columns - 2  # a line that wraps cannot be drawn over
        text = one_line("  ".join([*self._done[-3:], present]), width)
        _redraw(text)
        self._drawn = True

    def clear(self) -> None:
        if self._drawn:
            _redraw("")
            self._drawn = False


def _redraw(text: str) -> None:
    """Write over the line; steering the cursor is no colour, and is wanted without colours as well."""
    click.echo(f"\r\x1b[2K{text}", nl=False, err=True, color=True)


def _echo(line: str) -> None:
    click.echo(click.style(printable(line), dim=True), err=True)


def _waiting(wait: "Wait", language: Language) -> str:
    why = (_BUSY if wait.is_busy else _SILENT)[language]
    seconds = math.ceil(wait.seconds)
    return why + _WAITING[language].format(seconds=seconds, retry=wait.retry, retries=wait.retries)


def _done(event: ToolFinished) -> str:
    step = event.step
    return f"{step.action.tool} {'ok' if step.ok else 'refused'} ({step.seconds:.1f} s)"


def _call(tool: str, arguments: object) -> str:
    return f"{tool} {one_line(json.dumps(arguments, ensure_ascii=False), _MOST_CELLS)}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _head(observation: str, limit: int = 6) -> Sequence[str]:
    """Return the first rows of what a tool told, each on one line of the terminal."""
    room = shutil.get_terminal_size().columns - len("    ") if sys.stderr.isatty() else _MOST_CELLS
    rows = [one_line(row, room) for row in observation.split("\n")]
    return rows if len(rows) <= limit else [*rows[:limit], f"… {count(len(rows) - limit, 'more line')}"]
