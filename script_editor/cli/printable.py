"""Text from scripts, files and services, made safe to show on a terminal."""

_CONTROL = (
    {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421} | dict.fromkeys(range(128, 160), 65533)
)
_HIDDEN = {
    ord(char): f"<U+{ord(char):04X}>"
    for char in "\u200b\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
}


def printable(text: str, keep: str = "\t") -> str:
    """Return `text` with characters that would steer a terminal, or hide in it, made visible."""
    table = {code: shown for code, shown in (_CONTROL | _HIDDEN).items() if chr(code) not in keep}
    return text.translate(table)
