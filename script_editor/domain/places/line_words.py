"""The words that number lines, one by one: 第3行, 倒数第二, line 4, the third sentence, S12, last two lines, the next one.

A number alone says little; `line_numbers` joins the words into lists and ranges.
"""

import re
from dataclasses import dataclass
from typing import Literal

from script_editor.domain.counting import EN, EN_ORDINAL, ZH, count_of
from script_editor.patterns import Pattern

Unit = Literal["line", "sentence", "cue", "paragraph", "section"]

_ZH_UNIT = r"(?:行|句台词|句话|个?句子|句|条|个镜头|镜|格|段话|个?段落|自然段|段|个?小节|个?部分|个?章节?|个场景|节|幕)"
_EN_UNIT = (
    r"(?:lines?|rows?|segments?|sentences?|cues?|captions?|subtitles?|paragraphs?|paras?|blocks?|sections?"
    r"|parts?|chapters?|scenes?|acts?)(?![a-z])"
)
_COUNTED = (
    r"(?:lines?|rows?|sentences?|words?|jokes?|examples?|paragraphs?|seconds?|minutes?|times?|of|than|at|to|in|after|before"
    r"|and|or|here|there)\b"
)
"""What follows "three more" when things are counted; in "line 3 more formal" nothing is."""
_MEASURE = (
    r"\s*(?:%|per ?cent|sec|min(?:ute)?s?\b|hours?|days?|weeks?|months?|years?|words?|char|times?\b|people|dollars?"
    rf"|euros?|bucks|degrees|(?:m?s|k|km|kg|cm|m|x|[ap]m)\b|(?:more|extra)\b(?!\s+(?!{_COUNTED})[a-z])|jokes?|examples?"
    r"|秒|分|字|个|次|倍|元|块|天"
    rf"|年|月|日|号|人|点|小时|岁|度|米|公里|斤|种|张|件|位|{_EN_UNIT})"
)
_GOES_ON = (
    r"\s*(?:$|[^\sa-z]|(?:and|or|to|through|thru|then|plus|till|until|ones?|too|also|both|as|is|are|needs?|should|sounds?"
    r"|feels?|can|could)\b)"
)
_ADJECTIVE = r"(?: (?!and\b|or\b|to\b|the\b|then\b|through\b)[a-z]+)??"

MEMBER = Pattern(
    "|".join(
        (
            r"(?<![a-z0-9])[sl](?P<id>\d{1,6})(?::[0-9a-z]{2})?(?![a-z0-9])",
            rf"倒数第\s*(?P<zback>{ZH})\s*(?P<u_zback>{_ZH_UNIT})?",
            rf"(?P<after>后面?|下面|接下来|紧接着|随后)的?\s*(?P<zafter>{ZH})\s*(?P<u_zafter>{_ZH_UNIT})",
            rf"(?:最后面?|结尾|末尾|倒数|末)的?\s*(?P<zlast>{ZH})\s*(?P<u_zlast>{_ZH_UNIT})",
            rf"(?P<before>前面?|上面)的?\s*(?P<zbefore>{ZH})\s*(?P<u_zbefore>{_ZH_UNIT})",
            rf"(?:最前面?|最开头|开头|头)的?\s*(?P<zfirst>{ZH})\s*(?P<u_zfirst>{_ZH_UNIT})",
            rf"(?P<zend>最后|结尾|末尾|末|尾)的?(?:那|这)?(?P<u_zend>{_ZH_UNIT})",
            rf"(?P<zbegin>首|开头的?(?:那|这)?)(?P<u_zbegin>{_ZH_UNIT})",
            rf"(?<!以)(?P<step>[上下])一?(?P<u_step>{_ZH_UNIT})",
            rf"第\s*(?P<znth>(?>{ZH}))(?:\s*(?P<u_znth>{_ZH_UNIT})|(?!{_MEASURE}))",
            r"(?P<u_zhead>行号?|镜头?|字幕|段落|序号|编号)\s*:?\s*(?P<zhead>\d{1,6})(?!\d|[.:]\d)",
            rf"(?<![a-z])(?P<u_ehead>{_EN_UNIT})(?:[\s:#]|numbers?\b|nos?\b\.?|(?<=\n)[-*])*"
            rf"(?P<ehead>{EN_ORDINAL}|{EN})(?![a-z]|[.:]\d|%)",
            rf"\b(?:first|opening|top|initial)\s+(?P<efirst>{EN}){_ADJECTIVE}\s+(?P<u_efirst>{_EN_UNIT})",
            rf"\b(?:last|final|closing|bottom)\s+(?P<elast>(?!one\b){EN})(?:{_ADJECTIVE}\s+(?P<u_elast>{_EN_UNIT}))?",
            rf"\b(?P<eback>{EN_ORDINAL}|next)(?:[ -](?:to[ -])?(?:the )?(?:last|final)\b|[ -]from (?:the )?(?:end|bottom)\b)"
            rf"(?:{_ADJECTIVE}\s+(?P<u_eback>{_EN_UNIT}))?",
            rf"\b(?P<enext>next|following|subsequent|previous|preceding)\s+(?:(?P<n_enext>{EN})\b)?"
            rf"(?:{_ADJECTIVE}\s*(?P<u_enext>{_EN_UNIT}))?",
            rf"\b(?P<n_eside>{EN}|few|an?|the)\s+(?P<u_eside>{_EN_UNIT}) (?:right |just |immediately |directly )?"
            r"(?P<eside>after|below|following|before|above|preceding)(?: it\b| that\b)?",
            rf"\b(?P<eord>(?>{EN_ORDINAL}))(?:{_ADJECTIVE}\s+(?P<u_eord>{_EN_UNIT})"
            rf"(?P<eord_back> from the (?:end|bottom|last)\b)?"
            rf"|(?={_GOES_ON}))",
            rf"\b(?P<eend>last|final|closing|bottom|penultimate)\b(?: one\b)?(?:{_ADJECTIVE}\s+(?P<u_eend>{_EN_UNIT}))?",
            rf"\b(?P<ebegin>opening|top|initial)\s+(?P<u_ebegin>{_EN_UNIT})",
            rf"(?<![a-z0-9_.:$¥€£])(?P<bare>\d{{1,6}})(?!\d|[.:]\d|(?:st|nd|rd|th)\b)"
            rf"(?:\s*(?P<u_bare>{_ZH_UNIT})|(?!{_MEASURE}))",
            rf"(?P<han>[零〇一二两兩三四五六七八九十百千]{{1,7}}+)(?:(?P<u_han>{_ZH_UNIT})|(?!{_MEASURE}))",
            rf"\b(?!\d|one\b)(?P<word>(?>{EN}))(?!{_MEASURE})",
            r"(?P<stop>\b(?:very )?end\b|结尾|末尾|最后|文末)",
            r"(?P<go>\b(?:start|beginning|top)\b|开头)",
        )
    )
)
"""One number or place in a row, in every form; the longer ones stand first."""

