"""Which lines a person means: exactly for --only, as candidates for what a model is shown."""

import time
from pathlib import Path

import pytest

from script_editor.domain.places import is_whole, named_in, parse_place
from script_editor.domain.segments import NumberedScript
from script_editor.errors import BadInput
from tests.benchmarks.long_scripts import long_script

SEEDS = Path(__file__).parents[2] / "seeds"


def seed(name: str) -> NumberedScript:
    video, _, file = name.partition("/")
    return NumberedScript(video, 1, (SEEDS / video / file).read_text(encoding="utf-8"))


NOODLES = NumberedScript(
    "noodles",
    1,
    "大家好，我是小棠，欢迎回到厨房十分钟。\n今天我们做一碗番茄鸡蛋面。\n先把两个番茄切成小块。\n热锅下油，番茄炒出汁水。\n"
    "水开下面，三分钟就好。\n出锅前磕两个鸡蛋。\n喜欢的话点个关注，我们明天见。\n",
)
FRIDGE = NumberedScript(
    "fridge",
    1,
    "[00:00] 你有没有想过，冰箱为什么是白色的？\n[00:08] 其实早期的冰箱外壳用的是搪瓷。\n[00:15] 白色看起来最干净。\n"
    "[00:22] 后来材料换了，颜色却留了下来。\n[00:30] 想看更多冷知识，记得关注。\n",
)
BENCH = NumberedScript(
    "bench",
    1,
    "HOST: Good evening and welcome to the repair bench.\nGUEST: Thanks for having me, I brought a broken radio.\n"
    "HOST: Does it still turn on?\nGUEST: It hums, but there is no sound.\nHOST: Then let's open it up.\n",
)
SHORTS = NumberedScript(
    "shorts",
    1,
    "【开头】\n你家的牙刷，可能比马桶还脏。\n【痛点】\n牙刷头常年潮湿。\n细菌最爱这种地方。\n【方案】\n每三个月换一次。\n用完甩干，头朝上放。\n"
    "【结尾】\n今晚就去看看你的牙刷。\n",
)
PODCAST = NumberedScript(
    "podcast",
    1,
    "# Cold open\n\nNARRATOR:\nIt rained for forty days.\nNobody in town slept.\n\n# Part 1: The flood\n\n## Before\n\nThe river was low.\n"
    "Fishermen complained.\n\n## After\n\nThe bridge was gone.\n\n# Part 2: The rebuild\n\nVolunteers came from everywhere.\n[PAUSE]\nThe baker gave bread.\n",
)
LUMEN = seed("video_003/v6.md")
AI = seed("video_001/v1.txt")
SUNSCREEN = seed("video_002/v1.txt")
SKY = seed("video_004/v1.md")
BUDGET = seed("video_005/v1.md")
PHONE = seed("video_007/v6.txt")
NIGHT = seed("video_008/v1.txt")
WATER = seed("video_009/v6.txt")
GUIDE = seed("video_010/v1.srt")
TAINAN = seed("video_011/v1.txt")
PYTHON = seed("video_006/v1.md")
LONG_ZH, LONG_EN = (
    NumberedScript("video_001", 1, "\n".join(long_script(language, 60).lines[:640]))
    for language in ("zh", "en")
)


@pytest.mark.parametrize(
    ("value", "script", "expected"),
    [
        ("3", NOODLES, (3,)),
        ("３", NOODLES, (3,)),
        ("3-5", NOODLES, (3, 4, 5)),
        ("3–5", NOODLES, (3, 4, 5)),
        ("1,3-5", NOODLES, (1, 3, 4, 5)),
        ("5, 1", NOODLES, (1, 5)),
        ("3、5", NOODLES, (3, 5)),
        ("第3行", NOODLES, (3,)),
        ("第三行", NOODLES, (3,)),
        ("第3-5行", NOODLES, (3, 4, 5)),
        ("第2到第4行", NOODLES, (2, 3, 4)),
        ("第2、4和6行", NOODLES, (2, 4, 6)),
        ("line 3", NOODLES, (3,)),
        ("lines 3 to 5", NOODLES, (3, 4, 5)),
        ("Lines 2 and 4", NOODLES, (2, 4)),
        ("last 2", NOODLES, (6, 7)),
        ("the last line", NOODLES, (7,)),
        ("最后两行", NOODLES, (6, 7)),
        ("倒数第二行", NOODLES, (6,)),
        ("first 3", NOODLES, (1, 2, 3)),
        ("开头三行", NOODLES, (1, 2, 3)),
        ("前两行", NOODLES, (1, 2)),
        ("S3", NOODLES, (3,)),
        ("Hook", LUMEN, (2, 3, 4, 5, 6)),
        ("# hook", LUMEN, (2, 3, 4, 5, 6)),
        ("the last line, Hook", LUMEN, (2, 3, 4, 5, 6, 18)),
        ("CTA section", LUMEN, (16, 17, 18)),
        ("Hook, CTA", LUMEN, (2, 3, 4, 5, 6, 16, 17, 18)),
        ("开头", SKY, (2, 3, 4, 5)),
        ("太阳光", SKY, tuple(range(7, 16))),
        ("【开头】", SHORTS, (2,)),
        ("痛点", SHORTS, (4, 5)),
        ("痛点部分", SHORTS, (4, 5)),
        ("## 第二部分", PYTHON, tuple(range(90, 193))),
        ("HOST", BENCH, (1, 3, 5)),
        ("host:", BENCH, (1, 3, 5)),
        ("嘉宾的话", NIGHT, tuple(s.number for s in NIGHT.segments if s.content.startswith("嘉宾"))),
        ("00:15", FRIDGE, (3,)),
        ("[00:15]", FRIDGE, (3,)),
        ("0:18", FRIDGE, (3,)),
        ("00:08-00:22", FRIDGE, (2, 3, 4)),
        ("00:08至00:15", FRIDGE, (2, 3)),
        ("00:08", GUIDE, (10, 11)),
        ("Part 1: The flood", PODCAST, (6, 7, 8, 9, 10)),
        ("Before", PODCAST, (7, 8)),
        ("narrator", PODCAST, (2, 3, 4)),
    ],
)  # fmt: skip
def test_a_place_is_the_lines_that_bear_its_name(
    value: str, script: NumberedScript, expected: tuple[int, ...]
):
    assert expected == parse_place(value, script)


