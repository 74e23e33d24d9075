"""Makes what a process works on batches with, and not before it is needed: to read a tally takes none of it."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal

from script_editor.batch.terms import HowToRun, Planner
from script_editor.domain.batches import TROUBLED, ItemState
from script_editor.errors import BadInput

if TYPE_CHECKING:
    from script_editor.app.services import Services
    from script_editor.batch.engine import SharedEngine
    from script_editor.batch.working.crew import Crew, MakeEngine, Workplace
    from script_editor.batch.working.shift import Shift
    from script_editor.domain.batch_ports import BatchStore

Verb = Literal["run", "resume", "retry"]


class Workshop:
    """Crews, engines and shifts over one store; see `BatchService` for what they are made of."""

    def __init__(
        self,
        batches: "BatchStore",
        services: "Callable[[], Services]",
        *,
        planner: Callable[[], Planner],
        workplace: "Callable[[], Workplace]",
        make_engine: "MakeEngine",
        max_output_tokens: int | None,
        look_seconds: float,
    ):
        self._batches, self._services, self._planner = batches, services, planner
        self._workplace, self._make_engine = workplace, make_engine
        self._max_output_tokens, self._look_seconds = max_output_tokens, look_seconds
        self._crew: Crew | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a model call was still under way when the last crew ended its work."""
        return self._crew is not None and self._crew.is_busy

    def crew(self, workers: int, batch_id: str) -> "Crew":
        """Return a crew that has not begun, for a batch or ALL; the packages that it needs are there."""
        from script_editor.batch.queues import of_batch
        from script_editor.batch.working.crew import Crew  # late: see the module

        place = self._workplace()
        engine = self._make_engine(of_batch(place.queue, batch_id), workers)
        self._crew = Crew(place, engine, self._services().store, self._batches, workers=workers)
        return self._crew

    def engine_alone(self) -> "AbstractContextManager[SharedEngine]":
        """Return an engine that works on nothing, to take items out of the queue or to clean up."""
        from script_editor.batch.working.crew import engine_alone  # late: see the module

        return engine_alone(self._make_engine)

    def shift(
        self, verb: Verb, batch_id: str, how: HowToRun, states: Collection[ItemState] | None = None
    ) -> "Shift":
        """Return the work on a batch, once it is known that it can be done; see `BatchService.run` for what is raised."""
        from script_editor.batch.working.shift import Place, Shift  # late: see the module

        batch = self._batches.batch(batch_id)
        if verb == "run" and batch.state == "cancelled":
            raise BadInput(
                f"{batch_id} was cancelled.",
                hint=f"Take it up again: script-editor batch resume {batch_id}",
                zh=f"{batch_id} 已取消。",
                zh_hint=f"重新开始：script-editor batch resume {batch_id}",
            )
        place = Place(
            batches=self._batches,
            scripts=self._services().store,
            planner=self._planner(),
            make_crew=self.crew,
            engine_alone=self.engine_alone,
            max_output_tokens=self._max_output_tokens,
            look_seconds=self._look_seconds,
        )
        retried = (states or TROUBLED) if verb == "retry" else ()
        shift = Shift(place=place, batch=batch, how=how, with_cancelled=verb != "run", retried=retried)
        shift.open()
        if verb == "retry" and not self._batches.tally(batch_id).count(*retried):
            raise BadInput(
                f"{batch_id} has no item to try again.",
                hint=f"See where it stands: script-editor batch status {batch_id}",
                zh=f"{batch_id} 没有可以重试的项目。",
                zh_hint=f"查看进度：script-editor batch status {batch_id}",
            )
        return shift
