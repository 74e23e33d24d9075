"""Facts that a program knows came of turns, kept short: what continues is joined, and what is too much is bounded.

A fact is one sentence. A chain is one that tells of a step, `x 1 → 2 was saved`.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from script_editor.agent.language import Language
from script_editor.patterns import Pattern

_LEFT_OUT: Mapping[Language, str] = {
    "zh": "更早的结果没有全部列出：提到它们时，先用工具查清楚（每个版本都在历史里）。",
    "en": "Not all of the older results are listed: look them up with the tools first (every version is in the history).",
}
_NUMBERED = Pattern(r"v([0-9]{1,9})")
_GAP = "…"
_CHAIN = Pattern(r"(?P<what>\S+) (?P<steps>\S+(?: → \S+)+)(?P<rest>[ .。，,].*)?", re.DOTALL)


def compact(facts: Sequence[str]) -> tuple[str, ...]:
    """Return facts without exact repetitions, and with `x 1 → 2` and `x 2 → 3` as `x 1 → 2 → 3`."""
    last_first = dict.fromkeys(reversed(facts))  # what was said twice holds where it was said last
    joined_up: list[str] = []
    for fact in reversed(last_first):
        joined = _joined(joined_up[-1], fact) if joined_up else None
        if joined is None:
            joined_up.append(fact)
        else:
            joined_up[-1] = joined
    return tuple(joined_up)


def _joined(before: str, after: str) -> str | None:
    first, second = _CHAIN.fullmatch(before), _CHAIN.fullmatch(after)
    if first is None or second is None:
        return None
    steps, more = first["steps"].split(" → "), second["steps"].split(" → ")
    if (first["what"], first["rest"], steps[-1]) != (second["what"], second["rest"], more[0]):
        return None
    return f"{first['what']} {' → '.join([*steps, *more[1:]])}{first['rest'] or ''}"


def bounded(facts: Sequence[str], max_chars: int, language: Language) -> tuple[str, ...]:
    """Return facts that have about `max_chars` together: all of them as far as they fit.

    Otherwise the steps between the ends of a chain are left out first: their numbers follow from the ends. Then
    the newest facts stay, chains before others, because a chain tells where something stands.
    """
    if sum(map(len, facts)) <= max_chars:
        return tuple(facts)
    shorter = [head(fact, max_chars // 4) for fact in _chained(facts) if fact not in _LEFT_OUT.values()]
    kept = _newest(shorter, max_chars - len(_LEFT_OUT[language]))
    is_short = len(kept) < len(shorter) or any(fact in _LEFT_OUT.values() for fact in facts)
    return (_LEFT_OUT[language], *kept) if is_short else kept


def _newest(facts: Sequence[str], max_chars: int) -> tuple[str, ...]:
    """Return the newest facts that fit, in their order; two thirds of the room are for chains if there are so many."""
    chains = [at for at, fact in enumerate(facts) if _CHAIN.fullmatch(fact)]
    others = sorted({*range(len(facts))} - {*chains})
    kept: set[int] = set()
    for share, numbers in ((max_chars * 2 // 3, chains), (max_chars, others), (max_chars, chains)):
        room = share - sum(len(facts[at]) for at in kept)
        for at in reversed([at for at in numbers if at not in kept]):
            room -= len(facts[at])
            if room < 0:
                break
            kept.add(at)
    return tuple(facts[at] for at in sorted(kept))


def _chained(facts: Sequence[str]) -> list[str]:
    """Return facts with what is one chain in one place, that of its newest part, and without the middle of long ones."""
    lines: dict[int, str] = {}
    newest: dict[str, tuple[int, list[str], str]] = {}
    for at, fact in enumerate(facts):
        chain = _CHAIN.fullmatch(fact)
        if chain is None:
            lines[at] = fact
            continue
        what, steps, rest = chain["what"], chain["steps"].split(" → "), chain["rest"] or ""
        if what in newest and newest[what][1][-1] == steps[0]:
            before, earlier, said = newest[what]
            del lines[before]
            steps, rest = [*earlier, *steps[1:]], min(said, rest, key=len)  # the plainer one holds for all
        newest[what] = at, _ends(steps), rest
        lines[at] = f"{what} {' → '.join(newest[what][1])}{rest}"
    return list(lines.values())


def _ends(steps: list[str]) -> list[str]:
    """Return a chain without its middle, where each step is the number after the one before."""
    numbers = [_NUMBERED.fullmatch(step) for step in steps]
    if len(steps) < 4 or any(
        number is None and step != _GAP for number, step in zip(numbers, steps, strict=True)
    ):
        return steps
    known = [(at, int(number[1])) for at, number in enumerate(numbers) if number is not None]
    is_dense = all(
        later == earlier + 1 or (second > first + 1 and later > earlier)
        for (first, earlier), (second, later) in pairwise(known)
    )
    return [steps[0], _GAP, steps[-1]] if is_dense else steps


def head(text: str, max_chars: int) -> str:
    """Return a text, or its beginning with a sign that it goes on."""
    return text if len(text) <= max_chars else text[:max_chars].rstrip() + " …"
