"""Scripts that an instruction names: by id, in the spellings that people use, in lists and in ranges; and left out.

`video 1`, `Video001`, `video_001/002`, `videos 1 to 3`, `001 和 002`. A loose spelling counts only when exactly one
script can be meant by it.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from script_editor.app.hanzi import simplified
from script_editor.domain.script import canonical_id
from script_editor.errors import BadScriptId
from script_editor.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Mention:
    """Where an instruction names scripts: one, or those of a range; `start` and `end` are offsets in the folded words."""

    start: int
    end: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """What an instruction names. `left_out` are scripts that it only names to leave them as they are."""

    mentions: tuple[Mention, ...] = ()
    left_out: frozenset[str] = field(default_factory=frozenset)

    @property
    def ids(self) -> frozenset[str]:
        """All that are named and not left out."""
        return frozenset(id for mention in self.mentions for id in mention.ids) - self.left_out


# Words of any script between spaces, and Latin ids that Chinese text surrounds without one.
_NAMES = (Pattern(r"[\w-]+(?:\.[\w-]+)?"), Pattern(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z-]+)?"))
_HAN = Pattern(r"[\u3400-\u9fff]{2}")
_COUNTED_ID = Pattern(r"([a-z][a-z_-]*?)[_-]?(\d+)")
_UNIT = (
    r"(?!\d|[.,:]\d|\s*(?:%|x\b|s\b|seconds?\b|secs?\b|minutes?\b|mins?\b|hours?\b|words?\b|times?\b|lines?\b"
    r"|sentences?\b|秒|分|小时|个|個|字|倍|点|年|月|日|号线|句|行|段|次|版|元|块|%))"
)
_LOOSE = Pattern(
    r"(?<![a-z0-9])([a-z][a-z_-]{0,62}?)s? ?(?:no\.?|number|#|号|第)? ?[_-]? ?#? ?(\d{1,9})" + _UNIT
)
_NEXT = Pattern(r"\s*(?P<sep>[,，、/&+]|和|与|及|跟|\band\b|\bor\b|\s)\s*(?P<number>\d{1,9})" + _UNIT)
_BARE = Pattern(r"(?<![0-9A-Za-z_.:#-])(0\d{1,8})(?![0-9A-Za-z_.:%-])" + _UNIT)
_RANGE = Pattern(r"\s*(?:到|至|~|-|–|—|through|thru|(?P<to>to))\s*")
_MANY = Pattern(r"\b(?:all|each|every|scripts|videos)\b|s\s*$")


def named_in(words: str, known: Collection[str]) -> Named:
    """Return what folded words (NFKC, lower case) name of the scripts that are known."""
    numbers = _numbered(known)
    mentions = list(_joined(words, sorted(_mentions(words, known, numbers), key=lambda m: m.start), numbers))
    return Named(tuple(mentions), _left_out(simplified(words), mentions))


def names_in(instruction: str) -> set[str]:
    """Return the words of an instruction that could be ids, in their canonical spelling; `a` is not in "make"."""
    names = set()
    for word in {word for pattern in _NAMES for word in pattern.findall(instruction)}:
        with suppress(BadScriptId):
            names.add(canonical_id(word))
    return names


Numbers = Mapping[tuple[str, int], tuple[str, ...]]
"""The ids that are counted on, by what they have in common and their number."""


def _numbered(known: Collection[str]) -> Numbers:
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for id in sorted(known):
        if match := _COUNTED_ID.fullmatch(id):
            key = match[1].rstrip("_-"), int(match[2])
            found[key] = (*found.get(key, ()), id)
    return found


def _only(numbers: Numbers, stem: str, number: int) -> str | None:
    ids = numbers.get((stem, number), ())
    return ids[0] if len(ids) == 1 else None


def _mentions(words: str, known: Collection[str], numbers: Numbers) -> Iterator[Mention]:
    taken = bytearray(len(words))
    for start, end, id in [*_exact(words, known), *_in_han(words, known), *_loose(words, numbers)]:
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            yield Mention(start, end, (id,))


def _exact(words: str, known: Collection[str]) -> Iterator[tuple[int, int, str]]:
    for pattern in _NAMES:
        for match in pattern.finditer(words):
            with suppress(BadScriptId):
                if (id := canonical_id(match[0])) in known:
                    yield match.start(), match.end(), id


def _in_han(words: str, known: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Ids of Chinese characters stand inside a sentence without spaces; of two, one in the other, the longer is meant."""
    for id in sorted((id for id in known if _HAN.search(id) and id in words), key=len, reverse=True):
        for match in re.finditer(re.escape(id), words):
            yield match.start(), match.end(), id


