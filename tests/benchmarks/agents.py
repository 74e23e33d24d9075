"""What an agent costs by itself: one edit in three steps, by a model that answers at once.

The engine alone and the whole product, against the plainest loop there could be, a loop written by hand over
openai, and the frameworks. SCRIPT_EDITOR_BENCH_PEERS names a folder that holds an environment for each
framework; what is missing there is installed. Without it nothing is fetched, and a framework is reported
as not installed.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROUNDS, WARM_ROUNDS, WARM_RUNS = 7, 3, 100
STEPS = 3
HAND_LIMIT, PRODUCT_LIMIT = 1.5, 2.0

HERE = Path(__file__).parent / "peers"
PACKAGE = Path(__file__).parent.parent.parent
FLOOR, BY_HAND = "plain http.client loop", "openai loop by hand"


@dataclass(frozen=True, slots=True)
class Row:
    """One agent: its case, how the stub talks to it, and the environment it runs in, "" for our own."""

    name: str
    case: str
    style: str = "tools"
    environment: str = ""


FRAMEWORKS = (
    Row("llm", "llm_chain", environment="llm"),
    Row("LangChain, tools", "langchain_tools", environment="langchain"),
    Row("LangChain, ReAct", "langchain_react", "react", environment="langchain"),
    Row("pydantic-ai", "pydantic_ai_agent", environment="pydantic_ai"),
    Row("openai-agents", "openai_agents_runner", environment="openai_agents"),
    Row("smolagents, tools", "smolagents_tools", environment="smolagents"),
    Row("smolagents, code", "smolagents_code", "code", environment="smolagents"),
)
ENGINE = (Row("engine, tools", "engine_tools"), Row("engine, react", "engine_react", "react"))
PRODUCT = Row("product, App.edit", "product", "product")
COMMAND = Row("product, command line", "", "product")
ROWS = (Row(FLOOR, "plain_loop"), Row(BY_HAND, "openai_loop"), *FRAMEWORKS, *ENGINE, PRODUCT, COMMAND)
LIBRARIES = "openai, sqlmodel"
PARTS = ("openai", "sqlmodel", LIBRARIES)
OURS = "script_editor.app.edit, script_editor.app.rewriter, script_editor.llm.openai_chat, script_editor.store.sql"


@dataclass(slots=True)
class Measured:
    """What was measured of one agent, a value a round: CPU seconds and megabytes. A command has no warm runs."""

    imports: list[float] = field(default_factory=list)
    processes: list[float] = field(default_factory=list)
    warm_runs: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)

    @property
    def process(self) -> float:
        """CPU seconds of a fresh process that edits once."""
        return statistics.median(self.processes)

    def step(self, floor: "Measured") -> float:
        """CPU milliseconds of one step in a warm process, above what HTTP and JSON cost by themselves."""
        return (statistics.median(self.warm_runs) - statistics.median(floor.warm_runs)) * 1000 / STEPS


Table = Mapping[str, Measured]


def run() -> bool:
    """Print the table and the goals; return whether all goals are met."""
    missing = {row.name: "not installed" for row in ROWS if not _python(row.environment)}
    rows = [row for row in ROWS if row.name not in missing]
    with tempfile.TemporaryDirectory() as folder, _stub() as address:
        environment = _environment(Path(folder), address)
        _make_store(environment)
        for row in FRAMEWORKS:
            if row in rows and (fault := _fault(row, environment, address)):
                rows.remove(row)
                missing[row.name] = f"cannot run: {fault}"
        table, imports = _measured(rows, environment, address)
    _print_table(table, missing)
    _print_parts(imports, table[PRODUCT.name].process)
    return _report(table)


# --- measuring -------------------------------------------------------------------------------


def _measured(
    rows: Sequence[Row], environment: Mapping[str, str], address: str
) -> tuple[Table, Mapping[str, float]]:
    """Measure all rows in turn, again and again, so that a busy moment of the machine meets all of them.

    With them the imports that the whole product cannot do without, in CPU seconds.
    """
    table = {row.name: Measured() for row in rows}
    imports: dict[str, list[float]] = {name: [] for name in (*PARTS, f"{LIBRARIES}, {OURS}")}
    for row in rows:  # compiles, and fills the cache of files
        _measure_fresh(row, Measured(), _of(row, environment, address, runs=1))
    for _ in range(ROUNDS):
        for row in rows:
            _measure_fresh(row, table[row.name], _of(row, environment, address, runs=1))
        for names, spent in imports.items():
            spent.append(_import_seconds(sys.executable, names, environment))
    for _ in range(WARM_ROUNDS):
        for row in rows:
            if row.case:
                told = _spent(_command(row), _of(row, environment, address, runs=WARM_RUNS))
                table[row.name].warm_runs.append(json.loads(told["output"].splitlines()[-1])["cpu_seconds"])
    return table, {names: statistics.median(spent) for names, spent in imports.items()}


def _fault(row: Row, environment: Mapping[str, str], address: str) -> str:
    """Return why an agent cannot be measured, "" when it can."""
    try:
        _spent(_command(row), _of(row, environment, address, runs=1))
    except AssertionError as error:
        return str(error).rstrip().rsplit("\n", 1)[-1]
    return ""


def _measure_fresh(row: Row, measured: Measured, environment: Mapping[str, str]) -> None:
    imported = row.case or "script_editor.cli.main"
    measured.imports.append(_import_seconds(_python(row.environment), imported, environment))
    whole = _spent(_command(row), environment)
    measured.processes.append(whole["cpu_seconds"])
    measured.peaks.append(whole["peak_megabytes"])


def _import_seconds(python: str, names: str, environment: Mapping[str, str]) -> float:
    return _spent([python, "-c", f"import {names}"], environment)["cpu_seconds"]


def _spent(command: Sequence[str], environment: Mapping[str, str]) -> dict[str, float]:
    """Return what `peers/measure.py` says of a command."""
    measure = [sys.executable, "-S", str(HERE / "measure.py"), *command]
    done = subprocess.run(measure, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return json.loads(done.stdout)


def _command(row: Row) -> list[str]:
    if row.case:
        return [_python(row.environment), str(HERE / "cases" / f"{row.case}.py")]
    instruction = "Make the first line of script funnier."
    return [sys.executable, "-m", "script_editor", "edit", "video_001", instruction, "--yes"]


# --- what they run in ------------------------------------------------------------------------


def _environment(folder: Path, address: str) -> dict[str, str]:
    """Return variables without any service's settings, with a store and caches of this measurement's own."""
    services = ("OPENAI_", "LANGCHAIN_", "LANGSMITH_", "SCRIPT_EDITOR_", "MODEL_NAME", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(services)}
    own = {
        "SCRIPT_EDITOR_DB": str(folder / "bench.db"),
        "SCRIPT_EDITOR_STATE": str(folder / "state"),
        "SCRIPT_EDITOR_API_KEY": "x",
        "SCRIPT_EDITOR_BASE_URL": f"{address}/product/v1",
        "SCRIPT_EDITOR_MODEL": "stub",
        "SCRIPT_EDITOR_AUTHOR": "bench",
        "LLM_USER_PATH": str(folder),
        "HF_HUB_OFFLINE": "1",
        # Compiled files are kept, as an installed program keeps them, and kept out of the working tree.
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "PYTHONPATH": os.pathsep.join(map(str, (HERE, HERE / "cases", PACKAGE))),
    }
    return {**kept, **own}


def _of(row: Row, environment: Mapping[str, str], address: str, *, runs: int) -> dict[str, str]:
    return {**environment, "STUB": f"{address}/{row.style}/v1", "RUNS": str(runs)}


def _make_store(environment: Mapping[str, str]) -> None:
    """Put the script that the others are given into a store of ours."""
    sys_path = "from sample import SCRIPT; print(SCRIPT)"
    script = subprocess.run(
        [sys.executable, "-c", sys_path], env=environment, capture_output=True, check=True
    )
    new = [sys.executable, "-m", "script_editor", "new", "video_001", "-q"]
    subprocess.run(new, env=environment, input=script.stdout, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def _stub() -> Iterator[str]:
    """Start the model that answers at once; give its address."""
    command = [sys.executable, str(HERE / "stub.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.terminate()


@cache
def _python(environment: str) -> str:
    """Return the interpreter of a framework's environment, made if need be; "" when there is none."""
    folder = os.environ.get("SCRIPT_EDITOR_BENCH_PEERS")
    if not environment or folder is None:
        return "" if environment else sys.executable
    python = Path(folder) / environment / "bin" / "python"
    if not python.exists():
        print(f"installing {environment}", file=sys.stderr)
        requirements = HERE / "requirements" / f"{environment}.txt"
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for command in (
            [sys.executable, "-m", "venv", str(python.parent.parent)],
            [*pip, "-r", str(requirements)],
        ):
            if subprocess.run(command, check=False).returncode:
                return ""
    return str(python)


