"""Whether an edit has the spoken length that was asked for, measured by the program.

A target is about the whole script, always: `--target` and "压到45秒" say how long the result takes. An instruction
that gives a time to a place ("第3行压到5秒", "cut the intro to 5 seconds") names no target; the model reads it, and
nothing is measured.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from script_editor.domain.duration import estimate
from script_editor.domain.findings import Finding
from script_editor.domain.targets import DurationTarget
from script_editor.domain.targets.target import Bound

spoken = lru_cache(maxsize=8)(estimate)
"""The estimate of a text; a long script is measured once, not once for each of its chunks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Seconds of a text, or of a part of one, before and after an edit, against what was wanted of it.

    `is_met` says that the time after is near enough.
    """

    before: float
    after: float
    wanted: float
    bound: Bound
    is_met: bool

    @property
    def excess(self) -> float:
        """How many seconds are too many; negative when too few."""
        return self.after - self.wanted

    @property
    def is_reachable(self) -> bool:
        """Whether any text of this part has the wanted time: none speaks for less than no time."""
        return self.wanted > 0


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of a script that one call may change, as it counts for the spoken time.

    `seconds` are those of the part, `free_seconds` those of all parts that the request may change,
    `whole_seconds` those of the script.
    """

    seconds: float
    free_seconds: float
    whole_seconds: float
    is_only: bool

    @classmethod
    def of(cls, whole: str, part: str, free: str, *, is_only: bool) -> "Stretch":
        """Return the stretch of a part; `free` is the text of all parts, and `is_only` says that this one is it."""
        return cls(spoken(part).seconds, spoken(free).seconds, spoken(whole).seconds, is_only)

    def timing(self, after: str, target: DurationTarget) -> Timing | None:
        """Return the timing of the part in `after`, the whole text in which no other part changed.

        What may not change keeps its time; of what the target leaves for the rest, the part has the share
        that it has of the time now. None for a share of a text that nobody speaks.
        """
        if target.seconds is None and not self.whole_seconds:
            return None
        whole_after = spoken(after).seconds
        wanted = self._wanted(target)
        own_after = self.seconds + whole_after - self.whole_seconds
        return Timing(
            before=self.seconds,
            after=own_after,
            wanted=wanted,
            bound=target.bound,
            is_met=target.meets(self.whole_seconds, whole_after)
            if self.is_only
            else self._share(target, wanted).meets(self.seconds, own_after),
        )

    def _wanted(self, target: DurationTarget) -> float:
        free = target.wanted_seconds(self.whole_seconds) - (self.whole_seconds - self.free_seconds)
        return max(0.0, free * (self.seconds / self.free_seconds if self.free_seconds else 1.0))

    def _share(self, target: DurationTarget, wanted: float) -> DurationTarget:
        has_rest = self.whole_seconds - self.free_seconds > 0.5
        if target.seconds is None and not has_rest:
            return target
        return DurationTarget(seconds=wanted, bound=target.bound)


def missed_target(before: str, after: str, target: DurationTarget | None) -> Iterator[Finding]:
    """Warn when the whole text does not have the wanted time."""
    if target is None:
        return
    was, now = spoken(before).seconds, spoken(after).seconds
    if not target.meets(was, now):
        yield Finding(
            guard="duration",
            code="target_missed",
            level="warning",
            message=f"The result takes about {now:.0f} s; {target} was asked for "
            f"({now - target.wanted_seconds(was):+.0f} s). The base takes about {was:.0f} s.",
        )