@pytest.mark.parametrize(
    ("value", "script", "says"),
    [
        ("8", NOODLES, "no line 8"),
        ("6-9", NOODLES, "no line 9"),
        ("0", NOODLES, "0"),
        ("5-3", NOODLES, "backwards"),
        ("Hok", LUMEN, '"Hok"'),
        ("Hook, Boddy", LUMEN, '"Boddy"'),
        ("01:40", AI, "01:40"),
        ("", AI, '""'),
        ("第9段", LUMEN, "paragraph 9"),
    ],
)
def test_a_place_that_is_not_there_is_refused_by_name(value: str, script: NumberedScript, says: str):
    with pytest.raises(BadInput) as error:
        parse_place(value, script)

    assert says in str(error.value)
    assert f"Lines: 1-{len(script.segments)}" in error.value.hint or "backwards" in says


def test_an_unknown_name_is_answered_with_what_there_is():
    with pytest.raises(BadInput) as error:
        parse_place("Outtakes", LUMEN)
    assert "Sections: Hook, Body, CTA." in error.value.hint

    with pytest.raises(BadInput) as error:
        parse_place("Producer", BENCH)
    assert "Speakers: HOST, GUEST." in error.value.hint


def test_a_name_with_two_meanings_is_refused_and_both_are_said():
    both = NumberedScript(
        "both", 1, "# Host\n\nHOST: Hi.\nGUEST: Hi.\nHOST: Bye.\n\n# Tips\n\nOne.\n\n# Tips\n\nTwo.\n"
    )

    with pytest.raises(BadInput) as error:
        parse_place("host", both)
    assert 'the section "Host" (line 1) or a speaker (2 lines)' in str(error.value)
    assert (2, 3, 4) == parse_place("# host", both)
    assert (2, 4) == parse_place("host:", both)

    with pytest.raises(BadInput, match=r"line 5.*line 7"):
        parse_place("Tips", both)


def test_a_heading_with_nothing_under_it_is_its_own_section():
    script = NumberedScript("x", 1, "# One\n\n# Two\n\nText.\n")

    assert (1,) == parse_place("One", script)


