"""What the model is told of a reply that could not be read, where the application wants to say it itself."""

from collections.abc import Callable
from dataclasses import replace

from script_editor.agent.steps import Malformed

HandleParsingErrors = bool | str | Callable[[Malformed], str]
"""True: the program's own feedback. A text, or the text that a function makes: that instead. False: the run ends."""


def reworded(malformed: Malformed, handling: HandleParsingErrors) -> Malformed:
    """Return `malformed` with the words that `handling` wants; code and raw reply stay."""
    if isinstance(handling, bool):
        return malformed
    text = handling if isinstance(handling, str) else handling(malformed)
    return replace(malformed, message=text, hint="")
