"""Which of the two languages a person writes, so that the agent answers in the same one."""

from typing import Literal

from script_editor.patterns import Pattern

Language = Literal["zh", "en"]

_LATIN_WORD = Pattern(r"[A-Za-z]+")
_QUOTED = Pattern(r"“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|\"[^\"\n]*\"|`[^`\n]*`")


def language_of(text: str) -> Language:
    """Return "zh" when `text` has at least as many Han characters as Latin words, otherwise "en".

    Words, not letters, are counted: an id or a brand name in a Chinese sentence must not turn it English.
    What stands in quotation marks is talked about, not spoken, and counts only when there is nothing else.
    """
    own = _QUOTED.sub(" ", text)
    text = own if any(map(_is_han, own)) or _LATIN_WORD.search(own) else text
    han = sum(map(_is_han, text))
    return "zh" if han and han >= len(_LATIN_WORD.findall(text)) else "en"


def _is_han(char: str) -> bool:
    # Compared one by one: compiling a pattern of so many characters takes longer than reading an instruction.
    return "\u3400" <= char <= "\u4dbf" or "\u4e00" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff"
