"""The part of a good model that rewrites lines: it does what a request says where that is plain, else it changes little.

It sees what a real one sees, the messages of a request, and answers in the text form.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from script_editor.domain.duration import estimate
from script_editor.llm.chat import Message

_SHOWN = re.compile(r"^(S([0-9]+):[0-9a-z]+) \| ([^\n]*)$", re.MULTILINE)
_REQUEST = re.compile(
    r"^(?:Request|修改要求): (.*?)(?=\n(?:Time|时长|Keep|必须)|\Z)", re.MULTILINE | re.DOTALL
)
_TIME = re.compile(
    r"(?:takes about|现在念出来约) ([0-9]+) (?:s|秒).*?(?:afterwards|改后).*?([0-9]+) (?:s|秒)"
)
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|「([^」]+)」")
_ORDINALS = {
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
}
_UNSPOKEN = re.compile(r"\s*(?:#|\[|```|[|]|[0-9:,. >-]+$|镜号|[\w ]+\(|[\w ]+ = )")
_LABELLED = re.compile(r"\w{1,8}[:：]")
_FIGURE = re.compile(r"[0-9`=]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line as the model is shown it."""

    address: str
    number: int
    text: str


Edits = Mapping[int, str | None]
"""The new text of each line, by number; None deletes it. Several lines in place of one are joined by line ends."""
Rule = Callable[[str, Sequence[Line]], Edits | None]


@dataclass
class GoodRewriter:
    """Answers requests for edits. `touched` are the numbers of all lines that it ever gave an operation for."""

    touched: set[int] = field(default_factory=set)

    def reply(self, messages: Sequence[Message]) -> str:
        """Return the next reply: the plainest reading first, and something smaller each time that was refused."""
        asked = messages[1].content
        lines = [Line(found[1], int(found[2]), found[3]) for found in _SHOWN.finditer(asked)]
        request = _REQUEST.search(asked)
        assert request is not None, asked
        tries = list(_tries(request[1], lines, asked))
        past = sum(message.role == "assistant" for message in messages)
        edits = tries[min(past, len(tries) - 1)] if tries else {}
        self.touched |= edits.keys()
        return _as_operations(edits, lines)


def _as_operations(edits: Edits, lines: Sequence[Line]) -> str:
    rows = []
    for line in lines:
        if line.number not in edits:
            continue
        new = edits[line.number]
        rows += [f"@@ delete {line.address}"] if new is None else [f"@@ replace {line.address}", new]
    return "\n".join([*rows, "@@ end"])


def _tries(request: str, lines: Sequence[Line], asked: str) -> Iterator[Edits]:
    for rule in (
        _restored,
        _exchanged,
        _spelled,
        _priced,
        _whole_line,
        _appended,
        _deleted,
        _swapped,
        _kept,
        _without_fillers,
    ):
        edits = rule(request, lines)
        if edits:
            yield edits
            break
    time = _TIME.search(asked)
    if time is not None:
        yield from _in_time(lines, float(time[1]), float(time[2]))
    spoken = [line for line in lines if not _UNSPOKEN.match(line.text)] or list(lines)
    first, *others = _from_the_place(request, spoken)
    if others and not _LABELLED.match(others[-1].text):
        yield {line.number: _rephrased(line.text) for line in (first, others[-1])}
    for line in (first, *others):
        yield {line.number: _rephrased(line.text)}


# --- plain readings --------------------------------------------------------------------------


def _quoted(request: str) -> list[str]:
    return ["".join(groups) for groups in _QUOTED.findall(request)]


def _restored(request: str, lines: Sequence[Line]) -> Edits | None:
    """An older beginning or end, which stands in quotes below the request."""
    passage = re.search(r"\n“([^”]+)”\Z", request)
    if passage is None or not lines:
        return None
    spoken = [line for line in lines if not _UNSPOKEN.match(line.text)]
    return {_from_the_place(request, spoken)[0].number: passage[1]}


def _exchanged(request: str, lines: Sequence[Line]) -> Edits | None:
    """Words in quotes for other words in quotes, or for those that follow."""
    quoted = _quoted(request)
    if not quoted:
        return None
    old, new = quoted[0], quoted[1] if len(quoted) > 1 else ""
    return {line.number: line.text.replace(old, new) for line in lines if new and old in line.text}


def _spelled(request: str, lines: Sequence[Line]) -> Edits | None:
    """A slip in spelling."""
    if not re.search(r"typo|spelling|错字|错别字|笔误", request):
        return None
    return {line.number: _correct(line.text) for line in lines if _correct(line.text) != line.text}


def _correct(text: str) -> str:
    for slip, right in (
        ("recieve", "receive"),
        ("teh ", "the "),
        ("seperate", "separate"),
        ("definately", "definitely"),
    ):
        text = text.replace(slip, right)
    return text


def _priced(request: str, lines: Sequence[Line]) -> Edits | None:
    """Another price."""
    wanted = re.search(r"(?:价格|價格|price|售价).*?([0-9]+(?:\.[0-9]+)?)", request)
    if wanted is None:
        return None
    price = re.compile(r"(?<=[$€¥£])[0-9]+(?:\.[0-9]+)?|[0-9]+(?=\s*[元块])")
    new = {line.number: price.sub(lambda _: wanted[1], line.text) for line in lines}
    return {line.number: new[line.number] for line in lines if new[line.number] != line.text}


