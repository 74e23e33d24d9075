"""How long a script takes to say: syllables and pauses, one coefficient for Chinese and English.

A syllable counts 0.215 s, whoever speaks; how fast they do is `pace`. The coefficients were measured on
timed recordings (median error about 5 %), so a figure is always shown with its range. Of two pauses that
meet, such as a full stop and the blank line after it, the longer one counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from script_editor.domain.spoken.lines import Kind, spoken_lines
from script_editor.domain.spoken.words import Pause, Sound, heard, language_of_line

PACES: Final = {"slow": 1.2, "normal": 1.0, "news": 0.85, "fast": 0.75}
"""Presets: about 205, 249, 290 and 330 Chinese characters a minute, 135, 163, 190 and 215 English words."""

SPREAD = 0.15
"""How far one speaker may be from another before a recording of theirs was measured."""

_SYLLABLE, _LINE_END, _PARAGRAPH = 215, 400, 600  # milliseconds


@dataclass(frozen=True, slots=True)
class Spoken:
    """How long a text takes to say, and `low` and `high`, between which most speakers lie."""

    seconds: float
    low: float
    high: float
    syllables: int


def estimate(text: str, *, pace: float = 1.0) -> Spoken:
    """Return how long `text` takes to say: nothing for a text in which nothing is said.

    The parts add up: a text takes as long as its two halves and the pause between them. Pauses that
    the text asks for ([停顿2秒]) take their time at any pace; there is none after the last mark.
    """
    timed = _times(text)
    seconds = sum(line.seconds(pace) for line in timed)
    return Spoken(
        seconds=seconds,
        low=seconds * (1 - SPREAD),
        high=seconds * (1 + SPREAD),
        syllables=sum(line.syllables for line in timed),
    )


def segment_seconds(text: str, *, pace: float = 1.0) -> tuple[float, ...]:
    """Return the seconds of each segment, the pause behind it included, so that they add up to the whole."""
    return tuple(line.seconds(pace) for line in _times(text) if line.is_segment)


@dataclass(slots=True)
class _Time:
    """What one line takes: `pause` scales with the pace, `asked` was asked for in so many seconds; both in ms."""

    is_segment: bool
    syllables: int = 0
    pause: int = 0
    asked: int = 0

    def seconds(self, pace: float) -> float:
        return (pace * (_SYLLABLE * self.syllables + self.pause) + self.asked) / 1000


def _times(text: str) -> tuple[_Time, ...]:
    """Return what each physical line takes; the pause between two lines belongs to the upper one."""
    otherwise = cache(lambda: language_of_line(text, lambda: "en"))
    lines = [(line.kind, tuple(heard(line.text, otherwise))) for line in spoken_lines(text)]
    are_cues_bare = _are_cues_bare(lines)
    times: list[_Time] = []
    last: _Time | None = None  # the line on which something was said last
    pending = 0  # the pause since then; nobody makes it after the last word
    above: Kind = "blank"
    for kind, sounds in lines:
        time = _Time(is_segment=kind not in ("blank", "gap"))
        times.append(time)
        if kind == "blank":
            pending = max(pending, _PARAGRAPH)
        elif above == "cue" and kind != "cue" and are_cues_bare:
            pending = pending or _LINE_END
        for sound in sounds:
            match sound:
                case Pause(ms, is_asked=True):
                    time.asked += ms
                case Pause(ms):
                    pending = max(pending, ms)
                case count if count:
                    if last is not None:
                        last.pause += pending
                    last, pending = time, 0
                    time.syllables += count
        if last is time and kind != "cue":
            pending = pending or _LINE_END
        above = kind
    return tuple(times)


def _are_cues_bare(lines: Sequence[tuple[Kind, Sequence[Sound]]]) -> bool:
    """Say whether subtitles come without punctuation; only then is the end of one a pause of the speaker."""
    cues = [sounds for kind, sounds in lines if kind == "cue"]
    marks = sum(isinstance(sound, Pause) and not sound.is_asked for sounds in cues for sound in sounds)
    return 4 * marks < len(cues)
