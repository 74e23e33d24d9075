"""batch plan: scripts chosen by id, language, spoken length and words, in Chinese and English, on both databases."""

import pytest

from tests.support.command import Command

SHORT, LONG = 1, 30
TEXTS = {
    "zh_short": "今天聊防晒。\n" * SHORT,
    "zh_long": "今天我们来聊一聊防晒霜到底应该怎么涂。\n" * LONG,
    "en_short": "Today we talk about sunscreen.\n" * SHORT,
    "en_long": "Today we talk about how much sunscreen is enough for a day at the beach.\n" * LONG,
    "other": "…… ?!\n",
}
DO = "delete line 1"


@pytest.fixture
def command(store_url: str) -> Command:
    made = Command(store_url)
    for name, text in TEXTS.items():
        assert made("new", name, input=text).exit_code == 0
    return made


CHOICES = {
    "Chinese": (("--lang", "zh"), {"zh_short", "zh_long"}),
    "English": (("--lang", "en"), {"en_short", "en_long"}),
    "a code in capitals": (("--lang", "ZH"), {"zh_short", "zh_long"}),
    "neither": (("--lang", "und"), {"other"}),
    "a language of nobody": (("--lang", "fr"), set[str]()),
    "longer, in seconds": (("--longer-than", "30s"), {"zh_long", "en_long"}),
    "longer, in Chinese": (("--longer-than", "半分钟"), {"zh_long", "en_long"}),
    "shorter": (("--shorter-than", "0:30"), {"zh_short", "en_short", "other"}),
    "between": (("--longer-than", "1s", "--shorter-than", "30s"), {"zh_short", "en_short"}),
    "a word in Chinese": (("--containing", "防晒霜"), {"zh_long"}),
    "a word in English": (("--containing", "sunscreen"), {"en_short", "en_long"}),
    "all of the words": (("--containing", "sunscreen", "--containing", "beach"), {"en_long"}),
    "a word in another case": (("--containing", "SUNSCREEN"), set[str]()),
    "an id and a language": (("--select", "*_long", "--lang", "zh"), {"zh_long"}),
    "an id, a language and a length": (("--select", "*_*", "--lang", "en", "--shorter-than", "30s"), {"en_short"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CHOICES)
def test_scripts_are_chosen_by_what_they_are_like(command: Command, name: str) -> None:
    options, wanted = CHOICES[name]

    ran = command("batch", "plan", *options, "--do", DO, "--json")

    if not wanted:
        assert (ran.exit_code, ran.json["ok"]) == (3, False)
        return
    rows = command("batch", "export", ran.data["batch"], "--json").data["rows"]
    assert {row["script"] for row in rows} == wanted


def test_a_script_whose_language_was_named_is_taken_by_that(command: Command) -> None:
    """What was stored counts, not what it is written in: a variant may be half translated."""
    assert command("new", "ep_9", "--lang", "en", input="还没有翻译。\n").exit_code == 0

    ran = command("batch", "plan", "--lang", "en", "--select", "ep_*", "--do", DO, "--json")

    assert ran.data["total"] == 1
