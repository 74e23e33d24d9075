"""The hash chain: each version's hash covers its own fields and the hash before it.

It finds accidents and edits made behind the program's back. It is no signature: who can write the
database can also compute a new chain.
"""

import hashlib
import json
from datetime import UTC, datetime

from script_editor.store.schema.scripts import VersionRow

CHAIN_RULES = "1"
"""The name of the rules in this module, as stored in `store_meta` when a store is made."""

_BEFORE_THE_FIRST = "0" * 64
# Token counts, run, proposal and request ids stay out: they may be pruned, or differ after an import.
_FIELDS = (
    "script_id", "number", "parent_number", "restored_number", "content_hash", "created_at", "author",
    "source", "format", "file", "instruction", "message", "model",
)  # fmt: skip


def chain_hash(row: VersionRow, *, previous: str | None) -> str:
    """Return the chain hash that `row` must have after `previous` (None for version 1)."""
    record = {field: _plain(getattr(row, field)) for field in _FIELDS}
    canonical = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    text = f"{previous or _BEFORE_THE_FIRST}\n{canonical}"
    # A file name may hold bytes that are no UTF-8, which Python keeps as halves of surrogate pairs.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: object) -> object:
    # Not str(): it drops the microseconds when they are zero.
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value
