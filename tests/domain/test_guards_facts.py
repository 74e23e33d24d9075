"""Numbers, prices, codes, times and addresses that a reply changed or dropped unasked."""

import pytest

from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from tests.domain.guarded import (
    BALANCE,
    BOAT,
    BOSS_FIGHT,
    CHIP,
    COACH,
    DOWN_JACKET,
    EMPEROR,
    FLOOD_NEWS,
    HEIST,
    KITCHEN,
    LAMP,
    LISBON,
    LIVE_SALE,
    MARKET,
    MOON,
    NOTES_APP,
    NURSE,
    OLD_CAR,
    PHONE_REVIEW,
    PHOTOSYNTHESIS,
    PLANT,
    PODCAST,
    PUMPS,
    QUADRATICS,
    REX,
    SAVINGS,
    SOURDOUGH,
    SUNSCREEN,
    WELLS,
    WORKDAY,
    WORKOUT,
    YOGA,
    changed,
)


@pytest.mark.parametrize(
    ("before", "instruction", "after", "targets", "codes"),
    [
        pytest.param(
            LAMP,
            "更口语",
            "这灯才卖199块，保三年。\n客服电话在简介，下单报 LIGHT24。\n最亮八百流明。\n",
            (),
            {"facts_changed"},
            id="lamp 8",
        ),
        pytest.param(
            LAMP,
            "更口语",
            "这灯才卖249块，保两年。\n客服电话在简介，下单报 LIGHT24。\n最亮八百流明。\n",
            (),
            {"facts_changed"},
            id="lamp 9",
        ),
        pytest.param(
            LAMP,
            "更有激情",
            "这款灯只要249元，保修三年！\n客服电话在简介里，赶紧下单！\n最亮足足八百流明！\n",
            (),
            {"facts_changed"},
            id="lamp 10",
        ),
        pytest.param(
            LAMP,
            "更有激情",
            "这款灯只要249元，保修三年！\n客服电话在简介里，口令 LIGHT25！\n最亮足足八百流明！\n",
            (),
            {"facts_changed"},
            id="lamp 11",
        ),
        pytest.param(
            LAMP,
            "更有激情",
            "这款灯只要249元，保修三年！\n客服电话在简介里，口令 LIGHT24！\n亮得睁不开眼！\n",
            (),
            {"facts_changed"},
            id="lamp 12",
        ),
        pytest.param(
            KITCHEN,
            "切成薄片",
            changed(KITCHEN, ("两个番茄切成小块", "三个番茄切成薄片")),
            (),
            {"facts_changed"},
            id="kitchen 18",
        ),
        pytest.param(
            KITCHEN,
            "更口语",
            changed(KITCHEN, ("水开下面，三分钟就好。", "水开下面，五分钟搞定。")),
            (),
            {"facts_changed"},
            id="kitchen 19",
        ),
        pytest.param(
            KITCHEN,
            "更口语",
            changed(KITCHEN, ("锅里放一勺油", "锅里来两勺油")),
            (),
            {"facts_changed"},
            id="kitchen 20",
        ),
        pytest.param(
            PHONE_REVIEW,
            "更口语",
            changed(PHONE_REVIEW, ("一般还剩 23% 左右", "一般还剩 30% 左右")),
            (),
            {"facts_changed"},
            id="phone review 5",
        ),
        pytest.param(
            PHONE_REVIEW,
            "更口语",
            changed(PHONE_REVIEW, ("晚上十一点到家", "晚上十点到家")),
            (),
            {"facts_changed"},
            id="phone review 6",
        ),
        pytest.param(
            PHONE_REVIEW,
            "更口语",
            changed(PHONE_REVIEW, ("今天聊聊北辰 X2 Pro", "今天聊聊北辰 X3 Pro")),
            (),
            {"facts_changed"},
            id="phone review 7",
        ),
        pytest.param(
            PHONE_REVIEW,
            "缩短一点",
            changed(
                PHONE_REVIEW,
                ("价格先说一下，12 加 256 的版本，4299 元，自己掏的钱。", "12 加 256 版本，3999 元。"),
            ),
            (),
            {"facts_changed"},
            id="phone review 8",
        ),
        pytest.param(
            LAMP,
            "价格改成199元",
            changed(LAMP, ("249", "199"), ("保修三年", "保修一年")),
            (),
            {"facts_changed"},
            id="lamp 13",
        ),
        pytest.param(
            BOAT,
            "Make it more exciting.",
            "Twelve of you, one boat, sails up at 9 am!\nTickets are just 25 dollars!\nBring a hat!\n",
            (),
            {"facts_changed"},
            id="boat: Make it more exciting.",
        ),
        pytest.param(
            BOAT,
            "Make it more exciting.",
            "12 people, one boat, sails up at 10 am!\nTickets are just 30 dollars!\nBring a hat!\n",
            (),
            {"facts_changed"},
            id="boat: Make it more exciting. (2)",
        ),
        pytest.param(
            WELLS,
            "Friendlier last line",
            changed(
                WELLS,
                ("Go to waterbridge.org/give and give what you can.", "Please give what you can, friend."),
            ),
            (),
            {"facts_changed"},
            id="wells: Friendlier last line",
        ),
        pytest.param(
            WELLS,
            "Friendlier last line",
            changed(WELLS, ("waterbridge.org/give", "waterbridge.com/give")),
            (),
            {"facts_changed"},
            id="wells: Friendlier last line (2)",
        ),
        pytest.param(
            WELLS,
            "Warmer",
            changed(WELLS, ("Altogether, 11,200 people now", "Altogether, thousands of people now")),
            (),
            {"facts_changed"},
            id="wells: Warmer",
        ),
        pytest.param(
            PLANT,
            "funnier",
            changed(
                PLANT,
                (
                    "Water it once, then leave it alone for ten days.",
                    "Water it once, then ghost it for two weeks.",
                ),
            ),
            (),
            {"facts_changed"},
            id="plant: funnier",
        ),
        pytest.param(
            PLANT,
            "clearer",
            changed(PLANT, ("two inches wider", "three inches wider")),
            (),
            {"facts_changed"},
            id="plant: clearer",
        ),
        pytest.param(
            "Write to help@desk.io for questions.\nWe answer fast.\n",
            "warmer",
            "Write to us any time with questions.\nWe answer fast!\n",
            (),
            {"facts_changed"},
            id="a short text: warmer",
        ),
        pytest.param(
            LISBON,
            "Make it four days, add one in Sintra",
            "Day one: land in Lisbon, drop your bags, eat a pastel de nata.\nDay two: take tram 28 at 8:30 before the crowds.\nDay three: the beach at Cascais, 40 minutes by train, 2.30 euros.\nDay four: the palaces of Sintra.\nThat's four days, under 400 euros.\n",
            (),
            {"facts_changed"},
            id="lisbon: Make it four days, add one in Sintra",
        ),
        pytest.param(
            NURSE,
            "更口语",
            changed(NURSE, ("上了九年夜班", "上了八年夜班")),
            (),
            {"facts_changed"},
            id="nurse 2",
        ),
        pytest.param(
            SUNSCREEN, "更口语", changed(SUNSCREEN, ("89元", "79元")), (), {"facts_changed"}, id="sunscreen 5"
        ),
        pytest.param(
            SUNSCREEN,
            "更口语",
            changed(SUNSCREEN, ("SPF50+，", "SPF30+，")),
            (),
            {"facts_changed"},
            id="sunscreen 6",
        ),
        pytest.param(
            PUMPS,
            "Make it warmer",
            changed(PUMPS, ("11,200", "12,000")),
            (),
            {"facts_changed"},
            id="pumps: Make it warmer",
        ),
        pytest.param(
            SOURDOUGH,
            "chattier",
            changed(
                SOURDOUGH, ("A: About 24 hours from start to finish.", "A: Oh, it takes a while, honestly.")
            ),
            (),
            {"facts_changed"},
            id="sourdough: chattier",
        ),
        pytest.param(
            MARKET,
            "更有画面感",
            changed(MARKET, ("二十六年", "三十年")),
            (),
            {"facts_changed"},
            id="market 4",
        ),
        pytest.param(
            QUADRATICS,
            "更活泼",
            changed(QUADRATICS, ("3道题", "5道题")),
            (),
            {"facts_changed"},
            id="quadratics 3",
        ),
        pytest.param(
            BOSS_FIGHT,
            "更燃",
            changed(BOSS_FIGHT, ("47次", "37次")),
            (),
            {"facts_changed"},
            id="boss fight 2",
        ),
        pytest.param(
            NOTES_APP,
            "friendlier",
            changed(NOTES_APP, ("BRIGHT20", "BRIGHT15")),
            (),
            {"facts_changed"},
            id="notes app: friendlier",
        ),
        pytest.param(
            NOTES_APP,
            "friendlier",
            changed(NOTES_APP, ("or $90 a year", "or $99 a year")),
            (),
            {"facts_changed"},
            id="notes app: friendlier (2)",
        ),
        pytest.param(
            NOTES_APP,
            "friendlier",
            changed(
                NOTES_APP,
                (
                    "Use code BRIGHT20 for 20% off until May 31.",
                    "There is a special discount waiting for you.",
                ),
            ),
            (),
            {"facts_changed"},
            id="notes app: friendlier (3)",
        ),
        pytest.param(
            FLOOD_NEWS,
            "口语",
            changed(FLOOD_NEWS, ("010-12345678", "010-12345687")),
            (),
            {"facts_changed"},
            id="flood news 3",
        ),
        pytest.param(
            FLOOD_NEWS,
            "口语",
            changed(FLOOD_NEWS, ("1.2万人", "1.5万人")),
            (),
            {"facts_changed"},
            id="flood news 4",
        ),
        pytest.param(
            FLOOD_NEWS,
            "口语",
            changed(FLOOD_NEWS, ("上午10时", "上午9时")),
            (),
            {"facts_changed"},
            id="flood news 5",
        ),
        pytest.param(
            LISBON,
            "punchier",
            changed(LISBON, ("tram 28", "tram 15")),
            (),
            {"facts_changed"},
            id="lisbon: punchier",
        ),
        pytest.param(
            WORKOUT,
            "more energy",
            changed(WORKOUT, ("15 squats", "20 squats")),
            (),
            {"facts_changed"},
            id="workout: more energy",
        ),
        pytest.param(
            DOWN_JACKET,
            "更口语",
            changed(DOWN_JACKET, ("三十度温水", "四十度温水")),
            (),
            {"facts_changed"},
            id="down jacket 3",
        ),
        pytest.param(
            PODCAST,
            "warmer",
            changed(PODCAST, ("episode 112", "episode 113")),
            (),
            {"facts_changed"},
            id="podcast: warmer",
        ),
        pytest.param(
            PODCAST,
            "warmer",
            changed(PODCAST, ("Support us at slowmornings.fm/join.", "Support us if you can.")),
            (),
            {"facts_changed"},
            id="podcast: warmer (2)",
        ),
        pytest.param(
            OLD_CAR,
            "更接地气",
            changed(OLD_CAR, ("二十万公里", "三十万公里")),
            (),
            {"facts_changed"},
            id="old car 4",
        ),
        pytest.param(
            YOGA,
            "softer",
            changed(YOGA, ("out for six", "out for eight")),
            (),
            {"facts_changed"},
            id="yoga: softer",
        ),
        pytest.param(
            YOGA,
            "softer",
            changed(YOGA, ("one minute", "two minutes")),
            (),
            {"facts_changed"},
            id="yoga: softer (2)",
        ),
        pytest.param(
            EMPEROR,
            "像讲故事",
            changed(EMPEROR, ("公元前210年", "公元前201年")),
            (),
            {"facts_changed"},
            id="emperor 3",
        ),
        pytest.param(
            EMPEROR,
            "像讲故事",
            changed(EMPEROR, ("只存在了十五年", "很快就没了")),
            (),
            {"facts_changed"},
            id="emperor 4",
        ),
        pytest.param(
            BALANCE,
            "friendlier",
            changed(BALANCE, ("$1,250.75", "$1,205.75")),
            (),
            {"facts_changed"},
            id="balance: friendlier",
        ),
        pytest.param(
            BALANCE,
            "friendlier",
            changed(BALANCE, ("1-800-555-0199", "1-800-555-0919")),
            (),
            {"facts_changed"},
            id="balance: friendlier (2)",
        ),
        pytest.param(
            LIVE_SALE,
            "更激情",
            changed(LIVE_SALE, ("9块9", "19块9")),
            (),
            {"facts_changed"},
            id="live sale 3",
        ),
        pytest.param(
            LIVE_SALE,
            "更激情",
            changed(LIVE_SALE, ("体重50公斤", "体重55公斤")),
            (),
            {"facts_changed"},
            id="live sale 4",
        ),
        pytest.param(
            LIVE_SALE,
            "更激情",
            changed(LIVE_SALE, ("每10分钟一次", "每5分钟一次")),
            (),
            {"facts_changed"},
            id="live sale 5",
        ),
        pytest.param(
            PHOTOSYNTHESIS,
            "simpler",
            changed(PHOTOSYNTHESIS, ("6CO2 + 6H2O -> C6H12O6 + 6O2", "CO2 + H2O -> sugar + O2")),
            (),
            {"facts_changed"},
            id="photosynthesis: simpler",
        ),
        pytest.param(
            WORKDAY, "文艺", changed(WORKDAY, ("22块", "25块")), (), {"facts_changed"}, id="workday 3"
        ),
        pytest.param(
            WORKDAY,
            "文艺",
            changed(WORKDAY, ("剪到六点半", "剪到七点半")),
            (),
            {"facts_changed"},
            id="workday 4",
        ),
        pytest.param(
            MOON,
            "More dramatic",
            changed(MOON, ("1969", "1968")),
            (),
            {"facts_changed"},
            id="moon: More dramatic",
        ),
        pytest.param(
            REX, "cuter", changed(REX, ("28 kilos", "82 kilos")), (), {"facts_changed"}, id="rex: cuter (2)"
        ),
        pytest.param(
            REX,
            "cuter",
            changed(REX, ("three years", "four years")),
            (),
            {"facts_changed"},
            id="rex: cuter (3)",
        ),
        pytest.param(
            SAVINGS, "通俗", changed(SAVINGS, ("3.85%", "3.58%")), (), {"facts_changed"}, id="savings 3"
        ),
        pytest.param(
            SAVINGS, "通俗", changed(SAVINGS, ("95588", "95599")), (), {"facts_changed"}, id="savings 4"
        ),
        pytest.param(
            SAVINGS, "通俗", changed(SAVINGS, ("6月30日", "7月30日")), (), {"facts_changed"}, id="savings 5"
        ),
        pytest.param(
            COACH, "更专业", changed(COACH, ("四十分钟", "一小时")), (), {"facts_changed"}, id="coach 4"
        ),
        pytest.param(
            CHIP, "simpler", changed(CHIP, ("4.2 GHz", "4.5 GHz")), (), {"facts_changed"}, id="chip: simpler"
        ),
        pytest.param(
            CHIP, "simpler", changed(CHIP, ("9 am", "9 pm")), (), {"facts_changed"}, id="chip: simpler (2)"
        ),
        pytest.param(
            CHIP,
            "simpler",
            changed(CHIP, (", down from 105", "")),
            (),
            {"facts_changed"},
            id="chip: simpler (3)",
        ),
        pytest.param(
            HEIST,
            "more suspense",
            changed(HEIST, ("81 minutes", "an hour")),
            (),
            {"facts_changed"},
            id="heist: more suspense (4)",
        ),
        pytest.param(
            HEIST,
            "more suspense",
            changed(HEIST, ("tips@coldcase.tv", "info@coldcase.tv")),
            (),
            {"facts_changed"},
            id="heist: more suspense (5)",
        ),
        pytest.param(
            HEIST,
            "more suspense",
            changed(HEIST, ("Thirteen works", "Twelve works")),
            (),
            {"facts_changed"},
            id="heist: more suspense (6)",
        ),
        pytest.param(
            CHIP,
            "simpler",
            changed(CHIP, ("$329", "£329")),
            (),
            {"facts_changed"},
            id="the same number of another currency",
        ),
        pytest.param(
            REX,
            "livelier",
            changed(REX, ("28 kilos", "28 kilometers")),
            (),
            {"facts_changed"},
            id="the same number of another measure",
        ),
        pytest.param(
            "Our sale ends Sunday at midnight.\nBring a friend.\n",
            "punchier",
            "Our sale ends Sunday at noon!\nBring a friend!\n",
            (),
            {"facts_changed"},
            id="a time of day that has a name",
        ),
        pytest.param(
            "选中这一列，按Ctrl+D。\n一秒填充。\n",
            "更通俗",
            "选中这一列，再按Ctrl+B。\n一秒填充。\n",
            (),
            {"facts_changed"},
            id="other keys to press",
        ),
    ],
)
def test_the_first_error_says_what_is_wrong(
    before: str, instruction: str, after: str, targets: tuple[int, ...], codes: set[str]
) -> None:
    findings = check(before, after, GuardContext(instruction=instruction, targets=targets))

    assert next(finding.code for finding in findings if finding.level == "error") in codes