KINDS = (
    "id", "zback", "zafter", "zlast", "zbefore", "zfirst", "zend", "zbegin", "step", "znth", "zhead", "ehead", "efirst",
    "elast", "eback", "enext", "eside", "eord", "eend", "ebegin", "bare", "han", "word", "stop", "go",
)  # fmt: skip
_UNITS: tuple[tuple[str, Unit], ...] = (
    ("条镜格", "cue"), ("行", "line"), ("句", "sentence"), ("部章节幕场", "section"), ("段", "paragraph"),
)  # fmt: skip
_EN_UNITS: tuple[tuple[tuple[str, ...], Unit], ...] = (
    (("cue", "caption", "subtitle", "字幕"), "cue"), (("sentence",), "sentence"), (("para", "block"), "paragraph"),
    (("section", "part", "chapter", "scene", "act"), "section"), (("line", "row", "segment"), "line"),
)  # fmt: skip


def _unit(text: str) -> Unit:
    for starts, unit in _EN_UNITS:
        if text.startswith(starts):
            return unit
    return next((unit for chars, unit in _UNITS if any(char in text for char in chars)), "line")


@dataclass(slots=True)
class Member:
    """One number in a row: what it means alone, and the words between it and the one before."""

    kind: str
    match: re.Match[str]
    gap: str
    is_to: bool
    first: int = 0
    last: int = 0
    unit: Unit | None = None

    def __post_init__(self) -> None:
        word = self.match.groupdict().get(f"u_{self.kind}")
        self.unit = "line" if self.kind == "id" else _unit(word) if word else None
        self.first, self.last = self._reach()

    def _reach(self) -> tuple[int, int]:
        count = self.count
        match self.kind:
            case "zback" | "eback":
                return -count, -count
            case "zlast" | "elast":
                return -count, -1
            case "zfirst" | "efirst":
                return 1, count
            case "zend" | "eend" | "stop":
                number = -2 if self.match[0].startswith("penultimate") else -1
                return number, number
            case "zbegin" | "ebegin" | "go":
                return 1, 1
            case "zafter" if "后" in self.match["after"]:
                return -count, -1
            case "zbefore" if "前" in self.match["before"]:
                return 1, count
            case "zafter" | "zbefore" | "step" | "enext" | "eside":
                return 0, 0
            case _:
                return (-count, -count) if self.match["eord_back"] else (count, count)

    @property
    def count(self) -> int:
        """The number itself, 1 where the words have none."""
        if self.kind == "eback" and self.match["eback"] == "next":
            return 2
        word = self.match.groupdict().get(f"n_{self.kind}") or self.match[self.kind]
        return count_of(word) if re.fullmatch(f"{ZH}|{EN_ORDINAL}|{EN}", word) else 3 if word == "few" else 1

    @property
    def step(self) -> int:
        """Where it counts from its neighbour in the row: 1 behind it, -1 before it; 0 where it does not."""
        match self.kind:
            case "zafter":
                return 1
            case "zbefore":
                return -1
            case "step" | "enext" | "eside":
                return (
                    -1 if self.match[self.kind] in ("上", "previous", "preceding", "before", "above") else 1
                )
            case _:
                return 0
