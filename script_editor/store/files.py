"""The place of a SQLite store on the disk: there, or ready to be made."""

from collections.abc import Sequence
from pathlib import Path

from script_editor.errors import StoreUnusable

_PRIVATE_FOLDER = 0o700


def find_file(path: Path, *, create: bool) -> None:
    """Make sure that SQLite finds a file, or may make one: it would make one unasked.

    Raises:
        StoreUnusable: there is none and none is to be made, or its folder cannot be used.
    """
    try:
        if path.exists():
            return
        if not create:
            raise StoreUnusable(
                f"There is no store at {path}.",
                hint="Check the path, or begin with samples: script-editor seeds load",
            )
        for folder in reversed(_missing_folders(path)):
            folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    except OSError as error:
        raise StoreUnusable(
            f"The store {path} cannot be opened: {error.strerror or error}.",
            hint="Check the folder's owner and mode, or name another store.",
        ) from error


def _missing_folders(path: Path) -> Sequence[Path]:
    return [folder for folder in path.parents if not folder.exists()]
