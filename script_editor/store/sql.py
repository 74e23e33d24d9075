"""The store that the program uses: each use case is one transaction on SQLite or PostgreSQL.

`SqlScriptStore` opens the transactions and checks what comes in; what happens inside is in `shelf`,
`versions`, `appending`, `locks`, `proposals`, `refusals`, `runs`, `chats` and `verify`. All but the first two are
imported by the methods that need them: the tables behind them take longer to build than a text to read.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import sqlalchemy as sa

from script_editor.domain.script import (
    FileForm,
    Proposal,
    Provenance,
    RefusedReply,
    RunCost,
    RunRecord,
    ScriptInfo,
    Source,
    StepRecord,
    Version,
    VersionInfo,
)
from script_editor.store import shelf, versions
from script_editor.store.blobs import pack
from script_editor.store.engine import database_url, is_sqlite, open_engine, reading, writing
from script_editor.store.files import find_file
from script_editor.store.migrate import prepare

if TYPE_CHECKING:
    from script_editor.domain.chats import Chat, ChatMessage, Speaker
    from script_editor.domain.findings import Finding
    from script_editor.domain.locks import Lock, LockKind
    from script_editor.domain.ports import ScriptStore


def open_store(path_or_url: str, *, create: bool) -> "SqlScriptStore":
    """Open the store at a path or a PostgreSQL address; close it when done.

    With `create`, a SQLite file that is missing is made, with the folders above it (open to their
    owner only). Tables on PostgreSQL are never made here.

    Raises:
        StoreUnusable: there is no store, or it cannot be reached, read or made.
        SchemaTooOld, SchemaTooNew: its tables are not those of this program; it was left untouched.
    """
    engine = open_engine(database_url(path_or_url))
    try:
        if is_sqlite(engine):
            find_file(Path(str(engine.url.database)), create=create)
        prepare(engine, create=create)
    except BaseException:
        engine.dispose()
        raise
    return SqlScriptStore(engine)


class SqlScriptStore:
    """A `ScriptStore` (see `domain.ports`, whose docstrings are the contract) over a prepared engine.

    It may be shared by threads. Used with `with`, it is closed at the end.
    """

    def __init__(self, engine: sa.Engine):
        self._engine = engine

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections. The store can still be used: it opens new ones."""
        self._engine.dispose()

    def create(
        self,
        script_id: str,
        text: str,
        *,
        title: str = "",
        language: str = "und",
        format: str = "text",
        file: FileForm | None = None,
        source: Source = "import",
        provenance: Provenance,
        created_at: datetime | None = None,
        request_id: str | None = None,
    ) -> Version:
        """Store a new script with `text` as version 1."""
        from script_editor.store import appending

        draft = appending.Draft(
            content=pack(text),
            source=source,
            provenance=provenance,
            created_at=created_at,
            request_id=request_id,
        )
        with writing(self._engine) as session:
            return appending.create(
                session,
                script_id,
                draft,
                title=title,
                language=language,
                format=format,
                file=file or FileForm(),
            )

    def append(
        self,
        script_id: str,
        text: str,
        *,
        expected_head: int,
        source: Source,
        provenance: Provenance,
        restored_number: int | None = None,
        proposal_id: str | None = None,
        file: FileForm | None = None,
        created_at: datetime | None = None,
        request_id: str | None = None,
    ) -> Version:
        """Add `text` as the version after `expected_head`."""
        from script_editor.store import appending

        draft = appending.Draft(
            content=pack(text),
            source=source,
            provenance=provenance,
            restored_number=restored_number,
            proposal_id=proposal_id,
            file=file,
            created_at=created_at,
            request_id=request_id,
        )
        with writing(self._engine) as session:
            return appending.append(session, script_id, draft, expected_head=expected_head)

    def script(self, script_id: str) -> ScriptInfo:
        """Return the shelf entry, of an archived script too."""
        with reading(self._engine) as session:
            return shelf.info(shelf.find(session, script_id))

    def scripts(
        self, *, query: str = "", after: str | None = None, limit: int | None = None
    ) -> tuple[ScriptInfo, ...]:
        """Return scripts by id, in code point order, archived ones left out."""
        with reading(self._engine) as session:
            return shelf.entries(session, query=query, after=after, limit=limit)

    def similar_ids(self, script_id: str, *, limit: int = 5) -> tuple[str, ...]:
        """Return ids that exist, nearest in spelling first."""
        with reading(self._engine) as session:
            return shelf.similar_ids(session, script_id, limit=limit)

    def head(self, script_id: str) -> Version:
        """Return the newest version with its text."""
        with reading(self._engine) as session:
            return versions.read(session, script_id, None)

    def heads(self, script_ids: Sequence[str]) -> tuple[Version, ...]:
        """Return the newest version of each of these scripts with its text, by id."""
        with reading(self._engine) as session:
            return versions.heads(session, script_ids)

    def version(self, script_id: str, number: int) -> Version:
        """Return version `number` with its text."""
        with reading(self._engine) as session:
            return versions.read(session, script_id, number)

    def history(
        self, script_id: str, *, limit: int | None = None, before: int | None = None
    ) -> tuple[VersionInfo, ...]:
        """Return versions without their texts, newest first."""
        with reading(self._engine) as session:
            return versions.history(session, script_id, limit=limit, before=before)

    def save_proposal(
        self,
        script_id: str,
        text: str,
        *,
        base_number: int,
        provenance: Provenance,
        findings: "tuple[Finding, ...]" = (),
        notes: tuple[str, ...] = (),
    ) -> Proposal:
        """Keep `text` as an open proposal over `base_number`, with what the guards said."""
        from script_editor.store import proposals

        content = pack(text)
        with writing(self._engine) as session:
            return proposals.save(
                session,
                script_id,
                content,
                base_number=base_number,
                provenance=provenance,
                findings=findings,
                notes=notes,
            )

    def proposal(self, proposal_id: str) -> Proposal:
        """Return one proposal with its text."""
        from script_editor.store import proposals

        with reading(self._engine) as session:
            return proposals.read(session, proposal_id)

    def proposals(self, script_id: str | None = None, *, only_open: bool = True) -> tuple[Proposal, ...]:
        """Return proposals with their texts, newest first."""
        from script_editor.store import proposals

        with reading(self._engine) as session:
            return proposals.listed(session, script_id, only_open=only_open)

    def reject_proposal(
        self, proposal_id: str, *, decided_by: str, reason: str = "", replaced_by: str | None = None
    ) -> Proposal:
        """Close an open proposal without saving it."""
        from script_editor.store import proposals

        with writing(self._engine) as session:
            return proposals.reject(
                session, proposal_id, decided_by=decided_by, reason=reason, replaced_by=replaced_by
            )

    def record_refusal(self, refused: RefusedReply) -> RefusedReply:
        """Keep an answer that was not taken, and give it an id."""
        from script_editor.store import refusals

        with writing(self._engine) as session:
            return refusals.record(session, refused)

    def refusals(self, script_id: str, *, limit: int | None = None) -> tuple[RefusedReply, ...]:
        """Return the answers that were not taken, the last one stored first."""
        from script_editor.store import refusals

        with reading(self._engine) as session:
            return refusals.listed(session, script_id, limit=limit)

    def locks(self, script_id: str) -> "tuple[Lock, ...]":
        """Return the locks that hold, oldest first."""
        from script_editor.store import locks

        with reading(self._engine) as session:
            shelf.find(session, script_id)
            return locks.active(session, script_id)

    def add_lock(
        self,
        script_id: str,
        *,
        kind: "LockKind",
        text: str,
        occurrences: int,
        since_number: int,
        author: str,
        note: str = "",
    ) -> "Lock":
        """Lock a text of the head, unless it is locked already."""
        from script_editor.store import locks

        with writing(self._engine) as session:
            return locks.add(
                session,
                script_id,
                kind=kind,
                text=text,
                occurrences=occurrences,
                since_number=since_number,
                author=author,
                note=note,
            )

    def release_lock(self, lock_id: str, *, released_by: str) -> "Lock":
        """Let a lock hold no longer; its row stays."""
        from script_editor.store import locks

        with writing(self._engine) as session:
            return locks.release(session, lock_id, released_by=released_by)

    def start_run(
        self, *, mode: str, model: str, input: str, script_id: str | None = None, chat_id: str | None = None
    ) -> RunRecord:
        """Record that a run has begun and give it an id."""
        from script_editor.store import runs

        with writing(self._engine) as session:
            return runs.start(
                session, mode=mode, model=model, input=input, script_id=script_id, chat_id=chat_id
            )

    def record_step(self, step: StepRecord) -> None:
        """Keep one step of a run."""
        from script_editor.store import runs

        with writing(self._engine) as session:
            runs.record_step(session, step)

    def finish_run(
        self,
        run_id: str,
        *,
        stop_reason: str,
        output: str | None,
        error: str | None,
        prompt_tokens: int,
        completion_tokens: int,
        usage_known: bool = True,
    ) -> RunRecord:
        """Close a run; one that is closed keeps its first ending."""
        from script_editor.store import runs

        with writing(self._engine) as session:
            return runs.finish(
                session,
                run_id,
                stop_reason=stop_reason,
                output=output,
                error=error,
                prompt_tokens=prompt_tokens,
                completion_tokens=completion_tokens,
                usage_known=usage_known,
            )

    def run(self, run_id: str) -> tuple[RunRecord, tuple[StepRecord, ...]]:
        """Return a run and its steps in order."""
        from script_editor.store import runs

        with reading(self._engine) as session:
            return runs.read(session, run_id)

    def runs(
        self,
        *,
        script_id: str | None = None,
        chat_id: str | None = None,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> tuple[RunRecord, ...]:
        """Return runs without their steps, newest first."""
        from script_editor.store import runs

        with reading(self._engine) as session:
            return runs.listed(session, script_id=script_id, chat_id=chat_id, since=since, limit=limit)

    def run_costs(
        self, *, script_id: str | None = None, chat_id: str | None = None, since: datetime | None = None
    ) -> tuple[RunCost, ...]:
        """Return what each run took, newest first, none of its texts."""
        from script_editor.store import runs

        with reading(self._engine) as session:
            return runs.costs(session, script_id=script_id, chat_id=chat_id, since=since)

    def create_chat(self, *, name: str, author: str, script_id: str | None = None) -> "Chat":
        """Begin a chat."""
        from script_editor.store import chats

        with writing(self._engine) as session:
            return chats.create(session, name=name, author=author, script_id=script_id)

    def chat(self, chat_id: str) -> "Chat":
        """Return a chat by its id or its name."""
        from script_editor.store import chats

        with reading(self._engine) as session:
            return chats.read(session, chat_id)

    def chats(self, *, limit: int | None = None) -> "tuple[Chat, ...]":
        """Return chats, the one that was used last first."""
        from script_editor.store import chats

        with reading(self._engine) as session:
            return chats.listed(session, limit=limit)

    def move_chat(self, chat_id: str, *, script_id: str | None = None, name: str | None = None) -> "Chat":
        """Let a chat be about another script, or have another name."""
        from script_editor.store import chats

        with writing(self._engine) as session:
            return chats.move(session, chat_id, script_id=script_id, name=name)

    def say(
        self,
        chat_id: str,
        speaker: "Speaker",
        content: str,
        *,
        run_id: str | None = None,
        facts: tuple[str, ...] = (),
        covers: int | None = None,
    ) -> "ChatMessage":
        """Keep one message as the next of its chat."""
        from script_editor.store import chats

        with writing(self._engine) as session:
            return chats.say(session, chat_id, speaker, content, run_id=run_id, facts=facts, covers=covers)

    def messages(self, chat_id: str, *, after: int = 0) -> "tuple[ChatMessage, ...]":
        """Return the messages of a chat numbered above `after`, oldest first."""
        from script_editor.store import chats

        with reading(self._engine) as session:
            return chats.messages(session, chat_id, after=after)

    def verify(self, *, deep: bool = True) -> tuple[str, ...]:
        """Walk every chain; return one sentence per problem."""
        from script_editor.store import verify

        with reading(self._engine) as session:
            return tuple(verify.problems(session, deep=deep))


if TYPE_CHECKING:
    _fulfils: type[ScriptStore] = SqlScriptStore