@pytest.mark.parametrize(
    "instruction",
    ["把50年代改成60年代", "把“50年代”换成“60年代”", "五十年代改成六十年代", "Change the 50s to the 60s"],
)
def test_a_decade_is_named_without_its_century(instruction: str) -> None:
    before = "人工智能从20世纪50年代开始发展。\n经历了几次寒冬。\n"

    assert check(before, before.replace("50", "60"), GuardContext(instruction=instruction)) == ()


@pytest.mark.parametrize(
    ("before", "after", "instruction", "brings"),
    [
        (
            "欢迎来到小店。\n",
            "欢迎来到小店，详情看 www.evil.com，只要1999元。\n",
            "开头更有力",
            ["www.evil.com", "1999元"],
        ),
        ("Come to our shop.\n", "Come to our shop, now 50% off!\n", "Make it punchier", ["50%"]),
    ],
)
def test_a_fact_that_nobody_gave_is_a_warning(
    before: str, after: str, instruction: str, brings: list[str]
) -> None:
    found = check(before, after, GuardContext(instruction=instruction))

    assert [(finding.guard, finding.level) for finding in found] == [("invented", "warning")]
    assert all(text in found[0].message for text in brings)


def test_a_fact_that_the_person_gave_is_none() -> None:
    before = "欢迎来到小店。\n"

    assert check(before, "欢迎来到小店，今天只要99元。\n", GuardContext(instruction="加上今天只要99元")) == ()


def test_a_number_that_another_line_lost_is_not_taken_for_one_that_moved() -> None:
    before = "这条路全长六公里，路灯很亮。\n我用AI写脚本，一周更新3期。\n"
    after = "这条路全长八公里，路灯亮得很。\n我拿AI写脚本，一周更新6期。\n"

    found = check(before, after, GuardContext(instruction="整体更口语一点", scope="global"))

    assert [(finding.code, finding.segments) for finding in found] == [
        ("facts_changed", (1,)),
        ("facts_changed", (2,)),
    ]
