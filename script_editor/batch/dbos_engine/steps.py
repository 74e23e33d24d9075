"""One item as DBOS runs it: its steps, and the ways out of it."""

import json
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto

from script_editor.batch.dbos_engine.binding import (
    DOES_NOT_FIT,
    RECORDED_ERROR,
    TAKEN_AWAY,
    Binding,
    first_line,
)
from script_editor.batch.dbos_engine.databases import Databases
from script_editor.batch.dbos_engine.unrecorded import Unrecorded
from script_editor.batch.engine import PASSING, Interrupted, ItemRef, Json, Steps, Workflow
from script_editor.batch.presence import Presence
from script_editor.errors import ScriptEditorError, StoreUnusable

_MOST_REPEATS = 20
"""How often one transaction is repeated for others, a little later each time, before that counts as trouble."""


class Outcome(Enum):
    """How a run of an item ended in this process."""

    ENDED = auto()
    GIVEN_UP = auto()
    """For now, and for nothing that speaks against the item: the process leaves, the batch stands still, or another
    process is in the way."""
    HINDERED = auto()
    """For now: something was in the way, and if it always is, the item ends "dead"."""
    TAKEN_AWAY = auto()
    """It was cancelled, or is another process's by now."""
    UNREADABLE = auto()
    """What is recorded of it does not fit the program as it is now."""


class Out(Interrupted):
    """Ends a run between two steps, with its outcome; for everything in between it is an interruption as any other."""

    def __init__(self, outcome: Outcome, trouble: str = ""):
        super().__init__(trouble)
        self.outcome, self.trouble = outcome, trouble


class ItemRun:
    """Runs a workflow over the steps of DBOS, in the thread that DBOS gave it."""

    def __init__(
        self,
        workflow: Workflow,
        binding: Binding,
        databases: Databases,
        presence: Presence,
        unrecorded: Unrecorded,
    ):
        self._workflow, self._binding = workflow, binding
        self._databases, self._presence, self._unrecorded = databases, presence, unrecorded

    def __call__(self, ref: ItemRef) -> Out:
        """Run an item, and return how that ended. What ends the process passes: SystemExit, for one."""
        steps = DbosSteps(ref, self._binding, self._databases, self._presence, self._unrecorded)
        try:
            with self._presence.at(ref):
                self._workflow(ref, steps)
        except Out as out:
            return out
        except Interrupted:
            return Out(Outcome.TAKEN_AWAY if steps.is_lost else Outcome.GIVEN_UP)
        except PASSING:  # however often
            return Out(Outcome.GIVEN_UP)
        except Exception as error:
            # DBOS would take it for the end of the workflow, and the item would never end.
            return Out(Outcome.HINDERED, first_line(error))
        return Out(Outcome.ENDED)


class _Carried(BaseException):
    """Takes an error of the work past DBOS, which would record it as the result of the step for all times."""

    def __init__(self, error: Exception):
        self.error = error


class DbosSteps(Steps):
    """The steps of one running workflow; `is_lost` says that it was found to be another process's."""

    def __init__(
        self,
        ref: ItemRef,
        binding: Binding,
        databases: Databases,
        presence: Presence,
        unrecorded: Unrecorded,
    ):
        self._ref, self._binding, self._databases, self._presence = ref, binding, databases, presence
        self._unrecorded, self._number = unrecorded, 0
        self.is_lost = False

    @property
    def is_stopping(self) -> bool:
        return self._presence.stopping.is_set()

    def is_own(self) -> bool:
        self.is_lost = not self._binding.has(self._ref)
        return not self.is_lost

    def step(self, name: str, work: Callable[[], Json]) -> Json:
        number = self._number = self._number + 1

        def once() -> str:
            return self._unrecorded.result(self._ref, number, lambda: _carried(work))

        result = self._durably(lambda: self._binding.run_step(name, once))
        self._unrecorded.recorded(self._ref, number)
        return result

    def commit(self, name: str, work: Callable[[object], Json]) -> Json:
        tries = 0

        def once(session: object) -> str:
            nonlocal tries
            tries += 1
            try:
                return _json(work(session))
            except Exception as error:  # none may become the result of the step
                if self._databases.is_to_be_repeated(error) and tries <= _MOST_REPEATS:
                    raise  # DBOS knows it, and begins the transaction again
                raise _Carried(self._explained(error)) from None

        return self._durably(lambda: self._binding.run_transaction(name, once))

    def _explained(self, error: Exception) -> Exception:
        try:
            with self._databases.explained(self._databases.store):
                raise error
        except Exception as told:  # the error itself where the database did not raise it
            return told

    def _durably(self, run: Callable[[], str]) -> Json:
        if self._presence.leaving.is_set():
            raise Out(Outcome.GIVEN_UP)
        try:
            return json.loads(run())
        except _Carried as carried:
            failure = carried.error
        except TAKEN_AWAY as error:
            raise Out(Outcome.TAKEN_AWAY) from error
        except DOES_NOT_FIT as error:
            raise Out(Outcome.UNREADABLE) from error
        except RECORDED_ERROR as error:  # on an earlier try, which it was held against
            self._forget_errors()
            raise Out(Outcome.GIVEN_UP) from error
        except Exception as error:  # of DBOS or of its database; those of the work are carried past it
            if self._is_gone():  # it ended elsewhere, and its records are swept: DBOS knows no word for that
                raise Out(Outcome.TAKEN_AWAY) from error
            self._forget_errors()
            is_passing = isinstance(self._explained(error), PASSING)
            raise Out(Outcome.GIVEN_UP if is_passing else Outcome.HINDERED, first_line(error)) from error
        raise failure

    def _forget_errors(self) -> None:
        with suppress(ScriptEditorError):  # then the next try is hindered as well, and comes here
            self._binding.forget_errors(self._ref)

    def _is_gone(self) -> bool:
        """Say whether the item is known not to be this process's any more; what cannot be read says nothing."""
        try:
            return not self.is_own()
        except StoreUnusable:
            return False


def _carried(work: Callable[[], Json]) -> str:
    try:
        return _json(work())
    except Exception as error:  # raised again by `_durably`
        raise _Carried(error) from None


def _json(value: Json) -> str:
    """Return a value as JSON that every database takes: half a surrogate pair can be written as an escape only."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
