"""What is told of batches and items: facts in both languages, and only commands that fit."""

from datetime import UTC, datetime
from typing import Any

import click
import pytest
from rich.cells import cell_len

from script_editor.cli.batch import hints, items, listing, words
from script_editor.domain.batches import Batch, Bounds, Item, Job, Recipe, Takeable, Tally

THEN = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)


def batch(**known: Any) -> Batch:
    recipe = Recipe(
        instruction="把“频道”改成“直播间”", author="me", model="deepseek-chat", mode="direct", prompts="f00d"
    )
    whole: dict[str, Any] = {
        "id": "b-x7k2m9qp", "state": "running", "recipe": recipe, "target": "propose", "bounds": Bounds(),
        "total": 12, "created_at": THEN, "updated_at": THEN,
    }  # fmt: skip
    return Batch(**(whole | known))


def item(**known: Any) -> Item:
    job = Job(seq=7, script_id="video_007", base_number=6, instruction="x", key="k")
    whole: dict[str, Any] = {
        "batch_id": "b-x7k2m9qp", "job": job, "state": "done", "attempt": 1, "crashes": 0, "updated_at": THEN,
    }  # fmt: skip
    return Item(**(whole | known))


def test_a_line_says_where_a_batch_stands_and_what_it_took_in_either_language() -> None:
    tally = Tally(
        batch=batch(state="paused", pause_reason="budget", bounds=Bounds(budget=0.1)),
        counts={"done": 7, "unchanged": 1, "failed": 1, "queued": 1200, "running": 0},
        prompt_tokens=12400, completion_tokens=3000, spent=0.0431,
    )  # fmt: skip

    assert words.tally_line(tally, "en") == (
        "b-x7k2m9qp  paused (the budget does not cover the next call)   "
        "7 done · 1 unchanged · 1 failed · 1,200 waiting · 12,400 + 3,000 tokens · cost 0.0431/0.1000"
    )
    assert words.tally_line(tally, "zh") == (
        "b-x7k2m9qp  已暂停（预算不够下一次调用）   "
        "完成 7 · 无需改动 1 · 失败 1 · 待处理 1,200 · 12,400 + 3,000 tokens · 费用 0.0431/0.1000"
    )


def test_a_price_that_is_not_known_is_never_nought() -> None:
    tally = Tally(batch=batch(), counts={"done": 1}, prompt_tokens=5, completion_tokens=2)

    assert words.used(tally, "en") == ["5 + 2 tokens", "price unknown"]
    assert words.used(tally, "zh") == ["5 + 2 tokens", "价格未知"]


def test_nothing_is_said_of_money_while_nobody_was_asked() -> None:
    assert words.used(Tally(batch=batch(), counts={"queued": 12}), "en") == []


@pytest.mark.parametrize(
    ("known", "en", "zh"),
    [
        ({"proposal_id": "p-aaaaaaa1"}, "✓ video_007  proposal p-aaaaaaa1", "✓ video_007  提案 p-aaaaaaa1"),
        ({"result_number": 7}, "✓ video_007  saved as v7", "✓ video_007  已存为 v7"),
        ({"state": "unchanged"}, "= video_007  unchanged", "= video_007  无需改动"),
        ({"state": "unchanged", "error": "The text stays as it is.", "error_type": "unchanged"}, "= video_007  unchanged", "= video_007  无需改动"),
        ({"state": "failed", "error": "busy\nstill busy"}, "✗ video_007  failed: busy still busy",
         "✗ video_007  失败：busy still busy"),
        ({"state": "failed", "error": "34 s, not 30 s", "proposal_id": "p-aaaaaaa1"},
         "✗ video_007  failed: 34 s, not 30 s (proposal p-aaaaaaa1)",
         "✗ video_007  失败：34 s, not 30 s（提案 p-aaaaaaa1）"),
        ({"state": "conflict", "error": "v6 became v7"}, "! video_007  conflict: v6 became v7",
         "! video_007  冲突：v6 became v7"),
        ({"state": "dead"}, "✗ video_007  dead", "✗ video_007  多次崩溃"),
        ({"state": "cancelled"}, "- video_007  cancelled", "- video_007  已取消"),
    ],
    ids=["proposed", "saved", "unchanged", "unchanged with a reason", "failed", "failed but kept", "conflict", "dead", "cancelled"],
)  # fmt: skip
def test_an_item_is_one_line_with_a_mark_that_holds_without_colour(known: Any, en: str, zh: str) -> None:
    assert click.unstyle(items.item_line(item(**known), "en")) == en
    assert click.unstyle(items.item_line(item(**known), "zh")) == zh


