"""Where a search text stands in a text: exactly, or after folding; never by similarity.

Folding makes alike what looks alike to a reader: line ends, kinds and runs of spaces, quotation
marks, dashes, full and half width, composed and decomposed letters. It is used to find, never to
write: every result is offsets into the original, and `project` writes only what differs. That
exact must win over folded, that a folded hit must be the only one, and that near misses must not
be applied are lessons from the trackers of code-editing tools; similarity is used for the error only.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("“”„‟″「」『』〝〞＂«»", '"'),
        **dict.fromkeys("‘’‚‛′＇", "'"),
        **dict.fromkeys("‐‑‒–—―－", "-"),
    }
)


def fold(text: str) -> tuple[str, list[int]]:
    """Return `text` folded, and for each folded character the offset it came from, plus the end.

    The list has one more entry than the folded text: the last is `len(text)`.
    """
    folded: list[str] = []
    origins: list[int] = []
    for start, cluster in _clusters(text):
        for char in _fold_cluster(cluster):
            if char == " " and folded and folded[-1] == " ":
                continue
            folded.append(char)
            origins.append(start)
    return "".join(folded), [*origins, len(text)]


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Yield each character with the combining marks after it; CRLF is one cluster."""
    start = 0
    for index in range(1, len(text) + 1):
        joined = index < len(text) and (
            unicodedata.combining(text[index]) != 0 or (text[index] == "\n" and text[index - 1] == "\r")
        )
        if not joined:
            yield start, text[start:index]
            start = index


def _fold_cluster(cluster: str) -> str:
    if cluster in ("\r\n", "\n"):
        return "\n"
    composed = unicodedata.normalize("NFC", cluster).translate(_QUOTES)
    if composed.isspace():
        return " "
    if len(composed) == 1 and "\uff01" <= composed <= "\uff5e":
        return chr(ord(composed) - 0xFEE0)
    return "" if composed in ("\u200b", "\ufeff", "\u2060") else composed


def find_all(text: str, search: str, *, folded: bool = False) -> list[tuple[int, int]]:
    """Return the spans of `search` in `text`, left to right, not overlapping; offsets, end exclusive."""
    if not folded:
        return _scan(text, search)
    haystack, origins = fold(text)
    needle = fold(search)[0]
    if not needle:
        return []
    return [(origins[start], origins[end]) for start, end in _scan(haystack, needle)]


def _scan(text: str, search: str) -> list[tuple[int, int]]:
    spans = []
    start = text.find(search)
    while start >= 0 and search:
        end = start + len(search)
        # "cafe" does not stand in "café" when the accent is a character of its own.
        if not (end < len(text) and unicodedata.combining(text[end])):
            spans.append((start, end))
        start = text.find(search, end)
    return spans


def project(original: str, search: str, replacement: str) -> str:
    """Return `replacement` as it should be written over `original`, which matched `search` after folding.

    Characters that `search` and `replacement` share keep the author's form: only the difference
    between the two is written.
    """
    if original == search:
        return replacement
    folded_original, origins = fold(original)
    folded_search, search_origins = fold(search)
    if folded_original != folded_search:
        return replacement
    to_folded = {offset: index for index, offset in reversed(list(enumerate(search_origins)))}
    pieces: list[str] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, search, replacement, autojunk=False).get_opcodes():
        if tag == "equal" and i1 in to_folded and i2 in to_folded:
            pieces.append(original[origins[to_folded[i1]] : origins[to_folded[i2]]])
        else:
            pieces.append(replacement[j1:j2])
    return "".join(pieces)


def nearest_passage(lines: Sequence[str], search: str) -> str:
    """Return the line most like `search`, or "" when none shares half of it. For messages only."""
    wanted = fold(search)[0]
    best, best_score = "", 0.5
    for line in lines:
        matcher = SequenceMatcher(None, fold(line)[0], wanted, autojunk=False)
        shared = sum(block.size for block in matcher.get_matching_blocks())
        score = shared / max(len(wanted), 1)
        if score > best_score:
            best, best_score = line.strip(), score
    return best
