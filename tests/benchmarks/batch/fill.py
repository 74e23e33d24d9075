"""A program that makes a store and puts scripts into it: `fill.py ADDRESS COUNT`.

Nobody times it, so it goes past the mapper; what it makes is what `new` would have made. Each text names its
script, so that whoever is sent the text knows which one it is.
"""

import sys
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

import sqlalchemy as sa

from script_editor.domain.script import FileForm, utc_now
from script_editor.store.batches.plans import chunks
from script_editor.store.blobs import Content, pack
from script_editor.store.chain import chain_hash
from script_editor.store.engine import database_url, is_sqlite, open_engine, writing
from script_editor.store.migrate import upgrade
from script_editor.store.schema.scripts import BlobRow, ScriptRow, VersionRow
from script_editor.store.sql import open_store

AT_ONCE = 1000
TEXT = "This is the first line of {id}, really.\nAnd here is the second.\n"


def main(address: str, count: int) -> None:
    """Make the store, and so many scripts with one version each."""
    engine = open_engine(database_url(address))
    if is_sqlite(engine):
        open_store(address, create=True).close()
    else:
        upgrade(address)
    moment = utc_now()
    with writing(engine) as session:
        for numbers in chunks(range(count), AT_ONCE):
            _insert(session.connection(), [f"video_{number:06}" for number in numbers], moment)
    engine.dispose()


def _insert(connection: sa.Connection, ids: list[str], moment: datetime) -> None:
    contents = [pack(TEXT.format(id=id)) for id in ids]
    versions = [_version(id, content, moment) for id, content in zip(ids, contents, strict=True)]
    blobs = [
        {"hash": each.hash, "codec": "zlib", "size": each.size_bytes, "depth": 0, "data": each.compressed}
        for each in contents
    ]
    scripts = [
        {
            "id": version["script_id"], "title": "", "language": "en", "meta": {}, "head_number": 1,
            "head_hash": version["content_hash"], "head_chain": version["chain_hash"],
            "created_at": moment, "updated_at": moment,
        }
        for version in versions
    ]  # fmt: skip
    connection.execute(sa.insert(BlobRow), blobs)
    connection.execute(sa.insert(ScriptRow), scripts)
    connection.execute(sa.insert(VersionRow), versions)


def _version(id: str, content: Content, moment: datetime) -> dict[str, Any]:
    row = SimpleNamespace(
        script_id=id, number=1, parent_number=None, restored_number=None, content_hash=content.hash,
        created_at=moment, author="bench", source="import", format="text", file=FileForm().to_json(),
        instruction=None, message="", model=None,
    )  # fmt: skip
    return {**vars(row), "chain_hash": chain_hash(cast(VersionRow, row), previous=None)}


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
