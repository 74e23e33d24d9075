"""A conversation on its way to a service: made sound, and said in the way that a service takes.

Services refuse a whole request over one call without an answer, one answer without a call, an id that
occurs twice, a name with a dot or arguments that are no object; some run such a request and answer
nonsense. So every conversation is mended before it leaves, whoever put it together. Messages are
in the service's own shape here; the functions return new ones and change none.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from script_editor.llm.received import arguments_of, text_of

Json = dict[str, Any]  # a message of the service's own shape, open by nature

NOT_ANSWERED = "This call was not executed."

_NO_NAME_CHARACTER = re.compile(r"[^A-Za-z0-9_-]")
_MAX_NAME_CHARS = 64
_MESSAGE_FIELDS = frozenset({"role", "content", "name", "tool_calls", "tool_call_id", "function_call"})
_CALL_FIELDS = frozenset({"id", "type", "function"})
_FUNCTION_FIELDS = frozenset({"name", "arguments"})


# --- made sound ------------------------------------------------------------------------------


def mended(messages: Sequence[Json]) -> list[Json]:
    """Return messages in which every call is answered once and directly behind it, and nothing else is answered.

    Ids are unique and not empty, names are such as services take, arguments are the JSON text of an object.
    A missing answer says that the call was not run; an answer that stands too late is moved to its call, and
    one without a call is left out, as is a second one. Null fields go; null content becomes empty text.
    """
    taken: set[str] = set()
    sound: list[Json] = []
    for at, message in enumerate(messages):
        if _is_answer(message):
            continue  # it comes with its call
        if message["role"] == "assistant":
            sound += _with_answers(_sound(message), _answers_behind(messages, at), taken)
        else:
            sound.append(message)
    return sound


def sound_name(name: object) -> str:
    """Return `name` as services take it: ASCII letters, digits, `_` and `-`."""
    return _NO_NAME_CHARACTER.sub("_", str(name or ""))[:_MAX_NAME_CHARS] or "unknown"


def _is_answer(message: Json) -> bool:
    return message["role"] in ("tool", "function")


def _asks(message: Json) -> bool:
    return bool(message.get("tool_calls") or message.get("function_call"))


def _answers_behind(messages: Sequence[Json], at: int) -> list[Json]:
    """Return the answers that stand between the message at `at` and the next one that asks for something."""
    answers: list[Json] = []
    for message in messages[at + 1 :]:
        if _asks(message):
            break
        if _is_answer(message):
            answers.append(message)
    return answers


def _sound(message: Json) -> Json:
    """Return an assistant message without its empty fields and with calls of which each is an object."""
    kept = {name: value for name, value in message.items() if value is not None or name == "content"}
    # Some servers answer 500 to a null here, though it is what they sent themselves.
    kept["content"] = "" if kept.get("content") is None else kept["content"]
    calls = kept.pop("tool_calls", None)
    calls = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    function_call = kept.pop("function_call", None)
    if calls:
        return {**kept, "tool_calls": calls}
    return {**kept, "function_call": function_call} if isinstance(function_call, dict) else kept


def _with_answers(message: Json, answers: list[Json], taken: set[str]) -> Iterator[Json]:
    """Yield an assistant message and then one answer for each of its calls, in their order."""
    if function_call := message.get("function_call"):
        function = _sound_function(function_call)
        answer = next(iter(answers), None)
        yield {**message, "function_call": function}
        yield {"role": "function", "name": function["name"], "content": _content_of(answer)}
        return
    calls: list[Json] = []
    given: list[Json] = []
    for call in message.get("tool_calls", ()):
        answer = _taken_for(call, answers)
        call_id = _unique_id(str(call.get("id") or ""), taken)
        calls.append(
            {**call, "id": call_id, "type": "function", "function": _sound_function(call.get("function"))}
        )
        given.append({"role": "tool", "tool_call_id": call_id, "content": _content_of(answer)})
    yield {**message, "tool_calls": calls} if calls else message
    yield from given


def _taken_for(call: Json, answers: list[Json]) -> Json | None:
    """Take the first answer to `call` out of `answers`; two calls of one id share theirs in order."""
    for at, answer in enumerate(answers):
        if str(answer.get("tool_call_id") or "") == str(call.get("id") or ""):
            return answers.pop(at)
    return None


def _content_of(answer: Json | None) -> str:
    return NOT_ANSWERED if answer is None else answer["content"]


def _unique_id(wanted: str, taken: set[str]) -> str:
    call_id, number = wanted, 0
    while not call_id or call_id in taken:
        number += 1
        call_id = f"{wanted or 'call'}_{number}"
    taken.add(call_id)
    return call_id


def _sound_function(function: object) -> Json:
    function = function if isinstance(function, dict) else {}
    return {
        **function,
        "name": sound_name(function.get("name")),
        "arguments": _object_text(arguments_of(function.get("arguments"))),
    }


def _object_text(arguments: str) -> str:
    """Return arguments as the JSON text of an object; what is none is put into one, so that it is not lost."""
    try:
        value = json.loads(arguments) if arguments.strip() else None
    except (ValueError, RecursionError):
        value = arguments
    if isinstance(value, dict):
        return arguments
    return "{}" if value is None else json.dumps({"input": value}, ensure_ascii=False)


# --- said in another way ---------------------------------------------------------------------


def extra_fields(messages: Iterable[Json]) -> set[str]:
    """Return the names of fields in assistant messages that the format itself does not know."""
    names: set[str] = set()
    for message in messages:
        names |= message.keys() - _MESSAGE_FIELDS
        for call in message.get("tool_calls", ()):
            names |= call.keys() - _CALL_FIELDS | call["function"].keys() - _FUNCTION_FIELDS
    return names


def with_plain_fields(messages: Iterable[Json]) -> list[Json]:
    """Return messages without the fields that services put into their own replies, such as reasoning."""
    return [_plain(message) for message in messages]


def _plain(message: Json) -> Json:
    kept = {name: value for name, value in message.items() if name in _MESSAGE_FIELDS}
    if isinstance(kept.get("content"), list):
        kept["content"] = text_of(kept["content"])
    if "tool_calls" in kept:
        kept["tool_calls"] = [_plain_call(call) for call in kept["tool_calls"]]
    return kept


def _plain_call(call: Json) -> Json:
    function = {name: value for name, value in call["function"].items() if name in _FUNCTION_FIELDS}
    return {"id": call["id"], "type": "function", "function": function}


def has_parallel_calls(messages: Iterable[Json]) -> bool:
    """Whether a message asks for several calls at once."""
    return any(len(message.get("tool_calls", ())) > 1 for message in messages)


def one_call_each(messages: Sequence[Json]) -> list[Json]:
    """Return mended messages with a message of its own for each call, as if they had come one after the other."""
    answers = {message["tool_call_id"]: message for message in messages if message["role"] == "tool"}
    single: list[Json] = []
    for message in messages:
        calls = message.get("tool_calls", ())
        for number, call in enumerate(calls):
            asking = message if number == 0 else {"role": "assistant", "content": ""}
            single += [{**asking, "tool_calls": [call]}, answers[call["id"]]]
        if not calls and message["role"] != "tool":
            single.append(message)
    return single


def with_first_words(system: str, messages: Sequence[Json]) -> list[Json]:
    """Return messages in which what was meant for a system message opens the first one of the user."""
    at = next((at for at, message in enumerate(messages) if message["role"] == "user"), None)
    if at is None:
        return [{"role": "user", "content": system}, *messages]
    opened = {**messages[at], "content": f"{system}\n\n{messages[at]['content']}"}
    return [*messages[:at], opened, *messages[at + 1 :]]


def has_repeated_roles(messages: Sequence[Json]) -> bool:
    """Whether two messages of text by the same speaker follow each other."""
    return len(alternating(messages)) < len(messages)


def alternating(messages: Sequence[Json]) -> list[Json]:
    """Return messages in which those of one speaker that follow each other are one."""
    joined: list[Json] = []
    for speaker, group in groupby(messages, key=_speaker):
        said = list(group)
        if not speaker or len(said) == 1:
            joined += said
        else:
            joined.append({"role": speaker, "content": "\n\n".join(message["content"] for message in said)})
    return joined


def _speaker(message: Json) -> str:
    """Return who says a message that is nothing but text, "" for any other."""
    is_text = message.keys() == {"role", "content"} and isinstance(message["content"], str)
    return str(message["role"]) if is_text else ""
