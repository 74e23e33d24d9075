"""How people name a version: `video_001`, `video_001@v3`, `@prev`, `@v3~1`, `@2026-11-20`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from script_editor.domain.script import VersionInfo, canonical_id
from script_editor.errors import BadReference, VersionNotFound
from script_editor.patterns import Pattern

_LONGEST = 40
_NUMBER = Pattern(r"v?0*([1-9][0-9]{0,8})", re.IGNORECASE)
_PARENT = Pattern(r"([^~]+)~([1-9][0-9]{0,3})?")


@dataclass(frozen=True, slots=True)
class Selector:
    """Which version of a script is meant: exactly one of the fields says it; all empty is the head.

    `steps_back` walks that many parents back from what the other field (or the head) names.
    """

    number: int | None = None
    day: date | None = None
    steps_back: int = 0

    def __str__(self) -> str:
        name = f"v{self.number}" if self.number else str(self.day or "head")
        return f"{name}~{self.steps_back}" if self.steps_back else name


@dataclass(frozen=True, slots=True)
class Reference:
    """A script and one of its versions."""

    script_id: str
    selector: Selector


def parse_reference(raw: str) -> Reference:
    """Return what `ID` or `ID@version` names. Raises BadScriptId, BadReference."""
    name, at, selector = raw.partition("@")
    script_id = canonical_id(name)
    return Reference(script_id, parse_selector(selector, script_id, raw) if at else Selector())


def parse_version(raw: str, script_id: str) -> Selector:
    """Return which version of a script `v3`, `@prev` or `ID@v3` names. Raises BadReference, also for another script."""
    name, at, selector = raw.strip().rpartition("@")
    if name and name.strip().casefold() != script_id:
        raise BadReference(raw[:_LONGEST], script_id=script_id)
    return parse_selector(selector, script_id, raw) if at else parse_selector(raw, script_id)


def parse_selector(raw: str, script_id: str, whole: str | None = None) -> Selector:
    """Return what `v3`, `3`, `head`, `prev`, `v3~1` or a day names. Raises BadReference naming `whole` and the script."""
    text = raw.strip()
    if len(text) > _LONGEST:
        raise BadReference((whole or raw)[:_LONGEST], script_id=script_id)
    parent = _PARENT.fullmatch(text)
    if parent:
        base = parse_selector(parent[1], script_id, whole or raw)
        return Selector(base.number, base.day, base.steps_back + int(parent[2] or 1))
    if text.lower() == "head":
        return Selector()
    if text.lower() == "prev":
        return Selector(steps_back=1)
    number = _NUMBER.fullmatch(text)
    if number:
        return Selector(number=int(number[1]))
    try:
        return Selector(day=date.fromisoformat(text))
    except ValueError as error:
        raise BadReference(whole or raw, script_id=script_id) from error


def select(script_id: str, selector: Selector, history: Sequence[VersionInfo]) -> int:
    """Return the version number that is meant; `history` holds all versions, newest first.

    A day means the last version of that day in the user's time zone. Raises VersionNotFound.
    """
    head = history[0].number
    by_number = {version.number: version for version in history}
    number: int | None = selector.number or head
    if selector.day is not None:
        number = next((v.number for v in history if v.created_at.astimezone().date() == selector.day), None)
    for _ in range(selector.steps_back):
        number = by_number[number].parent_number if number in by_number else None
    if number not in by_number or number is None:
        raise VersionNotFound(
            script_id, selector.number if not selector.steps_back and selector.number else selector, head=head
        )
    return number
