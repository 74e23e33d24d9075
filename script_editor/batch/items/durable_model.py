"""A model each of whose calls is a step: made once, and read from the record when the item is run again."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from script_editor.batch.engine import Json, Steps
from script_editor.batch.items.recorded import read, written
from script_editor.errors import OF_THE_STORE, ScriptEditorError
from script_editor.llm.capabilities import Feature
from script_editor.llm.chat import Message, OnText, Reply, ToolSpec
from script_editor.llm.failures import FeatureRefused

STEP = "model"
"""What the steps are called."""


class Send(Protocol):
    """Makes one model call, with permits and retries; what may be tried again was."""

    def __call__(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec],
        stop: Sequence[str],
        response_format: dict[str, Any] | None,
        timeout_seconds: float | None,
    ) -> Reply:
        """Return the reply. Raises as ChatModel.complete does, and Interrupted when the process wants to leave."""


class DurableModel:
    """A ChatModel whose calls are steps of a workflow.

    `features` is what the service was known to take when the item was loaded, less what it refused since in a call
    of this very item: what others learn of it must not change a replay.
    """

    def __init__(
        self,
        name: str,
        features: frozenset[Feature],
        steps: Steps,
        send: Send,
        *,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._name, self._features, self._steps, self._send = name, features, steps, send
        self._clock = clock
        self._seconds = 0.0
        self._trouble: ScriptEditorError | None = None

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def features(self) -> frozenset[Feature]:
        """What the service may be asked for."""
        return self._features

    @property
    def seconds(self) -> float:
        """How long the calls took when they were made, waiting included: the only clock that a replay may look at."""
        return self._seconds

    def check(self) -> None:
        """Raises StoreUnusable or StoreFull if a call could not be made because of the store.

        What became of the edit then is no end of the item, whatever an edit makes of a call that failed.
        """
        if self._trouble is not None:
            raise self._trouble

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        stop: Sequence[str] = (),
        response_format: dict[str, Any] | None = None,
        on_text: OnText | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """Return the reply, of now or of the record; see ChatModel. Its text arrives in one piece.

        Raises:
            Interrupted: the item is taken away from this process.
            StoreUnusable, StoreFull: nothing was recorded; from now on every call fails so.
        """
        self.check()

        def call() -> Json:
            began = self._clock()
            result = self._result(messages, tools, stop, response_format, timeout_seconds)
            return {"result": written(result), "seconds": round(self._clock() - began, 3)}

        kept = self._steps.step(STEP, call)
        self._seconds += kept["seconds"]
        result = read(kept["result"])
        if isinstance(result, Reply):
            if on_text is not None and result.text:
                on_text(result.text)
            return result
        if isinstance(result, FeatureRefused):
            self._features -= {result.feature}
        raise result

    def _result(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        stop: Sequence[str],
        response_format: dict[str, Any] | None,
        timeout_seconds: float | None,
    ) -> Reply | ScriptEditorError:
        try:
            return self._send(
                messages,
                tools=tools,
                stop=stop,
                response_format=response_format,
                timeout_seconds=timeout_seconds,
            )
        except OF_THE_STORE as trouble:  # of the permits, not of the model
            self._trouble = trouble
            raise
        except ScriptEditorError as failure:
            return failure
