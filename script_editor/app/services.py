"""What every use case works with: the services over one store, and who hears of a run while it goes on."""

from dataclasses import dataclass
from typing import Self

from script_editor.agent.events import Listener, ignore
from script_editor.app.journal import NO_JOURNAL, Journals
from script_editor.app.locks import LockService
from script_editor.app.proposals import ProposalService
from script_editor.app.scripts import ScriptService
from script_editor.domain.ports import ScriptStore
from script_editor.llm.exchange import OnExchange


@dataclass(frozen=True, slots=True)
class Services:
    """A store, and the rules that read and write it. The three services work over that same store."""

    store: ScriptStore
    scripts: ScriptService
    proposals: ProposalService
    locks: LockService

    @classmethod
    def over(cls, store: ScriptStore) -> Self:
        """Return the services over any store, also one that is held in memory and written elsewhere later."""
        return cls(store, ScriptService(store), ProposalService(store), LockService(store))


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Who hears of a run while it goes on. None of them may change what comes of it.

    `listener` is told each event of the loop, `on_exchange` each request to the model with its reply, and
    `journals` everything, to keep it. Without `streams` nobody hears text as it arrives, and a reply that breaks
    off is asked for again.
    """

    listener: Listener = ignore
    on_exchange: OnExchange | None = None
    journals: Journals = NO_JOURNAL
    streams: bool = True


NOBODY = Audience()
"""Nothing is told to anyone, nor kept outside the store."""
