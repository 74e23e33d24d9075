"""Cue times and numbers, the head of subtitles, code fences and rules, on which a reply wrote words."""

from pathlib import Path

import pytest

from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from tests.domain.guarded import COIN_DROP, SUBTITLES, changed

SEEDS = Path(__file__).parents[2] / "seeds"
GUIDE = (SEEDS / "video_010" / "v1.srt").read_text(encoding="utf-8")
LESSON = (SEEDS / "video_006" / "v1.md").read_text(encoding="utf-8")
WEB = (
    "WEBVTT - Harbour\n\n1\n00:01.000 --> 00:03.000 align:start\nGood evening.\n\n2\n00:03.200 --> 00:06.000\n"
    "Mind the step.\n\n3\n00:06.200 --> 00:08.000\nTake a seat.\n"
)
SBV = "0:00:00.500,0:00:03.150\nGood evening.\n\n0:00:03.350,0:00:07.960\nMind the step.\n\n0:00:08.000,0:00:09.000\nSit.\n"
RULED = "Good evening.\n---\nMind the step.\n===\nTake a seat.\n***\nThat is all.\n"
FENCED = "# Lesson\n\nType this.\n\n```python\nprint(1)\n```\n\nPress enter.\n"


def errors(before: str, after: str, instruction: str) -> set[tuple[str, str]]:
    findings = check(before, after, GuardContext(instruction=instruction, scope="global"))
    return {(finding.guard, finding.code) for finding in findings if finding.level == "error"}


@pytest.mark.parametrize(
    "instruction", ["make it funnier", "改得更幽默一点", "turn it into a poem", "remove the sound effects"]
)
@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        pytest.param(GUIDE, "--> 00:00:03,150", "--> 00:00:03,150, you know.", id="srt, behind"),
        pytest.param(GUIDE, "--> 00:00:03,150", "--> 00:00:03,150 you know", id="srt, behind a space"),
        pytest.param(GUIDE, "00:00:00,500 -->", "Friends, 00:00:00,500 -->", id="srt, before"),
        pytest.param(SUBTITLES, "06,000\n", "06,000，你懂的。\n", id="srt, zh"),
        pytest.param(SUBTITLES, "2\n00", "2, you know.\n00", id="number, behind"),
        pytest.param(SUBTITLES, "2\n00", "Friends, 2\n00", id="number, before"),
        pytest.param(WEB, "03.000 align:start", "03.000 align:start you know", id="vtt, behind the settings"),
        pytest.param(SBV, "0:00:07.960", "0:00:07.960 you know", id="sbv, behind"),
        pytest.param(COIN_DROP, "[00:07]", "Friends, [00:07]", id="bracketed time"),
        pytest.param(FENCED, "```\n", "Friends, ```\n", id="fence, before"),
        pytest.param(FENCED, "```python", "```python, you know.", id="fence, behind"),
        pytest.param(LESSON, "```\n\n敲完", "```，你懂的。\n\n敲完", id="fence of a long lesson"),
        pytest.param(RULED, "---", "Friends, ---", id="rule, before"),
        pytest.param(RULED, "===", "===, you know.", id="rule, behind"),
        pytest.param(FENCED, "# Lesson", "Friends, # Lesson", id="heading, before"),
    ],
)
def test_nothing_may_be_written_on_a_line_that_is_no_speech(
    before: str, old: str, new: str, instruction: str
) -> None:
    assert ("structure", "structure_lost") in errors(before, changed(before, (old, new)), instruction)


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        pytest.param(WEB, "WEBVTT - Harbour", "WEBVTT - Harbour, you know", id="head"),
        pytest.param(WEB, "WEBVTT - Harbour\n\n", "", id="no head"),
        pytest.param(WEB, " align:start", "", id="settings"),
        pytest.param(SUBTITLES, "00:00:03,200 -->", "00:00:03,300 -->", id="other times"),
        pytest.param(FENCED, "```\n\nPress", "Press", id="half a fence"),
        pytest.param(FENCED, "```python", "```js", id="another fence"),
    ],
)
def test_what_holds_a_file_together_stays_as_it_is(before: str, old: str, new: str) -> None:
    assert ("structure", "structure_lost") in errors(before, changed(before, (old, new)), "make it funnier")


@pytest.mark.parametrize(
    ("before", "instruction", "pairs"),
    [
        pytest.param(SUBTITLES, "口语一点", [("大家好。", "大家好呀。")], id="the words of a cue"),
        pytest.param(
            SUBTITLES,
            "删掉第3条字幕",
            [("\n3\n00:00:06,200 --> 00:00:08,000\n带上外套。\n", "")],
            id="a cue goes",
        ),
        pytest.param(
            SUBTITLES,
            "时间轴整体推迟一秒",
            [("00:00:01,000 --> 00:00:03,000", "00:00:02,000 --> 00:00:04,000")],
            id="times asked for",
        ),
        pytest.param(
            RULED,
            "make it funnier",
            [("Mind the step.", "Mind the step --- it bites.")],
            id="dashes in speech",
        ),
        pytest.param(FENCED, "make it funnier", [("Type this.", "Type this, friends.")], id="beside a fence"),
        pytest.param(
            FENCED, "change the code block to javascript", [("```python", "```js")], id="fence asked for"
        ),
        pytest.param(
            FENCED, "remove the example", [("```python\nprint(1)\n```\n\n", "")], id="a whole block goes"
        ),
        pytest.param(COIN_DROP, "funnier", [("not much", "not a lot, really")], id="behind a time"),
        pytest.param(
            COIN_DROP,
            "add the speaker's name to each line",
            [("[00:07]", "HOST: [00:07]")],
            id="a label before a time",
        ),
        pytest.param(COIN_DROP, "make it a list", [("[00:07]", "- [00:07]")], id="a sign before a time"),
        pytest.param(WEB, "warmer", [("Take a seat.", "Do take a seat.")], id="vtt"),
    ],
)
def test_other_lines_may_change(before: str, instruction: str, pairs: list[tuple[str, str]]) -> None:
    assert ("structure", "structure_lost") not in errors(before, changed(before, *pairs), instruction)


def test_numbers_in_time_codes_are_no_facts() -> None:
    after = changed(GUIDE, ("00:00:03,150\n", "00:00:03,150, you know.\n"))
    findings = check(GUIDE, after, GuardContext(instruction="make it funnier", scope="global"))
    assert not [finding for finding in findings if finding.guard in ("facts", "invented")]
