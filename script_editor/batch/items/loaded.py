"""What an item reads of a world that changes, once: the engine records it, and a replay sees the same."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, cast

from script_editor.batch.engine import Json
from script_editor.domain.locks import Lock
from script_editor.domain.ports import ScriptStore
from script_editor.llm.capabilities import Feature


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What an item reads of a world that changes, once, at `at`: which version it is about and which was the newest,
    the locks that hold, and what the service takes."""

    base_number: int
    head_number: int
    at: datetime
    is_archived: bool = False
    locks: tuple[Lock, ...] = ()
    features: frozenset[Feature] = frozenset()

    @classmethod
    def of(
        cls,
        store: ScriptStore,
        script_id: str,
        base_number: int,
        *,
        at: datetime,
        features: Collection[Feature],
    ) -> "Loaded":
        """Read it. Raises ScriptNotFound."""
        info = store.script(script_id)
        return cls(
            base_number=base_number,
            head_number=info.head_number,
            at=at,
            is_archived=info.archived_at is not None,
            locks=store.locks(script_id),
            features=frozenset(features),
        )

    def to_json(self) -> Json:
        """Return it as plain JSON values."""
        return {
            "base_number": self.base_number,
            "head_number": self.head_number,
            "at": self.at.isoformat(),
            "is_archived": self.is_archived,
            "locks": [asdict(lock) for lock in self.locks],
            "features": sorted(self.features),
        }

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Loaded":
        """Return what `to_json` wrote."""
        return cls(
            base_number=kept["base_number"],
            head_number=kept["head_number"],
            at=datetime.fromisoformat(kept["at"]),
            is_archived=kept["is_archived"],
            locks=tuple(Lock(**lock) for lock in kept["locks"]),
            features=frozenset(cast(Collection[Feature], kept["features"])),
        )
