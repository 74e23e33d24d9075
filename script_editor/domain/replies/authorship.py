"""Whose line is it: the author's, asked for by the person, or the model's own."""

from functools import cached_property

from script_editor.domain.replies.alignment import likeness, looks
from script_editor.domain.replies.chatter import bare
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

_LIKE = 0.6
_QUOTED = Pattern(r"“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|\"([^\"]+)\"|‘([^‘’]+)’|'([^']+)'")


class Authorship:
    """What is known of a script's own lines and of the words of the instruction."""

    def __init__(self, script: NumberedScript, instruction: str):
        self._script, self._instruction = script, instruction

    @property
    def script(self) -> NumberedScript:
        """The script that is edited."""
        return self._script

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The author's lines as they look."""
        return tuple(looks(segment.content) for segment in self._script.segments)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.lines)

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """The texts that the instruction gives in quotation marks."""
        return tuple(text for groups in _QUOTED.findall(self._instruction) for text in groups if text)

    def has(self, line: str) -> bool:
        """Say whether a line is one of the author's, as far as a reader sees."""
        return looks(line) in self._known

    def is_asked_for(self, line: str) -> bool:
        """Say whether the instruction gives this line as wanted text."""
        said = bare(line)
        return len(said) > 1 and said in self._instruction

    def speaks_of(self, subject: Pattern) -> bool:
        """Say whether the instruction mentions something."""
        return subject.search(self._instruction) is not None

    def resembles_any(self, line: str) -> bool:
        """Say whether a line is, or nearly is, one of the author's."""
        seen = looks(line)
        return seen in self._known or any(likeness(seen, own) >= _LIKE for own in self.lines)

    def begins_with(self, mark: str) -> bool:
        """Say whether the script's first line begins with a character."""
        segments = self._script.segments
        return bool(segments) and segments[0].content.startswith(mark)

    def ends_like(self, line: str) -> bool:
        """Say whether a line is, or nearly is, the script's last one."""
        return bool(self.lines) and likeness(looks(line), self.lines[-1]) >= _LIKE

    def count(self, mark: Pattern) -> int:
        """Return how many physical lines of the script match."""
        text, lines = self._script.text, self._script.lines
        return sum(mark.fullmatch(text[line.start : line.content_end]) is not None for line in lines)