def _loose(words: str, numbers: Numbers) -> Iterator[tuple[int, int, str]]:
    stems = {stem for stem, _ in numbers}
    for match in _LOOSE.finditer(words):
        stem = match[1].rstrip("_-")
        stem = stem if stem in stems else next((one for one in stems if stem in (f"{one}s", one[:3])), stem)
        if id := _only(numbers, stem, int(match[2])):
            yield match.start(), match.end(), id
    if len(stems) == 1:
        (stem,) = stems
        for match in _BARE.finditer(words):
            id = _only(numbers, stem, int(match[1]))
            if id and id.endswith(match[1]):
                yield match.start(), match.end(), id


def _joined(words: str, mentions: list[Mention], numbers: Numbers) -> Iterator[Mention]:
    """Yield the mentions, with the numbers that go on a list and the scripts between the ends of a range."""
    for place, mention in enumerate(mentions):
        yield mention
        following = mentions[place + 1] if place + 1 < len(mentions) else None
        stem, first = _split(mention.ids[0])
        if first is None:
            continue
        end = mention.end
        while (more := _NEXT.match(words, end)) and (following is None or more.end() <= following.start):
            id = _only(numbers, stem, int(more["number"]))
            if id is None or (not more["sep"].strip() and not more["number"].startswith("0")):
                break
            yield Mention(more.start("number"), more.end(), (id,))
            end = more.end()
        yield from _between(words, mention, following, numbers)


def _between(words: str, mention: Mention, following: Mention | None, numbers: Numbers) -> Iterator[Mention]:
    joint = _RANGE.match(words, mention.end)
    if joint is None or (
        joint["to"] and not _MANY.search(words[max(0, mention.start - 30) : mention.start + 6])
    ):
        return
    stem, first = _split(mention.ids[0])
    if following is not None and joint.end() == following.start:
        other, last = _split(following.ids[0])
        end = following.end
    else:
        digits = Pattern(r"(\d{1,9})" + _UNIT).match(words, joint.end())
        if digits is None:
            return
        other, last, end = stem, int(digits[1]), digits.end()
    if first is None or last is None or other != stem:
        return
    ids = tuple(id for (name, number), (id, *_) in numbers.items() if name == stem and first < number <= last)
    if ids:
        yield Mention(joint.end(), end, ids)


def _split(id: str) -> tuple[str, int | None]:
    match = _COUNTED_ID.fullmatch(id)
    return (match[1].rstrip("_-"), int(match[2])) if match else (id, None)


# --- left out --------------------------------------------------------------------------------

