"""What numbers count, in Chinese and English: minutes, 公里, dollars, 勺, and the classifiers that say little (个, 件)."""

import re
from dataclasses import dataclass

from script_editor.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit: amounts of one `dimension` are compared after multiplying by `factor`; `name` is its one spelling."""

    dimension: str
    factor: float
    name: str


_TABLE: dict[str, dict[str, tuple[float, str]]] = {
    "time": {
        "second": (1, "秒钟 秒鐘 秒 seconds second secs sec s"),
        "minute": (60, "分钟 分鐘 minutes minute mins min"),
        "hour": (3600, "个小时 個小時 小时 小時 个钟头 钟头 hours hour hrs hr h"),
        "day": (86400, "天 日 days day"),
        "week": (604800, "个星期 個星期 星期 周 週 weeks week"),
        "month": (2628000, "个月 個月 months month"),
        "year": (31536000, "周年 年 years year yrs yr"),
    },
    "length": {
        "mm": (0.001, "毫米 mm"),
        "cm": (0.01, "厘米 公分 cm centimeters centimetres"),
        "inch": (0.0254, "英寸 寸 inches inch"),
        "foot": (0.3048, "英尺 feet foot ft"),
        "m": (1, "米 公尺 meters metres meter metre m"),
        "km": (1000, "公里 千米 km kilometers kilometres kilometer kilometre"),
        "mile": (1609.344, "英里 miles mile"),
    },
    "mass": {
        "g": (1, "克 grams gram g"),
        "jin": (500, "斤"),
        "kg": (1000, "公斤 千克 kg kilograms kilos kilo"),
        "tonne": (10**6, "吨 噸 tons tonnes ton"),
        "lb": (453.592, "磅 lbs lb"),
        "oz": (28.3495, "盎司 ounces ounce oz"),
    },
    "volume": {"ml": (1, "毫升 ml milliliters"), "l": (1000, "升 liters litres liter litre l")},
    "yuan": {"yuan": (1, "元 块钱 塊錢 块 塊 人民币 rmb yuan")},
    "dollar": {"dollar": (1, "美元 美金 刀 dollars dollar bucks buck usd"), "cent": (0.01, "美分 cents cent")},
    "euro": {"euro": (1, "欧元 歐元 euros euro")},
    "pound": {"pound": (1, "英镑 英鎊 pounds pound quid")},
    "data": {"mb": (1, "mb"), "gb": (1000, "gb"), "tb": (10**6, "tb")},
    "degree": {"degree": (1, "摄氏度 度 ℃ °c ° degrees degree")},
    "multiple": {"times": (1, "倍 times fold x")},
    "people": {"person": (1, "个人 個人 人 位 名 people persons")},
    "spoon": {
        "spoon": (1, "大勺 小勺 汤匙 茶匙 勺 匙 spoons spoonfuls spoon tablespoons tablespoon tbsp teaspoons teaspoon tsp")
    },
    "cup": {"cup": (1, "杯 cups cup")},
    "bowl": {"bowl": (1, "碗 bowls bowl")},
    "slice": {"slice": (1, "片 slices slice")},
    "bottle": {"bottle": (1, "瓶 bottles bottle")},
    "box": {"box": (1, "盒 箱 boxes box")},
    "bag": {"bag": (1, "袋 包 bags bag")},
    "watt": {"watt": (1, "瓦 w watts watt")},
    "charge": {"mah": (1, "毫安时 毫安 mah")},
    "hertz": {"hz": (1, "赫兹 hz hertz")},
    "lumen": {"lumen": (1, "流明 lumens lumen")},
    "pixel": {"pixel": (1, "像素 pixels")},
    "energy": {"calorie": (1, "大卡 千卡 卡路里 kcal calories")},
    "floor": {"floor": (1, "层楼 楼 floors")},
    "age": {"age": (1, "岁 歲")},
    "discount": {"discount": (1, "折")},
    "seat": {"share": (1, "个百分点")},
}  # fmt: skip

MEASURES = {
    spelling: Measure(dimension, factor, name)
    for dimension, rows in _TABLE.items()
    for name, (factor, spellings) in rows.items()
    for spelling in spellings.split()
}
"""Every spelling of a unit, lower case."""

CLASSIFIERS = (
    "个個件种種条條句次张張只隻本台部款家道颗顆粒根支枝步站把双雙对對份套座辆輛首场場棵朵头頭匹间間"
    "扇串盘盤口组組层期轮页頁项項段点點面"
)
"""Chinese counters after which a small number in words says little more than "some"."""

_ZH = Pattern("|".join(sorted((re.escape(s) for s in MEASURES if not s.isascii()), key=len, reverse=True)))
_EN = Pattern(r"[ -]?(?:an? |of an? )?(?P<word>°[CcFf]?|[A-Za-z]+)")


def unit_after(text: str, end: int) -> tuple[Measure | None, str, int]:
    """Return the measure that stands at `end` of a text, its name or the counted word, and where it ends."""
    if match := _ZH.match(text, end + (text[end : end + 1] == " ")):
        measure = MEASURES[match[0]]
        return measure, measure.name, match.end()
    if text[end : end + 1] and text[end] in CLASSIFIERS:
        return None, text[end], end + 1
    if (match := _EN.match(text, end)) is None:
        return None, "", end
    word = match["word"].lower()
    measure_en = MEASURES.get(word)
    return measure_en, measure_en.name if measure_en else word.removesuffix("s"), match.end()
