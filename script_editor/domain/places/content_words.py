"""Lines that an instruction means by words of their own: "把煮面时间改成四分钟", "the sentence about the pump".

Only words that few lines have count, and only where the instruction points at something; how it should
sound afterwards is not a place. Chinese is searched by substrings of two to eight characters, other text by words.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

from script_editor.patterns import Pattern

FEW = 5
"""A word that more lines have than this distinguishes none of them."""

_HAN = Pattern(r"[\u3400-\u9fff\uf900-\ufaff]+")
_WORD = Pattern(
    r"[^\W_\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff]+(?:(?:['’.-]|,(?=\d{3}))[^\W_\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff]+)*"
)
_QUANTITY = Pattern(
    r"(?<![第倒])(?:\d+(?:[.,]\d+)*|[零一二两三四五六七八九十百千万半]{1,12})\s?(?P<unit>%|[\u3400-\u9fff]{1,2}|(?:[a-z]{1,9})\b)"
)
_NUMBER = r"(?:\d+(?:[.,]\d+)*|[零一二两三四五六七八九十百千万半]{1,12})\s?"

# What follows these says what is to come, not where something is.
_NEW_TEXT = Pattern(
    r"(?:改|换|替换|变|写|说|调|译|翻译|压缩?|缩短?|扩|降|提|统一)(?:成|为|到|得)"
    r"|(?:加|添|补|插)(?:上|入|进|写)?(?!在|到)(?:一|几|个|点|些|段|句|行)"
    r"|\b(?:so that|as if|as though|as an?|like|instead)\b|(?<=\w)\s(?:to|into|with)\s"
)
_MANNER = Pattern(r"像|如同|仿佛|似的|控制|不超过|[\d一二两三四五六七八九十半]{1,9}(?:分钟|秒|分半)")
_LENGTH = Pattern(r"时长|总长|篇幅|字数|语速|\b(?:duration|running time|word count)\b")
_FOR_WHOM = Pattern(r"\b(?:rewrite|simplify|adapt|tailor|shorten|translate|make|turn|change)\b[^,]*?\sfor\s")
_ADDS_EN = Pattern(r"\b(?:add|insert|include|put in|work in|write|give|append)\b")
_ADDS_ZH = Pattern(r"加(?!速|快|强)|添|补充|插入|多用|多[加问]|增加")
_RELATION_EN = Pattern(
    r"\b(?:after|before|to the|in the|at the|next to|between|following|above|below|near|where)\b.*"
)

_THING_ZH = r"(?:例子|比喻|梗|笑话|数字|说法|词|问题|故事|画面|镜头|地方|部分|观点|结论|比方|数据)"
_POINTS = Pattern(
    rf"[那这哪](?:[一二两三四几]|\d)?个?(?:句|行|段|处|里|儿|条|块|组|步|站|关|幕|题|件|张|节|{_THING_ZH})"
    rf"|[那这]种说法|[那这]个(?!感觉|样子|味)|的地方|部分"
    r"|^(?:right )?(?:after|before|above|below|under)\b"
    r"|\w的?(?:那|这)?(?:句话|句子|段落|例子|比喻|梗|台词)"
    r"|把[^,]{1,60}?(?:改|换|删|去|挪|移|拆|合|提|写|说|压|缩|放|调|展开|扩|替|拿|念|解释|讲|润|精简|弄)"
    r"|(?:删|去|拿|剪|砍|略|刪)(?:掉|除|去)?|(?:改|换|替换|更正|修正|订正)(?:成|为|掉)?"
    r"|提到|提及|关于|讲到|说到|涉及|(?:前面|后面|之前|之后|前边|后边|旁边)(?:加|补|插|添)?|应该?是|不是|写错"
    r"|错了|其实是|现在是|已经是"
    r"|拆成|合并|移到|挪到|放到|展开|解释"
    r"|\b(?:change|chang\w+|replace|swap|fix|correct|update|delete|remove|cut|drop|move|put|split|merge"
    r"|combine|shorten|trim|tighten"
    r"|rephrase|reword|rewrite|simplify|explain|expand|elaborate|clarify|soften|strengthen|rename|mention\w*|say|says|said|lose"
    r"|take out|get rid of|break up|break)\b"
    r"|\b(?:lines?|sentences?|parts?|bits?|paragraphs?|passages?|sections?|scenes?|shots?|claims?|numbers?"
    r"|figures?|prices?|dates?|names?)"
    r" (?:about|with|that|which|where|on|of|saying|mentioning)\b"
    r"|\b(?:scene|joke|example|story|anecdote|metaphor|analogy|comparison|quote|statistic|question|sentence"
    r"|paragraph|passage)\b"
    r"|\b(?:is|are|costs?|was|were|sounds?|feels?|seems?) (?:now|wrong|not|actually|too|unclear|weak|flat"
    r"|clunky|confusing|awkward)\b"
    r"|\b(?:doesn't|isn't|don't|aren't) (?:work|fit|make sense|true|right|clear)\b|\bnow\b|\bshould be\b|\bactually\b|[$€£¥]"
)
_MONEY = Pattern(r"[$¥€£]\s?\d|\d\s?(?:元|块|塊|美元|刀|dollars?|euros?|bucks)")
_PRICE_WORD = Pattern(r"价格|价钱|售价|定价|價格|\b(?:prices?|costs?)\b")
PLAIN_LENGTH = 3
"""So many Han characters that stand in the script together are meant, even when nothing points at them."""
PLAIN_WORDS = 2
"""The same for rare words of other scripts in one line."""

_OWN = frozenset(
    "把将请帮我们你您一下吧呢啊了的地得和跟与及或在从到里中上前后面边再也就都还要想能可以应该需让使给用更"
    "最太很比较有点儿些那这哪个句行段处条话子部分方内容脚本稿文案口播台词字幕开头结尾改成换为替写重修调整"
    "润色优化删掉除去加入增添插补充移挪放拆合并缩短压精简扩语轻松幽默洁正式自然流畅生动趣气风节奏问情况东"
    "西意思说法感觉样例喻长关于提讲键大家观众体全所每展解释清楚详细具直接明确两几场之旁不是而错其实现已经"
    "没什么怎如果因但过"
)
"""Characters of instructions: a run of these alone says nothing about a script."""
_ZH_COMMON = frozenset({
    "改成", "换成", "改为", "换为", "替换", "删掉", "删除", "去掉", "加上", "加入", "增加", "补充", "调整",
    "修改", "这句", "那句", "这段", "那段", "这里", "那里", "部分", "地方", "内容", "一句", "一段", "一行",
    "句话", "句子", "段落", "开头", "结尾", "前面", "后面", "之前", "之后", "我们", "你们", "大家", "他们",
    "自己", "一个", "一些", "一点", "一下", "可以", "应该", "需要", "现在", "已经", "就是", "还是", "不是",
    "而是", "没有", "什么", "怎么", "这个", "那个", "这样", "那样", "因为", "所以", "但是", "如果", "然后",
    "最后", "里面", "上面", "下面", "说法", "方式", "样子", "东西", "时候", "语气", "风格", "口语", "轻松",
    "幽默", "简洁", "正式", "自然", "更加", "比较", "有点", "太长", "太短", "一半", "时间", "今天", "视频",
    "频道", "脚本", "文案", "稿子", "台词", "字幕", "标题", "展开", "解释", "详细", "具体", "清楚", "直接",
    "例子", "比喻", "数字", "数据", "价格", "名字", "提到", "关于", "讲到", "说到", "拆成", "合并", "移到",
    "挪到", "放到", "缩短", "压缩", "精简", "简化", "写成", "说成", "变成", "两句", "几句", "三句", "四句",
    "第一", "第二", "第三", "语句", "措辞", "用词", "这条", "那条", "整体", "全部", "所有",
})  # fmt: skip
_EN_COMMON = frozenset({
    "a", "an", "the", "and", "or", "but", "of", "in", "on", "at", "to", "for", "from", "with", "by", "as",
    "is", "are", "was", "were", "be", "been", "it", "its", "this", "that", "these", "those", "there",
    "here", "i", "me", "my", "we", "our", "us", "you", "your", "he", "she", "they", "them", "their", "his",
    "her", "who", "which", "what", "when", "where", "why", "how", "not", "no", "so", "if", "then", "than",
    "into", "over", "under", "about", "after", "before", "between", "during", "only", "just", "also",
    "too", "very", "more", "less", "most", "least", "much", "many", "some", "any", "all", "each", "every",
    "both", "such", "own", "same", "other", "another", "one", "two", "three", "first", "second", "third",
    "last", "next", "can", "could", "will", "would", "should", "may", "might", "must", "do", "does", "did",
    "done", "have", "has", "had", "get", "got", "make", "makes", "made", "let", "please", "want", "need",
    "like", "say", "says", "said", "tell", "use", "using", "used", "put", "take", "give", "keep", "go",
    "going", "come", "change", "replace", "swap", "fix", "correct", "update", "delete", "remove", "cut",
    "drop", "move", "split", "merge", "combine", "shorten", "trim", "tighten", "rephrase", "reword",
    "rewrite", "simplify", "explain", "expand", "elaborate", "clarify", "soften", "strengthen", "rename",
    "mention", "mentions", "add", "insert", "include", "write", "edit", "revise", "improve", "polish",
    "line", "lines", "sentence", "sentences", "word", "words", "phrase", "paragraph", "section", "part",
    "parts", "bit", "passage", "scene", "script", "text", "video", "piece", "draft", "copy", "story",
    "opening", "ending", "beginning", "end", "start", "hook", "intro", "outro", "title", "heading", "tone",
    "style", "voice", "short", "shorter", "long", "longer", "funny", "funnier", "clear", "clearer",
    "simple", "simpler", "better", "punchier", "warmer", "example", "now", "wrong", "actually", "typo",
    "spelling", "up", "out", "off", "down", "again", "still", "even", "instead", "because", "while",
    "don't", "it's", "isn't", "really", "lose", "rid", "break", "something", "someone", "thing", "things",
    "way", "new", "old", "right", "left", "good", "bad", "little", "sound", "sounds", "feel", "feels",
    "read", "reads", "speaker", "host", "guest", "narrator", "time", "person", "show", "see", "look",
    "middle",
})  # fmt: skip


class LineIndex:
    """The words of a script's lines, for asking which lines have one."""

    def __init__(self, contents: Iterable[tuple[int, str]]):
        self._lines = {number: _plain(content) for number, content in contents}
        self._pairs: defaultdict[str, set[int]] = defaultdict(set)
        self._words: defaultdict[str, set[int]] = defaultdict(set)
        for number, line in self._lines.items():
            for run in _HAN.findall(line):
                for index in range(len(run) - 1):
                    self._pairs[run[index : index + 2]].add(number)
            for word in _words(line):
                self._words[word].add(number)

    def with_passage(self, passage: str) -> set[int]:
        """Return the lines that hold a passage, after folding and without case."""
        wanted = _plain(passage).strip()
        return {number for number, line in self._lines.items() if wanted and wanted in line}

    def with_part(self, part: str) -> set[int]:
        """Return the lines that hold a run of two or more Han characters."""
        pairs = [self._pairs.get(part[index : index + 2], set()) for index in range(len(part) - 1)]
        shared = set.intersection(*pairs) if pairs else set()
        return shared if len(part) == 2 else {number for number in shared if part in self._lines[number]}

    def with_word(self, word: str) -> set[int]:
        """Return the lines that have a word, in any of its usual endings."""
        return self._words.get(_stem(word), set())

    def matching(self, pattern: Pattern) -> set[int]:
        """Return the lines in which a pattern is found."""
        return {number for number, line in self._lines.items() if pattern.search(line)}

    def with_unit(self, unit: str) -> set[int]:
        """Return the lines that have a number with this unit."""
        pattern = Pattern(_NUMBER + re.escape(unit) + (r"\b" if unit.isascii() and unit.isalpha() else ""))
        return {number for number, line in self._lines.items() if unit in line and pattern.search(line)}


