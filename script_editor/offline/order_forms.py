"""Requests to put lines in another order: move, shift by some lines, swap."""

from script_editor.offline import numerals
from script_editor.offline.anchors import VAGUE_PLACE, read_anchor, whole_line_quoted
from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.lines import Lines, Run
from script_editor.offline.pronouns import is_pronoun
from script_editor.offline.quotes import TOKENS
from script_editor.offline.replace_forms import read_exchange
from script_editor.offline.requests import (
    Anchor,
    MoveLines,
    Reading,
    Request,
    ShiftLines,
    SwapLines,
    Unclear,
)
from script_editor.offline.wording import Phrase, pattern

_ZH_MOVE = (
    r"(?:整[行句段])?(?:给我|给|都|全部|一起|整体)?(?:移动|挪动|调动|调整|移|挪|调|提前|提|放置|放"
    r"|搬|拖动|拖|换|转移|转|排|插|插入|摆|扔|丢|送|退|拉|置|顺移|安排|推迟|延|推|剪切|粘贴)(?:到|至"
    r"|去|在|于|回|往)?"
)
_ZH_CARRY = r"(?:移|挪|调|提前|提|搬|拖|转移)[^放插]{0,3}"
_EN_CARRY = r"(?:move|shift|bring|relocate|push|pull|drag|transfer)"
_EN_MOVE = (
    r"(?:move|shift|bring|put|place|relocate|push|pull|drag|send|take|transfer|bump|slide|shove"
    r"|reposition|position|stick|carry|get|set|make|have)"
)
_ZH_SHIFT = (
    r"(?:往|向|朝)?(?P<to>上|前|下|后)(?:面|边)?(?:移动|移|挪动|挪|调|提|搬"
    rf"|推)(?:(?P<n>{numerals.ZH})?(?:行|位|格|个位置|句))?|(?:移动|移|挪动|挪|调|提|搬|推)(?:往"
    rf"|向)?(?P<to2>上|前|下|后)(?P<n2>{numerals.ZH})(?:行|位|格|个位置|句)"
    rf"|提前(?P<earlier>{numerals.ZH})(?:行|位|格)"
)
_EN_SHIFT = (
    rf"(?P<to>up|down)(?: by)?(?: (?P<n>{numerals.EN}|an?))?(?: (?:lines?|places?|spots?|positions?"
    r"|rows?|steps?|slots?|notch(?:es)?))?"
)
_PIN = r"(?:(?P<top>置顶|放最前|提到最前|移最前)|置底|放最后|垫底)"

_ZH_SWAP = r"(?:交换|对调|互换|调换|对换|置换|互调|掉换|倒换|颠倒|对掉|互相交换|互相调换)"
_ZH_SWAP_ORDER = (
    r"(?:换个位置?|换一?下位置?|换位置?|换过来|反过来|倒过来|换换|调个个儿|调一下|调整一下|换一换"
    r"|倒一下|换|调个位置|互相换)"
)
_OF_ORDER = r"(?:这?两[行句段])?(?:的)?(?:位置|顺序|次序|先后顺序|先后|内容|前后顺序)"
_HOW = r"(?:互相|相互|一起|彼此|进行|做一?个?|给|来个|都|也)*"
_EN_SWAP = r"(?:swap|switch|exchange|interchange|transpose|flip|reverse|invert)"
_EN_SWAP_OF = (
    r"(?: around| over)?(?: the)?(?: (?:order|positions?|places?|locations?|sequence))?(?: of)?(?: the)?"
)
_EN_SWAP_TAIL = (
    r"(?: with (?:each other|one another)| around| over| places| positions| round| please| order)*"
)


def read_order(phrase: Phrase) -> tuple[Reading, ...]:
    """Return the readings of a part as a change of order."""
    request = _swap(phrase) or _shift(phrase) or _move(phrase)
    return (Reading(request),) if request is not None else ()


# --- swap ----------------------------------------------------------------------------------------


