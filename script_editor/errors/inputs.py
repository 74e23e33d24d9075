"""Exit 2: what was typed or read cannot be used."""

from script_editor.errors.base import ScriptEditorError


class BadInput(ScriptEditorError):
    """What was given cannot be used; nothing was read or written because of it.

    With `zh`, what `message` says in Chinese, it is told in either language, and so is the hint.
    """

    code = "bad_input"
    exit_code = 2

    def __init__(self, message: str, *, hint: str = "", zh: str = "", zh_hint: str = ""):
        super().__init__(message)
        self.message, self._hint = message, hint
        self._zh, self._zh_hint = zh, zh_hint
        self.is_bilingual = bool(zh)

    def __str__(self) -> str:
        return self._zh if self._is_chinese else self.message

    @property
    def hint(self) -> str:
        return self._zh_hint if self._is_chinese else self._hint

    @property
    def _is_chinese(self) -> bool:
        return self.is_bilingual and self.language == "zh"


class BadRow(BadInput):
    """A row of a list of work, or what all its rows share, cannot be used; told in either language."""

    def __init__(self, message: str, zh: str, *, hint: str = "", zh_hint: str = ""):
        super().__init__(message, hint=hint, zh=zh, zh_hint=zh_hint)


_CHARACTERS_ZH = {"a NUL character": " NUL 字符", "half of a surrogate pair": "半个字符"}


class BadText(BadInput):
    """A text holds a character that no store can keep: NUL or half of a surrogate pair."""

    code = "bad_text"

    def __init__(self, what: str, *, line: int, column: int):
        super().__init__(
            f"The text has {what} at line {line}, character {column}.",
            hint="Remove that character and try again; nothing was saved.",
            zh=f"第 {line} 行第 {column} 个字符是{_CHARACTERS_ZH.get(what, '不能用的字符')}。",
            zh_hint="请删掉这个字符再来一次；没有保存任何内容。",
        )
        self.what, self.line, self.column = what, line, column


class TooLarge(BadInput):
    """A text is over the size limit of the store."""

    code = "too_large"

    def __init__(self, size_bytes: int, *, limit_bytes: int):
        super().__init__(
            f"The text is {size_bytes:,} bytes; the limit is {limit_bytes:,}.",
            hint="Split it into several scripts.",
            zh=f"文字有 {size_bytes:,} 字节，上限是 {limit_bytes:,}。",
            zh_hint="请分成几个脚本。",
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
            zh=f"“{raw}”不能作脚本的编号。",
            zh_hint="编号由 1 到 64 个字母、汉字或数字组成，可以有 _ 和 -，以字母、汉字或数字开头；"
            "后面加 .en 这样的后缀表示语言版本。",
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
