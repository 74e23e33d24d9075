"""How a batch is spoken of: in the language of what it is to do."""

from collections import Counter
from collections.abc import Iterable

from script_editor.agent.language import language_of
from script_editor.cli.session import Session
from script_editor.domain.batches import ENDED, Batch, ItemState
from script_editor.errors import Language

_ALL: frozenset[ItemState] = ENDED | {"queued", "running"}
_HEARD = 20
"""So many items tell in which language most of their instructions are."""


def speak(session: Session, batch_id: str) -> Language:
    """Tell everything from now on in the language of the batch. Raises BatchNotFound."""
    session.language = spoken(session, batch_id)
    return session.language


def spoken(session: Session, batch_id: str) -> Language:
    """Return the language of a batch: that of most of its first instructions. Raises BatchNotFound."""
    first = session.app.batches.failures(batch_id, states=_ALL, limit=_HEARD)
    return most(language_of(item.job.instruction) for item in first) or session.language


def speak_of(session: Session, batches: Iterable[Batch]) -> Language:
    """Tell everything from now on in the language of most of these batches, by their common instructions."""
    session.language = most(language_of(batch.recipe.instruction) for batch in batches) or session.language
    return session.language


def most(languages: Iterable[Language]) -> Language | None:
    """Return the language that most speak, None where nobody does; Chinese where they are as many."""
    heard = Counter(languages)
    if not heard:
        return None
    return "zh" if heard["zh"] >= heard["en"] else "en"