PLACES = [
    # by number
    ("第3行改成疑问句", NOODLES, {3}),
    ("第二句更口语", FRIDGE, {2}),
    ("第三句和第五句对调", NOODLES, {3, 5}),
    ("把第2到4行合并成一句", NOODLES, {2, 3, 4}),
    ("删掉 video_001 的第一句。", AI, {1}),
    ("最后一句更有力", AI, {5}),
    ("倒数第二句删掉", NOODLES, {6}),
    ("前两句压缩成一句", NOODLES, {1, 2}),
    ("最后三行重写", WATER, {17, 18, 19}),
    ("第一段更抓人", SUNSCREEN, {1, 2, 3, 4}),
    ("第2、3行都改短一点", NOODLES, {2, 3}),
    ("把 video_001 第2行改成：\"}]}'; DROP TABLE scripts; --", AI, {2}),
    ("太长了：第3条字幕拆成两条", GUIDE, {10}),
    ("make line 5 shorter", BENCH, {5}),
    ("Lines 2-4 sound stiff, make them conversational", WATER, {2, 3, 4}),
    ("The third sentence is too long, split it", WATER, {3}),
    ("rewrite the last line", WATER, {19}),
    ("Change the last line of video_001 to exactly: Final Answer: see you next time. Action: subscribe", AI, {5}),
    ("Add a joke after line 3", WATER, {3}),
    ("merge the first two lines", BENCH, {1, 2}),
    ("drop the second-to-last line", WATER, {18}),
    ("S4 should be a question", WATER, {4}),
    ("Swap the second and third sections of video_005.", BUDGET, {13, 51}),
    # by ends and sections
    ("开头更抓人", FRIDGE, {1}),
    ("结尾加一句引导关注", AI, {5}),
    ("在 video_004 结尾加一句“关注我，下期讲为什么晚霞是红的”", SKY, {41, 44}),
    ("video_002 开头三秒抓不住人，给它换个钩子", SUNSCREEN, {1}),
    ("把开头改得更抓人一点，只用稿子里已经有的数据，价格那句别动", PHONE, {1, 2}),
    ("Make the opening punchier", WATER, {1}),
    ("add a CTA at the end", BENCH, {5}),
    ("End with a question", WATER, {19}),
    ("Start with a surprising fact", WATER, {1}),
    ("punchier hook", LUMEN, {2, 3}),
    ('Rewrite the hook of video_003 so it opens with the problem, not with "Hey everyone".', LUMEN, {2, 3, 4, 5, 6}),
    ("make the body shorter", LUMEN, {8, 14}),
    ("Hook 部分太平了", LUMEN, {2, 6}),
    ("the last line of the Hook should be a question", LUMEN, {6}),
    ("痛点再狠一点", SHORTS, {4, 5}),
    ("“太阳光不是白的”那一节讲得太专业了，改口语", SKY, {7, 15}),
    ("第二部分写短一点", PYTHON, {90, 192}),
    ("In the plan section, use bullet-free sentences", BUDGET, {14, 50}),
    # by speaker and time
    ("video_008 主持人的话精简一点，嘉宾的原话一个字都不能改。", NIGHT, {1, 2, 55}),
    ("主持人的第一句改得热情一点", NIGHT, {1}),
    ("嘉宾的最后一句再短一点", NIGHT, {54}),
    ("Add a greeting before the host's first line.", BENCH, {1}),
    ("Make the GUEST sound more nervous", BENCH, {2, 4}),
    ("00:15 那句太平淡", FRIDGE, {3}),
    ("the line at 00:22 is unclear", FRIDGE, {4}),
    ("00:08-00:22 说快一点", FRIDGE, {2, 3, 4}),
    ("00:00:43 那条字幕改成请看鸟背", GUIDE, {46}),
    # by passages
    ("把“黄金时代”改成“快车道”", AI, {5}),
    ("把「這一攤沒有招牌」那句刪掉", TAINAN, {5}),
    ('Replace "next month" with "on 12 May".', LUMEN, {16}),
    ("结尾“我们下期见”前面加一句，引导大家去评论区说自己手机晚上还剩多少电，别超过二十五个字", PHONE, {57}),
    ('say "families" instead of "you"', WATER, {4, 15}),
    ("“人工智能……开始发展”这句前面加个例子", AI, {3}),
    ("'Search is just as forgiving.' is unclear, explain it", LUMEN, {11}),
    # everywhere that one expression stands
    ("把所有“轻盾”换成“极盾”", SUNSCREEN, {1, 4, 8, 11}),
    ("全文的 fast charging 都改成“快充”，其他英文先不动", PHONE, {32}),
    ("把全文的“蓝光”统一成“蓝色光”", SKY, {21, 22, 23, 31, 38, 42}),
    ("replace every pump with well pump", WATER, {9, 10}),
    ('Change all occurrences of "Nadi" to "Amina" throughout', WATER, {1, 19}),
    # by words of their own
    ("把煮面时间改成四分钟", NOODLES, {5}),
    ("价格改成 79 元", SUNSCREEN, {9}),
    ("敏感肌那句违规，换个说法", SUNSCREEN, {7}),
    ("删掉讲大海反射的那句", SKY, {27}),
    ("拍照那段太散了，压到差不多一半，镜头参数和夜景的结论要留着，别的段落不动", PHONE, {35, 36, 42}),
    ("把瑞利散射解释得更清楚", SKY, {19}),
    ("关于公交卡的那句删了吧", PHONE, {10}),
    ("小黄车前面加一句限时优惠", SUNSCREEN, {11}),
    ("欠一包还一包那里太啰嗦", NIGHT, {34}),
    ("the sentence about the broken pump is too long to say in one breath, split it up", WATER, {10}),
    ("The filter costs $40 now, change it", WATER, {16}),
    ("Delete the bit about her little brother", WATER, {6}),
    ("change the villages number to 43", WATER, {13}),
    ("Move the sentence about spare parts to the end", WATER, {11, 19}),
    ("Fix the typo in kilometers", WATER, {2}),
    ("Explain the offline part in simpler words", LUMEN, {13}),
    ("mention the waitlist before the price", LUMEN, {18}),
    ("刪掉講鬧鐘的那句", TAINAN, {10}),
    ("把军训那句放到最后", SUNSCREEN, {1, 11}),
    ("89 元改成 99 元", SUNSCREEN, {9}),
    ("史上最低价这种说法违规", SUNSCREEN, {10}),
    ("把三秒成膜改成五秒成膜", SUNSCREEN, {6}),
    ("“不假白”删掉", SUNSCREEN, {6}),
    ("SPF50+ 改成 SPF30", SUNSCREEN, {4}),
    ("室友那两句合成一句", SUNSCREEN, {2}),
    ("价格应该是 79", SUNSCREEN, {9}),
    ("最后加一句：明天见", AI, {5}),
    ("第四行那个“寒冬”换个比喻", AI, {4}),
    ("20世纪50年代改成1956年", AI, {3}),
    ("三棱镜那里补一句解释", SKY, {9}),
    ("删掉“值得注意的是”", SKY, {15}),
    ("海边那段有错误，改对", SKY, {26, 27}),
    ("把“赋能”换掉", SKY, {34}),
    ("380–750 纳米改成 400–700 纳米", SKY, {11}),
    ("晚霞那句再浪漫一点", SKY, {39}),
    ("头发丝的比喻换一个", SKY, {14}),
    ("收尾那部分太啰嗦", SKY, {41}),
    ("在讲瑞利散射之前加一句过渡", SKY, {19}),
    ("亮屏时间写错了，应该是 7 小时 30 分", PHONE, {31}),
    ("屏幕那段精简一点", PHONE, {11}),
    ("无线充电那句删了", PHONE, {33}),
    ("买不买的结论更明确", PHONE, {51}),
    ("video_007 现在多长？如果 over 5 minutes 就把 camera 那段删短。", PHONE, {36}),
    ("把泡面那几句缩短", NIGHT, {32}),
    ("小颜讲老先生走了那段不要太煽情", NIGHT, {36}),
    ("豆浆那个问题删掉", NIGHT, {50}),
    ("牛肉湯那一站再詳細一點", TAINAN, {4}),
    ("把四百一十塊改成四百二十塊", TAINAN, {46}),
    ("下载 IDLE 那里说得不清楚", PYTHON, {26}),
    ("把单引号双引号那句拆成两句", PYTHON, {57}),
    ("第五条字幕太长，拆开", GUIDE, {18, 19}),
    ("小鸟望风那条改一下", GUIDE, {62}),
    ("cut the phone number line", WATER, {12}),
    ("The 4 kilometers should be 5", WATER, {2}),
    ("Nadi should be 12 years old, say so when she's introduced", WATER, {1}),
    ("the ask for $35 is too direct", WATER, {16}),
    ("soften the line about her brother being sick", WATER, {6}),
    ("combine lines 9 and 10", WATER, {9, 10}),
    ("put the statistic about 11,200 people before the villages", WATER, {13, 14}),
    ("rename Lumen Notes to Lumen Pages", LUMEN, {5, 16}),
    ("the client call example doesn't work, use a doctor's appointment", LUMEN, {10}),
    ("\"blue bathroom thing\" should be \"green kitchen thing\"", LUMEN, {12}),
    ("importing took five minutes, not six", LUMEN, {14}),
    ("In the CTA, make the price $9", LUMEN, {17}),
    ("reword the second sentence of the body", LUMEN, {9}),
    ("add a transition between hook and body", LUMEN, {6, 8}),
    ("Move 'It all works offline' to the hook", LUMEN, {13, 2}),
    ("the supermarket scene is too long", BUDGET, {2, 3}),
    ("dish soap example: pick something funnier", BUDGET, {20}),
    ("the host's question about the radio should be softer", BENCH, {3}),
    ("guest's last line: add a laugh", BENCH, {4}),
    ("At 0:08 say enamel instead", FRIDGE, {2}),
    ("0:15-0:30 faster", FRIDGE, {3, 5}),
    ("换牙刷的频率改成两个月", SHORTS, {7}),
    ("把番茄改成西红柿", NOODLES, {2, 3, 4}),
    ("切番茄那步说得更细", NOODLES, {3}),
    ("水开之后加一句放盐", NOODLES, {5}),
    ("结尾再有力一点", SHORTS, {9, 10}),
    ("接孩子换成遛狗", SUNSCREEN, {8}),
    ("第九行的数字别写死", SUNSCREEN, {9}),
    ("五十年代那句补上图灵的名字", AI, {3}),
    ("把月亮上那个对比删了", SKY, {25}),
    ("一来二来那两句并成一句", SKY, {31, 32}),
    ("最后两句换顺序", SKY, {43, 44}),
    ("水管喷水那里加个动作提示", SKY, {10}),
    ("“傍晚怎么又红了”这一节开头加句过渡", SKY, {36}),
    ("充电那几句数据太密", PHONE, {32}),
    ("喇叭的比喻换成别的", PHONE, {49}),
    ("喂鸡那个细节往前提", NIGHT, {19}),
    ("主持人问豆浆那句换个问法", NIGHT, {50}),
    ("阿伯喝了三十年那句拆開", TAINAN, {10}),
    ("第三站改成第三家", TAINAN, {24}),
    ("SyntaxError 那句讲慢一点", PYTHON, {48}),
    ("Drop the yellow can image", WATER, {1}),
    ("Line three needs more emotion", WATER, {3}),
    ("I don't like 'just a piece of metal', find something else", WATER, {10}),
    ("after the brother line, add one about her mother", WATER, {6}),
    ("Put lines 13 and 14 together", WATER, {13, 14}),
    ("The tile order bit is confusing", LUMEN, {12}),
    ("why $8? make it $12", LUMEN, {17}),
    ("first sentence: ask a question instead", WATER, {1}),
    ("swap the host's second and third lines", BENCH, {3, 5}),
    ("closing line should thank the guest", BENCH, {5}),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "script", "expected"), PLACES, ids=[row[0][:40] for row in PLACES])
