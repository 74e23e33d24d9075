"""Requests to put new text between lines, or at the edge of a line."""

from collections.abc import Iterator
from dataclasses import replace

from script_editor.offline.anchors import VAGUE_PLACE, read_place
from script_editor.offline.courtesy import without_closing, without_final_mark
from script_editor.offline.inserted_text import EN_NOUN, PLAIN_EN_NOUN, ZH_NOUN, placed
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import Anchor, Inside, Reading, Unclear
from script_editor.offline.wording import Phrase, pattern

_ZH_ADD = (
    r"(?:插入|插进|插|添加|增加|增添|添|加入|加进|加|新增|新加|补充|补|追加|追补|附加|附|写入|写"
    r"|放入|放|来|填|续|接|塞|贴|多加)(?:上|入|进去?|个|多)?"
)
_ZH_APPEND = r"(?:追加|续写?)(?:上)?"
_ZH_PLACE_TAIL = (
    r"(?:里面|里|处|的地方|的位置|那里)?\s*[:,]?\s*(?:再|就|请|各|都|分别|也|另外|单独|帮我|给我"
    r"|直接|新|换行|另起一行|新起一行|重起一行)*$"
)
_EN_ADD = (
    r"(?:insert|add in|add|append|prepend|put in|put|place|include|write|stick|slot in|slot|tack on"
    r"|tack|pop|paste|type|attach|throw in|drop in|squeeze in|have|create)"
)
_EN_PLACE_TAIL = (
    r"\s*[,:]?\s*(?:on|in|please|just|also|kindly|you (?:can|should)|i(?:'d| would) like (?:you )?to|then)?$"
)
_EN_SAYING = (
    r",?\s*(?:(?:that |which )?(?:saying|reading|says?|reads?)\b|with(?: the)? (?:text|words)"
    r"|the (?:line|sentence|text|words?|phrase|following)"
    r"|a (?:line|sentence)(?: (?:saying|that says|reading))?|to say|this(?: line)?)?\s*(?P<colon>:)?\s*"
)


def read_insertion(opened: Phrase, *, at_end: bool) -> tuple[Reading, ...]:
    """Return the readings of a part as an insertion.

    `at_end` says that the part ends its instruction, so that text after a colon can be all of it.
    """
    return (*_zh(opened, at_end), *_zh_as(opened), *_en(opened, at_end), *_en_headed(opened, at_end))


def read_incomplete_insertion(closed: Phrase) -> tuple[Reading, ...]:
    """Read an insertion that lacks its text or its place, to say what is missing."""
    for verb in pattern(rf"{_ZH_ADD}|\b{_EN_ADD}\b").finditer(closed.folded):
        left, right = closed.cut(0, verb.start()), closed.cut(verb.end())
        noun = pattern(rf"(?:{ZH_NOUN}|{EN_NOUN})[.。:]?").fullmatch(right.folded)
        has_place = read_place(_trimmed(left)) if left else _place_after_noun(right)
        if left and pattern(VAGUE_PLACE).fullmatch(left.folded):
            return (Reading(Unclear("place", closed.literal)),)
        if has_place and (noun or not left):
            return (Reading(Unclear("text", closed.literal)),)
        if not left and (noun or pattern(TOKENS).search(right.text)):
            return (Reading(Unclear("place", closed.literal)),)
    return ()


def _place_after_noun(right: Phrase) -> Anchor | Inside | None:
    for noun in (ZH_NOUN, PLAIN_EN_NOUN):
        head = pattern(rf"{noun}(?:到|在)?\s*").match(right.folded)
        place = read_place(right.cut(head.end())) if head else None
        if place is not None:
            return place
    return None


def _trimmed(left: Phrase) -> Phrase:
    for source in (_ZH_PLACE_TAIL, _EN_PLACE_TAIL):
        tail = pattern(source).search(left.folded)
        left = left.cut(0, tail.start()) if tail else left
    return left


def _bare(phrase: Phrase) -> Phrase:
    return without_final_mark(without_closing(phrase))


def _zh(opened: Phrase, at_end: bool) -> Iterator[Reading]:
    for verb in pattern(_ZH_ADD).finditer(opened.folded, 0, opened.head_end):
        left, right = opened.cut(0, verb.start()), opened.cut(verb.end())
        place = read_place(_trimmed(left)) if left else None
        if isinstance(place, Anchor) and pattern(r".*(?:各|都|分别)(?:自|再|也)*$").match(left.folded):
            place = replace(place, each=True)
        if place is not None:
            yield from placed(place, right, ZH_NOUN, at_end)
        elif left:
            yield from _zh_text_first(left, _bare(right))
        else:
            placed_somewhere = list(_zh_verb_first(right, at_end))
            yield from placed_somewhere
            if not placed_somewhere and pattern(_ZH_APPEND).fullmatch(verb[0]):
                yield from placed(Anchor("end"), without_closing(right), ZH_NOUN, at_end)


