"""One model call of an item: when it may be made, what it is reckoned with and took, and when it is made again.

All of it happens inside one step, so a replay knows nothing of it. Workers that know nothing of each other keep the
same limits, because the store counts for all of them.
"""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from script_editor.app.parts import tokens
from script_editor.batch.durable_model import Send
from script_editor.batch.engine import Interrupted, ItemRef, Steps
from script_editor.batch.progress import Waiting
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Batch, Bounds, Permit
from script_editor.errors import Conflict, ModelFailure, SetupError
from script_editor.llm.chat import ChatModel, Message, Reply, ToolSpec, Usage
from script_editor.llm.retry import wait_seconds

RETRIES = 4
"""A call that failed for a reason that may pass is made so often again."""
TOLD_RETRIES = 20
"""A service that says when to come back is asked again so often: it is at work, only not for us yet."""
MAX_HOLD_SECONDS = 300.0
"""Longer than that nobody waits without asking again, whatever the service said."""
UNBOUNDED_REPLY_TOKENS = 2_000
"""What a reply is reckoned with, besides as much as was sent, where the settings do not bound it."""
HOPELESS_REFUSALS = 3
"""After so many calls that the set-up stood in the way of, and none that was answered, no further one is made."""
_LOOK_SECONDS = 0.25
_LEAST_WAIT_SECONDS = 0.05


