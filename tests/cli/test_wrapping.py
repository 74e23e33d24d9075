"""Lines too long for a terminal: broken between facts, clauses and words, never inside a word or a command."""

import click
import pytest
from rich.cells import cell_len

from script_editor.cli.wrapping import wrapped

COMMAND = "script-editor batch resume b-x7k2m9qp"
FACTS_ZH = (
    "b-x7k2m9qp  已暂停（服务没有响应）   完成 1,214 · 无需改动 12 · 失败 3 · 待处理 98,000 · "
    "其中有警告 17、已保存 4 · 1,234,567 + 345,678 tokens · 费用 12.3456/20.00"
)
FACTS_EN = (
    "b-x7k2m9qp  paused (the service does not answer)   1,214 done · 12 unchanged · 3 failed · 98,000 waiting · "
    "of which 17 with warnings, 4 saved · 1,234,567 + 345,678 tokens · cost 12.3456/20.00"
)
SAID_ZH = (
    "✗ 探店_04  失败：脚本“探店_04”第 3 行的“轻盾”不能改，那是锁定的词；没有保存，探店_04 v5 保持不变。"
    f"仍要保存：{COMMAND} --force"
)
SAID_EN = (
    "✗ home_14  failed: the words “light shield” in line 3 are locked and must stay as they are; "
    f"nothing was saved. Save it all the same: {COMMAND} --force"
)


def test_a_line_that_fits_stays_as_it_is() -> None:
    assert wrapped("  失败 3     重试", 80) == ["  失败 3     重试"]


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize(
    "line", [FACTS_ZH, FACTS_EN, SAID_ZH, SAID_EN], ids=["facts zh", "facts en", "zh", "en"]
)
def test_no_word_number_or_command_is_broken(line: str, columns: int) -> None:
    lines = wrapped(line, columns)

    assert len(lines) > 1 and all(cell_len(each) <= columns for each in lines)
    for whole in (
        COMMAND,
        "费用 12.3456/20.00",
        "cost 12.3456/20.00",
        "失败 3",
        "3 failed",
        "98,000 waiting",
        "home_14",
    ):
        assert any(whole in each for each in lines) == (whole in line)
    assert "".join("".join(lines).split()).replace("·", "") == "".join(line.split()).replace("·", "")


def test_steps_get_a_line_each_and_go_on_further_in() -> None:
    lines = wrapped(f"  See why: {COMMAND}     Again, with all that is cancelled: {COMMAND}", 60)

    assert lines == [f"  See why: {COMMAND}", "  Again, with all that is cancelled:", f"    {COMMAND}"]


def test_a_command_that_is_longer_than_a_line_stays_whole() -> None:
    assert wrapped(f"Go on: {COMMAND}", 30) == ["Go on:", COMMAND]


def test_colours_take_no_room() -> None:
    line = click.style("✗", fg="red") + " " + "word " * 15 + "end"

    assert len(wrapped(line, 80)) == 1


def test_chinese_without_marks_is_broken_between_characters() -> None:
    lines = wrapped("没有任何标点的一句话" * 12, 80)

    assert all(cell_len(line) <= 80 for line in lines) and len(lines) == 4
