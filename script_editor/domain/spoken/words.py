"""From one spoken line to what takes time on it: syllables, marks, pauses asked for, in order."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from script_editor.domain.spoken.labels import is_stage
from script_editor.domain.spoken.lines import HAN, han_count
from script_editor.domain.spoken.numerals import Language, read_number
from script_editor.domain.spoken.pauses import pause_ms
from script_editor.domain.spoken.syllables import spelt, syllables
from script_editor.patterns import Pattern

STOP, COMMA, LIST_COMMA = 500, 250, 150
"""Milliseconds after 。, after ，, and after 、."""

_LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_TOKEN = (
    rf"(?P<han>[{HAN}\u3040-\u30ff\uac00-\ud7af]+)"
    r"|(?P<url>(?:https?://|www\.)(?=[\w.-]))"
    rf"|(?P<dotted>(?<![{_LATIN}])(?:[A-Za-z]\.){{2,}})"
    rf"|(?P<word>[{_LATIN}]+(?:['’][{_LATIN}]+)*)"
    r"|(?P<number>(?:(?<![A-Za-z0-9)\]-])[-−])?[$¥￥€£]?\.?\d)"
    r"|(?P<link>!?\[(?P<shown>[^\[\]]*)\]\([^()\s]*\))"
    r"|(?P<note>\[[^\[\]]*\]|［[^［］]*］|【[^【】]*】|\([^()]*\)|（[^（）]*）|<[^<>]*>|\{[^{}]*\})"
    r"|(?P<mark>[。！？!?…．.，、；：,;:—–]+)"
    r"|(?P<sign>[+＋=＝×÷&＆@~～/#-])"
)
_ADDRESS = rf"(?:https?://|www\.)(?P<host>[\w.-]+)[^\s<>()（）{HAN}]*"
_CUE_ZH = (
    "画面|镜头|景别|音效|音乐|配乐|字幕|花字|转场|特效|动画|特写|空镜|机位|画外音|畫面|鏡頭|音樂|配樂|轉場|特寫|背景音"
    "|笑|大笑|微笑|苦笑|偷笑|叹气|嘆氣|咳|掌声|鼓掌|看镜头|看向|压低声音|小声|轻声|大声|哽咽|点头|摇头|淡入|淡出|插入|切到|切换"
    "|举起|拿起|放下|转身|打响指|语气|动作|手指|指向|模仿"
)
_CUE_EN = (
    "laugh|chuckl|giggl|sigh|smil|applause|fade|whisper|gesture|point(?:s|ing)? (?:to|at)|hold(?:s|ing)? up"
    r"|look(?:s|ing)? (?:at|to|into)|nod|shrug|clap|cough|gasp|inhale|exhale|deep breath|softly|sarcastic|v\.?o\.?$"
    r"|o\.?s\.?$|cont'?d|off[- ]screen"
)
_ABBREVIATIONS = frozenset(("mr", "mrs", "ms", "dr", "prof", "st", "vs", "no", "fig", "jr", "sr", "mt"))
_SIGNS = {
    # between or beside words and numbers: syllables in Chinese, in English
    "+": (1, 1), "=": (2, 2), "×": (1, 1), "÷": (2, 3), "&": (1, 1), "@": (1, 1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause in ms: one that a punctuation mark makes, or one that the text asks for, at any pace as long."""

    ms: int
    is_asked: bool = False


Sound = int | Pause
"""What is heard: a number of syllables, or a pause."""


UNKNOWN_LANGUAGE = "und"


def language_of_line(line: str, otherwise: Callable[[], Language]) -> Language:
    """Return the language in which numbers on this line are read; a Chinese character weighs two words.

    `otherwise` is asked on a line without any letter.
    """
    han = han_count(line)
    words = len(re.findall(f"[{_LATIN}]+", line))
    if not han and not words:
        return otherwise()
    return "zh" if 2 * han >= words else "en"


def language_of_text(text: str) -> str:
    """Return the code of the language a text is mainly written in; "und" for one without a letter of either."""
    said = language_of_line(text, lambda: "zh")
    return said if said == language_of_line(text, lambda: "en") else UNKNOWN_LANGUAGE


@cache
def _token() -> Pattern:
    return Pattern(_TOKEN)


