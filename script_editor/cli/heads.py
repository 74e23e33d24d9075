"""The head lines of edits and proposals, and how much is changed, in the language of the request."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from script_editor.cli.render import (
    change_lines,
    count,
    finding_lines,
    note_lines,
    seconds_change,
)
from script_editor.domain.diff import Change
from script_editor.domain.duration import estimate
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.app.proposals import Review


def changes_count(number: int, language: Language) -> str:
    """Return how many changes there are: "2 changes", "2 处改动"."""
    return f"{number} 处改动" if language == "zh" else count(number, "change")


def edit_line(
    script_id: str,
    base_number: int,
    changes: Sequence[Change],
    *,
    seconds: tuple[float, float],
    language: Language = "en",
) -> str:
    """Return the head line of an edit: the script, its base, how much changed; `seconds` are before and after."""
    changed = f"{changes_count(len(changes), language)} · {seconds_change(*seconds, language)}"
    base = f"基于 v{base_number}" if language == "zh" else f"from v{base_number}"
    return f"{script_id} · {base} · {changed}"


def review_line(review: "Review") -> str:
    """Return the head line of a proposal."""
    base, proposal, language = review.base, review.proposal, review.language
    seconds = estimate(base.text).seconds, estimate(proposal.text).seconds
    edited = edit_line(base.script_id, base.number, review.changes, seconds=seconds, language=language)
    return f"{edited} · {'提案' if language == 'zh' else 'proposal'} {proposal.id}"


def review_lines(review: "Review") -> list[str]:
    """Return a proposal as it is shown where it was just made: its head, changes, findings and notes."""
    return [
        review_line(review),
        *change_lines(review.changes, review.language),
        *finding_lines(review.findings, review.language),
        *note_lines(review.notes, review.language),
    ]
