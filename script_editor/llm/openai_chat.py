"""Any service that speaks OpenAI's chat completions, as a ChatModel. The only module that imports openai.

The openai client brings the address, the authorisation and the HTTP; it is asked for the bare
response, because what its typed methods make of odd answers (a string for HTML, `choices=None` for an
error) hides what came. Retries, the deadline and every message are ours.
"""

import json
import random
import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, Self

import httpx2
import openai

from script_editor.errors import ModelFailure, SetupError
from script_editor.llm import failures
from script_editor.llm.address import OFFICIAL_ADDRESS, read_address, read_key
from script_editor.llm.answers import read_stream, read_whole
from script_editor.llm.capabilities import FEATURES, Capabilities, Feature
from script_editor.llm.chat import Message, OnText, Reply, ToolSpec
from script_editor.llm.deadline import Clock, Deadline, DeadlineError, hold_to
from script_editor.llm.failures import USUAL_NAMES, AttemptError, Endpoint, SettingNames
from script_editor.llm.persistent import Listener, Persistent, Refusals
from script_editor.llm.retry import OnWait, no_wait_told, retry_after_seconds
from script_editor.llm.secrets import SECRET_CHARS, Mask, Masked
from script_editor.llm.wire import ChatRequest, Json

CONNECT_SECONDS = 10.0
"""A host that has not accepted by then is down; the rest of the time is better spent on another try."""


class _Client(openai.OpenAI):
    """An openai client that sends nothing it found in the environment.

    The constructor merges OPENAI_CUSTOM_HEADERS into every request and takes organisation and project
    from OPENAI_ORG_ID and OPENAI_PROJECT_ID, with no argument that says "none". They belong to
    whatever address the environment names, not to the one given here.
    """

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        return {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": f"OpenAI/Python {openai.__version__}",
        }


