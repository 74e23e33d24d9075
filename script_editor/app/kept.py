"""Words that a person wants kept: a word that is not there protects nothing, so nothing is begun with it."""

from collections.abc import Sequence

from script_editor.domain.locks import keep
from script_editor.domain.matching import nearest_passage
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused, Language


class NothingToKeep(EditRefused):
    """A word that is to be kept is not in the script; told in either language. `nearest` is the line that comes nearest."""

    is_bilingual = True

    def __init__(self, word: str, nearest: str, language: Language | None = None):
        super().__init__(
            "no_match",
            f"The script does not have {word!r}, which is to be kept, so nothing was changed.",
            nearest=nearest,
            advice="Give the words as they stand in the script, or leave that --keep out.",
            language=language,
        )
        self.word = word

    def __str__(self) -> str:
        if self.language != "zh":
            return super().__str__()
        said = f"脚本里没有要保留的“{self.word}”，所以什么也没有改。"
        return f"{said}最接近的一句：{self.nearest}" if self.nearest and self.nearest not in said else said

    @property
    def hint(self) -> str:
        return "请照原文写要保留的字词，或者去掉这个 --keep。" if self.language == "zh" else self.advice


def check_kept(script: NumberedScript, words: Sequence[str], language: Language | None = None) -> None:
    """Raises NothingToKeep, an EditRefused (no_match), when a word to keep is not in the script.

    One that stands there in other case, width or quotes is there.
    """
    missing = keep(script.text, words)[1]
    if missing:
        word = missing[0]
        nearest = nearest_passage([segment.content for segment in script.segments], word) if word else ""
        raise NothingToKeep(word, nearest, language)
