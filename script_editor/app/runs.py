"""The runs of the agent: which there were, what they took, and where their logs are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from script_editor.app.runlog.folder import LogFile, LogFolder
from script_editor.app.usage import Prices
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import RunCost, RunRecord, canonical_id
from script_editor.errors import LogNotFound


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run as the store knows it, and its log where there is one."""

    run: RunRecord
    log: LogFile | None


class RunService:
    """Reads what runs left behind; `prices` are those that the person set, None when they are not known."""

    def __init__(self, store: ScriptStore, log: LogFolder, *, is_logging: bool, prices: Prices | None):
        self._store, self._log, self._is_logging = store, log, is_logging
        self.prices = prices

    def list(
        self, script_id: str | None = None, *, since: datetime | None = None, limit: int | None = None
    ) -> tuple[ListedRun, ...]:
        """Return runs, newest first, those about one script or those that began since then. Raises ScriptNotFound."""
        about = None if script_id is None else canonical_id(script_id)
        runs = self._store.runs(script_id=about, since=since, limit=limit)
        logged = {file.run_id: file for file in self._log.files()}
        return tuple(ListedRun(run, logged.get(run.id)) for run in runs)

    def costs(self, *, chat_id: str | None = None, since: datetime | None = None) -> Sequence[RunCost]:
        """Return what each run took, of one chat or of all, newest first. Raises ChatNotFound."""
        return self._store.run_costs(chat_id=chat_id, since=since)

    def logs(self) -> tuple[LogFile, ...]:
        """Return the logs of this store's runs, newest first; those of other stores stand in the same folder."""
        own = {run.id for run in self._store.runs()}
        return tuple(file for file in self._log.files() if file.run_id in own)

    def log_of(self, run_id: str) -> LogFile:
        """Return the log of a run.

        Raises:
            NotFound: there is no such run.
            LogNotFound: there is no log of it.
        """
        file = self._log.find(run_id)
        if file is None:
            self._store.run(run_id)  # a run that nobody knows has a sentence of its own
            raise LogNotFound(run_id, is_off=not self._is_logging)
        return file
