import pytest

from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE


def ids(store: SqlScriptStore, **options: object) -> list[str]:
    """The ids that a listing gives."""
    return [script.id for script in store.scripts(**options)]


def test_scripts_are_listed_by_code_point_on_both_databases(store: SqlScriptStore):
    for script_id in ("video_10", "第一集", "video-2", "video_2", "9"):
        store.create(script_id, "", provenance=ALICE)

    assert ["9", "video-2", "video_10", "video_2", "第一集"] == ids(store)


def test_scripts_are_read_in_pages(store: SqlScriptStore):
    for number in range(5):
        store.create(f"v{number}", "", provenance=ALICE)

    assert ["v0", "v1"] == ids(store, limit=2)
    assert ["v2", "v3"] == ids(store, limit=2, after="v1")
    assert [] == ids(store, after="v4")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        pytest.param("cafe", ["cafe_1"], id="in an id"),
        pytest.param("CAFE_1", ["cafe_1"], id="an id in capitals"),
        pytest.param("élan", ["b"], id="a title in other letters, whatever the locale"),
        pytest.param("黄金", ["c"], id="Chinese"),
        pytest.param("100%", ["d"], id="a percent sign is a percent sign"),
        pytest.param("_", ["cafe_1"], id="an underscore is an underscore"),
        pytest.param("nothing", [], id="nothing"),
    ],
)
def test_a_query_is_a_literal_text_in_any_case(store: SqlScriptStore, query: str, found: list[str]):
    store.create("cafe_1", "", provenance=ALICE)
    store.create("b", "", title="ÉLAN vital", provenance=ALICE)
    store.create("c", "", title="AI 的黄金时代", provenance=ALICE)
    store.create("d", "", title="100% real", provenance=ALICE)

    assert found == ids(store, query=query)


def test_a_query_is_paged_after_it_is_matched(store: SqlScriptStore):
    for script_id in ("a1", "b", "a2", "a3"):
        store.create(script_id, "", provenance=ALICE)

    assert ["a2", "a3"] == ids(store, query="a", after="a1", limit=2)


def test_a_mistyped_id_finds_its_neighbours_nearest_first(store: SqlScriptStore):
    for script_id in ("video_001", "video_002", "intro", "第一集"):
        store.create(script_id, "", provenance=ALICE)

    assert ("video_001", "video_002") == store.similar_ids("video_01", limit=2)
    assert "video_001" == store.similar_ids("bideo_001")[0]
    assert 4 == len(store.similar_ids("whatever"))


@pytest.mark.parametrize("mistyped", ["books_6", "books_006", "books6", "books-06"])
def test_an_id_that_only_counts_otherwise_is_nearest_among_any_number(store: SqlScriptStore, mistyped: str):
    for number in [6, *range(10, 500)]:
        store.create(f"books_{number:02}", "", provenance=ALICE)

    assert "books_06" == store.similar_ids(mistyped, limit=1)[0]


def test_an_empty_store_has_nothing_similar(store: SqlScriptStore):
    assert () == store.similar_ids("video_001")
