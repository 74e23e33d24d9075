"""Text that came back twice."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import ALIKE, alike, blocks, changed_pairs, compact
from script_editor.domain.guards.suspicion import first_line, found_at, listed, was_asked_for
from script_editor.domain.intent import read_intent
from script_editor.domain.segments import NumberedScript, Segment
from script_editor.patterns import Pattern

_SHORT = 4
_LONG = 20  # letters of a sentence (a Han character counts two) from which saying it twice is no accident
_SENTENCE_END = Pattern(r"(?<=[。！？!?])|(?<=[.])(?=\s)")
_LEAD = Pattern(
    r"^(?:[\[(（【][^\])）】]{0,20}[\])）】]\s*)?(?:[^\s:：，。,.]{1,16}(?: [^\s:：，。,.]{1,16})?[:：]\s*)?"
)
_TWICE_OVER = 1.6
_SAME_TALE = 0.45
_REFRAIN = 0.6
"""Old lines that are so much alike repeat each other."""


def duplicate(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find sentences that stand more often in the new text than in the script, or a script told twice over."""
    intent = read_intent(context.instruction)
    if intent.repetition or before.text == after.text:
        return
    whole = compact(after.text)
    new = [
        segment
        for block in blocks(before, after)
        for segment in block.new
        if any(whole.count(key) > 1 for key, _ in _sentences(segment))
    ]
    again = [*(_said_again(before, after, new, context) if new else ()), *_in_a_row(before, after)]
    if again:
        numbers = sorted({segment.number for segment, _ in again})
        yield Finding(
            guard="duplicate", code="duplicated", level="error", segments=tuple(numbers),
            message=f"The text says the same again in {listed(numbers)}.", example=first_line(again[0][1], 80),
        )  # fmt: skip
    elif _is_told_twice(before, after):
        half = after.segments[len(after.segments) // 2]
        yield found_at(half, "duplicated", "begins the script a second time", guard="duplicate")


def _said_again(
    before: NumberedScript, after: NumberedScript, new: Sequence[Segment], context: GuardContext
) -> Iterator[tuple[Segment, str]]:
    """Yield new sentences that stand twice or more, and more often than in the script."""
    known = Counter(key for segment in before.segments for key, _ in _sentences(segment))
    seen = Counter(key for segment in after.segments for key, _ in _sentences(segment))
    stands_for = {new.number: old for old, new in changed_pairs(before, after) if old and new}
    excused: dict[str, bool] = {}
    for segment in new:
        for key, sentence in _sentences(segment):
            allowed = known[key] + 1 if was_asked_for(sentence, context.instruction) else max(known[key], 1)
            if seen[key] > allowed:
                if key not in excused:
                    excused[key] = _repeats_as_before(key, after, stands_for)
                if not excused[key]:
                    yield segment, sentence


def _repeats_as_before(key: str, after: NumberedScript, stands_for: Mapping[int, Segment]) -> bool:
    """Say whether a sentence repeats because the lines it stands in repeated each other before.

    A refrain or a standing phrase that is reworded is reworded everywhere.
    """
    lines = [segment for segment in after.segments if key in (own for own, _ in _sentences(segment))]
    old = [stands_for.get(segment.number) for segment in lines]
    first = next((segment for segment in old if segment is not None), None)
    if first is None or None in old or len({segment.number for segment in old if segment}) < len(lines):
        return False
    if sum(key == own for line in lines for own, _ in _sentences(line)) > len(lines):
        return False  # one line says it twice
    return all(segment is not None and alike(first.content, segment.content) >= _REFRAIN for segment in old)


def _in_a_row(before: NumberedScript, after: NumberedScript) -> Iterator[tuple[Segment, str]]:
    """Yield new lines that stand twice in a row, however short, in a script that does not do so."""
    if any(one.content == other.content for one, other in pairwise(before.segments)):
        return
    new = {segment.number for block in blocks(before, after) for segment in block.new}
    for one, other in pairwise(after.segments):
        if (
            one.content == other.content
            and len(compact(one.content)) >= _SHORT
            and {one.number, other.number} & new
        ):
            yield other, other.content


def _sentences(segment: Segment) -> list[tuple[str, str]]:
    """Return the long sentences of a line, as what they are compared by and as they stand."""
    spoken = _LEAD.sub("", segment.content, count=1)
    found = ((compact(sentence), sentence.strip()) for sentence in _SENTENCE_END.split(spoken))
    return [
        (key, sentence)
        for key, sentence in found
        if len(key) + sum("\u3400" <= char <= "\u9fff" for char in key) >= _LONG
    ]


def _is_told_twice(before: NumberedScript, after: NumberedScript) -> bool:
    """Say whether both halves of a text about twice as long follow the script line by line."""
    lines, count = after.segments, len(before.segments)
    if count < 3 or not _TWICE_OVER * count <= len(lines) <= 2.6 * count:
        return False
    halves = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    return all(_follows(before, half) for half in halves)


def _follows(before: NumberedScript, half: tuple[Segment, ...]) -> bool:
    pairs = [
        max(
            (alike(old.content, half[k].content) for k in range(max(0, i - 2), min(len(half), i + 3))),
            default=0.0,
        )
        for i, old in enumerate(before.segments)
    ]
    return sum(score >= ALIKE for score in pairs) >= _SAME_TALE * len(pairs)