def lines_meant(clause: str, index: LineIndex) -> set[int]:
    """Return the lines that the words of a clause single out; none when no word is rare enough.

    Where nothing in the clause points at a passage, a single short word is no sign: "像朋友聊天". How long the text
    is to be is said of the whole.
    """
    if _LENGTH.search(clause):
        return set()
    place = place_part(clause)
    if _POINTS.search(clause):
        return (
            _by_han(place, index, 2)
            | _by_words(place, index, 1)
            | _by_quantity(clause, clause[len(place) :], index)
        )
    if _ADDS_ZH.search(clause):
        return set()
    subject = _MANNER.split(place, maxsplit=1)[0]
    return _by_han(subject, index, PLAIN_LENGTH) | _by_words(subject, index, PLAIN_WORDS)


def place_part(clause: str) -> str:
    """Return the part of a clause that can name a place: not the new text after "into" or 改成."""
    if _ADDS_EN.search(clause):
        relation = _RELATION_EN.search(clause)
        return relation[0] if relation else ""
    for_whom, new_text = _FOR_WHOM.match(clause), _NEW_TEXT.search(clause)
    ends = [for_whom.end()] if for_whom else []
    return clause[: min([*ends, new_text.start()] if new_text else [*ends, len(clause)])]


def is_telling(words: str) -> bool:
    """Say whether some of the words, folded and in lower case, could be a script's own and are not just an instruction's."""
    return any(not all(char in _OWN for char in run) for run in _HAN.findall(words)) or any(
        word not in _EN_COMMON for word in _WORD.findall(words)
    )


