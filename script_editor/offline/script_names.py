"""Mentions of scripts in an instruction: which ones it names, and how it reads for one of them.

A mention of the script being edited says nothing that is not known: `in video_003`, video_001 里的.
"""

import re

from script_editor.offline.wording import Phrase, phrase_of

_WORD = r"[A-Za-z0-9_.-]"
_ID = re.compile(
    rf"(?<!{_WORD})[A-Za-z][A-Za-z0-9]*(?P<mark>[_-])[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*(?:\.[a-z]{{2}}(?:-[A-Za-z]{{2,4}})?)?(?![A-Za-z0-9_-])"
)
_ROW = re.compile(r"^- (?P<id>\S+) \| .* \| v\d+", re.MULTILINE)
_AND = r"\s*(?:、|,|，|;|和|与|跟|及|以及|还有|\band\b|&|,\s*and\b)\s*"


def ids_in(phrase: Phrase) -> tuple[str, ...]:
    """Return the words of an instruction that look like ids of scripts, such as video_003, in their order.

    With an underscore in one of them, a hyphen makes no id: gpt-4 is a name of something else.
    """
    found = list(_ID.finditer(phrase.text))
    marked = [match for match in found if match["mark"] == "_"]
    return tuple(dict.fromkeys(match[0].lower() for match in marked or found))


def ids_listed(phrase: Phrase, listing: str) -> tuple[str, ...]:
    """Return the scripts of a list, one `- id | title | v3` a row, that an instruction names by their ids."""
    words = phrase.text.casefold()
    found = [row["id"] for row in _ROW.finditer(listing) if _names(words, row["id"])]
    return tuple(one for one in found if not any(one != other and one in other for other in found))


def _names(words: str, script_id: str) -> bool:
    return re.search(rf"(?<![a-z0-9_-]){re.escape(script_id)}(?![a-z0-9_-])", words) is not None


def for_one(instruction: str, script_id: str, ids: tuple[str, ...]) -> str:
    """Return an instruction about several scripts as it reads for one of them; every other word stays."""
    if len(ids) < 2:
        return instruction
    name = "|".join(re.escape(one) for one in sorted(ids, key=len, reverse=True))
    several = rf"(?:\bboth\s+)?(?<!{_WORD})(?:{name})(?:{_AND}(?:{name}))+(?![A-Za-z0-9_-])"
    return re.sub(several, lambda _match: script_id, instruction, flags=re.IGNORECASE)


def without_id(phrase: Phrase, script_id: str) -> Phrase:
    """Return an instruction without mentions of `script_id` outside quotations."""
    name = rf"(?<![A-Za-z0-9_.-]){re.escape(script_id)}(?![A-Za-z0-9_-])"
    english = rf"\s*\b(?:in|of|from|on|for|to) (?:the )?(?:script )?{name}(?: script)?[,:]?"
    chinese = (
        rf"\s*(?:在|从|给|对)?\s*{name}\s*(?:这个?)?(?:脚本|文案|稿子)?(?:里面|里|中)?的?\s*[,，:：]?\s*"
    )
    kept = re.sub(rf"{english}|{chinese}", _gap, phrase.text, flags=re.IGNORECASE)
    return phrase_of(kept, phrase.quotes) if kept != phrase.text else phrase


def _gap(match: re.Match[str]) -> str:
    """Return the space that words of an alphabet need where a mention stood between them."""
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    return " " if before.isascii() and after.isascii() and before.strip() else ""
