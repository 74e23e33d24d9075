"""How instructions say which hits they mean: 第二个, 最后一处, every, the first two occurrences of."""

import re

from script_editor.offline import numerals
from script_editor.offline.en_lines import POSITION, position_value
from script_editor.offline.requests import Which

_N = numerals.ZH
_HIT = r"(?:个|处|次|回)"
_AND = r"\s*(?:、|,|和|与|跟|及)\s*"
_SEEN = r"(?:出现过?)?(?:的)?(?:那个)?"

ZH_BEFORE = (
    rf"(?:(?P<all>所有的?|全部的?|全部|每一?{_HIT}|一切|各处|任何|凡是?|全文所有|所有)"
    rf"|倒数第(?P<zh_last_nth>{_N}){_HIT}|第(?P<zh_nth>{_N}(?:{_AND}第?{_N})*){_HIT}"
    rf"|(?P<zh_final>(?:最后|最末|末尾)的?(?:一|1)?{_HIT}|末个|最后的(?=.)|最后那个)"
    rf"|(?P<zh_initial>(?:头一|最前面的?一?|最先的?一?){_HIT}|首个|首处|头个)"
    rf"|(?:前面?|头|最前面的?)(?P<zh_first>{_N}){_HIT}|(?:最后|后面?|末)(?P<zh_last>{_N}){_HIT}"
    rf"|(?:这|那)?(?P<zh_count>[两二三四五六七八九十]|\d{{1,3}}){_HIT}){_SEEN}"
)
"""Pattern of words before a Chinese target."""

ZH_AFTER = (
    rf"的?(?:倒数第(?P<zh_last_nth>{_N}){_HIT}|第(?P<zh_nth>{_N}){_HIT}(?:出现)?"
    rf"|(?P<zh_final>最后一{_HIT}|末个)|(?P<zh_initial>头一{_HIT}|首个|首处)"
    rf"|(?:前)(?P<zh_first>{_N}){_HIT}|(?P<zh_count>[两二三四五六七八九十]){_HIT}都|(?P<all>所有"
    r"|全部))(?:的)?(?:地方|位置)?"
)
"""Pattern of words after a Chinese target."""

_THINGS = r"(?:occurrences?|instances?|mentions?|uses?|appearances?|copies|copy|hits?|matches|match)"
_OF = rf"(?: {_THINGS}(?: of)?| of)?(?: the(?: words?| phrases?)?)?"

EN_BEFORE = (
    rf"(?:(?P<all>(?:all|every|each|any)(?: of the| of| the| single| and every| one of the)?)"
    rf"|(?:the )?(?P<edge>first|last|final) (?P<group>{numerals.EN})"
    rf"|(?P<both>both)(?: of the| of| the)?|all (?P<en_count>{numerals.EN})(?: of the| of)?"
    rf"|(?:only )?(?:the )?(?P<order>{POSITION}(?:(?:,| and|, and) (?:the )?{POSITION})*)){_OF} "
)
"""Pattern of words before an English target."""

EN_AFTER = (
    r" \(?(?:(?P<all>everywhere|throughout|every ?time|each time|wherever|in all places"
    r"|in every place|globally|all of them)"
    rf"(?: (?:it|that|they) (?:appears?|occurs?|comes up|is (?:used|mentioned)))?"
    rf"|(?:(?:only )?(?:at |for )?the |only )?(?P<order>{POSITION})(?: (?:time|occurrence|instance|one"
    r"|mention))(?: (?:it|that) (?:appears|occurs))?(?: only)?)\)?"
)
"""Pattern of words after an English target."""


def which_in(match: re.Match[str]) -> Which:
    """Return the hits that a match of one of the patterns above names."""
    groups = {name: words for name, words in match.groupdict().items() if words}
    if "edge" in groups:
        count = numerals.value(groups["group"])
        return _first(count) if groups["edge"] == "first" else _last(count)
    if "order" in groups:
        return Which(tuple(position_value(found[0]) for found in re.finditer(POSITION, groups["order"])))
    if "both" in groups or "zh_count" in groups or "en_count" in groups:
        words = groups.get("zh_count") or groups.get("en_count") or "2"
        return Which(count=numerals.value(words))
    return _zh_which(groups)


def _zh_which(groups: dict[str, str]) -> Which:
    fixed = {"zh_final": Which((-1,)), "zh_initial": Which((1,))}
    for name, which in fixed.items():
        if name in groups:
            return which
    if "zh_nth" in groups:
        return Which(tuple(numerals.value(found) for found in re.findall(_N, groups["zh_nth"])))
    if "zh_last_nth" in groups:
        return Which((-numerals.value(groups["zh_last_nth"]),))
    if "zh_first" in groups:
        return _first(numerals.value(groups["zh_first"]))
    if "zh_last" in groups:
        return _last(numerals.value(groups["zh_last"]))
    return Which()


def _first(count: int) -> Which:
    return Which(tuple(range(1, count + 1)))


def _last(count: int) -> Which:
    return Which(tuple(range(-count, 0)))
