"""Nouns that have a value behind them in the script: of 价格是299元 it is the value that 把价格改成199元 means.

Without quotation marks it cannot be told whether the noun is to be replaced or what stands behind it, so neither is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from script_editor.domain.segments import NumberedScript
from script_editor.offline.hits import Hit
from script_editor.offline.wording import fold, pattern

_ZH_NOUN = (
    r"(?:价格|价钱|售价|原价|现价|单价|总价|定价|费用|运费|学费|票价|金额|预算|日期|时间|时长|时段|地点|地址|位置|数量|人数|次数|个数"
    r"|数字|名字|姓名|名称|昵称|网名|电话|手机号?|号码|微信号?|邮箱|网址|链接|年龄|尺寸|重量|长度|高度|宽度|面积|容量|大小|颜色|型号|品牌"
    r"|规格|折扣|库存|温度|速度|标题|题目|主题|产地|日子|星期|比例|分数|得分|密码|优惠码|暗号)"
)
_EN_NOUN = (
    r"(?:price|cost|fee|date|time|day|duration|length|place|venue|location|address|phone|number|phone number|name|title"
    r"|e-?mail|link|url|website|age|size|weight|height|width|colou?r|model|brand|discount|quantity|amount|topic|budget"
    r"|total|speed|temperature|score|percentage|code|password)"
)
_NOUN = rf".*{_ZH_NOUN}|(?:\w+ )*{_EN_NOUN}s?"
_COPULA = (
    r"\s*(?:现在|目前|大概|大约|只|都|就|也|已经|一共|总共)*(?:是|为|等于|定在|定为|定于|[:=])\s*"
    r"|\s*:\s*| (?:(?:now|only|just|still) )*(?:is|was|are|were|will be|=)(?: (?:now|only|just|still|at|on))* "
)
_VALUE = r"(?P<value>[^,。.!?;:、\s][^,。!?;、]*)"
_PRONOUN = r"它们?|他们?|她们?|这个?|那个?|it|this|that|they|them"
_AMOUNT = r".*\d"
_NO_AMOUNT = (
    r"(?:面议|免费|待定|暂无|未定|不详|不限|另行通知|tbd|tba|free|unknown|on request|to be announced)"
)


def value_meant(needle: str, new: str, hits: Sequence[Hit], script: NumberedScript) -> str:
    """Return the value that stands behind a noun where the value may be meant, "" where the noun itself is.

    A noun that another (价格 → 售价) or a pronoun takes the place of is meant itself. An amount is meant for a value
    behind the noun, other words only where a value in words stands behind it each time.
    """
    word, text = fold(needle), fold(new)
    if pattern(rf"{_NOUN}|{_PRONOUN}").fullmatch(text):
        return ""
    values = [_value_behind(hit, script) for hit in hits]
    is_amount = pattern(_AMOUNT).match(text) is not None
    if pattern(_NOUN).fullmatch(word):
        is_any = is_amount or pattern(_NO_AMOUNT).match(text) is not None
        meant = values if is_any or all(value.takes_words for value in values) else []
    else:
        is_replaced = is_amount and pattern(_AMOUNT).match(word) is None
        meant = [value for value in values if value.is_amount] if is_replaced else []
    return next((value.text for value in meant if value.text), "")


@dataclass(frozen=True, slots=True)
class _Value:
    """What stands behind a noun, "" for nothing; `is_labelled` says that a colon stands between."""

    text: str = ""
    is_labelled: bool = False

    @property
    def is_amount(self) -> bool:
        return pattern(_AMOUNT).match(self.text) is not None

    @property
    def takes_words(self) -> bool:
        """Whether words that are no amount can take its place: of 面积是20平方厘米 they rather replace the noun."""
        return bool(self.text) and (self.is_labelled or not self.is_amount)


def _value_behind(hit: Hit, script: NumberedScript) -> _Value:
    content = script.segment(hit.number).content
    behind = pattern(rf"(?:{_COPULA}|\s*(?=[\d¥$€£])){_VALUE}").match(fold(content), hit.end)
    if behind is None:
        return _Value()
    between = fold(content)[hit.end : behind.start("value")]
    return _Value(content[slice(*behind.span("value"))].strip(" .。"), ":" in between)