# --- what is printed -------------------------------------------------------------------------


def _print_table(table: Table, missing: Mapping[str, str]) -> None:
    floor, by_hand = table[FLOOR], table[BY_HAND]
    print(
        f"three steps of an agent; CPU, medians of {ROUNDS} processes and {WARM_ROUNDS} x {WARM_RUNS} warm runs"
    )
    print(
        f"  {'':24}{'import s':>10}{'process s':>11}{'':>8}{'step ms':>9}{'':>8}{'peak MB':>9}   (x {BY_HAND})"
    )
    for name, each in table.items():
        step = (
            f"{each.step(floor):9.2f}{_times(each.step(floor), by_hand.step(floor))}"
            if each.warm_runs
            else f"{'':17}"
        )
        print(
            f"  {name:24}{statistics.median(each.imports):10.3f}{each.process:11.3f}"
            f"{_times(each.process, by_hand.process)}{step}{statistics.median(each.peaks):9.0f}"
        )
    for name, why in missing.items():
        print(f"  {name:24} {why}")
    print(f"  ({PRODUCT.name.split(',')[0]}: four requests, the fourth for the new lines; the others three)")


def _print_parts(imports: Mapping[str, float], process: float) -> None:
    """Say where the CPU seconds of the whole product go."""
    libraries, everything = imports[LIBRARIES], imports[f"{LIBRARIES}, {OURS}"]
    alone = ", ".join(f"{name} alone {imports[name]:.2f}" for name in PARTS[:2])
    print(
        f"  where the product's {process:.2f} s go: importing {LIBRARIES} {libraries:.2f} ({alone}), importing our own "
        f"modules {everything - libraries:.2f}, opening the store and editing {process - everything:.2f}"
    )


