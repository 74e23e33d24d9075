"""Exit 2: what was typed or read cannot be used."""

from script_editor.errors.base import ScriptEditorError


class BadInput(ScriptEditorError):
    """What was given cannot be used; nothing was read or written because of it."""

    code = "bad_input"
    exit_code = 2

    def __init__(self, message: str, *, hint: str = ""):
        super().__init__(message)
        self.message, self._hint = message, hint

    def __str__(self) -> str:
        return self.message

    @property
    def hint(self) -> str:
        return self._hint


class BadRow(BadInput):
    """A row of a list of work, or what all its rows share, cannot be used; told in either language."""

    is_bilingual = True

    def __init__(self, message: str, zh: str, *, hint: str = "", zh_hint: str = ""):
        super().__init__(message, hint=hint)
        self._zh, self._zh_hint = zh, zh_hint

    def __str__(self) -> str:
        return self._zh if self.language == "zh" else self.message

    @property
    def hint(self) -> str:
        return self._zh_hint if self.language == "zh" else self._hint


class BadText(BadInput):
    """A text holds a character that no store can keep: NUL or half of a surrogate pair."""

    code = "bad_text"

    def __init__(self, what: str, *, line: int, column: int):
        super().__init__(
            f"The text has {what} at line {line}, character {column}.",
            hint="Remove that character and try again; nothing was saved.",
        )
        self.what, self.line, self.column = what, line, column


class TooLarge(BadInput):
    """A text is over the size limit of the store."""

    code = "too_large"

    def __init__(self, size_bytes: int, *, limit_bytes: int):
        super().__init__(
            f"The text is {size_bytes:,} bytes; the limit is {limit_bytes:,}.",
            hint="Split it into several scripts.",
        )
        self.size_bytes, self.limit_bytes = size_bytes, limit_bytes


class BadScriptId(BadInput):
    """A string that cannot name a script."""

    code = "bad_script_id"

    def __init__(self, raw: str):
        super().__init__(
            f"{raw!r} cannot be a script id.",
            hint="An id has 1 to 64 letters or digits (of any language), '_' or '-', and starts with a "
            "letter or digit; '.en' after it names a language variant.",
        )
        self.raw = raw


class BadReference(BadInput):
    """A reference such as `video_001@v2` that cannot be read, or that names another script than `script_id`."""

    code = "bad_reference"

    def __init__(self, raw: str, *, script_id: str = "video_001"):
        super().__init__(
            f"{raw!r} does not name a version of {script_id}.",
            hint=f"Use {script_id} (newest), {script_id}@v3, @prev, @v3~1 (its parent) or @2026-11-20 "
            "(last version of that day).",
        )
        self.raw = raw


class BadInstruction(BadInput):
    """An instruction that is empty or too long."""

    code = "bad_instruction"


class BadFile(BadInput):
    """A file that cannot be read as a script."""

    code = "bad_file"


class BadRows(BadRow, BadFile):
    """A file of rows cannot be used as a whole."""
