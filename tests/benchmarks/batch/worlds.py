"""Where the measurements of batches happen: stores of their own on each database, and a service that takes its time.

SQLite is a file in a folder for temporary files. PostgreSQL is a server of our own with its data in such a folder
too, written as safely as by default, or the one that SCRIPT_EDITOR_TEST_POSTGRES names; where there is neither, that is
said and the measurements on it are left out.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support.postgres import new_database, running_server

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent.parent
INSTRUCTION = "Make the first line stronger."
MODEL = "stub"
NOBODY = "http://127.0.0.1:9"

_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Store:
    """A store with scripts, and the variables under which commands work on it."""

    address: str
    environment: Mapping[str, str]

    def program(self, name: str, *arguments: str) -> str:
        """Run a program of this folder to its end, and return what it prints."""
        # By its file: as part of this package it would load what only the measuring needs.
        return self._run([sys.executable, str(HERE / f"{name}.py"), *arguments])

    def command(self, *arguments: str) -> str:
        """Run a command of ours to its end, and return what it prints."""
        return self._run([*self.started_with, *arguments])

    def planned(self, *options: str) -> str:
        """Plan an edit of every script, and return the id of the batch."""
        told = self.command("batch", "plan", "--select", "*", "--do", INSTRUCTION, "--json", *options)
        return str(json.loads(told)["data"]["batch"])

    @contextmanager
    def process(
        self, *arguments: str, before: tuple[str, ...] = (), output: int = subprocess.DEVNULL
    ) -> Iterator[subprocess.Popen[str]]:
        """Yield a command of ours that has been started, `before` it what it is run by; ended if it still runs."""
        command = [*before, *self.started_with, *arguments]
        with subprocess.Popen(
            command, env=dict(self.environment), stdout=output, stderr=subprocess.DEVNULL, text=True
        ) as process:
            try:
                yield process
            finally:
                process.terminate()

    @property
    def started_with(self) -> tuple[str, ...]:
        """How a command of ours begins."""
        return (sys.executable, "-m", "script_editor")

    def _run(self, command: list[str]) -> str:
        done = subprocess.run(
            command, env=dict(self.environment), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout


@dataclass(frozen=True, slots=True)
class Place:
    """A database on which stores are made, in `folder` what else they need. `new` yields the address of an empty one,
    or of a copy."""

    name: str
    folder: Path
    new: Callable[[str | None], AbstractContextManager[str]]

    @property
    def is_shared(self) -> bool:
        """Whether several machines could work on a store at once."""
        return self.name != "SQLite"

    @contextmanager
    def filled(self, scripts: int, *, service: str = NOBODY) -> Iterator[Store]:
        """Yield a store with so many scripts, with a model at the address `service`."""
        with self.new(None) as address:
            store = Store(address, _environment(self.folder, address, service))
            store.program("fill", address, str(scripts))
            yield store

    @contextmanager
    def copied(self, store: Store) -> Iterator[Store]:
        """Yield a copy of a store that nobody has open."""
        with self.new(store.address) as address:
            yield Store(address, {**store.environment, "SCRIPT_EDITOR_DB": address})


@contextmanager
def places() -> Iterator[list[Place]]:
    """Yield the databases that there are."""
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        found = [Place("SQLite", folder, lambda of: _file(folder, of))]
        try:
            server = ends.enter_context(running_server(is_durable=True))
        except pytest.skip.Exception as reason:
            print(f"PostgreSQL is left out. {reason}")
        else:
            found.append(Place("PostgreSQL", folder, lambda of: _database(server, of)))
        yield found


@contextmanager
def _file(folder: Path, copy_of: str | None) -> Iterator[str]:
    path = folder / f"store_{next(_numbers)}.db"
    if copy_of is not None:
        shutil.copyfile(copy_of, path)
    yield str(path)
    for each in folder.glob(f"{path.name}*"):
        each.unlink()


def _database(server: str, copy_of: str | None) -> AbstractContextManager[str]:
    template = "template0" if copy_of is None else str(sa.make_url(copy_of).database)
    return new_database(server, template=template)


def _environment(folder: Path, address: str, service: str) -> dict[str, str]:
    services = ("OPENAI_", "SCRIPT_EDITOR_", "MODEL_NAME", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(services)}
    return {
        **kept,
        "SCRIPT_EDITOR_DB": address,
        "SCRIPT_EDITOR_STATE": str(folder / "state"),
        "SCRIPT_EDITOR_API_KEY": "x",
        "SCRIPT_EDITOR_BASE_URL": f"{service}/v1",
        "SCRIPT_EDITOR_MODEL": MODEL,
        "SCRIPT_EDITOR_AUTHOR": "bench",
        "PYTHONPATH": str(PACKAGE),
    }


# --- the service -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """What the service says since it was last asked to forget: how many calls, how many of them for the second time,
    when the first began and when each edit was over."""

    calls: int
    repeated: int
    began: float
    ended: list[float]


@dataclass(frozen=True, slots=True)
class Service:
    """The service that takes its time, at its address."""

    address: str

    def forget(self) -> None:
        """Begin to count anew."""
        self._ask("reset")

    def told(self) -> Told:
        """Return what it counted."""
        return Told(**self._ask("stats"))

    def _ask(self, what: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}/{what}") as answer:
            told: dict[str, Any] = json.load(answer)
            return told


@contextmanager
def service(call_seconds: float) -> Iterator[Service]:
    """Yield a service that takes so long for each call."""
    command = [sys.executable, str(HERE / "slow_service.py"), str(call_seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Service(f"http://127.0.0.1:{process.stdout.readline().strip()}")
        finally:
            process.terminate()


def goal(what: str, ratio: float, limit: float, *, at_least: bool = False) -> bool:
    """Print a ratio beside its goal, and return whether that is met."""
    is_met = ratio >= limit if at_least else ratio <= limit
    sign, word = ">=" if at_least else "<=", "met" if is_met else "MISSED"
    print(f"  {what} is {ratio:.2f}, goal {sign} {limit} {word}")
    return is_met
