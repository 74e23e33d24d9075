"""Where a process runs, in words that processes of other machines can compare: a host's name alone would not do.

Containers of one machine have names of their own, and a machine may get another one while it works.
"""

import os
import socket
import zlib
from contextlib import suppress
from pathlib import Path

from script_editor.domain.batches import Worker

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES = Path("/proc/self/ns/pid")


def place() -> str:
    """Return where process ids mean what they mean here: the host's name, its running kernel, and which of its containers."""
    boot = processes = ""
    with suppress(OSError):  # only Linux has them; elsewhere the name must do
        boot = _mark(_BOOT.read_text(encoding="utf-8").strip())
        processes = _mark(str(_PROCESSES.readlink()))
    return "/".join((socket.gethostname(), boot, processes))


def host_of(worker: Worker) -> str:
    """Return the name of the host that a worker runs on."""
    return worker.host.partition("/")[0]


def is_elsewhere(worker: Worker) -> bool:
    """Say whether a worker runs on another machine than this process: under another kernel, or, where that is not
    known, on a host with another name."""
    name, boot, _ = place().split("/")
    host, _, marks = worker.host.partition("/")
    other_boot = marks.partition("/")[0]
    return boot != other_boot if boot and other_boot else name != host


def is_running(pid: int) -> bool:
    """Say whether there is such a process here; True where nobody can know."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _mark(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
