"""What a batch is made of. With `bootstrap`, what names concrete classes; a single edit imports none of it."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from script_editor.app.fingerprint import prompts_fingerprint
from script_editor.batch.queues import queue_of
from script_editor.batch.service import BatchService, Planner
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.engine import database_url

if TYPE_CHECKING:
    from script_editor.agent.tools import AnyTool
    from script_editor.app.journal import Journals
    from script_editor.app.models import Models
    from script_editor.app.services import Services
    from script_editor.app.usage import Prices
    from script_editor.batch.engine import SharedEngine
    from script_editor.batch.working.crew import Workplace
    from script_editor.config import Settings
    from script_editor.store.durable import DurableDatabases

THREADS = 64
"""So many connections a batch may keep open; they are made when they are needed."""


class Batching:
    """Builds the service of batches, and closes what it opened. The store of the scripts must be there already."""

    def __init__(
        self,
        settings: "Settings",
        models: "Models",
        *,
        services: "Callable[[], Services]",
        journals: "Callable[[], Journals]",
        prices: "Callable[[], Prices | None]",
        tools: "Callable[[], Sequence[AnyTool]]",
    ):
        self._settings, self._models = settings, models
        self._services, self._journals, self._prices, self._tools = services, journals, prices, tools
        self._durable: list[DurableDatabases] = []

    def close(self) -> None:
        """Close the databases."""
        for databases in self._durable:
            databases.close()
        self._store.close()

    @cached_property
    def service(self) -> BatchService:
        """Plan, run, watch, stop, and take the results of many edits at once."""
        return BatchService(
            self._store,
            self._services,
            planner=self._planner,
            workplace=self._workplace,
            make_engine=self._engine,
            max_output_tokens=self._settings.max_output_tokens,
            service_of=self._service_of,
        )

    @cached_property
    def _store(self) -> SqlBatchStore:
        return open_batches(self._settings.database, workers=THREADS)

    def _planner(self) -> Planner:
        return Planner(
            model=self._models.name,
            prompts=prompts_fingerprint(self._tools()),
            prices=self._prices(),
            is_offline=self._models.is_offline,
        )

    def _service_of(self, model: str) -> str:
        return f"{self._models.address} {model}"

    def _workplace(self) -> "Workplace":
        from script_editor.batch.working.crew import (
            Workplace,  # late: reading where a batch stands works on nothing
        )

        return Workplace(
            model=self._models.single_try,
            service=self._service_of(self._models.name),
            make_rewriter=self._models.rewriter,
            queue=queue_of(str(self._models.address), self._models.name),
            max_output_tokens=self._settings.max_output_tokens,
            journals=self._journals(),
            is_file=database_url(self._settings.database).startswith("sqlite"),
        )

    def _engine(self, queue: str, workers: int) -> "SharedEngine":
        """Return a new engine over the databases of this store; they are closed with this.

        Raises MissingExtra where the packages of the extra `batch` are not there.
        """
        from script_editor.batch.dbos_engine import DbosEngine  # late: it takes longer than most commands
        from script_editor.batch.working.worker import is_alone
        from script_editor.store.durable import durable_databases

        databases = durable_databases(self._settings.database, workers=workers)
        self._durable.append(databases)
        return DbosEngine(databases, queue=queue, is_alone=lambda: is_alone(self._store))
