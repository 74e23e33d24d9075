"""Quotation marks of an instruction, and the texts that would not stay between them."""

import re
from collections.abc import Mapping

QUOTATIONS: Mapping[str, re.Pattern[str]] = {
    "“”": re.compile(r"“[^“”\n]*”"),
    "「」": re.compile(r"「[^「」\n]*」"),
    '""': re.compile(r'"[^"\n]*"'),
    "『』": re.compile(r"『[^『』\n]*』"),
    "《》": re.compile(r"《[^《》\n]*》"),
    "«»": re.compile(r"«[^«»\n]*»"),
    "‘’": re.compile(r"(?<![A-Za-z0-9])‘[^‘’\n]*’(?![A-Za-z0-9])"),
    "''": re.compile(r"(?<![A-Za-z0-9])'[^'\n]*'(?![A-Za-z0-9])"),
    "``": re.compile(r"`[^`\n]*`"),
}
"""The kinds of quotations by their marks, the likeliest first, and how each is found."""

_APOSTROPHE = re.compile(r"(?<=[A-Za-z0-9])['’](?=[A-Za-z0-9])")


def breaks_out(text: str, marks: str) -> bool:
    """Say whether a text between these marks, opening and closing, would end the quotation early or leave it open.

    Marks of two shapes may stand in it in pairs, as in “他说“好””; an apostrophe inside a word is none.
    """
    opening, closing = marks[0], marks[1]
    text = _APOSTROPHE.sub("", text)
    if opening == closing:
        return opening in text
    depth = 0
    for char in text:
        depth += (char == opening) - (char == closing)
        if depth < 0:
            return True
    return depth != 0
