"""A call written as a JSON object, under whichever names a model gives to its parts."""

from collections.abc import Callable, Mapping

from script_editor.agent.calls import RequestedCall, is_finish
from script_editor.agent.feedback import unreadable
from script_editor.agent.json_repair import same

_NAME_KEYS = ("action", "tool", "tool_name", "name", "function", "动作", "行动")
_ARGUMENT_KEYS = (
    "action_input",
    "tool_input",
    "args",
    "arguments",
    "input",
    "parameters",
    "动作输入",
    "行动输入",
)
_COMMENT_KEYS = frozenset({"thought", "thoughts", "思考", "想法", "id", "type", "index"})
_ANSWER_KEYS = ("answer", "final_answer", "output", "text", "content", "result", "答案")
_EMPTY_CALLS = frozenset({"tool_call", "tool_calls", "function_call"})
_MAX_WRAPPERS = 2

Knows = Callable[[str], bool]
"""Whether a name is that of a tool."""


def calls_in(value: object, knows: Knows) -> tuple[RequestedCall, ...]:
    """Return the calls that a JSON value is, in order; none when it is data.

    A list counts when its elements do; one wrapper key, as in `{"tool_call": {…}}`, is looked through.

    Raises:
        Unreadable: it is a call, but names two tools, has two sets of arguments, or keys of no meaning.
    """
    return _calls(value, knows, _MAX_WRAPPERS)


def _calls(value: object, knows: Knows, wrappers: int) -> tuple[RequestedCall, ...]:
    if isinstance(value, list):
        found = [_calls(item, knows, wrappers) for item in value]
        if any(found) and not all(found):
            raise unreadable("bad_call")
        return tuple(call for calls in found for call in calls)
    if not isinstance(value, Mapping):
        return ()
    inner = _unwrapped(value)
    if not inner and _EMPTY_CALLS.intersection(value):
        raise unreadable("bad_call")
    if inner is not None and wrappers:
        return _calls(inner, knows, wrappers - 1)
    return _call(value, knows)


def _unwrapped(value: Mapping[str, object]) -> object | None:
    """Return what the only telling key of `value` holds, if that is an object or a list."""
    keys = [key for key in value if key not in _COMMENT_KEYS]
    inner = value[keys[0]] if len(keys) == 1 else None
    return inner if isinstance(inner, Mapping | list) and keys[0] not in _ARGUMENT_KEYS else None


def _call(value: Mapping[str, object], knows: Knows) -> tuple[RequestedCall, ...]:
    names = {
        key: name for key in _NAME_KEYS if isinstance(name := value.get(key, ""), str | None) and key in value
    }
    arguments = [value[key] for key in _ARGUMENT_KEYS if key in value]
    strange = [key for key in value if key not in (*names, *_ARGUMENT_KEYS, *_COMMENT_KEYS)]
    if not names or (not arguments and _is_data(names, strange, knows)):
        return ()
    spelled = list(dict.fromkeys(name.strip() for name in names.values() if name and name.strip()))
    if not spelled:
        raise unreadable("missing_name")
    if len(spelled) > 1:
        raise unreadable("two_names", names=", ".join(spelled))
    if any(not same(arguments[0], other) for other in arguments[1:]):
        raise unreadable("two_arguments", tool=spelled[0], where="arguments")
    if strange:
        raise unreadable("unknown_keys", tool=spelled[0], keys=", ".join(strange))
    return (RequestedCall(name=spelled[0], arguments=arguments[0] if arguments else None),)


def _is_data(names: Mapping[str, str | None], strange: list[str], knows: Knows) -> bool:
    """Whether an object with a name, but without arguments, is something else than a call."""
    if any(name is not None and (knows(name) or is_finish(name)) for name in names.values()):
        return False
    return list(names) == ["name"] or len(names) > 1 or bool(strange)


def answer_in(value: object) -> str:
    """Return the text of an answer given as the arguments of a finish: itself, or the one text in an object."""
    if isinstance(value, Mapping) and len(value) == 1:
        (key, inner), *_ = value.items()
        if key in _ANSWER_KEYS and isinstance(inner, str):
            return inner.strip()
    return value.strip() if isinstance(value, str) else ""
