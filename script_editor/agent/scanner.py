"""From left to right through a reply: where the next thing with a meaning stands. All else is prose."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from script_editor.agent.call_objects import Knows
from script_editor.agent.labels import Label, LabelKind, Pair, find_label, find_pair
from script_editor.agent.markup import Markup, find_markup, read_markup
from script_editor.agent.own_lines import OwnLines, find_objects, find_own_lines, read_own_lines
from script_editor.patterns import Pattern

_RESULT = Pattern(
    r"<(?:tool_response|tool_result|tool_output|function_result|observation)s?>"
    r"|<[|｜]tool[▁_ ]outputs?[▁_ ]begin[|｜]>|<\|start\|>functions\.",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Result:
    """A tag that opens a tool result, which only the program may give."""

    start: int
    end: int


Event = Label | Pair | Markup | OwnLines | Result
_Find = Callable[[str, int], int | None]


class Scanner:
    """The events of one text, in order.

    Where the next event of each kind begins is kept until it is passed, and only the nearest one is
    read: what stands behind the point where the reader stops may be broken without harm.
    """

    def __init__(
        self, text: str, *, kinds: Collection[LabelKind], knows: Knows, objects_anywhere: bool = False
    ):
        self.text, self.objects_anywhere = text, objects_anywhere
        self._kinds, self._knows = kinds, knows
        self._kept: dict[_Find, tuple[int, int]] = {}

    def next_event(self, at: int, *, in_answer: bool = False) -> Event | None:
        """Return the first event that starts at or behind `at`; in an answer, an object in a sentence is text.

        Raises:
            Unreadable: it is a call, and broken.
        """
        anywhere = self.objects_anywhere and not in_answer
        while (event := self._nearest(at, find_objects if anywhere else find_own_lines)) is not None:
            if not isinstance(event, Markup | OwnLines) or event.calls:
                return event
            at = event.end
        return None

    def next_label(self, at: int) -> Label | None:
        """Return the first label that starts at or behind `at`."""
        start = self._start(self._label, at)
        return find_label(self.text, start, self._kinds) if start < len(self.text) else None

    def _nearest(self, at: int, objects: _Find) -> Event | None:
        finds: tuple[_Find, ...] = (self._label, find_result, find_markup, objects, _find_pair)
        starts = [(self._start(find, at), order) for order, find in enumerate(finds)]
        start, order = min(starts)
        if start >= len(self.text):
            return None
        match order:
            case 0:
                return find_label(self.text, start, self._kinds)
            case 1:
                return Result(start, start + 1)
            case 2:
                return read_markup(self.text, start, self._knows)
            case 3:
                return read_own_lines(self.text, start, self._knows, anywhere=objects is find_objects)
            case _:
                return find_pair(self.text, start)

    def _start(self, find: _Find, at: int) -> int:
        """Return where `find` finds something at or behind `at`; the length of the text if nowhere."""
        since, start = self._kept.get(find, (len(self.text) + 1, 0))
        if at < since or start < at:
            found = find(self.text, at)
            since, start = at, len(self.text) if found is None else found
            self._kept[find] = since, start
        return start

    def _label(self, text: str, at: int) -> int | None:
        label = find_label(text, at, self._kinds)
        return label.start if label else None


def find_result(text: str, at: int, end: int | None = None) -> int | None:
    """Return where a tag that opens a tool result stands, at or behind `at`, and before `end` if that is given."""
    match = _RESULT.search(text, at, len(text) if end is None else end)
    return match.start() if match else None


def _find_pair(text: str, at: int) -> int | None:
    pair = find_pair(text, at)
    return pair.start if pair else None