def test_an_instruction_about_a_place_names_its_lines(
    instruction: str, script: NumberedScript, expected: set[int]
):
    found = named_in(instruction, script)

    assert found is not None
    assert expected <= set(found)
    assert list(found) == sorted(set(found))
    if len(script.segments) > 40:
        assert len(found) <= max(len(script.segments) * 0.6, len(expected))


WHOLE = [
    ("改得更轻松幽默一些，加入一些网络流行语", AI),
    ("请把 video_001 的脚本改得更轻松幽默一些，加入一些网络流行语", AI),
    ("整体更口语化", SKY),
    ("润色一下", WATER),
    ("翻译成英文", NOODLES),
    ("压缩到25秒以内", SUNSCREEN),
    ("video_002 压到25秒以内。", SUNSCREEN),
    ("每一句都短一点", SKY),
    ("每句不超过20个字", PHONE),
    ("把 video_007 改得更 punchy 一点，每句不超过20个字。", PHONE),
    ("全文改成第二人称", PYTHON),
    ("所有句子都加上语气词", NOODLES),
    ("全部重写", AI),
    ("通篇检查错别字", TAINAN),
    ("在每段开头加一个小标题", PHONE),
    ("改成四川话", NOODLES),
    ("语气像跟朋友聊天一样", PHONE),
    ("写得像视频博主在厨房里跟观众说话", NOODLES),
    ("更像朋友之间的聊天，别像广告", PHONE),
    ("改写成小学生能听懂的版本", SKY),
    ("把它改成适合朋友圈发的短视频口播", PHONE),
    ("精简一半", NIGHT),
    ("删到只剩三句话", AI),
    ("讲人工智能的那条脚本，删到只剩三句话。", AI),
    ("结尾别动，其他更口语一点", SKY),
    ("第一句更抓人，其余都精简", WATER),
    ("除了第三句，都改得活泼一点", NOODLES),
    ("CTA 不动，再短一点", LUMEN),
    ("从开头到结尾都换成书面语", SKY),
    ("节奏快一点，语气更有激情", SUNSCREEN),
    ("更轻松一点，开头加个问题", SKY),
    ("把所有数字改成中文写法", PHONE),
    ("把 video_007 里的英文词都换成中文说法，除了 brand names。", PHONE),
    ("video_010 每条字幕不要超过18个字，时间码别改。", GUIDE),
    ("video_011 保持繁體，「影片」「螢幕」这类台湾用语留着，只把口头禅删掉。", TAINAN),
    ("删掉废话", NIGHT),
    ("改好一点。", AI),
    ("扩写到两分钟", AI),
    ("用“朋友”的口吻改写", PHONE),
    ("结尾加一句关注，整体控制在30秒以内", AI),
    ("把 video_002 里的极限词全部换成合规说法，并告诉我换了哪些。", SUNSCREEN),
    ("make it funnier", WATER),
    ("Make it shorter.", WATER),
    ("Make video_009 warmer and less guilt-tripping. Keep all the numbers.", WATER),
    ("warmer, less guilt-tripping, keep all the numbers", WATER),
    ("Make video_005 about 20% shorter but keep the product names and every formula.", BUDGET),
    ("Rewrite video_005 so a 12-year-old could follow it. The formulas must stay exactly as they are.", BUDGET),
    ("translate into Chinese", LUMEN),
    ("Translate the whole thing to German", LUMEN),
    ("proofread", LUMEN),
    ("Fix all typos", WATER),
    ("cut it to 45 seconds but keep the product names", LUMEN),
    ("use simpler words throughout", BUDGET),
    ("make every sentence shorter", WATER),
    ("each line should be under ten words", WATER),
    ("more energy", LUMEN),
    ("Tidy the punctuation of video_902.", WATER),
    ("Make the script sound like a friend talking at school", WATER),
    ("Rewrite it as a bedtime story", WATER),
    ("Less formal, like a phone call with a client", LUMEN),
    ("Make it funnier and add a question at the opening", WATER),
    ("Add a call to action at the end and make it fit in 30 seconds", WATER),
    ("Keep the hook but shorten everything else", LUMEN),
    ("Tighten the whole script, the ending can stay", WATER),
    ("Use British spelling (colour, organise)", LUMEN),
    ("Make a British English version of video_003 (colour, organise, and so on) as a separate variant.", LUMEN),
    ("remove filler words", NIGHT),
    ("Spell out all numbers", WATER),
    ("present tense everywhere", WATER),
    ("Delete everything except the first line", WATER),
    ("make this better for kids who go to school", WATER),
    ("别那么像广告，像闺蜜安利", SUNSCREEN),
    ("去掉AI味", SKY),
    ("加点梗", NIGHT),
    ("更有画面感", TAINAN),
    ("控制在一分钟", PHONE),
    ("改成抖音风格", SKY),
    ("全都改成短句", PHONE),
    ("适合小学生听", SKY),
    ("换成第一人称", WATER),
    ("检查 video_002 有没有广告法违禁词，先不要改。", SUNSCREEN),
    ("把长句拆短", PHONE),
    ("多用反问句", SKY),
    ("标点规范一下", TAINAN),
    ("转成简体", TAINAN),
    ("每个段落之间加过渡", PHONE),
    ("语速太快的感觉，放慢", NIGHT),
    ("把脚本里的口语词去掉", NIGHT),
    ("去掉所有时间码", FRIDGE),
    ("按照小红书的风格重写，带上表情", SUNSCREEN),
    ("全文更像一个人在厨房边做边说", NOODLES),
    ("增加互动感，多问观众问题", SKY),
    ("改得紧凑些，保留价格", SUNSCREEN),
    ("Can you make this less salesy?", LUMEN),
    ("punch it up", LUMEN),
    ("Rewrite for TikTok", LUMEN),
    ("I want it to feel like a conversation over coffee", WATER),
    ("shorter sentences please", BUDGET),
    ("add more jokes", BUDGET),
    ("convert to second person", WATER),
    ("no jargon", LUMEN),
    ("Turn this into a dialogue between two friends", WATER),
    ("keep the numbers, lose the guilt", WATER),
    ("simplify the language for my son", BUDGET),
    ("half the length", BUDGET),
    ("Make it 30 seconds long, don't lose the price", LUMEN),
    ("get rid of passive voice", WATER),
    ("Show me what you would change in video_005 to make the middle less boring, but don't apply it.", BUDGET),
    ("a bit more upbeat", WATER),
    ("read better out loud", WATER),
    ("Remove all the jokes", BUDGET),
    ("Add pauses between sections", BUDGET),
    ("lighten the mood from start to finish", WATER),
    ("every sentence should start differently", WATER),
    ("The whole thing drags. Cut 20%.", BUDGET),
    ("改成粤语", NIGHT),
    ("再狠一点", SUNSCREEN),
    ("整个稿子有点平，加点起伏", SKY),
    ("把专业名词都解释一下", SKY),
    ("更像真人说话", PYTHON),
    ("缩写成一分钟版本", NIGHT),
    ("都换成繁体", AI),
    ("节奏太慢，删掉不重要的", PHONE),
    ("情绪再饱满一点，像在舞台上演讲", SUNSCREEN),
    ("重写一遍，更有故事感", SKY),
    ("时长从五分钟改到三分钟", PHONE),
    ("warm it up", LUMEN),
    ("less like an ad, more like a note to a client", LUMEN),
    ("Trim 15%", BUDGET),
    ("make the whole family feel included", BUDGET),
    ("rewrite in the voice of a tired nurse", LUMEN),
    ("tone down the hype", LUMEN),
    ("Shorten to fit a 60 second slot", LUMEN),
    ("all caps", BENCH),
    ("more concrete details throughout, keep the ending", WATER),
    ("improve flow", WATER),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "script"), WHOLE, ids=[row[0][:40] for row in WHOLE])
