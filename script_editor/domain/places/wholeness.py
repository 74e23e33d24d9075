"""Whether an instruction is about a whole script, and which of its clauses say what is wanted at all.

Quoted text is cut out first, so that a script's own words are never read as a wish; so are clauses that
only say what must stay ("结尾别动", "keep the numbers"). Texts are read folded and in lower case.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from script_editor.domain.matching import fold
from script_editor.domain.places.line_numbers import joined_lists, read_ordinals
from script_editor.patterns import Pattern

QUOTED = "\ue000"
"""Stands in clauses for each quoted passage."""

_QUOTES = Pattern(
    r"“([^“”\n]{1,500})”|「([^「」\n]{1,500})」|『([^『』\n]{1,500})』|\"([^\"\n]{1,500})\"|`([^`\n]{1,200})`"
    r"|‘([^‘’\n]{1,300})’|(?<![^\W_])'([^'\n]{1,300})'(?![^\W_])|《([^《》\n]{1,100})》"
)
_SCRIPT_ID = Pattern(r"(?<![A-Za-z0-9])[A-Za-z]+_\d+(?:@\w+)?")
_BREAK = Pattern(
    r"(?:,(?!\d{3})|[，。;；!！?？\n])+|\.(?=\s|$)|(?<=\s)(?:but|while|yet|though|although|and then)(?=\s)"
    r"|但是?|不过|可是|然后|并且?(?!不)|同时|顺便"
    r"|(?<=\s)(?=(?:except|excluding|apart from|other than|save for|with the exception of|(?<!about )(?<!of )keeping"
    r"|without (?:touch|chang|alter|edit|los|modif|mov|delet|remov|drop|mess|rewrit))[a-z]*\b)"
    r"|\s(?:and|then)\s(?=(?:make|add|give|cut|shorten|keep|leave|remove|delete|change|rewrite|translate|turn"
    r"|put|move|end|start|open|use|fix|replace|tighten|trim|simplify|merge|combine|split|rephrase|reword|condense"
    r"|polish|swap|soften|update|correct|drop)\b)"
)
_STAYS = Pattern(
    r"(?:别|不要|不用|不必|不许|不能|不得|勿|不|先不|莫)(?:要|再|去)?(?:乱)?(?:动|改|碰|变|删|丢|换|省|碰到"
    r"|改变|改动|修改|动它)"
    r"|保留|保持|留着|留下|不变|照旧|照原样|原样|除了|除去|除.{1,12}(?:之外|以外|外)|以外|除外"
    r"|\b(?:excluding|save for|with the exception of)\b"
    r"|\b(?:keep|keeping|leave|leaving|preserve|preserving|retain|retaining|except|except for|apart from|other than)\b"
    r"|(?:do not|don't|dont|never|without) (?:touch|chang|alter|edit|los|modif|mov|delet|remov|drop|mess|rewrit)"
    r"|\b(?:stay|stays|remain|remains)\b",
)
_IN_BRACKETS = Pattern(r"\(([^()\n]{1,120})\)")
_CUT_OUT = Pattern(
    r"除(?:了|去|开)?[^,]{1,30}?(?:[之以]?外|(?=[都全,]|$))"
    r"|在?(?:不|别|保持|保留)[^,]{1,20}?的?(?:前提|情况|基础|条件)(?:之?下|上)"
)
"""A part of a Chinese clause that says what stays while the rest of the clause asks for something."""
_HELD = Pattern(
    r"语气|风格|口吻|语调|情绪|节奏|长度|人称|标点|\b(?:tone|style|voice|pace|mood|length|wording)\b"
)
_ACTS = Pattern(
    r"[改删换缩写拆合并移挪加补插压砍润译]|精简|扩"
    r"|\b(?:make|cut|shorten|delete|remove|rewrite|change|fix|merge|split|move|trim|tighten|simplify|rephrase|reword|replace"
    r"|update|add|combine|condense|expand|translate|polish|swap|drop|soften|turn)\b"
)
_STRONG = Pattern(
    r"全文|全篇|通篇|整篇|全稿|整稿|全脚本|整体|总体|整个(?!第)|全片|整片|从头到尾|从开头到(?:结尾|最后)"
    r"|从头(?:到|至)|通读|逐[句行段条字]"
    r"|(?:每|各)(?:一|1)?个?(?:句|行|段|条|处|镜|格|章|节|幕|部分|场|小节|自然段)|所有(?:的)?(?:句|行|段|条"
    r"|台词|内容|部分|章节|字幕|文字|文案|地方|旁白)"
    r"|全部(?:的)?(?:内容|台词|句子|段落|字幕|文字|文案)|前后统一|前后一致|[这那][篇份个条](?:脚本|稿子?|文案"
    r"|视频|口播|文章|片子|短片)|整[段条](?:视频|脚本|口播)"
    r"|其余|其他|其它|剩下的?|(?<![成换用])别的(?!词)|\b(?:the rest|everyone|other (?:lines?|parts?|sections?|sentences?))\b"
    r"|\b(?:whole|entire|throughout|overall|everything|everywhere|start to finish|beginning to end"
    r"|top to bottom|across the board)\b"
    r"|\b(?:every|each|all(?: of)?(?: the)?) (?:single )?(?:lines?|sentences?|paragraphs?|sections?|segments?"
    r"|scenes?|parts?|cues?"
    r"|captions?|subtitles?|headings?|of it|of this|of them|text)\b",
)
_WEAK = Pattern(
    r"所有|全部|都|统统|一律|统一|每|各个|其余|其他|其它|别的|剩下|脚本|稿子|文案|视频|口播|全"
    r"|\b(?:all|every|each|any|both|always|the rest|others?|(?:the|this|my|our) (?:script|text|piece|video"
    r"|copy|draft|story|episode|ad|narration|voice-?over))\b"
)
_STYLE = Pattern(
    r"[改换写说]成[^,]{0,8}?(?:话|腔|体|风|版|语|口吻|文)|像|广告味|AI味|ai味|味儿|画面感|代入感|互动感|高级感"
    r"|违禁词|极限词|长句|短句|拆短|反问|互动|紧凑|人称|加点|口头禅|废话|语气词|删到|只剩|润色|优化|翻译|译成"
    r"|改写|重写|精简|简化|缩短|压缩|压到|压成|缩到|缩减|扩写|扩充|加长|拉长|延长|口语|书面|轻松|幽默|搞笑"
    r"|活泼|正式|严肃|专业|亲切|温暖|温柔"
    r"|自然|流畅|通顺|简洁|简短|精炼|凝练|生动|有趣|好玩|接地气|感性|煽情|激昂|有力|抓人|吸引|节奏|语气|口吻"
    r"|风格|文风|语调|情绪|人称|方言|粤语|东北话|英文|中文|繁体|简体|繁體|簡體"
    r"|错别字|语病|标点|病句|网络流行语|网感|儿童|小学生|小朋友|秒|分钟|字以内|长度|时长|篇幅|一半|更|一点|一些|点儿|太"
    r"|\b(?:fun|funny|funnier|humou?r|humorous|warm|warmer|friendly|friendlier|casual|formal|informal"
    r"|professional|serious|playful|punchy|punchier|snappy|snappier"
    r"|conversational|natural|concise|tight|tighter|tighten|short|shorter|shorten|long|longer|lengthen|expand"
    r"|trim|condense|cut it|cut down|halve|half|simpl\w+|clear\w*|plain\w*"
    r"|polish|proofread|improve|better|rewrite|rephrase|reword|translate|translation|tone|style|voice|pace"
    r"|engag\w+|exciting|energetic|energy|dramatic|emotional|persuasive"
    r"|catchy|catchier|lively|livelier|upbeat|calm\w*|soft\w*|strong\w*|bold\w*|grammar|typos?|spelling"
    r"|punctuation|seconds?|minutes?|words|less|more|too|british|american|english|chinese"
    r"|fillers?|punch|dialogue|conversation|feel|guilt|jokes|pauses|mood|kids|children|beginners|slang|jargon"
    r"|person)\b|\d+ ?(?:%|s\b|sec|min)"
)
_PART = Pattern(
    r"第\s*[\d一二两三四五六七八九十百]+(?!人称)|[那这哪](?:一)?(?:句|行|段|处|里|条|个地方|部分|一块|块)|开头"
    r"|开场|开篇|片头|结尾|收尾|末尾|片尾|最后(?:一|两|几|那|的)?[句行段]"
    r"|部分|段落?里|标题|\d{1,2}:\d{2}|句(?:话)?(?:改|删|换|写)"
    r"|\b(?:line|sentence|paragraph|section|part|(?<!a )(?<!little )bit|passage|scene|hook|intro|introduction"
    r"|opening|ending|outro|cta|closing|conclusion|body|title|heading|first(?! person)|last|beginning|end"
    r"|start)\b",
)
_ADDS = Pattern(
    r"加(?!速|快|强)|补|添|插入|\b(?:add|insert|include|append|put|end|start|open|begin|finish)\b"
)
_OF_A_WHOLE = Pattern(
    r"(?:控制|压|缩|不超过|以内|之内|左右|限)[^,]*(?:秒|分钟)|(?:秒|分钟)(?:以内|之内|左右)|语气|风格|口吻|节奏|全"
    r"|\b(?:under|within|down to|to about|max|at most|to fit)\b[^,]*\d|\d+ ?(?:s|sec\w*|min\w*|words)\b"
)
_MANNER = Pattern(
    rf"{QUOTED}\s*(?:的?(?:口吻|语气|风格|调子|感觉|方式|腔调)|那样|一样|那种|这种|(?:style|tone|voice|vibe)\b)"
    rf"|(?:\b(?:more|sound|sounds|feel|feels)|更) ?{QUOTED}"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause, folded and in lower case, with QUOTED for each of its `quoted` passages, which are as written."""

    text: str
    quoted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """What an instruction asks for: its clauses without those that only say what stays.

    `has_exception` says that something was to stay. `mixed` are clauses that say so, but name lines by number and
    may ask something of them as well: 第3行保留数字改短.
    """

    clauses: tuple[Clause, ...]
    has_exception: bool
    mixed: tuple[Clause, ...] = ()

    @property
    def text(self) -> str:
        """The clauses in one piece."""
        return ",".join(clause.text for clause in self.clauses)


