"""Where the arguments of a labelled step begin and end in the text: behind a label, or in brackets behind the tool.

Only their extent and their raw value are found here; whether they fit the tool is checked later.
"""

from dataclasses import dataclass

from script_editor.agent.json_repair import BrokenJson, decode, same, starts_value
from script_editor.agent.noise import skip
from script_editor.patterns import Pattern

_OBJECT_IN_LINE = Pattern(r"[{｛](?=\s*+[\"'“＂])")
_KEYWORD = Pattern(r"\s*+(?P<key>[A-Za-z_]\w*)\s*+=\s*+")
_END_TAG = Pattern(r"(?:</[\w.:｜-]{1,40}>|<[|｜][^<>|｜\n]{1,40}[|｜]>)$")
_CLOSERS = {"(": ")", "（": "）", "[": "]", "［": "］"}


@dataclass(frozen=True, slots=True)
class TextArguments:
    """Arguments found in a text. `value` is decoded, or the text of a bare value; `end` is behind them.

    `prose` stood before an object in its line. `complete` is False when a bare value, or nothing at all,
    runs up to the end of the text.
    """

    value: object
    end: int
    prose: str = ""
    complete: bool = True
    bare: bool = False


def arguments_at(text: str, at: int, limit: int) -> TextArguments:
    """Return the arguments between `at` and the next label, which stands at `limit`; an object may reach over it.

    Raises:
        BrokenJson: an object begins there and cannot be read.
    """
    start = skip(text, at)
    if start >= limit:
        return TextArguments(None, limit, complete=limit < len(text))
    if starts_value(text[start]):
        try:
            decoded = decode(text, start)
        except BrokenJson:
            if text[start] in "{｛[［":
                raise
        else:
            if not isinstance(decoded.value, str) or decoded.end <= limit:
                return TextArguments(decoded.value, decoded.end)
    return _in_line(text, start, limit)


def _in_line(text: str, start: int, limit: int) -> TextArguments:
    newline = text.find("\n", start, limit)
    end = newline if newline >= 0 else limit
    brace = _OBJECT_IN_LINE.search(text, start, end)
    if brace:
        decoded = decode(text, brace.start())
        return TextArguments(decoded.value, decoded.end, prose=text[start : brace.start()].strip())
    return TextArguments(_bare(text[start:end]), end, complete=end < len(text), bare=True)


def _bare(text: str) -> str:
    """Return a value that stands alone in its line, without marks around it and an end tag behind it."""
    text = text.strip()
    if text.endswith(">") and (tag := _END_TAG.search(text, max(0, len(text) - 44))):
        text = text[: tag.start()]
    return text.strip().strip("`*").strip()


def bracketed(text: str, at: int) -> TextArguments | None:
    """Return the arguments in the brackets at `at`: `({…})`, `[value]`, `(key=literal, …)`; None if they do not close.

    Raises:
        BrokenJson: an object or a literal in them cannot be read.
    """
    closer = _CLOSERS.get(text[at])
    if closer is None:
        decoded = decode(text, at)
        return TextArguments(decoded.value, decoded.end)
    start = skip(text, at + 1)
    if _KEYWORD.match(text, start):
        return _keywords(text, start, closer)
    if start < len(text) and starts_value(text[start]):
        decoded = decode(text, start)
        end = skip(text, decoded.end)
        return TextArguments(decoded.value, end + 1) if text.startswith(closer, end) else None
    newline = text.find("\n", start)
    end = text.rfind(closer, start, newline if newline >= 0 else len(text))
    return TextArguments(text[start:end].strip(), end + 1, bare=True) if end >= 0 else None


def _keywords(text: str, at: int, closer: str) -> TextArguments | None:
    values: dict[str, object] = {}
    while match := _KEYWORD.match(text, at):
        decoded = decode(text, match.end())
        if match["key"] in values and not same(values[match["key"]], decoded.value):
            raise BrokenJson("duplicate", key=match["key"])
        values[match["key"]] = decoded.value
        at = skip(text, decoded.end)
        if not text.startswith((",", "，"), at):
            break
        at += 1
    at = skip(text, at)
    return TextArguments(values, at + 1) if text.startswith(closer, at) else None
