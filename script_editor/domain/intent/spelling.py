"""Wishes about how the same is written: ① as 1, ‘’ as “”, a hyphen as a dash, ＡＩ as AI."""

import re
import unicodedata

from script_editor.patterns import Pattern

_AS = r"(?:改|换|換|替换|替換|写|寫|变|變|转|轉|统一|統一)(?:成|为|為|作)"
_EXCHANGE = Pattern(
    rf"(?:把|将|將)(?:(?:所有|全部|全文|文中|里面)的?)?(?P<old>[^\n]{{1,24}}?)(?:全部|全都|统一|统统|一律|都|全)?{_AS}"
    r"(?P<new>[^\n]{1,24}?)(?=[。；;\n]|[，,](?=\w)|$)"
    r"|\b(?:replac|chang|swap|turn|convert|writ)\w* (?:all |every |each |the )*(?P<old_en>\S{1,24})"
    r" (?:to|with|into|by|for|as) (?P<new_en>\S{1,24})",
    re.IGNORECASE,
)
_MARKS_FOR_MARKS = Pattern(rf"[^\w\s]\s*(?:全部|全都|统一|统统|一律|都|全)?{_AS}\s*[^\w\s]{{1,6}}(?!\w)")
_SILENT = Pattern(r"[\W_]+")


def writes_otherwise(instruction: str) -> bool:
    """Say whether the instruction exchanges two writings of the same letters, or two punctuation marks."""
    return _MARKS_FOR_MARKS.search(instruction) is not None or any(
        _is_respelt(match["old"] or match["old_en"], match["new"] or match["new_en"])
        for match in _EXCHANGE.finditer(instruction)
    )


def _is_respelt(old: str, new: str) -> bool:
    return old.strip() != new.strip() and _letters(old) == _letters(new)


def _letters(text: str) -> str:
    return _SILENT.sub("", unicodedata.normalize("NFKC", text))
