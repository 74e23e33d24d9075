"""Lines that the person did not release must come back as they are, and nothing may stand between them."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import changed_pairs
from script_editor.domain.guards.suspicion import first_line, listed
from script_editor.domain.segments import NumberedScript


def off_target(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find changes outside the targets: every run of other lines must be there, whole and in order.

    New lines are fine beside a target only.
    """
    allowed = context.targets or context.named
    if not allowed or before.text == after.text or _is_kept(before, after, allowed):
        return
    targets = set(allowed)
    outside = [
        (old, new) for old, new in changed_pairs(before, after) if old is None or old.number not in targets
    ]
    old, new = outside[0] if outside else (None, None)
    numbers = tuple(pair[1].number for pair in outside if pair[1] is not None)
    where = (
        f"{listed(numbers)} of the new text"
        if numbers
        else f"line {old.number}"
        if old is not None
        else "the order of the lines"
    )
    yield Finding(
        guard="off_target",
        code="off_target",
        level="error",
        message=f"The edit would change {where}, but only {listed(sorted(targets))} of the script may change.",
        segments=numbers,
        example=first_line(new.content, 80) if new is not None else "",
        was=first_line(old.content, 80) if old is not None else "",
    )


def _is_kept(before: NumberedScript, after: NumberedScript, targets: Sequence[int]) -> bool:
    """Say whether the lines between the targets stand in the new text: the first run at its start, the last at its end."""
    released = set(targets)
    contents = [segment.content for segment in after.segments]
    runs = [
        (is_released, [segment.content for segment in group])
        for is_released, group in groupby(before.segments, key=lambda segment: segment.number in released)
    ]
    start, end = 0, len(contents)
    if runs and not runs[-1][0] and len(runs) > 1:
        last = runs.pop()[1]
        end -= len(last)
        if end < 0 or contents[end:] != last:
            return False
    for index, (is_released, run) in enumerate(runs):
        if is_released:
            continue
        found = _find(contents, run, start, end) if index else 0
        if found is None or contents[found : found + len(run)] != run or found + len(run) > end:
            return False
        start = found + len(run)
    return len(runs) != 1 or runs[0][0] or start == end


def _find(contents: Sequence[str], run: Sequence[str], start: int, end: int) -> int | None:
    """Return where `run` stands whole within [start, end), the first place."""
    return next((at for at in range(start, end - len(run) + 1) if contents[at : at + len(run)] == run), None)
