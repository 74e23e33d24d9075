"""What was wrong with a refused edit, where and with which words, and what stays as it is.

The notes of raise sites are English. A Chinese reader gets what the tables say for one. Where a note is
neither known there nor the sentence to show, what it alone tells is found by comparing it with the other
facts, so that nothing is said twice and nothing is lost; of such a note a Chinese reader gets the passages
and numbers.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from script_editor.domain.refusals.found_zh import FOUND
from script_editor.domain.refusals.phrases import Row
from script_editor.domain.refusals.raised_zh import RAISED
from script_editor.domain.refusals.sayings import in_chinese, lines_zh, shortened
from script_editor.errors import EditRefused, Language
from script_editor.patterns import Pattern

_NOTE_CHARS = 160
_SHOWN_LINES = 8
_SHOWN_PASSAGES = 3
_SAYINGS = (*FOUND, *RAISED)
_MAX_READ_CHARS = 1000
"""How much of a note or a passage is looked at: a model's own words may be of any length."""
_STOPS = (".", "!", "?", "…", "。", "！", "？")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The facts of one refusal for one audience, its passages cut to `chars` characters."""

    refusal: EditRefused
    row: Row
    kept: str
    language: Language
    is_for_person: bool
    chars: int
    is_for_writer: bool = False

    @property
    def note(self) -> str:
        """What the raise site said, as far as it is looked at."""
        return self.refusal.message.strip()[:_MAX_READ_CHARS]

    @property
    def note_chars(self) -> int:
        """How much of the note may be shown."""
        return min(_NOTE_CHARS, 4 * self.chars)

    @property
    def everything(self) -> str:
        """All facts, as the text that the note is compared with."""
        about = self.refusal
        passages = (passage[:_MAX_READ_CHARS] for passage in (about.example, about.was, about.nearest))
        return " ".join((*passages, self.kept, *map(str, about.segments)))

    @property
    def lines(self) -> str:
        """The lines concerned as a phrase, "" when there are none."""
        numbers = self.refusal.segments
        if not numbers:
            return ""
        more = len(numbers) - _SHOWN_LINES
        if self.language == "zh":
            return lines_zh(numbers)
        shown = ", ".join(map(str, numbers[:_SHOWN_LINES]))
        return f"line {shown}{f' and {more} more' if more > 0 else ''}"

    def passages(self, said: str) -> Iterator[str]:
        """Yield a sentence for each passage that `said` does not hold already."""
        zh = self.language == "zh"
        was = (
            ("锁定的是：", "Locked is: ")
            if self.refusal.reason == "locked_changed"
            else ("原来是：", "Before: ")
        )
        for passage, label in (
            (self.refusal.example, "相关文字：" if zh else "It reads: "),
            (self.refusal.was, was[0] if zh else was[1]),
            (self.refusal.nearest, "最接近的一句：" if zh else "The nearest passage is: "),
        ):
            if passage and passage not in said and passage.replace("\n", " / ") not in said:
                shown = shortened(passage, self.chars)
                stop = "" if shown.endswith(_STOPS) else "。" if zh else "."
                yield f"{label}“{shown}”{stop}"


def sentences(facts: Facts) -> str:
    """Return what was wrong, where, with which words, and what stays."""
    if facts.language == "en" and _is_telling(facts):
        fault = said = _noted(facts)
    elif facts.language == "zh" and not _needs_the_note(facts):
        fault = said = _told_in_chinese(facts)
    else:
        said = _detail(facts)
        fault = _named(facts, facts.lines, said)
    space = "" if facts.language == "zh" else " "
    return space.join((fault, *facts.passages(said), _kept(facts)))


def _is_telling(facts: Facts) -> bool:
    """Say whether the note alone tells this audience what was wrong."""
    is_strange = facts.row.is_technical or _OF_OPERATIONS.search(facts.note) is not None
    return bool(facts.note) and not (facts.is_for_person and is_strange)


def _needs_the_note(facts: Facts) -> bool:
    """Say whether the one told wrote the operations that a note speaks of, and needs its exact words."""
    is_of_operations = facts.row.is_technical or _OF_OPERATIONS.search(facts.note) is not None
    return facts.is_for_writer and is_of_operations


def _told_in_chinese(facts: Facts) -> str:
    """Return the reason's own sentence with the lines and what the note says, all of it Chinese."""
    told = in_chinese(facts.refusal.message, _SAYINGS, facts.chars)
    if told is None:
        return _named(facts, facts.lines, _mentioned(facts))
    return _named(facts, "" if told.is_placed else facts.lines, told.text)


def finding_zh(facts: Facts) -> str:
    """Return a finding as a sentence: what the note says about its lines, else the reason's own sentence."""
    told = in_chinese(facts.refusal.message, _SAYINGS, facts.chars)
    if told is None or not told.text:
        said = _named(facts, facts.lines, "" if told else _mentioned(facts))
    else:
        where = f"{facts.lines}：" if facts.lines and not told.is_placed else ""
        said = f"{where}{told.text}。"
    was = facts.refusal.was if facts.refusal.reason == "locked_changed" else ""
    return f"{said}锁定的是：“{shortened(was, facts.chars)}”。" if was and was not in said else said