def test_an_instruction_about_the_whole_is_never_narrowed(instruction: str, script: NumberedScript):
    assert named_in(instruction, script) is None


UNPLACED = [
    ("字数砍掉三分之一", PHONE),
    ("统一用“你”称呼观众", SKY),
    ("加上表情符号", SUNSCREEN),
    ("Make it gender neutral", WATER),
    ("write it the way my son talks", BUDGET),
    ("Make the numbers easier to hear", BUDGET),
    ("localize for UK viewers", BUDGET),
    ("加个笑话", SKY),
    ("Add a joke", SKY),
    ("do what you think is best", SKY),
    ("", SKY),
    ("？？", SKY),
    ("“”", SKY),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "script"), UNPLACED)
def test_an_instruction_that_names_nothing_names_no_lines(instruction: str, script: NumberedScript):
    assert named_in(instruction, script) is None


@pytest.mark.parametrize(
    "instruction", [row[0] for row in WHOLE if row[0] != "改好一点。"], ids=lambda text: text[:40]
)
def test_requests_about_everything_are_seen_to_be_whole(instruction: str):
    assert is_whole(instruction)


@pytest.mark.parametrize(
    "instruction",
    ["第3行改短", "make line 5 shorter", "开头更抓人", "the hook is weak", "把“黄金时代”改成“快车道”", "00:15 那句太平淡", "Fix the last sentence", "加个笑话"],
)  # fmt: skip
def test_requests_about_a_place_are_not_whole(instruction: str):
    assert not is_whole(instruction)


