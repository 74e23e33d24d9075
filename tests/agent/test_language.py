"""Which language a run is held in."""

import pytest

from script_editor.agent.language import Language, language_of

TEXTS: dict[str, tuple[str, Language]] = {
    "chinese with an id": ("把 video_001 改短", "zh"),
    "chinese with a brand": ("undo 更幽默一些", "zh"),
    "english with a name": ("Change 大家好 to hello everyone in video_001", "en"),
    "english about chinese words": ("replace “频道” with “直播间”", "en"),
    "chinese about english words": ("把“AI models”改成“large language models”", "zh"),
    "only a quotation": ("“大家好”", "zh"),
    "english": ("make it shorter", "en"),
    "neither": ("123", "en"),
    "nothing": ("", "en"),
}


@pytest.mark.parametrize(("text", "language"), TEXTS.values(), ids=TEXTS)
def test_words_are_weighed_not_letters(text: str, language: Language) -> None:
    assert language_of(text) == language