def without_quotes(instruction: str) -> str:
    """Return an instruction with QUOTED for each quoted passage."""
    return _QUOTES.sub(QUOTED, instruction)


def read_wish(instruction: str) -> Wish:
    """Return what an instruction asks for."""
    quoted = iter(_QUOTES.findall(instruction))
    clauses: list[Clause] = []
    unquoted = _SCRIPT_ID.sub(" ", without_quotes(instruction))
    folded = joined_lists(fold(unquoted)[0].casefold())
    for part in _BREAK.split(_IN_BRACKETS.sub(_as_clause, folded)):
        passages = tuple("".join(next(quoted)) for _ in range(part.count(QUOTED)))
        if part.strip():
            clauses.append(Clause(part.strip(), passages))
    read = [(clause, _without_exception(clause)) for clause in clauses]
    wanted = tuple(asked for _, asked in read if asked)
    mixed = tuple(clause for clause, asked in read if not asked and _is_mixed(clause.text))
    return Wish(wanted, any(_STAYS.search(clause.text) for clause in clauses), mixed)


def _as_clause(match: re.Match[str]) -> str:
    return f",{match[1]}," if _STAYS.search(match[1]) else match[0]


def _without_exception(clause: Clause) -> Clause | None:
    """Return what a clause asks for, None when it only says what stays."""
    if not _STAYS.search(clause.text):
        return clause
    rest = _CUT_OUT.sub(lambda match: QUOTED * match[0].count(QUOTED), clause.text)
    return Clause(rest, clause.quoted) if not _STAYS.search(rest) and read_ordinals(rest) else None


