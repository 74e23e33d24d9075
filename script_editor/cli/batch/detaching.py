"""`--detach`: the same command in the background, in a session of its own, with its output in a file."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import script_editor
from script_editor.cli.session import Session
from script_editor.errors import BatchTroubled, BudgetReached, SetupError

if TYPE_CHECKING:
    from collections.abc import Sequence

_PATIENCE_SECONDS = 20.0
"""Who has neither begun nor ended by then has a slow machine, and is left to itself."""
_LOOK_SECONDS = 0.2
_ENDING_SECONDS = 40.0
"""Who has begun waits for the calls that are under way as it ends, and not for longer than that."""
_ERRORS = ("Error:", "错误：")
_OVER = (0, BudgetReached.exit_code, BatchTroubled.exit_code)
"""A small batch may be over before anybody has looked."""


def detach(session: Session, batch_id: str, arguments: "Sequence[str]") -> tuple[int, Path]:
    """Start this program with `arguments` and leave it to itself; return its process id and where it writes.

    That is when it counts as a worker, by when it has looked at all that could keep it from beginning; or when it has
    taken very long. Whatever ends the wait otherwise, ends it too: who is told that it does not go on pays for nothing.

    Raises SetupError when it ended instead, with the last words it left.
    """
    path = log_of(session, batch_id)
    with os.fdopen(_opened(path), "ab") as file:
        begin = file.tell()
        started = subprocess.Popen(
            # -P: else the modules of the folder that a person happens to be in come before those of this program.
            [sys.executable, "-P", "-m", "script_editor", *_options(session), *arguments],
            stdin=subprocess.DEVNULL, stdout=file, stderr=file,
            env=_environment(session), start_new_session=True,
        )  # fmt: skip
    try:
        code = _begun(session, started)
    except BaseException:
        _end(started)
        raise
    if code is None:
        started.returncode = 0  # else Popen warns of a child that nobody waits for, as is wanted here
    elif code not in _OVER:
        raise SetupError(f"It did not begin. {_last_words(path, begin)}", hint=f"All it said: {path}")
    return started.pid, path


def _begun(session: Session, started: "subprocess.Popen[bytes]") -> int | None:
    """Wait until a process counts as a worker, for a bounded time; return the exit code of one that has ended."""
    give_up_at = time.monotonic() + _PATIENCE_SECONDS
    while (code := started.poll()) is None and time.monotonic() < give_up_at:
        if session.app.batches.is_worker(started.pid):
            break
        time.sleep(_LOOK_SECONDS)
    return code


def _end(started: "subprocess.Popen[bytes]") -> None:
    """End a process in order, or at once where that takes long or a person cannot wait for it."""
    try:
        started.terminate()
        with suppress(subprocess.TimeoutExpired):
            started.wait(_ENDING_SECONDS)
    finally:
        if started.poll() is None:
            started.kill()
            started.wait()


def log_of(session: Session, batch_id: str) -> Path:
    """Return the file that workers of a batch in the background write to."""
    return session.app.settings.state_folder / "batches" / f"{batch_id}.log"


def _opened(path: Path) -> int:
    """Open a log that nobody else can read: it names scripts. Raises SetupError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    except OSError as error:
        raise SetupError(
            f"{path} cannot be written: {error.strerror}.",
            hint="Set SCRIPT_EDITOR_STATE to a folder that can, or run it without --detach.",
        ) from error


def _options(session: Session) -> list[str]:
    return ["--model", session.model] if session.model else []


def _environment(session: Session) -> dict[str, str]:
    """Return the variables of the new process: everybody can read its arguments, and an address may hold a password.

    A program that is run where it lies, `python -m` in its folder, is found there again.
    """
    named = {"SCRIPT_EDITOR_DB": str(Path(session.database).resolve())} if session.database else {}
    if session.database and "://" in session.database:
        named = {"SCRIPT_EDITOR_DB": session.database}
    home = str(Path(script_editor.__file__).parent.parent)
    if sys.path[0] == home:
        named["PYTHONPATH"] = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    return {**os.environ, **named}


def _last_words(path: Path, begin: int) -> str:
    with path.open("rb") as file:
        file.seek(begin)
        said = file.read().decode("utf-8", "replace").split("\n")
    told = [line.strip() for line in said if line.strip()]
    errors = [line.partition(mark)[2].strip() for line in told for mark in _ERRORS if line.startswith(mark)]
    return errors[0] if errors else told[-1] if told else "It said nothing."
