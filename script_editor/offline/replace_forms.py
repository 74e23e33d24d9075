"""Requests to put one text in place of another, or new words in place of a line."""

from collections.abc import Iterator
from dataclasses import replace

from script_editor.offline.clauses import goes_on, holds_clause
from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.lines import Lines
from script_editor.offline.new_text import NewText, read_new_text, settled
from script_editor.offline.pronouns import is_pronoun
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import (
    EVERY,
    Beyond,
    ExchangeTexts,
    Reading,
    ReplaceText,
    Request,
    RewriteLines,
    Scope,
    Unclear,
)
from script_editor.offline.splits import Split, gapped, splits
from script_editor.offline.targets import Target, read_targets
from script_editor.offline.text_ends import describes, is_loose, is_loose_line
from script_editor.offline.vague import is_aspect, is_form, is_kind, is_wish
from script_editor.offline.wording import Phrase, fold, pattern

_NEGATION = (
    r"(?:把|将)?[^把将]{0,8}(?:不要|不用|不能|不可以?|不必|先别|(?<![分特区个级类性差告离])别|勿"
    r"|禁止)(?:再)?(?:把|将|改|换|替)|(?:do not|don't|never|no need to|without)\b"
)
_QUOTE_LIST = rf"{TOKENS}(?:\s*(?:、|,|和|与|跟|and|, ?and)?\s*{TOKENS})+"
_ARTICLE = r"(?:the|a|an) "
_QUOTED_OR_SHORT = rf"(?:{TOKENS}[^\n]{{0,6}})"
_POINTING = (
    r"(?:这样|那样|这个|那个|这样子|如下|以下|这|那)(?:的)?|this|that|these|those|the following"
    r"|what i said|the same"
)
_MIN_SPEECH_CHARS = 4
_JOINING = r"(?:(?:and|but|or|except|not|never|unless|only|just|also|then|please|especially|even)\b\W*)+|但是?|不过|除了|只"
_TOLD = (
    r"(?:提醒|告诉|呼吁|号召|鼓励|引导)[^,。!?;]*"
    r"|[^,。!?;]*的(?:提示|提醒|说明|介绍|总结|句子|话|内容|结尾|开头|问题|例子|描述|表达|意思)"
)
_SENTENCE_ENDS = ("。", "！", "？", ".", "!", "?")
_LINE_COUNT = r"[一二两三四五六七八九十\d]+(?:个|行|句|段).{0,4}|空行|空白行"


def read_replacement(opened: Phrase, *, at_end: bool, after_replacement: bool) -> tuple[Reading, ...]:
    """Return the readings of a part as a replacement.

    `after_replacement` allows a part without a verb, because the part before it had one.
    """
    if pattern(_NEGATION).match(opened.folded):
        return ()
    readings = [reading for split in splits(opened, at_end=at_end) for reading in _readings(split)]
    if not readings and after_replacement:
        readings = [reading for split in gapped(opened) for reading in _readings(split)]
    return tuple(readings)


def _readings(split: Split) -> Iterator[Reading]:
    if not split.old or not split.new:
        return
    pairs = _pairwise(split)
    if pairs is not None:
        yield Reading(pairs, split.tier)
        return
    new = read_new_text(split.new, after_colon=split.after_colon)
    if new is None or (new.words is not None and pattern(_JOINING).fullmatch(new.words.folded)):
        return
    for target in read_targets(split.old):
        request = None if _is_parallel(target, split) else _request(target, new, split)
        if request is not None:
            is_open = split.after_colon and not split.new.is_quotation
            yield Reading(request, split.tier + target.tier, is_open)
        if isinstance(request, ReplaceText) and split.may_exchange:
            yield from _exchange(request, split.tier + target.tier)


def _exchange(request: ReplaceText, tier: int) -> Iterator[Reading]:
    """Read `swap "tea" with "milk"` as an exchange too; it only holds when both texts occur."""
    first, second = request.needles[0], request.new[0]
    if isinstance(first, str) and isinstance(second, str) and second and len(request.needles) == 1:
        yield Reading(ExchangeTexts(first, second, request.scope), tier)


def _is_parallel(target: Target, split: Split) -> bool:
    """Say whether what was peeled off the old text opens the new one too: every 2 days, every 3 days."""
    if target.words is None or target.lost_article or split.after_colon:
        return False
    peeled = split.old.folded[: max(split.old.folded.find(target.words.folded), 0)].strip()
    return peeled != "" and split.new.folded.startswith(peeled)


def _pairwise(split: Split) -> ReplaceText | None:
    """Read 把“A”和“B”分别改成“C”和“D”."""
    if not pattern(_QUOTE_LIST).fullmatch(split.new.folded):
        return None
    targets = read_targets(split.old)
    if len(targets) != 1 or not targets[0].is_quoted or len(targets[0].needles) != len(split.new.quoted()):
        return None
    return ReplaceText(targets[0].needles, split.new.quoted(), targets[0].which, targets[0].scope)


def _request(target: Target, new: NewText, split: Split) -> Request | None:
    if target.lines is not None:
        return _rewrite(target.lines, new, split)
    if target.is_pronoun:
        vague = new.words is not None and is_kind(new.words)
        return Beyond(split.new.literal) if vague else Unclear("target", split.old.literal)
    if new.words is not None and (is_wish(new.words) or _is_translation(new.words, target)):
        return Beyond(split.new.literal)
    if new.words is not None and describes(new.words, _old_words(target, split)):
        return Beyond(split.new.literal)
    if new.words is not None and pattern(_POINTING).fullmatch(new.words.folded):
        return Unclear("text", split.new.literal)
    if new.words is not None and _says_more(new.words, target):
        return None
    if new.words is not None and is_loose(new.words, _needle(target)):
        return Unclear("certainty", split.new.literal)
    return _text_request(target, new, split)


