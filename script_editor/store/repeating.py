"""Reads and writes that are done again where that can help: the database ended one for the sake of another, or the
connection broke, as all do when a server is started anew.

Everybody locks rows in the same order, so that this is rare; but an order of locks cannot be seen in a test for
every pair of statements, and a server may be set up to refuse what does not fit into a line.
"""

import random
import time
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from script_editor.errors import StoreLocked, StoreUnusable
from script_editor.store.engine import reading, writing
from script_editor.store.failures import is_lost_connection

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 5
_WAIT_SECONDS = 0.05
# A deadlock, what could not be put in a line, and what kept others waiting since this process stood still.
_ENDED_FOR_ANOTHER = frozenset({"40P01", "40001", "25P03"})


def written(
    engine: sa.Engine, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Return what `work` returns in a transaction as `writing` begins it.

    Where the database undid it because of another writer, or the connection broke before it was all said, it is done
    again after a short wait, up to TRIES times in all: `work` must do nothing besides that cannot be repeated, such as
    using up an iterator. One whose connection broke at the commit may have been done, and is not repeated.

    Raises:
        StoreLocked: it never got its turn; and what `writing` raises.
    """
    for number in range(1, TRIES):
        is_said = False
        try:
            with writing(engine) as session:
                result = work(session, *args, **kwargs)
                session.flush()
                is_said = True
            return result
        except StoreLocked as error:
            if not _was_for_another(error):
                raise
        except StoreUnusable as error:
            if is_said or not is_lost_connection(error):
                raise
        time.sleep(random.uniform(0, _WAIT_SECONDS * number))
    with writing(engine) as session:
        return work(session, *args, **kwargs)


def read(
    engine: sa.Engine, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Return what `work` returns in a session that only reads, done again where its connection broke.

    Raises what `reading` raises.
    """
    for _ in range(1, TRIES):
        try:
            with reading(engine) as session:
                return work(session, *args, **kwargs)
        except StoreUnusable as error:
            if not is_lost_connection(error):
                raise
    with reading(engine) as session:
        return work(session, *args, **kwargs)


def _was_for_another(error: StoreLocked) -> bool:
    cause = error.__cause__
    return isinstance(cause, DBAPIError) and getattr(cause.orig, "sqlstate", None) in _ENDED_FOR_ANOTHER
