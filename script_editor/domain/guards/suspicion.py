"""What guards share: new lines that look wrong, text the person gave, and how a finding is written."""

from collections import Counter
from collections.abc import Callable, Iterator

from script_editor.domain.findings import Finding, GuardContext, Level
from script_editor.domain.guards.alignment import alike, changed_pairs, compact
from script_editor.domain.intent import given_texts
from script_editor.domain.segments import NumberedScript, Segment

_MUCH = 0.5


def suspects(
    before: NumberedScript, after: NumberedScript, context: GuardContext, suspicious: Callable[[str], bool]
) -> Iterator[Segment]:
    """Yield new lines that are suspicious, unless they come from such lines of the script, or were asked for.

    A line comes from another when it is the same, stands in its place, or is much like it.
    """
    pairs = changed_pairs(before, after)
    found = [(old, new) for old, new in pairs if new is not None and suspicious(new.content)]
    if not found:
        return
    known = Counter(old.content for old, _ in pairs if old is not None and suspicious(old.content))
    left = known - Counter(new.content for _, new in found)
    for old, new in found:
        if known[new.content] > 0:
            known[new.content] -= 1
            continue
        source = old.content if old is not None and left[old.content] > 0 else _likest(new.content, left)
        if source:
            left[source] -= 1
        elif not was_asked_for(new.content, context.instruction):
            yield new


def _likest(line: str, others: Counter[str]) -> str:
    """Return the line that another one was probably made from, "" when none is much like it."""
    return next((other for other, times in others.items() if times > 0 and alike(line, other) >= _MUCH), "")


def was_asked_for(line: str, instruction: str) -> bool:
    """Say whether the instruction gives this line as wanted text: in quotation marks, or after a colon.

    A line of nothing but marks, such as dots, has to be given as a line: a given sentence may have them too.
    """
    plain = compact(line)
    if not plain:
        return any(line in text.split("\n") for text in given_texts(instruction))
    return any(line in text or plain in compact(text) for text in given_texts(instruction))


def is_dictated(line: str, instruction: str) -> bool:
    """Say whether most of a line are words of the instruction, so that they are the person's own."""
    plain, said = compact(line), compact(instruction)
    if len(plain) >= 4 and plain in said:
        return True
    given = (compact(text) for text in given_texts(instruction))
    return any(len(text) >= 4 and text in plain and len(text) >= 0.6 * len(plain) for text in given)


def found_at(
    segment: Segment,
    code: str,
    what: str,
    *,
    guard: str = "",
    level: Level = "error",
    was: str = "",
    example: str = "",
) -> Finding:
    """Return a finding about one line of the new text: "Line 3 reads like …"."""
    return Finding(
        guard=guard or code,
        code=code,
        level=level,
        message=f"Line {segment.number} {what}.",
        segments=(segment.number,),
        example=first_line(example or segment.content, 80),
        was=first_line(was, 80),
    )


def first_line(text: str, limit: int = 120) -> str:
    """Return the first line of a text, shortened, for use inside a message."""
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= limit else line[: limit - 1] + "…"


def listed(numbers: Iterator[int] | tuple[int, ...] | list[int], limit: int = 8) -> str:
    """Return line numbers as people write them: "line 3", "lines 3, 5 and 9"."""
    shown = [str(number) for number in numbers]
    if len(shown) > limit:
        shown = [*shown[: limit - 1], f"{len(shown) - limit + 1} more"]
    return f"line {shown[0]}" if len(shown) == 1 else f"lines {', '.join(shown[:-1])} and {shown[-1]}"
