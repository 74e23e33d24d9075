"""What the lines of a log look like, checked once where they are read, so that nobody who uses one has to ask again.

Only what this program writes is checked. What a service sent (a message, the arguments of a call) may be anything.
"""

from collections.abc import Callable, Mapping

from script_editor.app.runlog.form import Line

Shape = Callable[[object], bool]


def is_whole(line: Line) -> bool:
    """Say whether a line has the shape of its kind; one of a kind that is not known has."""
    kind = line.get("kind")
    return isinstance(kind, str) and _KINDS.get(kind, _anything)(line)


def _anything(_value: object) -> bool:
    return True


def _text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _switch(value: object) -> bool:
    return isinstance(value, bool)


def _or_none(shape: Shape) -> Shape:
    return lambda value: value is None or shape(value)


def _either(one: Shape, other: Shape) -> Shape:
    return lambda value: one(value) or other(value)


def _each(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def _object(needed: Mapping[str, Shape] = {}, /, **optional: Shape) -> Shape:
    """Return the shape of an object that has the `needed` fields, and whose `optional` ones are well shaped if there."""

    def fits(value: object) -> bool:
        if not isinstance(value, dict):
            return False
        shapes = {**needed, **optional}
        return needed.keys() <= value.keys() and all(
            shape(value[name]) for name, shape in shapes.items() if name in value
        )

    return fits


_USAGE = _or_none(_object(**{"in": _number, "out": _number, "known": _switch}))
_MESSAGE = _object(raw=_object(), n=_number)
_FORM = _object(
    n=_number,
    tools=_each(_object({"name": _text})),
    stop=_each(_text),
    response_format=_or_none(_object()),
)
_OUTCOME = _object(
    number=_number,
    mode=_text,
    malformed=_object(code=_text, message=_text),
    answer=_or_none(_text),
    questioned=_text,
    actions=_each(_object({"tool": _text})),
)
_KINDS: Mapping[str, Shape] = {
    "run": _object({"run": _text}, tools=_each(_text), instruction=_text),
    "exchange": _object(
        {"messages": _each(_either(_number, _MESSAGE))},
        number=_number,
        form=_either(_number, _FORM),
        failure=_object(message=_text),
        reply=_object({"message": _object()}, usage=_USAGE),
    ),
    "outcome": lambda line: (
        _OUTCOME(line) and isinstance(line, dict) and bool({"malformed", "answer", "actions"} & line.keys())
    ),
    "rewriter": _object({"outcome": _text}, exchange=_number, text=_text, errors=_each(_text)),
    "end": _object(usage=_USAGE, stop_reason=_or_none(_text), traceback=_text),
}
