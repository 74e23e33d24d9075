"""A real HTTP server that speaks chat completions, well or badly, as a test tells it to.

    with OpenAIServer([completion("你好"), status(503, "busy"), hang()]) as server:
        ...  # point a client, or a subprocess, at server.base_url
        assert server.requests[0].body["model"] == "m"

A behaviour is a function that is given an Exchange and answers on it. A server takes a list of them,
one per request in order, or a function from request to behaviour. A request for which the list has
nothing left is refused with 400 and fails the `with` block at its end.
"""

import json
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

from script_editor.llm.chat import ToolCall

Json = dict[str, Any]  # whatever a service may send


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """What came in. Header names are lower case; `body` is the parsed JSON."""

    path: str
    headers: Mapping[str, str]
    body: Json


class Exchange:
    """One request and the means to answer it."""

    def __init__(self, handler: "_Handler", request: ReceivedRequest, closing: threading.Event):
        self.request = request
        self._handler, self._closing = handler, closing

    @property
    def client_port(self) -> int:
        """The other end of the connection; the same for two requests on one connection."""
        return int(self._handler.client_address[1])

    def start(self, code: int, headers: Mapping[str, str]) -> None:
        """Send the status line and the headers; `date` is added unless given."""
        self._handler.send_response_only(code)
        given = {name.lower() for name in headers}
        if "date" not in given:
            self._handler.send_header("Date", self._handler.date_time_string())
        for name, value in headers.items():
            self._handler.send_header(name, value)
        if headers.get("Connection") == "close":
            self._handler.close_connection = True
        self._handler.end_headers()
        self._handler.wfile.flush()

    def send(self, content: bytes) -> None:
        """Send bytes as they are."""
        self._handler.wfile.write(content)
        self._handler.wfile.flush()

    def send_chunk(self, content: bytes) -> None:
        """Send bytes as one piece of a chunked body; b"" ends it."""
        self.send(f"{len(content):x}\r\n".encode() + content + b"\r\n")

    def send_body(self, code: int, content: bytes, headers: Mapping[str, str]) -> None:
        """Send a whole response."""
        self.start(code, {"Content-Length": str(len(content)), **headers})
        self.send(content)

    def drop(self) -> None:
        """Close the connection at once, in the middle of whatever was sent."""
        self._handler.connection.shutdown(socket.SHUT_RDWR)
        self._handler.close_connection = True

    def wait(self, seconds: float | None = None) -> bool:
        """Wait, at most until the server is closed; return whether it was."""
        return self._closing.wait(seconds)


Behaviour = Callable[[Exchange], None]
Usage = tuple[int, int]  # prompt tokens, completion tokens


# --- behaviours ------------------------------------------------------------------------------


def completion(
    content: object = "",
    *,
    tool_calls: Sequence[ToolCall] = (),
    finish_reason: str | None = "stop",
    usage: Usage | None = (7, 3),
    message: Json | None = None,
) -> Behaviour:
    """Answer with a chat completion; `message` is laid over the message that the other arguments make."""
    whole: Json = {"role": "assistant", "content": content, **(message or {})}
    if tool_calls:
        whole["tool_calls"] = [_wire_call(call) for call in tool_calls]
    choice = {"index": 0, "message": whole, "finish_reason": finish_reason}
    return lambda exchange: _send_json(
        exchange, 200, _answer(exchange, "chat.completion", [choice], usage=usage)
    )


def json_body(value: object, *, code: int = 200, headers: Mapping[str, str] | None = None) -> Behaviour:
    """Answer with any JSON."""
    return lambda exchange: _send_json(exchange, code, value, headers)


def text_body(text: str | bytes, *, content_type: str = "application/json", code: int = 200) -> Behaviour:
    """Answer with any text: HTML, cut JSON, nothing."""
    content = text.encode("utf-8") if isinstance(text, str) else text
    return lambda exchange: exchange.send_body(code, content, {"Content-Type": content_type})


def status(
    code: int,
    message: str = "",
    *,
    error: Json | None = None,
    headers: Mapping[str, str] | None = None,
) -> Behaviour:
    """Answer with an error in OpenAI's form; `error` adds fields such as `code`."""
    return json_body(
        {"error": {"message": message, "type": "error", **(error or {})}}, code=code, headers=headers
    )


