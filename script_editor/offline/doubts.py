"""What the offline editor answers when a mechanical request could mean several things, or lacks a part."""

from collections.abc import Sequence

from script_editor.errors import EditRefused
from script_editor.offline.sayings import listed, refused, shown
from script_editor.offline.wording import Language


def ambiguous(
    language: Language, zh: str, en: str, zh_advice: str, en_advice: str, segments: Sequence[int] = ()
) -> EditRefused:
    """A mechanical request that could mean several things, or lacks a part."""
    return refused("ambiguous_match", language, (zh, en), (zh_advice, en_advice), segments=segments)


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
    text, where = shown(" / ".join(texts)), listed(language, numbers)
    return ambiguous(
        language,
        f"有“{text}”的不止一行：第 {where} 行。",
        f'More than one line has "{text}": lines {where}.',
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
    where = listed(language, numbers)
    return ambiguous(
        language,
        f"这里只能指一行，却对上了第 {where} 行。",
        f"One line is needed here, but lines {where} fit.",
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
    where = listed(language, numbers)
    return ambiguous(
        language,
        f"第 {where} 行不是相邻的两行。",
        f"Lines {where} are not two neighbours.",
        "请说在哪一行的前面或后面。",
        "Say before or after which line.",
        segments=numbers,
    )


def contradiction(language: Language, numbers: Sequence[int]) -> EditRefused:
    """Two parts of one instruction want different things of a line."""
    where = listed(language, numbers)
    return ambiguous(
        language,
        f"这条指令对第 {where} 行提了两个互相矛盾的要求。",
        f"Two parts of this instruction contradict each other about line {where}.",
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


def noun_or_value(language: Language, noun: str, value: str, new: str) -> EditRefused:
    """A noun was named without quotation marks, and its value stands behind it."""
    noun, value, new = shown(noun), shown(value), shown(new)
    return ambiguous(
        language,
        f"“{noun}”后面写着“{value}”，看不出要换的是这个词还是它后面的内容。",
        f'Behind "{noun}" stands "{value}", so it is not clear whether the word or what follows it is to change.',
        f"换后面的内容请说：把“{value}”改成“{new}”；换这个词请给它加上引号：把“{noun}”改成“{new}”。",
        f'For what follows it, say: replace "{value}" with "{new}". For the word itself: replace "{noun}" with "{new}".',
    )
