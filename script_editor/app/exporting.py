"""Where an export may be written: over nothing that is no text of the same script."""

from pathlib import Path

from script_editor.app.scripts import ScriptService
from script_editor.domain.references import Reference, Selector
from script_editor.domain.script import Version
from script_editor.errors import BadFile
from script_editor.formats.encoding import decode


def would_be_lost(scripts: ScriptService, version: Version, path: Path, data: bytes) -> bool:
    """Say whether writing `data` over a file would lose what is there: no version of the script has that text.

    What is no plain file (a pipe, a device) is written into, and loses nothing, nor does an empty one. A
    file that cannot be read counts as lost.
    """
    there = content(path)
    return there is None or (bool(there) and there != data and not _is_export(scripts, version, there))


def content(path: Path) -> bytes | None:
    """Return what a file holds that writing to it would take away, b"" for nothing; None where it cannot be read."""
    if not path.is_file():
        return b""
    try:
        return path.read_bytes()
    except OSError:
        return None


def _is_export(scripts: ScriptService, version: Version, there: bytes) -> bool:
    try:
        text, _ = decode(there, encoding=version.file.encoding)
    except BadFile:
        return False
    head = scripts.info(version.script_id).head_number
    numbers = range(head, 0, -1)  # the newest is the likeliest
    return any(
        scripts.read(Reference(version.script_id, Selector(number=number))).text == text for number in numbers
    )
