"""The answer of a reply: where it ends, and how it is spelled when a model finishes as if by a tool."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from script_editor.agent.call_objects import Knows, answer_in
from script_editor.agent.calls import RequestedCall, is_finish
from script_editor.agent.feedback import Unreadable, unreadable
from script_editor.agent.json_repair import BrokenJson, decode
from script_editor.agent.labels import Label, LabelKind
from script_editor.agent.markup import Markup
from script_editor.agent.noise import is_in_sentence, unfenced
from script_editor.agent.own_lines import OwnLines
from script_editor.agent.scanner import Event, Scanner

IsReal = Callable[[Label], bool]
"""Whether a line with an Action label is a step and not a line of text."""


_LABELS: Mapping[LabelKind, str] = {"final": "Final Answer", "assistant": "AI:"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of an answer and where the label in front of it stands; `label` is its name, if it is one for answers."""

    text: str
    label_start: int
    label: str = ""


def read_answer(scanner: Scanner, label: Label, start: int, is_real: IsReal) -> Answer:
    """Return the answer that begins at `start` behind `label`: all text, its own labels and lines included.

    Only a line that opens somebody else's turn ends it, and only if one of our labels follows, so
    that a dialogue in a script stays whole.

    Raises:
        Unreadable: there is a step in the answer, which therefore claims what has not happened.
    """
    name = _LABELS.get(label.kind, "")
    text = scanner.text[start : end_of_answer(scanner, start, is_real, label=name)].strip()
    if label.mark and text.count(label.mark) % 2:
        text = text.removesuffix(label.mark).rstrip()  # the whole line was bold, label and answer
    return Answer(text, label.start, name)


def end_of_answer(scanner: Scanner, at: int, is_real: IsReal, *, label: str = "") -> int:
    """Return where the answer that `at` is in ends; see read_answer. `label` is the one in front of it, if any."""
    other_turn: int | None = None
    while event := scanner.next_event(at, in_answer=True):
        at = event.end
        match event:
            case Label(kind="turn" | "observation"):
                other_turn = event.start if other_turn is None else other_turn
            case Label(kind="thought" | "final" | "assistant") if other_turn is not None:
                return other_turn
            case _ if names := _step_in(event, scanner, is_real):
                if other_turn is None:
                    raise step_and_answer(names, in_labels=isinstance(event, Label), label=label)
                return other_turn
            case _:
                pass
    return len(scanner.text)


def step_and_answer(names: str, *, in_labels: bool, label: str) -> Unreadable:
    """Return the problem of a step and an answer in one reply, in the words of the labels that it used."""
    used = ("step", "Action" if in_labels else ""), ("answer", label)
    return unreadable("step_and_answer", names=names, **{part: word for part, word in used if word})


def _step_in(event: Event, scanner: Scanner, is_real: IsReal) -> str:
    """Return what the step that begins at `event` calls; "" if it is none."""
    match event:
        case Markup() if is_in_sentence(scanner.text, event.start, event.end):
            return ""
        case Markup() | OwnLines():
            return ", ".join(call.name for call in event.calls)
        case Label(kind="action") if is_real(event):
            return scanner.text[event.end :].strip().partition("\n")[0][:80].strip()
        case _:
            return ""


def finish_among(calls: Sequence[RequestedCall], knows: Knows) -> str | None:
    """Return the answer when the call of a reply is a finish that is no tool; None when no call is one.

    Raises:
        Unreadable: the answer is empty, or other calls stand beside it.
    """
    finishes = [call for call in calls if is_finish(call.name) and not knows(call.name)]
    if not finishes:
        return None
    if len(finishes) < len(calls):
        names = dict.fromkeys(call.name for call in calls if call not in finishes)
        raise unreadable("step_and_answer", names=", ".join(names))
    answers = {_given_answer(call.arguments) for call in finishes}
    if len(answers) > 1:
        raise unreadable("several_answers")
    answer = answers.pop()
    if not answer:
        raise unreadable("empty_answer")
    return answer


def _given_answer(arguments: object) -> str:
    """Return the answer that a finish was given; one that is neither a text nor an object with one is shown as JSON."""
    if isinstance(arguments, str):
        return unquoted(arguments)
    answer = answer_in(arguments)
    return json.dumps(arguments, ensure_ascii=False, default=str) if answer is None else answer


def in_brackets(text: str) -> str:
    """Return what stands in the brackets that open `text`; "" if they do not close.

    Brackets close where they are balanced at the end of a line, or else at the last one that ends a line.
    An answer with its name, `(answer="…")`, loses the name.
    """
    depth, closed_at = 0, 0
    for bracket in re.finditer(r"[(（\[［]|[)）\]］](?P<ends_line>[`\s]*$)?", text, re.MULTILINE):
        opens = bracket[0][0] in "(（[［"
        depth += 1 if opens else -1
        if not opens and bracket["ends_line"] is not None:
            closed_at = bracket.start()
            if depth <= 0:
                break
    inside = text[1:closed_at].strip()
    keyword = re.match(r"[A-Za-z_]+\s*=\s*", inside)
    return inside[keyword.end() :] if keyword else inside


def unquoted(text: str) -> str:
    """Return an answer without the notation it was given in: backticks, quotation marks, an object with one text.

    A fence round a text stays, since it is a part of the answer.
    """
    text = text.strip()
    is_fenced = text.startswith(("```", "~~~"))
    inside = unfenced(text).strip() if is_fenced else _without_backticks(text)
    shown = text if is_fenced else inside
    try:
        decoded = decode(inside)
    except BrokenJson:
        return shown
    answer = None if inside[decoded.end :].strip() else answer_in(decoded.value)
    return shown if answer is None else answer


def _without_backticks(text: str) -> str:
    """Return `text` without the one pair of backticks that encloses the whole of it."""
    is_enclosed = len(text) > 1 and text.startswith("`") and text.endswith("`")
    return text[1:-1].strip() if is_enclosed and "`" not in text[1:-1] else text
