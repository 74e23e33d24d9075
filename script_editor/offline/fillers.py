"""Cutting filler words where they stand free: 嗯、那个, um, you know; never a word in use.

A filler stands free between punctuation marks, or between the start of a line and a mark. A Chinese
one goes with the mark after it. An English one goes with both commas around it; at the start of a
sentence it goes with the mark after it and the next word takes its capital.
"""

import re

ZH_FILLERS = ("嗯", "呃", "那个", "那個", "就是说", "就是說", "对吧", "對吧")
EN_FILLERS = ("um", "uh", "you know")

_OTHER_SCRIPT = {"那个": "那個", "就是说": "就是說", "对吧": "對吧"}
_OTHER_SCRIPT |= {there: here for here, there in _OTHER_SCRIPT.items()}

_ZH_LEFT = "，。！？；：…—、,.!?;:“「『（("
_ZH_RIGHT = "，。！？；：…—、,.!?;:"
_FINAL = "。！？!?"
_PAUSE = "，、,；;"
_LATIN = re.compile(r"[A-Za-z]")


def in_both_scripts(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return filler words with their simplified or traditional forms: a person types one, the script has the other."""
    return (*words, *(_OTHER_SCRIPT[word] for word in words if word in _OTHER_SCRIPT))


def cut_fillers(content: str, words: tuple[str, ...]) -> tuple[str, int]:
    """Return a line without the free-standing `words`, and how many were cut."""
    latin = tuple(word for word in words if _LATIN.search(word))
    han = tuple(word for word in words if not _LATIN.search(word))
    total = 0
    for cut_next, group in ((_cut_zh, han), (_cut_en, latin)):
        cut = cut_next(content, group) if group else None
        while cut is not None:
            content, count = cut
            total += count
            cut = cut_next(content, group)
    return content, total


def stands_free(content: str, start: int, end: int) -> bool:
    """Say whether the words at [start, end) stand between marks, as a filler does."""
    before, after = content[:start].rstrip(), content[end:].lstrip()
    return (not before or before[-1] in _ZH_LEFT) and after[:1] != "" and after[0] in _ZH_RIGHT


def _either(words: tuple[str, ...]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(r"\s+".join(re.escape(part) for part in word.split()) for word in ordered)


def _cut_zh(content: str, words: tuple[str, ...]) -> tuple[str, int] | None:
    """Return `content` without its first free filler, or None when there is none."""
    free = rf"(?:^|(?<=[{re.escape(_ZH_LEFT)}]))\s*(?:{_either(words)})(?P<mark>[{re.escape(_ZH_RIGHT)}]+)\s*"
    match = re.search(free, content)
    if match is None:
        return None
    before, after = content[: match.start()], content[match.end() :]
    if match["mark"][-1] in _FINAL and before[-1:] and before[-1] in _PAUSE:
        # The sentence must not end with the comma that led to the filler.
        return before[:-1] + match["mark"] + after, 1
    return before + after, 1


def _cut_en(content: str, words: tuple[str, ...]) -> tuple[str, int] | None:
    """Return `content` without its first free run of fillers, or None when there is none."""
    either = _either(words)
    run = rf"(?P<run>(?:{either})(?:\s*,\s*(?:{either}))*)"
    for source, joined in (
        (rf"(?P<left>(?:^|[.!?…:;—“\"(]\s*)){run}(?:,|\.\.\.|…|[.!?])+\s*(?P<next>\w?)", _at_start),
        (rf"\s*,\s*{run}(?:\s*,|(?=\s*[.!?;:…]))", _in_between),
        (rf"(?P<dash>[—–])\s*{run}\s*[—–]", _in_between),
    ):
        match = re.search(source, content, re.IGNORECASE)
        if match:
            shorter = content[: match.start()] + joined(match) + content[match.end() :]
            return shorter, match["run"].count(",") + 1
    return None


def _in_between(match: re.Match[str]) -> str:
    return match.groupdict().get("dash") or ""


def _at_start(match: re.Match[str]) -> str:
    following = match["next"].upper() if match["run"][0].isupper() else match["next"]
    return match["left"] + following
