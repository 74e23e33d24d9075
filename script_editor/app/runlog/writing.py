"""The log of a run, written line by line as the run goes on."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import assert_never

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
from script_editor.agent.steps import RunResult
from script_editor.app.journal import NO_JOURNAL, Journal, RewriterReply
from script_editor.app.runlog import lines
from script_editor.app.runlog.folder import LogFolder, file_name, hold
from script_editor.app.runlog.form import Line
from script_editor.domain.script import RunRecord, utc_now
from script_editor.llm.chat import Reply, Usage
from script_editor.llm.exchange import Exchange
from script_editor.llm.secrets import Mask

MAX_BYTES = 50_000_000
MAX_AGE = timedelta(days=30)


class RunFiles:
    """Implements `app.journal.Journals`: one file of JSON lines for each run, for the owner's eyes only.

    Where a run begins, logs older than `max_age` are removed, and the oldest ones while all together are
    larger than `max_bytes`. `secrets` are masked in everything that is written.
    """

    def __init__(
        self,
        folder: Path,
        *,
        secrets: Sequence[str] = (),
        max_bytes: float = MAX_BYTES,
        max_age: timedelta = MAX_AGE,
        now: Callable[[], datetime] = utc_now,
    ):
        self._folder, self._mask, self._now = LogFolder(folder), Mask(secrets), now
        self._max_bytes, self._max_age = max_bytes, max_age
        self._problem = ""

    @property
    def problem(self) -> str:
        """Why something could not be logged, "" when everything was: a log that fails is no reason to stop."""
        return self._problem

    def begin(self, run: RunRecord, *, tool_names: Sequence[str] = ()) -> Journal:
        """See Journals.begin."""
        with self.safely():
            self._make_folder()
            self._folder.rotate(max_bytes=self._max_bytes, max_age=self._max_age, now=self._now())
            return RunFile(self, self._opened(run), self._mask, self._now, run, tool_names)
        return NO_JOURNAL.begin(run, tool_names=tool_names)

    @contextmanager
    def safely(self) -> Iterator[None]:
        """Let nothing that goes wrong with the log stop an edit; it is noted."""
        try:
            yield
        except Exception as error:  # whatever it is: what is logged is not worth the edit
            reason = error.strerror if isinstance(error, OSError) else None
            self._problem = self._mask.text(
                f"{self._folder.path} cannot be written: {reason or type(error).__name__}"
            )

    def _make_folder(self) -> None:
        folder = self._folder.path
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)

    def _opened(self, run: RunRecord) -> int:
        path = self._folder.path / file_name(run.id, run.started_at)
        while True:
            # A run that was cut off and is gone through again tells everything once more.
            path.unlink(missing_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
            hold(descriptor)
            if os.fstat(descriptor).st_nlink:
                return descriptor
            os.close(descriptor)  # another process removed it before it was held


class RunFile:
    """Implements `app.journal.Journal` on an open file. May be told things by several threads."""

    def __init__(
        self,
        owner: RunFiles,
        descriptor: int,
        mask: Mask,
        now: Callable[[], datetime],
        run: RunRecord,
        tool_names: Sequence[str],
    ):
        self._owner, self._descriptor, self._mask, self._now = owner, descriptor, mask, now
        self._lock = threading.RLock()
        self._is_open = True
        self._messages, self._forms = lines.Numbered(), lines.Numbered()
        self._said: dict[str, int] = {}
        self._exchanges = 0
        self._turn, self._mode = _Turn(), run.mode
        self._write(lines.run_line(run, tool_names))

    def exchange(self, exchange: Exchange) -> None:
        """See Journal.exchange."""
        with self._telling():
            self._exchanges += 1
            number = self._exchanges
            line = lines.exchange_line(exchange, messages=self._messages, forms=self._forms)
            about = {"number": number, "turn": self._turn.number, "by": self._turn.asker}
            if exchange.reply is not None:
                self._replied(number, exchange.reply)
            self._write({"kind": "exchange", **about, **line})

    def _replied(self, number: int, reply: Reply) -> None:
        if self._turn.is_asking:
            self._turn.exchange = number
        if reply.message is None or reply.message.get("content") == reply.text:
            self._said[reply.text] = number

    def event(self, event: Event) -> None:
        """See Journal.event."""
        with self._telling():
            match event:
                case TurnStarted(turn=turn):
                    self._turn = _Turn(number=turn)
                case ModeChanged(to_mode=mode):
                    self._mode = mode
                    self._write(lines.mode_line(event))
                case CallsPlanned(actions=actions):
                    self._outcome(lines.calls_outcome(actions))
                case ReplyRejected(correction=correction):
                    self._outcome(lines.malformed_outcome(correction.malformed))
                case AnswerQuestioned(correction=correction):
                    self._outcome(lines.questioned_outcome(correction.malformed))
                case ToolStarted(action=action):
                    self._turn.running += 1
                    self._write(lines.call_line(action))
                case ToolFinished(step=step):
                    self._turn.running -= 1
                    self._write(lines.result_line(step))
                case ToolSkipped(step=step):
                    self._write({**lines.result_line(step), "skipped": True})
                case ConclusionStarted():
                    self._turn = _Turn()
                case RunEnded(result=result):
                    if result.stop_reason == "finished":
                        self._outcome(lines.answer_outcome(result.output))
                    self._turn = _Turn()
                case TextArrived() | UsageReported():
                    pass  # the reply holds both
                case _:
                    assert_never(event)

    def rewriter_reply(self, reply: RewriterReply) -> None:
        """See Journal.rewriter_reply."""
        with self._telling():
            self._write(lines.rewriter_line(reply, exchange_of=self._said.get))

    def close(self, result: RunResult | None, usage: Usage, *, bug: BaseException | None = None) -> None:
        """See Journal.close."""
        with self._telling():
            self._write(lines.end_line(result, usage, bug))
        with self._lock:
            self._shut()

    def _outcome(self, line: Line) -> None:
        """Write what the reply of this turn was read as."""
        turn = self._turn
        if turn.exchange is not None and not turn.is_settled:
            about = {"number": turn.exchange, "turn": turn.number, "mode": self._mode}
            self._write({"kind": "outcome", **about, **line})
        turn.is_settled = True

    # --- the file ----------------------------------------------------------------------------

    @contextmanager
    def _telling(self) -> Iterator[None]:
        with self._lock, self._owner.safely():
            yield

    def _write(self, line: Line) -> None:
        if not self._is_open:
            return
        text = lines.encoded(line, self._now())
        if self._mask.finds(text):
            hidden = {name: self._mask.value(value) for name, value in line.items()}
            text = lines.encoded({**hidden, "masked": True}, self._now())
        left = memoryview(f"{text}\n".encode())
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError:
            self._shut()  # half a line may stand there now: nothing may follow it
            raise

    def _shut(self) -> None:
        if self._is_open:
            self._is_open = False
            with suppress(OSError):
                os.close(self._descriptor)


@dataclass
class _Turn:
    """What is known of the turn that goes on; `number` is None outside of all turns.

    `exchange` is that of the planner's last reply, and `is_settled` says that what it was read as is written.
    """

    number: int | None = None
    exchange: int | None = None
    running: int = 0
    is_settled: bool = False

    @property
    def is_asking(self) -> bool:
        """Whether a request is the planner's own."""
        return self.number is not None and not self.is_settled

    @property
    def asker(self) -> str:
        """Who sends a request now."""
        if self.is_asking:
            return "agent"
        return "rewriter" if self.running else "other"
