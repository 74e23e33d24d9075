"""What requests about whole lines do to the script: delete, keep, insert, move, shift, swap, blank lines."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, assert_never

from script_editor.domain.operations import Gap
from script_editor.domain.segments import NumberedScript
from script_editor.offline import absences, doubts, refusals, sayings
from script_editor.offline.effects import Arrival, Change, Effects
from script_editor.offline.lines import Lines, Run, numbers_of, stretches
from script_editor.offline.requests import (
    Anchor,
    BlankLines,
    DeleteLines,
    InsertLines,
    KeepLines,
    MoveLines,
    ShiftLines,
    Side,
    SwapLines,
)
from script_editor.offline.sentences import paragraphs, without_sentence
from script_editor.offline.wording import Language

LineRequest = DeleteLines | KeepLines | InsertLines | MoveLines | ShiftLines | SwapLines | BlankLines

_Place = tuple[int, Side]

_KEEP: Gap = "keep"


def line_effects(request: LineRequest, script: NumberedScript, language: Language) -> Effects:
    """Return what a request does.

    Raises:
        EditRefused: no_match when a line is not there, ambiguous_match when a place is not clear,
            unchanged when a line is where it should be.
    """
    match request:
        case DeleteLines(lines=lines):
            return _delete(lines, script, language)
        case KeepLines(lines=lines):
            return _keep(lines, script, language)
        case InsertLines():
            return _insert(request, script, language)
        case MoveLines():
            return _told("moved", request.lines, _move(request, script, language), script, language)
        case ShiftLines():
            return _told("moved", request.lines, _shift(request, script, language), script, language)
        case SwapLines():
            swapped = _swap(request, script, language)
            both = replace(request.first, picks=request.first.picks + request.second.picks)
            return _told("swapped", both, swapped, script, language)
        case BlankLines():
            return _blank(request, script, language)
        case _:
            assert_never(request)


def _told(
    did: Literal["moved", "swapped"],
    lines: Lines,
    effects: Effects,
    script: NumberedScript,
    language: Language,
) -> Effects:
    """Return effects with the sentence that says which lines were carried elsewhere, by the numbers they had."""
    numbers = sorted(set(numbers_of(lines, script, language)))
    listed, plural = sayings.listed(language, numbers), "s" if len(numbers) > 1 else ""
    if did == "swapped":
        note = sayings.say(language, f"交换了第 {listed} 行的位置。", f"Swapped lines {listed}.")
    else:
        note = sayings.say(language, f"移动了第 {listed} 行。", f"Moved line{plural} {listed}.")
    return replace(effects, notes=(*effects.notes, note))


# --- delete and keep -----------------------------------------------------------------------------


def _delete(lines: Lines, script: NumberedScript, language: Language) -> Effects:
    found = stretches(lines, script, language)
    whole = [stretch.number for stretch in found if stretch.is_whole]
    changes = []
    for stretch in found:
        if not stretch.is_whole:
            content = script.segment(stretch.number).content
            changes.append(
                Change(stretch.number, *without_sentence(content, (stretch.start, stretch.end)), "")
            )
    gaps = _paragraph_gaps(whole, script) if lines.unit == "paragraph" else dict.fromkeys(whole, _KEEP)
    return Effects(deleted=tuple(gaps.items()), changes=tuple(changes), notes=_deleted_note(whole, language))


def _deleted_note(numbers: Sequence[int], language: Language) -> tuple[str, ...]:
    if not numbers:
        return ()
    listed = sayings.listed(language, sorted(numbers))
    plural = "s" if len(numbers) > 1 else ""
    return (sayings.say(language, f"删掉了第 {listed} 行。", f"Deleted line{plural} {listed}."),)


def _paragraph_gaps(numbers: Sequence[int], script: NumberedScript) -> dict[int, Gap]:
    """Return for each deleted line which blank lines go with it.

    A paragraph goes with the blank lines after it, one at the end of the script with those before it.
    """
    gaps: dict[int, Gap] = {}
    at_end = True
    for run in reversed(paragraphs(script)):
        if run[0] not in numbers:
            at_end = False
            continue
        gaps.update(dict.fromkeys(run, _KEEP))
        gaps[run[0] if at_end else run[-1]] = "before" if at_end else "after"
    return gaps


def _keep(lines: Lines, script: NumberedScript, language: Language) -> Effects:
    kept = set(numbers_of(lines, script, language))
    others = [segment.number for segment in script.segments if segment.number not in kept]
    return Effects(deleted=tuple((number, _KEEP) for number in others), notes=_deleted_note(others, language))


# --- places --------------------------------------------------------------------------------------


def _places(anchor: Anchor, script: NumberedScript, language: Language) -> tuple[_Place, ...]:
    """Return the places that an anchor means; one, unless the words say each."""
    if not script.segments:
        raise absences.no_lines(language)
    if anchor.lines is None:
        return ((1, "before"),) if anchor.kind == "start" else ((len(script.segments), "after"),)
    numbers = numbers_of(anchor.lines, script, language)
    match anchor.kind:
        case "before" | "after":
            return _beside(anchor, numbers, language)
        case "between":
            return (_between(numbers, language),)
        case "become":
            is_last = anchor.lines.single_numbers() == (-1,)
            return ((numbers[0], "after" if is_last else "before"),)
        case _:
            raise doubts.unclear_place(language, numbers[0])


def _beside(anchor: Anchor, numbers: Sequence[int], language: Language) -> tuple[_Place, ...]:
    side: Side = "before" if anchor.kind == "before" else "after"
    if len(numbers) == 1 or anchor.each:
        return tuple((number, side) for number in numbers)
    assert anchor.lines is not None
    is_stretch = all(isinstance(pick, Run) for pick in anchor.lines.picks) and len(anchor.lines.picks) == 1
    if not is_stretch:
        raise doubts.one_line_wanted(language, numbers)
    return ((numbers[0] if side == "before" else numbers[-1], side),)


def _between(numbers: Sequence[int], language: Language) -> _Place:
    ordered = sorted(numbers)
    if len(ordered) != 2 or ordered[1] != ordered[0] + 1:
        raise doubts.not_between(language, ordered)
    return ordered[0], "after"


def _insert(request: InsertLines, script: NumberedScript, language: Language) -> Effects:
    arrivals = [
        Arrival(number, side, text)
        for number, side in _places(request.anchor, script, language)
        for text in request.texts
    ]
    return Effects(arrivals=tuple(arrivals))


def _blank(request: BlankLines, script: NumberedScript, language: Language) -> Effects:
    if request.anchor is None:
        if len(script.lines) == len(script.segments):
            raise refusals.unchanged(language)
        return Effects(drops_blank_lines=True)
    return Effects(blanks=_places(request.anchor, script, language))


# --- move and swap -------------------------------------------------------------------------------


def _move(request: MoveLines, script: NumberedScript, language: Language) -> Effects:
    numbers = numbers_of(request.lines, script, language)
    if request.lines.unit == "paragraph":
        return _move_paragraph(request, numbers, script, language)
    if request.anchor.kind in ("at", "become") and request.anchor.lines is not None:
        return _move_to_number(request.anchor, numbers, script, language)
    places = _places(request.anchor, script, language)
    if len(places) != 1:
        raise doubts.one_line_wanted(language, [number for number, _ in places])
    return _carried(numbers, places[0], request.anchor, language)


def _carried(numbers: Sequence[int], place: _Place, anchor: Anchor, language: Language) -> Effects:
    target, side = place
    if numbers == (target,) or (len(numbers) > 1 and target in numbers and anchor.lines is not None):
        raise (
            refusals.unchanged(language) if len(numbers) == 1 else doubts.contradiction(language, (target,))
        )
    if target in numbers:  # some lines to an edge where one of them stands: it stays and the others join it
        side = "before" if side == "after" else "after"
        numbers = [number for number in numbers if number != target]
    return Effects(arrivals=tuple(Arrival(target, side, moved=number) for number in numbers))


def _move_to_number(
    anchor: Anchor, numbers: Sequence[int], script: NumberedScript, language: Language
) -> Effects:
    """Move a line to the place of another; downwards `to line 5` may mean before or after it."""
    assert anchor.lines is not None
    targets = numbers_of(anchor.lines, script, language)
    if len(numbers) != 1 or len(targets) != 1:
        raise doubts.one_line_wanted(language, [*numbers, *targets])
    source, target = numbers[0], targets[0]
    if source == target:
        raise refusals.unchanged(language)
    names_last = anchor.lines.single_numbers() == (-1,)
    if source < target and anchor.kind == "at" and not names_last:
        raise doubts.unclear_place(language, target)
    return Effects(arrivals=(Arrival(target, "before" if source > target else "after", moved=source),))


def _shift(request: ShiftLines, script: NumberedScript, language: Language) -> Effects:
    numbers = sorted(numbers_of(request.lines, script, language))
    if numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise doubts.one_line_wanted(language, numbers)
    target = (numbers[0] if request.by < 0 else numbers[-1]) + request.by
    if not 1 <= target <= len(script.segments):
        raise refusals.unchanged(language)
    side: Side = "before" if request.by < 0 else "after"
    return Effects(arrivals=tuple(Arrival(target, side, moved=number) for number in numbers))


def _swap(request: SwapLines, script: NumberedScript, language: Language) -> Effects:
    first = numbers_of(request.first, script, language)
    second = numbers_of(request.second, script, language)
    if request.first.unit == "paragraph":
        order = list(paragraphs(script))
        i, j = (next(k for k, run in enumerate(order) if run[0] == numbers[0]) for numbers in (first, second))
        order[i], order[j] = order[j], order[i]
        return _reordered(order, script, language)
    if len(first) != 1 or len(second) != 1:
        raise doubts.one_line_wanted(language, [*first, *second])
    if first == second:
        raise refusals.unchanged(language)
    upper, lower = sorted((first[0], second[0]))
    return Effects(arrivals=(Arrival(upper, "before", moved=lower), Arrival(lower, "after", moved=upper)))


def _move_paragraph(
    request: MoveLines, numbers: Sequence[int], script: NumberedScript, language: Language
) -> Effects:
    """Move one paragraph among the others; the blank lines between the places stay where they are."""
    order = list(paragraphs(script))
    moving = [run for run in order if run[0] in numbers]
    places = _places(request.anchor, script, language)
    if len(moving) != 1 or len(places) != 1:
        raise doubts.one_line_wanted(language, numbers)
    target, side = places[0]
    beside = next(run for run in order if target in run)
    if target != (beside[0] if side == "before" else beside[-1]):
        return Effects(arrivals=tuple(Arrival(target, side, moved=number) for number in numbers))
    if beside == moving[0]:
        raise refusals.unchanged(language)
    order.remove(moving[0])
    order.insert(order.index(beside) + (side == "after"), moving[0])
    return _reordered(order, script, language)


def _reordered(order: Sequence[tuple[int, ...]], script: NumberedScript, language: Language) -> Effects:
    """Put paragraphs into the places of the script in a new order."""
    places = paragraphs(script)
    arrivals = [
        Arrival(place[0], "before", moved=number)
        for place, run in zip(places, order, strict=True)
        if place != run
        for number in run
    ]
    if not arrivals:
        raise refusals.unchanged(language)
    return Effects(arrivals=tuple(arrivals))
