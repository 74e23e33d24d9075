"""How long commands take to start, against importing the library they cannot do without."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 15


@dataclass(frozen=True)
class Goal:
    """One command, what it is measured against, and how many times as much it may take."""

    name: str
    arguments: tuple[str, ...]
    against: str
    limit: float


def run() -> bool:
    """Print the table; return whether every goal is met. CPU seconds, the least of ROUNDS runs, interleaved.

    Compiled files are kept for the measurement, as an installed program keeps them, whatever the environment says.
    """
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "bench.db"
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "compiled")
        command = (sys.executable, "-m", "script_editor", "--db", str(database), "--model", "offline")
        subprocess.run([*command, "seeds", "load", "-q"], check=True, stdout=subprocess.DEVNULL)
        goals = [
            Goal("--help", (*command, "--help"), "import click", 2.5),
            Goal("show", (*command, "show", "video_001"), "import sqlmodel", 1.4),
            Goal("history", (*command, "history", "video_003"), "import sqlmodel", 1.4),
            Goal("diff", (*command, "diff", "video_003"), "import sqlmodel", 1.4),
            Goal(
                "edit, offline",
                (*command, "preview", "video_001", "把频道改成直播间"),
                "import sqlmodel",
                3.0,
            ),
        ]
        return report(goals)


def report(goals: list[Goal]) -> bool:
    """Measure and print; return whether all goals are met."""
    best: dict[tuple[str, ...], float] = {}
    runs = [(goal.arguments, (sys.executable, "-c", goal.against)) for goal in goals]
    for _ in range(ROUNDS):
        for pair in runs:
            for arguments in pair:
                best[arguments] = min(best.get(arguments, 1e9), cpu_seconds(arguments))
    print(f"start-up, CPU seconds, least of {ROUNDS}")
    met = True
    for goal, (arguments, against) in zip(goals, runs, strict=True):
        ratio = best[arguments] / best[against]
        met &= ratio <= goal.limit
        print(
            f"  {goal.name:14} {best[arguments]:.3f} = {ratio:.2f} x {goal.against} ({best[against]:.3f}), "
            f"goal {goal.limit} {'met' if ratio <= goal.limit else 'MISSED'}"
        )
    return met


def cpu_seconds(arguments: tuple[str, ...]) -> float:
    """Return user and system seconds of one process."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return usage.ru_utime + usage.ru_stime
