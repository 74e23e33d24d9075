"""One line of JSON lines as cells: an object of texts, numbers and lists of them."""

import json
from collections.abc import Mapping, Sequence

from script_editor.errors import BadRow


def json_object(written: str) -> Mapping[str, object]:
    """Return the object on a line, numbers as they are written. Raises BadRow."""
    try:
        value = json.loads(
            written, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant,
            parse_int=str, parse_float=str,
        )  # fmt: skip
    except (ValueError, RecursionError) as error:
        raise BadRow("it is not a JSON object", "不是一个 JSON 对象") from error
    if not isinstance(value, dict):
        raise BadRow("it is not a JSON object", "不是一个 JSON 对象")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadRow("it holds half of a character", "里面有半个字符") from error
    return value


def _refuse_constant(name: str) -> object:
    # Python reads NaN and Infinity, which are no JSON; as words they would be ids and texts.
    raise BadRow(f"it has {name} in it, which is no JSON", f"里面有 {name}，它不是 JSON")


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise BadRow("two columns have the same name", "有两列同名")
    return values


def items_of(value: object) -> Sequence[object]:
    """Return the items of a list; anything else is the only item."""
    return value if isinstance(value, list) else [value]


def cell_of(value: object) -> str:
    """Return a value as the text of a cell, "" for null."""
    match value:
        case None:
            return ""
        case bool():
            return json.dumps(value)
        case _:
            return str(value)
