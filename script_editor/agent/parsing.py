"""A reply in text: the steps it asks for, or the answer it gives, whatever form they are written in.

The order of reading is what keeps content from steering: reasoning is taken away first; then labels,
markup and call objects are met from left to right; the arguments of a step are read with a real
decoder to their own end before anything behind them is looked at. A label inside an argument is
therefore never seen. An invented result ends the reading, as a stop sequence would have done.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from script_editor.agent.actions import ActionReader
from script_editor.agent.answers import Answer, end_of_answer, read_answer, step_and_answer
from script_editor.agent.calls import RequestedCall, is_no_tool
from script_editor.agent.feedback import Unreadable, unreadable
from script_editor.agent.labels import Label, LabelKind, Pair
from script_editor.agent.markup import Markup
from script_editor.agent.noise import DifferentValue, prose_behind, prose_in
from script_editor.agent.own_lines import OwnLines
from script_editor.agent.scanner import Event, Result, Scanner
from script_editor.agent.tools import Toolbox

Form = Literal["labels", "markup", "own_lines"]

REACT_LABELS: frozenset[LabelKind] = frozenset({"thought", "action", "input", "observation", "final", "turn"})


@dataclass(frozen=True, slots=True)
class Step:
    """A call in a reply, the form it was written in, and the part of the text it takes."""

    call: RequestedCall
    form: Form
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReply:
    """What a text asks for. `log` is the text up to where it stops counting; `answer_start` is where its label stands.

    `is_cut` is True when an invented turn of the person stands behind it. `said_no_tool` is what stood
    for a tool in `Action: None`, `unknown_tool` the name in a one-line pair of no tool, and `lone_input`
    is True after an input label without an action: reasons to give when there is neither step nor answer.
    """

    log: str
    steps: tuple[Step, ...] = ()
    answer: str | None = None
    answer_start: int = 0
    is_cut: bool = False
    said_no_tool: str = ""
    unknown_tool: str = ""
    lone_input: bool = False

    @property
    def calls(self) -> tuple[RequestedCall, ...]:
        """The calls of all steps, in order."""
        return tuple(step.call for step in self.steps)

    @property
    def preamble(self) -> str:
        """The text before the first step."""
        return self.log[: self.steps[0].start].strip() if self.steps else ""

    @property
    def nothing_usable(self) -> Unreadable:
        """Why a reply without a step and without an answer cannot be used, where prose is not an answer."""
        if self.lone_input:
            return unreadable("missing_action")
        if self.said_no_tool:
            return unreadable("no_tool", said=self.said_no_tool)
        return (
            unreadable("unknown_tool", name=self.unknown_tool)
            if self.unknown_tool
            else unreadable("no_label")
        )


def read_text(
    text: str,
    toolbox: Toolbox,
    *,
    kinds: Collection[LabelKind] = REACT_LABELS,
    every_action_counts: bool,
    objects_anywhere: bool = False,
) -> TextReply:
    """Return what `text`, free of reasoning, asks for.

    With `every_action_counts` each line with an Action label is a step; otherwise only one that names a
    tool or has an input line behind it, and the rest is text, which may itself be the answer. With
    `objects_anywhere` a call object may stand among prose, and inside a sentence.

    Raises:
        Unreadable: a step or an answer is there and may not be used.
    """
    scanner = Scanner(text, kinds=kinds, knows=toolbox.knows, objects_anywhere=objects_anywhere)
    return _TextReader(scanner, toolbox, every_action_counts=every_action_counts).read()


class _TextReader:
    """One pass over a text, collecting steps until an answer, an invented result or the end."""

    def __init__(self, scanner: Scanner, toolbox: Toolbox, *, every_action_counts: bool):
        self._text, self._scanner = scanner.text, scanner
        self._actions = ActionReader(scanner.text, toolbox, scanner, every_action_counts=every_action_counts)
        self._prose_is_answer = not every_action_counts
        self._settled: list[Step] = []
        self._newest: list[Step] = []
        self._said_behind = self._afterthought = ""
        self._last_label: LabelKind | None = "thought" if every_action_counts else None
        self._said_no_tool = self._unknown_tool = ""
        self._lone_input = False
        self._is_cut = self._is_whole = False  # whole: no label of ours stands behind a turn in the prose

    def read(self) -> TextReply:
        at, cut = 0, len(self._text)
        while event := self._scanner.next_event(at):
            self._hear(at, event.start)
            if self._ends_reply(event, at):
                cut = event.start
                break
            outcome = self._take(event)
            if isinstance(outcome, Answer):
                return self._answered(outcome)
            at = outcome
        else:
            self._hear(at, cut)
        self._settle(f"{self._said_behind} {self._afterthought}")
        self._refuse_loose_calls(cut)
        return TextReply(
            log=self._text[:cut].rstrip(),
            steps=tuple(self._settled),
            is_cut=self._is_cut,
            said_no_tool=self._said_no_tool,
            unknown_tool=self._unknown_tool,
            lone_input=self._lone_input,
        )

    def _ends_reply(self, event: Event, at: int) -> bool:
        """Whether nothing counts from `event` on: a result behind a step, or a turn behind a step or an answer."""
        is_result = isinstance(event, Result) or (isinstance(event, Label) and event.kind == "observation")
        is_turn = isinstance(event, Label) and event.kind == "turn"
        if self._newest or not (is_turn and self._prose_is_answer):
            return bool(self._newest) and (is_result or is_turn)
        said = self._text[at : event.start]
        if self._last_label is not None:  # the rest of its line belongs to the label
            said = said.partition("\n")[2]
        if said.strip() and not self._is_whole:
            end = end_of_answer(self._scanner, event.start, self._actions.is_real)
            self._is_cut = end < len(self._text)
            self._is_whole = not self._is_cut
        return self._is_cut

    def _take(self, event: Event) -> int | Answer:
        """Return where to read on, or the answer that `event` opens."""
        match event:
            case Markup():
                return self._add_steps(event.calls, "markup", event.start, event.end)
            case OwnLines():
                return self._add_steps(event.calls, "own_lines", event.start, event.end)
            case Pair():
                return self._pair(event)
            case Label(kind="action"):
                return self._action(event)
            case Label(kind="final" | "assistant"):
                return read_answer(self._scanner, event, event.end, self._actions.is_real)
            case Label():
                self._last_label = event.kind
                self._lone_input = self._lone_input or event.kind == "input"
                return event.end
            case Result():
                return event.end

    def _add_steps(self, calls: Sequence[RequestedCall], form: Form, start: int, end: int) -> int:
        if not self._prose_is_answer:
            self._said_no_tool = next((c.name for c in calls if is_no_tool(c.name)), self._said_no_tool)
            calls = [call for call in calls if not is_no_tool(call.name)]
        if calls:
            self._settle(self._said_behind)  # an afterthought that leads to another step was a thought
            self._newest = [Step(call, form, start, end) for call in calls]
        return end

    def _action(self, label: Label) -> int | Answer:
        action = self._actions.read(label)
        if isinstance(action, Answer):
            return action
        self._said_no_tool = action.said_no_tool or self._said_no_tool
        return self._add_steps(action.calls, "labels", label.start, action.end)

    def _pair(self, pair: Pair) -> int:
        """Take an action and its input from one line, if they stand in a thought."""
        if self._last_label != "thought":
            return pair.end
        action = self._actions.read_pair(pair)
        if action is None:
            self._unknown_tool = pair.name
        return self._add_steps(action.calls, "labels", pair.start, action.end) if action else pair.end

    def _answered(self, answer: Answer) -> TextReply:
        steps = [*self._settled, *self._newest]
        if steps:
            names = ", ".join(dict.fromkeys(step.call.name for step in steps))
            in_labels = any(step.form == "labels" for step in steps)
            raise step_and_answer(names, in_labels=in_labels, label=answer.label)
        if not answer.text:
            raise unreadable("empty_answer")
        return TextReply(log=self._text.rstrip(), answer=answer.text, answer_start=answer.label_start)

    def _hear(self, start: int, end: int) -> None:
        """Keep the prose between `start` and `end` if it stands behind a step, which it may take back."""
        if not self._newest or start == end:
            return
        last = self._newest[-1]
        if start == last.end:
            self._said_behind = self._prose_behind(last, self._text[start:end])
        else:
            self._afterthought += prose_in(self._text[start:end])

    def _prose_behind(self, step: Step, text: str) -> str:
        if step.form != "labels":
            return prose_in(text)
        try:
            return prose_behind(text, step.call.arguments)
        except DifferentValue:
            raise unreadable("two_arguments", tool=step.call.name, where=step.call.where) from None

    def _settle(self, prose: str) -> None:
        """Give `prose` to the newest steps, which are complete with it."""
        self._settled += [_with_prose(step, prose) for step in self._newest]
        self._newest, self._said_behind, self._afterthought = [], "", ""

    def _refuse_loose_calls(self, cut: int) -> None:
        """Refuse call objects on lines of their own that are only a part of the text."""
        if self._scanner.objects_anywhere:
            return
        loose = [step.call.name for step in self._settled if step.form == "own_lines"]
        ends = [0, *(step.end for step in self._settled)]
        starts = [*(step.start for step in self._settled), cut]
        between = zip(ends, starts, strict=True) if loose else ()
        if any(prose_in(self._text[end:start]) for end, start in between):
            raise unreadable("call_in_text", names=", ".join(dict.fromkeys(loose)))


def _with_prose(step: Step, prose: str) -> Step:
    return replace(step, call=replace(step.call, prose=f"{step.call.prose} {prose}".strip()))