def _is_mixed(text: str) -> bool:
    rest = _HELD.sub(" ", _STAYS.sub(" ", text))
    return (asks_for_style(rest) or _ACTS.search(rest) is not None) and bool(read_ordinals(text))


def names_everything(wish: Wish) -> bool:
    """Say whether it names the whole text in so many words: 全文, 每一句, throughout, every line."""
    return _STRONG.search(wish.text) is not None


def asks_for_style(text: str) -> bool:
    """Say whether it is about tone, length, language or wording, things that a whole text has."""
    return _STYLE.search(text) is not None


def only_shows_a_manner(clause: Clause) -> bool:
    """Say whether what a clause quotes is how the text should sound and not a passage of it: 像“朋友”那样."""
    return _MANNER.search(clause.text) is not None


def goes_on_to_everything(clauses: Iterable[tuple[Clause, bool]]) -> bool:
    """Say whether one of the clauses, each with whether it names a place, asks for a style of the whole text.

    A style without a place belongs to the place of the clauses before it ("the hook is weak, make it
    funnier"), except after an addition ("end with a question and make it funnier"), and except for what
    only a whole text has, such as seconds. With no place before it, it is about everything.
    """
    has_place = has_added = False
    for clause, names_place in clauses:
        if names_place:
            has_place, has_added = True, _ADDS.search(clause.text) is not None
        elif asks_for_style(clause.text) and (not has_place or has_added or _OF_A_WHOLE.search(clause.text)):
            return True
    return False


def is_whole(instruction: str) -> bool:
    """Say whether an instruction plainly is about the whole text: it says so, or asks for a style and names no part.

    False says little: "add a joke" may go anywhere.
    """
    wish = read_wish(instruction)
    places = [_seems_a_place(clause) for clause in wish.clauses]
    if names_everything(wish) or goes_on_to_everything(zip(wish.clauses, places, strict=True)):
        return True
    return not any(places) and (
        _WEAK.search(wish.text) is not None or (wish.has_exception and not wish.clauses)
    )


def _seems_a_place(clause: Clause) -> bool:
    return _PART.search(clause.text) is not None or (bool(clause.quoted) and not only_shows_a_manner(clause))
