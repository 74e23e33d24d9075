"""Where undo and redo go, whatever happened before."""

from datetime import UTC, datetime

import pytest

from script_editor.domain.script import FileForm, Provenance, Source, VersionInfo
from script_editor.domain.undo import track


def history(*entries: tuple[Source, int | None]) -> tuple[VersionInfo, ...]:
    versions = [
        VersionInfo(
            script_id="v", number=number, parent_number=number - 1 or None, restored_number=restored,
            content_hash="", chain_hash="", created_at=datetime(2026, 1, 1, tzinfo=UTC), source=source,
            format="text", file=FileForm(), provenance=Provenance(author="a"),
        )
        for number, (source, restored) in enumerate(entries, start=1)
    ]  # fmt: skip
    return tuple(reversed(versions))


IMPORT: tuple[Source, None] = ("import", None)
EDIT: tuple[Source, None] = ("edit", None)


@pytest.mark.parametrize(
    ("entries", "back", "forward"),
    [
        pytest.param([IMPORT], None, None, id="nothing happened"),
        pytest.param([IMPORT, EDIT, EDIT], 2, None, id="two edits"),
        pytest.param([IMPORT, EDIT, EDIT, ("undo", 2)], 1, 3, id="undo goes on to the edit before"),
        pytest.param([IMPORT, EDIT, EDIT, ("undo", 1)], None, 2, id="two steps at once"),
        pytest.param([IMPORT, EDIT, EDIT, ("undo", 2), ("redo", 3)], 2, None, id="redo goes forward again"),
        pytest.param([IMPORT, EDIT, ("undo", 1), EDIT], 1, None, id="another write ends redo"),
        pytest.param([IMPORT, EDIT, ("revert", 1)], 2, None, id="a revert is a change"),
        pytest.param([IMPORT, EDIT, ("undo", 1), EDIT, ("undo", 1)], None, 4, id="undo after a new branch"),
    ],
)
def test_track(entries: list[tuple[Source, int | None]], back: int | None, forward: int | None) -> None:
    here = track(history(*entries))

    assert (here.back(), here.forward()) == (back, forward)


def test_undone_changes_are_named_newest_first() -> None:
    assert track(history(IMPORT, EDIT, EDIT)).undone_by(2) == (3, 2)
