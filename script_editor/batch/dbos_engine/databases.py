"""What the engine needs of the databases it works with: they are made by the store, so their types stay there."""

from contextlib import AbstractContextManager
from typing import Any, Protocol


class Databases(Protocol):
    """Where the engine keeps what it knows."""

    @property
    def system(self) -> Any:
        """The database of DBOS's own records."""

    @property
    def system_url(self) -> str:
        """Its address."""

    @property
    def store(self) -> Any:
        """The database of the scripts; the first statement of each of its transactions writes."""

    @property
    def sessions(self) -> Any:
        """Makes the sessions of these transactions, in the form that `BatchStore.end_item` takes."""

    @property
    def isolation(self) -> str:
        """Their isolation level."""

    def explained(self, database: Any) -> AbstractContextManager[None]:
        """Turn what the driver raises inside the block, about one of the databases, into an error of the program."""

    def is_to_be_repeated(self, error: Exception) -> bool:
        """Say whether an error means that the database undid a transaction, and that it may succeed the next time."""

    def run(self, database: Any, statement: str, **values: object) -> None:
        """Run one statement, with `:name` for its values, in a transaction of its own. Raises as `explained` does."""

    def wait_for_turn(self) -> None:
        """Wait until the records can be written, for a bounded time. Raises StoreLocked."""

    def hurry(self, *, is_leaving: bool) -> None:
        """Wait for locks only shortly from now on, since the process leaves; or as long as before."""
