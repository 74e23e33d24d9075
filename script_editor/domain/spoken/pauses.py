"""Pauses that a script asks for: [停顿2秒], （停顿）, [pause 1.5s], [beat], <break time="500ms"/>."""

import re

from script_editor.domain.amounts import TIME, fold, seconds_of

_PAUSE, _LONG, _SHORT, _BEAT, _BREAK = 1000, 2000, 500, 700, 500
"""Milliseconds of a pause for which no time is given."""
_LONGEST_NOTE = 40

_ZH = r"停顿|停頓|暂停|暫停|静音|靜音|静默|留白|沉默|空拍|停(?= ?[\d半一二两三四五六七八九十])"
_ASKED = rf"{_ZH}|\b(?:pauses?|silence)\b|\bbeat\b(?! (?:drop|start|kick|up))"


def pause_ms(note: str) -> int | None:
    """Return the milliseconds of silence that a note in brackets asks for, None when it asks for none.

    `note` is what stands inside the brackets, such as `停顿2秒`, or a whole `break` tag without its angles.
    """
    if len(note) > _LONGEST_NOTE:
        return None
    note = fold(note)
    if re.match(r"break\b", note):
        return _amount_ms(note) or _BREAK
    if not re.search(_ASKED, note):
        return None
    amount = _amount_ms(note)
    if amount is not None:
        return amount
    if re.search(r"\blong|长|長|久", note):
        return _LONG
    if re.search(r"\bshort|\bbrief|短", note):
        return _SHORT
    return _BEAT if "beat" in note else _PAUSE


def _amount_ms(note: str) -> int | None:
    """Return the time that a note names; a bare number is seconds."""
    if found := re.search(TIME, note):
        return round(1000 * seconds_of(found[0]))
    bare = re.search(r"\d{1,3}(?:\.\d{1,3})?", note)
    return round(1000 * float(bare[0])) if bare else None
