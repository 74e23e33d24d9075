"""Which of the two languages a person writes, so that the agent answers in the same one."""

import re
from typing import Literal

Language = Literal["zh", "en"]

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_QUOTED = re.compile(r"“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|\"[^\"\n]*\"|`[^`\n]*`")


def language_of(text: str) -> Language:
    """Return "zh" when `text` has at least as many Han characters as Latin words, otherwise "en".

    Words, not letters, are counted: an id or a brand name in a Chinese sentence must not turn it English.
    What stands in quotation marks is talked about, not spoken, and counts only when there is nothing else.
    """
    own = _QUOTED.sub(" ", text)
    text = own if _HAN.search(own) or _LATIN_WORD.search(own) else text
    han = len(_HAN.findall(text))
    return "zh" if han and han >= len(_LATIN_WORD.findall(text)) else "en"
