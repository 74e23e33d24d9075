"""The texts of a model's operations without what it copied from the view: numbers, anchors, fences, indentation.

Only what is certain is taken away; anything else is left to the guards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from script_editor.domain.folding import tokens
from script_editor.domain.intent import Intent
from script_editor.domain.operations import InsertAfter, InsertBefore, Operation, Replace
from script_editor.domain.projection import adopt, spacing_habit
from script_editor.domain.replies.alignment import likeness, looks
from script_editor.domain.replies.authorship import Authorship
from script_editor.domain.replies.enclosures import FENCE
from script_editor.domain.replies.indentation import indent_of, known_indents, with_indent
from script_editor.domain.replies.prefixes import unnumbered_text
from script_editor.domain.segments import NumberedScript, Segment, is_blank
from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

_MIN_ECHO = 6
"""Shorter lines may be repeated on purpose; a longer one that repeats its neighbour is a copy of it."""
_SAME_LINE = 0.4


@dataclass(frozen=True, slots=True)
class Tidied:
    """Operations ready to be carried out; `echoes` are the numbers of lines whose copies were dropped."""

    operations: tuple[Operation, ...]
    echoes: tuple[int, ...] = ()


def tidied(
    operations: Sequence[Operation], script: NumberedScript, authorship: Authorship, intent: Intent
) -> Tidied:
    """Return operations with their texts as they are to be written.

    Raises:
        EditRefused: conflict when the same text is inserted twice at one place, malformed for a text
            that was escaped twice.
    """
    tidying = _Tidying(script, authorship, intent, operations)
    done = [tidying.done(operation) for operation in operations]
    if not intent.repetition:
        _refuse_same_insertions(done, script)
    return Tidied(_without_echoes_of_form(done, script, intent), tuple(tidying.echoes))


class _Tidying:
    def __init__(
        self, script: NumberedScript, authorship: Authorship, intent: Intent, operations: Sequence[Operation]
    ):
        self._script, self._authorship, self._intent = script, authorship, intent
        self._touched = _touched(script, operations)
        self._indents = known_indents(script)
        self.echoes: list[int] = []

    def done(self, operation: Operation) -> Operation:
        segment = _meant(self._script, operation)
        match operation:
            case Replace(text=text) if segment is not None:
                _refuse_escapes(text, self._authorship, segment)
                written = self._without_neighbours(self._plain(text, segment, is_replaced=True), segment)
                return replace(operation, text=self._in_authors_form(self._set_in(written, segment), segment))
            case InsertBefore(text=text) | InsertAfter(text=text) if segment is not None:
                _refuse_escapes(text, self._authorship, segment)
                is_after = isinstance(operation, InsertAfter)
                written = self._without_anchor(self._plain(text, segment), segment, is_after=is_after)
                return replace(operation, text=self._set_in(written, segment))
        return operation

    # --- what was copied or wrapped ------------------------------------------------------------------

    def _plain(self, text: str, segment: Segment, *, is_replaced: bool = False) -> str:
        lines = unnumbered_text(text.replace("\r\n", "\n").removesuffix("\n"), self._script).split("\n")
        if is_replaced:
            lines = _trimmed(lines)
        is_fenced = len(lines) > 2 and FENCE.fullmatch(lines[0]) and FENCE.fullmatch(lines[-1])
        if is_fenced and not FENCE.fullmatch(segment.content):
            lines = lines[1:-1]
        return "\n".join(lines)

    def _without_anchor(self, text: str, segment: Segment, *, is_after: bool) -> str:
        """Return inserted text without the anchor line, when it begins (or ends) with it and holds more."""
        lines = text.split("\n")
        place = 0 if is_after else -1
        if len(lines) > 1 and looks(lines[place]) == looks(segment.content) and not self._intent.repetition:
            self.echoes.append(segment.number)
            lines = lines[1:] if is_after else lines[:-1]
        neighbour = segment.number + (1 if is_after else -1)
        return "\n".join(self._without_echo(lines, neighbour, at_end=is_after))

    def _without_neighbours(self, text: str, segment: Segment) -> str:
        lines = self._without_echo(text.split("\n"), segment.number + 1, at_end=True)
        return "\n".join(self._without_echo(lines, segment.number - 1, at_end=False))

    def _without_echo(self, lines: list[str], number: int, *, at_end: bool) -> list[str]:
        """Return new lines without a copy of the untouched line next to them."""
        if len(lines) < 2 or not 1 <= number <= len(self._script.segments) or self._intent.repetition:
            return lines
        seen = looks(self._script.segments[number - 1].content)
        is_echo = looks(lines[-1 if at_end else 0]) == seen and len(seen) >= _MIN_ECHO
        if not is_echo or number in self._touched or self._authorship.lines.count(seen) > 1:
            return lines
        self.echoes.append(number)
        return _trimmed(lines[:-1] if at_end else lines[1:])

    # --- how it is written -----------------------------------------------------------------------------

    def _set_in(self, text: str, segment: Segment) -> str:
        return with_indent(text, indent_of(self._script, segment), self._indents)

    def _in_authors_form(self, text: str, segment: Segment) -> str:
        """Return a replacing text whose line that is most like the old one keeps the author's form in what they share."""
        if self._intent.spacing:
            return text
        lines = text.split("\n")
        own = looks(segment.content)
        closest = max(range(len(lines)), key=lambda index: likeness(looks(lines[index]), own))
        line = lines[closest].strip()
        if likeness(looks(line), own) < _SAME_LINE or looks(line) == own:
            return text
        start = lines[closest].index(line)
        written = adopt(segment.content, line, is_spaced=spacing_habit(tokens(segment.content)[1]))
        lines[closest] = lines[closest][:start] + written
        return "\n".join(lines)