_EXCEPT = Pattern(
    r"(?:除了?|除去|排除|不包括|不含|不算|\bexcept(?:ing)?(?: for)?|\bexcluding|\bother than|\bapart from)"
    r"(?:\s*(?:the|script|video|脚本))*\s*[\"“「'`]?$"
)
_LEFT_OUT_BEFORE = Pattern(
    r"(?:(?:不要|不能|不许|别|勿)(?:去)?(?:改|动|碰)|\b(?:don't|do not|without|never) (?:touch|chang|edit"
    r"|modify)(?:ing|e)?|\bnot)"
    r"(?:\s*(?:the|script|video|脚本))*\s*[\"“「'`]?$"
)
_ALL_BUT = Pattern(r"\b(?:all|every|each|any)\b.{0,60}\bbut\s*$|\b(?:leave|keep)\s*$")
_LEFT_OUT_AFTER = Pattern(
    r"[\"”」'`]?\s*(?:这[条个])?(?:脚本)?\s*(?:除外|以外|之外|外[，,]|(?:都)?(?:先|也)?(?:不要|不用|不能|不许|别"
    r"|不)(?:改|动|碰)(?:它|了)?(?=\s*(?:$|[，。,.;；!！]))"
    r"|保持(?:不变|原样)|\b(?:alone|untouched|unchanged|as (?:it is|is))\b|(?:stays|must stay|is off|should stay)\b)"
)
_LIST_JOINT = Pattern(r"[\"”」'`]?\s*(?:[,，、/&]|和|与|及|\band\b|\bor\b|,\s*and\b)?\s*[\"“「'`]?")
_PART_OF_IT = Pattern(r"\s*(?:的(?!脚本)|里|中|'s)")
_OF_IT = Pattern(r"\s*(?:的(?!脚本)|里|中|'s|第|开头|结尾)")
_INVERTED = Pattern(
    r"除了?[^。.;；]{0,80}(?:其[他它余]|别的|剩下)[^。.;；]{0,10}?(?:不要|别|不用|不|勿)(?:改|动|碰)"
    r"|除了?[^。.;；，,]{0,60}[，,][^。.;；]{0,20}?(?:也|还)(?!别|不)"
    r"|\bexcept[^.;]{0,60}(?:leave|don't|do not|keep)[^.;]{0,20}(?:others?|rest|else)"
    r"|(?:其[他它余]|别的|剩下)[^。.;；，,]{0,6}(?:不要|别|不用|不|勿)(?:改|动|碰)[^。.;；]{0,4}除了?"
    r"|\b(?:don't|do not|leave|not)\b[^.;]{0,30}\b(?:anything|any|all|everything|others)\b[^.;]{0,30}\b(?:except|but"
    r"|other than)\b"
)


def _left_out(words: str, mentions: list[Mention]) -> frozenset[str]:
    """Return the scripts of which each mention is to leave them alone."""
    out: set[int] = set()
    for place, mention in enumerate(mentions):
        before, after = (
            words[max(0, mention.start - 60) : mention.start],
            words[mention.end : mention.end + 30],
        )
        if _LEFT_OUT_AFTER.match(after):
            out.add(place)
            for earlier in range(place, 0, -1):  # "video_001 和 video_002 不要动"
                if not _is_list(words, mentions, earlier) or "," in _between_them(words, mentions, earlier):
                    break
                out.add(earlier - 1)
        elif _is_excepted(before, after) or (
            place - 1 in out and _is_list(words, mentions, place) and not _OF_IT.match(after)
        ):
            out.add(place)
    if not out or _INVERTED.search(words):
        return frozenset()
    left = {id for place in out for id in mentions[place].ids}
    # Within "video_001 到 video_004 除了 video_003" the range holds it as well.
    alone = {
        id for place, mention in enumerate(mentions) if place not in out and len(mention.ids) == 1
        for id in mention.ids
    }  # fmt: skip
    return frozenset(left - alone)


def _is_excepted(before: str, after: str) -> bool:
    if _EXCEPT.search(before):
        return _PART_OF_IT.match(after) is None
    forbidden = _LEFT_OUT_BEFORE.search(before) or _ALL_BUT.search(before)
    return forbidden is not None and _OF_IT.match(after) is None


def _is_list(words: str, mentions: list[Mention], place: int) -> bool:
    between = _between_them(words, mentions, place)
    return _LIST_JOINT.fullmatch(between) is not None and between.strip() != ""


def _between_them(words: str, mentions: list[Mention], place: int) -> str:
    """Return what stands between a mention and the one before it; a full-width comma is told as a plain one."""
    return words[mentions[place - 1].end : mentions[place].start].replace("，", ",")
