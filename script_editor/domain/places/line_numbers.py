"""Lines named by number in a person's words: 第3-5行, 倒数第二句, lines 2, 4 and 7 to 9, the third sentence, last 2.

Texts are read folded and in lower case. Reading yields what was named; `numbered_lines.resolve` says which
lines of one script that is. Numbers are found one by one and then joined by what stands between them, so that a
list of any length and make is read as a whole or not at all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from script_editor.domain.counting import EN, ZH, count_of
from script_editor.domain.places.line_words import KINDS, MEMBER, Member, Unit
from script_editor.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Ordinal:
    """The `first` to `last` thing of a kind, counting from 1, or from the end with -1; [start, end) is where it was read.

    With a `first` of 0 it names something that cannot be told from its words alone. A guess is a second
    reading of words that have a likelier one.
    """

    unit: Unit
    first: int
    last: int
    start: int
    end: int
    is_guess: bool = False


_MOST_BETWEEN = 40
_TO = Pattern(
    r"[\s,]*(?:开始)?\s*(?:(?:all the way|right|on|up|continuing|running|down)\s+)*(?:一?直?[到至]|-+|~+|\.\.+"
    r"|(?:to|through|thru|until|till)\b)\s*(?:to\b|and including\b)?\s*(?:the\b)?\s*"
)
_AND = (
    r"(?:[\s,;、/+&()#]|(?<=\n)[-*·]|(?<=\n )[-*·]|(?:and|or|then|also|plus|the|as well as|along with|together with"
    r"|in addition to|on|with|number)\b|以及|还有|加上|外加|连同|另外|然后|接着|[和与及跟同或再也])"
)
_SEPARATOR = Pattern(f"{_AND}*")
_IS_COUNT = Pattern(
    r"(?:[加写补插留剩用分拆各每这那几只共约超满成为至到有是多少]|控制在|不超过|[删减]掉?|最[多少长]|大约)\s*(?:到|成|了|为)?\s*$"
)
_FROM_END = Pattern(r"(?:前|后|头|尾|最后|top|first|last)\s*$")
_BETWEEN = (Pattern(r"\bbetween\s+(?:the\s+)?$"), Pattern(r"\s*之?间"))
_ON = Pattern(
    r"(?:[往以之]?后|以下|往下|后面|起|开始)(?:往后|往下|一直|直)?(?=的(?![那这一\d两三几])|都|全|所有|每|到底|内容|部分|,|$)"
    r"|(?:起|开始)|\s+(?:onwards?|forward|on(?=\s*(?:[,.]|$))|and (?:on|after|beyond|onwards?|below|later|following)\b)"
)
_UP_TO_ZH = Pattern(r"(?:[以之]?前面?|以上|往前|往上)(?=的(?![那这一\d两三几])|都|全|所有|每|内容|部分)")
_ALL = r"(?:everything|lines|all|stuff|text|parts?|sentences|section)"
_UP_TO_EN = Pattern(
    rf"(?:\bup (?:un)?to|\bas far as|\b{_ALL} (?:before|above|until|till|preceding))\s+(?:the )?$"
)
_ON_EN = Pattern(
    rf"(?:\b(?:starting|beginning) (?:at|from|with|on)|\b{_ALL} (?:after|from|below|past|following|since))\s+(?:the )?$"
)


def read_ordinals(text: str) -> tuple[Ordinal, ...]:
    """Return the things that a folded, lower-case text names by number, in order."""
    return tuple(ordinal for row in read_lists(text) for ordinal in row)


@lru_cache(maxsize=32)  # each clause is asked about several times
def read_lists(text: str) -> tuple[tuple[Ordinal, ...], ...]:
    """Return what `read_ordinals` does, by the lists that they stand in; a single one is a list of its own."""
    lists = (tuple(_read(row, text, None)) for row in _rows(text))
    return tuple(row for row in lists if row)


def joined_lists(text: str) -> str:
    """Return a folded, lower-case text with 、 for what parts the numbers of one list, so that no clause ends there.

    Every offset stays. Where both neighbours say what they count, nothing is lost when they are parted.
    """
    chars = list(text)
    for row in _rows(text):
        if any(member.unit for member in row):
            for before, index in zip(row, range(1, len(row)), strict=False):
                start, end = before.match.end(), row[index].match.start()
                if end > start and not row[index].is_to and _loses_unit(row, index):
                    chars[start:end] = "、".ljust(end - start)
            for member in row:
                start, end = member.match.span()
                chars[start:end] = re.sub(r"[\n*-](?=.*\d)", " ", member.match[0], flags=re.DOTALL)
    return "".join(chars)


def _loses_unit(row: list[Member], index: int) -> bool:
    """Say whether one of the two numbers has its unit from beyond the words between them."""
    before, member = row[index - 1], row[index]
    ends_range = row[index + 1] if index + 1 < len(row) and row[index + 1].is_to else member
    if not (member.unit or ends_range.unit):
        return True
    return before.unit is None and member.kind not in ("ehead", "zhead", "id")


def _rows(text: str) -> Iterator[list[Member]]:
    """Yield the numbers of a text, those that are parts of one list or range together."""
    row: list[Member] = []
    for match in MEMBER.finditer(text):
        kind = next(kind for kind in KINDS if match[kind] is not None)
        gap = text[row[-1].match.end() : match.start()] if row else ""
        member = Member(
            kind, match, gap, is_to="\n" not in gap and _TO.fullmatch(gap[:_MOST_BETWEEN]) is not None
        )
        if row and not _is_joined(row[-1], member):
            yield row
            row = []
        row.append(member)
    if row:
        yield row


def _is_joined(before: Member, member: Member) -> bool:
    if len(member.gap) >= _MOST_BETWEEN:
        return False
    if member.kind == "han" and (
        before.kind not in ("znth", "zback", "han") or (before.unit and not member.is_to)
    ):
        return False
    if member.is_to:
        return True
    is_plain = member.gap or member.match[0][0] in "第倒最末后前上下接紧"
    return bool(is_plain) and _SEPARATOR.fullmatch(member.gap) is not None


def _read(row: list[Member], text: str, default: Unit | None) -> Iterator[Ordinal]:
    """Yield what a row names; nothing when no word in it says that lines are counted."""
    while row and row[0].kind == "han":
        row = row[1:]
    if not row:
        return
    before, end = (
        text[max(row[0].match.start() - _MOST_BETWEEN, 0) : row[0].match.start()],
        row[-1].match.end(),
    )
    has_signs = len(row) > 1 and all(
        text[member.match.start() - 1 : member.match.start()] == "#" for member in row
    )
    if not _give_units(row, "line" if has_signs else default) or _only_counts(row, before):
        return
    if row[0].kind == "bare" and _FROM_END.search(before):  # 前3到5行: how many from there is open
        yield Ordinal(row[0].unit or "line", 0, 0, row[0].match.start(), end)
        return
    yield from _members(row)
    unit, first, last = row[0].unit or "line", row[0].first, row[-1].last
    at = (row[0].match.start(), end)
    if _ON_EN.search(before) or _ON.match(text, end) or _is_open(row[0]):
        yield Ordinal(unit, first if len(row) == 1 else last, -1, *at)
    if _UP_TO_EN.search(before) or _UP_TO_ZH.match(text, end):
        yield Ordinal(unit, 1, last, *at)
    if len(row) > 1 and (_BETWEEN[0].search(before) or _BETWEEN[1].match(text, end)):
        yield Ordinal(unit, min(first, last), max(first, last), *at, is_guess=True)


def _is_open(member: Member) -> bool:
    """Say whether it is "the lines after" what follows."""
    return (
        member.kind == "eside" and member.match["n_eside"] == "the" and member.match["u_eside"].endswith("s")
    )


def _give_units(row: list[Member], default: Unit | None) -> bool:
    """Give each number the unit that the row has for it: of the word before a list of bare numbers, else of the next one."""
    own = [member.unit for member in row]
    behind: list[Unit | None] = [None] * len(row)
    for index in range(len(row) - 1, -1, -1):
        behind[index] = own[index] or (behind[index + 1] if index + 1 < len(row) else None)
    before: Unit | None = None
    has_head = False
    for member, unit, next_unit in zip(row, own, behind, strict=True):
        is_led = has_head and member.kind in ("bare", "word", "eend", "enext")
        member.unit = unit or (before if is_led else next_unit or before) or default
        before, has_head = unit or before, has_head or member.kind in ("ehead", "zhead", "id")
    return row[0].unit is not None


def _only_counts(row: list[Member], before: str) -> bool:
    """Say whether bare numbers say how many lines there are to be: 加3句, 控制在3-5句."""
    return all(member.kind in ("bare", "word", "stop", "go") for member in row) and (
        _IS_COUNT.search(before) is not None
    )


def _members(row: list[Member]) -> Iterator[Ordinal]:
    index = 0
    while index < len(row):
        member, first = row[index], row[index]
        while index + 1 < len(row) and row[index + 1].is_to and not row[index + 1].step:
            index += 1
            member = row[index]
        if member is not first:
            yield _range(first, member)
        elif member.step:
            yield from _beside(row, index)
        elif member.kind not in ("stop", "go"):
            yield _ordinal(member, member.first, member.last)
        if index and member.kind == "bare" and member.gap == "," and len(member.match["bare"]) == 3:
            whole = row[index - 1].last * 1000 + member.last
            yield _ordinal(member, whole, whole, is_guess=True)
        index += 1


def _range(first: Member, last: Member) -> Ordinal:
    is_one_kind = first.unit == last.unit and first.first and last.last
    low, high = (first.first, last.last) if is_one_kind else (0, 0)
    return Ordinal(first.unit or "line", low, high, first.match.start(), last.match.end())


def _beside(row: list[Member], index: int) -> Iterator[Ordinal]:
    """Yield the things behind or before a neighbour in the row: 第12行后面三行, line 12 and the next two."""
    member = row[index]
    near = row[index - 1] if index else row[1] if member.kind == "eside" and len(row) > 1 else None
    if near is None or near.step or not near.first:
        if member.first or member.kind != "eside" or member.match["n_eside"] not in ("a", "an", "the"):
            yield _ordinal(member, member.first, member.last)
        return
    if member.first and member.gap:
        yield _ordinal(member, member.first, member.last)
    edge = (near.last if member.step > 0 else near.first) + member.step
    low, high = sorted((edge, edge + member.step * (member.count - 1)))
    if low < 1 <= near.first:
        low = 1
    if high:
        yield _ordinal(member, low, high, is_guess=bool(member.first and member.gap))


def _ordinal(member: Member, first: int, last: int, *, is_guess: bool = False) -> Ordinal:
    return Ordinal(member.unit or "line", first, last, member.match.start(), member.match.end(), is_guess)


_SHORT_FIRST = Pattern(rf"(?:first|top)\s+(?P<a>{EN})|(?:开头|最前|前)(?P<b>{ZH})")
_SHORT_LAST = Pattern(rf"(?:last|final|bottom)\s+(?P<a>{EN})|(?:最后|末|后)(?P<b>{ZH})")


def read_list(text: str) -> tuple[Ordinal, ...] | None:
    """Return what a folded, lower-case text names when it is nothing but numbers, such as "1,3-5"; else None."""
    for pattern, sign in ((_SHORT_FIRST, 1), (_SHORT_LAST, -1)):
        if match := pattern.fullmatch(text):
            count = count_of(match["a"] or match["b"])
            first, last = (1, count) if sign > 0 else (-count, -1)
            return (Ordinal("line", first, last, 0, len(text)),)
    found = [o for row in _rows(text) for o in _read(row, text, "line") if not o.is_guess]
    rest = list(text)
    for ordinal in found:
        rest[ordinal.start : ordinal.end] = " " * (ordinal.end - ordinal.start)
    is_all = re.fullmatch(rf"(?:\.|{_AND})*", "".join(rest)[:_MOST_READ]) is not None
    return tuple(found) if found and is_all and len(text) <= _MOST_READ else None


_MOST_READ = 1_000
