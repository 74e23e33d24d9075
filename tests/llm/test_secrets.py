"""Keys are hidden wherever they stand, however they are spelled or cut into pieces."""

import json

import pytest

from script_editor.llm.chat import Reply, ToolCall
from script_editor.llm.secrets import SECRET_CHARS, Mask, Masked

KEY = "sk-test-0123456789abcdef"


@pytest.mark.parametrize(
    "key",
    ['ab"c\\d/e+f=gh', "钥匙钥匙钥匙钥匙", "sk-x", "p@ss.w(o)rd*"],
    ids=["quotes", "han", "short", "regex signs"],
)
def test_a_key_of_any_spelling_is_masked_also_inside_json(key: str) -> None:
    mask = Mask([key])
    inside = json.dumps({"key": key})
    twice = json.dumps({"error": inside}, ensure_ascii=False)

    for text in (key, f"Bearer {key}", inside, twice):
        masked = mask.value({"text": text})
        assert mask.finds(json.dumps({"text": text}, ensure_ascii=False))
        assert not mask.finds(json.dumps(masked, ensure_ascii=False))
        assert "***" in json.dumps(masked)


def test_a_short_key_is_not_looked_for_inside_words() -> None:
    assert Mask(["none"]).text("nonetheless none.") == "nonetheless ***."
    assert Mask(["", "  "]).text("a  b") == "a  b"


def test_of_two_keys_that_begin_alike_the_longer_one_is_hidden_whole() -> None:
    assert Mask(["sk-12345678", "sk-1234567890"]).text("sk-1234567890 sk-12345678") == "*** ***"


def heard(secrets: list[str], pieces: list[str]) -> str:
    """Return what someone hears who is told a text in pieces."""
    told: list[str] = []
    masked = Masked(Mask(secrets), told.append)
    for piece in pieces:
        masked(piece)
    masked.flush()
    return "".join(told)


@pytest.mark.parametrize(
    ("secrets", "said", "shown"),
    [
        ([KEY], f"key: {KEY} done", "key: *** done"),
        ([KEY], f"{KEY}{KEY}", "******"),
        ([KEY], "sk-test-01234 is none", "sk-test-01234 is none"),
        (["abcdefghabcd"], "abcdefghabcdefgh", "***efgh"),
        (["sk-12345678", "sk-1234567890"], "sk-1234567890 and sk-12345678", "*** and ***"),
        (['quo"te-0123456789'], '{"k": "quo\\"te-0123456789"}', '{"k": "***"}'),
    ],
    ids=["one", "two", "the beginning alone", "ends as it begins", "one begins like another", "inside JSON"],
)
def test_no_way_to_cut_a_text_lets_a_key_through(secrets: list[str], said: str, shown: str) -> None:
    for size in range(1, len(said) + 1):
        assert heard(secrets, [said[at : at + size] for at in range(0, len(said), size)]) == shown


def test_a_listener_waits_for_nothing_but_a_key_that_has_begun() -> None:
    told: list[str] = []
    masked = Masked(Mask([KEY]), told.append)

    masked("大家好。")
    masked("key sk-te")

    assert told == ["大家好。", "key "]


def test_a_reply_repeats_a_key_in_none_of_its_parts() -> None:
    reply = Reply(
        text=f"a {KEY}", tool_calls=(ToolCall("c1", "show", json.dumps({"key": KEY})),), refusal=KEY, model=f"m-{KEY}",
        message={"role": "assistant", "content": KEY, "more": [{KEY: 1}]},
    )  # fmt: skip

    masked = Mask([KEY]).reply(reply)

    assert KEY not in repr(masked) and "***" in masked.text


def test_a_placeholder_for_a_key_stays_in_what_is_to_be_saved() -> None:
    reply = Reply(text="none of the texts", message={"role": "assistant", "content": "none of the texts"})

    assert Mask(["none"], min_chars=SECRET_CHARS).reply(reply) == reply
