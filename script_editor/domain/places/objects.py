"""The lines that an instruction names by number as all that is to change: 只改第4行, make lines 2 and 5 funnier.

It decides what may be edited, so every word around the numbers must be known, and whatever could mean another
line says no: an anchor ("after line 3"), a wish for the rest, a move, a tie between lines. Texts are read folded
and in lower case.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache

from script_editor.domain.places.instructed import named_ordinals
from script_editor.domain.places.line_numbers import Ordinal
from script_editor.domain.places.numbered_lines import resolve
from script_editor.domain.places.outline import Outline
from script_editor.domain.places.wholeness import (
    QUOTED,
    Clause,
    goes_on_to_everything,
    names_everything,
    read_wish,
)
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

Numbers = tuple[int, ...]

_CHANGE_ZH = (
    r"改改|改一改|改一下|改动|改写|改进|改善|改|修改|修一下|修正|更正|订正|纠正|重新?写|润色|优化|调整|精简|简化|压缩|缩短|扩写|扩充|展开"
    r"|翻译|美化|完善|校对|重新组织|处理|打磨|动|换掉|写"
)
_DELETE_ZH = r"删除|删掉|删去|删|去掉|拿掉|砍掉"
_HEADS_ZH = (
    r"(?:把[^,]{1,30}?从|请|麻烦|拜托|帮我|帮忙|帮|给我|你|能不能|可不可以|可以|能|我想要?|我要|我希望|希望|想要?|需要|要|现在|先|再|就|只需要?"
    r"|只要|只想|只|仅仅?|单独|单单|重点|主要|稍微|把|将|對|对|给|让|使|针对|在|这篇|脚本|稿子?|文案|视频|里面?|中|的|一下|"
    rf"{_CHANGE_ZH}|{_DELETE_ZH}|[\s:、])*+"
)
_CHANGE_EN = (
    r"(?:make|turn|get|have|let|give|write|rewrite|rephrase|reword|redo|rework|revise|edit|change|fix|correct|improve"
    r"|polish|punch up|spice up|jazz up|liven up|lighten up|loosen up|warm up|clean up|touch up|tweak|adjust|modify"
    r"|update|alter|shorten|tighten(?: up)?|trim|condense|simplify|clarify|expand(?: on)?|lengthen|extend"
    r"|elaborate on|soften|strengthen|tone down|translate|proofread|brighten(?: up)?|break up|split|touch|work on"
    r"|focus on|reduce|compress|humani[sz]e|formali[sz]e|paraphrase)"
)
_DELETE_EN = r"(?:delete|remove|drop|cut(?: out| down)?|take out|get rid of)"
_OF_IT_EN = (
    r"(?:change|replace|fix|correct|update|remove|delete|cut|drop|shorten|rewrite|rephrase|simplify|translate|edit|tighten"
    r"|add|give)\s[^,]{1,60}?\s(?:in|on|of|from|to)"
)
_HEADS_EN = (
    rf"(?:{_OF_IT_EN}|please|kindly|hey|hi|ok(?:ay)?|(?:can|could|would|will) you"
    r"|i (?:want|need)(?: you)? to|i(?:'d| would) like(?: you)? to"
    rf"|let's|just|only|now|then|also|go ahead and|help me|try to|in|on|at|for|as for|regarding|{_CHANGE_EN}|{_DELETE_EN}"
    r"|the|wording of|text of|[\s:])*+"
)
_BEFORE = Pattern(rf"\s*(?:{_HEADS_ZH}|{_HEADS_EN})")
_ONLY = Pattern(r"只|仅|单独|\b(?:only|just)\b")
_BARE = Pattern(r"(?:[\s:的里中在]|这[句行]|这里|\b(?:in|on|at|for|as for|only|just)\b|[只仅])*+")
_OF_SCRIPT = Pattern(r"\b(?:of|in|from) (?:the|my|our|this) (?:script|text|video|draft)\b|\bof\s*$")
_LIKE = Pattern(
    r"(?:像|参考|参照|仿照|模仿|照着|按照?)\s*$"
    r"|\b(?:like|similar to|based on|modell?ed (?:on|after)|in the (?:style|tone|voice|manner|spirit) of)\s+(?:the\s+)?$"
)
_LIKE_BEHIND = Pattern(r"\s*(?:那样|那种(?:感觉|语气|风格)?|一样|的(?:风格|语气|口吻|写法|感觉|样子|句式))")
_LOOSE = Pattern(
    r"后面|前面|[之以往][前后]|[上下]面|接下来|随后|[前后上下]一[句行]|[之中]间|开始|起(?=$|[,都全])|为止"
    r"|合(?:[并成]|$)|并[成到入]|连起来|移|挪|对调|[互交调]换|换一下|换位|顺序|位置|放[到在]|提到|提前|搬|插"
    r"|照|参[考照]|模仿|一样|同样|类似|一致|统一|呼应|衔接|连贯|承接|过渡|前后|上下|相应|对应|同步|随之|跟着|配合|匹配|押韵"
    r"|其[他它余]|别的|另外|剩[下余]|所有|全|每|整(?![句行])|通篇|各|开[头场篇]|片[头尾]|[结末]尾|收尾|标题|段|部分|章|节(?!奏)"
    r"|复制|重复|照搬|引用|加一[句行]"
    r"|\b(?:after|before|behind|above|below|beneath|following|next|previous|preceding|prior|between|around|near|onwards?"
    r"|forward|until|till|up to|others?|rest|remaining|all|script|text|video|piece|context|same (?:as|way|tone|style|voice)"
    r"|similar|accordingly|flows?|opening|ending|intro|outro|hook|titles?|headings?|beginning|start|end|cta|conclusion"
    r"|paragraphs?|sections?|parts?|scenes?|swap|switch|order|position"
    r"|into (?:one|a single)|smooth(?:ing)? (?:it|over|out|the)|as (?:a|the) (?:transition|bridge))\b"
    r"|\b(?:merg|combin|join|fus(?:e|ing)|mov(?:e|ing)|exchang|revers|reorder|rearrang|insert|copy|copi|duplicat|repeat|everyth"
    r"|everywh|every|each|whole|entire|throughout|overall|surround|neighbou?r|consisten|match|transition|connect|lead|bridg"
    r"|rhym|echo|refer|contradict)\w*"
)
_BESIDE = Pattern(r"\s*(?:的)?[前后](?!半)")
_DELETES = Pattern(rf"{_DELETE_ZH}|不要了|\b{_DELETE_EN}\b")
_DICTATES = Pattern(r"(?:成|为|\b(?:to|to exactly|as|with|reads?|says?))\s*:")
_COURTESY = Pattern(
    r"(?:请|谢谢|多谢|麻烦了?|拜托|好吗|可以吗|行吗|吧|please|thanks?(?: you)?|thank you|ok(?:ay)?|hi|hey|hello|你好)*+"
)
_MANNERS_ZH = (
    r"幽默|搞笑|风趣|有趣|好玩|轻松|口语|活泼|自然|正式|严肃|简洁|精炼|简短|温[暖柔馨]|俏皮|犀利|生动|亲切|通俗|接地气|有力|抓人"
    r"|流畅|通顺|直白|直接|夸张|煽情|专业|文艺|诗意|短|长|狠|软|硬"
)
_GOES_ON = Pattern(
    r"(?:要|让它|让[这那][句行]|使其|使之|把它|它们?|[这那][句行](?:话)?|并且?|再|也|尽量|稍微|只|请|可以|最好|别太|不要太|不够|太|更加?|有点|比较"
    rf"|语气|风格|口吻|节奏|语言|表达|听起来|读起来|显得)*+(?:(?:{_CHANGE_ZH}|变|弄|说|搞)(?:[得成为到]|的|一下|$|{_MANNERS_ZH}|更)|{_MANNERS_ZH}"
    r"|控制在|不超过|\d+个?字)[^,]{0,20}"
    rf"|(?:(?:and|then|also|so|please|just|but)\s+)*(?:{_CHANGE_EN}\s+(?:it|that|this|them|these|those|both)\b"
    r"|(?:it|that|they|this)(?:'s|\s+(?:is|are|needs?|should|sounds?|feels?|reads?|must|has|could))\b"
    r"|(?:(?:a (?:bit|little|lot)|much|far|way|slightly)\s+)?(?:more|less|too|[a-z]{2,12}er|better)\b"
    r"|(?:with|under|within|to be|so (?:that )?it|like|using|in (?:a|an|plain|simple))\b).*"
)
_PUT_WORDS = Pattern(rf"[加补添插换]|替换|{_DELETE_ZH}|{QUOTED}|\b(?:add|append|replace|{_DELETE_EN})\b")
_COUNTS = Pattern(
    r"^\W{0,3}(?:\d{1,2}[.)、．]|[一二三四五六七八九十]{1,2}[、.]|第[一二三四五六七八九十\d]|步骤"
    r"|^(?:step|tip|no\.?|number|rule|day) ?\d"
    r"|首先|其次|最后|(?:first|second|third|finally|next)(?:ly)?\b)"
    r"|[两兩二三四五六七八九十\d]\s?(?:个|件|点|步|种|招|条|大|项|样)"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?:\w+ )?(?:things|steps|tips|points|ways|reasons|rules"
    r"|tricks|lessons|parts|questions|facts|mistakes|examples|ideas|ingredients)\b"
)
"""What another line says about how many lines there are, or which one it is; a deletion may change it."""


@dataclass(slots=True)
class _Reading:
    """What the clauses read so far name; `is_bare` says that the last one was a place and nothing else."""

    outline: Outline
    found: set[int] = field(default_factory=set)
    clauses: int = 0
    is_only: bool = False
    is_bare: bool = False
    is_dictated: bool = False
    deletes: bool = False

    def takes(self, text: str) -> bool:
        """Take a clause in; False when it could be about other lines than those it names by number."""
        if _COURTESY.fullmatch(text.replace(" ", "")):
            return True
        rows = named_ordinals(text)
        text, rows = _without_examples(text, rows)
        if self.is_dictated or not rows:
            return self._goes_on(text)
        return len(rows) == 1 and self._names(text, rows[0])

    def _goes_on(self, text: str) -> bool:
        is_free = self.is_dictated or self.is_bare or not text.strip()
        self.is_bare = False
        if not self.found or _LOOSE.search(text):
            return False
        return is_free or (_GOES_ON.fullmatch(text) is not None and _PUT_WORDS.search(text) is None)

    def _names(self, text: str, row: tuple[Ordinal, ...]) -> bool:
        start, end = row[0].start, max(ordinal.end for ordinal in row)
        before, behind = text[:start], _OF_SCRIPT.sub(" ", text[end:])
        lines = self._lines(row)
        if _BESIDE.match(behind):
            return False
        if not lines or not _BEFORE.fullmatch(before) or _LOOSE.search(f"{before} \n {behind}"):
            return False
        self.clauses += 1
        self.found |= lines
        self.is_only = self.is_only or _ONLY.search(before) is not None
        self.is_bare = _BARE.fullmatch(before + behind) is not None
        self.is_dictated = _DICTATES.search(behind) is not None
        self.deletes = self.deletes or _DELETES.search(f"{before} {behind}") is not None
        return True

    def _lines(self, row: tuple[Ordinal, ...]) -> set[int]:
        """Return the lines of a list of numbers, none when one of them is open, missing, or counts something larger."""
        found: set[int] = set()
        if len({(ordinal.start, ordinal.end) for ordinal in row}) < len(row):
            return set()
        for ordinal in row:
            lines = set(resolve(ordinal, self.outline))
            if ordinal.is_guess or ordinal.unit in ("paragraph", "section") or not lines:
                return set()
            if max(abs(ordinal.first), abs(ordinal.last)) > len(self.outline.script.segments):
                return set()
            if self.outline.has_cues:  # a person may count the cues, whatever the word
                lines |= set(resolve(replace(ordinal, unit="cue"), self.outline))
            found |= lines
        return found

    def renumbers(self) -> bool:
        """Say whether a deletion may have to change what other lines say of their number."""
        script = self.outline.script
        return self.deletes and (
            self.clauses > 1
            or self.outline.has_cues
            or any(_COUNTS.search(line.content.lower()) for line in script.segments)
        )


@lru_cache(maxsize=8)  # every step from a request to its saved text asks the same
def object_lines(instruction: str, script: NumberedScript) -> Numbers:
    """Return the lines that an instruction names by number as all that is to change, ascending; none when it may be more.

    A sentence that can be counted in several ways gives all lines that it may be.
    """
    if not script.segments:
        return ()
    wish = read_wish(instruction)
    clauses = wish.clauses
    if wish.mixed or names_everything(wish) or not any(named_ordinals(clause.text) for clause in clauses):
        return ()
    reading = _Reading(Outline(script))
    if not all(reading.takes(clause.text) for clause in clauses) or reading.renumbers():
        return ()
    if not (reading.is_only or reading.is_dictated) and goes_on_to_everything(map(_with_place, clauses)):
        return ()
    return tuple(sorted(reading.found)) if len(reading.found) < len(script.segments) else ()


def _with_place(clause: Clause) -> tuple[Clause, bool]:
    return clause, bool(named_ordinals(clause.text))


def _without_examples(
    text: str, rows: tuple[tuple[Ordinal, ...], ...]
) -> tuple[str, tuple[tuple[Ordinal, ...], ...]]:
    """Return a clause without the lines that only show how another should sound: "like line 2"; offsets stay."""
    left = []
    for row in rows:
        start, end = row[0].start, max(ordinal.end for ordinal in row)
        like = _LIKE.search(text[:start])
        if like is None:
            left.append(row)
            continue
        behind = _LIKE_BEHIND.match(text, end)
        stop = behind.end() if behind else end
        text = text[: like.start()] + " " * (stop - like.start()) + text[stop:]
    return text, tuple(left)
