"""Many wordings of the same few requests, in Traditional Chinese: what is saved to the character, or why not."""

import pytest

from tests.offline.editing import (
    AMBIGUOUS,
    NOT_FOUND,
    NOT_MECHANICAL,
    NOTHING_TO_DO,
    after_line,
    in_order,
    outcome,
    swapped,
    with_lines,
    without,
)

KITCHEN = """\
哈囉，歡迎來到阿米的廚房。
今天要做三杯雞，材料很簡單。
雞腿肉600克，薑十片，蒜頭八瓣。
麻油、醬油、米酒各一杯。
小火慢燉20分鐘，記得翻面。
起鍋前丟一把九層塔🌿
喜歡這道菜的話，記得按讚訂閱喔！
"""

PHRASINGS = [
    ("把「阿米」改成「小米」", swapped(KITCHEN, "阿米", "小米")),
    ("請幫我把阿米換成小米，謝謝！", swapped(KITCHEN, "阿米", "小米")),
    ("麻煩將『九層塔』替換為『羅勒』", swapped(KITCHEN, "九層塔", "羅勒")),
    ("九層塔一律改成羅勒", swapped(KITCHEN, "九層塔", "羅勒")),
    ("以「羅勒」取代「九層塔」", swapped(KITCHEN, "九層塔", "羅勒")),
    ("用「羅勒」代替「九層塔」", swapped(KITCHEN, "九層塔", "羅勒")),
    ("「九層塔」→「羅勒」", swapped(KITCHEN, "九層塔", "羅勒")),
    ("九層塔寫錯了，應該是羅勒", swapped(KITCHEN, "九層塔", "羅勒")),
    ("可以把第三行的600克改成500克嗎？", swapped(KITCHEN, "600克", "500克")),
    ("把20分鐘改為30分鐘", swapped(KITCHEN, "20分鐘", "30分鐘")),
    ("將600改成550", swapped(KITCHEN, "600", "550")),
    ("所有「記得」都改成「別忘了」", swapped(KITCHEN, "記得", "別忘了")),
    ("第一個「記得」改成「別忘了」", swapped(KITCHEN, "記得", "別忘了", 1)),
    ("把最後一個記得改成別忘了", with_lines(KITCHEN, {7: "喜歡這道菜的話，別忘了按讚訂閱喔！"})),
    ("只改第七行：記得→別忘了", with_lines(KITCHEN, {7: "喜歡這道菜的話，別忘了按讚訂閱喔！"})),
    ("把記得改成別忘了，第五行不要動", with_lines(KITCHEN, {7: "喜歡這道菜的話，別忘了按讚訂閱喔！"})),
    ("把句點全部換成驚嘆號", swapped(KITCHEN, "。", "！")),
    ("第四行的頓號改成逗號", swapped(KITCHEN, "、", "，")),
    ("把🌿換成🍃", swapped(KITCHEN, "🌿", "🍃")),
    ("第二行改成：今天做麻油雞。", with_lines(KITCHEN, {2: "今天做麻油雞。"})),
    ("最後一句改成「下次見！」", with_lines(KITCHEN, {7: "下次見！"})),
    ("倒數第二行整行換成「關火，上桌。」", with_lines(KITCHEN, {6: "關火，上桌。"})),
    ("刪掉第五行", without(KITCHEN, 5)),
    ("接著刪掉第五行", without(KITCHEN, 5)),
    ("把阿米換成小米，接著刪掉第五行", without(swapped(KITCHEN, "阿米", "小米"), 5)),
    ("第五行刪掉了嗎？", NOT_MECHANICAL),
    ("把阿米換成小米或者大米", NOT_MECHANICAL),
    ("把第５行刪除", without(KITCHEN, 5)),
    ("第三行和第五行拿掉", without(KITCHEN, 3, 5)),
    ("移除第二到第四行", without(KITCHEN, 2, 3, 4)),
    ("最後兩行不要了", without(KITCHEN, 6, 7)),
    ("刪去包含「米酒」的那行", without(KITCHEN, 4)),
    ("刪除所有含有「記得」的行", without(KITCHEN, 5, 7)),
    ("刪掉「，記得翻面」", swapped(KITCHEN, "，記得翻面", "")),
    ("把表情符號去掉", swapped(KITCHEN, "🌿", "")),
    ("保留前三行就好，其他都刪掉", without(KITCHEN, 4, 5, 6, 7)),
    ("在第五行後面加一行：先試一下味道。", after_line(KITCHEN, 5, "先試一下味道。")),
    ("第五行之後插入「先試一下味道。」", after_line(KITCHEN, 5, "先試一下味道。")),
    ("請於第六行前新增「先試一下味道。」", after_line(KITCHEN, 5, "先試一下味道。")),
    (
        "在「小火慢燉20分鐘，記得翻面。」那一行下面補一句：先試一下味道。",
        after_line(KITCHEN, 5, "先試一下味道。"),
    ),
    ("開頭加上「【片頭音樂】」", after_line(KITCHEN, 0, "【片頭音樂】")),
    ("在最後面加一句「我們下次見。」", after_line(KITCHEN, 7, "我們下次見。")),
    ("把「我們下次見。」加到結尾", after_line(KITCHEN, 7, "我們下次見。")),
    ("把第六行移到第二行後面", in_order(KITCHEN, 1, 2, 6, 3, 4, 5, 7)),
    ("第三行挪到第四行之後", in_order(KITCHEN, 1, 2, 4, 3, 5, 6, 7)),
    ("將最後一行移至最前面", in_order(KITCHEN, 7, 1, 2, 3, 4, 5, 6)),
    ("第五行往上移一行", in_order(KITCHEN, 1, 2, 3, 5, 4, 6, 7)),
    ("第三行與第四行對調", in_order(KITCHEN, 1, 2, 4, 3, 5, 6, 7)),
    ("請互換第二行和第五行的位置", in_order(KITCHEN, 1, 5, 3, 4, 2, 6, 7)),
    ("把阿米改成小米，然後刪掉第三行", without(swapped(KITCHEN, "阿米", "小米"), 3)),
    ("1. 刪除第四行\n2. 把20分鐘改成25分鐘", without(swapped(KITCHEN, "20分鐘", "25分鐘"), 4)),
    (
        "先對調第二行和第三行，最後在結尾補上「完」",
        after_line(in_order(KITCHEN, 1, 3, 2, 4, 5, 6, 7), 7, "完"),
    ),
    ("把「阿米」改成「小米」，其餘保持原樣", swapped(KITCHEN, "阿米", "小米")),
    ("把「香菜」改成「羅勒」", NOT_FOUND),
    ("刪掉第十行", NOT_FOUND),
    ("在第十二行後面加一行：好吃。", NOT_FOUND),
    ("把那句刪掉", AMBIGUOUS),
    ("在第五行後面加一句", AMBIGUOUS),
    ("刪掉有「記得」的那一行", AMBIGUOUS),
    ("把「阿米」改成「阿米」", NOTHING_TO_DO),
    ("第七行移到最後", NOTHING_TO_DO),
    ("幫我潤飾一下", NOT_MECHANICAL),
    ("開頭不夠吸引人", NOT_MECHANICAL),
    ("把第二行改得更口語一點", NOT_MECHANICAL),
    ("翻成英文", NOT_MECHANICAL),
]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [pytest.param(instruction, expected, id=instruction) for instruction, expected in PHRASINGS],
)
def test_an_instruction_gives_exactly_this(instruction: str, expected: str) -> None:
    assert expected == outcome(KITCHEN, instruction)
