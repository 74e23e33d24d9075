"""A call written as a JSON object, under whichever names a model gives to its parts."""

from collections.abc import Callable, Mapping

from script_editor.agent.calls import RequestedCall, is_finish
from script_editor.agent.feedback import unreadable
from script_editor.agent.json_repair import same

NAME_KEYS = ("action", "tool", "tool_name", "name", "function", "动作", "行动")
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
_ENVELOPES = _EMPTY_CALLS | {"function"}

Knows = Callable[[str], bool]
"""Whether a name is that of a tool."""


def calls_in(value: object, knows: Knows) -> tuple[RequestedCall, ...]:
    """Return the calls that a JSON value is, in order; none when it is data.

    A list counts when its elements do; one wrapper key of any name is looked through, and beside it
    those that a service's own message has, as in `{"tool_calls": [{"function": {…}}]}`.

    Raises:
        Unreadable: it is a call, but names two tools, has two sets of arguments, or keys of no meaning.
    """
    return _calls(value, knows, may_unwrap=True)


def _calls(value: object, knows: Knows, *, may_unwrap: bool) -> tuple[RequestedCall, ...]:
    if isinstance(value, list):
        found = [_calls(item, knows, may_unwrap=may_unwrap) for item in value]
        if any(found) and not all(found):
            raise unreadable("bad_call")
        return tuple(call for calls in found for call in calls)
    if not isinstance(value, Mapping):
        return ()
    wrapper = _wrapper(value)
    inner = value[wrapper] if wrapper is not None else None
    if not inner and _EMPTY_CALLS.intersection(value):
        raise unreadable("bad_call")
    is_envelope = wrapper in _ENVELOPES
    if inner is not None and (is_envelope or may_unwrap):
        return _calls(inner, knows, may_unwrap=may_unwrap and is_envelope)
    return _call(value, knows)


def _wrapper(value: Mapping[str, object]) -> str | None:
    """Return the only telling key of `value`, if it holds an object or a list."""
    keys = [key for key in value if key not in _COMMENT_KEYS]
    if len(keys) != 1 or keys[0] in _ARGUMENT_KEYS:
        return None
    return keys[0] if isinstance(value[keys[0]], Mapping | list) else None


def _call(value: Mapping[str, object], knows: Knows) -> tuple[RequestedCall, ...]:
    names = {
        key: name for key in NAME_KEYS if isinstance(name := value.get(key, ""), str | None) and key in value
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


def answer_in(value: object) -> str | None:
    """Return the text of an answer given as the arguments of a finish: itself, or the one text in an object.

    It is "" when nothing was given, and None for data, which is no text.
    """
    if isinstance(value, Mapping) and len(value) == 1:
        (key, inner), *_ = value.items()
        if key in _ANSWER_KEYS and isinstance(inner, str):
            return inner.strip()
    if isinstance(value, str):
        return value.strip()
    return "" if value is None or value == {} else None