def echo_key(code: int) -> Behaviour:
    """Answer with an error that repeats the request's Authorization header, as careless services do."""
    return lambda exchange: status(code, f"denied: {exchange.request.headers['authorization']}")(exchange)


def deltas(*pieces: str | Json, finish_reason: str | None = "stop") -> list[Json]:
    """Return the chunks of a stream: one for each piece, then the one with the finish reason, if any."""
    choices: list[Json] = [
        {"index": 0, "delta": {"content": piece} if isinstance(piece, str) else piece, "finish_reason": None}
        for piece in pieces
    ]
    if finish_reason is not None:
        choices.append({"index": 0, "delta": {}, "finish_reason": finish_reason})
    return [{"choices": [choice]} for choice in choices]


def stream(
    chunks: Iterable[Json | bytes],
    *,
    usage: Usage | None = (7, 3),
    done: bool = True,
    delay_seconds: float = 0.0,
    end: Literal["complete", "unframed", "drop", "hang"] = "complete",
    content_type: str = "text/event-stream",
) -> Behaviour:
    """Answer with a stream of events. Bytes among the chunks are sent as they are.

    Usage is sent when the request asked for it and `usage` is not None. At its end the stream is
    completed, or closed without HTTP telling where it ends, or dropped, or held open.
    """
    chunks = list(chunks)

    def behave(exchange: Exchange) -> None:
        framing = {"Connection": "close"} if end == "unframed" else {"Transfer-Encoding": "chunked"}
        exchange.start(200, {"Content-Type": content_type, **framing})
        send = exchange.send if end == "unframed" else exchange.send_chunk
        for chunk in chunks:
            send(
                chunk
                if isinstance(chunk, bytes)
                else _event(_answer(exchange, "chat.completion.chunk", **chunk))
            )
            if delay_seconds and exchange.wait(delay_seconds):
                return
        if usage is not None and exchange.request.body.get("stream_options"):
            send(_event(_answer(exchange, "chat.completion.chunk", [], usage=usage)))
        if done:
            send(b"data: [DONE]\n\n")
        match end:
            case "complete":
                exchange.send_chunk(b"")
            case "drop":
                exchange.drop()
            case "hang":
                exchange.wait()

    return behave


def as_asked(
    content: str = "", *, tool_calls: Sequence[ToolCall] = (), finish_reason: str = "stop"
) -> Behaviour:
    """Answer as a stream where the request wants one, else whole."""
    calls = [{"index": index, **_wire_call(call)} for index, call in enumerate(tool_calls)]
    pieces: list[str | Json] = [*content, *({"tool_calls": [call]} for call in calls)]

    def behave(exchange: Exchange) -> None:
        if exchange.request.body.get("stream"):
            stream(deltas(*pieces, finish_reason=finish_reason))(exchange)
        else:
            completion(content, tool_calls=tool_calls, finish_reason=finish_reason)(exchange)

    return behave


def features_in(request: ReceivedRequest) -> set[str]:
    """Return what a request makes use of: "json_schema", "json_object", "tools", "tool_choice", "stream_options"."""
    shape = request.body.get("response_format", {}).get("type")
    return {name for name in ("tools", "tool_choice", "stream_options") if name in request.body} | {
        name for name in ("json_schema", "json_object") if name == shape
    }


def refusing(refusals: Mapping[str, Behaviour], answer: Behaviour) -> Callable[[ReceivedRequest], Behaviour]:
    """Return a service that meets a request that uses a feature in `refusals` with that behaviour, all else with `answer`."""

    def choose(request: ReceivedRequest) -> Behaviour:
        used = features_in(request)
        return next((refuse for feature, refuse in refusals.items() if feature in used), answer)

    return choose


def hang() -> Behaviour:
    """Say nothing until the server is closed."""

    def behave(exchange: Exchange) -> None:
        exchange.wait()
        exchange.drop()

    return behave


def drop(after: Literal["nothing", "headers", "half a body"] = "nothing") -> Behaviour:
    """Close the connection too early."""

    def behave(exchange: Exchange) -> None:
        if after != "nothing":
            exchange.start(200, {"Content-Type": "application/json", "Content-Length": "1000"})
        if after == "half a body":
            exchange.send(b'{"choices": [')
        exchange.drop()

    return behave


