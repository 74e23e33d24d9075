"""Texts, each kept once: compressed, and named by the SHA-256 of its UTF-8 form."""

import hashlib
import zlib
from dataclasses import dataclass

import sqlalchemy as sa
from sqlmodel import Session

from script_editor.domain.script import check_text
from script_editor.errors import StoreDamaged
from script_editor.store.schema.scripts import BlobRow

_LEVEL = 6  # of zlib; 9 takes three times as long for one percent

# The same words on both databases, where SQLAlchemy has a construct for each.
_INSERT_UNLESS_KNOWN = sa.text(
    "INSERT INTO blob (hash, codec, size, depth, data) VALUES (:hash, 'zlib', :size, 0, :data) "
    "ON CONFLICT (hash) DO NOTHING"
)


@dataclass(frozen=True, slots=True)
class Content:
    """A text that is ready to be stored: its hash, its size in UTF-8, its compressed form."""

    text: str
    hash: str
    size_bytes: int
    compressed: bytes


def pack(text: str) -> Content:
    """Return `text` ready to be stored. Slow for a long text: call it before a write lock is taken.

    Raises:
        BadText, TooLarge: see `check_text`.
    """
    check_text(text)
    raw = text.encode("utf-8")
    return Content(text, hashlib.sha256(raw).hexdigest(), len(raw), zlib.compress(raw, _LEVEL))


def keep(session: Session, content: Content) -> None:
    """Store a text unless it is there already."""
    values = {"hash": content.hash, "size": content.size_bytes, "data": content.compressed}
    session.connection().execute(_INSERT_UNLESS_KNOWN, values)


def text_of(blob: BlobRow) -> str:
    """Return the text of a stored row, exactly as it was given.

    Raises:
        StoreDamaged: the row does not hold the text that its hash and size promise.
    """
    if blob.codec != "zlib" or blob.data is None:
        raise StoreDamaged(
            f"Text {blob.hash[:12]} is stored as {blob.codec!r}, which this program cannot read."
        )
    try:
        raw = zlib.decompress(blob.data)
    except zlib.error as error:
        raise _damaged(blob) from error
    if len(raw) != blob.size or hashlib.sha256(raw).hexdigest() != blob.hash:
        raise _damaged(blob)
    return raw.decode("utf-8")


def _damaged(blob: BlobRow) -> StoreDamaged:
    return StoreDamaged(
        f"Text {blob.hash[:12]} is damaged: it is not the text that was stored.",
        hint="Every other text can still be read. Restore this one from a backup of the store.",
    )
