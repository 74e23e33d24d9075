"""The checks without which no edited text may be saved. Plain functions; each asks what is new.

A pattern is only a suspicion, and only where a text has more of it than before and nobody gave it as
wanted text: a script may talk about refusals, `<think>` tags or dots. Two kinds stand here: those that
look at the reply as it came (`check_reply`) and those that compare the texts (`check`).
"""

from script_editor.domain.guards.chain import GUARDS, LITERAL_GUARDS, Guard, check
from script_editor.domain.guards.elision import is_placeholder
from script_editor.domain.guards.refusal import declines, is_refusal
from script_editor.domain.guards.reply import check_reply
from script_editor.domain.guards.suspicion import first_line

__all__ = [
    "GUARDS", "LITERAL_GUARDS", "Guard", "check", "check_reply", "declines", "first_line", "is_placeholder", "is_refusal",
]  # fmt: skip
