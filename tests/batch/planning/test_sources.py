"""Rows read from CSV, JSON lines and lists of ids: what each says, on which line it begins, and what is wrong with it."""

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.batch.planning.columns import Row
from script_editor.batch.planning.sources import decoded, form_of, of_text
from script_editor.errors import BadFile


def rows(text: str, form) -> list[Row]:
    return list(of_text(text, name="jobs", form=form).rows)


def placed(text: str, form) -> list[tuple[int | None, str]]:
    """The rows as line and script, or line and fault."""
    return [(row.line, row.fault or row.script) for row in rows(text, form)]


# --- bytes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        "脚本\n第一集\n".encode(),
        "脚本\n第一集\n".encode("utf-8-sig"),
        "脚本\n第一集\n".encode("utf-16"),
        b"\xfe\xff" + "脚本\n第一集\n".encode("utf-16-be"),
    ],
    ids=["UTF-8", "UTF-8 with a BOM", "UTF-16", "UTF-16, big end first"],
)
def test_a_source_is_read_as_its_mark_says(data):
    assert "脚本\n第一集\n" == decoded(data, name="jobs.csv")


def test_a_source_is_read_in_the_encoding_that_is_named():
    data = "脚本\n第一集\n".encode("gb18030")

    assert "脚本\n第一集\n" == decoded(data, name="jobs.csv", encoding="gb18030")


@pytest.mark.parametrize(
    ("data", "encoding", "line"),
    [
        ("script\n视频\n".encode("gb18030"), None, 2),
        (b"script\r\na\r\n\xff", None, 3),
        (b"\xef\xbb\xbfscript\na\nb\n\xff", None, 4),
        (b"\xff\xfe" + "上一\n上".encode("utf-16-le") + b"\x00", None, 2),
        ("视频\n".encode("gb18030") + b"\xff\xff", "gb18030", 2),
    ],
    ids=["another encoding", "Windows line ends", "after a BOM", "UTF-16", "the named encoding"],
)
def test_bytes_that_are_no_text_are_refused_with_the_line(data, encoding, line):
    with pytest.raises(BadFile, match=rf"jobs\.csv, line {line}, is not"):
        decoded(data, name="jobs.csv", encoding=encoding)


@pytest.mark.parametrize("encoding", ["undefined", "utf\0-8", "rot13", "no-such", "é"])
def test_an_encoding_that_no_file_has_is_refused(encoding):
    with pytest.raises(BadFile, match="There is no text encoding"):
        decoded(b"script\nabc\n", name="jobs.csv", encoding=encoding)


@pytest.mark.parametrize(("encoding", "data"), [("punycode", b"script\nabc\n"), ("idna", b"xn--999999999")])
def test_a_codec_of_addresses_that_stumbles_over_a_file_is_told_like_any_other(encoding, data):
    with pytest.raises(BadFile, match=rf"jobs\.csv is not {encoding} text\."):
        decoded(data, name="jobs.csv", encoding=encoding)


@pytest.mark.parametrize("data", [b"", b" \n\n", b"\xef\xbb\xbf\n"], ids=["nothing", "blank", "a BOM"])
def test_an_empty_source_is_refused(data):
    with pytest.raises(BadFile, match=r"jobs\.csv is empty"):
        decoded(data, name="jobs.csv")


# --- CSV -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "script,product\nvideo_001,极盾\n第一集,轻盾\n",
        "script;product\nvideo_001;极盾\n第一集;轻盾\n",
        "script\tproduct\nvideo_001\t极盾\n第一集\t轻盾\n",
        "\n , \nscript,product\nvideo_001,极盾\n\n第一集,轻盾",
        "script,product\rvideo_001,极盾\r第一集,轻盾\r",
        ' Script ,product\r\n"video_001","极盾"\r\n第一集 , 轻盾\r\n',
    ],
    ids=["commas", "semicolons", "tabs", "blank lines", "old line ends", "quotes and spaces"],
)
def test_a_table_is_read_however_a_spreadsheet_wrote_it(text):
    found = [(row.script, row.cells["product"]) for row in rows(text, "csv")]

    assert [("video_001", "极盾"), ("第一集", "轻盾")] == found


def test_columns_have_english_and_chinese_names():
    english = rows("script,instruction,target,only,keep\na,改短,30s,2-3,甲|乙\n", "csv")
    chinese = rows("脚本,修改要求,目标时长,只改,保留\na,改短,30s,2-3,甲、乙\n", "csv")

    (row,) = english
    assert ("a", "改短", "30s", "2-3", ("甲", "乙")) == (
        row.script, row.instruction, row.target, row.only, row.keep,
    )  # fmt: skip
    (other,) = chinese
    assert (row.script, row.instruction, row.target, row.only, row.keep) == (
        other.script, other.instruction, other.target, other.only, other.keep,
    )  # fmt: skip


