"""Exit 3: nothing by that name."""

from collections.abc import Sequence
from difflib import get_close_matches

from script_editor.errors.base import ScriptEditorError

_NEAR = 0.85
"""From so alike on, an id is one that was mistyped."""


class NotFound(ScriptEditorError):
    """No such thing in the store."""

    code = "not_found"
    exit_code = 3
    for_model = True


class ScriptNotFound(NotFound):
    """No script has this id; `known` holds a few that exist, nearest first, or None when nobody looked."""

    code = "script_not_found"

    def __init__(self, script_id: str, *, known: Sequence[str] | None = ()):
        super().__init__(script_id)
        self.script_id, self.known = script_id, None if known is None else tuple(known)

    def __str__(self) -> str:
        return f"There is no script {self.script_id!r}."

    @property
    def hint(self) -> str:
        if self.known is None:
            return ""
        if not self.known:
            return "The store is empty. Load samples: script-editor seeds load"
        near = get_close_matches(self.script_id, self.known, n=2, cutoff=_NEAR)
        if near:
            return f"Did you mean {' or '.join(near)}? All ids: script-editor list"
        return f"Known ids: {', '.join(self.known)}. All of them: script-editor list"


class VersionNotFound(NotFound):
    """The script exists, but not this version of it."""

    code = "version_not_found"

    def __init__(self, script_id: str, wanted: object, *, head: int):
        super().__init__(script_id, wanted, head)
        self.script_id, self.wanted, self.head = script_id, wanted, head

    def __str__(self) -> str:
        name = f"v{self.wanted}" if isinstance(self.wanted, int) else str(self.wanted)
        return f"Script {self.script_id!r} has no version {name}; it has v1 to v{self.head}."

    @property
    def hint(self) -> str:
        return f"See them: script-editor history {self.script_id}"


class ProposalNotFound(NotFound):
    """No proposal has this id, or there is none to take."""

    code = "proposal_not_found"

    def __init__(self, proposal_id: str | None):
        super().__init__(proposal_id)
        self.proposal_id = proposal_id

    def __str__(self) -> str:
        if self.proposal_id is None:
            return "There is no open proposal that still fits its script."
        return f"There is no proposal {self.proposal_id!r}."

    @property
    def hint(self) -> str:
        return "See the open ones: script-editor proposals"


class LockNotFound(NotFound):
    """The script exists, but nothing of it is locked by this line, phrase or id."""

    code = "lock_not_found"

    def __init__(self, script_id: str, wanted: object):
        super().__init__(script_id, wanted)
        self.script_id, self.wanted = script_id, wanted

    def __str__(self) -> str:
        name = f"line {self.wanted}" if isinstance(self.wanted, int) else repr(str(self.wanted))
        return f"Script {self.script_id!r} has no lock on {name}."


class ChatNotFound(NotFound):
    """There is no chat with this id or name."""

    code = "chat_not_found"

    def __init__(self, chat: str):
        super().__init__(f"There is no chat {chat!r}.")
        self.chat = chat

    @property
    def hint(self) -> str:
        return "The last one goes on with: script-editor chat --continue"


class LogNotFound(NotFound):
    """The run left no log, or it is gone; `is_off` says that no logs are kept at present."""

    code = "log_not_found"

    def __init__(self, run_id: str, *, is_off: bool):
        super().__init__(run_id)
        self.run_id, self.is_off = run_id, is_off

    def __str__(self) -> str:
        return f"There is no log of run {self.run_id!r}."

    @property
    def hint(self) -> str:
        if self.is_off:
            return "Runs are not logged at present: SCRIPT_EDITOR_LOG=on"
        return "It was removed, or kept on another machine. The runs there are: script-editor log"


class BatchNotFound(NotFound):
    """There is no batch with this id."""

    code = "batch_not_found"

    def __init__(self, batch_id: str):
        super().__init__(f"There is no batch {batch_id!r}.")
        self.batch_id = batch_id

    @property
    def hint(self) -> str:
        return "See which there are: script-editor batch list"