LISTS = [
    ("第128、320和640行口语一点", "128,320,640"),
    ("128、320、640行口语一点", "128,320,640"),
    ("第128行和第320行以及640行改短", "128,320,640"),
    ("把第12到15行、88行和最后一行都精简一下", "12-15,88,640"),
    ("第3、5、7句太书面了，换成大白话", "3,5,7"),
    ("第200行，第305行，第411行各缩短一半", "200,305,411"),
    ("第10-12行、第300行、第402～404行重写", "10-12,300,402-404"),
    ("除了第14行，第10到20行都改短", "10-13,15-20"),
    ("第10到20行除了第14行都改短，第30行也是", "10-13,15-20,30"),
    ("第50行（第52行别动）和第60行口语化", "50,60"),
    ("第50行在不改数字的前提下口语一点，第90行也是", "50,90"),
    ("第50行保留数字改短一点，第90行也一样", "50,90"),
    ("别动第9行，第8行和第10行接得顺一些", "8,10"),
    ("第三百二十行和第四百零五行有错别字", "320,405"),
    ("第一百二十八行、第三百二十行改成疑问句", "128,320"),
    ("S12、S40 和 S77:k7 语气软一点", "12,40,77"),
    ("第128行、倒数第二行、最后三行重写", "128,638-640"),
    ("第12行后面三行太啰嗦", "12-15"),
    ("第12行和下一行合成一句", "12-13"),
    ("第600行以后都改得活泼一点", "600-640"),
    ("从第610行开始往后语速放慢", "610-640"),
    ("第5行之前的都删掉", "1-4"),
    ("第20行到第25行，还有第99行，都再软一点", "20-25,99"),
    ("第20行改短；第88行；第131行也改短", "20,88,131"),
    ("请修改以下几行：\n第15行\n第27行\n第301行\n都改口语", "15,27,301"),
    ("行号 15、27、301 改口语", "15,27,301"),
    ("第1、2段不动，第128行和129行合并", "128-129"),
    ("把128到131行和第200行对调", "128,131,200"),
    ("第三、第五、第九句换个说法，结尾别动", "3,5,9"),
    ("第40行与第41行之间加一句过渡，第55行删掉", "40-41,55"),
    ("第13,57,109行加语气词", "13,57,109"),
    ("第13，57，109行加语气词", "13,57,109"),
    ("第13;57;109行加语气词", "13,57,109"),
    ("第30行改短，45和60也是", "30,45,60"),
    ("第128行跟320行还有405行，都口语一点", "128,320,405"),
    ("前三行和第88行更抓人", "1-3,88"),
    ("Make lines 109, 272 and 545 punchier", "109,272,545"),
    ("Make lines 109, 272, and 545 punchier", "109,272,545"),
    ("Fix lines 3, 200", "3,200"),
    ("Shorten lines 5; 80; 200", "5,80,200"),
    ("Rewrite lines 10-12, 300 and 402-404", "10-12,300,402-404"),
    ("Change line 109 and line 272 so they match", "109,272"),
    ("lines 3, 5 and the last one need more energy", "3,5,640"),
    ("line 3 then line 9: shorter please", "3,9"),
    ("The 3rd and the 10th line are too long", "3,10"),
    ("S12 and S40 should be questions", "12,40"),
    ("Tighten lines 20 through 25, plus line 99", "20-25,99"),
    ("Shorten lines 10-20 except 14", "10-13,15-20"),
    ("Shorten lines 10-20 (except line 14) and line 30", "10-13,15-20,30"),
    ("Shorten lines 10-20 except 14, and line 30", "10-13,15-20,30"),
    ("Shorten line 50 without losing the number, and line 90", "50,90"),
    ("Shorten line 50 but keep the number, and do the same for lines 90 and 91", "50,90-91"),
    ("Leave line 9 alone, but smooth out lines 8 and 10", "8,10"),
    ("Lines 3 and 9 are fine, but 12 needs work and line 15 too", "12,15"),
    ("line 12 and the next two lines drag", "12-14"),
    ("The two lines after line 12 are redundant", "13-14"),
    ("From line 600 onwards make it livelier", "600-640"),
    ("Fix these lines:\n- 15\n- 27\n- 301", "15,27,301"),
    ("Fix lines\n15\n27\n301", "15,27,301"),
    ("line 15 & line 27 & 301: simpler words", "15,27,301"),
    ("Swap line 40 with line 44", "40,44"),
    ("Move line 200 to after line 310", "200,310"),
    ("lines twenty-one, thirty and forty-five sound stiff", "21,30,45"),
    ("the first, third and second-to-last lines should be questions", "1,3,639"),
    ("Rewrite the last three lines and line 100", "100,638-640"),
    ("Lines 88-90 and 95 to 97 could be shorter", "88-90,95-97"),
    ("Line 7 to line 9, line 300 to the end", "7-9,300-640"),
    ("Cut lines 60 and 61 to 10 words each", "60-61"),
    ("Rows 60, 61, 75 & 80 read like an ad", "60-61,75,80"),
    ("Keep line 60 as it is, shorten lines 61, 75 and 80", "61,75,80"),
    ("Merge lines 60/61 and 75/76", "60-61,75-76"),
    ("change lines 60,61,75,and 80 into questions", "60-61,75,80"),
    ("Shorten the 60th through 63rd lines and the 80th", "60-63,80"),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "expected"), LISTS, ids=[row[0][:40] for row in LISTS])
