"""A model's raw reply to the editing prompt, read into a plan.

Two syntaxes are read: the `@@` text form, which needs no escaping,

    @@ replace S5:9c
    水开下面，四分钟就好。
    @@ insert_after S2:3d
    …
    @@ delete S4:0f
    @@ move S4:0f before S2:3d
    @@ substitute S5:9c
    三分钟
    @@ with
    四分钟
    @@ end

and a JSON object `{"ops": [{"op": "replace", "id": "S5:9c", "text": "…"}, …]}` with the same
operations. A reply that is cut (no `@@ end`, an open string) is never completed; prose is never
taken for a script. Script text may hold anything: a content line that begins with `@@` is written
`\\@@`.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from script_editor.domain.guards import first_line, is_refusal
from script_editor.domain.operations import (
    Delete,
    InsertAfter,
    InsertBefore,
    Move,
    Operation,
    Plan,
    Replace,
    Substitute,
)
from script_editor.domain.segments import NumberedScript, is_blank
from script_editor.errors import EditRefused

_THINKING = re.compile(r"\s*<(think|thinking|thought|reasoning)>.*?</\1>\s*", re.IGNORECASE | re.DOTALL)
_LONE_CLOSING = re.compile(
    r"(?:(?!@@)[^\n]*\n)*?[^\n@]*</(?:think|thinking|thought|reasoning)>\s*", re.IGNORECASE
)
_OPEN_THINKING = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<body>.*)\n(?P=fence)\s*", re.DOTALL)
_HEADER = re.compile(r"@@\s*(?P<name>[a-z_]+)\s*(?P<rest>.*?)\s*", re.IGNORECASE)
_WRONG_SHAPE = "Answer with @@ operations only, ending with '@@ end'."


def parse_plan(raw: str, script: NumberedScript) -> Plan:
    """Return the plan that a complete reply asks for.

    Raises:
        EditRefused: empty, reasoning_leak, refusal, malformed, truncated (the `@@` form without its
            end), or wrong_target and stale when a JSON envelope names another script or version.
    """
    body = _unwrapped(raw)
    if is_blank(body):
        raise EditRefused("empty", "The reply is empty.", advice=_WRONG_SHAPE)
    if body.lstrip().startswith("{"):
        return _from_json(body, script)
    if any(line.startswith("@@") for line in body.split("\n")):
        return _plan(script, _from_text(body))
    if is_refusal(body):
        raise EditRefused("refusal", f"The model refused: {first_line(body)}")
    raise EditRefused(
        "malformed", f"The reply is not a list of edits: {first_line(body)}", advice=_WRONG_SHAPE
    )


def _unwrapped(raw: str) -> str:
    """Return the reply without a closed block of thinking in front and an outer fence."""
    body = raw.replace("\r\n", "\n").lstrip("\ufeff")
    while thinking := _THINKING.match(body):
        body = body[thinking.end() :]
    closing = _LONE_CLOSING.match(body)
    if closing:  # the service's template opened the block in the prompt
        body = body[closing.end() :]
    elif _OPEN_THINKING.match(body):
        raise EditRefused("reasoning_leak", "The reply holds only unfinished thinking.", advice=_WRONG_SHAPE)
    fence = _FENCE.fullmatch(body)
    return fence["body"] if fence else body


def _plan(script: NumberedScript, operations: Sequence[Operation]) -> Plan:
    return Plan(script_id=script.script_id, base_version=script.version, operations=tuple(operations))


def _malformed(message: str) -> EditRefused:
    return EditRefused("malformed", message, advice=_WRONG_SHAPE)


# --- the text form ---------------------------------------------------------------------------


def _from_text(body: str) -> list[Operation]:
    blocks: list[tuple[str, str, list[str]]] = []
    ended = False
    for line in body.split("\n"):
        header = _HEADER.fullmatch(line) if line.startswith("@@") else None
        if ended:
            if not is_blank(line):
                raise _malformed(f"There is text after '@@ end': {first_line(line)}")
        elif line.startswith("@@") and header is None:
            raise _malformed(
                f"{first_line(line)!r} is not an operation; write \\@@ for text that begins with @@."
            )
        elif header is not None and header["name"].lower() == "end":
            if header["rest"]:
                raise _malformed(f"{first_line(line)!r} is not '@@ end'.")
            ended = True
        elif header is not None:
            blocks.append((header["name"].lower(), header["rest"], []))
        elif blocks:
            blocks[-1][2].append(line[1:] if line.startswith("\\@@") else line)
        elif not is_blank(line):
            raise _malformed(f"There is text before the first operation: {first_line(line)}")
    if not ended:
        raise EditRefused(
            "truncated",
            "The reply has no '@@ end', so it may be cut off; nothing of it was used.",
            advice=_WRONG_SHAPE,
        )
    return _operations(blocks)


def _operations(blocks: Sequence[tuple[str, str, list[str]]]) -> list[Operation]:
    operations: list[Operation] = []
    index = 0
    while index < len(blocks):
        name, rest, lines = blocks[index]
        text = "\n".join(lines).removesuffix("\n") if lines else ""
        if name == "substitute":
            if index + 1 >= len(blocks) or blocks[index + 1][0] != "with":
                raise _malformed("A substitute needs '@@ with' and the new text after it.")
            operations.append(_substitute(rest, text, "\n".join(blocks[index + 1][2]).removesuffix("\n")))
            index += 1
        else:
            operations.append(_text_operation(name, rest, text))
        index += 1
    return operations


def _substitute(rest: str, find: str, replace: str) -> Substitute:
    words = rest.split()
    every = bool(words) and words[-1].lower() == "all"
    ids = words[:-1] if every else words
    if len(ids) > 1:
        raise _malformed(f"'@@ substitute {rest}': give one segment id, 'all', or both.")
    return Substitute(find=find, replace=replace, id=ids[0] if ids else None, all=every)


def _text_operation(name: str, rest: str, text: str) -> Operation:
    words = rest.split()
    match name, words:
        case ("replace", [id]):
            return Replace(id, text)
        case ("insert_before", [id]):
            return InsertBefore(id, text)
        case ("insert_after", [id]):
            return InsertAfter(id, text)
        case ("delete", [id]) if is_blank(text):
            return Delete(id)
        case ("move", [id, where, anchor]) if where in ("before", "after") and is_blank(text):
            return Move(id, **{where: anchor})
    raise _malformed(f"'@@ {name} {rest}' is not an operation that can be carried out.")


# --- the JSON form ---------------------------------------------------------------------------


def _from_json(body: str, script: NumberedScript) -> Plan:
    try:
        envelope = json.loads(body, object_pairs_hook=_no_repeats)
    except (ValueError, RecursionError) as error:
        raise _malformed(f"The reply is not valid JSON ({error}).") from error
    _check_envelope(envelope, script)
    ops = envelope.get("ops", envelope.get("operations"))
    if not isinstance(ops, list):
        raise _malformed("The reply has no list 'ops'.")
    return _plan(script, [_json_operation(op) for op in ops])


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key is given twice: {', '.join(sorted({k for k in keys if keys.count(k) > 1}))}")
    return dict(pairs)


def _check_envelope(envelope: Mapping[str, Any], script: NumberedScript) -> None:
    named = envelope.get("script_id", script.script_id)
    if named != script.script_id:
        raise EditRefused(
            "wrong_target", f"The reply is for {named!r}, but {script.script_id!r} is being edited."
        )
    base = envelope.get("base_version", script.version)
    if base != script.version:
        raise EditRefused(
            "stale", f"The reply is for version {base}; the script is at version {script.version}."
        )


_FIELDS: Mapping[str, tuple[frozenset[str], Callable[..., Operation]]] = {
    "replace": (frozenset({"id", "text"}), Replace),
    "insert_before": (frozenset({"id", "text"}), InsertBefore),
    "insert_after": (frozenset({"id", "text"}), InsertAfter),
    "delete": (frozenset({"id"}), Delete),
    "move": (frozenset({"id", "before", "after"}), Move),
    "substitute": (frozenset({"id", "find", "replace", "all"}), Substitute),
}


def _json_operation(op: object) -> Operation:
    if not isinstance(op, dict) or not isinstance(op.get("op"), str) or op["op"] not in _FIELDS:
        known = ", ".join(_FIELDS)
        raise _malformed(f"{json.dumps(op, ensure_ascii=False)[:80]} is not an operation; there are {known}.")
    allowed, build = _FIELDS[op["op"]]
    fields = {key: value for key, value in op.items() if key != "op" and value is not None}
    unknown = sorted(set(fields) - allowed)
    wrong = sorted(
        key for key, value in fields.items() if not isinstance(value, bool if key == "all" else str)
    )
    if unknown or wrong:
        raise _malformed(f"{op['op']}: cannot use {', '.join(unknown + wrong)}.")
    try:
        return build(**fields)
    except TypeError as error:
        raise _malformed(
            f"{op['op']}: a field is missing ({', '.join(sorted(allowed - set(fields)))})."
        ) from error