def heard(line: str, otherwise: Callable[[], Language]) -> Iterator[Sound]:
    """Yield what is heard on a line, in order: a number of syllables, or a pause.

    `otherwise` is asked for the language of numbers on a line that has nothing but numbers.
    """
    language = cache(lambda: language_of_line(line, otherwise))  # few lines have a number
    shouted = _is_shouted(line)
    position = 0
    token = _token()
    while found := token.search(line, position):
        position, text = found.end(), found[0]
        match found.lastgroup:
            case "han":
                yield len(text)
            case "word":
                yield syllables(text, shouted=shouted)
            case "number":
                position, count = read_number(line, found.start(), language())
                yield count
            case "mark":
                yield _mark(line, found)
            case "sign":
                yield _sign(line, found, language)
            case "link":
                yield from heard(found["shown"], language) if text[0] != "!" else ()
            case "url":
                address = Pattern(_ADDRESS).match(line, found.start())
                assert address is not None, "the token begins one"
                position = address.end()
                yield _of_address(address["host"])
            case "dotted":
                yield spelt(text)
            case _:
                asked = _asked(text)
                if asked is not None:
                    yield asked
                elif not _is_for_the_crew(text, line):
                    position = found.start() + 1  # what stands inside is spoken


def _of_address(address: str) -> int:
    """Return the syllables of an address: its words, and "dot" between them."""
    return sum(syllables(word) for word in re.findall(f"[{_LATIN}]+", address)) + address.count(".")


def _is_shouted(line: str) -> bool:
    return line.isupper() and len(re.findall(r"[A-Z]{2,}", line)) >= 3 and not han_count(line)


def _mark(line: str, found: re.Match[str]) -> int | Pause:
    """Return the pause of a run of marks, or a syllable where a mark is read: the point of example.com."""
    marks, before, after = found[0], _before(line, found), line[found.end() : found.end() + 2]
    if len(marks) == 1 and before.isalnum() and after[:1].isalnum():
        if before.isdigit() and after[0].isdigit() and marks in ":–—":
            return 1
        is_name = before.isascii() and after[0].isascii() and not (after[0].isupper() and after[1:].islower())
        if marks == "." and is_name:
            return 1
    if marks == "." and _is_abbreviated(line, found.start()):
        return Pause(0)
    if "——" in marks or any(mark in "。！？!?…．." for mark in marks):
        return Pause(STOP)
    return Pause(LIST_COMMA if set(marks) == {"、"} else COMMA)


def _before(line: str, found: re.Match[str]) -> str:
    return line[max(found.start() - 1, 0) : found.start()]


def _is_abbreviated(line: str, point: int) -> bool:
    word = re.search(r"[A-Za-z]{2,4}$", line[max(point - 5, 0) : point])
    return word is not None and word[0].lower() in _ABBREVIATIONS


def _sign(line: str, found: re.Match[str], language: Callable[[], Language]) -> int:
    sign, before, after = found[0], _before(line, found), line[found.end() : found.end() + 1]
    if sign in "-~～":
        return int(before.isdigit() and after.isdigit())
    sign = {"＋": "+", "＝": "=", "＆": "&"}.get(sign, sign)
    if sign == "+" and not before.isalnum() and before not in "+ ":
        return 0
    if sign not in _SIGNS:
        return 0
    zh, en = _SIGNS[sign]
    return zh if language() == "zh" else en


def _asked(note: str) -> Pause | None:
    """Return the pause that a note asks for, None when it is something else."""
    milliseconds = pause_ms(note[1:-1].strip("/ "))
    return None if milliseconds is None else Pause(milliseconds, is_asked=True)


def _is_for_the_crew(note: str, line: str) -> bool:
    """Say whether a note in brackets is not spoken; round ones may be a remark that is."""
    inside = note[1:-1].strip()
    match note[0]:
        case "[" | "［":
            return True
        case "<":
            return re.match(r"/?[A-Za-z!]|\d", inside) is not None
        case "{":
            return inside.startswith("\\")
    is_own_line = note == line.strip(" \t*_")
    if is_own_line or (note[0] == "【" and line.lstrip(" \t*_").startswith(note)):
        return True
    return is_stage(inside) or re.match(f"{_CUE_ZH}|(?:{_CUE_EN})", inside.lower()) is not None