def _old_words(target: Target, split: Split) -> str:
    """Return the old text as patterns read it, with the article that was peeled off it."""
    return split.old.folded if target.words is not None else _needle(target)


def _needle(target: Target) -> str:
    needle = target.needles[0] if target.needles else ""
    return fold(needle) if isinstance(needle, str) else ""


def _is_translation(words: Phrase, target: Target) -> bool:
    """Say whether the new text names a language or a way of writing, and the old one does not."""
    return is_form(words) and not (target.words is not None and is_form(target.words))


def _says_more(words: Phrase, target: Target) -> bool:
    """Say whether plain words go on after the new text: a clause, where the old text is none."""
    old = fold("".join(needle for needle in target.needles if isinstance(needle, str)))
    return holds_clause(words.folded) and not holds_clause(old)


def _text_request(target: Target, new: NewText, split: Split) -> Request | None:
    first = target.needles[0]
    text = settled(new, first if isinstance(first, str) else "")
    if text is None or (new.may_be_nothing and not target.is_quoted):
        return Unclear("certainty", split.new.literal)
    if target.lost_article and isinstance(text, str):
        text = text[len(match[0]) :] if (match := pattern(_ARTICLE).match(text)) else text
    if EVERY not in (target.which, new.which) or (target.scope.lines and new.scope.lines):
        return None
    scope = Scope(target.scope.lines or new.scope.lines, target.scope.but or new.scope.but, target.scope.edge)
    which = target.which if new.which == EVERY else new.which
    if which != EVERY and scope.lines is not None and scope.lines.each:
        which = replace(which, each_line=True)
    beyond_if_absent = target.words is not None and (is_aspect(target.words) or _is_manner(new))
    return ReplaceText(
        target.needles, (text,), which, scope, is_quoted=target.is_quoted, beyond_if_absent=beyond_if_absent
    )


def _is_manner(new: NewText) -> bool:
    return new.words is not None and is_kind(new.words)


def _rewrite(lines: Lines, new: NewText, split: Split) -> Request | None:
    if not isinstance(new.text, str) or new.which != EVERY or new.scope.lines is not None:
        return None
    if new.words is None:
        return RewriteLines(lines, new.text) if new.text.strip() else Unclear("text", split.old.literal)
    if goes_on(new.words.folded):
        return None
    if describes(new.words, "a") and not new.words.text.endswith(_SENTENCE_ENDS):
        return Beyond(split.new.literal)
    if not new.words.text[0].isascii() and pattern(_TOLD).fullmatch(new.words.folded):
        return Beyond(split.new.literal)
    if new.courtesy or (is_loose_line(new.words) and not new.words.text.endswith(_SENTENCE_ENDS)):
        return Unclear("certainty", split.new.literal)
    if is_kind(new.words) or pattern(_LINE_COUNT).fullmatch(new.words.folded):
        return Beyond(split.new.literal)
    has_words = any(char.isalnum() for char in new.words.text)
    if (
        not has_words
        or not _is_speech(new.words)
        or whole_lines(new.words) is not None
        or is_pronoun(new.words)
    ):
        return Unclear("certainty", split.new.literal)
    return RewriteLines(lines, new.words.literal)


def _is_speech(words: Phrase) -> bool:
    """Say whether plain words can be taken for the line itself rather than for a wish about it."""
    first = words.text[0]
    if first.isascii():
        return not first.islower()
    return len(words.text) >= _MIN_SPEECH_CHARS or pattern(r".*[,。!?;…]").match(words.folded) is not None


def read_exchange(phrase: Phrase) -> ExchangeTexts | None:
    """Read two quotations that are to change places."""
    targets = read_targets(phrase)
    if len(targets) != 1 or not targets[0].is_quoted or len(targets[0].needles) != 2:
        return None
    first, second = targets[0].needles
    if isinstance(first, str) and isinstance(second, str) and targets[0].which == EVERY:
        return ExchangeTexts(first, second, targets[0].scope)
    return None


# --- what is missing -----------------------------------------------------------------------------


def read_incomplete_replacement(phrase: Phrase) -> tuple[Reading, ...]:
    """Read a replacement that lacks the old or the new text, to say what is missing."""
    for source in (
        r"(?:把|将)?(?P<what>.+?)(?:替换|更换|换|改)(?:掉|了|成|为|一个)*",
        r"(?:替换|更换)(?:掉|一下)?(?P<what>.+)",
        r"(?:replace|change|swap out|substitute|rename|update|edit"
        r"|alter)(?P<what> .+?)(?: (?:with|to|by|into|for))?",
    ):
        match = pattern(source).fullmatch(phrase.folded)
        what = phrase.cut(*match.span("what")) if match else None
        if what is None:
            continue
        if is_pronoun(what):
            return (Reading(Unclear("target", phrase.literal)),)
        if whole_lines(what) is not None or any(target.is_quoted for target in read_targets(what)):
            return (Reading(Unclear("text", phrase.literal)),)
    if pattern(
        rf"(?:全部|都)?(?:改|换|替换)(?:成|为|作){_QUOTED_OR_SHORT}|(?:replace|change)(?: (?:with"
        rf"|to|by|into) {_QUOTED_OR_SHORT})?|改一下|换一下"
    ).fullmatch(phrase.folded):
        return (Reading(Unclear("target", phrase.literal)),)
    return ()