def test_a_loose_name_counts_only_where_nothing_has_the_proper_one():
    assert ["a"] == [row.script for row in rows("id,x\na,1\n", "csv")]
    assert [("a", "1")] == [(row.script, row.cells["id"]) for row in rows("id,script\n1,a\n", "csv")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,product\na,x\n", "no column for the script; its columns are: name, product"),
        ("script,脚本\na,b\n", "'script' and '脚本' mean the same"),
        ("script,x,x\na,1,2\n", "two columns are called 'x'"),
        ('script,"x\na,1\n', "line 1"),
        ('script,x\na,1\nb,"2\nc,3\nd,"4"x\n', "line 3: the row that begins there"),
        ('script,x\na,1\nb,"2\nc,3\n', "line 3: the row that begins there"),
    ],
    ids=[
        "no script",
        "two for one meaning",
        "one name twice",
        "quote in the header",
        "a quote that ends elsewhere",
        "never ends",
    ],
)
def test_a_table_of_which_nobody_knows_what_it_says_is_refused_as_a_whole(text, told):
    with pytest.raises(BadFile, match=told):
        rows(text, "csv")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("b", "1 cells"),
        ("b,2,3", "3 cells"),
        ('b,"2"x', "cannot be read as CSV"),
        (f'b,"{"很长" * 70_000}"', "field larger"),
        (",2", "no script"),
        ("b,\0", "NUL"),
    ],
    ids=["too short", "too long", "a stray quote", "a huge cell", "no script", "NUL"],
)
def test_a_bad_row_is_a_fault_on_its_line_and_the_others_stay(row, told):
    found = rows(f'script,x\n"a","first\nsecond"\n{row}\nc,3\n', "csv")

    assert [(2, None), (5, None)] == [(found[0].line, found[0].fault), (found[2].line, found[2].fault)]
    assert (4, True) == (found[1].line, told in str(found[1].fault))


_CELLS = st.text(st.sampled_from('a极,;"\r\n 、|{}'), max_size=6)


@given(
    st.lists(st.tuples(st.integers(1, 99), _CELLS, _CELLS), min_size=1, max_size=8),
    st.sampled_from(",;\t"),
    st.sampled_from(["\n", "\r\n"]),
)
def test_what_a_spreadsheet_writes_is_read_back_with_the_lines_it_stands_on(table, delimiter, line_end):
    written, expected = io.StringIO(), []
    # Python does not quote a line end that is not its own.
    writer = csv.writer(written, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerow(["x", "script", "instruction"])
    for number, x, instruction in table:
        line = len(re.findall(r"\r\n|\r|\n", written.getvalue())) + 1
        writer.writerow([x, f"video_{number}", instruction])
        expected.append((line, f"video_{number}", x.strip(), instruction.strip()))

    found = rows(written.getvalue(), "csv")

    assert expected == [(row.line, row.script, row.cells["x"], row.instruction) for row in found]


# --- JSON lines ------------------------------------------------------------------------------


def test_json_lines_say_what_a_table_would():
    line = {"脚本": "a", "指令": "改短", "keep": ["甲；乙", "", "Qi"], "n": 3, "on": True, "no": None}

    (row,) = rows(json.dumps(line, ensure_ascii=False), "jsonl")

    assert ("a", "改短", ("甲；乙", "Qi")) == (row.script, row.instruction, row.keep)
    assert ("甲；乙, , Qi", "3", "true", "") == tuple(row.cells[name] for name in ("keep", "n", "on", "no"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "not a JSON object"),
        ('["b"]', "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        ('{"script": "b", "x": {"y": 1}}', "is an object"),
        ('{"script": "b", "x": [[1]]}', "is an object"),
        ('{"script": "b", "script": "c"}', "same name"),
        ('{"script": "b", "脚本": "c"}', "mean the same"),
        ('{"x": "b"}', "no script"),
        ('{"script": "b", "x": "\\ud800"}', "half of a character"),
        ('{"script": "b", "keep": ["\\u0000"]}', "NUL"),
    ],
)
def test_a_bad_line_is_a_fault_and_the_others_stay(line, told):
    found = rows(f'{{"script": "a"}}\r\n\r\n{line}\r\n{{"script": "c"}}\r\n', "jsonl")

    assert [(1, "a"), (4, "c")] == [(found[0].line, found[0].script), (found[2].line, found[2].script)]
    assert (3, True) == (found[1].line, told in str(found[1].fault))


def test_json_lines_of_which_none_can_be_used_are_refused_with_the_first():
    with pytest.raises(BadFile, match="line 2: it is not a JSON object"):
        rows("\nnonsense\n{}\n", "jsonl")


# --- ids, and what comes without a name ------------------------------------------------------


def test_ids_stand_one_on_a_line():
    assert [(2, "video_001"), (4, "第一集")] == placed("# mine\r\n video_001 \r\n\r\n第一集", "ids")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("video_001\nvideo_002\n", "ids"),
        ('\n{"script": "a"}\n', "jsonl"),
        ("script,x\na,b\n", "csv"),
        ("脚本;x\na;b\n", "csv"),
        ("\n脚本\n甲\n", "csv"),
    ],
)
def test_what_comes_without_a_name_is_read_by_its_looks(text, form):
    assert form == form_of(text, name="stdin")


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_json_is_no_cell(value):
    (bad, good) = rows(f'{{"script": "a", "x": [{value}]}}\n{{"script": "b"}}', "jsonl")

    assert f"it has {value} in it, which is no JSON" == str(bad.fault)
    assert "b" == good.script


def test_a_number_is_read_as_it_is_written():
    (row,) = rows('{"script": 7, "price": 1.10, "much": 1e999, "long": ' + "9" * 5_000 + "}", "jsonl")

    assert ("7", "1.10", "1e999", "9" * 5_000) == tuple(row.cells.values())
