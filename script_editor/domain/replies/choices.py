"""Replies that hold several results to choose from: a person has to, so nothing is taken."""

from collections.abc import Iterator, Sequence

from script_editor.domain.replies import chatter
from script_editor.domain.replies.alignment import looks
from script_editor.domain.replies.authorship import Authorship
from script_editor.domain.replies.enclosures import FENCE
from script_editor.domain.segments import is_blank
from script_editor.errors import EditRefused


def refuse_choices(lines: Sequence[str], authorship: Authorship) -> None:
    """Accept the lines of one result.

    Raises:
        EditRefused: commentary when they are options, versions, or the original beside its revision.
    """
    spoken = [line for line in lines if not is_blank(line)]
    found = (
        _options(spoken, authorship) or _before_and_after(spoken, authorship) or _second(spoken, authorship)
    )
    if found or _fenced_twice(lines, authorship):
        raise EditRefused(
            "commentary",
            "The reply holds several versions to choose from, not one script.",
            advice="Send one version, without labels or comments.",
            example=found or "",
        )


def _options(spoken: Sequence[str], authorship: Authorship) -> str | None:
    """Return the first label when the text begins with one and has another: "Option A:" … "Option B:"."""
    first = chatter.alternative(spoken[0]) if spoken else None
    if first is None or authorship.has(spoken[0]):
        return None
    labels = [found for line in spoken if not authorship.has(line) and (found := chatter.alternative(line))]
    if len({name for name, _ in labels}) < 2:
        return None
    if all(is_alone for _, is_alone in labels) or _begins_again(spoken, authorship):
        return spoken[0]
    return None


def _begins_again(spoken: Sequence[str], authorship: Authorship) -> bool:
    """Say whether lines of the author's come twice that stood once in the script."""
    seen = [looks(line) for line in spoken]
    return any(seen.count(own) > authorship.lines.count(own) for own in authorship.lines[:20])


def _before_and_after(spoken: Sequence[str], authorship: Authorship) -> str | None:
    """Return the label of the old text when the new one stands below it under its own."""
    labelled = [line for line in spoken if not authorship.has(line)]
    originals = (index for index, line in enumerate(labelled) if chatter.is_original_label(line))
    first = next(originals, None)
    if first is None or not any(chatter.is_revised_label(line) for line in labelled[first + 1 :]):
        return None
    return labelled[first]


def _second(spoken: Sequence[str], authorship: Authorship) -> str | None:
    """Return the line that leads over to a second result."""
    leading = (line for line in spoken[1:-1] if chatter.announces_another(line) and not authorship.has(line))
    found = next(leading, None)
    return found if found is not None and not authorship.is_asked_for(found) else None


def _fenced_twice(lines: Sequence[str], authorship: Authorship) -> bool:
    """Say whether two fenced blocks are each about as long as the script."""
    if authorship.count(FENCE):
        return False
    needed = max(len(authorship.lines) / 2, 1)
    return sum(size >= needed for size in _block_sizes(lines)) > 1


def _block_sizes(lines: Sequence[str]) -> Iterator[int]:
    size, is_inside = 0, False
    for line in lines:
        if FENCE.fullmatch(line):
            if is_inside:
                yield size
            size, is_inside = 0, not is_inside
        elif not is_blank(line):
            size += 1
