"""Exit 4: a guard said no."""

from collections.abc import Sequence

from script_editor.errors.base import Language, ScriptEditorError

REASONS = frozenset(
    {
        "ambiguous_match", "commentary", "conflict", "content_filter", "content_lost", "duplicated", "elision",
        "empty", "empty_search", "facts_changed", "language_changed", "locked_changed", "malformed",
        "markdown_added", "no_match", "off_target", "placeholder_lost", "reasoning_leak", "refusal", "stale",
        "structure_lost", "target_missed", "too_different", "truncated", "unchanged", "wrong_target",
    }
)  # fmt: skip


class EditRefused(ScriptEditorError):
    """An edit was not saved. `reason` is one of REASONS; `segments` are the lines concerned.

    `message` says what was wrong and where, `advice` what the one who asked can do about it, and
    `nearest` the passage that came closest when something was not found. `example` is the passage
    concerned, shortened, and `was` what stood there before; `kept` names what stays as it is, such as
    "video_001 v3"; `proposal_id` is set when the result was kept as a proposal that --force can save.

    `is_moot` says that all that was asked for is an edit of one thing, which is not there: the script is as it would be
    after the edit.

    `language` is None while `message` and `advice` are notes in English for whoever words them
    (`domain.refusals`), and set once they are whole sentences in that language.
    """

    exit_code = 4
    for_model = True
    code = "edit_refused"

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        segments: Sequence[int] = (),
        nearest: str = "",
        advice: str = "",
        example: str = "",
        was: str = "",
        kept: str = "",
        proposal_id: str | None = None,
        language: Language | None = None,
    ):
        assert reason in REASONS, reason
        super().__init__(reason, message)
        self.reason, self.message = reason, message
        self.segments, self.nearest, self.advice = tuple(segments), nearest, advice
        self.example, self.was, self.kept, self.proposal_id = example, was, kept, proposal_id
        self.language, self.is_moot = language, False

    def __str__(self) -> str:
        if not self.nearest or self.nearest in self.message:
            return self.message
        is_chinese = any("\u4e00" <= char <= "\u9fff" for char in self.message[-12:])
        label = "最接近的一句：" if is_chinese else " The nearest passage is: "
        return f"{self.message}{label}{self.nearest}"

    @property
    def hint(self) -> str:
        return self.advice
