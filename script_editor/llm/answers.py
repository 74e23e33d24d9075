"""From the bytes of an answer to a Reply, or to the error that says what was sent instead.

A service that was asked to stream may send a whole completion, and either may arrive under the
other's content type; so it is the first line that decides what is read.
"""

import itertools
import json
from collections.abc import Iterable, Iterator

from script_editor.llm import failures
from script_editor.llm.chat import Reply
from script_editor.llm.failures import AttemptError, Endpoint
from script_editor.llm.received import AnswerError, read_completion
from script_editor.llm.sse import event_data, looks_like_events
from script_editor.llm.streamed import StreamedReply


def read_whole(chunks: Iterable[bytes], endpoint: Endpoint) -> Reply:
    """Return the reply in a body that is one chat completion.

    Raises:
        AttemptError: the body complains, or is something else.
    """
    body = b"".join(chunks)
    try:
        return read_completion(_parsed(body, endpoint), model=endpoint.model)
    except AnswerError as error:
        raise AttemptError(failures.unreadable(endpoint, str(error), _shown(body))) from None


def read_stream(chunks: Iterator[bytes], endpoint: Endpoint, *, has_known_end: bool) -> Iterator[str | Reply]:
    """Yield the text of a streamed answer piece by piece, and last the reply.

    `has_known_end` says whether `chunks` raises when the body was cut off. Where it cannot tell, a
    stream that ends with neither `[DONE]` nor a finish reason is taken for cut off. What breaks after
    the finish reason costs the usage only, not the reply.

    Raises:
        AttemptError: the body complains, is something else, or was cut off; also what `chunks` raises.
    """
    start = _first_line(chunks)
    chunks = itertools.chain([start], chunks)
    if looks_like_events(start):
        yield from _read_events(chunks, endpoint, has_known_end=has_known_end)
        return
    reply = read_whole(chunks, endpoint)
    if reply.text:
        yield reply.text
    yield reply


def _read_events(
    chunks: Iterable[bytes], endpoint: Endpoint, *, has_known_end: bool
) -> Iterator[str | Reply]:
    answer, has_ended, data = StreamedReply(endpoint.model), has_known_end, b""
    try:
        for data in event_data(chunks):
            if data.strip() == b"[DONE]":
                has_ended = True
                break
            if piece := answer.feed(_parsed(data, endpoint)):
                yield piece
        if not (has_ended or answer.is_finished):
            raise AttemptError(failures.dropped(endpoint, "the stream has no end"))
        reply = answer.reply()
    except AttemptError as failed:
        if failed.complaint or not answer.is_finished:
            raise
        reply = answer.reply()
    except AnswerError as error:
        raise AttemptError(failures.unreadable(endpoint, str(error), _shown(data))) from None
    yield reply


def _parsed(text: bytes, endpoint: Endpoint) -> object:
    """Return the JSON in `text`, unless it is a complaint."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        raise AnswerError(_name_of(text)) from None
    complaint = failures.complaint_in(answer)
    if complaint is not None:
        raise AttemptError(failures.complained(endpoint, complaint), complaint=complaint)
    return answer


def _first_line(chunks: Iterable[bytes]) -> bytes:
    """Return what has come when the first line with anything in it is complete; it says what the rest is."""
    start = b""
    for chunk in chunks:
        start += chunk
        if b"\n" in start.lstrip():
            break
    return start


def _name_of(text: bytes) -> str:
    """Return what to call a text that should have been JSON."""
    match text.lstrip()[:1]:
        case b"":
            return "nothing"
        case b"<":
            return "HTML"
        case b"{" | b"[":
            return "damaged JSON"
        case _:
            return "text that is not JSON"


def _shown(text: bytes) -> str:
    return text.decode("utf-8", "replace")
