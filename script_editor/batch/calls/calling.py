"""One model call of an item: when it may be made, what it is reckoned with and took, and when it is made again.

All of it happens inside one step, so a replay knows nothing of it. Workers that know nothing of each other keep the
same limits, because the store counts for all of them.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from script_editor.batch.calls.breaker import CircuitBreaker
from script_editor.batch.calls.reckoning import Reserve, cost_of
from script_editor.batch.calls.settling import Settling, Taken
from script_editor.batch.calls.waits import Waits
from script_editor.batch.engine import Interrupted, ItemRef, Steps
from script_editor.batch.items.durable_model import Send
from script_editor.batch.progress import Waiting
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import MAX_HOLD_SECONDS, Batch, Bounds, Permit
from script_editor.errors import ModelFailure, SetupError
from script_editor.llm.chat import ChatModel, Message, Reply, ToolSpec, Usage
from script_editor.llm.retry import wait_seconds

RETRIES = 4
"""A call that failed for a reason that may pass is made so often again."""
TOLD_RETRIES = 20
"""A service that says when to come back is asked again so often: it is at work, only not for us yet."""
_ASK_AGAIN_SECONDS = 1.0
"""Up to twice as long a call waits for its permit before it asks again: others may have given back what they were
reckoned with, a limit may have been raised, or the batch that was given it may be over."""
_LOOK_SECONDS = 0.25
_LEAST_WAIT_SECONDS = 0.05
_NOTHING = Taken(tokens=0, cost=0.0)
_AS_RECKONED = Taken(tokens=None, cost=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Makes the model calls of the items that this process runs.

    `model` must make one try for each call and no more: whatever it repeated on its own, nobody would count.
    `service` names what the limits are for, address and model, without a secret. `max_output_tokens` bounds a reply;
    where nothing does it is None, a reply is reckoned with what the plan takes for its upper end, and one that is
    longer can pass the budget by the rest.
    """

    model: ChatModel
    batches: BatchStore
    service: str
    worker_id: str
    max_output_tokens: int | None = None
    waits: Waits = field(default_factory=Waits)
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    settling: Settling = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settling", Settling(self.batches))

    def sending(self, ref: ItemRef, steps: Steps, reply_tokens: Callable[[], int]) -> Send:
        """Return what makes the calls of one running item; `reply_tokens` says what the plan reckons a reply with,
        and is asked only where nothing else bounds it."""
        planned = cache(reply_tokens)

        def send(
            messages: Sequence[Message],
            *,
            tools: Sequence[ToolSpec],
            stop: Sequence[str],
            response_format: dict[str, Any] | None,
            timeout_seconds: float | None,
        ) -> Reply:
            def ask() -> Reply:
                return self.model.complete(
                    messages,
                    tools=tools,
                    stop=stop,
                    response_format=response_format,
                    timeout_seconds=timeout_seconds,
                )

            if self.max_output_tokens is None:
                reserve = Reserve.of(messages, tools, reply_tokens=planned())
            else:
                reserve = Reserve.capped(messages, tools, max_output_tokens=self.max_output_tokens)
            return self._answered(ref, steps, reserve, ask)

        return send

    def _answered(self, ref: ItemRef, steps: Steps, reserve: Reserve, ask: Callable[[], Reply]) -> Reply:
        """Return the reply, asking again as long as that may help.

        Raises:
            SetupError, ModelFailure: the last try's.
            Interrupted: the process wants to leave, the batch stands still, or no call has a prospect.
        """
        failed = told = 0
        while True:
            batch, permit = self._permit(ref, steps, reserve)
            try:
                return self._settled(permit, batch.bounds, ask)
            except ModelFailure as failure:
                is_told = failure.retry_after is not None
                failed, told = failed + (not is_told), told + is_told
                if not failure.retryable:
                    raise
                if failed > RETRIES or told > TOLD_RETRIES:
                    if self.breaker.refused(failure):
                        raise Interrupted from failure
                    raise
                wait = self._wait_after(failure, failed, told)
            self._pause(steps, wait, "service")

    def _wait_after(self, failure: ModelFailure, failed: int, told: int) -> float:
        """Return how long this call waits; what the service asked for, all calls of all workers do.

        Those that were refused together wait for different times besides, further apart each time: else all of
        them would be back in the same moment, and all but a few refused again.
        """
        if failure.retry_after is None:
            return wait_seconds(failed, None, self.jitter)
        hold = min(failure.retry_after, MAX_HOLD_SECONDS)
        self.batches.hold_off(self.service, hold)
        return min(hold * told, MAX_HOLD_SECONDS) * self.jitter()

    # --- permits -----------------------------------------------------------------------------

    def _permit(self, ref: ItemRef, steps: Steps, reserve: Reserve) -> tuple[Batch, Permit]:
        self.settling.catch_up()
        while True:
            batch = self._running(ref, steps)
            answer = self.batches.take_permit(
                ref.batch_id,
                ref.seq,
                service=self.service,
                worker_id=self.worker_id,
                tokens=reserve.total,
                cost=reserve.cost(batch.bounds),
            )
            if isinstance(answer, Permit):
                return batch, answer
            if answer.reason == "budget" and answer.seconds <= 0:
                raise Interrupted  # the store has paused the batch
            # Not all at once: each of them would find the others there.
            most = _ASK_AGAIN_SECONDS * (1 + self.jitter())
            self._pause(steps, max(min(answer.seconds, most), _LEAST_WAIT_SECONDS), answer.reason)

    def _running(self, ref: ItemRef, steps: Steps) -> Batch:
        """Return the batch as it is now. Raises Interrupted when no further call is wanted."""
        batch = self.batches.batch(ref.batch_id)
        if steps.is_stopping or batch.state != "running" or self.breaker.refusal is not None:
            raise Interrupted
        return batch

    def _pause(self, steps: Steps, seconds: float, reason: Waiting) -> None:
        """Wait, in short pieces, so that whoever wants to leave need not wait too."""
        with self.waits.noted(reason):
            while seconds > 0:
                if steps.is_stopping:
                    raise Interrupted
                self.sleep(min(seconds, _LOOK_SECONDS))
                seconds -= _LOOK_SECONDS

    def _settled(self, permit: Permit, bounds: Bounds, ask: Callable[[], Reply]) -> Reply:
        """Make the call, and count what it took. Nothing that goes wrong with counting takes the place of a reply:
        it would be lost, and paid for again."""
        taken = _AS_RECKONED
        try:
            reply = ask()
            self.breaker.answered()
            taken = _taken(reply.usage, bounds)
            return reply
        except ModelFailure as failure:
            taken = _AS_RECKONED if failure.may_cost else _NOTHING
            raise
        except SetupError as error:
            taken = _NOTHING  # it was refused unread
            if self.breaker.refused(error):
                raise Interrupted from error
            raise
        finally:
            self.settling.settle(permit, taken)


def _taken(usage: Usage, bounds: Bounds) -> Taken:
    if not usage.known:
        return _AS_RECKONED
    cost = cost_of(usage.prompt_tokens, usage.completion_tokens, bounds)
    return Taken(tokens=usage.prompt_tokens + usage.completion_tokens, cost=cost or 0.0)
