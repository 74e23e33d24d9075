"""What batches need from the store, apart from `ports`: an edit of one script knows nothing of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

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
from script_editor.domain.script import VersionInfo


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

    def count_crash(
        self, batch_id: str, seq: int, *, worker_id: str, max_crashes: int, reason: str = ""
    ) -> Item:
        """Note that the worker that ran an item is gone: the item is queued again, or "dead" after too many.

        Counted once for each worker that is gone, however many ask. `reason` is what kept a worker that lives from
        the item, "" when it is gone.
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
