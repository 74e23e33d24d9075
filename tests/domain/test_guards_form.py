"""Markup in narration, lines outside the targets, and marks of the editing format."""

import pytest

from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from tests.domain.guarded import (
    KITCHEN,
    MAPS,
    NIGHT_RUNS,
    PHOTOSYNTHESIS,
    PLANT,
    YOGA,
    changed,
)


@pytest.mark.parametrize(
    ("before", "instruction", "after", "targets", "codes"),
    [
        pytest.param(
            KITCHEN,
            "强调一下时间",
            changed(KITCHEN, ("三分钟就好", "**三分钟**就好")),
            (),
            {"markdown_added"},
            id="kitchen 22",
        ),
        pytest.param(
            PLANT,
            "Make it clearer",
            "Hey everyone, welcome back to Desk Garden.\nToday we are repotting a snake plant.\n- You need a pot that is two inches wider than the old one.\n- Fill the bottom third with fresh soil.\n- Water it once, then leave it alone for ten days.\nSubscribe if you want part two, and see you next week.\n",
            (),
            {"markdown_added"},
            id="plant: Make it clearer",
        ),
        pytest.param(
            PLANT,
            "Make it clearer",
            changed(PLANT, ("ten days", "<b>ten days</b>")),
            (),
            {"markdown_added"},
            id="plant: Make it clearer (2)",
        ),
        pytest.param(
            NIGHT_RUNS, "更清晰", "## 城市夜跑指南\n" + NIGHT_RUNS, (), {"markdown_added"}, id="night runs 8"
        ),
        pytest.param(
            MAPS,
            "friendlier",
            "| Line | Text |\n|---|---|\n| 1 | Welcome to Ten Minute Maps. |\n" + MAPS.split("\n", 1)[1],
            (),
            {"markdown_added"},
            id="maps: friendlier",
        ),
        pytest.param(
            NIGHT_RUNS,
            "清楚一点",
            changed(NIGHT_RUNS, ("第一站，", "1. 第一站，"), ("第二站，", "2. 第二站，")),
            (),
            {"markdown_added"},
            id="night runs 15",
        ),
        pytest.param(
            NIGHT_RUNS,
            "清楚一点",
            "```\n" + NIGHT_RUNS.replace("欢迎", "热烈欢迎") + "```\n",
            (),
            {"markdown_added"},
            id="night runs 16",
        ),
        pytest.param(
            PHOTOSYNTHESIS,
            "simpler",
            "## Chapter 3\n\n**Photosynthesis** is how plants eat.\n- Plants take in carbon dioxide and water.\n- The formula is 6CO2 + 6H2O -> C6H12O6 + 6O2.\n- Light drives it, and chlorophyll catches the light.\nReview questions are on page 45.\n",
            (),
            {"markdown_added"},
            id="photosynthesis: simpler (2)",
        ),
        pytest.param(
            YOGA,
            "softer",
            YOGA.replace("Namaste.", "*Namaste.*"),
            (),
            {"markdown_added"},
            id="yoga: softer (4)",
        ),
        pytest.param(
            PLANT,
            "fix line five",
            changed(PLANT, ("ten days", "two weeks"), ("Hey everyone", "Hi everyone")),
            (5,),
            {"off_target", "facts_changed"},
            id="plant: fix line five",
        ),
        pytest.param(
            PLANT,
            "funnier line two",
            changed(PLANT, ("Today we are repotting", "Today we repot"), ("fresh soil.", "fresh soil!")),
            (2,),
            {"off_target"},
            id="plant: funnier line two",
        ),
        pytest.param(
            PLANT,
            "funnier line two",
            changed(PLANT, ("Subscribe", "Bye now.\nSubscribe"), ("Today we are", "Today we")),
            (2,),
            {"off_target"},
            id="plant: funnier line two (2)",
        ),
        pytest.param(
            KITCHEN,
            "第五句改一下",
            changed(KITCHEN, ("水开下面，三分钟就好。", "S5:k7 | 水开下面，三分钟搞定。")),
            (),
            {"malformed"},
            id="kitchen 17",
        ),
        pytest.param(
            PLANT,
            "Line two funnier",
            changed(PLANT, ("Today we are", "S2 | Today we are really")),
            (),
            {"malformed"},
            id="plant: Line two funnier",
        ),
    ],
)
def test_the_first_error_says_what_is_wrong(
    before: str, instruction: str, after: str, targets: tuple[int, ...], codes: set[str]
) -> None:
    findings = check(before, after, GuardContext(instruction=instruction, targets=targets))

    assert next(finding.code for finding in findings if finding.level == "error") in codes
