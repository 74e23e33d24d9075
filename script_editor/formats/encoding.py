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
    except UnicodeError as error:  # a codec for other things than files may name no character
        what = repr(text[error.start]) if isinstance(error, UnicodeEncodeError) else "The text"
        what_zh = f"“{text[error.start]}”" if isinstance(error, UnicodeEncodeError) else "这些文字"
        raise BadFile(
            f"{what} cannot be written in {form.encoding}.", hint="Export with --encoding utf-8.",
            zh=f"{what_zh}不能用 {form.encoding} 编码写出来。", zh_hint="请用 --encoding utf-8 导出。",
        ) from error  # fmt: skip


# Python's names for "with a BOM, whichever": without one in the file, an export must not add it.
_WITHOUT_BOM = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


def known_encoding(encoding: str) -> str:
    """Return the one name of a text encoding. Raises BadFile when there is none of that name."""
    try:
        "".encode(encoding)
        name = codecs.lookup(encoding).name
    # Also for codecs that are no text encoding, such as base64 and undefined, and for a name with a NUL in it.
    except (LookupError, ValueError) as error:
        raise BadFile(
            f"There is no text encoding {encoding!r}.", hint="Try utf-8 or gb18030.",
            zh=f"没有“{encoding}”这种文本编码。", zh_hint="请试试 utf-8 或 gb18030。",
        ) from error  # fmt: skip
    return _WITHOUT_BOM.get(name, name)


def _decoded(data: bytes, form: FileForm) -> tuple[str, FileForm]:
    try:
        return data.decode(form.encoding), form
    except UnicodeError as error:  # a codec for other things than files may name no byte
        byte = error.start + 1 if isinstance(error, UnicodeDecodeError) else None
        where, where_zh = (
            (f": byte {byte} cannot be read", f"：第 {byte} 个字节读不出来") if byte else ("", "")
        )
        raise BadFile(
            f"{form.name or 'The input'} is not {form.encoding} text{where}.",
            hint="Is it a text file? Name its encoding, such as --encoding gb18030, or save it as UTF-8.",
            zh=f"{form.name or '输入'} 不是 {form.encoding} 编码的文本{where_zh}。",
            zh_hint="它是文本文件吗？请写明编码，例如 --encoding gb18030，或者存成 UTF-8。",
        ) from error
