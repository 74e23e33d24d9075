"""A model's raw reply to the editing prompt, read into a plan.

Four syntaxes are read, told apart by their shape: the `@@` text form (`text_form`), JSON operations
(`json_form`), search/replace blocks (`blocks`) and a whole rewrite (`whole`). A reply that is cut is
never completed; prose is never taken for a script; script text may hold anything.
"""

from collections.abc import Sequence
from typing import Literal

from script_editor.domain.guards import declines, first_line
from script_editor.domain.intent import Intent, read_intent
from script_editor.domain.operations import Operation, Plan, Scope
from script_editor.domain.replies.authorship import Authorship
from script_editor.domain.replies.blocks import is_block_start, read_blocks
from script_editor.domain.replies.exchanging import exchange
from script_editor.domain.replies.json_form import json_start, read_json_form
from script_editor.domain.replies.limiting import restored_note
from script_editor.domain.replies.surroundings import Surroundings
from script_editor.domain.replies.text_form import is_header, read_text_form
from script_editor.domain.replies.thinking import first_spoken, without_thinking
from script_editor.domain.replies.tidying import Tidied, tidied
from script_editor.domain.replies.whole import read_whole
from script_editor.domain.segments import NumberedScript, is_blank
from script_editor.errors import EditRefused

Syntax = Literal["operations", "search_replace", "whole"]

_ADVICE = {
    "operations": "Answer with the operations only, in the form that was asked for.",
    "search_replace": "Answer with SEARCH/REPLACE blocks only.",
    "whole": "Answer with the complete script and nothing else.",
}


def parse_plan(
    raw: str,
    script: NumberedScript,
    *,
    syntax: Syntax = "operations",
    instruction: str = "",
    scope: Scope = "local",
    targets: tuple[int, ...] = (),
) -> Plan:
    """Return the plan that a complete reply asks for; it has no operations when nothing is to be changed.

    `syntax` is what the model was asked for; a reply that plainly is edits in another form is read as such,
    but a script is taken for a rewrite only when one was asked for. With `targets`, a rewrite changes these
    lines only. `instruction` says which changes of form are wanted.

    Raises:
        EditRefused: empty, reasoning_leak, refusal, malformed, truncated, commentary; wrong_target and
            stale when the reply names another script or version; no_match, ambiguous_match, empty_search,
            elision, conflict and unchanged from search/replace blocks.
    """
    authorship, intent = Authorship(script, instruction), read_intent(instruction)
    body = without_thinking(raw.lstrip("\ufeff").replace("\r\n", "\n"), authorship)
    if is_blank(body):
        raise EditRefused("empty", "The reply is empty.", advice=_ADVICE[syntax])
    if syntax == "whole" and not _is_edits(body, authorship):
        reading = read_whole(body, script, authorship, intent, targets)
        return _plan(
            script, scope, reading.operations, restored_note(instruction) if reading.is_restored else ()
        )
    done = _edits(body, script, authorship, intent, instruction, syntax)
    return _plan(script, scope, done.operations, _dropped(done.echoes, instruction))


def _plan(
    script: NumberedScript, scope: Scope, operations: Sequence[Operation], notes: tuple[str, ...]
) -> Plan:
    return Plan(
        script_id=script.script_id,
        base_version=script.version,
        operations=tuple(operations),
        scope=scope,
        notes=notes,
    )


def _is_edits(body: str, authorship: Authorship) -> bool:
    """Say whether a reply that should be a script is edits all the same: its first line begins some, and is no text."""
    first = first_spoken(body)
    if authorship.has(first):
        return False
    start = json_start(body)
    is_json = start is not None and not body[:start].strip() and '"ops"' in body[start : start + 400]
    return is_json or is_block_start(first) or (is_header(first) and "@@ end" in body)


def _edits(
    body: str,
    script: NumberedScript,
    authorship: Authorship,
    intent: Intent,
    instruction: str,
    syntax: Syntax,
) -> Tidied:
    """Return the operations of a reply that is edits, in whichever form they are."""
    surroundings = Surroundings(authorship)
    lines = body.split("\n")
    header = next((index for index, line in enumerate(lines) if is_header(line)), len(lines))
    block = next((index for index, line in enumerate(lines) if is_block_start(line)), len(lines))
    start = json_start(body)
    json_line = len(lines) if start is None else body.count("\n", 0, start)
    nearest = min(header, block, json_line)
    if nearest == len(lines):
        raise _no_edits(body, syntax)
    if nearest == block:
        return Tidied(exchange(read_blocks(body, surroundings), script, intent, instruction))
    if nearest == header:
        operations = read_text_form(body, surroundings)
    else:
        operations = read_json_form(body, start or 0, script, surroundings)
    return tidied(operations, script, authorship, intent)


def _no_edits(body: str, syntax: Syntax) -> EditRefused:
    first = first_line(body)
    if declines(first):
        return EditRefused("refusal", f"The model refused: {first}")
    return EditRefused("malformed", f"The reply is not a list of edits: {first}", advice=_ADVICE[syntax])


# --- notes for the person, in the language of the instruction ---------------------------------------


def _is_chinese(text: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in text)


def _dropped(echoes: Sequence[int], instruction: str) -> tuple[str, ...]:
    numbers = sorted(set(echoes))
    if not numbers:
        return ()
    if _is_chinese(instruction):
        return (f"模型把第 {'、'.join(map(str, numbers))} 行又抄了一遍，重复的部分没有写入。",)
    return (f"The model repeated line {', '.join(map(str, numbers))}; the copy was left out.",)
