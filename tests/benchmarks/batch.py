"""What a batch costs beside the plainest way to do the same, by a model that takes its time.

The plain way is a pool of threads in one process that calls `edit_script` for each script and saves. The batch
does it with a durable engine. SCRIPT_EDITOR_BENCH_ITEMS says over how many scripts; 2,000 is the full measurement.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ITEMS = int(os.environ.get("SCRIPT_EDITOR_BENCH_ITEMS", "320"))
WORKERS, CALL_SECONDS = 32, 0.7
POOL_GOAL = 0.80
FEW, MANY = 1_000, int(os.environ.get("SCRIPT_EDITOR_BENCH_PLANNED", "10000"))
STATUS_GOAL = 1.3
INSTRUCTION = "Make the first line stronger."
HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent

POOL = """
import sys
from concurrent.futures import ThreadPoolExecutor
from script_editor.app.bootstrap import build_app
from script_editor.app.edit import EditRequest
from script_editor.config import load_settings

app = build_app(load_settings())

def edit(info):
    request = EditRequest(script_id=info.id, instruction=sys.argv[1], author="bench", mode="tools")
    return app.edit(request, approve=lambda _pending: True).outcome

ids = app.store.scripts()
with ThreadPoolExecutor(int(sys.argv[2])) as pool:
    assert {"saved"} == set(pool.map(edit, ids))
app.close()
"""
FILL = """
import sys
from script_editor.domain.script import Provenance
from script_editor.store.blobs import pack
from script_editor.store import appending
from script_editor.store.engine import writing
from script_editor.domain.script import FileForm
from script_editor.store.sql import open_store

with open_store(sys.argv[1], create=True) as store, writing(store._engine) as session:
    for number in range(int(sys.argv[2])):
        text = f"This is the first line of number {number}, really.\\nAnd here is the second.\\n"
        draft = appending.Draft(content=pack(text), source="import", provenance=Provenance(author="bench"))
        appending.create(
            session, f"video_{number:06}", draft, title="", language="en", format="text", file=FileForm()
        )
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """How many edits a second: over all of them, and in the slowest and the middle window of ten."""

    mean: float
    slowest: float
    middle: float
    calls: int


def run() -> bool:
    """Print what was measured and the goals; return whether all goals are met."""
    met = [_throughput(), _planning()]
    return all(met)


# --- throughput ------------------------------------------------------------------------------


def _throughput() -> bool:
    with tempfile.TemporaryDirectory() as folder, _service() as address:
        plain = _environment(Path(folder) / "plain", address)
        _fill(plain, ITEMS)
        pool = _paced(address, [sys.executable, "-c", POOL, INSTRUCTION, str(WORKERS)], plain)
        batch = _environment(Path(folder) / "batch", address)
        _fill(batch, ITEMS)
        planned = _editor(
            batch, "batch", "plan", "--select", "*", "--do", INSTRUCTION, "--mode", "tools", "--json"
        )
        name = json.loads(planned)["data"]["batch"]
        command = ["batch", "run", name, "--workers", str(WORKERS), "--apply", "--yes", "--json"]
        durable = _paced(address, [sys.executable, "-m", "script_editor", *command], batch)
    print(
        f"{ITEMS} scripts, {WORKERS} at a time, three calls of {CALL_SECONDS} s each; edits a second (windows of ten)"
    )
    for what, pace in (("pool of threads", pool), ("batch on SQLite", durable)):
        print(
            f"  {what:20}{pace.mean:8.2f}   middle window {pace.middle:6.2f}   slowest {pace.slowest:6.2f}"
            f"   calls {pace.calls}"
        )
    return _goal("batch on SQLite over the pool", durable.mean / pool.mean, POOL_GOAL, at_least=True)


def _paced(address: str, command: Sequence[str], environment: Mapping[str, str]) -> Pace:
    """Return the pace of a command, from its first call to the end of its last edit, as the service saw it."""
    _ask(address, "reset")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    stats = _ask(address, "stats")
    ended = [stats["began"], *stats["ended"]]
    assert len(ended) == ITEMS + 1, f"{len(ended) - 1} edits of {ITEMS}"
    windows = [10 / (after - before) for before, after in pairwise(ended[::10])]
    return Pace(ITEMS / (ended[-1] - ended[0]), min(windows), statistics.median(windows), stats["calls"])


def _ask(address: str, what: str) -> dict[str, list[float] | float]:
    with urllib.request.urlopen(f"{address}/{what}") as answer:
        return json.load(answer)


@contextmanager
def _service() -> Iterator[str]:
    command = [sys.executable, str(HERE / "slow_service.py"), str(CALL_SECONDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.terminate()


# --- planning, status, memory ----------------------------------------------------------------


def _planning() -> bool:
    seconds: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in (FEW, MANY):
            environment = _environment(Path(folder) / str(count), "http://127.0.0.1:9")
            _fill(environment, count)
            began = time.perf_counter()
            planned = _editor(environment, "batch", "plan", "--select", "*", "--do", INSTRUCTION, "--json")
            planning = time.perf_counter() - began
            name = json.loads(planned)["data"]["batch"]
            seconds[count] = {
                "planning": planning,
                "status": min(_timed(environment, "batch", "status", name) for _ in range(5)),
            }
    few, many = seconds[FEW], seconds[MANY]
    rows = (MANY - FEW) / (many["planning"] - few["planning"])
    print(
        f"planning: {few['planning']:.2f} s for {FEW:,} scripts, {many['planning']:.2f} s for {MANY:,}: {rows:,.0f} a second"
    )
    print(f"status: {few['status']:.3f} s with {FEW:,} items, {many['status']:.3f} s with {MANY:,}")
    return _goal("status with many items over few", many["status"] / few["status"], STATUS_GOAL)


def _timed(environment: Mapping[str, str], *command: str) -> float:
    began = time.perf_counter()
    _editor(environment, *command)
    return time.perf_counter() - began


# --- what they run in ------------------------------------------------------------------------


def _environment(folder: Path, address: str) -> dict[str, str]:
    folder.mkdir()
    services = ("OPENAI_", "SCRIPT_EDITOR_", "MODEL_NAME", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(services)}
    return {
        **kept,
        "SCRIPT_EDITOR_DB": str(folder / "store.db"),
        "SCRIPT_EDITOR_STATE": str(folder / "state"),
        "SCRIPT_EDITOR_API_KEY": "x",
        "SCRIPT_EDITOR_BASE_URL": f"{address}/v1",
        "SCRIPT_EDITOR_MODEL": "stub",
        "SCRIPT_EDITOR_AUTHOR": "bench",
        "PYTHONPATH": str(PACKAGE),
    }


def _fill(environment: Mapping[str, str], count: int) -> None:
    command = [sys.executable, "-c", FILL, environment["SCRIPT_EDITOR_DB"], str(count)]
    subprocess.run(command, env=dict(environment), check=True)


def _editor(environment: Mapping[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "script_editor", *command],
        env=dict(environment),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def _goal(what: str, ratio: float, limit: float, *, at_least: bool = False) -> bool:
    is_met = ratio >= limit if at_least else ratio <= limit
    print(
        f"  {what} is {ratio:.2f}, goal {'>=' if at_least else '<='} {limit} {'met' if is_met else 'MISSED'}"
    )
    return is_met
