"""What the offline editor answers when what was named is not there: text, lines, or so many of them."""

from collections.abc import Sequence

from script_editor.domain.matching import nearest_passage
from script_editor.errors import EditRefused
from script_editor.offline.sayings import listed, refused, shown
from script_editor.offline.wording import Language

_UNIT_NAMES = {"line": ("行", "line"), "sentence": ("句", "sentence"), "paragraph": ("段", "paragraph")}
_MAX_COMPARED_CHARS = 200


class Absent(EditRefused):
    """A refusal that has not yet looked for the nearest passage, which takes long in a long script.

    Most are only the sign that one of several readings fails, and are never shown.
    """

    def __init__(self, refusal: EditRefused, text: str, lines: Sequence[str]):
        super().__init__(
            refusal.reason,
            refusal.message,
            segments=refusal.segments,
            advice=refusal.advice,
            language=refusal.language,
        )
        self.text, self._lines = text, lines

    def complete(self) -> EditRefused:
        """Return the refusal as it is shown."""
        return EditRefused(
            self.reason,
            self.message,
            segments=self.segments,
            advice=self.advice,
            nearest=nearest_passage(self._lines, self.text[:_MAX_COMPARED_CHARS]),
            language=self.language,
        )


def absent(language: Language, text: str, numbers: Sequence[int], lines: Sequence[str]) -> Absent:
    """A text does not occur in the lines searched; `numbers` are those lines unless all were meant."""
    where = listed(language, numbers)
    zh_where, en_where = (f"第 {where} 行里", f"in line {where}") if numbers else ("脚本里", "in the script")
    refusal = refused(
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
    return refused(
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
    return refused(
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
    return refused(
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
    return refused(
        "no_match",
        language,
        (f"只有 {found} 行符合“{text}”，没有第 {asked} 个。", f'Only {found} lines fit "{text}"; there is no number {asked}.'),
        ("请用行号。", "Use line numbers."),
    )  # fmt: skip


def no_lines(language: Language) -> EditRefused:
    """The script has no line that a new one could stand beside."""
    return refused(
        "no_match",
        language,
        ("脚本里还没有任何一行。", "The script has no lines."),
        ("请先写入第一行。", "Write a first line before editing."),
    )