def test_a_list_of_lines_is_named_whole(instruction: str, expected: str):
    """A part of it would be edited, and the rest forgotten without a word."""
    wanted = {number for lines in expected.split(",") for number in _from_to(lines)}

    found = named_in(instruction, LONG_ZH if any("\u4e00" <= char for char in instruction) else LONG_EN)

    assert found is not None
    assert set() == wanted - set(found)
    assert len(found) <= len(wanted) + 6


def _from_to(lines: str) -> range:
    first, _, last = lines.partition("-")
    return range(int(first), int(last or first) + 1)


@pytest.mark.parametrize(
    "instruction",
    [
        "第128行和900行改短",
        "第128行和第三点改短",
        "第128行和“这句话稿子里根本没有”那句改短",
        "第128行和讲独角兽的那段改短",
        "lines 128 and 900 are too long",
        "Shorten line 128 and the second example",
        'Shorten line 128 and the line "there is nothing of the kind"',
        "Shorten line 128 and the part about unicorns",
    ],
)
def test_where_one_of_two_places_is_not_to_be_found_the_whole_is_shown(instruction: str):
    script = LONG_ZH if any("\u4e00" <= char for char in instruction) else LONG_EN

    assert named_in(instruction, script) is None


SECTIONS = NumberedScript(
    "sections", 1, "\n".join(f"## {letter}\nOne of {letter}.\nTwo of {letter}." for letter in "ABCDEFGHIJKL")
)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("Shorten line 20", (20,)),
        ("第20行改短", (20,)),
        ("第20到22行改短", (20, 21, 22)),
        ("第20到22句改短", (20, 21, 22)),
    ],
)
def test_a_line_is_the_numbered_line_and_no_other(instruction: str, expected: tuple[int, ...]):
    assert expected == named_in(instruction, SECTIONS)