def _mentioned(facts: Facts) -> str:
    """Return the passages that an unknown note quotes and the numbers it names, where no other sentence does."""
    note = facts.note
    if facts.row.is_technical or _OF_OPERATIONS.search(note):
        return ""
    words = set(_WORDS_WITH_DIGITS.findall(facts.everything))
    numbers = dict.fromkeys(_WORDS_WITH_DIGITS.findall(_PASSAGES.sub("", note)))
    quoted = [f"“{shortened(passage, facts.chars)}”" for passage in _untold_passages(note, facts)]
    named = [*quoted[:_SHOWN_PASSAGES], *(number.strip(".") for number in numbers if number not in words)]
    return f"涉及：{'、'.join(shortened(name, facts.chars) for name in named[:6])}" if named else ""


def _noted(facts: Facts) -> str:
    """Return the note of the raise site as a sentence, with the lines where it does not name them."""
    note = shortened(facts.note, facts.note_chars)
    numbers = facts.refusal.segments
    is_placed = facts.refusal.reason == "locked_changed" and _NAMES_LINES.search(note)  # of the text before
    if numbers and not is_placed and not _names_line(note, numbers[0]):
        return f"{note.rstrip('.')} ({facts.lines})."
    return note if note.endswith(_STOPS) else f"{note}."


def _names_line(note: str, number: int) -> bool:
    return re.search(rf"\b[Ll]ines? [\d, and–-]{{0,40}}(?<!\d){number}(?!\d)", note) is not None


def _named(facts: Facts, lines: str, detail: str) -> str:
    """Return the reason's own sentence with the lines and the detail."""
    beside = "；" if facts.language == "zh" else "; "
    about = beside.join(part for part in (lines, detail) if part)
    what = facts.row.phrase(facts.language).what
    if facts.language == "zh":
        return f"{what}{f'（{about}）' if about else ''}。"
    return f"{what}{f' ({about})' if about else ''}."


_WORDS_WITH_DIGITS = Pattern(r"[\w.@-]*\d[\w@-]*", re.ASCII)
_PASSAGES = Pattern(r"(?<!\w)'[^']+'(?!\w)|\"[^\"]+\"|“[^“”]+”|\d*(?:[\u3400-\u9fff]\d*)+")
_NAMES_LINES = Pattern(r"\b[Ll]ines? \d")
_OF_OPERATIONS = Pattern(r"@@|\bS\d+\b")
"""Marks of a note about the operations that a model writes; the person who asked has never seen them."""


def _detail(facts: Facts) -> str:
    """Return what of the note no other sentence tells, "" when that is nothing.

    A person gets the words or the passages that it quotes, where they are all of it, and nothing about
    operations; the model always gets the whole note of what it did wrong in them.
    """
    note = facts.note
    is_untold = bool(_untold_passages(note, facts)) or _has_more(note, facts)
    if not facts.is_for_person:
        return _whole(note, facts) if is_untold or facts.row.is_technical else ""
    if not is_untold or _OF_OPERATIONS.search(note):
        return ""
    about, _, quoted = note.partition(": ")
    if quoted and not _untold_passages(about, facts) and not _has_more(about, facts):
        return _whole(quoted, facts)
    if facts.row.is_technical:
        return ""
    if _has_more(note, facts):
        return _whole(note, facts)
    passages = (f"“{shortened(passage, facts.chars)}”" for passage in _untold_passages(note, facts))
    return ("、" if facts.language == "zh" else ", ").join(islice(passages, _SHOWN_PASSAGES))


def _whole(note: str, facts: Facts) -> str:
    return shortened(note, facts.note_chars).rstrip(".")


def _untold_passages(note: str, facts: Facts) -> list[str]:
    """Return the passages that a note quotes and the facts do not hold, each once."""
    told = facts.everything
    quoted = (passage.strip("'\"“”") for passage in _PASSAGES.findall(note))
    return [passage for passage in dict.fromkeys(quoted) if passage not in told]


def _has_more(note: str, facts: Facts) -> bool:
    """Say whether a note holds, besides passages, a number or somebody's words that the facts do not."""
    told = facts.everything
    rest = _PASSAGES.sub("", note)
    words = set(_WORDS_WITH_DIGITS.findall(told))
    _, _, quoted = rest.partition(": ")
    quoted = quoted.strip(" .")
    return any(word not in words for word in _WORDS_WITH_DIGITS.findall(rest)) or (
        any(char.isalnum() for char in quoted) and quoted not in told
    )


def _kept(facts: Facts) -> str:
    """Return what was not touched, and where the result went if it was kept."""
    kept, proposal, zh = facts.kept, facts.refusal.proposal_id, facts.language == "zh"
    if facts.refusal.reason == "unchanged":
        nothing = "没有新版本" if zh else "No new version was made"
    else:
        nothing = "没有保存" if zh else "Nothing was saved"
    if zh:
        stays = f"；{kept} 保持不变。" if kept else "。"
        return nothing + stays + (f"结果留作提案 {proposal}。" if proposal else "")
    stays = f"; {kept} stays as it is." if kept else "."
    return nothing + stays + (f" The result is kept as proposal {proposal}." if proposal else "")
