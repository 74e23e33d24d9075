"""What batches need from the store, apart from `ports`: an edit of one script knows nothing of them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from script_editor.domain.batches import (
    Base,
    Batch,
    BatchState,
    Bounds,
    Change,
    Done,
    Ending,
    Item,
    ItemState,
    Job,
    Limits,
    Permit,
    Recipe,
    Results,
    Takeable,
    Tally,
    Target,
    Wait,
    Worker,
)


class BatchStore(Protocol):
    """Batches, their items, their workers and what they may take, in the same database as the scripts.

    Each method is one transaction. Reading a batch that is not there raises BatchNotFound.
    """

    def hurry(self, *, is_leaving: bool) -> None:
        """Wait for locks only shortly from now on, since the process wants to leave; or as long as before."""

    # --- planning ----------------------------------------------------------------------------

    def create_batch(self, recipe: Recipe, jobs: Iterable[Job], *, target: Target, bounds: Bounds) -> Batch:
        """Store a plan with all its items, in one transaction and in chunks, and return it ("planned").

        Raises:
            BadInput: a script is named twice, or a text cannot be stored.
            ScriptNotFound, ScriptArchived, VersionNotFound: an item is about a text that is not there.
        """

    def done_before(self, keys: Sequence[str]) -> Mapping[str, Done]:
        """Return those of `keys` whose work was done before, in any batch, and still is.

        That is where the newest text of the script is what an item with the key saved, or came to nothing with
        ("unchanged"), or where an open proposal of such an item is over its newest version. What was taken back,
        discarded or written over is left out.
        """

    def bases(self, script_ids: Sequence[str]) -> Mapping[str, Base]:
        """Return the head of each script, to plan on; one that is not there or archived is left out."""

    # --- reading -----------------------------------------------------------------------------

    def batch(self, batch_id: str) -> Batch:
        """Return one batch."""

    def batches(
        self, *, states: Collection[BatchState] | None = None, limit: int | None = None
    ) -> tuple[Tally, ...]:
        """Return batches with their counts, newest first; `states` None means all.

        With `states` it takes no longer for all the batches that there ever were in other ones.
        """

    def tally(self, batch_id: str) -> Tally:
        """Return where a batch stands; as fast with 100,000 items as with 1,000.

        One that was not cancelled and of which no item is open is "done", whoever ended the last one, even if nobody
        has written it down so far.
        """

    def takeable(self, batch_id: str) -> Takeable:
        """Return what can still be done with the results of a batch."""

    def results(self, batch_id: str) -> Results:
        """Return what became of the results of a batch."""

    def is_taken_back(self, batch_id: str, seq: int) -> bool:
        """Return whether an item made a version whose change no longer stands; see `Results`. Raises NotFound."""

    def item(self, batch_id: str, seq: int) -> Item:
        """Return one item. Raises NotFound."""

    def items(
        self,
        batch_id: str,
        *,
        states: Collection[ItemState] | None = None,
        after: int = 0,
        seqs: Collection[int] | None = None,
        limit: int | None = None,
    ) -> tuple[Item, ...]:
        """Return items by their number, those above `after`; `states` None means all, and so does `seqs`."""

    def changes(self, batch_id: str, *, states: Collection[ItemState], since: datetime) -> tuple[Change, ...]:
        """Return which items came to one of these states at that moment or later, in the order of change."""

    # --- the life of a batch -----------------------------------------------------------------

    def set_state(
        self,
        batch_id: str,
        state: BatchState,
        *,
        reason: str = "",
        unless: Collection[BatchState] = (),
        unchanged_since: datetime | None = None,
    ) -> Batch:
        """Move a batch to `state`; a "cancelled" one only to "running". "done" is refused while items are open.

        Raises Conflict for what is refused, for a batch that is in one of the states of `unless` by now, and for one that
        was moved or taken up after `unchanged_since`, its `updated_at` as it was read.
        """

    def take_up(
        self,
        batch_id: str,
        *,
        terms: Callable[[Batch], tuple[Target, Bounds]],
        retried: Collection[ItemState] = (),
        with_cancelled: bool = False,
        unless: Collection[BatchState] = (),
    ) -> Batch:
        """Let a batch run, all of it or nothing.

        `terms` is asked for the target and the bounds from now on while nobody else can change the batch, which it is
        given as it is then; it may be asked again where the transaction has to be repeated.

        Items in `retried` are queued again, each with its next attempt: a "conflict" over the script's head as it is now.
        An open proposal that the last attempt left is closed. The cancelled ones are queued, `with_cancelled`, on the
        attempt they were in: what was finished of them is not repeated.

        Raises Conflict for a batch that is in one of the states of `unless` by now.
        """

    def put_back(self, batch_id: str, seq: int, *, worker_id: str, is_stray: bool = False) -> bool:
        """Queue an item again that its worker gave up because its batch is paused, or that was taken away from it
        (`is_stray`), and return whether it was: nothing went wrong with it.

        One that the worker has not stays as it is, and so does one that is no stray while its batch is not paused. Raises
        NotFound.
        """

    def overtake(self, batch_id: str, seq: int, *, error: str, hint: str) -> Item:
        """Make an item that is "done" with an open proposal a "conflict" where its script has moved since, in one
        transaction, and return it; any other item stays as it is."""

    def cancel_open(self, batch_id: str, *, unless: Collection[BatchState] = ()) -> int:
        """Make every item that is not over "cancelled", and return how many; the engine stops those that run. None is in
        a batch that is in one of the states of `unless` by now."""

    # --- one item ----------------------------------------------------------------------------

    def begin_item(
        self, batch_id: str, seq: int, attempt: int, *, worker_id: str, instead_of: str | None = None
    ) -> Item:
        """Mark an item as "running" and return it; one that is over, or on another attempt, comes back as it is.

        So does one that another worker has, unless it is `instead_of`: the engine knows whose it is by now.
        """

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

    def take_over(
        self,
        batch_id: str,
        seq: int,
        *,
        worker_id: str,
        by: str,
        alive: Collection[str],
        max_crashes: int,
    ) -> Item | None:
        """Give an item of a worker that is gone to the one that found out, `by`, to be queued again, and return it.

        Counted as a crash where the lost worker ran it; it is "dead" after more than `max_crashes`. None where another
        worker of those that are `alive` has taken it over before: only one may put it into the queue.
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

    def beat(self, worker_id: str) -> bool:
        """Note a sign of life, by the clock of the store; False for a worker that was taken for lost and forgotten."""

    def forget_worker(self, worker_id: str) -> None:
        """Note that a worker has ended in order: what it was at is queued again and is no crash, its calls are spent."""

    def workers(self, *, silent_seconds: float) -> tuple[Worker, ...]:
        """Return the workers that gave a sign of life within that time."""

    def lost_workers(self, *, silent_seconds: float) -> frozenset[str]:
        """Return the ids of workers that gave none, and of which the store still has anything besides their items."""

    def forget_lost(self, worker_id: str) -> None:
        """Note that a worker is gone for good: its calls count as spent, since nobody knows whether they were answered.

        Its items stay as they are; see `count_crash`. Should it live after all, it can register again.
        """

    # --- what may be taken -------------------------------------------------------------------

    def take_permit(
        self, batch_id: str, seq: int, *, service: str, worker_id: str, tokens: int, cost: float
    ) -> Permit | Wait:
        """Ask for one model call of about `tokens` (sent and received) and `cost`, in one atomic step.

        Requests and tokens per minute are counted for `service` (address and model) by all workers together, and where
        one batch has a limit, another that has none keeps it too while the first is at work; see `limits`. Money is
        counted for the batch, in flight included, and where it is used up the batch is paused. A call that is bigger
        than the whole minute or budget waits until nothing else is counted, and is let through then, but never past
        the budget.
        """

    def limits(self, batch_id: str, *, service: str) -> Limits:
        """Return how often a batch may call a service at present: its own limits, and where it has none those of
        another batch that is at work there. One that is paused or over is not, nor one whose processes are gone."""

    def settle_permit(self, permit_id: str, *, tokens: int | None, cost: float | None) -> None:
        """Put what a call really took in the place of the estimate.

        None leaves the estimate; without `tokens` the call is one of those of which nobody told what they took.
        """

    def hold_off(self, service: str, seconds: float) -> None:
        """Let nobody call `service` for so long, because it said so; MAX_HOLD_SECONDS at most."""
