"""Words that want an earlier preview saved, whole or in part: "刚才那个预览可以，就用它", "apply line 2 of that preview"."""

from dataclasses import dataclass

from script_editor.offline import numerals
from script_editor.offline.courtesy import without_closing, without_final_mark
from script_editor.offline.wording import Phrase, pattern

_MAX_CHARS = 60

_ZH_WHICH = r"(?:刚才|刚刚|上面|之前|前面|上一?个|最后|最近)?的?(?:那个|这个|那份|这份|那版|这版|那次|你)?的?"
_ZH_NOUN = r"(?:预览|预览版|提案|方案|草案|建议|版本|改法|改动)"
_ZH_GOOD = r"(?:可以|不错|挺好|很好|没问题|行|就行|好|很满意|ok)(?:的|了)?"
_ZH_USE = r"(?:就|直接)?(?:采用|应用|保存|使用|接受|通过|用|存|按)(?:下来|了)?"
_ZH_IT = r"(?:它|他|这个|那个|这版|那版|这份|那份)"
_ZH_END = r"(?:来|改|保存|做)?(?:吧|就行|就好|即可|了)?"
_ZH = (
    rf"(?:{_ZH_GOOD}[,. ]*)?{_ZH_WHICH}{_ZH_NOUN}{_ZH_GOOD}(?:[,. ]*{_ZH_USE}{_ZH_IT}?{_ZH_END})?",
    rf"(?:{_ZH_GOOD}[,. ]*)?{_ZH_USE}{_ZH_WHICH}{_ZH_NOUN}{_ZH_END}",
    rf"(?:{_ZH_GOOD}[,. ]*)?{_ZH_USE}{_ZH_IT}{_ZH_END}",
    rf"把{_ZH_WHICH}{_ZH_NOUN}(?:给)?(?:保存|应用|存|采用)(?:下来|一下|了)?",
)
_ZH_PART = (
    rf"{_ZH_WHICH}{_ZH_NOUN}(?:里|中)?的?(?:只|仅)(?:用|要|保存|应用|采用|取)第\s*(?P<n>{numerals.ZH})\s*(?:行|句)(?:的(?:改动|修改))?{_ZH_END}",
    rf"(?:只|仅)(?:用|要|保存|应用|采用|取){_ZH_WHICH}{_ZH_NOUN}(?:里|中)?的?第\s*(?P<n>{numerals.ZH})\s*(?:行|句)(?:的(?:改动|修改))?{_ZH_END}",
)
_EN_GOOD = r"(?:ok(?:ay)?|yes|yep|good|great|fine|perfect|nice|looks good|that works|sounds good|all right)"
_EN_USE = r"(?:please )?(?:apply|save|use|accept|take|keep|approve|commit|go (?:ahead )?with)"
_EN_NOUN = r"(?:(?:the|that|this|your|my)(?: (?:last|latest|previous|earlier|first))? (?:preview|proposal|suggestion|draft|version|one|edit))"
_EN = (
    rf"(?:{_EN_GOOD}[,.!; ]+)?(?:let's |just )?{_EN_USE} (?:it|that|this|{_EN_NOUN})(?: as it is| as is)?",
    rf"{_EN_NOUN} (?:is|was|looks|seems) {_EN_GOOD}(?:[,.; ]+(?:so |and )?{_EN_USE} (?:it|that))?",
)
_EN_PART = (
    rf"(?:{_EN_USE}) only (?:line|sentence) (?P<n>{numerals.EN}) (?:of|from) {_EN_NOUN}",
    rf"(?:{_EN_USE}) only (?:the )?(?P<n>{numerals.EN_ORDINAL}) (?:line|sentence) (?:of|from) {_EN_NOUN}",
)


@dataclass(frozen=True, slots=True)
class Take:
    """A stored proposal is to be saved: all of it, or what it changes in some lines."""

    lines: tuple[int, ...] = ()


def read_take(phrase: Phrase) -> Take | None:
    """Return what of a stored proposal is wanted, or None when an instruction is something else."""
    if len(phrase.text) > _MAX_CHARS or phrase.quoted():
        return None
    for words in (phrase, without_closing(phrase)):
        found = _read(without_final_mark(words).folded)
        if found is not None:
            return found
    return None


def _read(words: str) -> Take | None:
    for source in (*_ZH_PART, *_EN_PART):
        if match := pattern(source).fullmatch(words):
            return Take((numerals.value(match["n"]),))
    return Take() if any(pattern(source).fullmatch(words) for source in (*_ZH, *_EN)) else None
