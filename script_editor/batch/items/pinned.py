"""The store as one item sees it: one script, at the version it was planned for, and nobody writes.

What an edit asks for is answered from versions, which never change, and from locks that were read once, so a
replay is answered the same. What an edit would write is collected, for the item's last transaction.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import NoReturn

from script_editor.domain.chats import Chat, ChatMessage, Speaker
from script_editor.domain.findings import Finding
from script_editor.domain.locks import Lock, LockKind
from script_editor.domain.ports import ScriptStore
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
from script_editor.errors import ProposalNotFound, ScriptNotFound, VersionNotFound

_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
_ID_CHARS = 8


@dataclass
class Collected:
    """What an edit would have written, in its order."""

    proposals: list[Proposal] = field(default_factory=list)
    refusals: list[RefusedReply] = field(default_factory=list)
    steps: list[StepRecord] = field(default_factory=list)
    run: RunRecord | None = None

    @property
    def standing(self) -> Proposal | None:
        """The last proposal that was not taken back, None when there is none."""
        return next((one for one in reversed(self.proposals) if one.status == "pending"), None)


class PinnedStore(ScriptStore):
    """A `ScriptStore` that reads one script of another store up to a version, and writes nothing.

    `run_id` names the one run there is, and gives its proposals their ids, so that a replay calls them the same.
    `now` is the only clock: it stands in for the moments and durations that were measured in this process.
    """

    def __init__(
        self,
        store: ScriptStore,
        script_id: str,
        number: int,
        *,
        locks: tuple[Lock, ...],
        run_id: str,
        now: Callable[[], datetime],
    ):
        self._store, self._script_id, self._number = store, script_id, number
        self._locks, self._run_id, self._now = locks, run_id, now
        self.collected = Collected()

    @cached_property
    def _base(self) -> Version:
        return self._store.version(self._script_id, self._number)

    # --- reading -----------------------------------------------------------------------------

    def script(self, script_id: str) -> ScriptInfo:
        self._require(script_id)
        shown = self._store.script(script_id)
        return replace(shown, head_number=self._number, updated_at=self._base.created_at, archived_at=None)

    def scripts(
        self, *, query: str = "", after: str | None = None, limit: int | None = None
    ) -> tuple[ScriptInfo, ...]:
        only = self.script(self._script_id)
        is_asked_for = query.casefold() in f"{only.id}\n{only.title}".casefold()
        is_after = after is None or only.id > after
        return (only,) if is_asked_for and is_after and limit != 0 else ()

    def similar_ids(self, script_id: str, *, limit: int = 5) -> tuple[str, ...]:
        return (self._script_id,)[:limit]

    def head(self, script_id: str) -> Version:
        self._require(script_id)
        return self._base

    def heads(self, script_ids: Sequence[str]) -> tuple[Version, ...]:
        return (self.head(self._script_id),) if self._script_id in script_ids else ()

    def version(self, script_id: str, number: int) -> Version:
        self._require(script_id)
        if number > self._number:
            raise VersionNotFound(script_id, number, head=self._number)
        return self._base if number == self._number else self._store.version(script_id, number)

    def history(
        self, script_id: str, *, limit: int | None = None, before: int | None = None
    ) -> tuple[VersionInfo, ...]:
        self._require(script_id)
        end = self._number + 1
        return self._store.history(script_id, limit=limit, before=end if before is None else min(before, end))

    def locks(self, script_id: str) -> tuple[Lock, ...]:
        self._require(script_id)
        return self._locks

    def proposal(self, proposal_id: str) -> Proposal:
        found = next((one for one in self.collected.proposals if one.id == proposal_id), None)
        if found is None:
            raise ProposalNotFound(proposal_id)
        return found

    def proposals(self, script_id: str | None = None, *, only_open: bool = True) -> tuple[Proposal, ...]:
        found = reversed(self.collected.proposals)
        return tuple(one for one in found if not only_open or one.status == "pending")

    def refusals(self, script_id: str, *, limit: int | None = None) -> tuple[RefusedReply, ...]:
        return tuple(reversed(self.collected.refusals))[:limit]

    def run(self, run_id: str) -> tuple[RunRecord, tuple[StepRecord, ...]]:
        assert self.collected.run is not None, "an item has one run"
        return self.collected.run, tuple(self.collected.steps)

    def verify(self, *, deep: bool = True) -> tuple[str, ...]:
        return ()

    # --- what is collected -------------------------------------------------------------------

    def save_proposal(
        self,
        script_id: str,
        text: str,
        *,
        base_number: int,
        provenance: Provenance,
        findings: tuple[Finding, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> Proposal:
        self._require(script_id)
        made = Proposal(
            id=_proposal_id(self._run_id, len(self.collected.proposals) + 1),
            script_id=script_id,
            base_number=base_number,
            text=text,
            status="pending",
            provenance=provenance,
            created_at=self._now(),
            findings=findings,
            notes=notes,
        )
        self.collected.proposals.append(made)
        return made

    def reject_proposal(
        self, proposal_id: str, *, decided_by: str, reason: str = "", replaced_by: str | None = None
    ) -> Proposal:
        place = self.collected.proposals.index(self.proposal(proposal_id))
        closed = replace(self.collected.proposals[place], status="rejected", reason=reason)
        self.collected.proposals[place] = closed
        return closed

    def record_refusal(self, refused: RefusedReply) -> RefusedReply:
        kept = replace(refused, created_at=self._now())
        self.collected.refusals.append(kept)
        return kept

    def start_run(
        self, *, mode: str, model: str, input: str, script_id: str | None = None, chat_id: str | None = None
    ) -> RunRecord:
        assert self.collected.run is None, "an item has one run"
        run = RunRecord(
            id=self._run_id, mode=mode, model=model, input=input, started_at=self._now(), script_id=script_id
        )
        self.collected.run = run
        return run

    def record_step(self, step: StepRecord) -> None:
        self.collected.steps.append(replace(step, created_at=self._now(), duration_ms=None))

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
        run, _ = self.run(run_id)
        self.collected.run = replace(
            run,
            stop_reason=stop_reason,
            output=output,
            error=error,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            usage_known=usage_known,
            finished_at=self._now(),
        )
        return self.collected.run

    def _require(self, script_id: str) -> None:
        if script_id != self._script_id:
            raise ScriptNotFound(script_id, known=(self._script_id,))

    # --- what no item does -------------------------------------------------------------------

    def create(
        self, script_id: str, text: str, *, title: str = "", language: str = "und", format: str = "text",
        file: FileForm | None = None, source: Source = "import", provenance: Provenance,
        created_at: datetime | None = None, request_id: str | None = None,
    ) -> Version:  # fmt: skip
        _never("create a script")

    def append(
        self, script_id: str, text: str, *, expected_head: int, source: Source, provenance: Provenance,
        restored_number: int | None = None, proposal_id: str | None = None, file: FileForm | None = None,
        created_at: datetime | None = None, request_id: str | None = None,
    ) -> Version:  # fmt: skip
        _never("save a version")

    def add_lock(
        self, script_id: str, *, kind: LockKind, text: str, occurrences: int, since_number: int, author: str,
        note: str = "",
    ) -> Lock:  # fmt: skip
        _never("lock")

    def release_lock(self, lock_id: str, *, released_by: str) -> Lock:
        _never("unlock")

    def runs(
        self, *, script_id: str | None = None, chat_id: str | None = None, since: datetime | None = None,
        limit: int | None = None,
    ) -> tuple[RunRecord, ...]:  # fmt: skip
        _never("list runs")

    def run_costs(
        self, *, script_id: str | None = None, chat_id: str | None = None, since: datetime | None = None
    ) -> tuple[RunCost, ...]:
        _never("add up runs")

    def create_chat(self, *, name: str, author: str, script_id: str | None = None) -> Chat:
        _never("chat")

    def chat(self, chat_id: str) -> Chat:
        _never("chat")

    def chats(self, *, limit: int | None = None) -> tuple[Chat, ...]:
        _never("chat")

    def move_chat(self, chat_id: str, *, script_id: str | None = None, name: str | None = None) -> Chat:
        _never("chat")

    def say(
        self, chat_id: str, speaker: Speaker, content: str, *, run_id: str | None = None,
        facts: tuple[str, ...] = (), covers: int | None = None,
    ) -> ChatMessage:  # fmt: skip
        _never("chat")

    def messages(self, chat_id: str, *, after: int = 0) -> tuple[ChatMessage, ...]:
        _never("chat")


def _proposal_id(run_id: str, number: int) -> str:
    """Return an id in the form of all proposals."""
    rest = int.from_bytes(hashlib.sha256(f"{run_id}/{number}".encode()).digest(), "big")
    chars: list[str] = []
    for _ in range(_ID_CHARS):
        rest, place = divmod(rest, len(_ALPHABET))
        chars.append(_ALPHABET[place])
    return f"p-{''.join(chars)}"


def _never(what: str) -> NoReturn:
    raise AssertionError(f"An item of a batch has no way to {what}.")
