"""What may stand around a list of operations: fences and lines of closed shapes; anything else could be content."""

from collections.abc import Iterable, Sequence

from script_editor.domain.guards import first_line, is_refusal
from script_editor.domain.replies import chatter
from script_editor.domain.replies.authorship import Authorship
from script_editor.domain.replies.enclosures import FENCE
from script_editor.domain.segments import is_blank
from script_editor.errors import EditRefused

_MAX_PROSE = 40
_FORMATS = frozenset({"json", "text", "plaintext", "markdown"})
"""What is left of a fence's first line when the fence itself got lost."""


class Surroundings:
    """Accepts or refuses the lines before and behind the operations of a reply."""

    def __init__(self, authorship: Authorship):
        self._authorship = authorship
        self._is_fenced = False

    def check_before(self, lines: Sequence[str]) -> None:
        """Accept lines in front of the operations; in front of a fence they may be any prose but script text.

        Raises:
            EditRefused: malformed, or refusal when they open as one.
        """
        spoken = [line for line in lines if not is_blank(line)]
        self._is_fenced = bool(spoken) and FENCE.fullmatch(spoken[-1]) is not None
        if spoken and is_refusal(spoken[0]):
            raise EditRefused("refusal", f"The model refused: {first_line(spoken[0])}")
        self._check(spoken, "before the first operation", is_prose_allowed=self._is_fenced)

    def check_behind(self, lines: Sequence[str]) -> None:
        """Accept lines behind the operations, in the same way. Raises EditRefused: malformed."""
        spoken = [line for line in lines if not is_blank(line)]
        closes = bool(spoken) and FENCE.fullmatch(spoken[0]) is not None
        self._check(spoken, "behind the last operation", is_prose_allowed=self._is_fenced and closes)

    def _check(self, spoken: Iterable[str], where: str, *, is_prose_allowed: bool) -> None:
        for count, line in enumerate(spoken):
            if chatter.notes(line) is not None and not self._authorship.has(line):
                return
            if self._is_noise(line):
                continue
            is_prose = (
                is_prose_allowed
                and count < _MAX_PROSE
                and not line.lstrip().startswith(("{", "[", "@@", "＠＠", "<<<"))
            )
            if not is_prose or self._authorship.resembles_any(line):
                raise EditRefused(
                    "malformed",
                    f"There is text {where}: {first_line(line)}",
                    advice="Send the operations only, without a word around them.",
                )

    def _is_noise(self, line: str) -> bool:
        if FENCE.fullmatch(line) or chatter.is_rule(line) or line.strip().lower() in _FORMATS:
            return True
        is_said = chatter.opening(line) or chatter.closing(line) or chatter.reports_change(line)
        return bool(is_said) and not self._authorship.has(line)
