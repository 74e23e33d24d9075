"""What the use cases need from the outside: a store, and something that turns words into a plan."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from script_editor.domain.chats import Chat, ChatMessage, Speaker
from script_editor.domain.findings import Finding
from script_editor.domain.locks import Lock, LockKind
from script_editor.domain.operations import Constraints, Rewrite
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
from script_editor.domain.segments import NumberedScript


class ScriptStore(Protocol):
    """Append-only versions of scripts, with their locks, proposals, refused replies and the runs that made them.

    Ids given here are canonical. Every write is one transaction and names the head it was based
    on. Reading a script that is not there raises ScriptNotFound, a version VersionNotFound.
    """

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
        """Store a new script with `text` as version 1.

        `created_at` is given only for history that is imported with its dates. A known `request_id`
        of this script returns the version it wrote before.

        Raises:
            ScriptExists: the id is taken (archived scripts included).
            BadText, TooLarge: see `check_text`.
            StoreFull: nothing was written.
        """

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
        """Add `text` as the version after `expected_head`; `format` is copied from it, and `file` unless given.

        A text equal to the head's is stored as well: whether that is wanted is the caller's rule.
        A known `request_id` of this script returns the version it wrote before, whatever the head.
        With `proposal_id` the proposal is marked accepted in the same transaction.
        Locks hold against every source but "revert", "undo" and "redo": what a person brings back may
        lack them. They ask for no more than what stood in the head.

        Raises:
            StaleHead: the head is not `expected_head`.
            EditRefused: "locked_changed" when `text` lacks what is locked.
            ScriptNotFound, ScriptArchived: there is nothing to write to.
            ProposalNotFound, ProposalClosed: `proposal_id` is not an open proposal of this script.
            BadText, TooLarge, StoreFull: nothing was written.
        """

    def script(self, script_id: str) -> ScriptInfo:
        """Return the shelf entry."""

    def scripts(
        self, *, query: str = "", after: str | None = None, limit: int | None = None
    ) -> tuple[ScriptInfo, ...]:
        """Return scripts by id, ascending, archived ones left out.

        `query` keeps those whose id or title contains it (case-insensitive, a literal text);
        `after` is the last id of the page before; `limit` None returns all.
        """

    def similar_ids(self, script_id: str, *, limit: int = 5) -> tuple[str, ...]:
        """Return ids that exist, nearest in spelling first, to help someone who mistyped one."""

    def head(self, script_id: str) -> Version:
        """Return the newest version with its text."""

    def heads(self, script_ids: Sequence[str]) -> tuple[Version, ...]:
        """Return the newest version of each of these scripts with its text, by id; one that is not there is left out.

        Many are read at once: for a search, which looks into all of them.
        """

    def version(self, script_id: str, number: int) -> Version:
        """Return version `number` with its text."""

    def history(
        self, script_id: str, *, limit: int | None = None, before: int | None = None
    ) -> tuple[VersionInfo, ...]:
        """Return versions without their texts, newest first.

        `before` N starts below version N; `limit` None returns all.
        """

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
        """Keep `text` as an open proposal over `base_number`; the head is not touched.

        `findings` and `notes` are kept with it; in them U+FFFD stands for what no database keeps.
        """

    def proposal(self, proposal_id: str) -> Proposal:
        """Return one proposal with its text. Raises ProposalNotFound."""

    def proposals(self, script_id: str | None = None, *, only_open: bool = True) -> tuple[Proposal, ...]:
        """Return proposals with their texts, newest first."""

    def reject_proposal(
        self, proposal_id: str, *, decided_by: str, reason: str = "", replaced_by: str | None = None
    ) -> Proposal:
        """Close an open proposal without saving it. Raises ProposalNotFound, ProposalClosed.

        `replaced_by` is an open one that a person made of it: where an item of a batch left this one, that one is its
        own from then on.
        """

    def record_refusal(self, refused: RefusedReply) -> RefusedReply:
        """Keep an answer that was not taken and return it as it was kept, with its id.

        In a model's words U+FFFD stands for what no database keeps; a very long reply is cut and says so.

        Raises:
            NotFound: the script, the version or the run is not there.
        """

    def refusals(self, script_id: str, *, limit: int | None = None) -> tuple[RefusedReply, ...]:
        """Return the answers that were not taken, the last one stored first; `limit` None returns all."""

    def locks(self, script_id: str) -> tuple[Lock, ...]:
        """Return the locks that hold, oldest first; each has its id."""

    def add_lock(
        self,
        script_id: str,
        *,
        kind: LockKind,
        text: str,
        occurrences: int,
        since_number: int,
        author: str,
        note: str = "",
    ) -> Lock:
        """Lock a text that was found `occurrences` times in the head, which is `since_number`.

        A lock of that kind and text that holds already is returned as it is.

        Raises:
            StaleHead: the head is another one by now; nothing was locked.
            BadInput: the text or the note cannot be stored.
            ScriptNotFound, ScriptArchived.
        """

    def release_lock(self, lock_id: str, *, released_by: str) -> Lock:
        """Let a lock hold no longer; its row stays. Raises NotFound when it is not there or does not hold."""

    def start_run(
        self, *, mode: str, model: str, input: str, script_id: str | None = None, chat_id: str | None = None
    ) -> RunRecord:
        """Record that a run has begun and give it an id; see RunRecord for what it was about."""

    def record_step(self, step: StepRecord) -> None:
        """Keep one step of a run; a step is never changed."""

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
        """Close a run: status follows from `stop_reason` ("finished" and "returned_directly" are done,
        "cancelled" and "declined" cancelled, all else failed). `usage_known` is False when it took more tokens.
        """

    def run(self, run_id: str) -> tuple[RunRecord, tuple[StepRecord, ...]]:
        """Return a run and its steps in order. Raises NotFound."""

    def runs(
        self,
        *,
        script_id: str | None = None,
        chat_id: str | None = None,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> tuple[RunRecord, ...]:
        """Return runs without their steps, newest first; `since` leaves out those that started before it."""

    def run_costs(
        self, *, script_id: str | None = None, chat_id: str | None = None, since: datetime | None = None
    ) -> tuple[RunCost, ...]:
        """Return what each run took, newest first, none of its texts; see `runs`."""

    def create_chat(self, *, name: str, author: str, script_id: str | None = None) -> Chat:
        """Begin a chat. Raises BadInput when an open chat has the name already."""

    def chat(self, chat_id: str) -> Chat:
        """Return a chat by its id or its name. Raises ChatNotFound."""

    def chats(self, *, limit: int | None = None) -> tuple[Chat, ...]:
        """Return chats, the one that was used last first."""

    def move_chat(self, chat_id: str, *, script_id: str | None = None, name: str | None = None) -> Chat:
        """Let a chat be about another script, or have another name; None leaves what was. Raises ChatNotFound."""

    def say(
        self,
        chat_id: str,
        speaker: Speaker,
        content: str,
        *,
        run_id: str | None = None,
        facts: tuple[str, ...] = (),
        covers: int | None = None,
    ) -> ChatMessage:
        """Keep one message as the next of its chat. Raises ChatNotFound."""

    def messages(self, chat_id: str, *, after: int = 0) -> tuple[ChatMessage, ...]:
        """Return the messages of a chat numbered above `after`, oldest first. Raises ChatNotFound."""

    def verify(self, *, deep: bool = True) -> tuple[str, ...]:
        """Walk every chain; return one sentence per problem, none when all is well.

        Checks: numbers dense from 1, chain hashes, head columns equal to the last version, every
        text present; `deep` also decodes every text and compares its hash and size.
        """


class Rewriter(Protocol):
    """Turns an instruction into a plan for one script. Implemented by a model and by the offline grammar."""

    def __call__(self, script: NumberedScript, instruction: str, constraints: Constraints) -> Rewrite:
        """Return the plan and what it cost.

        Raises:
            EditRefused: nothing usable came back within the allowed retries, or the target is not there.
            SetupError, ModelFailure: see errors.py.
        """
