"""Runs a command and prints its CPU seconds, its peak memory and its output, as one line of JSON.

What it is asked to end by, it passes on.

A process of its own, and a small one, because a kernel counts the memory of whoever starts a process into
the peak of that process.
"""

import json
import os
import signal
import subprocess
import sys


def main(command: list[str]) -> int:
    """Return the exit code of `command`."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: process.send_signal(number))
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    per_megabyte = 1e6 if sys.platform == "darwin" else 1e3  # bytes there, kilobytes elsewhere
    measured = {
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_megabytes": usage.ru_maxrss / per_megabyte,
        "output": output,
    }
    print(json.dumps(measured))
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
