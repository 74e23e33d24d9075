"""The check of a reply as it came, before anybody reads an edit from it."""

from script_editor.domain.guards.suspicion import first_line
from script_editor.domain.segments import is_blank
from script_editor.errors import EditRefused

_COMPLETE = frozenset({"stop", "tool_calls", "function_call"})
_OTHER_WORDS = "Put the request in other words, or choose another model with --model."


def check_reply(finish_reason: str, refusal: str | None, text: str) -> None:
    """Accept a reply that ended normally and says something; whatever it says is checked later.

    Raises:
        EditRefused: truncated (cut, or without a stop reason), content_filter, refusal, empty.
    """
    if refusal:
        raise EditRefused("refusal", f"The model refused: {first_line(refusal)}", advice=_OTHER_WORDS)
    if finish_reason == "content_filter":
        raise EditRefused(
            "content_filter", "The service's content filter stopped the reply.", advice=_OTHER_WORDS
        )
    if finish_reason not in _COMPLETE:
        why = (
            "it reached the length limit" if finish_reason == "length" else "the service gave no stop reason"
        )
        raise EditRefused(
            "truncated",
            f"The reply was cut off ({why}), so nothing of it was used.",
            advice="Ask for fewer changes at a time, or allow a longer reply.",
        )
    if is_blank(text):
        raise EditRefused(
            "empty", "The model sent an empty reply.", advice="Try again, or choose another model."
        )