def _swap(phrase: Phrase) -> Request | None:
    for source in (
        rf"(?:{_ZH_SWAP})(?:一下|下|掉)?(?P<pair>.+?)(?:{_OF_ORDER})?(?:一下)?",
        rf"(?:把|将|让)?(?P<pair>.+?)(?:{_OF_ORDER})?{_HOW}(?:{_ZH_SWAP})(?:一下|下|过来"
        r"|掉)?(?:位置|顺序|次序|内容)?(?:一下)?",
        rf"(?:把|将|让)?(?P<pair>.+?){_OF_ORDER}{_HOW}(?:{_ZH_SWAP_ORDER})",
        rf"(?:把|将|让)?(?P<pair>.+?){_HOW}(?:换一?个(?:位置?|顺序|次序)|换一?下(?:位置|顺序)"
        r"|换位置|换顺序|换位|换过来|调个位置|互相换)(?:一下|下)?",
        rf"{_EN_SWAP}(?:{_EN_SWAP_OF}) (?P<pair>.+?){_EN_SWAP_TAIL}",
        r"(?P<pair>.+?) (?:should |to |need to |must )?(?:be )?(?:swap(?:ped)?|switch(?:ed)?"
        r"|exchanged|(?:swap|switch|trade|change|exchange) (?:places|positions))",
        r"(?:have|let|make) (?P<pair>.+?) (?:swap|switch|(?:swap|switch|trade|change"
        r"|exchange) (?:places|positions))",
    ):
        match = pattern(source).fullmatch(phrase.folded)
        request = _pair(phrase.cut(*match.span("pair"))) if match else None
        if request is not None:
            return request
    return None


def _pair(phrase: Phrase) -> Request | None:
    for match in pattern(r"\s*(?:,?\s*(?:和|与|跟|同|及)|、|,|\b(?:and|with|for|&)\b|&|<->|↔)\s*").finditer(
        phrase.folded
    ):
        first, second = whole_lines(phrase.cut(0, match.start())), whole_lines(phrase.cut(match.end()))
        if first and second and first.is_single and second.is_single and first.unit == second.unit:
            return SwapLines(first, second)
    lines = whole_lines(phrase)
    if lines is not None:
        return _two_of(lines)
    if pattern(rf".*{TOKENS}.*(?:和|与|跟|同|及|、|and|&).*{TOKENS}.*").fullmatch(phrase.folded):
        return read_exchange(phrase)
    return None


def _two_of(lines: Lines) -> Request | None:
    """Part a list of two, such as `the second and third lines` or 最后两行."""
    picks = lines.picks
    if len(picks) == 1 and isinstance(picks[0], Run) and abs(picks[0].last - picks[0].first) == 1:
        picks = (Run(picks[0].first, picks[0].first), Run(picks[0].last, picks[0].last))
    if len(picks) != 2:
        return None
    first, second = (Lines((pick,), lines.unit, lines.inside) for pick in picks)
    return SwapLines(first, second) if first.is_single and second.is_single else None


# --- move ----------------------------------------------------------------------------------------


def _shift(phrase: Phrase) -> Request | None:
    match = pattern(rf"(?:把|将)?(?P<what>.+?)(?:整[行句段])?(?:{_ZH_SHIFT})").fullmatch(phrase.folded)
    if match is None:
        match = pattern(rf"{_EN_MOVE} (?P<what>.+?) {_EN_SHIFT}").fullmatch(phrase.folded)
    if match is None:
        return None
    lines = whole_lines(phrase.cut(*match.span("what")))
    if lines is None:
        return None
    groups = match.groupdict()
    number = groups.get("n") or groups.get("n2") or groups.get("earlier") or "1"
    count = 1 if number in ("a", "an") else numerals.value(number)
    to = groups.get("to") or groups.get("to2") or "上"
    return ShiftLines(lines, -count if to in ("上", "前", "up") else count)


def _move(phrase: Phrase) -> Request | None:
    return _pinned(phrase) or _zh_move(phrase) or _en_move(phrase)


def _pinned(phrase: Phrase) -> Request | None:
    match = pattern(rf"(?:把|将)?(?P<what>.+?){_PIN}").fullmatch(phrase.folded)
    lines = whole_lines(phrase.cut(*match.span("what"))) if match else None
    if match is None or lines is None:
        return None
    return MoveLines(lines, Anchor("start" if match["top"] else "end"))


def _zh_move(phrase: Phrase) -> Request | None:
    opener = pattern(r"(?:把|将|让)?").match(phrase.folded)
    begin = opener.end() if opener else 0
    for match in pattern(_ZH_MOVE).finditer(phrase.folded, begin):
        what = phrase.cut(begin, match.start())
        where = phrase.cut(match.end())
        place = pattern(r"(?P<where>.+?)(?:去|来|那里|上去|去吧)?").fullmatch(where.folded)
        carries = pattern(_ZH_CARRY).fullmatch(match[0]) is not None
        request = _carry(what, where.cut(*place.span("where")), carries) if place and what else None
        if request is not None:
            return request
    return _verb_first(phrase)


