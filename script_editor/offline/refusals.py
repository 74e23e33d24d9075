"""What the offline editor answers when it cannot, may not or need not edit.

What is not there is in `absences`, what is not clear in `doubts`. Every answer says what was looked
for, where, and what to type instead.
"""

from collections.abc import Sequence

from script_editor.errors import BeyondOffline, EditRefused
from script_editor.offline.sayings import listed, refused, say, shown
from script_editor.offline.wording import Language


def beyond(language: Language, what: str = "") -> BeyondOffline:
    """It needs a writer or a judgement."""
    shown_what = shown(what)
    zh = (
        f"离线编辑器只做机械改动，做不了“{shown_what}”。"
        if what
        else "离线编辑器只做机械改动，这条要求需要会写作的模型。"
    )
    en = (
        f"The offline editor makes mechanical edits only; it cannot do: {shown_what}"
        if what
        else "The offline editor makes mechanical edits only; this needs a model that writes."
    )
    return BeyondOffline(
        say(language, zh, en),
        hint=say(
            language,
            "设置 OPENAI_API_KEY 和 MODEL_NAME（其他服务再加 OPENAI_BASE_URL）即可使用模型；"
            "或者改用机械指令，例如：把“旧词”改成“新词”；删掉第3行；在第2行后面加一行：……",
            "Set OPENAI_API_KEY and MODEL_NAME (and OPENAI_BASE_URL for another service) to use a model, "
            'or give a mechanical instruction such as: replace "old" with "new"; delete line 3; '
            "add a line after line 2: ...",
        ),
        language=language,
    )


def too_many_parts(language: Language) -> BeyondOffline:
    """The instruction is longer than the grammar is willing to search."""
    return BeyondOffline(
        say(
            language,
            "这条指令太长，离线编辑器没法一次看完。",
            "This instruction is too long for the offline editor.",
        ),
        hint=say(language, "请分成几次来改。", "Split it into several instructions."),
        language=language,
    )


def one_at_a_time(language: Language) -> BeyondOffline:
    """A command about versions stands in one instruction with an edit."""
    return BeyondOffline(
        say(
            language,
            "离线编辑器不能在一条指令里既管理版本又修改文字。",
            "The offline editor cannot manage versions and edit text in one instruction.",
        ),
        hint=say(
            language,
            "请分两次来：先做一件，再做另一件。",
            "Do them one after the other, in two instructions.",
        ),
        language=language,
    )


def unchanged(language: Language) -> EditRefused:
    """The result would equal the script."""
    return refused(
        "unchanged",
        language,
        (
            "照做之后脚本和现在一样，没有需要改的。",
            "The script would stay as it is; there is nothing to change.",
        ),
        ("请看一眼原文，确认要改的地方。", "Look at the script to see what should change."),
    )


def no_fillers(language: Language) -> EditRefused:
    """No filler word stands free in the lines searched."""
    return refused(
        "unchanged",
        language,
        ("没有找到单独停顿的语气词。", "No free-standing filler word was found."),
        ("正常使用的词不会删；要删别的词，请放在引号里。",
         "Words in use stay; to delete another word, put it in quotation marks."),
    )  # fmt: skip


def off_target(language: Language, numbers: Sequence[int], allowed: Sequence[int]) -> EditRefused:
    """The edit would touch lines outside those it was limited to."""
    touched, limit = listed(language, numbers), listed(language, allowed)
    return refused(
        "off_target",
        language,
        (f"这样会改到第 {touched} 行，但只允许改第 {limit} 行。",
         f"This would change line {touched}, but only line {limit} may change."),
        (f"请在指令里写明第 {limit} 行。", f"Name line {limit} in the instruction."),
        segments=numbers,
    )  # fmt: skip


def nothing_left(language: Language) -> EditRefused:
    """The edit would delete the whole script."""
    return refused(
        "empty",
        language,
        ("这样会把整个脚本删空。", "This would delete the whole script."),
        ("请写明要删的行号。", "Name the lines to delete."),
    )
