"""A pattern behaves as `re.compile` would have made it, from its first use on, whatever part of it is compiled."""

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import script_editor
from script_editor.patterns import Pattern
from script_editor.patterns.sources import EAST_ASIAN, LETTERS, Characters, folded, without

SOURCE, FLAGS = r"(?P<line>第(\d+)行)|line (\d+)", re.IGNORECASE
TEXTS = ["", "第3行和第12行", "LINE 7, then 第8行", "no line", "lıne 4, lİne 5", "第3行", "line 12", "3, 12"]
CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize("text", TEXTS)
def test_every_method_answers_as_re_does(text: str) -> None:
    ours, theirs = Pattern(SOURCE, FLAGS), re.compile(SOURCE, FLAGS)

    for method in ("search", "match", "fullmatch"):
        found, wanted = getattr(ours, method)(text, 1), getattr(theirs, method)(text, 1)
        assert (found and found.span()) == (wanted and wanted.span())
    assert [one.span() for one in ours.finditer(text)] == [one.span() for one in theirs.finditer(text)]
    assert ours.findall(text) == theirs.findall(text)
    assert ours.split(text, 1) == theirs.split(text, 1)
    assert ours.sub("·", text, 1) == theirs.sub("·", text, count=1)
    assert ours.sub(r"<\g<line>\3>", text) == theirs.sub(r"<\g<line>\3>", text)
    assert ours.sub(lambda match: match[0].upper(), text) == theirs.sub(lambda match: match[0].upper(), text)


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[::-1]], ids=["one order", "the other"])
def test_a_pattern_finds_the_same_whatever_it_was_asked_before(texts: list[str]) -> None:
    ours, theirs = Pattern(SOURCE, FLAGS), re.compile(SOURCE, FLAGS)

    for text in texts:
        assert ours.findall(text) == theirs.findall(text)


@pytest.mark.parametrize("source", ["(", ")", "行)", "(?:a|行"])
def test_nothing_is_compiled_before_the_first_use(source: str) -> None:
    broken = Pattern(source)

    with pytest.raises(re.error):
        broken.search("")


def our_patterns() -> dict[str, Pattern]:
    """Return the patterns of the program that stand in a module, alone or in a table, by their source."""
    found: dict[str, Pattern] = {}
    for module in pkgutil.walk_packages(script_editor.__path__, "script_editor."):
        if module.name.split(".")[1] in ("domain", "agent", "app", "offline"):
            for value in vars(importlib.import_module(module.name)).values():
                found |= {pattern.pattern: pattern for pattern in _patterns_in(value)}
    return found


def _patterns_in(value: object) -> Iterator[Pattern]:
    if isinstance(value, Pattern):
        yield value
    elif isinstance(value, dict):
        yield from _patterns_in(tuple(value.values()))
    elif isinstance(value, tuple):
        for item in value:
            yield from _patterns_in(item)


def lines_of_cases(limit: int) -> list[str]:
    """Return lines of the case files, evenly taken, so that all kinds are there."""
    lines: set[str] = set()
    for path in sorted(CASES.glob("*.jsonl")):
        for row in filter(None, path.read_text(encoding="utf-8").split("\n")):
            texts = [value for value in json.loads(row).values() if isinstance(value, str)]
            lines |= {line for text in texts for line in text.split("\n") if line}
    return sorted(lines)[:: max(1, len(lines) // limit)]


def assert_finds_the_same(source: str, flags: int, absent: Characters, texts: list[str]) -> None:
    left, needed = without(source, absent)
    whole, part = re.compile(source, flags), re.compile(left, flags)
    assert (whole.groups, whole.groupindex) == (part.groups, part.groupindex)
    for text in texts:
        wanted = [(match.span(), match.groups(), match.lastgroup) for match in whole.finditer(text)]
        assert wanted == [(match.span(), match.groups(), match.lastgroup) for match in part.finditer(text)]
        assert not wanted or not needed or any(word in folded(text) for word in needed), (source, text)


@pytest.mark.parametrize(
    ("absent", "members"), [(EAST_ASIAN, "[\u2e80-\U0010ffff]+"), (LETTERS, "[A-Za-zİıſ\u212a]+")]
)
def test_what_is_left_of_each_of_our_patterns_finds_what_the_whole_does(
    absent: Characters, members: str
) -> None:
    texts = [re.sub(members, fill, line) for line in lines_of_cases(120) for fill in ("", " ")]
    texts += [text.swapcase() for text in texts[::3]]
    assert not any(absent.are_in(text) for text in texts)
    patterns = our_patterns()
    assert len(patterns) > 300

    for pattern in patterns.values():
        assert_finds_the_same(pattern.pattern, int(pattern.flags), absent, texts)


LITERALS = st.sampled_from(
    [
        "a",
        "k",
        "line",
        "行",
        "第",
        "，",
        ".",
        r"\d",
        r"\b",
        r"\s",
        r"\u884c",
        r"\-",
        "不变",
        "s",
        "ſ",
        "é",
        r"\|",
    ]
)
SETS = st.sampled_from(
    [
        "[行句]",
        "[a-z]",
        "[^a-z]",
        "[^行]",
        "[，,]",
        "[0行-]",
        "[行^a]",
        "[一-龥]",
        "[-a行]",
        r"[\]行\w]",
        "[]行]",
        "[A-z]",
    ]
)
OPENINGS = st.sampled_from(["(?:", "(", "(?=", "(?!", "(?>"])
REPEATS = st.sampled_from(["", "", "", "?", "*", "+", "{0,2}", "{2}", "??", "*+"])
SOURCES = st.recursive(
    st.builds("{}{}".format, LITERALS | SETS, st.just(""))
    | st.builds("(?:{}){}".format, LITERALS | SETS, REPEATS),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map("".join)
        | st.builds("{}{})".format, OPENINGS, st.lists(inner, min_size=1, max_size=3).map("|".join))
        | st.builds("(?:{}){}".format, inner, REPEATS)
    ),
    max_leaves=8,
)
WORDS = st.sampled_from(
    [
        "a",
        "k",
        "K",
        "\u212a",
        "line",
        "LıNE",
        "行",
        "第",
        "，",
        ",",
        ".",
        "1",
        " ",
        "-",
        "]",
        "^",
        "句",
        "ſ",
        "不变",
        "é",
        "|",
        "\n",
    ]
)


@settings(max_examples=400, deadline=None)
@given(
    source=st.lists(SOURCES, min_size=1, max_size=3).map("|".join),
    texts=st.lists(st.lists(WORDS, max_size=7).map("".join), min_size=4, max_size=12),
    flags=st.sampled_from([0, re.IGNORECASE]),
)
def test_what_is_left_of_any_pattern_finds_what_the_whole_does(
    source: str, texts: list[str], flags: int
) -> None:
    for absent in (EAST_ASIAN, LETTERS):
        assert_finds_the_same(source, flags, absent, [text for text in texts if not absent.are_in(text)])
