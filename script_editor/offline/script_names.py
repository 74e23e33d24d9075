"""Mentions of the script being edited, which say nothing that is not known: `in video_003`, video_001 里的."""

import re

from script_editor.offline.wording import Phrase, phrase_of


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
