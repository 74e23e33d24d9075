"""What the offline editor answers when it does not edit, in the language of the instruction.

Every answer says what was looked for, where, and what to type instead.
"""

from collections.abc import Sequence

from script_editor.domain.matching import nearest_passage
from script_editor.errors import BeyondOffline, EditRefused
from script_editor.offline.wording import Language

_UNIT_NAMES = {"line": ("行", "line"), "sentence": ("句", "sentence"), "paragraph": ("段", "paragraph")}
_MAX_SHOWN_CHARS = 60
_MAX_COMPARED_CHARS = 200


def _say(language: Language, zh: str, en: str) -> str:
    return zh if language == "zh" else en


def shown(text: str) -> str:
    """Return `text` cut to what fits into one sentence."""
    return text if len(text) <= _MAX_SHOWN_CHARS else text[: _MAX_SHOWN_CHARS - 1] + "…"


def _listed(language: Language, numbers: Sequence[int]) -> str:
    return ("、" if language == "zh" else ", ").join(map(str, numbers))


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
        _say(language, zh, en),
        hint=_say(
            language,
            "设置 OPENAI_API_KEY 和 MODEL_NAME（其他服务再加 OPENAI_BASE_URL）即可使用模型；"
            "或者改用机械指令，例如：把“旧词”改成“新词”；删掉第3行；在第2行后面加一行：……",
            "Set OPENAI_API_KEY and MODEL_NAME (and OPENAI_BASE_URL for another service) to use a model, "
            'or give a mechanical instruction such as: replace "old" with "new"; delete line 3; '
            "add a line after line 2: ...",
        ),
    )


def too_many_parts(language: Language) -> BeyondOffline:
    """The instruction is longer than the grammar is willing to search."""
    return BeyondOffline(
        _say(
            language,
            "这条指令太长，离线编辑器没法一次看完。",
            "This instruction is too long for the offline editor.",
        ),
        hint=_say(language, "请分成几次来改。", "Split it into several instructions."),
    )


def one_at_a_time(language: Language) -> BeyondOffline:
    """A command about versions stands in one instruction with an edit."""
    return BeyondOffline(
        _say(
            language,
            "离线编辑器不能在一条指令里既管理版本又修改文字。",
            "The offline editor cannot manage versions and edit text in one instruction.",
        ),
        hint=_say(
            language,
            "请分两次来：先做一件，再做另一件。",
            "Do them one after the other, in two instructions.",
        ),
    )


def _refused(
    reason: str,
    language: Language,
    message: tuple[str, str],
    advice: tuple[str, str],
    *,
    segments: Sequence[int] = (),
    nearest: str = "",
) -> EditRefused:
    return EditRefused(
        reason, _say(language, *message), advice=_say(language, *advice), segments=segments, nearest=nearest
    )


# --- not found -------------------------------------------------------------------------------


class Absent(EditRefused):
    """A refusal that has not yet looked for the nearest passage, which takes long in a long script.

    Most are only the sign that one of several readings fails, and are never shown.
    """

    def __init__(self, refusal: EditRefused, text: str, lines: Sequence[str]):
        super().__init__(refusal.reason, refusal.message, segments=refusal.segments, advice=refusal.advice)
        self._text, self._lines = text, lines

    def complete(self) -> EditRefused:
        """Return the refusal as it is shown."""
        return EditRefused(
            self.reason,
            self.message,
            segments=self.segments,
            advice=self.advice,
            nearest=nearest_passage(self._lines, self._text[:_MAX_COMPARED_CHARS]),
        )


def absent(language: Language, text: str, numbers: Sequence[int], lines: Sequence[str]) -> Absent:
    """A text does not occur in the lines searched; `numbers` are those lines unless all were meant."""
    where = _listed(language, numbers)
    zh_where, en_where = (f"第 {where} 行里", f"in line {where}") if numbers else ("脚本里", "in the script")
    refusal = _refused(
        "no_match",
        language,
        (f"{zh_where}没有“{shown(text)}”。", f'"{shown(text)}" does not occur {en_where}.'),
        (
            "请照原文写要找的字（区分大小写，英文和数字按整词匹配），放在引号里。",
            "Give the text exactly as it stands in the script, in quotation marks (case counts, whole words only).",
        ),
        segments=numbers,
    )
    return Absent(refusal, text, lines)


def too_few(language: Language, text: str, found: int, asked: int) -> EditRefused:
    """A text occurs, but not as often as the ordinal asks."""
    return _refused(
        "no_match",
        language,
        (f"“{shown(text)}”只出现了 {found} 次，没有第 {asked} 个。",
         f'"{shown(text)}" occurs {found} times; there is no number {asked}.'),
        (f"请用第 1 到第 {found} 个，或者“全部”。", f"Use a number from 1 to {found}, or all."),
    )  # fmt: skip


