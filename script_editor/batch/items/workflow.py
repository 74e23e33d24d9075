"""The way of one item, from the queue to its last transaction; the engine may stop it anywhere and run it again."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from script_editor.app.errand import MakeRewriter
from script_editor.app.journal import NO_JOURNAL, Journals
from script_editor.app.parts import tokens
from script_editor.batch.engine import Interrupted, ItemRef, Json, Steps
from script_editor.batch.items.durable_model import DurableModel, Send
from script_editor.batch.items.item import run_item
from script_editor.batch.items.loaded import Loaded
from script_editor.batch.planning.estimate import longest_reply
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import ENDED, Ending, Item
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import utc_now
from script_editor.errors import OF_THE_STORE, ScriptEditorError
from script_editor.llm.capabilities import features_of
from script_editor.llm.chat import ChatModel


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemWorkflow:
    """A workflow over one store and one model.

    `model` is asked for its name and features only; every call goes through `sending`, which is given the item,
    the steps, and what to reckon a reply with, and returns what makes a call.
    """

    scripts: ScriptStore
    batches: BatchStore
    model: ChatModel
    make_rewriter: MakeRewriter
    sending: Callable[[ItemRef, Steps, Callable[[], int]], Send]
    worker_id: str
    journals: Journals = NO_JOURNAL

    def __call__(self, ref: ItemRef, steps: Steps) -> None:
        """Carry out one attempt at one item; one that is over, or on another attempt, is left alone.

        Raises:
            Interrupted: the item was taken away, or its batch is paused; it is gone on with later or elsewhere.
            StoreUnusable, StoreFull: nothing is wrong with the item, and it should be tried again.
        """
        item = self._begun(ref, steps)
        if item is None:
            return
        try:
            ending = self._ending(item, ref, steps)
        except OF_THE_STORE:
            raise
        except ScriptEditorError as error:
            ending = Ending(state="failed", error_type=error.code, error=str(error), hint=error.hint)
        except Exception as bug:  # one bad item must not stop the rest
            ending = Ending(state="failed", error_type="bug", error=f"{type(bug).__name__}: {bug}")
        steps.commit("end", lambda connection: self._end(connection, ref, ending))

    def _begun(self, ref: ItemRef, steps: Steps) -> Item | None:
        """Note who is at the item, whenever it is run: no step, or a second worker's crash would be nobody's."""
        if self.batches.batch(ref.batch_id).state in ("paused", "cancelled"):
            raise Interrupted
        item = self._own(ref, steps)
        if item.state == "cancelled" and item.attempt == ref.attempt:
            raise Interrupted  # not the end: what is finished counts when it is taken up again
        return item if item.state == "running" and item.attempt == ref.attempt else None

    def _own(self, ref: ItemRef, steps: Steps) -> Item:
        """Mark an item as this worker's, and return it. Raises Interrupted where another has it by now."""
        begin = partial(self.batches.begin_item, ref.batch_id, ref.seq, ref.attempt, worker_id=self.worker_id)
        item = begin()
        if item.state in ENDED or item.attempt != ref.attempt or item.worker_id == self.worker_id:
            return item
        # Named there is who had it before, or who has it since this process slept.
        if steps.is_own():
            item = begin(instead_of=item.worker_id)
        if item.worker_id != self.worker_id:
            raise Interrupted
        return item

    def _ending(self, item: Item, ref: ItemRef, steps: Steps) -> Ending:
        loaded = Loaded.from_json(steps.step("load", lambda: self._load(item)))
        recipe = self.batches.batch(ref.batch_id).recipe  # frozen by the plan, as is the job
        send = self.sending(ref, steps, lambda: self._reply_tokens(item))
        model = DurableModel(recipe.model, loaded.features, steps, send)
        return run_item(
            item,
            recipe,
            loaded,
            store=self.scripts,
            model=model,
            make_rewriter=self.make_rewriter,
            journals=self.journals,
        )

    def _reply_tokens(self, item: Item) -> int:
        """Return what the plan reckons a reply of this item with at most."""
        text = self.scripts.version(item.job.script_id, item.job.base_number).text
        return longest_reply(tokens(text) + tokens(item.job.instruction))

    def _load(self, item: Item) -> Json:
        script_id, base_number = item.job.script_id, item.job.base_number
        features = features_of(self.model)
        return Loaded.of(self.scripts, script_id, base_number, at=utc_now(), features=features).to_json()

    def _end(self, connection: object, ref: ItemRef, ending: Ending) -> Json:
        item = self.batches.end_item(connection, ref.batch_id, ref.seq, ref.attempt, ending)
        if item.state == "cancelled" and item.attempt == ref.attempt:
            raise Interrupted
        return item.state
