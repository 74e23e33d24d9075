"""Whole lines that are gone with nothing in their place, though nobody asked for less: a text that stops early, or skips.

Lines that moved, were merged into their neighbours or said in other words are not lost: what counts is that
their letters are gone. An instruction that asks for less, or for another text, is the business of `size`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import Block, alike, blocks, changed_pairs, compact, paired
from script_editor.domain.guards.size import letters
from script_editor.domain.guards.suspicion import first_line, is_dictated, listed
from script_editor.domain.intent import Intent, read_intent
from script_editor.domain.intent.content_wishes import NEGATED
from script_editor.domain.intent.given import without_given_texts
from script_editor.domain.places import named_in
from script_editor.domain.places.line_numbers import read_ordinals
from script_editor.domain.places.wholeness import read_wish
from script_editor.domain.segments import NumberedScript, Segment

_REPLACED = 0.5
"""Share of the letters of lost lines from which what stands in their place makes up for them."""
_SAME = 0.5
_SENTENCE_ENDS = tuple("。！？…!?.；;~～”’」』\"')）】]")


def losses(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find a text that breaks off within a line, stops before the script does, or leaves lines out on the way."""
    intent = read_intent(context.instruction)
    if before.text == after.text or not after.segments or _asks_for_less(intent):
        return
    end = _missing_end(before, after)
    broken = _broken_line(before, after, end)
    if broken is not None and not _was_meant(broken, after.segments[-1], context.instruction):
        yield _broken_off(broken, after.segments[-1])
        return
    if context.targets or intent.translation or intent.restyle or intent.rewrite:
        return  # what is gone outside of targets is the business of `off_target`
    lost = _unasked(_lost_lines(before, after), end, before, context.instruction, intent)
    if lost:
        yield _gone(lost)


def _unasked(
    lost: Sequence[Segment],
    end: Sequence[Segment],
    before: NumberedScript,
    instruction: str,
    intent: Intent,
) -> list[Segment]:
    """Return the lost lines that the instruction cannot mean.

    Where it names lines, these and their neighbours may have been made into fewer, but the end may not go with
    them, and lines that change places are as many as before. Where it names none, a line more or less is a
    matter of wording, and only an end of several is missing.
    """
    if not (lost or end) or _is_against_something(instruction):
        return []
    named = named_in(instruction, before)
    if named is None:
        return list(end) if len(end) > 1 else []
    own = frozenset[int]() if intent.order else frozenset(named)
    near = {number + step for number in own for step in (-1, 0, 1)}
    found = {segment for segment in lost if segment.number not in near}
    found |= {segment for segment in end if segment.number not in own}
    return sorted(found, key=lambda segment: segment.number)


def _is_against_something(instruction: str) -> bool:
    """Say whether something is unwanted, which may have been all that the lost lines said: 别求关注, no call to action.

    Not so of a line that it numbers ("line 3 is not clear"), nor where it only says what must stay.
    """
    clauses = (clause.text for clause in read_wish(without_given_texts(instruction)).clauses)
    return any(NEGATED.search(text) and not read_ordinals(text) for text in clauses)


def _asks_for_less(intent: Intent) -> bool:
    return intent.removal or intent.shorter or intent.summary


def _missing_end(before: NumberedScript, after: NumberedScript) -> tuple[Segment, ...]:
    """Return the last lines of the script when they are gone, and too little of a text stands where they stood."""
    known = _contents(before)
    gone: list[Segment] = []
    instead = 0.0
    for old, new in reversed(changed_pairs(before, after)):
        if old is None:
            instead += letters(new.content) if new is not None and new.content not in known else 0.0
            continue
        if new is not None:
            instead += max(0.0, letters(new.content) - letters(old.content))
        is_next = old.number == len(before.segments) - len(gone)
        if new is not None or not is_next or _is_elsewhere(old, before, after):
            break
        gone.append(old)
    return () if instead >= _REPLACED * _letters(gone) else tuple(reversed(gone))


def _broken_line(before: NumberedScript, after: NumberedScript, end: Sequence[Segment]) -> Segment | None:
    """Return the line that the last line of a text is the beginning of, when what is behind it in the script is gone."""
    last = after.segments[-1].content
    first_gone = end[0].number if end else len(before.segments) + 1
    for old in before.segments[max(0, first_gone - 2) :]:
        if old.content == last:
            return None
        is_part = old.content.startswith(last) and compact(old.content) != compact(last)
        is_open = old.content.endswith(_SENTENCE_ENDS) and not last.endswith(_SENTENCE_ENDS)
        if is_part and (is_open or old.number < len(before.segments)):
            return old
    return None


def _was_meant(old: Segment, new: Segment, instruction: str) -> bool:
    """Say whether the instruction gives the short form, or names the words that went."""
    rest = old.content[len(new.content) :]
    return is_dictated(new.content, instruction) or is_dictated(rest, instruction)


def _lost_lines(before: NumberedScript, after: NumberedScript) -> tuple[Segment, ...]:
    """Return the lines that are gone from stretches in which most of the letters are."""
    had, has = _contents(before), _contents(after)
    found: list[Segment] = []
    for block in blocks(before, after):
        old = tuple(segment for segment in block.old if has[segment.content] < had[segment.content])
        new = tuple(segment for segment in block.new if segment.content not in had)
        if _letters(new) < _REPLACED * _letters(old):
            found += (line for line, other in paired(Block(old, new)) if line is not None and other is None)
    return tuple(line for line in found if not _is_elsewhere(line, before, after))


def _is_elsewhere(line: Segment, before: NumberedScript, after: NumberedScript) -> bool:
    """Say whether a line stands as often as before, or is much like one that stands for no other."""
    if _contents(after)[line.content] >= _contents(before)[line.content]:
        return True
    come = (new for old, new in changed_pairs(before, after) if old is None)
    return any(new is not None and alike(line.content, new.content) >= _SAME for new in come)


@lru_cache(maxsize=4)
def _contents(script: NumberedScript) -> Counter[str]:
    return Counter(segment.content for segment in script.segments)


def _letters(segments: Sequence[Segment]) -> float:
    return sum(letters(segment.content) for segment in segments)


def _broken_off(old: Segment, last: Segment) -> Finding:
    return Finding(
        guard="losses", code="content_lost", level="error", segments=(last.number,),
        message=f"The text breaks off in line {last.number}.",
        example=first_line(last.content, 80), was=first_line(old.content, 80),
    )  # fmt: skip


def _gone(lost: Sequence[Segment]) -> Finding:
    numbers = [segment.number for segment in lost]
    return Finding(
        guard="losses", code="content_lost", level="error",
        message=f"Nothing stands for {listed(numbers)} of the script, which nobody asked to remove.",
        was=first_line(lost[0].content, 80),
    )  # fmt: skip