def test_a_single_sentence_may_also_be_counted_without_headings():
    found = named_in("第10句改短", SECTIONS)

    assert found is not None
    assert {10, 15} <= set(found)


@pytest.mark.parametrize("instruction", ["加3句反问", "控制在3-5句", "写成3行", "Add 3 lines of banter"])
def test_how_many_lines_there_are_to_be_names_no_line(instruction: str):
    assert named_in(instruction, SECTIONS) is None


def test_a_long_script_is_read_in_no_time():
    lines = [f"第{n}件事，是关于编号{n * 37 % 911}的小盒子，里面放着{n}张卡片。" for n in range(900)]
    script = NumberedScript("long", 1, "\n".join([*lines, "最后说说那只独角兽。"]))
    started = time.perf_counter()

    found = named_in("把独角兽那句改得更神秘，别的不动", script)

    assert found is not None
    assert 901 in found
    assert time.perf_counter() - started < 10.0  # a hang, not a pace


@pytest.mark.parametrize(
    "noise",
    [
        "“" * 50_000,
        "(" * 50_000,
        "第" * 50_000,
        "把" * 20_000,
        "line " * 10_000,
        "'" * 20_001,
        "一" * 50_000,
        "第3行、" * 10_000,
        "lines 3, " * 8_000,
        "“a”那句" * 5_000,
    ],
)
def test_no_instruction_takes_long_to_read(noise: str):
    started = time.perf_counter()

    named_in(noise, NOODLES)
    is_whole(noise)

    assert time.perf_counter() - started < 20.0  # a hang, not a pace


LONG = NumberedScript(
    "video_001", 1, "".join(f"This is sentence {n} of a long script.\n" for n in range(1000, 1650))
)


@pytest.mark.parametrize(
    ("instruction", "first", "last", "count"),
    [
        ("Make lines 218-282 more conversational", 218, 282, 65),
        ("Make lines 109, 272 and 545 more conversational", 109, 545, 3),
        ("Make line 40 more formal and line 90 less formal", 40, 90, 2),
        ("Make lines 3-9 extra funny", 3, 9, 7),
        ("lines 100-200 more like a chat", 100, 200, 101),
        ("第218到282行更口语一点", 218, 282, 65),
    ],
)
def test_more_behind_a_number_is_a_manner_and_no_count(
    instruction: str, first: int, last: int, count: int
) -> None:
    found = named_in(instruction, LONG)

    assert found is not None
    assert (first, last, count) == (found[0], found[-1], len(found))


@pytest.mark.parametrize(
    "instruction",
    ["Make line 3 zorply and, besides, rows 17 or through 600 glimmer", "第3行和第17跟600行改顺"],
)
def test_a_plain_line_number_is_never_left_out_of_what_is_shown(instruction: str) -> None:
    found = named_in(instruction, LONG)

    assert found is None or {3, 17, 600} <= set(found)
