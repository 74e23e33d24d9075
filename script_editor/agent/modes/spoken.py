"""What a reply says: its text without the reasoning, which no mode reads as a request."""

from script_editor.agent.feedback import unreadable
from script_editor.agent.noise import unfenced
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.reasoning import without_reasoning


def spoken(reply: RawReply) -> str:
    """Return the text of `reply` without reasoning, and without one fence around all of it.

    Raises:
        Unreadable: nothing is left.
    """
    text = unfenced(without_reasoning(reply.text))
    if not text.strip():
        raise unreadable("only_reasoning" if reply.is_reasoning else "empty")
    return text
