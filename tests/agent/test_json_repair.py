"""JSON as models write it: what is repaired, and what is refused because it could mean two things."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.agent.json_repair import BrokenJson, decode

ONE_READING = {
    "plain": ('{"a": [1, -2.5, true, null, "x"]}', {"a": [1, -2.5, True, None, "x"]}),
    "trailing commas": ('{"a": [1, 2,], }', {"a": [1, 2]}),
    "python literal": ("{'a': True, 'b': None}", {"a": True, "b": None}),
    "raw newline in a string": ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
    "escaped apostrophe": (r'{"a": "don\'t"}', {"a": "don't"}),
    "backslash-n between tokens": (r'{\n"a": 1,\n"b": 2\n}', {"a": 1, "b": 2}),
    "curly quotes": ("{“a”: “b”}", {"a": "b"}),
    "full-width punctuation": ("｛“a”：“b”，“c”：1｝", {"a": "b", "c": 1}),
    "inner quotes between letters": ('{"a": "把"旧"换成"新"吧"}', {"a": '把"旧"换成"新"吧'}),
    "apostrophe in single quotes": ("{'a': 'don't'}", {"a": "don't"}),
    "the same key with the same value": ('{"a": 1, "a": 1}', {"a": 1}),
    "curly quotes inside a string": ('{"a": "写“好”，再写"}', {"a": "写“好”，再写"}),
    "surrogate pair": (r'{"a": "\ud83d\ude00"}', {"a": "😀"}),
    "a JSON text in a string": (r'{"a": "{\"b\": 1}"}', {"a": '{"b": 1}'}),
}

NO_READING = {
    "cut in a string": ('{"a": "one', "cut"),
    "cut behind a value": ('{"a": 1', "cut"),
    "cut behind a comma": ('{"a": 1,', "cut"),
    "one key with two values": ('{"a": 1, "a": 2}', "duplicate"),
    "true is not 1": ('{"a": 1, "a": true}', "duplicate"),
    "an unpaired inner quote": ('{"a": "先说"好", "b": "x"}', "bad"),
    "inner quotes beside a comma": ('{"a": "说"好","走"吧"}', "bad"),
    "unquoted value": ("{a: b}", "bad"),
    "unknown escape": (r'{"a": "\d"}', "bad"),
    "comment": ('{"a": 1 // one\n}', "bad"),
    "leading zero": ('{"a": 01}', "bad"),
    "infinite number": ('{"a": 1e999}', "bad"),
    "endless number": (f'{{"a": {"9" * 5000}}}', "bad"),
    "nested without end": ("[" * 5000, "deep"),
    "nothing": ("", "cut"),
}


@pytest.mark.parametrize(("text", "value"), ONE_READING.values(), ids=ONE_READING)
def test_a_text_with_one_reading_is_read(text: str, value: object) -> None:
    assert decode(text).value == value


@pytest.mark.parametrize(("text", "kind"), NO_READING.values(), ids=NO_READING)
def test_a_text_without_one_reading_is_refused(text: str, kind: str) -> None:
    with pytest.raises(BrokenJson) as caught:
        decode(text)

    assert caught.value.kind == kind


def test_reading_ends_behind_the_value() -> None:
    text = 'x {"a": "}"} Observation: {'

    decoded = decode(text, 2)

    assert text[decoded.end :] == " Observation: {"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_valid_json_means_what_it_always_means(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)

    assert decode(text).value == json.loads(text)
