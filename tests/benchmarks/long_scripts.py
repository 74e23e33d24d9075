"""Scripts of any length, every spoken line of them known in two manners: as written, and as people talk.

The same arguments give the same text on every machine. A line and its other manner say the same, with the
same numbers, so putting one for the other is an edit that a careful person would make.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Language = Literal["zh", "en"]
Twin = tuple[str, str]

PER_MINUTE = {"zh": 250, "en": 150}
"""Han characters, and English words, that are said in a minute."""

_SECTION_LINES = 9
_REFRAIN_EVERY = 3  # sections


@dataclass(frozen=True, slots=True)
class LongScript:
    """A script and, for the number of each line that is said, that line as people talk; headings have none."""

    language: Language
    minutes: int
    text: str
    talked: Mapping[int, str]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that are not blank; line N of every message is the Nth of them."""
        return tuple(line for line in self.text.split("\n") if line)

    def edited(self, replacements: Mapping[int, str]) -> str:
        """Return the text with some lines replaced, by number, and every other byte as it is."""
        number = 0
        rows = []
        for line in self.text.split("\n"):
            number += bool(line)
            rows.append(replacements.get(number, line) if line else line)
        return "\n".join(rows)


def long_script(language: Language, minutes: int) -> LongScript:
    """Return a script that takes about so many minutes to say: sections under headings, with a refrain that comes back."""
    rows: list[str] = []
    talked: dict[int, str] = {}
    number = said = 0
    for kind, line, casual in _rows(language, random.Random(f"{language} {minutes}")):
        rows.append(line)
        number += kind != "blank"
        if kind == "said":
            talked[number] = casual
            said += _amount(line, language)
        if said >= minutes * PER_MINUTE[language]:
            break
    return LongScript(language, minutes, "\n".join(rows) + "\n", talked)


