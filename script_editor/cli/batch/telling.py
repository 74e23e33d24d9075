"""How a batch is spoken of: in the language of what it is to do."""

from script_editor.cli.session import Session
from script_editor.domain.batches import ENDED, ItemState
from script_editor.errors import Language

_ALL: frozenset[ItemState] = ENDED | {"queued", "running"}


def speak(session: Session, batch_id: str) -> Language:
    """Tell everything from now on in the language of the batch, which is that of its first item. Raises BatchNotFound."""
    from script_editor.cli.telling import language_of

    first = next(iter(session.app.batches.failures(batch_id, states=_ALL, limit=1)), None)
    if first is not None:
        session.language = language_of(first.job.instruction)
    return session.language
