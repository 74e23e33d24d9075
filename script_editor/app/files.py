"""Where files meet the store: import and export of plain text, byte for byte."""

import errno
import hashlib
import os
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from script_editor.app.scripts import ScriptService
from script_editor.domain.references import Reference, Selector
from script_editor.domain.script import FileForm, Version, VersionInfo, canonical_id
from script_editor.domain.spoken.words import language_of_text
from script_editor.errors import BadFile, BadScriptId, EditedSinceImport, ScriptExists, ScriptNotFound
from script_editor.formats.encoding import decode, encode, known_encoding

OnConflict = Literal["skip", "new-version", "error", "unless-edited"]
"""What becomes of a file whose script has another text. "unless-edited": a new version where the script is as it was
imported, else an error, which keeps whoever imports the same files now and then from writing over edits."""
ImportOutcome = Literal["created", "new version", "same text", "older text", "skipped"]

SUFFIX_OF_UNNAMED = ".txt"
_WHY_ZH: Mapping[int | None, str] = {
    errno.ENOENT: "没有这个文件", errno.ENOTDIR: "没有这个文件", errno.EISDIR: "这是文件夹", errno.EACCES: "没有权限",
    errno.EPERM: "没有权限", errno.ENOSPC: "磁盘满了", errno.EROFS: "那里是只读的", errno.ENAMETOOLONG: "名字太长",
    errno.ELOOP: "链接绕回了自己", errno.ENXIO: "打不开",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Imported:
    """What one file became. `version` is the script's newest version afterwards."""

    outcome: ImportOutcome
    version: Version


def import_bytes(
    scripts: ScriptService,
    data: bytes,
    *,
    script_id: str,
    name: str,
    author: str,
    encoding: str | None = None,
    on_conflict: OnConflict = "new-version",
    knows_older: bool = False,
    title: str = "",
    language: str | None = None,
) -> Imported:
    """Store the text of one file as a new script, or as a new version of the one with that id.

    A text equal to the newest version is never stored again; with `knows_older` nor is one that any earlier
    version has: the file is then what the script was before it was edited. `title` and `language` are those of a new script;
    without a language it is the one that the text is mainly written in.

    Raises:
        BadFile, BadText, TooLarge, BadScriptId: the file cannot be a script; nothing was stored.
        ScriptExists: with on_conflict "error" when the text differs.
        EditedSinceImport: see `OnConflict`.
        StaleHead: someone wrote between reading and writing.
    """
    text, form = decode(data, name=name, encoding=encoding)
    if not text.strip():
        raise BadFile(
            f"{name} is empty.", hint="There is nothing to import.",
            zh=f"{name} 是空的。", zh_hint="没有可以导入的内容。",
        )  # fmt: skip
    script_id = canonical_id(script_id)
    try:
        head = scripts.read(Reference(script_id, Selector()))
    except ScriptNotFound:
        message = f"imported from {name}"
        made = scripts.new(
            script_id, text, author=author, file=form, message=message,
            title=title, language=language or language_of_text(text),
        )  # fmt: skip
        return Imported("created", made)
    if head.text == text:
        return Imported("same text", head)
    if knows_older or on_conflict == "unless-edited":
        history = scripts.versions(script_id)
        if knows_older and any(version.content_hash == _hash(text) for version in history):
            return Imported("older text", head)
        if on_conflict == "unless-edited" and _is_edited(head, history):
            raise EditedSinceImport(script_id, head.number)
    if on_conflict == "error":
        raise ScriptExists(script_id)
    if on_conflict == "skip":
        return Imported("skipped", head)
    version = scripts.save(
        script_id,
        text,
        expected_head=head.number,
        author=author,
        source="import",
        message=f"imported from {name}",
        file=form,
    )
    return Imported("new version", version)


def _hash(text: str) -> str:
    """Return what `VersionInfo.content_hash` is for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _is_edited(head: Version, history: Sequence[VersionInfo]) -> bool:
    """Say whether a script is not what was imported last; one that never was imported is its author's own."""
    imported = next((version for version in history if version.source == "import"), None)
    return imported is None or imported.content_hash != head.content_hash


def import_path(
    scripts: ScriptService,
    path: Path,
    *,
    author: str,
    script_id: str | None = None,
    encoding: str | None = None,
    on_conflict: OnConflict = "new-version",
    knows_older: bool = False,
    title: str = "",
    language: str | None = None,
) -> Imported:
    """Import one file; without `script_id` the file name without its suffix is the id. See `import_bytes`."""
    try:
        data = read_bytes(path)
    except BadFile as error:
        if not isinstance(error.__cause__, IsADirectoryError):
            raise
        raise BadFile(
            f"{path} is a folder.", hint=f"Name the files in it: script-editor import {path}/*.txt",
            zh=f"{path} 是文件夹。", zh_hint=f"请写里面的文件：script-editor import {path}/*.txt",
        ) from error  # fmt: skip
    try:
        return import_bytes(
            scripts, data, script_id=script_id or path.stem, name=path.name,
            author=author, encoding=encoding, on_conflict=on_conflict, knows_older=knows_older,
            title=title, language=language,
        )  # fmt: skip
    except BadScriptId as error:
        if script_id is not None:
            raise
        raise BadFile(
            f"{path.name}: the file name cannot be a script id.",
            hint=f"Name one: script-editor import {shlex.quote(str(path))} --id ID",
            zh=f"{path.name}：这个文件名不能作脚本的编号。",
            zh_hint=f"请另给一个：script-editor import {shlex.quote(str(path))} --id 编号",
        ) from error


def read_bytes(path: Path) -> bytes:
    """Return what is in a file. Raises BadFile, which says why it cannot be read."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why, zh = _why(error)
        raise BadFile(f"{path}: {why}.", zh=f"{path}：{zh}。") from error


def _why(error: OSError | ValueError) -> tuple[str, str]:
    """Return why a file cannot be read or written, in English and in Chinese."""
    said = (error.strerror if isinstance(error, OSError) else str(error)) or "cannot be read"
    return said, _WHY_ZH.get(getattr(error, "errno", None), f"系统说 {said}")


def export_bytes(version: Version, encoding: str | None = None) -> bytes:
    """Return a version as a file: in the encoding and with the BOM it was imported with.

    `encoding` overrides that (then no BOM). Raises BadFile when a character has no place in it.
    """
    form = version.file if encoding is None else FileForm(encoding=known_encoding(encoding))
    return encode(version.text, form)


def decoded(data: bytes, *, name: str, encoding: str | None = None) -> tuple[str, FileForm]:
    """Return the text of a file's bytes and how it was written. Raises BadFile."""
    return decode(data, name=name, encoding=encoding)


def text_bytes(text: str, form: FileForm) -> bytes:
    """Return the bytes of a text that was read from a file of this form. Raises BadFile."""
    return encode(text, form)


def file_name(version: Version) -> str:
    """Return the file name for an export: the id with the suffix the script was imported with."""
    return version.script_id + (Path(version.file.name).suffix or SUFFIX_OF_UNNAMED)


def make_folder(path: Path) -> None:
    """Make a folder and those above it. Raises BadFile when something else has its name."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(f"Cannot make the folder {path}", f"建不了文件夹 {path}", error) from error


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that at every moment the old or the new content is there, never a part.

    A link stays a link, and what is no plain file (a pipe, a device) is written to, not replaced.
    Raises BadFile when the folder is missing or cannot be written.
    """
    path = _target(path)
    if path.exists() and not path.is_file():
        _write_into(path, data)
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise _unwritable(f"Cannot write {path}", f"写不了 {path}", error) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise _unwritable(f"Cannot write {path}", f"写不了 {path}", error) from error
    finally:
        temporary.unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """Return where a path leads. Raises BadFile for a link that leads back to itself."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # the latter until Python 3.13
        looped = OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        cause = error if isinstance(error, OSError) else looped
        raise _unwritable(f"Cannot write {path}", f"写不了 {path}", cause) from error


def _unwritable(en: str, zh: str, error: OSError) -> BadFile:
    why, why_zh = _why(error)
    return BadFile(f"{en}: {why}.", zh=f"{zh}：{why_zh}。")


def _write_into(path: Path, data: bytes) -> None:
    try:
        with path.open("wb") as stream:
            stream.write(data)
    except OSError as error:
        raise _unwritable(f"Cannot write {path}", f"写不了 {path}", error) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