def _refuse_same_insertions(operations: Sequence[Operation], script: NumberedScript) -> None:
    """Refuse an insertion that is given twice; replacing a line twice is refused when the plan is resolved."""
    seen: set[tuple[bool, int, str]] = set()
    for operation in operations:
        segment = _meant(script, operation)
        if not isinstance(operation, InsertBefore | InsertAfter) or segment is None:
            continue
        insertion = (isinstance(operation, InsertAfter), segment.number, operation.text)
        if insertion in seen:
            raise EditRefused(
                "conflict",
                f"The same text is inserted twice at line {segment.number}.",
                segments=(segment.number,),
                advice="Give each operation once.",
            )
        seen.add(insertion)


_ESCAPED = Pattern(r"\\[n\"]")


def _refuse_escapes(text: str, authorship: Authorship, segment: Segment) -> None:
    """Refuse a text that was escaped twice: `\\n` would be read out, and what was meant is not certain."""
    if _ESCAPED.search(text) and "\\" not in authorship.script.text and not authorship.speaks_of(_BACKSLASH):
        raise EditRefused(
            "malformed",
            f"The new text of line {segment.number} holds escapes such as \\n as characters.",
            segments=(segment.number,),
            advice="Write real line breaks and quotation marks, escaped once at most.",
        )


_BACKSLASH = Pattern(r"\\")


def _meant(script: NumberedScript, operation: Operation) -> Segment | None:
    """Return the line an operation names, or None; an id that is none is refused when the plan is resolved."""
    if operation.id is None:
        return None
    try:
        return script.resolve_reference(operation.id)
    except EditRefused:
        return None


def _touched(script: NumberedScript, operations: Sequence[Operation]) -> frozenset[int]:
    """Return the numbers of lines that an operation replaces, deletes, moves or searches."""
    owners = (operation for operation in operations if not isinstance(operation, InsertBefore | InsertAfter))
    meant = (_meant(script, operation) for operation in owners)
    return frozenset(segment.number for segment in meant if segment is not None)


def _trimmed(lines: Sequence[str]) -> list[str]:
    spoken = [index for index, line in enumerate(lines) if not is_blank(line)]
    return list(lines[spoken[0] : spoken[-1] + 1]) if spoken else list(lines[:1])


def _without_echoes_of_form(
    operations: Sequence[Operation], script: NumberedScript, intent: Intent
) -> tuple[Operation, ...]:
    """Return the operations without replacements that a reader would not see, when others do change something."""

    def is_seen(operation: Operation) -> bool:
        segment = _meant(script, operation)
        if not isinstance(operation, Replace) or segment is None:
            return True
        return looks(operation.text) != looks(segment.content)

    if intent.spacing or intent.markup or not any(is_seen(operation) for operation in operations):
        return tuple(operations)
    return tuple(operation for operation in operations if is_seen(operation))
