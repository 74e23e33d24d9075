"""White space in front of new lines: as the neighbours have it, whatever the model wrote."""

from collections.abc import Sequence

from script_editor.domain.replies.alignment import Column
from script_editor.domain.segments import NumberedScript, Segment


def indent_of(script: NumberedScript, segment: Segment) -> str:
    """Return the white space in front of an author's line."""
    return script.text[script.lines[segment.line].start : segment.start]


def leading_space(line: str) -> str:
    """Return the white space in front of a line."""
    return line[: len(line) - len(line.lstrip())]


def indented(lines: Sequence[str], columns: Sequence[Column], script: NumberedScript) -> tuple[str, ...]:
    """Return the lines of a whole text; those without a partner get the indentation of a neighbour that has one.

    A line that the model set deeper than that neighbour keeps the difference.
    """
    partners = {
        column.new: column.old for column in columns if column.new is not None and column.old is not None
    }
    texts: list[str] = []
    for index, line in enumerate(lines):
        bare = line.rstrip()
        neighbour = _neighbour(index, partners, len(lines))
        if index in partners or neighbour is None:
            texts.append(bare)
            continue
        own = indent_of(script, script.segments[partners[neighbour]])
        texts.append(_moved(bare, leading_space(lines[neighbour]), own))
    return tuple(texts)


def _neighbour(index: int, partners: dict[int, int], count: int) -> int | None:
    """Return the nearest line with a partner, the one before first."""
    before = next((at for at in range(index - 1, -1, -1) if at in partners), None)
    return (
        before if before is not None else next((at for at in range(index + 1, count) if at in partners), None)
    )


def _moved(line: str, shown: str, own: str) -> str:
    """Return a line with `own` in front where the model's version of the neighbour had `shown`."""
    space = leading_space(line)
    rest = line[len(space) :]
    if space in (shown, ""):
        return own + rest
    if space == own or not space.startswith(shown):
        return line
    return own + space[len(shown) :] + rest


def with_indent(text: str, indent: str, known: frozenset[str]) -> str:
    """Return the lines of an operation's text set in like the line they go beside.

    Indentation that the script knows is kept; any other is what the model made up, and only its steps count.
    """
    lines = text.split("\n")
    spoken = [line for line in lines if line.strip()]
    base = leading_space(spoken[0]) if spoken else ""
    if base and base in known:
        indent = base
    return "\n".join(_moved(line, base, indent) if line.strip() else line for line in lines)


def known_indents(script: NumberedScript) -> frozenset[str]:
    """Return every indentation that occurs in a script."""
    return frozenset(indent_of(script, segment) for segment in script.segments)
