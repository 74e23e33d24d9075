"""Words that a person wants kept: a word that is not there protects nothing, so nothing is begun with it."""

from collections.abc import Sequence

from script_editor.domain.locks import keep
from script_editor.domain.matching import nearest_passage
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused, Language


def check_kept(script: NumberedScript, words: Sequence[str], language: Language) -> None:
    """Raises EditRefused (no_match), with the line that comes nearest, when a word to keep is not in the script."""
    missing = keep(script.text, words)[1]
    if not missing:
        return
    word = missing[0]
    nearest = nearest_passage([segment.content for segment in script.segments], word) if word else ""
    if language == "zh":
        said = f"脚本里没有要保留的“{word}”，所以什么也没有改。"
        advice = "请照原文写要保留的字词，或者去掉这个 --keep。"
    else:
        said = f"The script does not have {word!r}, which is to be kept, so nothing was changed."
        advice = "Give the words as they stand in the script, or leave that --keep out."
    raise EditRefused("no_match", said, nearest=nearest, advice=advice, language=language)