def out_of_range(language: Language, unit: str, asked: int, count: int) -> EditRefused:
    """There is no line, sentence or paragraph of this number."""
    zh_unit, en_unit = _UNIT_NAMES[unit]
    zh_name = f"第 {asked} {zh_unit}" if asked >= 0 else f"倒数第 {-asked} {zh_unit}"
    en_name = f"{en_unit} {asked}" if asked >= 0 else f"{en_unit} {-asked} from the end"
    return _refused(
        "no_match",
        language,
        (f"没有{zh_name}：脚本共有 {count} {zh_unit}（空行不算）。",
         f"There is no {en_name}: the script has {count} (blank lines are not counted)."),
        (f"请用 1 到 {count} 之间的数字。", f"Use a number from 1 to {count}."),
    )  # fmt: skip


def no_line_with(
    language: Language, texts: Sequence[str], negated: bool, lines: Sequence[str]
) -> EditRefused:
    """No line holds the text by which it was to be found."""
    text = shown(" / ".join(texts))
    zh = f"每一行都有“{text}”。" if negated else f"没有哪一行符合“{text}”。"
    en = f'Every line has "{text}".' if negated else f'No line fits "{text}".'
    return _refused(
        "no_match",
        language,
        (zh, en),
        (
            "请照原文写那一行里的字，或者用行号。",
            "Give words exactly as they stand in the line, or its number.",
        ),
        nearest="" if negated else nearest_passage(lines, texts[0]),
    )


def too_few_lines(language: Language, texts: Sequence[str], found: int, asked: int) -> EditRefused:
    """Lines fit, but fewer than the ordinal asks."""
    text = shown(" / ".join(texts))
    return _refused(
        "no_match",
        language,
        (f"只有 {found} 行符合“{text}”，没有第 {asked} 个。", f'Only {found} lines fit "{text}"; there is no number {asked}.'),
        ("请用行号。", "Use line numbers."),
    )  # fmt: skip


def no_lines(language: Language) -> EditRefused:
    """The script has no line that a new one could stand beside."""
    return _refused(
        "no_match",
        language,
        ("脚本里还没有任何一行。", "The script has no lines."),
        ("请先写入第一行。", "Write a first line before editing."),
    )


# --- ambiguous -------------------------------------------------------------------------------


def ambiguous(
    language: Language, zh: str, en: str, zh_advice: str, en_advice: str, segments: Sequence[int] = ()
) -> EditRefused:
    """A mechanical request that could mean several things, or lacks a part."""
    return _refused("ambiguous_match", language, (zh, en), (zh_advice, en_advice), segments=segments)


def several_readings(language: Language, what: str) -> EditRefused:
    """The words can be split in more than one way, with different results."""
    return ambiguous(
        language,
        f"“{shown(what)}”有不止一种读法，结果不同。",
        f"This can be read in more than one way, with different results: {shown(what)}",
        "请给要改的字和新的字都加上引号。",
        "Put the old and the new text in quotation marks.",
    )


def no_target(language: Language, what: str) -> EditRefused:
    """It is not said which text or line is meant."""
    return ambiguous(
        language,
        f"“{shown(what)}”没有说清要改哪里。",
        f"It is not clear which text or line is meant: {shown(what)}",
        "请写出行号，或者把原文放在引号里，例如：把第3行的“旧词”改成“新词”。",
        'Name the line or quote the text, for example: in line 3 replace "old" with "new".',
    )


def no_text(language: Language, what: str) -> EditRefused:
    """The new text is missing."""
    return ambiguous(
        language,
        f"“{shown(what)}”没有给出新的文字。",
        f"The new text is missing: {shown(what)}",
        "请把要写入的文字放在引号里或冒号后面，例如：在第3行后面加一行：慢慢来。",
        'Put the text in quotation marks or after a colon, for example: add after line 3: "Take it slowly."',
    )


def no_place(language: Language, what: str) -> EditRefused:
    """It is not said where a line is to go."""
    return ambiguous(
        language,
        f"“{shown(what)}”没有说清放在哪里。",
        f"It is not clear where this should go: {shown(what)}",
        "请说明位置，例如：第3行前面、第3行后面、开头、结尾。",
        "Say where: before line 3, after line 3, at the start, at the end.",
    )


def uncertain_text(language: Language, what: str) -> EditRefused:
    """It cannot be told whether words without quotation marks are the text itself."""
    return ambiguous(
        language,
        f"看不出“{shown(what)}”是不是原样写入的文字。",
        f"It is not clear whether these words are the text itself: {shown(what)}",
        "如果是，请放进引号。",
        "If they are, put them in quotation marks.",
    )


def shares_its_line(language: Language, number: int) -> EditRefused:
    """A sentence was named where only a whole line can be used."""
    return ambiguous(
        language,
        f"那一句只是第 {number} 行的一部分。",
        f"That sentence is only a part of line {number}.",
        "请用行号。",
        "Use a line number.",
        segments=(number,),
    )


def unclear_sentence(language: Language) -> EditRefused:
    """Sentences were counted in a script whose lines hold several."""
    return ambiguous(
        language,
        "有的行不止一句，第几句就说不清是哪一句。",
        "Some lines hold several sentences, so a sentence number is not clear.",
        "请用行号，例如：第3行，或者第3行的第二句。",
        "Name the line: line 3, or the second sentence of line 3.",
    )