def trickle(part: Literal["headers", "body"] = "body", *, every_seconds: float = 0.02) -> Behaviour:
    """Send a byte now and then for ever, so that no read ever times out."""

    def behave(exchange: Exchange) -> None:
        if part == "headers":
            exchange.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        else:
            exchange.start(200, {"Content-Type": "application/json", "Content-Length": "100000000"})
        while not exchange.wait(every_seconds):
            exchange.send(b" " if part == "body" else b"x")
        exchange.drop()

    return behave


def _wire_call(call: ToolCall) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _answer(exchange: Exchange, kind: str, choices: Sequence[Json], *, usage: Usage | None = None) -> Json:
    answer: Json = {
        "id": "chatcmpl-1",
        "object": kind,
        "created": 1,
        "model": exchange.request.body.get("model", ""),
        "choices": list(choices),
    }
    if usage is not None:
        prompt, completed = usage
        answer["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": completed,
            "total_tokens": prompt + completed,
        }
    return answer


def _event(value: object) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def _send_json(
    exchange: Exchange, code: int, value: object, headers: Mapping[str, str] | None = None
) -> None:
    content = json.dumps(value, ensure_ascii=False).encode("utf-8")
    exchange.send_body(code, content, {"Content-Type": "application/json", **(headers or {})})


# --- the server ------------------------------------------------------------------------------


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept, as real services keep them
    disable_nagle_algorithm = True  # else every answer in two writes takes 40 ms
    server: "_Server"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        content = self.rfile.read(length)
        if len(content) < length:
            self.close_connection = True  # the client was killed
            return
        request = ReceivedRequest(
            self.path,
            {name.lower(): value for name, value in self.headers.items()},
            json.loads(content),
        )
        try:
            self.server.owner.answer(Exchange(self, request, self.server.closing))
        except ConnectionError:
            self.close_connection = True  # the client had enough

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a handler may hang by intention

    def __init__(self, owner: "OpenAIServer"):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner
        self.closing = threading.Event()
        self.open: set[socket.socket] = set()
        self.errors: list[BaseException | None] = []

    def process_request(self, request: Any, client_address: Any) -> None:  # as in socketserver
        self.open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # as in socketserver
        super().shutdown_request(request)
        self.open.discard(request)

    def handle_error(self, *_: Any) -> None:  # as in socketserver
        error = sys.exception()
        if not self.closing.is_set() and not isinstance(error, ConnectionError):
            self.errors.append(error)

    def close(self) -> None:
        """Let every handler go and wait a moment until they have."""
        self.closing.set()
        self.shutdown()
        for connection in list(self.open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        give_up_at = time.monotonic() + 1.0
        while self.open and time.monotonic() < give_up_at:
            time.sleep(0.002)
        self.server_close()


class OpenAIServer:
    """A server on a free port of the loopback address; see the module."""

    def __init__(self, behaviours: Iterable[Behaviour] | Callable[[ReceivedRequest], Behaviour]):
        self._choose = behaviours if callable(behaviours) else None
        self._left = deque(() if callable(behaviours) else behaviours)
        self._surprises = 0
        self.requests: list[ReceivedRequest] = []
        """Every request, in the order they came."""
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,), daemon=True)

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def base_url(self) -> str:
        """What a client, or OPENAI_BASE_URL of a subprocess, is given."""
        return f"http://{self.address}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._server.close()
        self._thread.join()
        if error is None and self._server.errors:
            raise AssertionError("A behaviour raised an error.") from self._server.errors[0]
        if error is None and self._surprises:
            raise AssertionError(
                f"The server got {self._surprises} request(s) more than it had behaviours for."
            )

    def answer(self, exchange: Exchange) -> None:
        """Record a request and behave as told."""
        self.requests.append(exchange.request)
        if self._choose is not None:
            behave = self._choose(exchange.request)
        elif self._left:
            behave = self._left.popleft()
        else:
            self._surprises += 1
            behave = status(400, "the test server has no behaviour left for this request")
        behave(exchange)
