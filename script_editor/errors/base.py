"""The root of the tree, and the language an error may be told in."""

from typing import ClassVar, Literal

Language = Literal["zh", "en"]


class ScriptEditorError(Exception):
    """The root of the tree; never raised itself."""

    code: ClassVar[str] = "error"
    exit_code: int = 1
    for_model: ClassVar[bool] = False
    language: Language | None = None
    """The language its sentences are written in; None means the program's own, English."""
    is_bilingual: bool = False
    """Whether it has its sentences in both languages and takes the one that `language` names."""

    @property
    def hint(self) -> str:
        """One sentence that says what to do next, or "" when there is nothing to add."""
        return ""
