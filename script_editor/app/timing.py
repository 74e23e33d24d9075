"""Whether an edit has the spoken length that was asked for, measured by the program."""

from collections.abc import Iterator
from dataclasses import dataclass

from script_editor.domain.duration import estimate
from script_editor.domain.findings import Finding
from script_editor.domain.targets import DurationTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Seconds of a text, or of a part of one, before and after an edit, against what was wanted."""

    before: float
    after: float
    target: DurationTarget

    @property
    def is_met(self) -> bool:
        """Whether the time after is near enough; see `DurationTarget.meets`."""
        return self.target.meets(self.before, self.after)

    @property
    def excess(self) -> float:
        """How many seconds are too many; negative when too few."""
        return self.after - self.target.wanted_seconds(self.before)


def share(before: str, after: str, part: str, target: DurationTarget) -> Timing:
    """Return the timing of one part of a text whose other parts did not change.

    `part` is the part's text before. It has the share of the target that it has of the time.
    """
    whole, own = estimate(before).seconds, estimate(part).seconds
    if target.seconds is not None and whole > 0:
        target = DurationTarget(seconds=target.seconds * own / whole, bound=target.bound)
    return Timing(before=own, after=own + estimate(after).seconds - whole, target=target)


def missed_target(before: str, after: str, target: DurationTarget | None) -> Iterator[Finding]:
    """Warn when the whole text does not have the wanted time."""
    if target is None:
        return
    timing = Timing(before=estimate(before).seconds, after=estimate(after).seconds, target=target)
    if not timing.is_met:
        yield Finding(
            guard="duration",
            code="target_missed",
            level="warning",
            message=f"The result takes about {timing.after:.0f} s; {target} was asked for "
            f"({timing.excess:+.0f} s). The base takes about {timing.before:.0f} s.",
        )
