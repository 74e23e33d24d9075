"""How a batch is spoken of: in the language of what it is to do, with commands that work here, in lines that fit."""

import re
from collections import Counter
from collections.abc import Iterable
from shlex import quote

from script_editor.agent.language import language_of
from script_editor.cli.session import Session
from script_editor.domain.batches import ENDED, OPEN, Batch, ItemState
from script_editor.errors import Language

_ALL: frozenset[ItemState] = ENDED.union(OPEN)
_ASKS_A_MODEL = re.compile(r"script-editor batch (?:run|resume|retry) b-[a-z0-9]+(?! -m)\b")
_IS_FORCED = re.compile(r"script-editor apply \S+ --force(?! --yes)\b")
_HEARD = 20
"""So many items tell in which language most of their instructions are."""


def speak(session: Session, batch_id: str) -> Language:
    """Tell everything from now on in the language of the batch, and name commands so that they work for it as they are
    printed. Raises BatchNotFound."""
    session.language = spoken(session, batch_id)
    name_as_here(session, session.app.batches.status(batch_id).batch)
    return session.language


def name_as_here(session: Session, batch: Batch) -> None:
    """Name commands, from now on, with what they need here: the model of the batch where the settings name another, and
    a yes where nobody can be asked."""
    usual, model = session.app.settings.usual_model, batch.recipe.model
    option = f" -m {quote(model)}" if usual is not None and usual != model else ""
    yes = "" if session.interactive else " --yes"

    def as_here(sentence: str) -> str:
        said = _ASKS_A_MODEL.sub(lambda command: f"{command.group()}{option}", sentence)
        return _IS_FORCED.sub(lambda command: f"{command.group()}{yes}", said)

    session.as_here = as_here


def fitted(session: Session, lines: Iterable[str]) -> list[str]:
    """Return lines for stdout, those that a terminal is too narrow for as several."""
    from script_editor.cli.wrapping import wrapped  # late: rich takes its time

    columns = session.columns
    return [part for line in lines for part in (wrapped(line, columns) if columns else [line])]


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