def _verb_first(phrase: Phrase) -> Request | None:
    """Read 移动第2行到第5行后面."""
    match = pattern(rf"(?:{_ZH_MOVE})(?P<what>.+?)(?:到|至|去|放到|放在|在)(?P<where>.+)").fullmatch(
        phrase.folded
    )
    return _carry(phrase.cut(*match.span("what")), phrase.cut(*match.span("where")), True) if match else None


def _en_move(phrase: Phrase) -> Request | None:
    wished = pattern(
        r"(?P<what>.+?) (?:should|must|needs to|has to|ought to) (?:come|go|be|stand|appear|be (?:placed|moved|put))"
        r"(?P<where> .+)"
    ).fullmatch(phrase.folded)
    if wished:
        return _carry(phrase.cut(*wished.span("what")), phrase.cut(*wished.span("where")), False)
    verb = pattern(rf"{_EN_MOVE} ").match(phrase.folded)
    if verb is None:
        return None
    carries = pattern(_EN_CARRY).fullmatch(verb[0].strip()) is not None
    requests = [
        _carry(phrase.cut(verb.end(), match.start()), phrase.cut(match.end()), carries)
        for match in pattern(r" (?=\S)").finditer(phrase.folded, verb.end())
    ]
    found = [request for request in requests if request is not None]
    return next((request for request in found if isinstance(request, MoveLines)), found[0] if found else None)


def _carry(what: Phrase, where: Phrase, carries: bool) -> Request | None:
    """Return the move of `what`; a quotation is a line to move only after a verb that `carries`."""
    place = pattern(
        r"(?:down |up |over |back |all the way |straight |so that it is |so it is |go |come |be "
        r"|it )*(?P<where>.+)"
    ).fullmatch(where.folded)
    anchor = read_anchor(where.cut(*place.span("where"))) if place else None
    if anchor is None:
        return None
    if is_pronoun(what):
        return Unclear("target", what.literal)
    names_quoted_line = pattern(rf"the (?:line|sentence) {TOKENS}").fullmatch(what.folded) is not None
    lines = whole_lines(what)
    if lines is not None and (carries or not names_quoted_line):
        return MoveLines(lines, anchor)
    is_line = pattern(rf"{TOKENS}(?:这?一?[行句]话?)?|the (?:line|sentence) {TOKENS}").fullmatch(what.folded)
    return MoveLines(whole_line_quoted(what), anchor) if carries and is_line else None


# --- what is missing -----------------------------------------------------------------------------


def read_incomplete_order(phrase: Phrase) -> tuple[Reading, ...]:
    """Read a change of order that lacks the place, or the second line of a swap."""
    for source in (
        rf"(?:把|将)?(?P<what>.+?)(?:{_ZH_MOVE})(?:一下|吧|走|开|{VAGUE_PLACE})?",
        r"(?:移动|挪动|移|挪|调整)(?:一下)?(?P<what>.+)",
        r"(?:move|shift|relocate|reposition|put) (?P<what>.+?)(?: somewhere(?: else)?| elsewhere"
        rf"| around| {VAGUE_PLACE})?",
    ):
        match = pattern(source).fullmatch(phrase.folded)
        what = phrase.cut(*match.span("what")) if match else None
        if what and (whole_lines(what) is not None or is_pronoun(what)):
            return (Reading(Unclear("place", phrase.literal)),)
    for source in (
        rf"(?:{_ZH_SWAP})(?:一下)?(?P<what>.*)",
        rf"(?:把|将)?(?P<what>.*?)(?:{_OF_ORDER})?{_HOW}(?:{_ZH_SWAP})(?:一下|位置|顺序)*",
        r"(?:swap|switch|exchange|interchange)(?: the order of)? ?(?P<what>.*)",
    ):
        match = pattern(source).fullmatch(phrase.folded)
        what = phrase.cut(*match.span("what")) if match else None
        if what is not None and (not what or is_pronoun(what) or whole_lines(what) is not None):
            return (Reading(Unclear("target", phrase.literal)),)
    return ()