def test_what_a_service_said_cannot_steer_the_terminal() -> None:
    line = click.unstyle(items.item_line(item(state="failed", error="\x1b[2Jgone\u202e"), "en"))

    assert "\x1b" not in line and "\u202e" not in line and "gone" in line


def test_hints_name_only_what_can_be_done_now() -> None:
    def steps(counts: Any, *takeable: str, **known: Any) -> list[str]:
        tally = Tally(batch=batch(**known), counts=counts)
        return hints.next_steps(tally, Takeable(**dict.fromkeys(takeable, True)), "en")

    assert [
        "Look at it: script-editor batch export b-x7k2m9qp",
        "Run it: script-editor batch run b-x7k2m9qp",
    ] == steps({"queued": 12}, state="planned")
    assert ["See why: script-editor batch failures b-x7k2m9qp"] == steps(
        {"queued": 3, "failed": 1, "done": 2}
    )
    assert ["Go on: script-editor batch resume b-x7k2m9qp"] == steps(
        {"queued": 3}, state="paused", pause_reason="sample"
    )
    assert ["Go on: script-editor batch resume b-x7k2m9qp"] == steps(
        {"queued": 3}, state="paused", pause_reason="budget"
    )
    assert ["Go on, with twice the budget: script-editor batch resume b-x7k2m9qp --budget 0.1"] == steps(
        {"queued": 3}, state="paused", pause_reason="budget", bounds=Bounds(budget=0.05)
    )
    assert ["Go on: script-editor batch resume b-x7k2m9qp"] == steps({"cancelled": 3}, state="cancelled")
    assert steps({"failed": 1, "done": 2}, "clean", "warned", state="done") == [
        "See why: script-editor batch failures b-x7k2m9qp",
        "Again: script-editor batch retry b-x7k2m9qp",
        "Save the clean ones: script-editor batch apply b-x7k2m9qp --clean",
    ]
    assert steps({"done": 2}, "warned", state="done") == [
        "Save those with warnings, too: script-editor batch apply b-x7k2m9qp"
    ]
    assert ["Undo: script-editor batch revert b-x7k2m9qp"] == steps({"done": 2}, "saved", state="done")
    assert [] == steps({"done": 2}, state="done")
    assert [] == steps({"done": 2, "queued": 1}, "clean", "saved", state="running")


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0:00"), (-3, "0:00"), (41, "0:41"), (725.4, "12:05"), (11049, "3:04:09")]
)
def test_a_span_reads_like_a_clock(seconds: float, said: str) -> None:
    assert said == words.span(seconds)


def test_the_pace_tells_what_is_known_and_what_is_waited_for() -> None:
    assert ["1:30 left", "42 a minute"] == words.pace(42.2, 90, "", "en")
    assert ["等待每分钟 token 额度", "每分钟 1.5 个"] == words.pace(1.5, None, "tokens", "zh")
    assert ["waiting for 1 running call"] == words.pace(None, None, "calls", "en", running=1)
    assert ["等待 2 个进行中的调用"] == words.pace(None, None, "calls", "zh", running=2)
    assert ["waiting to ask the service again"] == words.pace(None, None, "service", "en")


# --- a list ----------------------------------------------------------------------------------


def listed(columns: int | None) -> list[str]:
    english = Recipe(
        instruction="tidy it, and keep all of the names", author="me", model="qwen-plus-latest", mode="direct",
        prompts="f",
    )  # fmt: skip
    counts: Any = {"done": 1214, "unchanged": 12, "failed": 3, "queued": 98000}
    return listing.lines(
        [
            Tally(
                batch=batch(state="paused", pause_reason="unreachable"), counts=counts, prompt_tokens=1234567
            ),
            Tally(batch=batch(recipe=english, state="done"), counts=counts, spent=12.5),
        ],
        columns,
    )


@pytest.mark.parametrize("columns", [80, 100])
def test_a_list_fits_a_narrow_terminal_with_a_few_lines_for_each_batch(columns: int) -> None:
    lines = listed(columns)

    assert all(cell_len(line) <= columns for line in lines)
    assert "  “tidy it, and keep all of the names”" in lines and "  “把“频道”改成“直播间””" in lines
    assert any("已暂停（服务没有响应）" in line for line in lines)
    assert any("3 failed" in line for line in lines) and any("失败 3" in line for line in lines)


@pytest.mark.parametrize("columns", [None, 200])
def test_a_list_has_a_row_for_each_batch_where_there_is_room(columns: int | None) -> None:
    lines = listed(columns)

    assert len(lines) == 2
    assert "待处理 98,000" in lines[0] and "98,000 waiting" in lines[1]
