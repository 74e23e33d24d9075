"""What a service refused is known the next time, also to the next process, and forgotten after a week."""

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from script_editor.llm.address import read_address
from script_editor.llm.capabilities import Capabilities, Feature, features_of
from script_editor.llm.metered import Metered
from script_editor.llm.scripted import ScriptedModel

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ADDRESS = "api.example.com#0123456789ab"
LEARN = """
import sys
from pathlib import Path
from script_editor.llm.capabilities import Capabilities
memory = Capabilities(Path(sys.argv[1]))
for number in range(20):
    memory.remember(sys.argv[2], f"model-{number}", "tools")
"""


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def test_a_refusal_counts_for_its_address_and_model_only() -> None:
    memory = Capabilities()

    memory.remember(ADDRESS, "a", "json_schema")
    memory.remember(ADDRESS, "b", "tools")

    assert memory.refused(ADDRESS, "a") == {"json_schema"}
    assert memory.refused(ADDRESS, "b") == {"tools"}
    assert memory.refused("other", "a") == frozenset()


def test_a_file_holds_what_was_learnt_for_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "state" / "capabilities.json"

    Capabilities(path, now=Clock()).remember(ADDRESS, "千问", "json_schema")

    assert Capabilities(path, now=Clock()).refused(ADDRESS, "千问") == {"json_schema"}
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "refused": {ADDRESS: {"千问": {"json_schema": "2026-11-20T12:00:00+00:00"}}}
    }


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_only_the_owner_may_read_the_file_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "state" / "capabilities.json"

    Capabilities(path).remember(ADDRESS, "m", "tools")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("passed", "refused"),
    [
        (timedelta(days=6, hours=23), {"tools"}),
        (timedelta(days=7), set()),
        (timedelta(days=-1), set()),
    ],
    ids=["within a week", "after a week", "noted by a clock that was ahead"],
)
def test_a_refusal_is_forgotten_after_a_week(
    tmp_path: Path, passed: timedelta, refused: set[Feature]
) -> None:
    clock = Clock()
    Capabilities(tmp_path / "c.json", now=clock).remember(ADDRESS, "m", "tools")

    clock.now += passed

    assert Capabilities(tmp_path / "c.json", now=clock).refused(ADDRESS, "m") == refused


def test_what_is_forgotten_leaves_the_file_and_what_is_refused_again_stays(tmp_path: Path) -> None:
    clock, path = Clock(), tmp_path / "c.json"
    memory = Capabilities(path, now=clock)
    memory.remember(ADDRESS, "m", "tools")
    memory.remember(ADDRESS, "m", "json_schema")

    clock.now += timedelta(days=8)
    memory.remember(ADDRESS, "m", "tools")

    assert json.loads(path.read_text(encoding="utf-8")) == {
        "refused": {ADDRESS: {"m": {"tools": "2026-11-28T12:00:00+00:00"}}}
    }


def test_two_memories_of_one_file_keep_what_the_other_wrote(tmp_path: Path) -> None:
    one, other = Capabilities(tmp_path / "c.json"), Capabilities(tmp_path / "c.json")
    one.refused(ADDRESS, "m")
    other.remember(ADDRESS, "m", "tools")

    one.remember(ADDRESS, "m", "json_schema")

    assert one.refused(ADDRESS, "m") == {"tools", "json_schema"}
    assert Capabilities(tmp_path / "c.json").refused(ADDRESS, "m") == {"tools", "json_schema"}


def test_processes_that_write_at_once_leave_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    running = [
        subprocess.Popen([sys.executable, "-c", LEARN, str(path), f"host-{n}"], env=environment)
        for n in range(3)
    ]

    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    assert list(tmp_path.iterdir()) == [path]
    content = json.loads(path.read_text(encoding="utf-8"))["refused"]
    # Whoever wrote last had seen all of its own.
    assert 20 in [len(models) for models in content.values()]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"null",
        b"[1]",
        b'{"refused": 3}',
        b'{"refused": {"api.example.com#0123456789ab": {"m": ["tools"]}}}',
        b'{"refused": {"api.example.com#0123456789ab": {"m": {"tools": 12}}}}',
        b'{"refused": {"api.example.com#0123456789ab": {"m": {"tools": "yesterday"}}}}',
        b"[" * 100_000,
        b" " * 2_000_000,
    ],
    ids=[
        "empty",
        "cut",
        "not text",
        "null",
        "a list",
        "a number for the refusals",
        "a list for the features",
        "a number for the moment",
        "a word for the moment",
        "nested too deep",
        "too large",
    ],
)
def test_a_broken_file_counts_as_empty_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(content)
    memory = Capabilities(path)

    assert memory.refused(ADDRESS, "m") == frozenset()
    memory.remember(ADDRESS, "m", "json_object")

    assert Capabilities(path).refused(ADDRESS, "m") == {"json_object"}


def test_one_unreadable_entry_does_not_cost_the_others(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    moments = {
        "tools": "never",
        "json_schema": "2026-11-20T11:00:00",
        "telepathy": "2026-11-20T11:00:00+00:00",
    }
    path.write_text(json.dumps({"refused": {ADDRESS: {"m": moments}}}), encoding="utf-8")

    assert Capabilities(path, now=Clock()).refused(ADDRESS, "m") == {"json_schema"}


@pytest.mark.parametrize("place", ["file/state/c.json", "folder"], ids=["no folder can be there", "a folder"])
def test_where_nothing_can_be_written_it_remembers_for_itself(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder" / "full").mkdir(parents=True)
    memory = Capabilities(tmp_path / place)

    memory.remember(ADDRESS, "m", "tools")

    assert memory.refused(ADDRESS, "m") == {"tools"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize(
    "text",
    [
        "https://wang:geheim@api.example.com/v1",
        "https://api.example.com/v1?api-key=geheim",
        "https://api.example.com/geheim/v1",
    ],
)
def test_the_name_of_an_address_shows_nothing_but_the_host(text: str) -> None:
    name = read_address(text).fingerprint

    assert name.startswith("api.example.com#")
    assert "geheim" not in name and "wang" not in name


def test_the_name_of_an_address_tells_services_apart_and_not_their_users() -> None:
    names = {
        read_address(f"https://{rest}").fingerprint
        for rest in (
            "u:p@h.example/v1",
            "h.example/v1/",
            "h.example/v1?key=a",
            "h.example/v2",
            "h.example:8/v1",
        )
    }

    assert len(names) == 3


def test_a_model_that_says_nothing_can_be_asked_for_nothing() -> None:
    assert features_of(object()) == frozenset()
    assert features_of(ScriptedModel()) == frozenset()


def test_a_meter_can_what_the_model_behind_it_can() -> None:
    assert features_of(Metered(ScriptedModel(features=["tools"]))) == {"tools"}