def _whole_line(request: str, lines: Sequence[Line]) -> Edits | None:
    """A line with a number, or the last one, word for word."""
    zh = re.search(
        r"(?:第\s*([0-9一二三四五])\s*[行句]|最后一[行句]).*?(?:改成|换成|改为)[:：]\s*(.+)", request
    )
    en = re.search(r"(?:line ([0-9]+)|last line).*?to(?: exactly)?: (.+)", request)
    found = zh or en
    if found is None or not lines:
        return None
    number = _number(found[1]) if found[1] else lines[-1].number
    return {number: found[2].strip()} if any(line.number == number for line in lines) else None


def _appended(request: str, lines: Sequence[Line]) -> Edits | None:
    """A line more at the end."""
    quoted = _quoted(request)
    if not (quoted and lines and re.search(r"加一[句行]|append|add (?:a|one) (?:line|sentence)", request)):
        return None
    return {lines[-1].number: f"{lines[-1].text}\n{quoted[0]}"}


def _deleted(request: str, lines: Sequence[Line]) -> Edits | None:
    """A line less."""
    found = re.search(
        r"删(?:掉|除|去).*?第([一二三四五0-9]+)[句行]|(?:delete|remove|cut) the (\w+) (?:line|sentence)",
        request,
    )
    number = _number(found[1] or found[2]) if found else None
    return {number: None} if any(line.number == number for line in lines) and number else None


def _number(word: str) -> int | None:
    return int(word) if word.isdigit() else _ORDINALS.get(word)


def _swapped(request: str, lines: Sequence[Line]) -> Edits | None:
    """Two sections in each other's place; only where both are as many lines, so that it is a plain exchange."""
    found = re.search(r"[Ss]wap the (\w+) and (\w+) (?:sections|paragraphs)", request)
    heads = [place for place, line in enumerate(lines) if line.text.startswith("#")]
    if found is None or len(heads) < 3:
        return None
    first, second = (_ORDINALS.get(word, 1) - 1 for word in found.groups())
    bounds = [*heads, len(lines)]
    if second + 1 >= len(bounds):
        return None
    parts = [lines[start:end] for start, end in pairwise(bounds)]
    one, other = parts[first], parts[second]
    return {one[0].number: other[0].text, other[0].number: one[0].text}


def _kept(request: str, lines: Sequence[Line]) -> Edits | None:
    """So many sentences and no more."""
    found = re.search(r"(?:只剩|只留|只保留|保留)([一二三四五0-9]+)句", request)
    count = _number(found[1]) if found else None
    return {line.number: None for line in lines[count:]} if count else None


def _without_fillers(request: str, lines: Sequence[Line]) -> Edits | None:
    """Words that say nothing."""
    if not re.search(r"口头禅|口頭禪|废话|filler", request):
        return None
    fillers = re.compile(r"^(?:嗯|那個|那个|就是說|就是说)，|(?<=[，。])(?:嗯|那個|那个|就是說|就是说)，")
    new = {line.number: fillers.sub("", line.text) for line in lines}
    return {line.number: new[line.number] for line in lines if new[line.number] != line.text}


# --- less, and a little ----------------------------------------------------------------------


def _in_time(lines: Sequence[Line], now: float, wanted: float) -> Iterator[Edits]:
    """Lines without figures and names left out until the rest takes the wanted time; a bit more or less next time."""
    for share in (1.0, 0.8, 1.25, 0.9):
        left, edits = (now - wanted) * share, dict[int, str | None]()
        for line in sorted(lines, key=lambda line: bool(_FIGURE.search(line.text))):
            seconds = estimate(line.text).seconds
            if 0 < seconds <= left and not _UNSPOKEN.match(line.text):
                edits[line.number], left = None, left - seconds
        if edits:
            yield edits


def _from_the_place(request: str, lines: Sequence[Line]) -> list[Line]:
    """Return the lines, those first that the request is about."""
    if re.search(r"结尾|最后|ending|CTA|call to action|last", request):
        return list(reversed(lines))
    return list(lines)


def _rephrased(text: str) -> str:
    """Return a line that says the same with a word more."""
    if re.search(r"[\u4e00-\u9fff]", text):
        for plain, other in (
            ("我们", "咱们"),
            ("我們", "咱們"),
            ("但是", "不过"),
            ("所以", "于是"),
            ("非常", "特别"),
        ):
            if plain in text:
                return text.replace(plain, other, 1)
        end = re.search(r"[，。！？、]*$", text)
        assert end is not None
        return f"{text[: end.start()]}呢{end[0]}"
    label = _LABELLED.match(text)
    head = f"{label[0]} " if label else ""
    said = text[len(head) :].lstrip()
    is_word = said[:1].isupper() and not re.match(r"I\b|I'|[A-Z]{2}", said)
    return f"{head}So, {said[:1].lower() + said[1:] if is_word else said}"
