"""Video scripts made from a seed: what authors write, and every form of bytes in which it may be stored.

A made script knows which of its lines are speech that can be reworded, so that an edit of it has one right
result. Lines are taken apart here without the program's own reader: this is what the program is held to.
"""

import random
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Language = Literal["zh", "en"]
Kind = Literal["narration", "dialogue", "stamped", "subtitles", "markdown", "template"]
KINDS: tuple[Kind, ...] = ("narration", "dialogue", "stamped", "subtitles", "markdown", "template")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something said, the same in other words, and a word of it that another can stand in for."""

    text: str
    reworded: str
    find: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line: `lead` and `trail` are the white space around what it says, `end` its line end."""

    lead: str
    content: str
    trail: str
    end: str

    @property
    def raw(self) -> str:
        """The line without its end."""
        return self.lead + self.content + self.trail


@dataclass(frozen=True)
class Script:
    """A made text. `said` are the sentences of lines that may be reworded, by segment number."""

    language: Language
    kind: Kind
    text: str
    said: Mapping[int, Sentence]

    @cached_property
    def lines(self) -> list[Line]:
        """The physical lines."""
        return lines_of(self.text)

    @cached_property
    def spoken(self) -> list[int]:
        """The indices of the physical lines that are not blank, in order: segment n is `spoken[n - 1]`."""
        return [index for index, line in enumerate(self.lines) if line.content]

    def content(self, number: int) -> str:
        """Return what segment `number` says."""
        return self.lines[self.spoken[number - 1]].content

    def prefix(self, number: int) -> str:
        """Return what stands before the sentence of a line: a label, a time, a bullet."""
        return self.content(number).removesuffix(self.said[number].text)


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text, which end at LF or CRLF only; a BOM in front belongs to none."""
    found = []
    for raw, end in re.findall(r"([^\n]*?)(\r?\n|\Z)", text.removeprefix("\ufeff"), re.DOTALL):
        if raw or end:
            content = raw.strip()
            lead = raw[: raw.index(content)] if content else raw
            found.append(Line(lead, content, raw[len(lead) + len(content) :], end))
    return found


def joined(text: str, lines: Sequence[Line]) -> str:
    """Return the lines as one text, with the BOM of `text` if it has one."""
    return text[: text.startswith("\ufeff")] + "".join(line.raw + line.end for line in lines)


# --- what is said ----------------------------------------------------------------------------


def _table(rows: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(*row.split(" | ")) for row in rows.strip().split("\n"))


ZH = _table("""
大家好，我是小棠，欢迎回到厨房十分钟。 | 嗨，大家好，我是小棠，欢迎再来厨房十分钟。 | 小棠 | 阿棠
今天我们做一碗番茄鸡蛋面。 | 今天咱们来做一碗番茄鸡蛋面。 | 番茄鸡蛋面 | 葱油拌面
先把两个番茄切成小块，锅里放一勺油。 | 先把两个番茄切成小块，再往锅里来一勺油。 | 小块 | 薄片
番茄炒出红汁之后，加一碗半的热水。 | 等番茄炒出红汁，加一碗半的热水就行。 | 热水 | 高汤
水开下面，三分钟就好。 | 水一开就下面，三分钟就好啦。 | 下面 | 下饺子
喜欢的话点个关注，我们明天见。 | 喜欢的话就点个关注吧，咱们明天见。 | 明天 | 下周
这支耳机售价399元，保修两年。 | 这支耳机现在只要399元，还保修两年。 | 耳机 | 音箱
客服电话是400-820-8820，早上9点开始有人接。 | 客服电话是400-820-8820，早上9点就有人接了。 | 早上 | 上午
下单记得输入优惠码 SUN20，立减15%。 | 下单别忘了输入优惠码 SUN20，立减15%。 | 下单 | 付款
完整的清单在 https://example.com/list 里。 | 完整的清单放在 https://example.com/list 里了。 | 清单 | 目录
我用AI写脚本，用Excel排期，一周更新3期。 | 我拿AI写脚本，拿Excel排期，一周更新3期。 | 脚本 | 文案
他笑着回答：“那就再来一碗吧。” | 他笑了笑回答：“那就再来一碗吧。” | 一碗 | 一份
她把那本"旧日历"挂回了墙上。 | 她又把那本"旧日历"挂回到了墙上。 | 墙上 | 门后
你等等……让我再想一想。 | 等等……让我再好好想一想。 | 等等 | 慢着
这条路全长六公里，路灯很亮。 | 这条路全长六公里，路灯亮得很。 | 路灯 | 灯光
跑步之前，记得先热身五分钟。 | 跑步之前，别忘了先热身五分钟。 | 热身 | 拉伸
白色看起来最干净，也最显脏。 | 白色看着最干净，可也最显脏。 | 白色 | 浅色
后来材料换了，颜色却留了下来。 | 后来材料是换了，颜色倒留了下来。 | 材料 | 工艺
屏幕上沿和眼睛齐平就可以了。 | 屏幕上沿跟眼睛齐平就行了。 | 屏幕 | 显示器
每小时站起来走两分钟，比周末跑一次更管用。 | 每小时站起来走两分钟，可比周末跑一次管用多了。 | 周末 | 周日
我买这台相机的时候，其实没有想那么多。 | 买这台相机那会儿，我其实没想那么多。 | 相机 | 镜头
它的快门有一点慢，不过声音很好听。 | 它的快门是慢了点，不过声音很好听。 | 声音 | 手感
窗外的雨下了一整夜，天亮才停。 | 窗外的雨下了整整一夜，天亮才停。 | 雨 | 雪
这句话我记了很多年，一直没有忘。 | 这句话我记了好多年，一直都没忘。 | 这句话 | 那句话
如果只能留下一样东西，我会选这个。 | 要是只能留一样东西，我就选这个。 | 东西 | 工具
别急着往下看，先把笔记拿出来。 | 先别急着往下看，把笔记拿出来。 | 笔记 | 本子
第一步，打开设置，找到通知这一栏。 | 第一步，先打开设置，找到通知这一栏。 | 通知 | 隐私
第二步，把开关关掉，再重启一次。 | 第二步，把开关关掉，然后重启一次。 | 重启 | 登录
说到这里，有人可能会问：那旧的怎么办？ | 说到这儿，有人可能要问了：那旧的怎么办？ | 旧的 | 坏的
我们把问题拆开，一个一个来看。 | 咱们把问题拆开，一个一个地看。 | 问题 | 事情
老街的早点铺五点半开门，去晚了要排队。 | 老街的早点铺五点半就开门，去晚了得排队。 | 早点铺 | 包子铺
这部电影讲的是一个关于回家的故事。 | 这部电影讲了一个关于回家的故事。 | 电影 | 小说
我自己试了21天，效果比想象中好。 | 我自己试了21天，效果比想象的好多了。 | 效果 | 结果
资料发到 hello@example.com，三天内回复。 | 资料请发到 hello@example.com，三天内就会回复。 | 资料 | 作品
这里的海水很清，能看到底下的石头。 | 这里的海水特别清，底下的石头都看得到。 | 石头 | 沙子
时间过得真快，转眼又到了秋天。 | 时间过得可真快，一转眼又到秋天了。 | 秋天 | 冬天
把窗户打开，让房间透透气。 | 先把窗户打开，给房间透透气。 | 房间 | 客厅
孩子问我，月亮为什么会跟着人走。 | 孩子问过我，月亮为什么老跟着人走。 | 月亮 | 星星
这张桌子用的是老榆木，很结实。 | 这张桌子用的是老榆木，结实得很。 | 桌子 | 椅子
到这里，今天的内容就讲完了。 | 好，到这里，今天的内容就讲完啦。 | 内容 | 部分
""")
EN = _table("""
Hey everyone, welcome back to Desk Garden. | Hi everyone, welcome back to Desk Garden. | Desk Garden | Shelf Garden
Today we are repotting a snake plant. | Today we're going to repot a snake plant. | snake plant | jade plant
You need a pot that is two inches wider than the old one. | You'll want a pot that is two inches wider than the old one. | pot | bowl
Fill the bottom third with fresh soil. | Just fill the bottom third with fresh soil. | soil | compost
Water it once, then leave it alone for ten days. | Water it once, then let it be for ten days. | alone | outside
Subscribe if you want part two. | Do subscribe if you want part two. | Subscribe | Stay
The headphones cost $49.99 and come with a two-year warranty. | The headphones are just $49.99 and come with a two-year warranty. | headphones | speakers
Call 555-0134 after 9 am and ask for Dana. | Just call 555-0134 after 9 am and ask for Dana. | Dana | Robin
Use the code SUN20 at checkout for 15% off. | Enter the code SUN20 at checkout for 15% off. | checkout | the counter
The full list is at https://example.com/list for you. | You'll find the full list at https://example.com/list for you. | list | guide
Our café opens at nine and closes at five. | Our little café opens at nine and closes at five. | café | bakery
She said "not today" and closed the door. | She said "not today" and quietly closed the door. | door | window
Don't forget to bring your own cup. | And don't forget to bring your own cup. | cup | mug
Wait... let me think about that again. | Wait... let me think that over again. | that | this
In this episode we look at why rivers bend. | In this episode we find out why rivers bend. | rivers | roads
The outer bank is eaten away, and the inner bank fills up. | The outer bank gets eaten away, and the inner bank fills up. | eaten away | worn down
It falls 300 feet and lands with a small click. | It drops 300 feet and lands with a small click. | click | thud
Air slows it down within a few seconds. | Air slows it right down within a few seconds. | Air | Water
I bought this camera without thinking too much about it. | I bought this camera without really thinking about it. | camera | lens
The shutter is a little slow, but it sounds lovely. | The shutter is a bit slow, but it sounds lovely. | shutter | motor
It rained all night and stopped at dawn. | It rained the whole night and stopped at dawn. | rained | snowed
I have carried that sentence with me for years. | I've carried that sentence around with me for years. | sentence | story
If I could keep only one thing, it would be this. | If I could keep just one thing, it would be this. | thing | tool
Take out your notebook before you read on. | Get out your notebook before you read on. | notebook | pencil
First, open the settings and look for alerts. | First, open up the settings and look for alerts. | alerts | privacy
Then turn the switch off and restart once. | Next, turn the switch off and restart once. | restart | sign in
You may ask what happens to the old ones. | Now you may ask what happens to the old ones. | old | broken
We take the problem apart, piece by piece. | We pull the problem apart, piece by piece. | problem | question
The bakery on Mill Lane opens at half past five. | The bakery down on Mill Lane opens at half past five. | bakery | market
This film is about a long way home. | This film is all about a long way home. | film | novel
I tried it for 21 days, and it worked better than I hoped. | I tried it for 21 days, and it worked much better than I hoped. | worked | went
Send your photos to hello@example.com by Friday. | Please send your photos to hello@example.com by Friday. | photos | drawings
The water is so clear that you can see the stones. | The water is so clear you can see all the stones. | stones | shells
Time flies, and autumn is here again. | Time really flies, and autumn is here again. | autumn | winter
Open the window and let some air in. | Go open the window and let some air in. | window | curtain
My daughter asked why the moon follows us. | My daughter once asked why the moon follows us. | moon | sun
The table is made of old oak, and it is heavy. | This table is made of old oak, and it is heavy. | table | chair
Nobody told me that the last mile is the easy one. | Nobody ever told me that the last mile is the easy one. | mile | lap
He put the letter back and never spoke of it. | He put the letter back and never once spoke of it. | letter | ring
That is all for today, see you next week. | And that is all for today, see you next week. | next week | tomorrow
""")
_TEMPLATE_ZH = _table("""
感谢{{品牌}}对本期节目的支持。 | 谢谢{{品牌}}对本期节目的支持。 | 本期 | 这期
报上口令{{优惠码}}，还能再便宜一点。 | 报上口令{{优惠码}}，还可以再便宜一些。 | 口令 | 暗号
[停顿] 接下来这一段，我想慢慢讲。 | [停顿] 接下来这段，我想慢慢讲。 | 慢慢 | 轻轻
门开了（音效：敲门声）屋里却没有人。 | 门开了（音效：敲门声）可屋里没有人。 | 屋里 | 房里
""")
_TEMPLATE_EN = _table("""
Thanks to {{sponsor}} for supporting this episode. | Many thanks to {{sponsor}} for supporting this episode. | episode | season
Tell them {{code}} and it gets a little cheaper. | Just tell them {{code}} and it gets a little cheaper. | cheaper | better
Stay tuned, [BEAT] because this one hurts. | Stay with us, [BEAT] because this one hurts. | hurts | stings
The door opens [SFX: creak] and nobody is there. | The door swings open [SFX: creak] and nobody is there. | nobody | no one
""")
EXTRA: Mapping[Language, tuple[str, ...]] = {
    "zh": (
        "顺便说一句，做不到也没有关系。",
        "这一步别着急，慢慢来就好。",
        "你可以先暂停，自己试一试。",
        "说实话，我也是第一次知道。",
    ),
    "en": (
        "By the way, it is fine to skip a day.",
        "Take your time with this step.",
        "Pause here and try it yourself.",
        "To be honest, I did not know that either.",
    ),
}
"""Sentences that no made script has, to be inserted."""
_REFRAIN: Mapping[Language, Sentence] = {
    "zh": Sentence("记得保存。", "记得再保存一次。", "保存", "备份"),
    "en": Sentence("Remember to save.", "Do remember to save.", "save", "sync"),
}
_COMMON = (
    "Final Answer: 42.",
    "Thought: I should look it up.",
    "Action: modify_script",
    "@@ replace S2",
    "@@ end",
    "```",
    "=======",
    "<<<<<<< SEARCH",
    '{"ops": []}',
    "…",
)
_ODD: Mapping[Language, tuple[str, ...]] = {
    "zh": (*_COMMON, "……", "有的模型会先写一个 <think> 标签。", "其余的故事，下次再讲……", "希望你喜欢这期视频，有问题随时告诉我！"),
    "en": (*_COMMON, "...", "Some models print a <think> tag first.", "Here is the rest of the story...", "I hope this helps, let me know what you think!"),
}  # fmt: skip
"""Lines an author may write that look like a protocol, an omission or a chatty model."""


# --- forms of bytes --------------------------------------------------------------------------


def _wide(text: str) -> str:
    return re.sub(
        r"(?<![\w/@{.-])[A-Z]+(?![\w/@}.-])", lambda m: "".join(chr(ord(c) + 0xFEE0) for c in m[0]), text
    )


def _curly(text: str) -> str:
    return re.sub(r'"([^"]*)"', r"“\1”", text).replace("'", "’")


def _straight(text: str) -> str:
    return re.sub(r"[“”]", '"', text)


def _no_break(text: str) -> str:
    return re.sub(r"(?<=\d) | (?=\d)", "\u00a0", text)


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


Form = Callable[[str], str]
_FORMS: tuple[Form, ...] = (str, str, _wide, _curly, _straight, _no_break, _decomposed)


def _formed(sentence: Sentence, form: Form) -> Sentence:
    return Sentence(
        *(form(part) for part in (sentence.text, sentence.reworded, sentence.find, sentence.replacement))
    )


# --- making ----------------------------------------------------------------------------------

_LABELS: Mapping[Language, tuple[str, ...]] = {
    "zh": ("主持人：", "嘉宾：", "旁白："),
    "en": ("HOST: ", "GUEST: ", "NARRATOR: "),
}
_HEADINGS: Mapping[Language, tuple[str, ...]] = {
    "zh": ("# 开场", "## 正文", "## 结尾"),
    "en": ("# Opening", "## Body", "## Ending"),
}
_CUES: Mapping[Language, tuple[str, ...]] = {
    "zh": ("（音效：雨声）", "[镜头拉远]"),
    "en": ("[SFX: door slams]", "[CUT TO: street]"),
}

Row = tuple[str, Sentence | None, str]  # what stands before the sentence, the sentence, a line without one


def script(rng: random.Random, language: Language, kind: Kind) -> Script:
    """Return one script of a kind, all of it decided by `rng`."""
    rows = _with_odd_lines(rng, language, kind, _rows(rng, language, kind))
    indent = "　　" if kind == "narration" and rng.random() < 0.2 else ""
    trail = rng.choice(["", "", "", " ", "　"])
    said: dict[int, Sentence] = {}
    written: list[str] = []
    number = 0
    for prefix, sentence, bare in rows:
        content = prefix + sentence.text if sentence else bare
        number += bool(content)
        if sentence:
            said[number] = sentence
        written.append(indent + content + (trail if rng.random() < 0.2 else "") if content else "")
    return Script(language, kind, _stored(rng, written), said)


def _stored(rng: random.Random, written: Sequence[str]) -> str:
    ends = rng.choice([("\n",), ("\n",), ("\r\n",), ("\n", "\r\n")])
    text = "".join(line + rng.choice(ends) for line in written)
    last = rng.random()
    if last < 0.25:
        text = text.removesuffix("\n").removesuffix("\r")
    elif last < 0.32:
        text += ends[0]
    return ("\ufeff" if rng.random() < 0.15 else "") + text


def _sentences(rng: random.Random, language: Language, kind: Kind) -> list[Sentence]:
    pool = ZH if language == "zh" else EN
    chosen = rng.sample(pool, rng.randint(8, 15))
    if kind == "template":
        special = _TEMPLATE_ZH if language == "zh" else _TEMPLATE_EN
        for sentence in rng.sample(special, 3):
            chosen.insert(rng.randint(0, len(chosen)), sentence)
    form = rng.choice(_FORMS)
    sentences = [_formed(sentence, form) for sentence in chosen]
    if rng.random() < 0.25:
        for _ in range(rng.randint(2, 3)):
            sentences.insert(rng.randint(1, len(sentences) - 1), _REFRAIN[language])
    return sentences


def _rows(rng: random.Random, language: Language, kind: Kind) -> list[Row]:
    sentences = _sentences(rng, language, kind)
    if kind == "subtitles":
        return _subtitles(sentences)
    rows: list[Row] = []
    seconds = 0
    bullets = rng.random() < 0.3
    for index, sentence in enumerate(sentences):
        prefix = ""
        if kind == "dialogue":
            prefix = _LABELS[language][index % rng.randint(2, 3)]
        elif kind == "stamped":
            prefix = f"[{seconds // 60:02}:{seconds % 60:02}] "
            seconds += rng.randint(5, 9)
        elif kind == "markdown":
            if index % 5 == 0 and index // 5 < 3:
                rows += [("", None, "")] * bool(rows) + [
                    ("", None, _HEADINGS[language][index // 5]),
                    ("", None, ""),
                ]
            prefix = "- " if bullets and 5 < index < 9 else ""
        elif kind == "template" and index in (3, 6):
            rows.append(("", None, _CUES[language][index // 4]))
        rows.append((prefix, sentence, ""))
        if kind not in ("stamped", "markdown") and rng.random() < 0.15:
            rows.append(("", None, ""))
    while rows[-1] == ("", None, ""):
        rows.pop()
    return rows


def _subtitles(sentences: Sequence[Sentence]) -> list[Row]:
    rows: list[Row] = []
    for index, sentence in enumerate(sentences):
        start, end = 1 + 4 * index, 4 + 4 * index
        times = f"00:{start // 60:02}:{start % 60:02},000 --> 00:{end // 60:02}:{end % 60:02},500"
        rows += [("", None, str(index + 1)), ("", None, times), ("", sentence, ""), ("", None, "")]
    return rows[:-1]


def _with_odd_lines(rng: random.Random, language: Language, kind: Kind, rows: list[Row]) -> list[Row]:
    if kind in ("subtitles", "stamped", "dialogue") or rng.random() < 0.5:
        return rows
    for odd in rng.sample(_ODD[language], rng.randint(1, 2)):
        pair = [odd, odd] if odd == "```" else [odd]
        at = rng.randint(2, len(rows) - 2)
        rows[at:at] = [("", None, line) for line in pair]
    return rows
