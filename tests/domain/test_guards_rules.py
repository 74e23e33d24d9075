"""Rules of the chain: who is asked, what a finding carries, which faults only warn."""

import time

import pytest

from script_editor.domain.findings import GuardContext, may_be_overruled
from script_editor.domain.guards import check
from script_editor.domain.locks import Lock
from tests.domain.guarded import KITCHEN, LAMP, NIGHT_RUNS, PHONE_REVIEW, PLANT, TECH_TALK, changed


def test_a_literal_plan_is_asked_about_words_locks_and_targets_only() -> None:
    """What the person dictated is theirs, whatever it looks like."""
    literal = GuardContext(instruction="x", is_literal=True)

    assert check(KITCHEN, "抱歉，我无法协助。\n**……**\n", literal) == ()
    assert [finding.code for finding in check(KITCHEN, "\n", literal)] == ["empty"]


def test_a_literal_plan_must_keep_to_the_targets() -> None:
    after = changed(PLANT, ("Hey everyone", "Hi everyone"))

    findings = check(PLANT, after, GuardContext(instruction="x", is_literal=True, targets=(5,)))

    assert [finding.code for finding in findings] == ["off_target"]


def test_a_broken_lock_is_found() -> None:
    lock = Lock(kind="segment", text="水开下面，三分钟就好。")

    findings = check(
        KITCHEN,
        changed(KITCHEN, ("三分钟就好", "三分钟搞定")),
        GuardContext(instruction="口语", locks=(lock,)),
    )

    assert [finding.code for finding in findings] == ["locked_changed"]


def test_a_finding_names_the_new_line_and_what_stood_there() -> None:
    after = "加一行。\n" + changed(LAMP, ("249元", "199元"))

    [finding] = check(LAMP, after, GuardContext(instruction="开头加一行，更有激情"))

    assert (finding.guard, finding.segments) == ("facts", (2,))
    assert finding.message == "Line 2 says 199元 where the script says 249元."
    assert finding.example == "这款灯售价199元，保修三年。"
    assert finding.was == "这款灯售价249元，保修三年。"


def test_a_number_that_a_shorter_text_loses_is_a_warning_that_names_it() -> None:
    after = changed(PHONE_REVIEW, ("X2 Pro 重 198 克，单手刷半小时，手腕不酸。\n", ""))

    [*findings] = check(PHONE_REVIEW, after, GuardContext(instruction="缩短一点"))

    assert {finding.level for finding in findings} == {"warning"}
    assert any("198 克" in finding.message for finding in findings)


def test_a_number_that_a_shorter_text_changes_is_an_error() -> None:
    after = changed(PHONE_REVIEW, ("4299 元，自己掏的钱", "3999 元"))

    findings = check(PHONE_REVIEW, after, GuardContext(instruction="缩短一点"))

    assert ("facts_changed", "error") in [(finding.code, finding.level) for finding in findings]


@pytest.mark.parametrize(
    ("after", "instruction", "is_allowed"),
    [
        pytest.param(
            changed(LAMP, ("249元", "199元")), "更有激情", True, id="another number may be overruled"
        ),
        pytest.param(changed(LAMP, ("249元", "**249元**")), "更有激情", True, id="markup may be overruled"),
        pytest.param(LAMP + "（其余不变）\n", "更有激情", False, id="an elision may not"),
        pytest.param("春风又绿江南岸，\n明月何时照我还。\n", "更有激情", False, id="another text may not"),
    ],
)
def test_only_some_faults_may_be_overruled(after: str, instruction: str, is_allowed: bool) -> None:
    assert may_be_overruled(check(LAMP, after, GuardContext(instruction=instruction))) == is_allowed


def test_a_line_number_in_the_instruction_names_no_fact() -> None:
    before = "开始。\n我一周更新3期。\n再见。\n"

    findings = check(
        before, changed(before, ("3期", "6期")), GuardContext(instruction="在第3行后面加一句，第6行不动")
    )

    assert [finding.code for finding in findings] == ["facts_changed"]


