"""OfflineModel: drives the agent like a chat model, by grammar instead of by a network.

It answers with the next tool call or the final words, in the layout that the agent asks for. It never
writes: an edit goes to the tool word for word, and what cannot be done mechanically is refused there.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from script_editor.errors import BeyondOffline, EditRefused
from script_editor.llm.chat import Message, OnText, Reply, ToolSpec
from script_editor.offline import doubts, refusals
from script_editor.offline.answers import done_in, failed, not_done_in, sentence
from script_editor.offline.commands import (
    NEWEST,
    OF_THE_STORE,
    READING,
    Compare,
    ListScripts,
    Revert,
    Show,
    asks_which_script,
    holds_command,
    is_bare_look,
    means_all_scripts,
    read_command,
)
from script_editor.offline.conversation import Kept, Turn, read_turn
from script_editor.offline.decisions import Answer, Call, Decision, by_command
from script_editor.offline.following import follow, of_the_store, steps_about
from script_editor.offline.layouts import written
from script_editor.offline.looking_first import read_look
from script_editor.offline.parts import read_parts
from script_editor.offline.rewriter import NAME
from script_editor.offline.script_names import Errand, errands, ids_in, ids_listed, without_id, without_ids
from script_editor.offline.taking import Take, read_take
from script_editor.offline.wording import Language, Phrase, language_of, read

_LOOK_FIRST = ("请改用 preview", "Use preview instead")
"""The program's own advice when something would be saved that the person wants to see first."""


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
            BeyondOffline: the instruction mixes a command about versions with an edit, or nothing can be made of it.
        """
        turn = read_turn(messages, tools)
        language = _language(turn)
        decision = decide(turn)
        if isinstance(decision, Answer) and not decision.text.strip():
            raise refusals.beyond(language, read(turn.instruction).literal)  # an empty reply tells nobody why
        reply = written(decision, turn, language)
        if on_text is not None and reply.text:
            on_text(reply.text)
        return reply


def decide(turn: Turn) -> Decision:
    """Return what to do next in a run: for each script that is meant, one after the other."""
    phrase = read(turn.instruction)
    language = _language(turn)
    take = read_take(phrase) if turn.kept is not None else None
    if turn.kept is not None and take is not None:
        return _take(take, turn.kept, turn, language)
    command = read_command(phrase)
    if isinstance(command, OF_THE_STORE):
        return of_the_store(command, turn, language)
    turn, phrase = (turn, phrase) if command else _seen_first(turn, phrase, language)
    ids = _meant(turn, phrase)
    if ids is None:
        return Call("list_scripts")
    if not ids:
        return _without_script(phrase, language)
    return _for_each(_errands(turn, phrase, ids, language), turn, language)


def _language(turn: Turn) -> Language:
    """Return the language of the instruction; an id in it may be in another."""
    phrase = read(turn.instruction)
    return language_of(without_ids(phrase, turn.named) or phrase)


def _seen_first(turn: Turn, phrase: Phrase, language: Language) -> tuple[Turn, Phrase]:
    """Return the turn with what it says of a look before saving taken out of the request and noted."""
    look = read_look(phrase, language)
    if look is None:
        return turn, phrase
    if (
        len(ids_in(phrase, turn.named)) == 1
    ):  # it may stand inside those words, which are read again without it
        return replace(turn, is_look=True), phrase
    return replace(turn, is_look=True, instruction=look.instruction), read(look.instruction)


def _for_each(found: tuple[Errand, ...], turn: Turn, language: Language) -> Decision:
    answers: list[tuple[str, Answer]] = []
    for errand in found:
        own = turn.steps if len(found) == 1 else steps_about(turn.steps, errand.script_id)
        mine = replace(turn, steps=own, instruction=errand.instruction)
        decision = _decide(mine, errand.script_id, language)
        if isinstance(decision, Call):
            return decision
        answers.append((errand.script_id, decision))
    return Answer(_together(answers, turn, language))


def _decide(turn: Turn, script_id: str, language: Language) -> Decision:
    """Return what to do next for one script."""
    said = read(turn.instruction)
    plain = without_id(said, script_id)
    is_failed = bool(turn.steps) and turn.steps[-1].observation.startswith("Error")
    if is_failed and not _is_to_be_seen_first(turn):
        return _failed(turn, plain, language)
    command = read_command(plain)
    is_named = plain.text != said.text
    if (
        isinstance(command, ListScripts) and is_named
    ):  # it is to be searched for something, which no tool does
        raise refusals.beyond(language, said.literal)
    if command is None and is_named and is_bare_look(plain):
        command = Show()
    if command is None and (back := _looks_back(plain, language)) is not None:
        command = back
    if command is None:
        return _edit(turn, script_id, plain, language)
    return follow(command, turn, script_id, language)


def _looks_back(phrase: Phrase, language: Language) -> Compare | None:
    """Return what shows how the text would change, for an older version that is to be seen before it is restored."""
    look = read_look(phrase, language)
    command = None if look is None else read_command(read(look.instruction))
    return Compare(NEWEST, command.version) if isinstance(command, Revert) else None


def _failed(turn: Turn, phrase: Phrase, language: Language) -> Answer:
    """Return why nothing was done. What is no edit here is refused as that, whatever the tool said of it."""
    look = read_look(phrase, language)
    said = phrase if look is None else read(look.instruction)
    if turn.steps[-1].tool in ("modify_script", "preview") and not _is_edit(said):
        raise refusals.beyond(language, said.literal)
    return Answer(failed(turn.steps[-1].observation, language), "failed")


def _together(answers: list[tuple[str, Answer]], turn: Turn, language: Language) -> str:
    """Return one answer for all scripts; where they differ, each sentence names its scripts."""
    by_answer: dict[Answer, list[str]] = {}
    for script_id, answer in answers:
        by_answer.setdefault(answer, []).append(script_id)
    if len(by_answer) == 1:
        return answers[0][1].text
    told = [_about(ids, answer, turn, language) for answer, ids in by_answer.items()]
    if all(answer.kind == "told" for answer in by_answer):
        return "\n".join(told)
    return ("" if language == "zh" else " ").join(told)


def _about(ids: list[str], answer: Answer, turn: Turn, language: Language) -> str:
    match answer.kind:
        case "told":
            return answer.text
        case "done":
            return done_in(ids, answer.text, language)
        case "failed":
            observation = steps_about(turn.steps, ids[0])[-1].observation
            return not_done_in(ids, observation, language)
        case _:
            assert_never(answer.kind)


# --- which script --------------------------------------------------------------------------------


def _meant(turn: Turn, phrase: Phrase) -> tuple[str, ...] | None:
    """Return the scripts that are meant, none when nothing says which; None when the list of them is needed first."""
    ids = ids_in(phrase, turn.named)
    if turn.script_id is not None and not turn.may_name_others:
        others = () if turn.script_id in ids else ids
        return others if _only_reads(phrase, others) else (turn.script_id,)
    if ids:
        return ids
    if turn.script_id is not None:
        return (turn.script_id,)
    if not turn.steps:
        return None if "list_scripts" in turn.tools else ()
    listed = turn.steps[0]
    return ids_listed(phrase, listed.observation) if listed.tool == "list_scripts" else ()


def _only_reads(phrase: Phrase, ids: tuple[str, ...]) -> bool:
    """Say whether an instruction only wants to know something of other scripts, which may always be read."""
    if len(ids) != 1:
        return False
    plain = without_id(phrase, ids[0])
    return isinstance(read_command(plain), READING) or is_bare_look(plain)


def _without_script(phrase: Phrase, language: Language) -> Decision:
    """Ask which script is meant, if what is wanted of it can be done here at all."""
    command = read_command(phrase)
    is_answered = command is not None or (means_all_scripts(phrase) and phrase.holds_quotation)
    if not is_answered and (asks_which_script(phrase) or not _is_edit(phrase)):
        raise refusals.beyond(language)
    return Answer(sentence("no_script", language))


# --- a stored proposal ---------------------------------------------------------------------------


def _take(take: Take, kept: Kept, turn: Turn, language: Language) -> Decision:
    """Save the proposal that the conversation speaks of, exactly as it is stored, or some lines of it."""
    if turn.steps:
        observation = turn.steps[-1].observation
        is_error = observation.startswith("Error")
        return Answer(failed(observation, language) if is_error else sentence("taken", language), "done")
    if "modify_script" not in turn.tools:
        raise by_command("read_only", f"apply {kept.proposal_id}", language)
    lines: dict[str, list[int]] = {"targets": list(take.lines)} if take.lines else {}
    said = {"script_id": kept.script_id, "instruction": turn.instruction, "proposal_id": kept.proposal_id}
    return Call("modify_script", {**said, **lines})


# --- edits ---------------------------------------------------------------------------------------


def _edit(turn: Turn, script_id: str, phrase: Phrase, language: Language) -> Decision:
    look = read_look(phrase, language)
    is_first_seen = turn.is_look or look is not None or _is_to_be_seen_first(turn)
    wanted = ("preview",) if is_first_seen else ("modify_script", "preview")
    tool = next((name for name in wanted if name in turn.tools), None)
    if any(step.tool == tool for step in turn.steps):
        is_saved = turn.steps[-1].tool == "modify_script"
        return Answer(sentence("saved" if is_saved else "previewed", language), "done")
    said = phrase if look is None else read(look.instruction)
    if holds_command(said) and not _is_edit(said):
        raise refusals.one_at_a_time(language)
    if tool is None:
        return Answer(sentence("no_tool", language), "failed")
    return Call(
        tool, {"script_id": script_id, "instruction": turn.instruction if look is None else look.instruction}
    )


def _is_to_be_seen_first(turn: Turn) -> bool:
    """Say whether the last call was refused because the person wants to see the edit before it is saved."""
    last = turn.steps[-1] if turn.steps else None
    return (
        last is not None
        and last.tool == "modify_script"
        and any(advice in last.observation for advice in _LOOK_FIRST)
    )


def _errands(turn: Turn, phrase: Phrase, ids: tuple[str, ...], language: Language) -> tuple[Errand, ...]:
    """Return what is asked for in each script; nothing is begun when a part of it cannot be done here.

    Raises:
        BeyondOffline: one of several clauses needs a writer.
        EditRefused: ambiguous_match; a clause may be a part of the text before it.
    """
    if len(ids) == 1:
        return (Errand(ids[0], turn.instruction),)
    found = errands(phrase, ids)
    if len({errand.instruction.replace(errand.script_id, "") for errand in found}) > 1:
        for errand in found:
            said = without_id(read(errand.instruction), errand.script_id)
            look = read_look(said, language)
            said = said if look is None else read(look.instruction)
            if errand is not found[-1] and ":" in said.folded:
                raise doubts.uncertain_text(language, phrase.literal)
            if read_command(said) is None and not is_bare_look(said) and not _is_edit(said):
                raise refusals.beyond(language, errand.instruction)
    return found


def _is_edit(phrase: Phrase) -> bool:
    """Say whether the grammar of edits reads all of an instruction, so that 撤销 in it is text."""
    try:
        read_parts(phrase)
    except BeyondOffline:
        return False
    except EditRefused:
        return True
    return True