def _times(value: float, against: float) -> str:
    return f"{f'x {value / against:.2f}':>8}"


def _report(table: Table) -> bool:
    """Print each goal and whether it is met; return whether all are."""
    floor, by_hand = table[FLOOR], table[BY_HAND]
    there = [row.name for row in FRAMEWORKS if row.name in table]
    met = []
    for engine in (row.name for row in ENGINE):
        mine = table[engine]
        for what, value, hand, others in (
            ("process", mine.process, by_hand.process, {name: table[name].process for name in there}),
            (
                "step",
                mine.step(floor),
                by_hand.step(floor),
                {name: table[name].step(floor) for name in there},
            ),
        ):
            met.append(_goal(f"{engine}: {what}", value / hand, HAND_LIMIT))
            met += [_goal(f"{engine}: {what}", value / other, 1.0, name) for name, other in others.items()]
    for product in (PRODUCT.name, COMMAND.name):
        met.append(_goal(f"{product}: process", table[product].process / by_hand.process, PRODUCT_LIMIT))
    return all(met)


def _goal(what: str, ratio: float, limit: float, against: str = BY_HAND) -> bool:
    is_met = ratio <= limit
    print(f"  {what} is {ratio:.2f} x {against}, goal {limit} {'met' if is_met else 'MISSED'}")
    return is_met
