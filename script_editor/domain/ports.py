"""What the use cases need from the outside: a store, and something that turns words into a plan."""

# Nothing here looks at a value: the types are named in signatures, and an edit needs neither batches nor chats.
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from script_editor.domain.batches import (
        Batch,
        BatchState,
        Bounds,
        Ending,
        Item,
        ItemState,
        Job,
        Permit,
        Recipe,
        Tally,
        Target,
        Wait,
        Worker,
    )
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

    def reject_proposal(self, proposal_id: str, *, decided_by: str, reason: str = "") -> Proposal:
        """Close an open proposal without saving it. Raises ProposalNotFound, ProposalClosed."""

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


class BatchStore(Protocol):
    """Batches, their items, their workers and what they may take, in the same database as the scripts.

    Each method is one transaction. Reading a batch that is not there raises BatchNotFound.
    """

    # --- planning ----------------------------------------------------------------------------

    def create_batch(self, recipe: Recipe, jobs: Iterable[Job], *, target: Target, bounds: Bounds) -> Batch:
        """Store a plan with all its items, in one transaction and in chunks, and return it ("planned").

        Raises:
            BadInput: a script is named twice, or a text cannot be stored.
            ScriptNotFound, ScriptArchived, VersionNotFound: an item is about a text that is not there.
        """

    def settled_keys(self, keys: Sequence[str]) -> frozenset[str]:
        """Return those of `keys` whose work was done before, in any batch, by an item that is SETTLED."""

    def versions_of(self, script_ids: Sequence[str]) -> Mapping[str, VersionInfo]:
        """Return the head of each script without its text; one that is not there or archived is left out."""

    # --- reading -----------------------------------------------------------------------------

    def batch(self, batch_id: str) -> Batch:
        """Return one batch."""

    def batches(self, *, limit: int | None = None) -> tuple[Tally, ...]:
        """Return all batches with their counts, newest first."""

    def tally(self, batch_id: str) -> Tally:
        """Return where a batch stands; as fast with 100,000 items as with 1,000."""

    def item(self, batch_id: str, seq: int) -> Item:
        """Return one item. Raises NotFound."""

    def items(
        self,
        batch_id: str,
        *,
        states: Collection[ItemState] | None = None,
        after: int = 0,
        changed_since: datetime | None = None,
        limit: int | None = None,
    ) -> tuple[Item, ...]:
        """Return items by their number, those above `after`; `states` None means all.

        With `changed_since` only those that changed at that moment or later, in the order of change.
        """

    # --- the life of a batch -----------------------------------------------------------------

    def set_state(self, batch_id: str, state: BatchState, *, reason: str = "") -> Batch:
        """Move a batch to `state`; a "cancelled" one only to "running". "done" is refused while items are open."""

    def set_bounds(self, batch_id: str, *, target: Target, bounds: Bounds) -> Batch:
        """Let a batch that is not over take more or less, or save instead of propose, from now on."""

    def reopen(self, batch_id: str, states: Collection[ItemState]) -> tuple[Item, ...]:
        """Queue the items in `states` again, each with its next attempt, and return them.

        A "conflict" is taken up over the script's head as it is now; over another text than it was planned for it
        is other work, and its key becomes "", which `settled_keys` never finds.
        """

    def cancel_open(self, batch_id: str) -> int:
        """Make every item that is not over "cancelled", and return how many; the engine stops those that run."""

    def requeue_cancelled(self, batch_id: str) -> None:
        """Queue cancelled items again, on the attempt they were in: what was finished of them is not repeated."""

    # --- one item ----------------------------------------------------------------------------

    def begin_item(self, batch_id: str, seq: int, attempt: int, *, worker_id: str) -> Item:
        """Mark an item as "running" and return it; one that is over, or on another attempt, comes back as it is."""

    def end_item(self, connection: object, batch_id: str, seq: int, attempt: int, ending: Ending) -> Item:
        """Write what an attempt came to, inside the transaction of `connection`, which only the engine can make.

        An item that is over, or on another attempt, stays as it is. Otherwise its run, its refused replies and
        its result are written in one go: with target "apply" and a clean result a version, else an open proposal.
        Where the script's head is no longer the base, the state becomes "conflict"; what was made is kept as a
        proposal. (batch, item, attempt) is unique among versions and among proposals: nothing is applied twice.
        What cannot be saved for another reason, a lock that was set meanwhile or a script that was archived, makes
        it "failed", with a proposal where one can be kept. Errors of the database pass unchanged: the engine knows
        which of them mean that the transaction is to be repeated.
        """

    def orphans(self, *, silent_seconds: float, gone: Collection[str] = ()) -> tuple[tuple[Item, str], ...]:
        """Return running items, each with its worker, whose worker is not there or silent for so long.

        `gone` are workers that are known to be gone, whatever they said last.
        """

    def count_crash(self, batch_id: str, seq: int, *, worker_id: str, max_crashes: int) -> Item:
        """Note that the worker that ran an item is gone: the item is queued again, or "dead" after too many.

        Counted once for each worker that is gone, however many ask.
        """

    # --- workers -----------------------------------------------------------------------------

    def register_worker(self, worker_id: str, *, host: str, pid: int) -> None:
        """Note that a worker has begun."""

    def beat(self, worker_id: str) -> None:
        """Note a sign of life, by the clock of the store."""

    def forget_worker(self, worker_id: str) -> None:
        """Note that a worker has ended in order: what it was at is queued again and is no crash, its calls are spent."""

    def workers(self, *, silent_seconds: float) -> tuple[Worker, ...]:
        """Return the workers that gave a sign of life within that time."""

    # --- what may be taken -------------------------------------------------------------------

    def take_permit(
        self, batch_id: str, seq: int, *, service: str, worker_id: str, tokens: int, cost: float
    ) -> Permit | Wait:
        """Ask for one model call of about `tokens` (sent and received) and `cost`, in one atomic step.

        Requests and tokens per minute are counted for `service` (address and model) by all workers together,
        money for the batch, in flight included. A call that is bigger than the whole minute or budget waits until
        nothing else is counted, and is let through then, but never past the budget.
        """

    def settle_permit(self, permit_id: str, *, tokens: int | None, cost: float | None) -> None:
        """Put what a call really took in the place of the estimate; None leaves the estimate."""

    def release_permits(self, worker_id: str) -> None:
        """Count the calls that a lost worker was making as spent: nobody knows whether they were answered."""

    def hold_off(self, service: str, seconds: float) -> None:
        """Let nobody call `service` for so long, because it said so."""
