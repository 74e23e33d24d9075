"""Lines that leave one place and come at another: they moved, so the author's bytes go with them."""

from collections.abc import Callable, Sequence

from script_editor.domain.replies.alignment import Column
from script_editor.domain.segments import NumberedScript, Segment


def with_moved_lines(
    texts: Sequence[str], columns: Sequence[Column], script: NumberedScript, key: Callable[[str], str]
) -> tuple[str, ...]:
    """Return the lines of a new text, those that stood elsewhere before as the author wrote them.

    `key` says what makes two lines the same one.
    """
    gone: dict[str, list[Segment]] = {}
    for column in columns:
        if column.old is not None and column.new is None:
            segment = script.segments[column.old]
            gone.setdefault(key(segment.content), []).append(segment)
    written = [*texts]
    for index in (column.new for column in columns if column.old is None and column.new is not None):
        moved = gone.get(key(texts[index].strip()))
        if moved:
            line = script.lines[moved.pop(0).line]
            written[index] = script.text[line.start : line.content_end]
    return tuple(written)