def test_a_removal_of_one_line_is_no_leave_to_drop_a_cue_elsewhere() -> None:
    before = "门开了（音效：敲门声）屋里没有人。\n他坐下。\n天黑了。\n"

    findings = check(before, "门开了，屋里没有人。\n天黑了。\n", GuardContext(instruction="删掉第2行"))

    assert [finding.code for finding in findings] == ["structure_lost"]


@pytest.mark.parametrize("instruction", ["把“轻盾”全部换成“云盾”", "轻盾改成云盾"])
def test_a_word_that_is_changed_everywhere_may_change_inside_a_cue(instruction: str) -> None:
    before = "【轻盾特写】\n大家好，这是轻盾。\n【全景】\n再见。\n"

    assert check(before, before.replace("轻盾", "云盾"), GuardContext(instruction=instruction)) == ()


def test_moved_lines_keep_their_labels_only_when_a_move_was_asked_for() -> None:
    lines = TECH_TALK.splitlines(keepends=True)
    after = "".join([lines[1], lines[0], *lines[2:]])

    assert check(TECH_TALK, after, GuardContext(instruction="把第2行移到第1行前面")) == ()
    assert [f.code for f in check(TECH_TALK, after, GuardContext(instruction="口语一点"))] == [
        "structure_lost"
    ]


@pytest.mark.parametrize("filler", ["[", "（", "{", '"', "*", "的", "a ", "1,000,", "十", "S1 | ", "a."])
def test_a_very_long_line_takes_no_more_than_linear_time(filler: str) -> None:
    """A quadratic pattern takes minutes here; the bound leaves a slow machine much room."""
    after = NIGHT_RUNS + filler * (40_000 // len(filler)) + "\n"

    start = time.perf_counter()
    check(NIGHT_RUNS, after, GuardContext(instruction="润色"))

    assert time.perf_counter() - start < 5


def test_an_hour_of_speech_is_checked_quickly() -> None:
    """A tenth of a second on an idle machine; the bound leaves a slow one much room."""
    before = "".join(f"第{n}件事，我们慢慢说，一共要花{n}元，记得带上{n % 7}号门票。\n" for n in range(900))
    after = before.replace("慢慢说", "慢慢地说")

    start = time.perf_counter()
    assert check(before, after, GuardContext(instruction="口语一点")) == ()

    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    ("before", "after", "instruction"),
    [
        pytest.param(
            "第一讲，水。\n如果您觉得有所收获，请点赞并关注本频道。\n第二讲，火。\n如果您觉得有所收获，请点赞并关注本频道。\n",
            "第一讲，水。\n觉得有收获的话，点个赞、关注一下频道呗。\n第二讲，火。\n觉得有收获的话，点个赞、关注一下频道呗。\n",
            "整体更口语",
            id="a refrain",
        ),
        pytest.param(
            "Kettles first.\nWe would like to invite you to share your opinion of the kettle in the comments.\n"
            "Now lamps.\nWe would like to invite you to share your opinion of the lamp in the comments.\n",
            "Kettles first.\nSo what do you think of the kettle? Tell us down in the comments.\n"
            "Now lamps.\nSo what do you think of the lamp? Tell us down in the comments.\n",
            "Make it more conversational",
            id="a standing phrase",
        ),
    ],
)
def test_lines_that_repeated_each_other_may_be_reworded_alike(
    before: str, after: str, instruction: str
) -> None:
    assert check(before, after, GuardContext(instruction=instruction, scope="global")) == ()


def test_different_lines_may_not_become_the_same() -> None:
    before = "第一讲，说说水的三种样子。\n第二讲，火从哪里来，又到哪里去。\n第三讲，木头为什么会浮在水上。\n"
    same = "这一讲我们来聊一个特别有意思的话题。"

    found = check(before, f"{same}\n第二讲，火从哪里来呢。\n{same}\n", GuardContext(instruction="口语一点"))

    assert "duplicated" in [finding.code for finding in found]
