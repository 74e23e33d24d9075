"""An instruction cut into clauses that may name a wanted length: nothing quoted, nothing about a part of the script.

"压到45秒" speaks of the whole; in "把第二段写活泼些，压到10秒" it does not, and what stands in quotes is text,
not a wish. When unsure, a clause is left out: a wish that is missed costs less than one that is invented.
"""

import re
from collections.abc import Iterator

from script_editor.domain.amounts import TIME, fold

_QUOTED = (
    r"“[^”]*(?:”|$)|「[^」]*(?:」|$)|『[^』]*(?:』|$)|《[^》]*(?:》|$)|【[^】]*(?:】|$)|‘[^’]*’|`[^`]*(?:`|$)|\"[^\"]*(?:\"|$)"
    r"|(?<![A-Za-z0-9])'[^']*'(?![A-Za-z0-9])"
)
_HOLE = "\ufffc"
_SENTENCE_END = r"[。；;！!？?\n]|\.(?=\s|$)"
_TEXT_FOLLOWS = (
    r"(?:改成|改为|换成|写成|写上|替换成|替换为|说成|念成|加上?一?句|添上?一?句|加一行|插入|补一?句|[说說念写寫]|加上|加入|开头|结尾|标题|字幕|\b(?:add|insert"
    r"|append|prepend|says?|write|reads?|replace|change|with|opening|ending|title|line \d+))[^:：]{0,20}[:：]"
)
"""A colon behind such a word opens text for the script, up to the end of the instruction."""
_NEW_TEXT = (
    r"(?:改成|改为|换成|写成|替换成|替换为|说成|念成|改作)(?!\s*\ufffc)"
    r"|\b(?:say|change|replace|end with|open with|start with|read)\b"
)
"""Words behind which unquoted text for the script may run on behind a comma."""
_PART = (
    r"第\s?[\d一二两三四五六七八九十几]+\s?(?:个|條|条)?(?:句|段|行|节|章|部分|镜|幕|点|步|秒|分钟)|[这那首末前后上下]一?(?:句|段|行|部分|几秒|两句|三秒)"
    r"|最后一?[句段行]|开头|开场|片头|结尾|片尾|收尾|引子|停顿|画面|镜头|标题|广告|\d+\s?秒(?:那|处|的)"
    r"|\b(?:lines?|sentences?|paragraphs?|sections?|parts?|intro|outro|introduction|opening|ending|hook|cta|pauses?|beginning|title"
    r"|scenes?|shots?|segments?|steps?|first|last|second|third)\b(?! ?(?:version|video|cut))"
)
_GOES_ON = r"(?:再|然后|最后|整体|总|全|整|then|finally|overall)"
"""A clause that begins so takes up the whole again."""
_SPLIT = (
    rf"[，,、;](?! ?(?:about|around|roughly) {TIME})|但是?|不过|并且?|同时|而且|以及|可是|(?=再|然后)|(?<=[一-龥]) (?=[一-龥])"
    r"|\b(?:but|while|without|keeping|so that|plus|yet|though|because|since|preserving)\b"
    rf"|\band\b(?! a half| ?{TIME})|(?=\bthen\b)"
)
_LENGTH_COLON = r"((?:时长|時長|长度|片长|length|duration|run ?time|running time) ?)[:：]"


def clauses(instruction: str) -> Iterator[str]:
    """Yield the clauses of an instruction that may speak of the length of the whole script, folded."""
    text = _kept_clock(re.sub(_QUOTED, _HOLE, instruction))
    text = re.sub(_LENGTH_COLON, r"\1 ", text, flags=re.IGNORECASE)
    opened = re.search(_TEXT_FOLLOWS, text, re.IGNORECASE)
    if opened:
        text = text[: opened.start()]
    for sentence in re.split(_SENTENCE_END, text):
        speaks_of_part = runs_on = False
        for clause in re.split(_SPLIT, re.sub(r"[:：]", ",", fold(sentence))):
            clause = clause.replace("\x00", ":").strip()
            is_whole = not speaks_of_part or re.match(_GOES_ON, clause)
            if clause and is_whole and not runs_on:
                yield clause
            speaks_of_part = bool(re.search(_PART, clause)) or (speaks_of_part and not is_whole)
            runs_on = runs_on or re.search(_NEW_TEXT, clause) is not None


def _kept_clock(text: str) -> str:
    """Return `text` with the colon of 1:30 marked, so that other colons can end a clause."""
    return re.sub(r"(?<=\d)[:：](?=[0-5]\d)", "\x00", text)
