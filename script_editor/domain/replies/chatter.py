"""Lines that models put around a result, in Chinese and English: openings, closings, notes, alternatives.

These are closed shapes of one line. A shape alone never decides: whether a line is the author's, or text
that was asked for, is the caller's question (`authorship`). "sure" shapes speak of the work itself
("Here is the revised script:"); "maybe" shapes could be speech in a video ("Hope this helps!").
"""

import re
from typing import Literal

from script_editor.domain.replies import chatter_en as en
from script_editor.domain.replies import chatter_zh as zh
from script_editor.patterns import Pattern

Shape = Literal["sure", "maybe"]

_MAX_CHARS = 240
_DECORATION = " \t\u3000#*_>`~-–—=【】[]「」『』()（）<>"
_ACKNOWLEDGED = Pattern(rf"(?:{zh.ACK}|{en.ACK})[!！.。~～,，:： ]{{0,3}}", re.IGNORECASE)
_ACKNOWLEDGED_AND_MORE = Pattern(rf"(?:{zh.ACK}[！!，,。～~]|{en.SURE} ?[!.,–—-]).{{1,80}}", re.IGNORECASE)

_ORDINAL = r"(?:[A-Da-d]|[1-4]|[一二三四甲乙丙丁]|one|two|three|four|[IⅠ]{1,3})"
_LABEL = Pattern(
    rf"(?:(?:option|version|variant|alternative|take|draft|variation)\s{{0,2}}#?{_ORDINAL}\b"
    rf"|第{_ORDINAL}[种種](?:方案|版本|写法|改法)?"
    rf"|(?:第{_ORDINAL}(?:个|個|种|種)?|{_ORDINAL})?\s?(?:方案|版本|选项|選項|备选|備選|写法|改法|版)\s?{_ORDINAL}?)(?P<rest>.{{0,60}})",
    re.IGNORECASE,
)
_KIND = Pattern(r"option|version|variant|alternative|take|draft|variation", re.IGNORECASE)
_ORIGINAL = Pattern(
    r"(?:原文|原稿|原版|原句|原脚本|原腳本|修改前|original(?: (?:script|text|version|line))?)(?:如下)?[：:].*"
    r"|(?:before|old|改前)(?: (?:script|text|version|line))?[：:]",
    re.IGNORECASE,
)
_REVISED = Pattern(
    r"(?:修改后|修改後|改写后|润色后|修改版|改为|现为|revised?(?: (?:script|text|version|line))?|updated|edited)"
    r"(?:的?(?:脚本|文案|版本|内容))?(?:如下)?[：:].*|(?:after|new|改后|改後|新版)(?: (?:script|text|version|line))?[：:]",
    re.IGNORECASE,
)
_ANOTHER = Pattern(
    r"(?:或者|或是|亦可|另一(?:个|種|种)?(?:版本|方案|写法|选择)?|备选(?:版本|方案)?|alternatively|alternative(?: version)?"
    r"|or(?: (?:this|a|an|maybe))?|another (?:option|version|take)"
    r"|a (?:shorter|longer|funnier|second|different) (?:version|option|take))[^。.!?？！]{0,50}[：:]",
    re.IGNORECASE,
)
_RULE = Pattern(r"\s*(?:(?:-\s?){3,}|(?:\*\s?){3,}|(?:_\s?){3,}|={3,}|[—－─━]{2,})\s*")


def bare(line: str) -> str:
    """Return a line without Markdown marks and brackets around it, "" when it is too long to be a shape."""
    if len(line) > 2 * _MAX_CHARS:
        return ""
    return line.replace("**", "").replace("__", "").strip().strip(_DECORATION).strip()


def opening(line: str) -> Shape | None:
    """Say whether a line announces a result: "好的！以下是修改后的脚本：", "Sure! Here is the revised script:"."""
    said = bare(line)
    if not said or len(said) > _MAX_CHARS:
        return None
    if zh.OPENING.fullmatch(said) or en.OPENING.fullmatch(said):
        is_of_the_work = zh.OF_THE_WORK.search(said) or en.OF_THE_WORK.search(said)
        return "sure" if said.endswith((":", "：")) and is_of_the_work else "maybe"
    if zh.TITLE.fullmatch(said) or en.TITLE.fullmatch(said):
        return "sure" if said != line.strip() else "maybe"
    is_maybe = (
        _opens_with_more(said)
        or _ACKNOWLEDGED.fullmatch(said)
        or _ACKNOWLEDGED_AND_MORE.fullmatch(said)
        or reports_change(said)
    )
    return "maybe" if is_maybe else None


