"""Asking until there is a reply: again after trouble that passes, and otherwise where a service takes less.

Decides what to send and when to send it again; sending is the caller's. A complaint that names a part of
the request which can be done without costs one more request, at once and only the first time.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from script_editor.llm import failures
from script_editor.llm.capabilities import OPTIONAL, Capabilities, Feature
from script_editor.llm.chat import OnText, Reply
from script_editor.llm.deadline import Deadline
from script_editor.llm.failures import AttemptError, Complaint, Endpoint
from script_editor.llm.refusals import read_refusal
from script_editor.llm.retry import OnWait, Wait, wait_seconds
from script_editor.llm.wire import ChatRequest, Json

Send = Callable[[Json], Reply]


class Listener:
    """Passes text on and remembers whether there was any."""

    def __init__(self, on_text: OnText | None):
        self._on_text, self.has_heard = on_text, False

    def __call__(self, piece: str) -> None:
        if self._on_text is not None:
            self.has_heard = True
            self._on_text(piece)


@dataclass(frozen=True, slots=True)
class Refusals:
    """What one model at one address is known to refuse. `address` holds no secret."""

    capabilities: Capabilities
    address: str
    model: str

    def known(self) -> frozenset[Feature]:
        """Return what it refused lately."""
        return self.capabilities.refused(self.address, self.model)

    def learnt(self, body: Json, complaint: Complaint) -> Feature | None:
        """Return what a complaint refuses, once it is remembered; None when it is about something else."""
        refusal = read_refusal(body, complaint)
        if refusal is None:
            return None
        if refusal.is_lasting:
            self.capabilities.remember(self.address, self.model, refusal.feature)
        return refusal.feature


class Persistent:
    """Sends a request until there is a reply, or no hope of one."""

    def __init__(
        self,
        endpoint: Endpoint,
        refusals: Refusals,
        *,
        max_retries: int,
        sleep: Callable[[float], None],
        jitter: Callable[[], float],
        on_wait: OnWait,
    ):
        self._endpoint, self._refusals = endpoint, refusals
        self._max_retries, self._sleep, self._jitter = max_retries, sleep, jitter
        self._on_wait = on_wait

    def ask(self, request: ChatRequest, send: Send, listen: Listener, deadline: Deadline) -> Reply:
        """Return the reply to `request`; nothing is sent again once the listener has heard text of it.

        Raises:
            SetupError, ModelFailure: of the last try; FeatureRefused for what cannot be done without.
            DeadlineError: as raised by `send`.
        """
        failures_so_far = 0
        while True:
            try:
                return self._as_accepted(request, send, listen)
            except AttemptError as failed:
                failures_so_far += 1
                wait = wait_seconds(failures_so_far, failed.retry_after, self._jitter)
                may_repeat = (
                    failed.is_passing and not listen.has_heard and failures_so_far <= self._max_retries
                )
                if not may_repeat or wait >= deadline.remaining():
                    raise failed.error from None  # the attempt was bookkeeping
                is_busy = failed.complaint is not None
            self._pause(Wait(seconds=wait, retry=failures_so_far, retries=self._max_retries, is_busy=is_busy))

    def _pause(self, wait: Wait) -> None:
        self._on_wait(wait)
        self._sleep(wait.seconds)
        self._on_wait(replace(wait, seconds=0.0))

    def _as_accepted(self, request: ChatRequest, send: Send, listen: Listener) -> Reply:
        """Send, and send again at once as long as the service names something that can be left out."""
        refused = self._refusals.known()
        body = request.body(refused)
        while True:
            try:
                return send(body)
            except AttemptError as failed:
                if listen.has_heard or failed.complaint is None:
                    raise
                feature = self._refusals.learnt(body, failed.complaint)
                if feature is None:
                    raise
                if feature not in OPTIONAL:
                    error = failures.feature_refused(self._endpoint, failed.complaint, feature)
                    raise AttemptError(error) from None
                refused |= {feature}
                if body == (changed := request.body(refused)):
                    raise  # a service that takes neither one thing nor its opposite
            body = changed