def cost_of(prompt_tokens: int, completion_tokens: int, bounds: Bounds) -> float | None:
    """Return the price of tokens, None when prices are not known."""
    if bounds.price_in is None or bounds.price_out is None:
        return None
    return (prompt_tokens * bounds.price_in + completion_tokens * bounds.price_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a call may take at most: what is sent, about, and the longest reply."""

    prompt_tokens: int
    completion_tokens: int

    @classmethod
    def of(
        cls, messages: Sequence[Message], tools: Sequence[ToolSpec], max_output_tokens: int | None
    ) -> "Estimate":
        """Return the estimate of a request."""
        sent = sum(_size(message) for message in messages) + sum(_size_of_tool(tool) for tool in tools)
        reply = sent + UNBOUNDED_REPLY_TOKENS if max_output_tokens is None else max_output_tokens
        return cls(sent, reply)

    @property
    def total(self) -> int:
        """All tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def cost(self, bounds: Bounds) -> float:
        """Return the price, 0 when prices are not known."""
        return cost_of(self.prompt_tokens, self.completion_tokens, bounds) or 0.0


def _size(message: Message) -> int:
    if message.raw is not None:
        return tokens(json.dumps(message.raw, ensure_ascii=False)) + 4
    called = sum(tokens(call.name) + tokens(call.arguments) for call in message.tool_calls)
    return tokens(message.content) + called + 4  # the role and the marks around it


def _size_of_tool(tool: ToolSpec) -> int:
    return tokens(tool.description) + tokens(json.dumps(tool.parameters, ensure_ascii=False)) + 4


class Waits:
    """What the calls of this process wait for at present. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock, self._reasons = threading.Lock(), Counter[Waiting]()

    @contextmanager
    def noted(self, reason: Waiting) -> Iterator[None]:
        """Count a call as waiting while the block runs."""
        with self._lock:
            self._reasons[reason] += 1
        try:
            yield
        finally:
            with self._lock:
                self._reasons[reason] -= 1

    def now(self) -> Waiting | None:
        """Return what most of the waiting calls wait for, None when none does."""
        with self._lock:
            found = [(count, reason) for reason, count in self._reasons.items() if count]
        return max(found)[1] if found else None


class Prospect:
    """Whether calls of this process have any: with a wrong key every item of a batch would fail, one after another.

    One refusal proves nothing, since some services refuse what a text is about in the same way.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._has_answer, self._refusals = False, 0
        self.refusal: SetupError | None = None
        """Why no call has a prospect; None as long as one may have."""

    def answered(self) -> None:
        """Note that a call was answered: what is refused from now on is about that call alone."""
        self._has_answer = True

    def refused(self, error: SetupError) -> bool:
        """Note that the set-up stood in the way of a call, and return whether there is no prospect any more."""
        with self._lock:
            self._refusals += 1
            if not self._has_answer and self._refusals >= HOPELESS_REFUSALS:
                self.refusal = error
        return self.refusal is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Makes the model calls of the items that this process runs.

    `model` must make one try for each call and no more: whatever it repeated on its own, nobody would count.
    `service` names what the limits are for, address and model, without a secret. `max_output_tokens` bounds a reply;
    None where nothing does, and then a reply that is longer than reckoned can pass the budget by that much.
    """

    model: ChatModel
    batches: BatchStore
    service: str
    worker_id: str
    max_output_tokens: int | None = None
    waits: Waits = field(default_factory=Waits)
    prospect: Prospect = field(default_factory=Prospect)
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random

    def sending(self, ref: ItemRef, steps: Steps) -> Send:
        """Return what makes the calls of one running item."""

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

            return self._answered(ref, steps, Estimate.of(messages, tools, self.max_output_tokens), ask)

        return send

    def _answered(self, ref: ItemRef, steps: Steps, estimate: Estimate, ask: Callable[[], Reply]) -> Reply:
        """Return the reply, asking again as long as that may help.

        Raises:
            SetupError, ModelFailure: the last try's.
            Interrupted: the process wants to leave, the batch stands still, or no call has a prospect.
        """
        failed = told = 0
        while True:
            batch, permit = self._permit(ref, steps, estimate)
            try:
                return self._settled(permit, batch.bounds, ask)
            except ModelFailure as failure:
                is_told = failure.retry_after is not None
                failed, told = failed + (not is_told), told + is_told
                if not failure.retryable or failed > RETRIES or told > TOLD_RETRIES:
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

    def _permit(self, ref: ItemRef, steps: Steps, estimate: Estimate) -> tuple[Batch, Permit]:
        while True:
            batch = self._running(ref, steps)
            answer = self.batches.take_permit(
                ref.batch_id,
                ref.seq,
                service=self.service,
                worker_id=self.worker_id,
                tokens=estimate.total,
                cost=estimate.cost(batch.bounds),
            )
            if isinstance(answer, Permit):
                return batch, answer
            if answer.reason == "budget" and answer.seconds <= 0:
                self._stand_still(ref.batch_id)
                raise Interrupted
            self._pause(steps, max(answer.seconds, _LEAST_WAIT_SECONDS), answer.reason)

    def _running(self, ref: ItemRef, steps: Steps) -> Batch:
        """Return the batch as it is now. Raises Interrupted when no further call is wanted."""
        batch = self.batches.batch(ref.batch_id)
        if steps.is_stopping or batch.state != "running" or self.prospect.refusal is not None:
            raise Interrupted
        return batch

    def _stand_still(self, batch_id: str) -> None:
        with suppress(Conflict):  # cancelled in this very moment: it stands still all the same
            self.batches.set_state(batch_id, "paused", reason="budget")

    def _pause(self, steps: Steps, seconds: float, reason: Waiting) -> None:
        """Wait, in short pieces, so that whoever wants to leave need not wait too."""
        with self.waits.noted(reason):
            while seconds > 0:
                if steps.is_stopping:
                    raise Interrupted
                self.sleep(min(seconds, _LOOK_SECONDS))
                seconds -= _LOOK_SECONDS

    def _settled(self, permit: Permit, bounds: Bounds, ask: Callable[[], Reply]) -> Reply:
        """Make the call, and count what it took; where nobody told, it took what it was reckoned with."""
        usage: Usage | None = None
        try:
            reply = ask()
            self.prospect.answered()
            usage = reply.usage if reply.usage.known else None
            return reply
        except ModelFailure as failure:
            usage = None if failure.may_cost else Usage()
            raise
        except SetupError as error:
            usage = Usage()  # it was refused unread
            if self.prospect.refused(error):
                raise Interrupted from error
            raise
        finally:
            self._settle(permit, bounds, usage)

    def _settle(self, permit: Permit, bounds: Bounds, usage: Usage | None) -> None:
        if usage is None:
            self.batches.settle_permit(permit.id, tokens=None, cost=None)
            return
        cost = cost_of(usage.prompt_tokens, usage.completion_tokens, bounds)
        self.batches.settle_permit(
            permit.id, tokens=usage.prompt_tokens + usage.completion_tokens, cost=cost or 0.0
        )
