"""Names of scripts and versions as people type them."""

from datetime import UTC, date, datetime

import pytest

from script_editor.domain.references import (
    Reference,
    Selector,
    parse_reference,
    parse_selector,
    parse_version,
    select,
)
from script_editor.domain.script import FileForm, Provenance, VersionInfo, canonical_id
from script_editor.errors import BadReference, BadScriptId, VersionNotFound


def version(number: int, day: int) -> VersionInfo:
    return VersionInfo(
        script_id="v", number=number, parent_number=number - 1 or None, restored_number=None, content_hash="",
        chain_hash="", created_at=datetime(2026, 11, day, 12, tzinfo=UTC), source="edit", format="text",
        file=FileForm(), provenance=Provenance(author="a"),
    )  # fmt: skip


HISTORY = tuple(version(number, day) for number, day in [(4, 22), (3, 20), (2, 20), (1, 19)])


@pytest.mark.parametrize(
    ("raw", "reference"),
    [
        ("video_001", Reference("video_001", Selector())),
        (" Video_001@v3 ", Reference("video_001", Selector(number=3))),
        ("video_001@3", Reference("video_001", Selector(number=3))),
        ("video_001@prev", Reference("video_001", Selector(steps_back=1))),
        ("video_001@v3~1", Reference("video_001", Selector(number=3, steps_back=1))),
        ("video_001@head~2", Reference("video_001", Selector(steps_back=2))),
        ("第一集@2026-11-20", Reference("第一集", Selector(day=date(2026, 11, 20)))),
        ("video_001.en", Reference("video_001.en", Selector())),
    ],
)
def test_reference_is_read(raw: str, reference: Reference) -> None:
    assert parse_reference(raw) == reference


@pytest.mark.parametrize(
    "raw", ["video_001@", "video_001@latest", "video_001@v0", "video_001@-1", "video_001@v1@v2"]
)
def test_a_selector_that_names_nothing_is_refused(raw: str) -> None:
    with pytest.raises(BadReference):
        parse_reference(raw)


@pytest.mark.parametrize(
    ("raw", "number"),
    [("head", 4), ("prev", 3), ("v2", 2), ("v4~3", 1), ("2026-11-20", 3)],
)
def test_selector_picks_one_version(raw: str, number: int) -> None:
    assert select("v", parse_selector(raw, "v"), HISTORY) == number


@pytest.mark.parametrize("raw", ["v5", "v1~1", "2026-11-21"])
def test_a_version_that_is_not_there_is_named(raw: str) -> None:
    with pytest.raises(VersionNotFound) as caught:
        select("v", parse_selector(raw, "v"), HISTORY)

    assert raw in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "canonical"),
    [
        ("video_001", "video_001"),
        ("ＶＩＤＥＯ_001 ", "video_001"),
        ("第一集", "第一集"),
        ("cafe\u0301", "café"),
        ("วิดีโอ", "วิดีโอ"),
        ("a-b.zh-Hant", "a-b.zh-hant"),
    ],
)
def test_one_id_has_one_spelling(raw: str, canonical: str) -> None:
    assert canonical_id(raw) == canonical
    assert canonical_id(canonical) == canonical


@pytest.mark.parametrize(
    "raw",
    [
        "",
        " ",
        "../x",
        "a/b",
        "a.b.c",
        ".en",
        "a.",
        "_a",
        "-a",
        "a b",
        "a\0",
        "a@b",
        "a%",
        "x" * 65,
        "a.toolong1",
    ],
)
def test_what_could_be_a_path_or_a_pattern_is_no_id(raw: str) -> None:
    with pytest.raises(BadScriptId):
        canonical_id(raw)


@pytest.mark.parametrize("raw", ["prev", "@prev", "video_003@prev", "VIDEO_003@prev", " video_003@prev "])
def test_a_version_of_a_script_may_be_named_with_the_script(raw: str) -> None:
    assert parse_version(raw, "video_003") == Selector(steps_back=1)


@pytest.mark.parametrize("raw", ["video_001@v1", "@", "video_003@", "video_003", "x", "@@v1", "video_003@x"])
def test_what_names_no_version_of_it_is_refused_with_forms_for_this_script(raw: str) -> None:
    with pytest.raises(BadReference) as refused:
        parse_version(raw, "video_003")

    assert "video_003@v3" in refused.value.hint and "video_001" not in refused.value.hint
