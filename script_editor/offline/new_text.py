"""Reading the new text of a replacement or an insertion, and what may follow it.

After a colon all the rest is the text. A quotation is its inside. Plain words count as they stand,
without the full stop that ends the instruction, unless what they replace ends with one too.
"""

from dataclasses import dataclass, replace

from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.lines import Lines
from script_editor.offline.marks import Mark, mark_named
from script_editor.offline.occurrence_phrases import EN_AFTER, which_in
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import ANYWHERE, EVERY, Scope, Which
from script_editor.offline.text_ends import polite_end
from script_editor.offline.wording import Phrase, pattern

_NOTHING = r"空白|空字符串|nothing at all|an? empty string"
_MAYBE_NOTHING = r"空|nothing"
_NOUN_BEFORE = (
    r"(?:新的?|这个|这一?句|下面这句|一个|个|文字|词语|单词|词|数字|名字|the (?:new )?(?:words?"
    r"|phrase|text|number|name|term|character|line|sentence|following(?: text)?)|a new)"
    r"(?: (?:that )?(?:says|reads|saying|reading))?\s*:?\s*"
)
_NOUN_AFTER = (
    r"\s*(?:(?:这|那)?(?:一|两|二|三|四|几)?个?(?:词语|单词|词|字样|字|名字|数字|符号|标点)"
    r"|这句话?|一?句话?|一?行|instead|now"
    r"|(?:the )?(?:word|sign|mark|emoji|symbol)s?)"
)
_SCOPE_AFTER = (
    r",?\s*\b(?:only |just |but only )?(?:in|on|from|within|inside|at|for) |,?\s*[（(]?(?:在|仅限|限于|只限)"
)
_EVERYWHERE = (
    r",?\s*(?:everywhere|throughout|globally|each time|every ?time|in (?:the |this )?(?:whole "
    r"|entire |full )?(?:script|text|video|document|copy|file|thing)|throughout the (?:script|text"
    r"|video)|all over|across the script)(?: it appears)?"
)
_EXCEPT = (
    r",?\s*\b(?:(?:(?:any|every)where )?(?:except(?: for)?|but not|other than|excluding|not|never|unless"
    r"|outside(?: of)?)|(?:any|every)where but)(?: in| on)? "
)
_FINAL_MARKS = ("。", ".", "！", "!", "？", "?", "…", "～", "~")
_FULL_STOPS = ("。", ".", "．")
_DOUBTFUL = (
    r"(?P<text>.+?)(?:[!~?]+|[吧吗么哈哦喔啊呀啦呢嘛噢哟呗啰咯耶唷]|[,\s]*(?:谢谢|多谢|谢啦|thanks"
    r"|thank you|pls))"
)


@dataclass(frozen=True, slots=True)
class NewText:
    """New text and what its tail said about where it goes.

    `doubt` is set when a last mark or particle may belong to the instruction rather than the text:
    it holds the text without it. `may_be_nothing` is set for 空 and `nothing`, which may be the text.
    `courtesy` holds the polite words that stood after the text.
    """

    text: str | Mark
    which: Which = EVERY
    scope: Scope = ANYWHERE
    words: Phrase | None = None
    doubt: str | None = None
    may_be_nothing: bool = False
    courtesy: str = ""

    @property
    def is_quoted(self) -> bool:
        """Whether the text is certain: quoted, after a colon, or a named mark."""
        return self.words is None


_OPENING_QUOTES = ("“", "‘", "「", "『", "《", "«", '"')


def read_new_text(phrase: Phrase, *, after_colon: bool = False) -> NewText | None:
    """Return the new text that `phrase` gives, or None when it gives none or is not understood."""
    if phrase.is_quotation:
        return NewText(phrase.literal)
    if phrase.folded.startswith(":"):
        return None
    if after_colon:
        return NewText(phrase.literal) if phrase else None
    width = pattern(r"(?:全角|半角|全形|半形)的?(?=.$)").match(phrase.folded)
    courtesy = polite_end(phrase.folded)
    if courtesy:
        shorter = read_new_text(phrase.cut(0, len(phrase.folded) - len(courtesy)))
        is_plain = shorter is not None and not shorter.is_quoted
        return replace(shorter, courtesy=courtesy.strip(" ,.。!?~")) if shorter and is_plain else shorter
    plain, which, scope = _without_tail(phrase.cut(width.end()) if width else phrase)
    known = _known(plain)
    if known is not None:
        return NewText(known, which, scope)
    if not plain or pattern(TOKENS).search(plain.text):
        return _with_labels(plain, which, scope)
    return _plain(plain, which, scope)


