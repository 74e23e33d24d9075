"""What operations do to each physical line of a script, read off as splices at the end."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from script_editor.domain.matching import RUNGS, find_all, nearest_passage, project
from script_editor.domain.operations import (
    BlankLines,
    Delete,
    Gap,
    InsertAfter,
    InsertBefore,
    Move,
    Operation,
    Replace,
    Substitute,
)
from script_editor.domain.segments import NumberedScript, Segment, is_blank
from script_editor.domain.splices import Splice, apply
from script_editor.errors import EditRefused


class Layout:
    """Collects what operations do to each physical line, then reads off the splices.

    Splices come from comparing, between two lines that stay, the old stretch with the new one:
    so a final newline and the line ends of moved lines need no special case.
    """

    def __init__(self, script: NumberedScript):
        self._script = script
        self._owner: dict[int, Operation] = {}
        self._place_owner: dict[int, Operation] = {}
        self._inner: dict[int, list[Splice]] = defaultdict(list)
        self._gone: set[int] = set()
        self._before: dict[int, list[str]] = defaultdict(list)
        self._after: dict[int, list[str]] = defaultdict(list)
        self._moves: list[tuple[Segment, int, bool]] = []
        self._loose: list[Substitute] = []
        self._gaps: list[tuple[Segment, BlankLines]] = []

    def add(self, operation: Operation) -> None:
        """Take one operation in. Raises EditRefused when it cannot be one, or owns what another owns."""
        script = self._script
        match operation:
            case Replace(id=id, text=text):
                segment = script.resolve_reference(id)
                self._own(segment, operation)
                self._inner[segment.number] = [
                    Splice(segment.start, segment.end, self._lines_of(segment, operation, text))
                ]
            case InsertBefore(id=id, text=text) | InsertAfter(id=id, text=text):
                segment = script.resolve_reference(id)
                place = self._before if isinstance(operation, InsertBefore) else self._after
                place[segment.line].append(self._lines_of(segment, operation, text))
            case Delete(id=id, gap=gap):
                segment = script.resolve_reference(id)
                self._own(segment, operation)
                self._own_place(segment, operation)
                self._gone.update([segment.line, *self._blank_neighbours(segment.line, gap)])
            case Move(id=id, before=before, after=after):
                if (before is None) == (after is None):
                    raise EditRefused("malformed", f"move {id}: give either 'before' or 'after'.")
                segment = script.resolve_reference(id)
                anchor = script.resolve_reference(before if before is not None else after or "")
                self._own_place(segment, operation)
                if anchor.number != segment.number:
                    self._moves.append((segment, anchor.line, before is not None))
            case Substitute():
                self._check_search(operation)
                self._loose.append(operation)
            case BlankLines(id=id):
                self._gaps.append((script.resolve_reference(id), operation))

    def splices(self) -> tuple[Splice, ...]:
        """Return the splices that all operations together come to, sorted by position."""
        for operation in self._loose:
            self._substitute(operation)
        for segment, anchor_line, is_before in self._moves:
            line = self._script.lines[segment.line]
            carried = self._rendered(line.start, line.content_end, self._inner.pop(segment.number, []))
            self._gone.add(segment.line)
            (self._before if is_before else self._after)[anchor_line].append(carried)
        for segment, wanted in self._gaps:
            self._set_gap(segment, wanted)
        self._drop_blank_tail()
        return tuple(self._between_kept_lines())

    def _drop_blank_tail(self) -> None:
        """Let blank lines go that would otherwise become the final newline of a text without one."""
        lines = self._script.lines
        if not lines or lines[-1].end > lines[-1].content_end or len(lines) - 1 not in self._gone:
            return
        spoken = {segment.line for segment in self._script.segments}
        for index in range(len(lines) - 1, -1, -1):
            stays = index in spoken and index not in self._gone
            if stays or self._before[index] or self._after[index]:
                return
            self._gone.add(index)

    # --- ownership ---------------------------------------------------------------------------

    def _own(self, segment: Segment, operation: Operation) -> None:
        if segment.number in self._owner:
            raise _conflict(segment)
        self._owner[segment.number] = operation

    def _own_place(self, segment: Segment, operation: Operation) -> None:
        other = self._place_owner.get(segment.number)
        if other is not None or isinstance(self._owner.get(segment.number), Delete) != isinstance(
            operation, Delete
        ):
            raise _conflict(segment)
        self._place_owner[segment.number] = operation

    # --- texts -------------------------------------------------------------------------------

    def _lines_of(self, segment: Segment, operation: Operation, text: str) -> str:
        """Return `text` with the segment's line end between its lines and none at its end."""
        lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
        if isinstance(operation, Replace):
            # The segment's own indentation stays where it is; the view did not show it.
            lines[0] = lines[0].lstrip()
            lines[-1] = lines[-1].rstrip()
        if all(is_blank(line) for line in lines):
            raise EditRefused(
                "empty",
                f"{type(operation).__name__} of line {segment.number} has no text.",
                segments=(segment.number,),
                advice="Use delete to remove a line.",
            )
        return self._line_end(segment.line).join(lines)

    def _line_end(self, index: int) -> str:
        lines, text = self._script.lines, self._script.text
        for line in (lines[index], lines[index - 1] if index else lines[index]):
            if line.end > line.content_end:
                return text[line.content_end : line.end]
        return self._script.newline

    def _rendered(self, start: int, end: int, inner: Iterable[Splice]) -> str:
        text = self._script.text
        moved = [Splice(s.start - start, s.end - start, s.text) for s in sorted(inner)]
        return apply(text[start:end], moved)

    def _blank_neighbours(self, index: int, gap: Gap) -> list[int]:
        if gap == "keep":
            return []
        spoken = {segment.line for segment in self._script.segments}
        step = -1 if gap == "before" else 1
        found = []
        index += step
        while 0 <= index < len(self._script.lines) and index not in spoken:
            found.append(index)
            index += step
        return found

    def _set_gap(self, segment: Segment, wanted: BlankLines) -> None:
        """Take away the blank lines beyond the wanted ones, or add those that are missing."""
        found = self._blank_neighbours(segment.line, "before" if wanted.side == "before" else "after")
        blank = [index for index in found if index not in self._gone]
        self._gone.update(sorted(blank)[wanted.count :])
        missing = [""] * (wanted.count - len(blank))
        if wanted.side == "before":
            self._before[segment.line][:0] = missing
        else:
            self._after[segment.line] += missing

    # --- substitutions -----------------------------------------------------------------------

    def _check_search(self, operation: Substitute) -> None:
        if operation.find == "":
            raise EditRefused("empty_search", "The text to look for is empty.")
        if "\n" in operation.find:
            raise EditRefused("malformed", "A substitution cannot span lines; use replace on each line.")

    def _substitute(self, operation: Substitute) -> None:
        script = self._script
        if operation.id is not None:
            segment = script.resolve_reference(operation.id)
            if segment.number in self._owner:
                raise _conflict(segment)
            candidates: Sequence[Segment] = (segment,)
        else:
            candidates = [s for s in script.segments if not isinstance(self._owner.get(s.number), Delete)]
        hits = self._hits(candidates, operation)
        for segment, start, end in hits:
            if segment.number in self._owner:
                raise _conflict(segment)
            written = project(script.text[start:end], operation.find, operation.replace)
            splice = Splice(
                start, end, written.replace("\r\n", "\n").replace("\n", self._line_end(segment.line))
            )
            if any(start < other.end and other.start < end for other in self._inner[segment.number]):
                raise _conflict(segment)
            self._inner[segment.number].append(splice)

    def _hits(self, candidates: Sequence[Segment], operation: Substitute) -> list[tuple[Segment, int, int]]:
        found: list[tuple[Segment, int, int]] = []
        for rung in RUNGS:
            for segment in candidates:
                for start, end in find_all(
                    segment.content, operation.find, folded=rung == "folded", tight=rung == "tight"
                ):
                    found.append((segment, segment.start + start, segment.start + end))
            if found:
                break
        if not found:
            where = f"in line {candidates[0].number}" if operation.id is not None else "in the script"
            raise EditRefused(
                "no_match",
                f"{operation.find!r} does not occur {where}.",
                segments=tuple(s.number for s in candidates) if operation.id is not None else (),
                nearest=nearest_passage([s.content for s in candidates], operation.find),
            )
        if len(found) > 1 and not operation.all:
            numbers = sorted({segment.number for segment, _, _ in found})
            raise EditRefused(
                "ambiguous_match",
                f"{operation.find!r} occurs {len(found)} times, in lines {', '.join(map(str, numbers))}.",
                segments=numbers,
                advice="Name the line, or say that all of them are meant.",
            )
        return found

    # --- reading off the splices -------------------------------------------------------------

    def _between_kept_lines(self) -> Iterable[Splice]:
        script, lines = self._script, self._script.lines
        if not lines:
            return
        numbers = {segment.line: segment.number for segment in script.segments}
        kept: int | None = None  # the last line that stays
        added: list[tuple[str, str]] = []  # new lines since then: content, line end
        for index, line in enumerate(lines):
            added += [(content, self._line_end(index)) for content in self._before[index]]
            if index not in self._gone:
                yield from self._trimmed(self._end_of(kept), line.start, self._stretch(kept, added))
                yield from sorted(self._inner.get(numbers.get(index, 0), []))
                kept, added = index, []
            added += [(content, self._line_end(index)) for content in self._after[index]]
        yield from self._trimmed(self._end_of(kept), len(script.text), self._tail(kept, added))

    def _end_of(self, kept: int | None) -> int:
        """Return where the content of the last kept line ends, or where the first line starts."""
        lines = self._script.lines
        return lines[0].start if kept is None else lines[kept].content_end

    def _stretch(self, kept: int | None, added: Sequence[tuple[str, str]]) -> str:
        """Return what stands between a kept line's content and the next one: line ends and new lines."""
        own_end = "" if kept is None else self._line_end(kept)
        return own_end + "".join(content + end for content, end in added)

    def _tail(self, kept: int | None, added: Sequence[tuple[str, str]]) -> str:
        """Return what stands behind the last kept line; a text without a final newline gets none."""
        written = self._stretch(kept, added)
        last = self._script.lines[-1]
        if last.end > last.content_end:
            return written
        last_end = added[-1][1] if added else "" if kept is None else self._line_end(kept)
        return written.removesuffix(last_end) if last_end else written

    def _trimmed(self, start: int, end: int, written: str) -> Iterable[Splice]:
        """Yield the smallest splice that turns the old stretch [start, end) into `written`, or none."""
        old = self._script.text[start:end]
        if old == written:
            return
        shorter = min(len(old), len(written))
        head = 0
        while head < shorter and old[head] == written[head]:
            head += 1
        tail = 0
        while tail < shorter - head and old[len(old) - 1 - tail] == written[len(written) - 1 - tail]:
            tail += 1
        yield Splice(start + head, end - tail, written[head : len(written) - tail])


def _conflict(segment: Segment) -> EditRefused:
    return EditRefused(
        "conflict",
        f"Two operations own line {segment.number}.",
        segments=(segment.number,),
        advice="Give one operation for each line.",
    )