def _zh_verb_first(right: Phrase, at_end: bool) -> Iterator[Reading]:
    """Read 插入“X”到第3行前面, and 插入一行到第3行前面：X."""
    closed = _bare(right)
    for joint in pattern(r"(?:,?\s*(?:放|加|插|置|摆|写|接)入?)?(?:到|在|至|进|于)").finditer(closed.folded):
        place = read_place(closed.cut(joint.end()))
        if place is not None:
            yield from placed(place, closed.cut(0, joint.start()), ZH_NOUN, False)
    headed = pattern(rf"{ZH_NOUN}(?:到|在|至|于)(?P<where>[^:]+?)(?P<colon>:)").match(right.folded)
    place = read_place(right.cut(*headed.span("where"))) if headed else None
    if headed and place is not None:
        yield from placed(place, right.cut(headed.start("colon")), "", at_end)


def _zh_as(opened: Phrase) -> Iterator[Reading]:
    """Read 把“X”作为第一行."""
    match = pattern(rf"(?:把|将)?(?P<text>{TOKENS})(?P<where>(?:作为|当作).+)").fullmatch(
        _bare(opened).folded
    )
    place = read_place(opened.cut(*match.span("where"))) if match else None
    if match and place is not None:
        yield from placed(place, opened.cut(*match.span("text")), "", False)


def _zh_text_first(left: Phrase, closed: Phrase) -> Iterator[Reading]:
    """Read 把“X”加到第3行后面."""
    what = pattern(rf"(?P<opener>把|将)?(?:下面|这)?{ZH_NOUN}:?(?P<text>.+)").fullmatch(left.folded)
    where = pattern(r"(?:到|在|至|进|于)?(?P<where>.+?)(?:去|来)?").fullmatch(closed.folded)
    place = read_place(closed.cut(*where.span("where"))) if where else None
    if what is None or place is None:
        return
    text = left.cut(*what.span("text"))
    if what["opener"] or pattern(TOKENS).match(text.text):
        yield from placed(place, text, "", False)


def _en(opened: Phrase, at_end: bool) -> Iterator[Reading]:
    for verb in pattern(rf"\b(?P<verb>{_EN_ADD})\b,?\s*").finditer(opened.folded, 0, opened.head_end):
        left, right = opened.cut(0, verb.start()), opened.cut(verb.end())
        if left:
            place = read_place(_trimmed(left))
            if place is not None:
                yield from placed(place, right, EN_NOUN, at_end)
            continue
        placed_somewhere = [*_en_place_first(right, at_end), *_en_place_last(_bare(right))]
        yield from placed_somewhere
        if not placed_somewhere and verb["verb"] in ("append", "prepend"):
            end = Anchor("end" if verb["verb"] == "append" else "start")
            yield from placed(end, without_closing(right), EN_NOUN, at_end)


def _en_headed(opened: Phrase, at_end: bool) -> Iterator[Reading]:
    """Read `new line after line 3: X`, which leaves the verb out."""
    head = pattern(r"(?:an? )?(?:new|extra|additional) (?:line|sentence) (?=after|before|at |between)").match(
        opened.folded
    )
    if head:
        yield from _en_place_first(opened.cut(head.end()), at_end)


def _en_place_last(right: Phrase) -> Iterator[Reading]:
    """Read `insert "X" after line 3`."""
    for joint in pattern(r"(?<=\S)\s+(?=\S)").finditer(right.folded):
        place = read_place(right.cut(joint.end()))
        if place is not None:
            yield from placed(place, _trimmed(right.cut(0, joint.start())), EN_NOUN, False)
            return


def _en_place_first(right: Phrase, at_end: bool) -> Iterator[Reading]:
    """Read `insert a line after line 3: X` and `add before line 2 "X"`."""
    noun = pattern(PLAIN_EN_NOUN).match(right.folded)
    begin = noun.end() if noun else 0
    joints = pattern(rf"\s*(?::|,|{TOKENS}|\b(?:that|which|saying|reading|with|the|a|this|to say)\b)")
    for joint in joints.finditer(right.folded, begin):
        place = read_place(right.cut(begin, joint.start()))
        saying = pattern(_EN_SAYING).match(right.folded, joint.start())
        if place is not None and saying is not None:
            text = right.cut(saying.start("colon") if saying["colon"] else saying.end())
            yield from placed(place, text, "", at_end)
            return
