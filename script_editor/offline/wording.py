"""An instruction, or a piece of one, in the two forms the grammar needs side by side.

`text` is what was typed (quotations masked); `folded` has the same length and is what patterns read:
half width, lower case, and in Simplified Chinese as far as the grammar's own words go. So every
keyword is written once, and text that ends in the script is never taken from the folded form.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from script_editor.offline.quotes import Quote, is_token, mask

Language = Literal["zh", "en"]

_TRADITIONAL = (
    "將換刪後裡裏個從與對調開頭結號驚嘆問頓數統請煩幫謝還進離並着過寫變為爲動別餘隻祇處現邊間標點詞語氣贅禪兩條幾話內種"
    "這們讓給應該會錯誤擇選則無關舊歷紀錄録復複歸銷顯檢腳劇較異轉於當時連齊補說説劃橫線雙單圓書閱讀總畫簡體譯潤飾輕鬆輸級"
    "壓縮減長擴優順暢風強麼樣嗎囉廢絕類據臺佔棄丟掃擺緊隨僅須製啟終閉滿觸雜臨時確認願遠聽歡見訊題幣參顧啊捨歲遞區備驗"
    "來鏡場員誰哪邏輯擾視頻聲聯繫經營幹乾裝飯麵發髮畢東車門錢項專業賓實際樂導觀眾評論連續傳統蓋舉產廠廣該罵圖層屬記剛託勞駕覽預尋稱審譜訂閃壞亂棟嚴級滾遠邊囑擴誇張著儲檔講鐘庫採試貼約資週嘗編"
)
_SIMPLIFIED = (
    "将换删后里里个从与对调开头结号惊叹问顿数统请烦帮谢还进离并着过写变为为动别余只只处现边间标点词语气赘禅两条几话内种"
    "这们让给应该会错误择选则无关旧历纪录录复复归销显检脚剧较异转于当时连齐补说说划横线双单圆书阅读总画简体译润饰轻松输级"
    "压缩减长扩优顺畅风强么样吗啰废绝类据台占弃丢扫摆紧随仅须制启终闭满触杂临时确认愿远听欢见讯题币参顾啊舍岁递区备验"
    "来镜场员谁哪逻辑扰视频声联系经营干干装饭面发发毕东车门钱项专业宾实际乐导观众评论连续传统盖举产厂广该骂图层属记刚托劳驾览预寻称审谱订闪坏乱栋严级滚远边嘱扩夸张着储档讲钟库采试贴约资周尝编"
)
_SPACES = "\u00a0\u2002\u2003\u2009\u202f\u3000\t\r"
_FOLD = str.maketrans(
    {
        **dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)),
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        **dict.fromkeys(_SPACES, " "),
        "’": "'",
    }
)
_MAX_PLAIN_CHARS = 400
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z']+")
_EDGE = " \n"


def fold(text: str) -> str:
    """Return `text` in the form that patterns read; the length is the same."""
    return "".join(low if len(low := char.lower()) == 1 else char for char in text.translate(_FOLD))


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of an instruction. `quotes` are those of the whole instruction; pieces share them."""

    text: str
    folded: str
    quotes: tuple[Quote, ...]

    def __bool__(self) -> bool:
        return bool(self.text)

    def cut(self, start: int, end: int | None = None) -> "Phrase":
        """Return the piece [start, end) without white space around it."""
        text = self.text[start:end]
        left = len(text) - len(text.lstrip(_EDGE + _SPACES))
        inner = text.strip(_EDGE + _SPACES)
        return Phrase(inner, self.folded[start:end][left : left + len(inner)], self.quotes)

    def without(self, start: int, end: int) -> "Phrase":
        """Return the phrase without its piece [start, end)."""
        text = self.text[:start] + self.text[end:]
        return Phrase(text, self.folded[:start] + self.folded[end:], self.quotes)

    @property
    def literal(self) -> str:
        """The text this piece means: the inside of a lone quotation, otherwise the words as typed."""
        return self._quote(self.text).value if self.is_quotation else self.typed

    @property
    def typed(self) -> str:
        """The piece as it was typed, quotations in their marks."""
        return "".join(self._quote(char).source if is_token(char) else char for char in self.text)

    @property
    def is_quotation(self) -> bool:
        """Whether the piece is exactly one quotation."""
        return len(self.text) == 1 and is_token(self.text)

    @property
    def is_long(self) -> bool:
        """Whether the piece is longer than any request, so that only text after a colon explains it."""
        return len(self.text) > _MAX_PLAIN_CHARS

    @property
    def head_end(self) -> int:
        """Where the part of the piece ends that can be grammar: before the first colon of a long one."""
        return self.folded.find(":", 0, _MAX_PLAIN_CHARS) + 1 if self.is_long else len(self.text)

    @property
    def holds_quotation(self) -> bool:
        """Whether a quotation stands in the piece, so that it cannot be plain text; 【…】 are text."""
        return any(not quote.startswith("【") for quote in self.quoted())

    def quoted(self) -> tuple[str, ...]:
        """Return the texts of all quotations in the piece, in order."""
        return tuple(self._quote(char).value for char in self.text if is_token(char))

    def _quote(self, token: str) -> Quote:
        return self.quotes[ord(token) - 0x100000]


def read(instruction: str) -> Phrase:
    """Return an instruction as a phrase, quotations masked."""
    return phrase_of(*mask(instruction))


def phrase_of(masked: str, quotes: tuple[Quote, ...]) -> Phrase:
    """Return a phrase over text that is masked already."""
    return Phrase(masked, fold(masked), quotes).cut(0)


def language_of(phrase: Phrase) -> Language:
    """Return the language an instruction is given in, judged by what stands outside quotations.

    A text to look for may be in the other language, so characters are weighed against words.
    """
    characters, words = len(_HAN.findall(phrase.text)), len(_LATIN_WORD.findall(phrase.text))
    return "zh" if characters and characters >= words else "en"


@lru_cache(maxsize=1024)
def pattern(source: str) -> re.Pattern[str]:
    """Compile a pattern once; sources are composed from tables, so they are built where they are used."""
    return re.compile(source)
