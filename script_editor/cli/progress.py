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
from script_editor.cli.progress_words import AGAIN, BUSY, ENDINGS_ZH, SILENT, STOPS, WAITING, WORDS, Word
from script_editor.cli.render import count, one_line
from script_editor.cli.session import Session
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.app.hooks import PartStarted, Wait

_MARGIN = "  │ "
_MOST_CELLS = 200
"""How much of a line of arguments or results is shown where no terminal sets a width."""


class Progress:
    """Draws a run's events on stderr; with -q and --json only what -v asks for.

    Where no line can be drawn over, what takes long still gets a line of its own as it begins, and on a terminal
    that cannot do more each step as it ends.
    """

    def __init__(self, session: Session):
        silent = session.verbose > 0 or session.quiet or session.json
        can_redraw = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        # -vv shows every reply whole, so its text is not shown a second time as it arrives.
        self._steps = _Steps(session, streams=session.verbose == 1) if session.verbose else None
        self._line = _Line(session) if not silent and can_redraw else None
        self._is_plain = not silent and not can_redraw
        self._is_dumb = self._is_plain and sys.stderr.isatty()
        self._session = session

    @property
    def _words(self) -> Mapping[Word, str]:
        return WORDS[self._session.language]

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
            _echo(_done(event, self._session.language))

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
            about = self._words["about"].format(tokens_in=part.tokens_in, tokens_out=part.tokens_out)
            self._steps.tell(f"  {about}")
        chunk = self._words["chunk"].format(
            number=part.number, count=part.count, first=part.first, last=part.last
        )
        self.tell(f"{'  ' if self._steps else ''}{chunk}")

    def wait(self, wait: "Wait") -> None:
        """Show that a request to the model is sent again, and when; that it is, only where a line is drawn over."""
        language = self._session.language
        if wait.seconds:
            self.tell(f"{'  ' if self._steps else ''}{_waiting(wait, language)}")
        elif self._line:
            self.tell(AGAIN[language].format(retry=wait.retry, retries=wait.retries))

    def pause(self) -> None:
        """Leave the terminal clean for something else."""
        if self._steps:
            self._steps.end_text()
        elif self._line:
            self._line.clear()


class _Steps:
    """Every step in full, one under the other; the model's text behind a margin of its own."""

    def __init__(self, session: Session, *, streams: bool):
        self._session, self._streams = session, streams
        self._in_text = False  # a line of the model's text has no end yet
        self._has_text = False  # the model's text of this turn was shown
        self._running: set[str] = set()
        self._side_by_side = False

    def _say(self, word: Word, indent: str = "", **parts: object) -> None:
        self.tell(indent + WORDS[self._session.language][word].format(**parts))

    def listen(self, event: Event) -> None:
        match event:
            case TurnStarted(turn=turn):
                self._has_text = False
                self._say("step", turn=turn)
            case TextArrived(text=text):
                self.stream(text)
            case UsageReported(usage=usage) if usage.prompt_tokens or usage.completion_tokens:
                self._say("so far", "  ", tokens_in=usage.prompt_tokens, tokens_out=usage.completion_tokens)
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
                self._say("unreadable", "  ", code=malformed.code, why=_flat(malformed.message))
            case AnswerQuestioned(correction=correction):
                self._say("questioned", "  ", why=_flat(correction.malformed.message))
            case ModeChanged(from_mode=old, to_mode=new, reason=reason):
                self._say("mode", "  ", old=old, new=new, why=f": {_flat(reason)}" if reason else "")
            case ConclusionStarted(stop_reason=reason):
                self._say("stopped", why=STOPS[self._session.language].get(reason, reason))
            case RunEnded(result=result):
                self._say("ended", why=self._ending(result.stop_reason), seconds=result.seconds)
            case _:
                pass

    def _ending(self, reason: str) -> str:
        return ENDINGS_ZH.get(reason, reason) if self._session.language == "zh" else reason.replace("_", " ")

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
                language = self._session.language
                mark = WORDS[language]["ok" if step.ok else "refused"]
                took = (
                    f"{mark}，{step.seconds:.2f} 秒" if language == "zh" else f"{mark}, {step.seconds:.2f} s"
                )
                self.tell(*(f"    {row}" for row in (took, *_head(step.observation, language))))
            case ToolSkipped(step=step):
                self.tell(f"  {_call(step.action.tool, step.action.arguments)}")
                self._say("not run", "    ", why=_flat(step.observation))

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

    def __init__(self, session: Session) -> None:
        self._session = session
        self._done: list[str] = []
        self._running: list[str] = []
        self._characters = 0
        self._drawn = False

    def listen(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self._characters = 0
                self.draw(self._words["thinking"])
            case TextArrived(text=text):
                self._count(len(text))
            case ToolStarted(action=action):
                self._running.append(action.tool)
                self._draw_running()
            case ToolFinished():
                tool = event.step.action.tool
                if tool in self._running:
                    self._running.remove(tool)
                self._done.append(_done(event, self._session.language))
                self._draw_running()
            case ConclusionStarted():
                self.draw(self._words["summing up"])
            case _:
                pass

    @property
    def _words(self) -> Mapping[Word, str]:
        return WORDS[self._session.language]

    def _count(self, characters: int) -> None:
        """Show how much the model has written, now and then: a line for every piece would flicker."""
        before, self._characters = self._characters, self._characters + characters
        if before // self._every_characters != self._characters // self._every_characters:
            number = self._characters
            self.draw(self._words["written"].format(number=number, count=count(number, "character")))

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
    why = (BUSY if wait.is_busy else SILENT)[language]
    seconds = math.ceil(wait.seconds)
    return why + WAITING[language].format(seconds=seconds, retry=wait.retry, retries=wait.retries)


def _done(event: ToolFinished, language: Language) -> str:
    step = event.step
    done = f"{step.action.tool} {WORDS[language]['ok' if step.ok else 'refused']}"
    return f"{done}（{step.seconds:.1f} 秒）" if language == "zh" else f"{done} ({step.seconds:.1f} s)"


def _call(tool: str, arguments: object) -> str:
    return f"{tool} {one_line(json.dumps(arguments, ensure_ascii=False), _MOST_CELLS)}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _head(observation: str, language: Language, limit: int = 6) -> Sequence[str]:
    """Return the first rows of what a tool told, each on one line of the terminal."""
    room = shutil.get_terminal_size().columns - len("    ") if sys.stderr.isatty() else _MOST_CELLS
    rows = [one_line(row, room) for row in observation.split("\n")]
    if len(rows) <= limit:
        return rows
    more = len(rows) - limit
    return [*rows[:limit], WORDS[language]["more"].format(number=more, count=count(more, "more line"))]
