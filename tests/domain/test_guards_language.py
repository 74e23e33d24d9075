"""Lines that came back in another language, or in the other kind of Chinese characters."""

import pytest

from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from tests.domain.guarded import (
    EMPEROR,
    KITCHEN,
    NIGHT_RUNS,
    PLANT,
    TAINAN_LONG,
    TAINAN_SHORT,
    TWO_LANGUAGES,
    TWO_LANGUAGES_TIMED,
    YOGA,
    changed,
)


@pytest.mark.parametrize(
    ("before", "instruction", "after", "targets", "codes"),
    [
        pytest.param(
            KITCHEN,
            "第二句更有趣",
            changed(KITCHEN, ("今天我们做一碗番茄鸡蛋面。", "Today we make a bowl of tomato egg noodles.")),
            (),
            {"language_changed"},
            id="kitchen 21",
        ),
        pytest.param(
            PLANT,
            "第二句更有趣",
            changed(PLANT, ("Today we are repotting a snake plant.", "今天我们给虎尾兰换个新家。")),
            (),
            {"language_changed"},
            id="plant 13",
        ),
        pytest.param(
            PLANT,
            "更亲切",
            "大家好，欢迎回到桌上花园。\n今天我们给虎尾兰换盆。\n你需要一个比旧盆宽两英寸的花盆。\n底部三分之一填上新土。\n浇一次水，然后十天别管它。\n想看第二集就订阅吧，下周见。\n",
            (),
            {"language_changed"},
            id="plant 14",
        ),
        pytest.param(
            NIGHT_RUNS,
            "第三句更口语",
            changed(
                NIGHT_RUNS,
                ("第二站，老铁路公园，周五晚上人比较多。", "第二站，老鐵路公園，週五晚上人比較多喔。"),
            ),
            (),
            {"language_changed"},
            id="night runs 7",
        ),
        pytest.param(
            TAINAN_SHORT,
            "更活潑",
            changed(
                TAINAN_SHORT,
                (
                    "一碗四十五塊，以這個品質來說，我覺得很可以。",
                    "一碗四十五块，以这个品质来说，我觉得超可以！",
                ),
            ),
            (),
            {"language_changed"},
            id="tainan short 4",
        ),
        pytest.param(
            TWO_LANGUAGES_TIMED,
            "更口语",
            TWO_LANGUAGES_TIMED.replace("Today we talk about coffee", "今天我们来聊咖啡"),
            (),
            {"language_changed"},
            id="two languages timed 2",
        ),
        pytest.param(
            TWO_LANGUAGES,
            "更活泼",
            "今天天气好到爆，爬山走起！\n天气真好，一起爬山吧！\n记得带两瓶水哦。\n别忘了带两瓶水！\n",
            (),
            {"language_changed"},
            id="two languages 3",
        ),
        pytest.param(
            TAINAN_LONG,
            "更活潑",
            TAINAN_LONG.replace(
                "旁邊的阿伯跟我說，他在這裡喝了三十年，每天一碗，比鬧鐘還準。",
                "旁边的阿伯跟我说，他在这里喝了三十年，每天一碗，比闹钟还准！",
            ),
            (),
            {"language_changed"},
            id="tainan long 2",
        ),
        pytest.param(
            EMPEROR,
            "更生动",
            "In 221 BC, Qin Shi Huang unified the six states.\n他修长城，统一文字，建了条驰道。\n公元前210年，他病死在出巡路上。\n四年后，秦朝灭亡，只存在了十五年。\n",
            (),
            {"language_changed"},
            id="emperor 5",
        ),
        pytest.param(
            YOGA,
            "softer",
            changed(YOGA, ("Finish lying down, eyes closed.", "最后躺下，闭上眼睛。")),
            (),
            {"language_changed"},
            id="yoga: softer (3)",
        ),
    ],
)
def test_the_first_error_says_what_is_wrong(
    before: str, instruction: str, after: str, targets: tuple[int, ...], codes: set[str]
) -> None:
    findings = check(before, after, GuardContext(instruction=instruction, targets=targets))

    assert next(finding.code for finding in findings if finding.level == "error") in codes
