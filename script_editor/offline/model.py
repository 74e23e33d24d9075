"""OfflineModel: drives the agent like a chat model, by grammar instead of by a network.

It answers with the next tool call or the final words, in native calls or in ReAct text. It never
writes: an edit goes to the tool word for word, and what cannot be done mechanically is refused there.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from script_editor.errors import BeyondOffline, EditRefused
from script_editor.llm.chat import Message, OnText, Reply, ToolCall, ToolSpec
from script_editor.offline import refusals
from script_editor.offline.answers import failed, restored, sentence
from script_editor.offline.commands import (
    Command,
    Compare,
    History,
    Redo,
    Revert,
    Show,
    Undo,
    holds_command,
    read_command,
)
from script_editor.offline.conversation import Kept, Step, Turn, read_turn
from script_editor.offline.parts import read_parts
from script_editor.offline.rewriter import NAME
from script_editor.offline.script_names import for_one, ids_in, ids_listed, without_id
from script_editor.offline.taking import Take, read_take
from script_editor.offline.wording import Language, Phrase, language_of, read

_UNDO_LINE = re.compile(r"^undo: v(\d+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Call:
    """The tool to call next."""

    tool: str
    arguments: Mapping[str, str | int | list[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """The final words."""

    text: str


Decision = Call | Answer


class OfflineModel:
    """A ChatModel without key, network or cost."""

    @property
    def name(self) -> str:
        """The name recorded with what it did."""
        return NAME

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        on_text: OnText | None = None,
        **_unused: object,  # a grammar needs no stop words, reply schema or deadline
    ) -> Reply:
        """Return the next call, or the final answer.

        Raises:
            BeyondOffline: the instruction mixes a command about versions with an edit.
        """
        turn = read_turn(messages, tools)
        language = language_of(read(turn.instruction))
        reply = _render(decide(turn), turn, language)
        if on_text is not None and reply.text:
            on_text(reply.text)
        return reply


def decide(turn: Turn) -> Decision:
    """Return what to do next in a run: for each script that is meant, one after the other."""
    phrase = read(turn.instruction)
    language = language_of(phrase)
    take = read_take(phrase) if turn.kept is not None else None
    if turn.kept is not None and take is not None:
        return _take(take, turn.kept, turn, language)
    ids = _meant(turn, phrase)
    if ids is None:
        return Call("list_scripts")
    if not ids:
        return _without_script(phrase, language)
    answers: list[str] = []
    for script_id in ids:
        own = (
            turn.steps if len(ids) == 1 else tuple(step for step in turn.steps if _is_about(step, script_id))
        )
        said = for_one(turn.instruction, script_id, ids)
        decision = _decide(replace(turn, steps=own, instruction=said), script_id, language)
        if isinstance(decision, Call):
            return decision
        answers.append(decision.text)
    return Answer("\n".join(dict.fromkeys(answers)))


def _decide(turn: Turn, script_id: str, language: Language) -> Decision:
    """Return what to do next for one script."""
    if turn.steps and turn.steps[-1].observation.startswith("Error"):
        return Answer(failed(turn.steps[-1].observation, language))
    plain = without_id(read(turn.instruction), script_id)
    command = read_command(plain)
    if command is None:
        return _edit(turn, script_id, plain, language)
    return _follow(command, turn, script_id, language)


# --- which script --------------------------------------------------------------------------------


def _meant(turn: Turn, phrase: Phrase) -> tuple[str, ...] | None:
    """Return the scripts that are meant, none when nothing says which; None when the list of them is needed first."""
    if turn.script_id is not None and not turn.may_name_others:
        return (turn.script_id,)
    if ids := ids_in(phrase):
        return ids
    if turn.script_id is not None:
        return (turn.script_id,)
    if not turn.steps:
        return None if "list_scripts" in turn.tools else ()
    listed = turn.steps[0]
    return ids_listed(phrase, listed.observation) if listed.tool == "list_scripts" else ()


def _is_about(step: Step, script_id: str) -> bool:
    return re.search(rf'"{re.escape(script_id)}"', step.arguments) is not None


def _without_script(phrase: Phrase, language: Language) -> Decision:
    """Ask which script is meant, if what is wanted of it can be done here at all."""
    if read_command(phrase) is None and not _is_edit(phrase):
        raise refusals.beyond(language)
    return Answer(sentence("no_script", language))


# --- a stored proposal ---------------------------------------------------------------------------


def _take(take: Take, kept: Kept, turn: Turn, language: Language) -> Decision:
    """Save the proposal that the conversation speaks of, exactly as it is stored, or some lines of it."""
    if turn.steps:
        observation = turn.steps[-1].observation
        is_error = observation.startswith("Error")
        return Answer(failed(observation, language) if is_error else sentence("taken", language))
    if "modify_script" not in turn.tools:
        raise _by_command("read_only", f"apply {kept.proposal_id}", language)
    lines: dict[str, list[int]] = {"targets": list(take.lines)} if take.lines else {}
    said = {"script_id": kept.script_id, "instruction": turn.instruction, "proposal_id": kept.proposal_id}
    return Call("modify_script", {**said, **lines})


# --- edits ---------------------------------------------------------------------------------------


def _edit(turn: Turn, script_id: str, phrase: Phrase, language: Language) -> Decision:
    tool = next((name for name in ("modify_script", "preview") if name in turn.tools), None)
    if any(step.tool == tool for step in turn.steps):
        return Answer(sentence("saved" if turn.steps[-1].tool == "modify_script" else "previewed", language))
    if holds_command(phrase) and not _is_edit(phrase):
        raise refusals.one_at_a_time(language)
    if tool is None:
        return Answer(sentence("no_tool", language))
    return Call(tool, {"script_id": script_id, "instruction": turn.instruction})


def _is_edit(phrase: Phrase) -> bool:
    """Say whether the grammar of edits reads all of an instruction, so that 撤销 in it is text."""
    try:
        read_parts(phrase)
    except BeyondOffline:
        return False
    except EditRefused:
        return True
    return True


# --- commands ------------------------------------------------------------------------------------


def _follow(command: Command, turn: Turn, script_id: str, language: Language) -> Decision:
    match command:
        case Redo():
            raise _by_command("no_tool", f"redo {script_id}", language)
        case Undo(steps=steps):
            return _undo(steps, turn, script_id, language)
        case Revert(version=version):
            return _revert(version, turn, script_id, language)
        case Show(version=version):
            wanted = {} if version is None else {"version": version}
            return _look("get_script", wanted, turn, script_id, language)
        case History():
            return _look("history", {}, turn, script_id, language)
        case Compare(first=first, second=second):
            return _look("diff", {"from_version": first, "to_version": second}, turn, script_id, language)
        case _:
            assert_never(command)


def _look(
    tool: str, arguments: Mapping[str, int], turn: Turn, script_id: str, language: Language
) -> Decision:
    """Call a reading tool; what it answers is the answer."""
    if turn.steps and turn.steps[-1].tool == tool:
        return Answer(turn.steps[-1].observation)
    if tool not in turn.tools:
        return Answer(sentence("no_tool", language))
    return Call(tool, {"script_id": script_id, **arguments})


def _by_command(why: str, command: str, language: Language) -> BeyondOffline:
    """Return the refusal of something that no tool can do here, but a command of the program can."""
    run = "请运行" if language == "zh" else "Run"
    return BeyondOffline(sentence(why, language), hint=f"{run}: script-editor {command}", language=language)


def _revert(version: int, turn: Turn, script_id: str, language: Language) -> Decision:
    if turn.steps and turn.steps[-1].tool == "revert":
        return Answer(restored(version, language))
    if "revert" not in turn.tools:
        raise _by_command("read_only", f"revert {script_id} v{version}", language)
    return Call("revert", {"script_id": script_id, "version": version})


def _undo(steps: int, turn: Turn, script_id: str, language: Language) -> Decision:
    """Ask the history where undo goes to, then go there."""
    if not {"revert", "history"} <= turn.tools:
        raise _by_command("read_only", f"undo {script_id}", language)
    if steps != 1:
        raise _by_command("no_tool", f"undo {script_id} -n {steps}", language)
    if not turn.steps or turn.steps[-1].tool == "list_scripts":
        return Call("history", {"script_id": script_id})
    if turn.steps[-1].tool == "revert":
        return Answer(sentence("undone", language))
    target = _UNDO_LINE.search(turn.steps[-1].observation)
    if target is None:
        return Answer(sentence("no_undo", language))
    return Call("revert", {"script_id": script_id, "version": int(target[1])})


# --- the two layouts -----------------------------------------------------------------------------


def _render(decision: Decision, turn: Turn, language: Language) -> Reply:
    thought = "直接照指令做。" if language == "zh" else "This can be done as it is said."
    match decision:
        case Answer(text=text):
            final = f"Thought: {thought}\nFinal Answer: {text}" if turn.is_react else text
            return Reply(text=final, model=NAME)
        case Call(tool=tool, arguments=arguments):
            written = json.dumps(dict(arguments), ensure_ascii=False)
            if turn.is_react:
                return Reply(text=f"Thought: {thought}\nAction: {tool}\nAction Input: {written}", model=NAME)
            call = ToolCall(f"call_{len(turn.steps) + 1}", tool, written)
            return Reply(tool_calls=(call,), finish_reason="tool_calls", model=NAME)
        case _:
            assert_never(decision)
