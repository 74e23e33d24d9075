"""A script's text with some stretches exchanged, as operations on its lines.

Lines that no stretch touches stand for themselves, however often their text occurs.
"""

from collections.abc import Iterator, Sequence

from script_editor.domain.operations import Operation
from script_editor.domain.replies.alignment import Column, Row, align, looks
from script_editor.domain.replies.indentation import indented
from script_editor.domain.replies.moves import with_moved_lines
from script_editor.domain.replies.rewriting import Rewriting, written_lines
from script_editor.domain.segments import NumberedScript, is_blank
from script_editor.domain.splices import Splice, apply


def lines_exchanged(splices: Sequence[Splice], script: NumberedScript) -> tuple[Operation, ...]:
    """Return the operations that turn the script into its text with the splices carried out."""
    after = NumberedScript(script.script_id, script.version, apply(script.text, splices))
    lines = [after.text[line.start : line.content_end] for line in after.lines]
    written = written_lines(lines)
    old = [segment.content for segment in script.segments]
    new = [line.strip() for line in written.lines]
    columns = _columns(script, splices, old, new)
    changed = {
        column.old: new[column.new]
        for column in columns
        if column.old is not None and column.new is not None and old[column.old] != new[column.new]
    }
    texts = with_moved_lines(indented(written.lines, columns, script), columns, script, looks)
    rewriting = Rewriting(script, columns, texts, written.gaps, changed=changed, shows_gaps=True)
    return tuple(rewriting.operations())


def _columns(
    script: NumberedScript, splices: Sequence[Splice], old: Sequence[str], new: Sequence[str]
) -> tuple[Column, ...]:
    """Return the columns of both texts; lines that no splice touches stand for themselves."""
    columns: list[Column] = []
    i = j = 0
    for first, last, inside in _clusters(script, splices):
        start, end = script.lines[first].start, script.lines[last].end
        part = apply(script.text[start:end], [Splice(s.start - start, s.end - start, s.text) for s in inside])
        until = sum(segment.line < first for segment in script.segments[i:])
        columns += (Column(i + step, j + step) for step in range(until))
        i, j = i + until, j + until
        old_count = sum(segment.line <= last for segment in script.segments[i:])
        new_count = sum(not is_blank(line) for line in part.split("\n"))
        is_open = any(s.start < inside[0].start for s in script.segments[i : i + 1])
        columns += _shifted(_aligned(old[i : i + old_count], new[j : j + new_count], is_open=is_open), i, j)
        i, j = i + old_count, j + new_count
    columns += (Column(i + step, j + step) for step in range(len(old) - i))
    return tuple(columns)


def _aligned(old: Sequence[str], new: Sequence[str], *, is_open: bool) -> tuple[Column, ...]:
    """Return the columns of the lines that splices touch; `is_open` says that the first line keeps its beginning."""
    if not is_open or not old or not new:
        return align(_rows(old), _rows(new))
    return (Column(0, 0), *_shifted(align(_rows(old[1:]), _rows(new[1:])), 1, 1))


def _clusters(script: NumberedScript, splices: Sequence[Splice]) -> list[tuple[int, int, list[Splice]]]:
    """Return runs of physical lines with the splices inside them, so that no line is in two runs."""
    clusters: list[tuple[int, int, list[Splice]]] = []
    for splice in splices:
        first, last = _touched(script, splice)
        if clusters and first <= clusters[-1][1]:
            start, end, inside = clusters.pop()
            clusters.append((start, max(end, last), [*inside, splice]))
        else:
            clusters.append((first, last, [splice]))
    return clusters


def _touched(script: NumberedScript, splice: Splice) -> tuple[int, int]:
    """Return the first and the last physical line that a splice changes, or joins to another."""
    lines = script.lines
    touched = [
        index
        for index, line in enumerate(lines)
        if line.start < max(splice.end, splice.start + 1)
        and splice.start < max(line.end, line.content_end + 1)
    ]
    first, last = touched[0], touched[-1]
    takes_line_end = splice.end == lines[last].end and last < len(lines) - 1
    leaves_line_end = splice.text.endswith("\n") or (not splice.text and splice.start == lines[first].start)
    return first, last + (takes_line_end and not leaves_line_end)


def _rows(lines: Sequence[str]) -> list[Row]:
    return [Row(line, looks(line)) for line in lines]


def _shifted(columns: Sequence[Column], i: int, j: int) -> Iterator[Column]:
    for column in columns:
        yield Column(
            None if column.old is None else i + column.old, None if column.new is None else j + column.new
        )
