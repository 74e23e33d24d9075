"""Reading server-sent events from bytes as they come. Knows nothing of what the events say.

Lines end with LF, CRLF or CR and nothing else: a JSON text may hold U+2028, which the line readers
of the standard library and of HTTP clients take for a line end.
"""

import re
from collections.abc import Iterable, Iterator

_FIELD_LINE = re.compile(rb"\s*(?:data|event|id|retry)?:")


def looks_like_events(start: bytes) -> bool:
    """Whether a body that starts so is an event stream, whatever its content type claims."""
    return _FIELD_LINE.match(start) is not None


def event_data(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the data of each event; comments, names and ids of events are left out.

    An event without the blank line after it is dropped, as the standard wants, unless it looks
    whole: some services end right behind the last brace or behind `[DONE]`.
    """
    data: list[bytes] = []
    for line in _lines(chunks):
        if line.startswith(b"data:"):
            data.append(line.removeprefix(b"data:").removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data = []
    if data and data[-1].rstrip().endswith((b"}", b"[DONE]")):
        yield b"\n".join(data)


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        text = (rest + chunk).replace(b"\r\n", b"\n")
        # A CR at the end may be the first half of a CRLF, so it stays for the next chunk.
        held = b"\r" if text.endswith(b"\r") else b""
        *lines, rest = text.removesuffix(held).replace(b"\r", b"\n").split(b"\n")
        rest += held
        yield from lines
    if rest:
        yield rest.removesuffix(b"\r")
