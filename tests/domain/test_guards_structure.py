"""Labels, time codes, cues, headings and placeholders that a reply lost."""

import pytest

from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from tests.domain.guarded import (
    COACH,
    FRIDGE,
    HEIST,
    MARKET,
    MONDAY,
    MOON,
    NURSE,
    OLD_CAR,
    RECIPE,
    REPAIR_BENCH,
    SCREENPLAY,
    SHOT_LIST,
    SOURDOUGH,
    SPONSOR,
    SUBTITLES,
    TECH_TALK,
    changed,
)


@pytest.mark.parametrize(
    ("before", "instruction", "after", "targets", "codes"),
    [
        pytest.param(
            TECH_TALK,
            "口语一点",
            TECH_TALK.replace("主持人：", "").replace("嘉宾：", ""),
            (),
            {"structure_lost"},
            id="tech talk 8",
        ),
        pytest.param(
            TECH_TALK,
            "口语一点",
            changed(TECH_TALK, ("嘉宾：能，不过快门有点慢。", "能拍，就是快门慢半拍。")),
            (),
            {"structure_lost"},
            id="tech talk 9",
        ),
        pytest.param(
            TECH_TALK,
            "口语一点",
            "嘉宾：欢迎来到今晚的科技夜话。\n主持人：谢谢邀请，我带来了一台旧相机。\n嘉宾：它还能拍照吗？\n主持人：能，不过快门有点慢。\n嘉宾：那我们现在就试一张。\n",
            (),
            {"structure_lost"},
            id="tech talk 10",
        ),
        pytest.param(
            REPAIR_BENCH,
            "friendlier",
            REPAIR_BENCH.replace("GUEST", "VISITOR"),
            (),
            {"structure_lost"},
            id="repair bench: friendlier",
        ),
        pytest.param(
            REPAIR_BENCH,
            "friendlier",
            "HOST: Good evening and welcome to the repair bench!\nGUEST: Thanks for having me, I brought a broken radio.\nHOST: Does it still turn on?\nHOST: Then let's open it up!\n",
            (),
            {"structure_lost"},
            id="repair bench: friendlier (2)",
        ),
        pytest.param(
            FRIDGE, "更口语", changed(FRIDGE, ("[00:15]", "[00:14]")), (), {"structure_lost"}, id="fridge 6"
        ),
        pytest.param(
            FRIDGE,
            "更口语",
            changed(FRIDGE, ("[00:15] 白色看起来最干净。", "白色看着最干净嘛。")),
            (),
            {"structure_lost"},
            id="fridge 7",
        ),
        pytest.param(
            SUBTITLES,
            "更口语",
            "1\n00:00:01,000 --> 00:00:03,000\n嗨大家好。\n\n2\n00:00:03,200 --> 00:00:06,000\n今天看海去，带外套。\n",
            (),
            {"structure_lost"},
            id="subtitles 5",
        ),
        pytest.param(
            SUBTITLES,
            "更口语",
            changed(SUBTITLES, ("00:00:06,000", "00:00:05,900")),
            (),
            {"structure_lost"},
            id="subtitles 6",
        ),
        pytest.param(
            MONDAY,
            "calmer",
            "Stay tuned, because this one hurts.\n[SFX: door slams]\nAnd that was Monday.\n",
            (),
            {"structure_lost"},
            id="monday: calmer",
        ),
        pytest.param(
            MONDAY,
            "calmer",
            "Stay tuned, [BEAT] because this one hurts.\nAnd that was Monday.\n",
            (),
            {"structure_lost"},
            id="monday: calmer (2)",
        ),
        pytest.param(
            RECIPE, "口语一点", RECIPE.replace("## 步骤\n", ""), (), {"structure_lost"}, id="recipe 3"
        ),
        pytest.param(
            "他推开门。（音效：吱呀）\n屋里没有人。（停顿）\n",
            "更恐怖",
            "他慢慢推开门。\n屋里空无一人。（停顿）\n",
            (),
            {"structure_lost"},
            id="a short text 1 (19)",
        ),
        pytest.param(
            SOURDOUGH,
            "Make the answers chattier",
            SOURDOUGH.replace("Q: ", "").replace("A: ", ""),
            (),
            {"structure_lost"},
            id="sourdough: Make the answers chattier (2)",
        ),
        pytest.param(
            MARKET,
            "更有画面感",
            changed(MARKET, ("（环境音：三轮车铃声）\n", "")),
            (),
            {"structure_lost"},
            id="market 3",
        ),
        pytest.param(
            SHOT_LIST,
            "口语",
            changed(SHOT_LIST, ("3,衣柜全景", "4,衣柜全景")),
            (),
            {"structure_lost", "facts_changed"},
            id="shot list 2",
        ),
        pytest.param(
            SCREENPLAY,
            "scarier",
            SCREENPLAY.replace("SAM\n(whispering)\n", ""),
            (),
            {"structure_lost"},
            id="screenplay: scarier",
        ),
        pytest.param(
            TECH_TALK,
            "更口语",
            TECH_TALK.replace("嘉宾：能，不过快门有点慢。\n", ""),
            (),
            {"structure_lost"},
            id="tech talk 15",
        ),
        pytest.param(
            "0:00 开场\n0:15 介绍产品\n0:40 演示\n1:10 结尾\n",
            "更口语",
            "开场白\n0:15 聊聊产品\n0:40 演示一下\n1:10 收尾\n",
            (),
            {"structure_lost"},
            id="a short text 1 (42)",
        ),
        pytest.param(
            NURSE,
            "更口语",
            "\n".join(NURSE.split("\n")[:14]) + "\n",
            (),
            {"structure_lost", "content_lost"},
            id="nurse 3",
        ),
        pytest.param(
            OLD_CAR, "更接地气", changed(OLD_CAR, ("【开场】\n", "")), (), {"structure_lost"}, id="old car 3"
        ),
        pytest.param(
            OLD_CAR,
            "更接地气",
            OLD_CAR.replace("男：", "").replace("女：", ""),
            (),
            {"structure_lost"},
            id="old car 5",
        ),
        pytest.param(
            MOON,
            "More dramatic",
            changed(MOON, ("CONTROL:", "MISSION CONTROL:")),
            (),
            {"structure_lost"},
            id="moon: More dramatic (2)",
        ),
        pytest.param(
            COACH,
            "更专业",
            changed(COACH, ("阿杰：三次就够", "教练：三次就够")),
            (),
            {"structure_lost"},
            id="coach 3",
        ),
        pytest.param(
            HEIST,
            "more suspense",
            changed(HEIST, ("(pause)\n", "")),
            (),
            {"structure_lost"},
            id="heist: more suspense (2)",
        ),
        pytest.param(
            HEIST,
            "more suspense",
            changed(HEIST, ("[MUSIC: low drone]", "[MUSIC: violin]")),
            (),
            {"structure_lost"},
            id="heist: more suspense (3)",
        ),
        pytest.param(
            SPONSOR,
            "更自然",
            changed(SPONSOR, ("{{频道名}}", "我的频道")),
            (),
            {"placeholder_lost"},
            id="sponsor 3",
        ),
        pytest.param(
            "你好 %name%，欢迎加入。\n有问题联系 ${support}。\n",
            "热情点",
            "你好呀，欢迎加入我们！\n有问题联系 ${support}。\n",
            (),
            {"placeholder_lost"},
            id="a short text 1 (40)",
        ),
        pytest.param(
            "你好 {name}，欢迎加入。\n有问题随时找我们。\n",
            "热情点",
            "你好呀，欢迎加入我们！\n有问题随时找我们哦。\n",
            (),
            {"placeholder_lost"},
            id="a short text 1 (41)",
        ),
    ],
)
def test_the_first_error_says_what_is_wrong(
    before: str, instruction: str, after: str, targets: tuple[int, ...], codes: set[str]
) -> None:
    findings = check(before, after, GuardContext(instruction=instruction, targets=targets))

    assert next(finding.code for finding in findings if finding.level == "error") in codes
