"""Numbers, prices, codes, times and addresses must come back as they were, unless the person spoke of them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from script_editor.domain.findings import Finding, GuardContext, Level
from script_editor.domain.guards.alignment import blocks, paired
from script_editor.domain.guards.named_facts import Fact, Key
from script_editor.domain.guards.quantities import facts_of, named_keys
from script_editor.domain.guards.suspicion import first_line, is_dictated
from script_editor.domain.intent import LINE_REFERENCE, Intent, read_intent
from script_editor.domain.segments import NumberedScript, Segment

_NAMES = frozenset({"address", "code", "phone"})


@dataclass(slots=True)
class _Place:
    """A changed line with the facts that it lost and gained; `block` tells which lines stood together."""

    block: int
    old: Segment | None
    new: Segment | None
    lost: list[Fact] = field(default_factory=list)
    gained: list[Fact] = field(default_factory=list)


def facts(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find facts that changed or disappeared. What shortening or translating loses is a warning."""
    places = _places(before, after)
    if not any(place.lost for place in places):
        return
    intent, named = read_intent(context.instruction), named_keys(context.instruction)
    if intent.arithmetic or (intent.numbers and not facts_of(LINE_REFERENCE.sub(" ", context.instruction))):
        return  # numbers are to change, and the person left open which and to what
    _cancel_moved(places)
    alone = _gained_alone(places)
    for place in places:
        if not place.lost or (place.new is not None and is_dictated(place.new.content, context.instruction)):
            continue
        gained = [*place.gained, *alone[place.block]]
        for lost in place.lost:
            yield from _judged(place, lost, gained, named, after, intent)


def _judged(
    place: _Place,
    lost: Fact,
    gained: list[Fact],
    named: frozenset[Key],
    after: NumberedScript,
    intent: Intent,
) -> Iterator[Finding]:
    """Yield what is wrong with one lost fact. A gained fact that explains it is taken out of `gained`."""
    instead = _instead_of(lost, gained, is_only_one=len(place.lost) == 1 == len(place.gained))
    asked_for = next((fact for fact in ([instead] if instead else gained) if fact.keys & named), None)
    was_named = bool(lost.keys & named)
    if asked_for is not None:
        gained.remove(asked_for)
    elif instead is not None and (instead.weight != "faint" or lost.weight == "firm"):
        gained.remove(instead)
        # A person who names the old number alone may have left the new one open.
        if not (was_named and intent.numbers):
            yield _finding(place, lost, "error", instead)
    elif lost.weight != "faint" and not (was_named or _is_excused(place, lost, after, intent)):
        level: Level = "warning" if lost.weight == "loose" or _may_go(lost, intent) else "error"
        yield _finding(place, lost, level, None)


def _is_excused(place: _Place, lost: Fact, after: NumberedScript, intent: Intent) -> bool:
    """Say whether a lost fact still stands elsewhere, or went with a line that was to go."""
    present = _present(after)
    stands = any(fact.is_same_as(lost) for key in lost.keys if key in present for fact in present[key])
    return stands or (place.new is None and intent.removal)


def _may_go(lost: Fact, intent: Intent) -> bool:
    """Say whether what was asked for loses facts by its nature, so that a person only has to know of it."""
    if intent.translation and lost.unit not in _NAMES:
        return True
    return intent.shorter or intent.summary or intent.removal or intent.restyle


def _instead_of(lost: Fact, gained: Sequence[Fact], *, is_only_one: bool) -> Fact | None:
    """Return the fact that took the place of a lost one: of the same unit, or measuring the same, or the only one."""
    same_unit = (fact for fact in gained if lost.unit and fact.unit == lost.unit)
    same_kind = (fact for fact in gained if _kinds(fact) & _kinds(lost))
    only_one = (fact for fact in gained if is_only_one and "faint" not in (fact.weight, lost.weight))
    return next((fact for group in (same_unit, same_kind, only_one) for fact in group), None)


def _kinds(fact: Fact) -> set[str]:
    """Return what a fact measures, such as "time" or "clock": ten days and two weeks may stand for each other."""
    return {kind for kind, _ in fact.keys} - {"n"}


@lru_cache(maxsize=2)  # asked for once per lost fact of one text
def _present(after: NumberedScript) -> dict[Key, list[Fact]]:
    found: dict[Key, list[Fact]] = defaultdict(list)
    for fact in {fact for segment in after.segments for fact in facts_of(segment.content)}:
        for key in fact.keys:
            found[key].append(fact)
    return found


def _places(before: NumberedScript, after: NumberedScript) -> list[_Place]:
    found = []
    for number, block in enumerate(blocks(before, after)):
        for old, new in paired(block):
            had = facts_of(old.content) if old is not None else ()
            has = list(facts_of(new.content)) if new is not None else []
            place = _Place(number, old, new)
            for fact in had:
                same = next((other for other in has if other.is_same_as(fact)), None)
                if same is None:
                    place.lost.append(fact)
                else:
                    has.remove(same)
            place.gained = has
            found.append(place)
    return found


def _cancel_moved(places: Sequence[_Place]) -> None:
    """Take out facts that left one line and turned up in another."""
    gained_at: dict[Key, list[_Place]] = defaultdict(list)
    for place in places:
        for fact in place.gained:
            for key in fact.keys:
                gained_at[key].append(place)
    for place in places:
        place.lost = [fact for fact in place.lost if not _turned_up(fact, gained_at)]


def _turned_up(lost: Fact, gained_at: dict[Key, list[_Place]]) -> bool:
    for key in lost.keys:
        while gained_at[key]:
            place = gained_at[key].pop()
            # 六公里 did not move where 6期 came: with two units, both must say the same.
            same = next(
                (
                    fact
                    for fact in place.gained
                    if fact.is_same_as(lost) and (not fact.unit or not lost.unit or fact.unit == lost.unit)
                ),
                None,
            )
            if same is not None:
                place.gained.remove(same)
                return True
    return False


def _gained_alone(places: Sequence[_Place]) -> dict[int, list[Fact]]:
    """Return, by block, the facts of lines that have no old line: they may stand for what others lost."""
    alone: dict[int, list[Fact]] = defaultdict(list)
    for place in places:
        if place.old is None:
            alone[place.block] += place.gained
    return alone


def _finding(place: _Place, lost: Fact, level: Level, instead: Fact | None) -> Finding:
    line = place.new or place.old
    assert line is not None, "a place has a line on one side"
    where = f"Line {line.number}" if place.new is not None else f"Line {line.number} of the script"
    if instead is not None:
        message = f"{where} says {instead.text} where the script says {lost.text}."
    else:
        message = (
            f"{where} no longer says {lost.text}."
            if place.new
            else f"{where} is gone, and with it {lost.text}."
        )
    return Finding(
        guard="facts",
        code="facts_changed",
        level=level,
        message=message,
        segments=(place.new.number,) if place.new is not None else (),
        example=first_line(place.new.content, 80) if place.new is not None else "",
        was=first_line(place.old.content, 80) if place.old is not None else "",
    )
