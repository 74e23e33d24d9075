"""A pattern behaves as `re.compile` would have made it, from its first use on."""

import re

import pytest

from script_editor.patterns import Pattern

SOURCE, FLAGS = r"(?P<line>第(\d+)行)|line (\d+)", re.IGNORECASE
TEXTS = ["", "第3行和第12行", "LINE 7, then 第8行", "no line"]


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
    assert ours.sub(lambda match: match[0].upper(), text) == theirs.sub(lambda match: match[0].upper(), text)


def test_nothing_is_compiled_before_the_first_use() -> None:
    broken = Pattern("(")

    with pytest.raises(re.error):
        broken.search("")