def _by_han(place: str, index: LineIndex, shortest: int) -> set[int]:
    found: set[int] = set()
    for run in _HAN.findall(place):
        covered: set[int] = set()
        for part, span in _parts_longest_first(run, shortest):
            if covered.issuperset(span) or part in _ZH_COMMON or all(char in _OWN for char in part):
                continue
            lines = index.with_part(part)
            if 0 < len(lines) <= FEW:
                found |= lines
                covered.update(span)
    return found


def _parts_longest_first(run: str, shortest: int) -> Iterator[tuple[str, range]]:
    for length in range(min(8, len(run)), shortest - 1, -1):
        for start in range(len(run) - length + 1):
            yield run[start : start + length], range(start, start + length)


def _by_words(place: str, index: LineIndex, least: int) -> set[int]:
    """Return the lines with at least so many different rare words of the clause."""
    found: Counter[int] = Counter()
    words = {_stem(word) for word in _WORD.findall(place) if word not in _EN_COMMON}
    for word in words:
        lines = index.with_word(word)
        if (len(word) > 2 or word.isdigit()) and len(lines) <= FEW:
            found.update(lines)
    return {number for number, times in found.items() if times >= least}


def _by_quantity(clause: str, new_text: str, index: LineIndex) -> set[int]:
    """Return the lines with another number of the unit that a new value has: "四分钟" means where minutes are."""
    priced = index.matching(_MONEY) if _PRICE_WORD.search(clause) else set()
    found = priced if len(priced) <= FEW else set()
    for match in _QUANTITY.finditer(new_text):
        units = (
            [match["unit"], match["unit"][:1]]
            if len(match["unit"]) == 2 and not match["unit"].isascii()
            else [match["unit"]]
        )
        for unit in units:
            lines = index.with_unit(unit)
            if unit not in _EN_COMMON and unit not in _NO_UNITS and 0 < len(lines) <= FEW:
                found |= lines
                break
    return found


_NO_UNITS = frozenset("个句行段点条处次种样些半") | {"个字", "句话", "一点", "个句"}


def _plain(text: str) -> str:
    """Return a line for searching only: compatible forms, one kind of quotes, lower case, no double spaces."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold())


_QUOTES = str.maketrans(
    {**dict.fromkeys("“”„「」『』", '"'), **dict.fromkeys("‘’", "'"), **dict.fromkeys("‐‑‒–—―", "-")}
)


def _words(line: str) -> Collection[str]:
    return {_stem(word) for word in _WORD.findall(line)}


def _stem(word: str) -> str:
    """Return a word without the endings that a speaker would vary: "pumps" and "pump's" are "pump"."""
    bare = word.removesuffix("'s")
    for ending in ("ies", "es", "ing", "ed", "s", "e", "y"):
        if bare.endswith(ending) and len(bare) - len(ending) >= 3 and not bare.endswith("ss"):
            return bare[: -len(ending)]
    return bare
