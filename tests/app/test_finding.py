"""Scripts found by their id, their title or words of their newest text."""

from collections import Counter
from pathlib import Path
from typing import Any

from script_editor.app.finding import MOST_SEARCHED, find_scripts
from script_editor.app.scripts import ScriptService
from script_editor.domain.script import Provenance
from script_editor.store.sql import SqlScriptStore, open_store

TESTER = Provenance(author="tester")


class Counting:
    """A store that counts what it is asked."""

    def __init__(self, store: SqlScriptStore):
        self._store, self.asked = store, Counter[str]()

    def __getattr__(self, name: str) -> Any:
        self.asked[name] += 1
        return getattr(self._store, name)


def filled(folder: Path, count: int) -> Counting:
    """Return a store of so many scripts, each with a second version that names its number."""
    store = open_store(str(folder / "store.db"), create=True)
    for number in range(count):
        store.create(f"v{number:04d}", "旧的开场。\n", title=f"第{number}集", provenance=TESTER)
        text = f"大家好。\n这里是第 {number} 期。\n"
        store.append(f"v{number:04d}", text, expected_head=1, source="edit", provenance=TESTER)
    return Counting(store)


def test_a_search_looks_into_the_newest_texts_only(tmp_path: Path) -> None:
    scripts = ScriptService(filled(tmp_path, 12))

    (hit,) = find_scripts(scripts, "第 7 期").hits

    assert (hit.info.id, hit.head.number, hit.line and hit.line.number) == ("v0007", 2, 2)
    assert find_scripts(scripts, "旧的开场").hits == ()


def test_a_search_reads_all_texts_at_once(tmp_path: Path) -> None:
    store = filled(tmp_path, 60)

    found = find_scripts(ScriptService(store), "大家好")

    assert len(found.hits) == 60
    assert store.asked == {"scripts": 2, "heads": 1}


def test_what_is_not_looked_through_is_found_by_its_name_and_the_search_says_so(tmp_path: Path) -> None:
    store = filled(tmp_path, MOST_SEARCHED + 3)

    for number in range(MOST_SEARCHED, MOST_SEARCHED + 3):
        found = find_scripts(ScriptService(store), f"v{number:04d}")
        assert [(hit.info.id, hit.head.number) for hit in found.hits] == [(f"v{number:04d}", 2)]
        assert found.is_partial
    assert store.asked["head"] == 0
