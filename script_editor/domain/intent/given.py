"""The texts that an instruction gives to be written, and the instruction without them: they are never wishes."""

import re

from script_editor.patterns import Pattern

_QUOTED = Pattern(
    r"“([^“”]*)”|「([^「」]*)」|『([^『』]*)』|《([^《》]*)》|\"([^\"]*)\"|«([^«»]*)»|‘([^‘’]*)’|`([^`]*)`"
    r"|(?<![A-Za-z0-9])'((?:[^'\n]|'(?=[A-Za-z]))*)'(?![A-Za-z])"
)
_GIVEN_AFTER_COLON = Pattern(
    r"(?:(?:改|换|換|写|寫|替换|替換|加|插入|补|補|添|说|説|說|叫|念|读|成|为|為|上|提醒|文案|文字"
    r"|内容|台词|句子?|行|标题|結尾|结尾|开头|開頭|这样|這樣)(?:一?[句行段个])?"
    r"|\b(?:to|with|say|says|saying|read|reads|add|adding|insert|append|line|sentence|text|words?|tip"
    r"|title|ending|opening|is|be|exactly|by|as|closing|hook|greeting|cta)"
    r")(?: ?[^:：\n]{0,12})?[:：]\s*(?P<given>[^\n]+(?:\n(?!\n)[^\n]+)*)",
    re.IGNORECASE,
)
_GIVEN_UNQUOTED = Pattern(
    r"(?:改成|改为|改為|换成|換成|替换成|替换为|替換成|写成|寫成)\s*(?P<zh>[^，,。；;\n：:]{1,80})"
    r"|\b(?:say|change (?:it|this|that|[^:\n]{1,60}?) to|replace [^:\n]{1,60}? with"
    r"|read)\b ?(?P<en>[^,;:\n]{1,80}?)(?= instead\b|[.;,\n]|$)",
    re.IGNORECASE,
)


def given_texts(instruction: str) -> tuple[str, ...]:
    """Return the texts that a person gives to be written: in quotation marks, after a colon, after 改成."""
    quoted = [text for groups in _QUOTED.findall(instruction) for text in groups if text]
    after_colon = [match["given"] for match in _GIVEN_AFTER_COLON.finditer(instruction)]
    loose = [match["zh"] or match["en"] or "" for match in _GIVEN_UNQUOTED.finditer(instruction)]
    return tuple(text.strip() for text in (*quoted, *after_colon, *loose) if text.strip())


def without_given_texts(instruction: str) -> str:
    """Return the instruction with `…` for what stands in quotation marks or after a colon that announces text."""
    return _GIVEN_AFTER_COLON.sub(_masked, _QUOTED.sub("…", instruction))


_TO_BE_WRITTEN = Pattern(
    r"(?P<lead>(?:改成|改为|改為|换成|換成|写成|寫成|成|为|為|加|加上|插入|添加|说"
    r"|叫)(?:一?[句行段个])?[:：]?\s*"
    r"|\b(?:to|with|add|insert|append|say|read)(?: a line| the line| a sentence)?[:]?\s*)"
    r"(?:“[^“”]*”|「[^「」]*」|『[^『』]*』|\"[^\"]*\")",
    re.IGNORECASE,
)


def without_texts_to_write(instruction: str) -> str:
    """Return the instruction without the new texts that it gives; texts that it quotes to name them stay."""
    return _GIVEN_AFTER_COLON.sub(_masked, _TO_BE_WRITTEN.sub(r"\g<lead>…", instruction))


_LIST = (
    r"[\d一二三四五六七八九十百两]{1,5}(?:\s*(?:[、,，和及与跟到至~～–—-]|and|to|through"
    r"|&)\s*(?:第)?[\d一二三四五六七八九十百两]{1,5})*"
)
LINE_REFERENCE = Pattern(
    rf"(?:倒数)?第\s*{_LIST}|(?:前|后|最后|最前|开头|结尾"
    rf"|末尾)\s*[\d一二三四五六七八九十两]{{1,3}}(?=[句行段条个])"
    rf"|(?<![\d一二三四五六七八九十])[\d一二三四五六七八九十]{{1,3}}[、,，][\d一二三四五六七八九十、,，]{{1,30}}(?=[句行段条])"
    rf"|\b(?:lines?|sentences?|paragraphs?|segments?|cues?|shots?) (?:no\.? ?)?(?:{_LIST}|(?:one|two"
    rf"|three|four|five|six|seven|eight|nine|ten)\b(?:(?:,| and|, and| to) (?:one|two|three|four|five"
    rf"|six|seven|eight|nine|ten)\b)*)"
    r"|\bS\d+\b|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st"
    r"|nd|rd|th))(?: (?:one|two|three|four|\d+))? (?:lines?|sentences?|paragraphs?|segments?"
    r"|words?)\b",
    re.IGNORECASE,
)
"""Numbers that say which lines are meant, and are no facts."""


def _masked(match: re.Match[str]) -> str:
    return match[0][: match.start("given") - match.start()] + "…"
