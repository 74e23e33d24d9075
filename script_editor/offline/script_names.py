"""Mentions of scripts in an instruction: which ones it names, and how it reads for one of them.

A mention of the script being edited says nothing that is not known: `in video_003`, video_001 里的.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from script_editor.offline.wording import Phrase, pattern, phrase_of

_WORD = r"[A-Za-z0-9_.-]"
_ID = re.compile(
    rf"(?<!{_WORD})[A-Za-z][A-Za-z0-9]*(?P<mark>[_-])[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*(?:\.[a-z]{{2}}(?:-[A-Za-z]{{2,4}})?)?(?![A-Za-z0-9_-])"
)
_ROW = re.compile(r"^- (?P<id>\S+) \| .* \| v\d+", re.MULTILINE)
_AND = r"\s*(?:、|,|，|;|和|与|跟|及|以及|还有|\band\b|&|,\s*and\b)\s*(?:(?:in|from|of)\s+|在\s*)?"
_JOINT = r"[,;。\n]\s*(?:然后|再|并且|同时|另外|and|then|also)?|然后|再(?=把|将|给|在|删)|同时(?=把|将|给|在|删)|(?<=\w)\.\s+|\s(?=(?:and|then|and then) )"
_ALIKE = r"(?:也|都|同样|照样)*(?:一样|这样|同样|照做|如此|照此)(?:改|处理|替换|办|来)?(?:一下)?|(?:(?:and|also|please) )*(?:do )?the same(?: (?:in|for|to|with))?(?: too)?|likewise"


def ids_in(phrase: Phrase, known: Collection[str] = ()) -> tuple[str, ...]:
    """Return the scripts that an instruction names, in their order: ids that are `known`, and words that look like ids.

    With an underscore in one of these, a hyphen makes no id: gpt-4 is a name of something else.
    """
    found = list(_ID.finditer(phrase.text))
    marked = [match for match in found if match["mark"] == "_"]
    alike = [(match.start(), match[0].lower()) for match in marked or found]
    named = [(match.start(), match[0].lower()) for match in _mentions(phrase, known)]
    taken = {start for start, _ in named}
    inside = {start for start, _ in alike if any(at <= start < at + len(one) for at, one in named)}
    placed = [*named, *((start, one) for start, one in alike if start not in taken | inside)]
    return tuple(dict.fromkeys(one for _, one in sorted(placed)))


def _mentions(phrase: Phrase, ids: Collection[str]) -> Iterator[re.Match[str]]:
    if ids:
        yield from pattern(_one_of(ids)).finditer(phrase.folded)


def _one_of(ids: Collection[str]) -> str:
    """Return the pattern of a mention of one of some ids; of two, one in the other, the longer is meant."""
    return "|".join(_mention(one) for one in sorted(ids, key=len, reverse=True))


def _mention(script_id: str) -> str:
    """Return the pattern of an id: Latin letters end it, and one character of Chinese has to stand alone."""
    if len(script_id) == 1 and not script_id.isascii():
        return rf"(?<!\w){re.escape(script_id)}(?!\w)"
    return rf"(?<!{_WORD}){re.escape(script_id)}(?![A-Za-z0-9_-])"


def ids_listed(phrase: Phrase, listing: str) -> tuple[str, ...]:
    """Return the scripts of a list, one `- id | title | v3` a row, that an instruction names by their ids."""
    listed = [row["id"] for row in _ROW.finditer(listing)]
    return tuple(dict.fromkeys(match[0].lower() for match in _mentions(phrase, listed)))


@dataclass(frozen=True, slots=True)
class Errand:
    """What an instruction asks for in one script, in the words that are about it."""

    script_id: str
    instruction: str


def errands(phrase: Phrase, ids: tuple[str, ...]) -> tuple[Errand, ...]:
    """Return what an instruction that names scripts asks for in each of them.

    Scripts in a list share the request: 把 A 和 B 里的…. A script that is named in a clause of its own has that
    clause; one that is named later in the same clause is no target but a part of what is said of the first.
    """
    instruction = phrase.typed
    if len(ids) < 2:
        return tuple(Errand(script_id, instruction) for script_id in ids)
    groups = list(pattern(_any_of(ids)).finditer(phrase.folded))
    clauses = list(_clauses(phrase, groups, ids))
    found: dict[str, list[str]] = {}
    for number, (clause, names) in enumerate(clauses):
        if number and _is_alike(clause, names):
            clause = clauses[number - 1][0]
            others = _any_of(clauses[number - 1][1])
            for name in names:
                found.setdefault(name, []).append(name.join(re.split(others, clause.typed, flags=re.I)))
            continue
        for name in names:
            found.setdefault(name, []).append(for_one(clause.typed, name, names))
    return tuple(Errand(name, "\n".join(said)) for name, said in found.items())


def _any_of(ids: tuple[str, ...]) -> str:
    """Return the pattern of one of some ids, or of a list of them."""
    name = _one_of(ids)
    return rf"(?:{name})(?:{_AND}(?:{name}))*"


def _clauses(
    phrase: Phrase, groups: list[re.Match[str]], ids: tuple[str, ...]
) -> Iterator[tuple[Phrase, tuple[str, ...]]]:
    """Yield the clauses that name scripts of their own, each with those; what names none belongs to the one before."""
    starts, ends, owners = [0], [], groups[:1]
    for before, group in pairwise(groups):
        joints = list(pattern(_JOINT).finditer(phrase.folded, before.end(), group.start()))
        if joints:
            ends.append(joints[-1].start())
            starts.append(joints[-1].end())
            owners.append(group)
    for owner, start, end in zip(owners, starts, [*ends, len(phrase.folded)], strict=True):
        yield phrase.cut(start, end), ids_in(phrase.cut(*owner.span()), ids)


def _is_alike(clause: Phrase, names: tuple[str, ...]) -> bool:
    bare = without_id(clause, names[0]) if len(names) == 1 else clause
    return pattern(_ALIKE).fullmatch(bare.folded.strip(" .。!,")) is not None


def for_one(instruction: str, script_id: str, ids: tuple[str, ...]) -> str:
    """Return an instruction about several scripts as it reads for one of them; every other word stays."""
    if len(ids) < 2:
        return instruction
    name = _one_of(ids)
    several = rf"(?:\bboth\s+)?(?:{name})(?:{_AND}(?:{name}))+"
    return re.sub(several, lambda _match: script_id, instruction, flags=re.IGNORECASE)


def without_id(phrase: Phrase, script_id: str) -> Phrase:
    """Return an instruction without mentions of `script_id` outside quotations."""
    name = _mention(script_id)
    english = rf"\s*\b(?:in|of|from|on|for|to) (?:the )?(?:script )?{name}(?: script)?[,:]?"
    chinese = (
        rf"\s*(?:在|从|给|对)?\s*{name}\s*(?:这个?)?(?:脚本|文案|稿子)?(?:里面|里|中)?的?\s*[,，:：]?\s*"
    )
    kept = re.sub(rf"{english}|{chinese}", _gap, phrase.text, flags=re.IGNORECASE)
    return phrase_of(kept, phrase.quotes) if kept != phrase.text else phrase


def without_ids(phrase: Phrase, ids: Collection[str]) -> Phrase:
    """Return an instruction without mentions of some scripts."""
    for script_id in ids:
        phrase = without_id(phrase, script_id)
    return phrase


def _gap(match: re.Match[str]) -> str:
    """Return the space that words of an alphabet need where a mention stood between them."""
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    return " " if before.isascii() and after.isascii() and before.strip() and after.strip() else ""