_FIRST_SENTENCE = Pattern(r"[^.!:：。！]{1,160}(?P<end>[.!:：。！])(?=.)")


def _opens_with_more(said: str) -> bool:
    """Say whether a line announces a result and says more of it: "Here's a warmer version. I kept it short!"."""
    first = _FIRST_SENTENCE.match(said)
    if first is None:
        return False
    sentence = said[: first.start("end")] + "."
    return en.OPENING.fullmatch(sentence) is not None and en.ABOUT_THE_WORK.search(sentence) is not None


def reports_change(line: str) -> bool:
    """Say whether a line tells what was changed: "已将第二句改得更幽默。", "I've updated the opening line."."""
    said = bare(line).lstrip("0123456789.、) ").strip()
    if not said or len(said) > _MAX_CHARS:
        return False
    is_zh = zh.REPORT.fullmatch(said) is not None and zh.ABOUT_THE_WORK.search(said) is not None
    return is_zh or (en.REPORT.fullmatch(said) is not None and en.ABOUT_THE_WORK.search(said) is not None)


def closing(line: str) -> Shape | None:
    """Say whether a line takes leave of the one who asked: "Let me know if you'd like any other changes!"."""
    said = bare(line)
    if not said or len(said) > _MAX_CHARS:
        return None
    if zh.CLOSING.fullmatch(said) or en.CLOSING.fullmatch(said):
        return "sure"
    is_maybe = zh.MAYBE_CLOSING.fullmatch(said) or en.MAYBE_CLOSING.fullmatch(said) or reports_change(said)
    return "maybe" if is_maybe else None


def notes(line: str) -> Shape | None:
    """Say whether a line begins an explanation of the changes: "修改说明：", "Changes made:", "Note: I kept …"."""
    said = bare(line)
    if not said or len(said) > _MAX_CHARS:
        return None
    if zh.NOTES.fullmatch(said) or en.NOTES.fullmatch(said):
        return "sure"
    note = zh.MAYBE_NOTES.fullmatch(said) or en.MAYBE_NOTES.fullmatch(said)
    if note is None:
        return None
    return "sure" if reports_change(note["said"]) else "maybe"


def alternative(line: str) -> tuple[str, bool] | None:
    """Return the label of one of several results, and whether it stands alone: "Option A:", "版本二（更活泼）"."""
    said = bare(line)
    label = _LABEL.fullmatch(said) if len(said) <= _MAX_CHARS else None
    if label is None:
        return None
    name = said[: label.start("rest")]
    if not re.search(_ORDINAL, _KIND.sub("", name), re.IGNORECASE):
        return None
    rest = label["rest"].strip()
    is_alone = (
        not rest or rest in ":：" or rest[-1] in ":：）)" or rest[0] in "（(–—-" or line.strip() != said
    )
    if not is_alone and rest[0] not in ":：、.":
        return None
    return re.sub(r"\s", "", name).casefold(), is_alone


def announces_another(line: str) -> bool:
    """Say whether a line leads over to a second result: "或者：", "Alternatively, a shorter version:"."""
    return _ANOTHER.fullmatch(bare(line)) is not None


def is_original_label(line: str) -> bool:
    """Say whether a line announces the text as it was: "原文：", "Original:"."""
    return _ORIGINAL.fullmatch(bare(line)) is not None


def is_revised_label(line: str) -> bool:
    """Say whether a line announces the text as it is now: "修改后：", "Revised:"."""
    return _REVISED.fullmatch(bare(line)) is not None


def is_rule(line: str) -> bool:
    """Say whether a line is a horizontal rule: `---`, `***`, `———`."""
    return len(line) <= _MAX_CHARS and _RULE.fullmatch(line) is not None
