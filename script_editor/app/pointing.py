"""Which scripts the words of an instruction speak of where they name no id: by title, by content, all of them.

Patterns for both languages. A quotation may be what scripts are known by: "every script that mentions “茶”".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from script_editor.app.asked import QUOTED, plain, quotations, without_quotations
from script_editor.app.hanzi import simplified
from script_editor.domain.places.content_words import is_telling
from script_editor.patterns import Pattern

_SCRIPT_ZH = r"(?:脚本|腳本|文案|稿子|稿件|稿|口播稿?|视频|影片|片子)"
_UNIT_ZH = r"[条條个個篇支集期部份]"
_SEVERAL = Pattern(
    r"(?:所有|全部|每|这些|那些|這些|几|幾|两|兩|三|四|五|各|凡是?"
    rf"|任何)[^，。,.;；]{{0,40}}?(?:{_SCRIPT_ZH}|(?<=[两兩三四五几幾每各]){_UNIT_ZH})"
    rf"|{_SCRIPT_ZH}[^，。,.;；]{{0,8}}?(?:都|全部|全都|一律|统一)|整个脚本库|全库"
    r"|\b(?:all|these|those|both|several|two|three|four|five|a few)\b[^,.;]{0,40}?\b(?:scripts|videos|ones|drafts)\b"
    r"|\b(?:every|each|any)\b[^,.;]{0,40}?\b(?:scripts?|videos?|one|drafts?)\b"
    r"|\b(?:scripts|videos)\b|\beverywhere\b|\b(?:whole|entire) (?:store|library)\b",
    re.IGNORECASE,
)

_STOP_ZH = r"[^，。,.;；!！?？\n“”\"]"
_THE_ZH = rf"(?:[那这哪該该]?(?:[一几两二三四五]|\d)?{_UNIT_ZH}{_SCRIPT_ZH}?|所有{_SCRIPT_ZH}|全部{_SCRIPT_ZH}|{_SCRIPT_ZH})"
_HOLDS_ZH = r"提到|提及|包含|含有|出现|出現|带有|写着|写有|用到|说到|讲到|里有"
_ABOUT_ZH = r"讲|講|关于|關於|介绍|介紹|谈|聊|说|写|教|做|名叫|叫"
_BY_ZH = Pattern(
    rf"(?P<holds>{_HOLDS_ZH})(?:了|过|着)?(?P<thing>{_STOP_ZH}{{1,40}}?)的?{_THE_ZH}"
    rf"|(?P<about>{_ABOUT_ZH})(?:了|过|着)?(?P<topic>{_STOP_ZH}{{1,40}}?)的(?:所有|全部|每)?{_THE_ZH}"
    rf"|[那这哪]一?{_UNIT_ZH}{_SCRIPT_ZH}?(?:是)?(?:{_ABOUT_ZH})(?:了|过|着)?(?P<topic2>{_STOP_ZH}{{2,20}}?)的?(?=[，,？?]|$)"
)
_BY_EN = Pattern(
    r"\b(?:scripts?|videos?|ones?|those|drafts?)\b(?: (?:that|which|where|we have))?"
    r"(?: (?P<holds>mentions?|mentioning|mentioned|contains?|containing|includes?|including|says?|saying"
    r"|uses?|using|refers? to)"
    r"| (?P<about>about|on|titled|called|named|talks? about|is about|are about|deals? with|covers?|covering))"
    r" (?:the (?:word|words|phrase|name|term) )?(?P<thing>[^,.;:!?\n]{1,60}?)"
    r"(?= and | to | so | but | then |[,.;:!?\n]|$)",
    re.IGNORECASE,
)
_PARTS_EN = (
    r"(?:of|that|this|these|those|in|for|and|to|first|second|third|last|next|other|same|new|old|whole|longest"
    r"|shortest|newest|latest|right|wrong|only|opening|ending|hook|line|title|current|previous|original|final)"
)
_THAT_ONE = Pattern(
    rf"(?P<zh>[^，。,.;；：:!！?？\s和与跟及、那这把将在给]{{2,12}}?)[那这]一?{_UNIT_ZH}(?!人|字|词|句)"
    rf"|\bthe (?P<en>(?:(?!{_PARTS_EN}\b)[\w'’-]+ ){{1,4}})(?:one|script|video|clip|film|draft|ad|appeal|guide|review"
    rf"|lesson|podcast|episode)\b",
    re.IGNORECASE,
)
"""By a word before the noun: 防晒那条, "the Lumen one"."""
_UNIVERSAL = Pattern(
    rf"(?:所有|全部|每一?{_UNIT_ZH}?|各{_UNIT_ZH}?)的?{_SCRIPT_ZH}|{_SCRIPT_ZH}(?:全部|全都|一律)|整个脚本库|全库"
    r"|\b(?:all|every|each)(?: of)?(?: (?:the|my|our|single))* (?:scripts?|videos?|drafts?)\b|\beverywhere\b"
    r"|\b(?:whole|entire) (?:store|library)\b",
    re.IGNORECASE,
)
_NO_TOPIC = frozenset(
    ["它", "他", "她", "这", "那", "什么", "the", "a", "it", "this", "that", "them", "us", "me"]
)

_HELD_OPEN = "\ue000"


@dataclass(frozen=True, slots=True)
class Pointer:
    """By what scripts are known. With `holds` the words stand in the script; otherwise it is about them.

    `is_own` says that it alone points at a script, so that two of them point at two: 防晒那条和咖啡馆那条.
    """

    words: str
    holds: bool
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Pointing:
    """Which scripts the words of an instruction speak of where it names no id.

    `pointers` are what it says about them; `is_universal` that it means each script there is; `words` are
    those of the rest that could be a script's own, in searchable form.
    """

    several: bool
    is_universal: bool
    pointers: tuple[Pointer, ...]
    words: tuple[str, ...]

    @property
    def points_apart(self) -> bool:
        """Whether each pointer has a script of its own."""
        return len(self.pointers) > 1 and all(pointer.is_own for pointer in self.pointers)

    def each(self) -> "tuple[Pointing, ...]":
        """Return what each pointer alone speaks of, where they point apart."""
        if not self.points_apart:
            return (self,)
        return tuple(replace(self, pointers=(pointer,), several=False) for pointer in self.pointers)

    def means(self, title: str, text: str) -> bool:
        """Say whether a script, by its title and text in searchable form, may be one that is spoken of."""
        whole = f"{title}\n{text}"
        if self.pointers:
            fits = any if self.points_apart else all
            return fits(_fits(pointer, title, whole) for pointer in self.pointers)
        return self.is_universal or any(has_word(whole, word) for word in self.words)


def pointing(instruction: str) -> Pointing:
    """Return which scripts the words speak of."""
    instruction = simplified(instruction)
    shown = _with_quotations_kept(instruction)
    pointers = tuple(_pointers(shown))
    several = _SEVERAL.search(without_quotations(instruction)) is not None
    words = tuple(
        dict.fromkeys([*map(plain, quotations(instruction)), *telling_words(without_quotations(instruction))])
    )
    return Pointing(
        several=several or (len(pointers) > 1 and all(pointer.is_own for pointer in pointers)),
        is_universal=_UNIVERSAL.search(shown) is not None,
        pointers=pointers,
        words=words,
    )


def _with_quotations_kept(instruction: str) -> str:
    """Return an instruction whose quotation marks are gone, and whose quotations cannot end a clause."""
    marks = str.maketrans(dict.fromkeys(",.;:!?，。；：！？\n", _HELD_OPEN))
    return QUOTED.sub(lambda match: f"{match[0][1:-1].translate(marks)}", instruction)


def _pointers(shown: str) -> Iterator[Pointer]:
    found = False
    for match in [*_BY_ZH.finditer(shown), *_BY_EN.finditer(shown)]:
        groups = match.groupdict()
        words = plain(
            (groups["thing"] or groups.get("topic") or groups.get("topic2") or "").replace(_HELD_OPEN, " ")
        ).strip("' \"")
        if words and words not in _NO_TOPIC:
            found = True
            yield Pointer(words, holds=groups["holds"] is not None)
    if found:
        return
    for match in _THAT_ONE.finditer(shown):
        words = plain((match["zh"] or match["en"]).replace(_HELD_OPEN, " ")).strip("' \"")
        if telling_words(words):
            yield Pointer(words, holds=False, is_own=True)


def _fits(pointer: Pointer, title: str, whole: str) -> bool:
    words = pointer.words
    if has_word(whole, words) or (len(words) > 4 and words.endswith("s") and has_word(whole, words[:-1])):
        return True
    if pointer.holds:
        return False
    if any(has_word(whole, word) for word in telling_words(words)):
        return True
    return (
        _HAN_RUN.fullmatch(words) is not None
        and len(words) >= _SHORTEST_OUTLINE
        and _is_outline(words, title)
    )


_SHORTEST_OUTLINE = 4


def _is_outline(words: str, title: str) -> bool:
    """Say whether a title holds the characters in their order: 天为什么蓝 of 天为什么是蓝的."""
    left = iter(title)
    return all(char in left for char in words)


def has_word(text: str, word: str) -> bool:
    """Say whether a text holds words, both in searchable form; an English word is not found inside another."""
    start = text.find(word)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(word) : start + len(word) + 1]
        if not (_runs_on(before, word[0]) or _runs_on_at_end(word[-1], after)):
            return True
        start = text.find(word, start + 1)
    return False


def _runs_on(before: str, first: str) -> bool:
    return _is_latin(before) and _is_latin(first)


def _runs_on_at_end(last: str, after: str) -> bool:
    return _is_latin(last) and _is_latin(after) and after != "s"


def _is_latin(char: str) -> bool:
    return char.isalnum() and not "\u3400" <= char <= "\u9fff"


_HAN_RUN = Pattern(r"[\u3400-\u9fff\uf900-\ufaff]{2,}")
_LATIN_RUN = Pattern(r"[^\W_\u3400-\u9fff\uf900-\ufaff]{2,}")
_LONGEST_HAN, _MOST_WORDS = 4, 400
_WEAK = frozenset(
    "把将请帮我们你您一下吧呢啊了的地得和跟与及或在从到里中上前后面边再也就都还要想能可以应该需让使给用更"
    "最太很比较有点儿些那这哪个句行段处条话子部分方内容脚本稿文案改成换为替写重修调整删掉除去加入增添补充移挪"
    "放拆合并缩短压简扩说提是不没什么怎如果因但过它他她大小多少新旧长快慢好坏先别只剩才刚又已经会正每各所全"
    "一二三四五六七八九十百千万零半两几次遍秒分钟年月日天时今明昨早晚开头结尾预览版以内左右"
)
"""Characters that instructions and scripts of any subject share: a word needs two others."""


def telling_words(text: str) -> tuple[str, ...]:
    """Return the words that could be a script's own and are not just an instruction's, in searchable form.

    Chinese has no spaces, so every run of two to four characters counts that holds one that instructions do
    not consist of.
    """
    found: dict[str, None] = {}
    for word in _LATIN_RUN.findall(plain(text)):
        if is_telling(word):
            found[word] = None
    for run in _HAN_RUN.findall(plain(text)):
        for length in range(min(_LONGEST_HAN, len(run)), 1, -1):
            for start in range(len(run) - length + 1):
                part = run[start : start + length]
                if is_telling(part) and sum(char not in _WEAK for char in part) > 1:
                    found[part] = None
        if len(found) > _MOST_WORDS:
            break
    return tuple(found)[:_MOST_WORDS]


# --- what is only looked at ---------------------------------------------------------------

_MODEL_ZH = Pattern(r"(?:参考|參考|仿照|模仿|按照?|照着?|对照|借鉴|像|学习?|以)\s*$")
_MODEL_EN = Pattern(
    r"\b(?:like|in the (?:style|tone|voice|manner) of|based on|following|modell?ed on|after the (?:style|tone) of"
    r"|the same (?:way|tone|style) as|as in|match(?:ing)?(?: the (?:style|tone|voice) of)?|see|compare (?:it )?with)"
    r"(?: the)?(?: script)?\s*$",
    re.IGNORECASE,
)


def is_only_looked_at(instruction: str, script_id: str) -> bool:
    """Say whether each mention of a script is as an example for another: "参考 video_001 的口吻改写 video_004"."""
    words, mentions = instruction.casefold(), []
    start = words.find(script_id)
    while start >= 0:
        before = words[max(0, start - 40) : start]
        mentions.append(_MODEL_ZH.search(before) is not None or _MODEL_EN.search(before) is not None)
        start = words.find(script_id, start + len(script_id))
    return bool(mentions) and all(mentions)
