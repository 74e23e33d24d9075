"""The sample scripts: twelve videos, some with a history to look at, compare and revert.

Each folder of `seeds/` holds `script.yaml` (title, language, versions with date, author and
instruction) and one file per version. Loading goes on where an interrupted load stopped and never
touches a script that went its own way.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import FileForm, Provenance, Source, VersionInfo, check_text
from script_editor.errors import BadFile, ScriptArchived, ScriptExists, ScriptNotFound, StaleHead
from script_editor.formats.encoding import decode


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of one sample: how many versions were added to how many there are."""

    script_id: str
    added: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    text: str
    suffix: str
    source: Source
    restores: int | None
    created_at: datetime
    provenance: Provenance


def load_seeds(store: ScriptStore, folder: Path) -> Iterator[Loaded]:
    """Load every sample below `folder`, one at a time, in the order of ids.

    Raises BadFile when a sample cannot be read; the ones before it stay loaded.
    """
    for path in sorted(folder.glob("*/script.yaml")):
        yield _load(store, path)


def _load(store: ScriptStore, path: Path) -> Loaded:
    script_id = path.parent.name
    about = _read_yaml(path)
    try:
        entries = [_entry(path.parent, row) for row in about["versions"]]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadFile(f"{path} cannot be used: {type(error).__name__}: {error}.") from error
    added = 0
    try:
        for number in range(_known(store, script_id, entries) + 1, len(entries) + 1):
            _write(store, script_id, about, number, entries[number - 1])
            added += 1
    except (ScriptExists, StaleHead, ScriptArchived):
        pass  # another process loads the same samples, or a person is at work on this one: leave it to them
    return Loaded(script_id, added, len(entries))


def _read_yaml(path: Path) -> Mapping[str, Any]:
    import yaml  # late: only this command reads YAML

    try:
        about = yaml.safe_load(path.read_text(encoding="utf-8"))
        if not isinstance(about, dict) or not isinstance(about.get("versions"), list):
            raise BadFile(f"{path} has no list of versions.")
        if not {"title", "language"} <= about.keys():
            raise BadFile(f"{path} lacks a title or a language.")
    except (OSError, yaml.YAMLError) as error:
        raise BadFile(f"{path} cannot be read: {error}.") from error
    return about


def _entry(folder: Path, row: Mapping[str, Any]) -> _Entry:
    text, _ = decode((folder / str(row["file"])).read_bytes(), name=str(row["file"]))
    check_text(text)
    created_at = (
        row["date"] if isinstance(row["date"], datetime) else datetime.fromisoformat(str(row["date"]))
    )
    if created_at.tzinfo is None or row["source"] not in get_args(Source):
        raise ValueError("a version needs a date with a zone, and a source that there is")
    return _Entry(
        text=text,
        suffix=Path(str(row["file"])).suffix,
        source=row["source"],
        restores=row.get("restores"),
        created_at=created_at.astimezone(UTC),
        provenance=Provenance(
            author=str(row["author"]), instruction=row.get("instruction"), message=str(row.get("message", ""))
        ),
    )


def _known(store: ScriptStore, script_id: str, entries: Sequence[_Entry]) -> int:
    """Return how many versions are there already; all of them when the script went its own way."""
    try:
        history: tuple[VersionInfo, ...] = store.history(script_id)
    except ScriptNotFound:
        return 0
    stored = [(version.created_at, version.source) for version in reversed(history)]
    planned = [(entry.created_at, entry.source) for entry in entries]
    return len(history) if planned[: len(stored)] == stored else len(entries)


def _write(store: ScriptStore, script_id: str, about: Mapping[str, Any], number: int, entry: _Entry) -> None:
    if number == 1:
        store.create(
            script_id,
            entry.text,
            title=str(about["title"]),
            language=str(about["language"]),
            file=FileForm(name=script_id + entry.suffix),
            source=entry.source,
            provenance=entry.provenance,
            created_at=entry.created_at,
        )
        return
    store.append(
        script_id,
        entry.text,
        expected_head=number - 1,
        source=entry.source,
        restored_number=entry.restores,
        provenance=entry.provenance,
        created_at=entry.created_at,
    )
