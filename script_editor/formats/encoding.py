"""Bytes of a text file into text and back, so that an unchanged export gives the same bytes."""

import codecs

from script_editor.domain.script import FileForm
from script_editor.errors import BadFile

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes, *, name: str = "", encoding: str | None = None) -> tuple[str, FileForm]:
    """Return the text of a file and how it was written. Line ends are not touched.

    A BOM decides; else `encoding`, else UTF-8. Other encodings are never guessed.

    Raises:
        BadFile: the bytes are no text in that encoding; names the first bad byte.
    """
    for bom, named in _BOMS:
        if data.startswith(bom):
            return _decoded(data[len(bom) :], FileForm(encoding=named, bom=True, name=name))
    return _decoded(data, FileForm(encoding=known_encoding(encoding or "utf-8"), name=name))


def encode(text: str, form: FileForm) -> bytes:
    """Return the bytes of `text` written in `form`.

    Raises:
        BadFile: the encoding has no place for a character of the text; names it.
    """
    bom = next((mark for mark, named in _BOMS if named == form.encoding), b"") if form.bom else b""
    try:
        return bom + text.encode(form.encoding)
    except UnicodeEncodeError as error:
        raise BadFile(
            f"{text[error.start]!r} cannot be written in {form.encoding}.",
            hint="Export with --encoding utf-8.",
        ) from error


# Python's names for "with a BOM, whichever": without one in the file, an export must not add it.
_WITHOUT_BOM = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


def known_encoding(encoding: str) -> str:
    """Return the one name of a text encoding. Raises BadFile when there is none of that name."""
    try:
        "".encode(encoding)
        name = codecs.lookup(encoding).name
    except LookupError as error:  # also for codecs that are no text encoding, such as base64
        raise BadFile(f"There is no text encoding {encoding!r}.", hint="Try utf-8 or gb18030.") from error
    return _WITHOUT_BOM.get(name, name)


def _decoded(data: bytes, form: FileForm) -> tuple[str, FileForm]:
    try:
        return data.decode(form.encoding), form
    except UnicodeDecodeError as error:
        what = form.name or "The input"
        raise BadFile(
            f"{what} is not {form.encoding} text: byte {error.start + 1} cannot be read.",
            hint="Is it a text file? Name its encoding, such as --encoding gb18030, or save it as UTF-8.",
        ) from error