def _known(phrase: Phrase) -> str | Mark | None:
    """Return a text that is certain: a quotation with its noun, a named mark, nothing."""
    match = pattern(rf"(?:{_NOUN_BEFORE})?(?P<quote>{TOKENS})(?:{_NOUN_AFTER})?\s*[.。]?").fullmatch(
        phrase.folded
    )
    if match:
        return phrase.cut(*match.span("quote")).literal
    if pattern(rf"(?:{_NOTHING})[.。]?").fullmatch(phrase.folded):
        return ""
    return mark_named(phrase.folded.rstrip(".。"))


def _with_labels(phrase: Phrase, which: Which, scope: Scope) -> NewText | None:
    """Plain words that hold 【…】 are text; with any other quotation it is unclear where the text ends."""
    if not phrase or phrase.holds_quotation:
        return None
    return NewText(phrase.literal, which, scope, words=phrase)


def _plain(phrase: Phrase, which: Which, scope: Scope) -> NewText:
    text = phrase.text
    if pattern(rf"(?:{_MAYBE_NOTHING})[.。]?").fullmatch(phrase.folded):
        return NewText("", which, scope, words=phrase, may_be_nothing=True)
    if len(text) > 1 and text[-1] in _FULL_STOPS and not text.endswith(".."):
        return NewText(text[:-1].rstrip(), which, scope, words=phrase)
    doubtful = pattern(_DOUBTFUL).fullmatch(phrase.folded)
    doubt = phrase.cut(*doubtful.span("text")).text if doubtful else None
    if text[:1] in _OPENING_QUOTES and len(text) > 1:  # it was opened and never closed
        doubt = text[1:]
    return NewText(text, which, scope, words=phrase, doubt=doubt)


def settled(new: NewText, old: str) -> str | Mark | None:
    """Return the text to write over `old`, or None when it cannot be told where it ends.

    A last mark or particle belongs to the text when `old` ends with one as well, or when it is all
    that the edit would add.
    """
    if new.words is None or not isinstance(new.text, str):
        return new.text
    typed = new.words.literal
    if new.courtesy and old.lower().rstrip("。.!?！？").endswith(new.courtesy):
        return None
    if new.may_be_nothing:
        return new.text
    if typed != new.text and old.endswith(_FULL_STOPS):
        return typed
    if new.doubt is None or old == new.doubt or old[-1:] == typed[-1:] or old.endswith(_FINAL_MARKS):
        return new.text
    return (
        new.doubt if typed.endswith("吧") and not new.doubt.endswith(tuple("酒网茶贴氧书影水啡料")) else None
    )


def _without_tail(phrase: Phrase) -> tuple[Phrase, Which, Scope]:
    """Take off where and which: `in line 4`, `everywhere`, `(first one only)`."""
    which, scope = EVERY, ANYWHERE
    for _ in range(3):
        everywhere = pattern(rf"(?:{_EVERYWHERE})[.。]?$").search(phrase.folded)
        counted = pattern(rf"(?:{EN_AFTER})[.。]?$").search(phrase.folded)
        if everywhere and everywhere.start() > 0:
            phrase = phrase.cut(0, everywhere.start())
        elif counted and counted.start() > 0:
            phrase, which = phrase.cut(0, counted.start()), which_in(counted)
        else:
            spared = _lines_after(phrase, _EXCEPT)
            found = None if spared else _lines_after(phrase, _SCOPE_AFTER)
            if spared:
                phrase, scope = spared[0], Scope(scope.lines, spared[1], scope.edge)
            elif found and scope.lines is None:
                phrase, scope = found[0], Scope(found[1], scope.but, scope.edge)
            else:
                break
    return phrase, which, scope


def _lines_after(phrase: Phrase, opening: str) -> tuple[Phrase, Lines] | None:
    for match in pattern(opening).finditer(phrase.folded):
        if match.start() == 0:
            continue
        tail = phrase.cut(match.end())
        end = pattern(r"(?:里面|里边|里|中|内|上)?的?[)）]?(?: (?:only|alone))?[.。]?$").search(tail.folded)
        lines = whole_lines(tail.cut(0, end.start() if end else None))
        if lines is not None:
            return phrase.cut(0, match.start()), lines
    return None