class OpenAIChat:
    """A ChatModel behind an OpenAI-compatible address. Safe to share between threads.

    Nothing is connected before the first call. `close` frees the connections; so does the garbage
    collector. What the service turns out to refuse is remembered in `capabilities`: what a request can
    do without (see OPTIONAL) is left out and the request repeated, anything else is FeatureRefused.

    A broken stream is asked for again only while the listener has heard nothing of it: text that a
    person has seen cannot be taken back, and a second try would say it twice.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str,
        base_url: str | None = None,
        timeout_seconds: float = 120.0,
        max_retries: int = 4,
        max_output_tokens: int | None = None,
        temperature: float | None = None,
        capabilities: Capabilities | None = None,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
        on_wait: OnWait = no_wait_told,
        settings: SettingNames = USUAL_NAMES,
    ):
        """Take the settings; `base_url` None is OpenAI's own address, never one from the environment.

        `capabilities` may be shared and kept in a file; None remembers in this object only. `on_wait` is told
        before and after each wait between two tries, in the thread that waits. `settings` are the names that
        key, address and model have where they were set: what goes wrong with them is told by these.

        Raises:
            MissingSetting: the key or the address cannot be used as it is.
        """
        self._model = model
        self._key = read_key(api_key, setting=settings.key)
        self._address = read_address(base_url or OFFICIAL_ADDRESS, setting=settings.address)
        self._mask = Mask((self._key, *self._address.secrets), min_chars=SECRET_CHARS)
        self._timeout_seconds, self._clock = timeout_seconds, clock
        self._max_output_tokens, self._temperature = max_output_tokens, temperature
        self._endpoint = Endpoint(
            self._address.host_and_port,
            model,
            secrets=(self._key, *self._address.secrets),
            settings=settings,
        )
        self._refusals = Refusals(capabilities or Capabilities(), self._address.fingerprint, model)
        self._persistent = Persistent(
            self._endpoint,
            self._refusals,
            max_retries=max_retries,
            sleep=sleep,
            jitter=jitter,
            on_wait=on_wait,
        )
        self._lock = threading.Lock()
        self._client: openai.OpenAI | None = None

    def __repr__(self) -> str:
        return f"OpenAIChat({self._model!r}, {self._endpoint.address!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The model's name, as given."""
        return self._model

    @property
    def address(self) -> str:
        """Names the service, and holds no secret; equal for equal addresses."""
        return self._address.fingerprint

    @property
    def features(self) -> frozenset[Feature]:
        """What this service is not known to refuse."""
        return FEATURES - self._refusals.known()

    def close(self) -> None:
        """Close the connections. A later call opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        stop: Sequence[str] = (),
        response_format: Json | None = None,
        on_text: OnText | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """Return the service's reply to `messages`; see ChatModel.

        With `on_text` the reply is streamed. A reply whose end the service did not explain has the
        finish reason "unknown"; one that broke off is a failure.

        Raises:
            KeyRefused: the service answered 401 or 403.
            ModelUnknown: it does not know the model, or the address is not a chat service.
            FeatureRefused: it takes no tools, no choice of tool, or not this response format.
            ModelFailure: it could not be reached, failed after retries, or sent no answer.
        """
        request = ChatRequest(
            model=self._model,
            messages=messages,
            tools=tools,
            stop=stop,
            response_format=response_format,
            max_output_tokens=self._max_output_tokens,
            temperature=self._temperature,
            stream=on_text is not None,
        )
        seconds = min(
            self._timeout_seconds, self._timeout_seconds if timeout_seconds is None else timeout_seconds
        )
        deadline, listen = Deadline.after(seconds, self._clock), Listener(on_text)
        try:
            reply = self._persistent.ask(request, partial(self._ask, listen, deadline), listen, deadline)
        except DeadlineError:
            raise failures.timed_out(self._endpoint, seconds) from None
        return self._mask.reply(reply)

    def _ask(self, listen: Listener, deadline: Deadline, body: Json) -> Reply:
        deadline.check()
        reply: Reply | None = None
        tell = Masked(self._mask, listen)
        with closing(hold_to(deadline, self._exchange(body, deadline))) as answer:
            for part in answer:
                if isinstance(part, str):
                    tell(part)
                else:
                    reply = part
        tell.flush()
        assert reply is not None, "an exchange ends with a reply or an error"
        return reply

    def _exchange(self, body: Json, deadline: Deadline) -> Generator[str | Reply]:
        """Send one request; yield pieces of text as they come, if it is a stream, and then the reply.

        Runs in the thread that is held to the deadline.
        """
        with closing(self._post(body, deadline)) as response:
            chunks = self._chunks(response, deadline)
            if "stream" in body:
                yield from read_stream(chunks, self._endpoint, has_known_end=_has_known_end(response))
            else:
                reply = read_whole(chunks, self._endpoint)
                if reply.text:
                    yield reply.text  # of a service that cannot stream; who listens hears it all the same
                yield reply

    def _post(self, body: Json, deadline: Deadline) -> httpx2.Response:
        seconds = deadline.remaining()
        with self._foreign_errors_end_here(deadline):
            response: Any = self._connected().post(
                "/chat/completions",
                cast_to=httpx2.Response,  # the bare response; the overloads only know that it is a stream
                # Half a character, which a model may have left where its text was cut, cannot be sent.
                content=json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"),
                options={"timeout": httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))},
                stream=True,
                stream_cls=openai.Stream[Any],
            )
        assert isinstance(response, httpx2.Response)
        return response

    def _chunks(self, response: httpx2.Response, deadline: Deadline) -> Iterator[bytes]:
        with self._foreign_errors_end_here(deadline):
            for chunk in response.iter_bytes():
                deadline.check()
                yield chunk

    @contextmanager
    def _foreign_errors_end_here(self, deadline: Deadline) -> Iterator[None]:
        """Turn the errors of the HTTP client into ours, without the chain: it holds what the service sent."""
        try:
            yield
        except openai.APIStatusError as error:
            raise self._refused(error.response) from None
        except openai.APIConnectionError as error:
            raise AttemptError(self._broken(error.__cause__, deadline)) from None
        except (httpx2.RequestError, OSError) as error:
            raise AttemptError(self._broken(error, deadline)) from None

    def _refused(self, response: httpx2.Response) -> AttemptError:
        status = response.status_code
        if response.is_redirect:
            location = response.headers.get("location", "")
            return AttemptError(failures.redirected(self._endpoint, status, location))
        complaint = failures.read_complaint(status, response.content.decode("utf-8", "replace"))
        retry_after = retry_after_seconds(response.headers)
        return AttemptError(
            failures.complained(self._endpoint, complaint, retry_after=retry_after),
            complaint=complaint,
            retry_after=retry_after,
        )

    def _broken(self, error: BaseException | None, deadline: Deadline) -> ModelFailure:
        match error:
            case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.ProxyError():
                where = f"{self._address.host}:{self._address.port}"
                return failures.unreachable(self._endpoint, where, str(error))
            case httpx2.TimeoutException():
                return failures.timed_out(self._endpoint, deadline.seconds)
            case _:
                return failures.dropped(self._endpoint, str(error))

    def _connected(self) -> openai.OpenAI:
        with self._lock:
            if self._client is None:
                self._client = self._new_client()
                weakref.finalize(self, self._client.close)
            return self._client

    def _new_client(self) -> openai.OpenAI:
        address = self._address
        try:
            http = httpx2.Client(
                # A redirect would take the prompt, and the answer's trust, to an address nobody set.
                follow_redirects=False,
                # Proxies are for the network; a server on this machine is reached without them.
                trust_env=not address.is_loopback,
                # Plain http has no certificate to check, and reading the system's costs a tenth of a start.
                verify=not (address.is_loopback and address.url.startswith("http:")),
                auth=(address.user, address.password) if address.user or address.password else None,
            )
            return _Client(api_key=self._key, base_url=address.url, max_retries=0, http_client=http)
        except (ValueError, ImportError, OSError, httpx2.InvalidURL) as error:
            said = self._endpoint.quote(str(error))
            raise SetupError(
                f"The proxy or certificate settings of the environment cannot be used: {said}",
                hint="Check HTTPS_PROXY, ALL_PROXY, NO_PROXY and SSL_CERT_FILE.",
            ) from None


def _has_known_end(response: httpx2.Response) -> bool:
    """Whether HTTP tells the complete body of `response` from one that was cut off."""
    framed = "content-length" in response.headers or "transfer-encoding" in response.headers
    return framed or response.http_version == "HTTP/2"
