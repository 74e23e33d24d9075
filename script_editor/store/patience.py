"""How long the transactions of a batch wait for others, and let others wait."""

from typing import Any

import sqlalchemy as sa

LEAVING_SECONDS = 2.0
"""Who wants to leave waits no longer for a lock: what it could not write, others find out."""
IDLE_SECONDS = 60.0
"""A process that was stopped in a transaction keeps its locks no longer: the server ends it, and undoes it."""


class Patience:
    """How long transactions of some engines wait for locks, from their begin on, and for a server that is away. Safe to
    share between threads."""

    def __init__(self, busy_seconds: float):
        self._busy_seconds, self._is_leaving = busy_seconds, False

    def hurry(self, *, is_leaving: bool) -> None:
        """Wait only shortly from now on, or as long as before. What waits already, waits on."""
        self._is_leaving = is_leaving

    @property
    def milliseconds(self) -> int:
        """So long, at present."""
        seconds = min(self._busy_seconds, LEAVING_SECONDS) if self._is_leaving else self._busy_seconds
        return round(seconds * 1000)

    def hold_to(self, engine: sa.Engine) -> None:
        """Let an engine wait so long; without, it waits as it was made to."""
        if engine.dialect.name == "sqlite":
            sa.event.listen(engine, "checkout", self._set_timeout)
        else:
            sa.event.listen(engine, "begin", self._shorten)

    def _set_timeout(
        self, connection: Any, record: Any, _proxy: object
    ) -> None:  # of the driver and the pool
        if record.info.get("busy") != self.milliseconds:
            record.info["busy"] = self.milliseconds
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {self.milliseconds}")
            cursor.close()

    def _shorten(self, connection: sa.Connection) -> None:
        if self._is_leaving:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {self.milliseconds}")


def end_idle_transactions(engine: sa.Engine, *, seconds: float = IDLE_SECONDS) -> None:
    """Let a server end transactions in which this process says nothing for so long. A file has no server."""
    if engine.dialect.name == "sqlite":
        return

    @sa.event.listens_for(engine, "connect")
    def bound(connection: Any, _record: object) -> None:  # of the driver
        cursor = connection.cursor()
        cursor.execute(f"SET idle_in_transaction_session_timeout = {round(seconds * 1000)}")
        cursor.close()
        connection.commit()