def _rows(language: Language, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """Yield lines without end: their kind, the line, and the line as people talk."""
    section = 0
    while True:
        words = {"thing": _thing(language, section), "matter": _in_turn(_MATTERS[language], section * 3)}
        section += 1
        yield "heading", _HEADING[language].format(section=section, **words), ""
        yield "blank", "", ""
        for index, (written, talked) in enumerate(chance.sample(_TWINS[language], _SECTION_LINES)):
            words |= {"who": chance.choice(_PEOPLE[language]), "n": str(chance.choice(_NUMBERS))}
            yield "said", written.format(**words), talked.format(**words)
            if index == _SECTION_LINES // 2:
                yield "blank", "", ""
        if section % _REFRAIN_EVERY == 1:
            yield "said", *_REFRAIN[language]
        yield "blank", "", ""


def _thing(language: Language, section: int) -> str:
    """Return what a section is about; another one for each of the first hundred."""
    things, sorts = _THINGS[language], _SORTS[language]
    return _in_turn(sorts, section // len(things) + section) + _in_turn(things, section)


def _in_turn(values: Sequence[str], index: int) -> str:
    return values[index % len(values)]


def _amount(line: str, language: Language) -> int:
    return sum("\u4e00" <= char <= "\u9fff" for char in line) if language == "zh" else len(line.split())


_NUMBERS = (3, 5, 7, 8, 12, 15, 18, 20, 25, 40)
_HEADING = {"zh": "## {section}. {thing}与{matter}", "en": "## {section}. The {thing} and its {matter}"}
_REFRAIN: dict[Language, Twin] = {
    "zh": ("如果您觉得有所收获，请点赞并关注本频道。", "觉得有收获的话，点个赞、关注一下频道呗。"),
    "en": (
        "If you have found this useful, please consider subscribing to the channel.",
        "If this helped you out, go on and subscribe to the channel.",
    ),
}
_SORTS: dict[Language, tuple[str, ...]] = {
    "zh": ("新款", "入门款", "旗舰款", "二手", "便携"),
    "en": ("new ", "budget ", "flagship ", "used ", "compact "),
}
_THINGS: dict[Language, tuple[str, ...]] = {
    "zh": (
        "手冲壶", "机械键盘", "充电宝", "折叠车", "不粘锅", "登山鞋", "空气炸锅", "蓝牙耳机", "保温杯", "记忆枕",
        "扫地机", "投影仪", "咖啡机", "电动牙刷", "双肩包", "帐篷", "台灯", "加湿器", "相机", "滑板",
    ),
    "en": (
        "kettle", "keyboard", "power bank", "folding bike", "frying pan", "hiking boot", "fryer", "headset", "thermos",
        "pillow", "robot vacuum", "projector", "coffee maker", "toothbrush", "backpack", "tent", "desk lamp",
        "humidifier", "camera", "skateboard",
    ),
}  # fmt: skip
_MATTERS: dict[Language, tuple[str, ...]] = {
    "zh": ("水温", "电池寿命", "表面涂层", "散热", "清洁频率", "重量", "手感", "噪音", "收纳方式", "密封圈"),
    "en": (
        "temperature", "battery life", "coating", "cooling", "cleaning schedule", "weight", "grip", "noise", "storage",
        "rubber seal",
    ),
}  # fmt: skip
_PEOPLE: dict[Language, tuple[str, ...]] = {
    "zh": ("小陈", "老周", "阿敏", "李工", "表哥", "楼下的王姐"),
    "en": ("Maya", "my neighbour Tom", "our editor", "Doctor Lin", "my cousin", "an old colleague"),
}
_TWINS: dict[Language, tuple[Twin, ...]] = {
    "zh": (
        ("首先我们来看一下{thing}的基本情况。", "咱们先来看看{thing}到底什么情况。"),
        ("很多人认为{thing}越贵越好，其实并非如此。", "好多人都觉得{thing}越贵越好，其实还真不是。"),
        ("根据我们的测试，{thing}在{n}天之后出现了明显变化。", "我们自己测下来，{thing}过了{n}天就明显不一样了。"),
        ("如果您是第一次接触{thing}，建议从最简单的部分开始。", "要是你头一回碰{thing}，那就先从最简单的部分来。"),
        ("需要注意的是，{thing}不能放在阳光直射的地方。", "有一点记住啊，{thing}可别放在太阳直晒的地方。"),
        ("这里存在一个常见的误区，就是忽略了{thing}的{matter}。", "这儿有个坑特别多人踩，就是没管{thing}的{matter}。"),
        ("{who}使用{thing}已经有{n}个月的时间了。", "{who}用{thing}都用了{n}个月了。"),
        ("从价格上来说，不同{thing}的差距大约在{n}元左右。", "说到价格嘛，不同的{thing}也就差个{n}元左右。"),
        ("接下来我将介绍如何判断{thing}的{matter}。", "接下来我跟你说说{thing}的{matter}到底怎么判断。"),
        ("由此可见，{matter}才是{thing}最关键的因素。", "所以你看，{thing}最要紧的还是{matter}。"),
        ("请大家在评论区告诉我们您对{thing}的看法。", "你怎么看{thing}，来评论区跟我们说说。"),
        ("{thing}的清洗完成以后，请等待{n}分钟再继续使用。", "{thing}洗完之后呢，先等{n}分钟再接着用。"),
        ("实际上，{thing}的保养并没有想象中那么复杂。", "说真的，{thing}的保养没你想的那么麻烦。"),
        ("我们一共对比了{n}款{thing}，结果令人感到意外。", "我们一口气比了{n}款{thing}，结果挺让人意外的。"),
        ("在购买{thing}之前，请先确认自己的真实需求。", "买{thing}之前啊，先想清楚自己到底要什么。"),
        ("至于{thing}的{matter}，目前还没有统一的标准。", "那{thing}的{matter}呢，现在还真没个统一的标准。"),
        ("{who}曾经告诉我，{thing}最怕的就是潮湿。", "{who}跟我说过，{thing}最怕的就是潮。"),
        ("因此，每周花{n}分钟检查一次{thing}是非常必要的。", "所以呀，每周花{n}分钟看一眼{thing}，真的很有必要。"),
        ("有观众提出疑问，{thing}是否需要经常更换。", "有朋友就问了，{thing}要不要老换啊。"),
        ("让我们用一个具体的例子来说明{thing}的{matter}。", "光说没意思，咱们拿个例子讲讲{thing}的{matter}。"),
        ("当{thing}的{matter}出现异常时，应当立即停止使用。", "要是发现{thing}的{matter}不对劲，赶紧先停下来别用了。"),
        ("综合来看，{who}选择的{thing}更适合普通家庭。", "这么一看，还是{who}选的{thing}更适合一般人家。"),
    ),
    "en": (
        ("Let us begin by looking at how the {thing} behaves in everyday use.", "So let's start with how the {thing} really behaves when you use it every day."),
        ("Many people believe that a more expensive {thing} is always better, which is not the case.", "A lot of people think a pricier {thing} is always better, and it just isn't."),
        ("According to our measurements, the {thing} changed noticeably after {n} days.", "When we measured it ourselves, the {thing} was clearly different after {n} days."),
        ("If this is your first {thing}, we recommend beginning with the simplest setting.", "If it's your first {thing}, just start with the simplest setting, okay?"),
        ("It is important to note that the {thing} should not be left in direct sunlight.", "One thing to remember: don't leave the {thing} sitting in direct sunlight."),
        ("There is a common misunderstanding here, which is to ignore the {matter} of a {thing}.", "Here's where so many people slip up: they forget all about the {matter} of a {thing}."),
        ("It has now been {n} months since {who} started using this {thing}.", "It's been {n} months now since {who} got going with this {thing}."),
        ("In terms of price, one {thing} differs from another by approximately {n} dollars.", "Price-wise, you're looking at a gap of about {n} dollars from one {thing} to another."),
        ("In the following part I will explain how to judge the {matter} of the {thing}.", "Next up, I'll show you how to tell if the {matter} of the {thing} is any good."),
        ("It can therefore be concluded that the {matter} decides the value of a {thing}.", "So there you have it, the {matter} really makes or breaks a {thing}."),
        ("We would like to invite you to share your opinion of the {thing} in the comments.", "So what do you think of the {thing}? Tell us down in the comments."),
        ("Once the {thing} has been cleaned, please wait for {n} minutes before you continue.", "Once the {thing} is clean, give it {n} minutes before you carry on."),
        ("In reality, maintaining the {thing} is not as complicated as one might imagine.", "Honestly, looking after the {thing} isn't nearly as hard as you'd think."),
        ("We compared the {thing} with {n} similar products, and the result came as a surprise.", "We put the {thing} next to {n} similar products, and wow, the result surprised us."),
        ("Before purchasing a {thing}, please make sure that you know what you need.", "Before you go and buy a {thing}, just ask yourself what you actually need."),
        ("With regard to the {matter} of the {thing}, there is at present no accepted standard.", "As for the {matter} of the {thing}, well, nobody's really agreed on a standard yet."),
        ("As {who} once explained to me, moisture is what damages a {thing} the most.", "Like {who} told me once, it's the moisture that really kills a {thing}."),
        ("It is therefore advisable to spend {n} minutes every week inspecting the {thing}.", "So do yourself a favour and spend {n} minutes a week checking the {thing}."),
        ("Several viewers have asked whether the {thing} has to be replaced regularly.", "A few of you have been asking if you've got to keep replacing the {thing}."),
        ("Allow me to illustrate the {matter} of the {thing} by means of a concrete example.", "Let me show you what I mean about the {matter} of the {thing} with a real example."),
        ("Should the {matter} of the {thing} appear unusual, stop using it immediately.", "If the {matter} of the {thing} looks off to you, just stop using it right away."),
        ("All things considered, the {thing} chosen by {who} is more suitable for most households.", "All in all, the {thing} that {who} picked just makes more sense for most homes."),
    ),
}  # fmt: skip
