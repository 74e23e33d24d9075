"""Versions held against each other: what changed, how much, and how long each one takes to say.

Apart from `app.scripts`, so that reading a text loads none of what compares two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from script_editor.domain.diff import Change, changes
from script_editor.domain.duration import estimate
from script_editor.domain.script import Version, VersionInfo

if TYPE_CHECKING:  # the protocol names every kind of edit; reading a history needs none of them
    from script_editor.domain.ports import ScriptStore


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions and what changed between them."""

    before: Version
    after: Version
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One version of a history; `change_count` is None for the first, which changed nothing.

    `seconds` is the estimated spoken time.
    """

    version: VersionInfo
    change_count: int | None
    seconds: float


def between(before: Version, after: Version) -> Comparison:
    """Return two versions with what changed from the one to the other."""
    return Comparison(before, after, changes(before.text, after.text))


def described(store: "ScriptStore", history: Sequence[VersionInfo]) -> tuple[HistoryEntry, ...]:
    """Return versions of a script, in the order given, each held against its parent; a text is read once."""
    texts: dict[int, str] = {}

    def text(version: VersionInfo, number: int) -> str:
        if number not in texts:
            texts[number] = store.version(version.script_id, number).text
        return texts[number]

    def change_count(version: VersionInfo) -> int | None:
        if version.parent_number is None:
            return None
        return len(changes(text(version, version.parent_number), text(version, version.number)))

    return tuple(
        HistoryEntry(version, change_count(version), estimate(text(version, version.number)).seconds)
        for version in history
    )