def several_lines(language: Language, texts: Sequence[str], numbers: Sequence[int]) -> EditRefused:
    """One line was asked for and several fit."""
    text, listed = shown(" / ".join(texts)), _listed(language, numbers)
    return ambiguous(
        language,
        f"有“{text}”的不止一行：第 {listed} 行。",
        f'More than one line has "{text}": lines {listed}.',
        "请用行号，或者说“所有包含……的行”。",
        "Use the line number, or say: every line containing ...",
        segments=numbers,
    )


def not_a_line(language: Language, text: str) -> EditRefused:
    """A quotation names a place or a line, but is only a part of one."""
    return ambiguous(
        language,
        f"“{shown(text)}”只是一行里的一部分，说不清是行内还是另起一行。",
        f'"{shown(text)}" is only a part of a line, so it is not clear whether a line beside it is meant.',
        f"请说“{shown(text)}”那一行，或者用行号。",
        f'Say the line containing "{shown(text)}", or its number.',
    )


def one_line_wanted(language: Language, numbers: Sequence[int]) -> EditRefused:
    """A place beside one line is needed and several were named."""
    listed = _listed(language, numbers)
    return ambiguous(
        language,
        f"这里只能指一行，却对上了第 {listed} 行。",
        f"One line is needed here, but lines {listed} fit.",
        "请用一个行号。",
        "Give one line number.",
        segments=numbers,
    )


def wrong_count(language: Language, text: str, found: int, claimed: int) -> EditRefused:
    """The instruction says how often a text occurs, and it does not."""
    return ambiguous(
        language,
        f"“{shown(text)}”出现了 {found} 次，不是 {claimed} 次。",
        f'"{shown(text)}" occurs {found} times, not {claimed}.',
        "请说“全部”，或者第几个。",
        "Say all, or which one.",
    )


def in_use_too(language: Language, text: str) -> EditRefused:
    """A word stands both free, as a filler, and in use."""
    return ambiguous(
        language,
        f"“{shown(text)}”有的是语气词，有的是正常用词。",
        f'"{shown(text)}" is a filler in some places and a word in use in others.',
        f"只删语气词请说：删掉语气词“{shown(text)}”；否则请指明第几个。",
        f'To cut the filler only, say: remove the filler "{shown(text)}". Otherwise say which one.',
    )


def not_between(language: Language, numbers: Sequence[int]) -> EditRefused:
    """A place between two lines was named that are not neighbours."""
    listed = _listed(language, numbers)
    return ambiguous(
        language,
        f"第 {listed} 行不是相邻的两行。",
        f"Lines {listed} are not two neighbours.",
        "请说在哪一行的前面或后面。",
        "Say before or after which line.",
        segments=numbers,
    )


def contradiction(language: Language, numbers: Sequence[int]) -> EditRefused:
    """Two parts of one instruction want different things of a line."""
    listed = _listed(language, numbers)
    return ambiguous(
        language,
        f"这条指令对第 {listed} 行提了两个互相矛盾的要求。",
        f"Two parts of this instruction contradict each other about line {listed}.",
        "请只留一个，或者分两次来改。",
        "Keep one of them, or give two instructions.",
        segments=numbers,
    )


def unclear_place(language: Language, number: int) -> EditRefused:
    """A line number was given as a place without saying on which side."""
    return ambiguous(
        language,
        f"“第 {number} 行”没有说清是它的前面还是后面。",
        f"It is not clear whether before or after line {number} is meant.",
        f"请写“第 {number} 行前面”或“第 {number} 行后面”。",
        f"Say before line {number} or after line {number}.",
        segments=(number,),
    )


# --- nothing to do, off target, empty --------------------------------------------------------


def unchanged(language: Language) -> EditRefused:
    """The result would equal the script."""
    return _refused(
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
    return _refused(
        "unchanged",
        language,
        ("没有找到单独停顿的语气词。", "No free-standing filler word was found."),
        ("正常使用的词不会删；要删别的词，请放在引号里。",
         "Words in use stay; to delete another word, put it in quotation marks."),
    )  # fmt: skip


def off_target(language: Language, numbers: Sequence[int], allowed: Sequence[int]) -> EditRefused:
    """The edit would touch lines outside those it was limited to."""
    touched, limit = _listed(language, numbers), _listed(language, allowed)
    return _refused(
        "off_target",
        language,
        (f"这样会改到第 {touched} 行，但只允许改第 {limit} 行。",
         f"This would change line {touched}, but only line {limit} may change."),
        (f"请在指令里写明第 {limit} 行。", f"Name line {limit} in the instruction."),
        segments=numbers,
    )  # fmt: skip


def nothing_left(language: Language) -> EditRefused:
    """The edit would delete the whole script."""
    return _refused(
        "empty",
        language,
        ("这样会把整个脚本删空。", "This would delete the whole script."),
        ("请写明要删的行号。", "Name the lines to delete."),
    )
