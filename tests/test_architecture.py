"""Who may import whom, checked by reading the source; nothing of the package is imported."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "script_editor"
ALLOWED = {
    "__init__": set(),
    "__main__": {"cli"},
    "errors": set(),
    "interrupts": set(),
    "patterns": set(),
    "config": {"errors"},
    "domain": {"errors"},
    "formats": {"errors", "domain"},
    "llm": {"errors"},
    "offline": {"errors", "llm", "domain"},
    "store": {"errors", "domain"},
    "agent": {"errors", "llm"},
    "app": {"errors", "domain", "formats", "llm", "agent"},
    "batch": {
        "errors",
        "domain",
        "agent.language",
        "agent.steps",
        "llm.capabilities",
        "llm.chat",
        "llm.failures",
        "llm.retry",
        "app",
    },
    "cli": {"errors", "config", "domain", "agent.events", "agent.language", "app", "batch"},
}
LEAVES = {"interrupts", "patterns"}
"""They import nothing of ours, and everyone may import them."""
EXTRA = {
    "app.bootstrap": {"config", "store", "offline", "batch"},
    "app.models": {"config", "offline"},
    "app.batching": {"config", "store", "batch"},
}
OWNERS = {
    "openai": {"llm.openai_chat"},
    "httpx2": {"llm.openai_chat"},
    "sqlmodel": {"store"},
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "dbos": {"batch.dbos_engine.binding"},
    "psycopg": {"store"},
    "click": {"cli"},
    "rich": {"cli"},
    "pydantic": {"agent", "app"},
    "platformdirs": {"config"},
    "yaml": {"app"},
}
MODULES = sorted(path for path in ROOT.rglob("*.py") if "_data" not in path.parts)


def imported_names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_module_imports_only_what_its_layer_may(path: Path) -> None:
    module = module_name(path)
    layer = module.split(".")[0]

    for name in imported_names(path):
        top, _, rest = name.partition(".")
        if top == "script_editor" and rest:
            target = rest.split(".")[0]
            allowed = {layer} | LEAVES | ALLOWED[layer] | EXTRA.get(module, set())
            one_module = any(rest == one or rest.startswith(f"{one}.") for one in allowed if "." in one)
            assert target not in ALLOWED or target in allowed or one_module, f"{module} -> {name}"
        elif top in OWNERS:
            owners = OWNERS[top]
            assert module in owners or layer in owners, f"{module} -> {name}"


def test_domain_reads_the_clock_in_one_place_only() -> None:
    for path in (ROOT / "domain").glob("*.py"):
        calls = [
            ast.unparse(node.func)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
        ]
        clock = [
            call for call in calls if call in {"datetime.now", "datetime.utcnow", "time.time", "date.today"}
        ]

        assert clock == (["datetime.now"] if path.name == "script.py" else []), path.name


def test_the_core_knows_no_file_and_no_network() -> None:
    for layer in ("domain", "formats"):
        for path in (ROOT / layer).glob("*.py"):
            tops = {name.partition(".")[0] for name in imported_names(path)}

            assert not tops & {"os", "pathlib", "io", "socket", "http", "urllib", "subprocess", "sqlite3"}, (
                path.name
            )


def test_every_package_name_has_a_layer() -> None:
    names = {
        path.name.removesuffix(".py")
        for path in ROOT.iterdir()
        if not path.name.startswith("_") or path.name in ("__init__.py", "__main__.py")
    }

    assert names - {"py.typed"} <= set(ALLOWED)
