"""What people say around a request: please, 麻烦帮我, would you mind, 好吗, 谢谢."""

from collections.abc import Mapping

from script_editor.offline.quotes import TOKENS
from script_editor.offline.wording import Phrase, pattern

REQUEST_BEGINS = rf"(?=[把将删去改换替加在于移挪调交对互插添补增给帮用以从第最倒首末开结每所只仅统全清剪砍拿抹除保留查找撤恢看到先再请麻能可你您\da-z{TOKENS[1:-1]}])"
"""A lookahead: what follows can open a Chinese request, so what stands before it is no part of a word."""

_YOU = r"(?:你|您)?"
_GREETING = (
    r"(?:(?:各位|亲爱的)?(?:老师|编辑|小编|小助手|助手|同学|亲|大家)?(?:们)?(?:你们?好|您好|好"
    r"|早上好|下午好|晚上好|早|辛苦了)[,!。.]"
    r"|(?:老师|亲|那个|呃|嗯|好的?|行|ok|对了|另外|那么?)[,!]|嗨,?|哈喽,?|hi\b,?)"
)
_ASKING = (
    rf"(?:请问|请{_YOU}|麻烦{_YOU}(?:了,)?|劳驾{_YOU}|拜托{_YOU}(?:了,)?|(?:辛苦|有劳){_YOU}(?:了,)?"
    rf"|{_YOU}(?:能不能|能否|可不可以|可以|可否|是否可以|能)(?:请)?{_YOU}"
    rf"|{_YOU}帮(?:我们|我|忙|个忙|一下忙|下)+(?:一下)?|给我|替我|我们?(?:想要?|要|希望|觉得"
    rf"|需要){_YOU}(?:能|可以)?"
    r"|统一|一律|全部|统统|全文|整体|需要|直接|马上|现在|赶紧|快|另外|那就|那|就|只(?:是|需要?|要|用)?|仅)"
)
_ZH_FRONT = rf"(?:{_GREETING}|{_ASKING}\s*,?\s*{REQUEST_BEGINS})\s*"
_EN_FRONT = (
    r"(?:(?:hi(?: there)?|hello|hey(?: there)?|ok(?:ay)?|so|right|well|great|thanks|cheers"
    r"|alright|actually|now|sorry|oh"
    r"|one (?:small )?(?:thing|change|more thing)|quick (?:one|fix|edit))[,:!.]"
    r"|(?:please|pls|plz|kindly|just|simply|also|quickly"
    r"|(?:would|do) you mind|how about|what about"
    r"|(?:can|could|would|will)(?: you)?(?: please| kindly| just| possibly| maybe"
    r"| also)?(?: be so kind as to| be able to)?"
    r"|i(?:'d| would) (?:like|love|prefer)(?: you)? to|i (?:want|need)(?: you)? to|i(?:'d"
    r"| would) (?:like|want)|i want"
    r"|we (?:need|want|should)(?: to)?|you (?:can|could|should|need to|may)|i think you should"
    r"|let's|lets|go ahead and"
    r"|go (?:through|over) (?:the|this|my) (?:whole |entire )?(?:script|text)(?:,| and)"
    r"|be so kind as to|make sure (?:to|you)|remember to|try to"
    r"|it would be (?:great|good|nice) (?:if you (?:could|can)|to)|help me(?: to)?"
    r"|if you (?:could|can|would)|if possible"
    r"|you)\b[,:!.]?)\s*"
)
_ZH_TAIL = (
    rf"(?:(?:[,。.!~\s]+|(?<=[了掉行句段去除前后面尾头换调动倒{TOKENS[1:-1]}]))(?:谢谢(?:你|您|啦"
    r"|了|老师|大家)?|(?:非常|十分|万分|太|先|真的?)?感谢(?:你|您|了|啦|不尽)?|感激不尽"
    r"|多谢(?:了|啦|你)?|谢啦|拜托(?:了|啦|你了|您了)?|辛苦(?:了|啦|你了|您了)?|麻烦(?:了|啦"
    r"|你了|您了|你|您)?)[,!。.~]*"
    rf"|(?:[,\s]+|(?<=[了掉行句段去除前后面尾头换调动倒{TOKENS[1:-1]}]))(?:好吗|可以吗|可以么|行吗|行么|好不好|行不行|可不可以|好么|ok吗|能做到吗|方便吗"
    r"|没问题吧)\s*[?。]*"
    r"|(?:就行|就好|即可|就可以|便可|就成|就ok)(?:了|啦)?[。.!]*|[,\s]*(?:仅此而已|就这样|就这些"
    r"|就这个|就这|就酱|以上|完毕|其他就?没了)[。.!]*)$"
)
_ZH_PARTICLE = (
    rf"(?:(?<=[了掉句段去除前后面尾头上下换调动倒{TOKENS[1:-1]}])|(?<=[\d一二两三四五六七八九十那这末首空几整]行))(?:一下)?(?:吧|哈|哦|喔|啊|呀|啦|呢"
    r"|嘛|噢|呗|啰|咯|耶|唷|一下|好了)[。.!?~]*$"
)
_EN_ALSO = rf"(?:(?<={TOKENS})|(?<=\bline)|(?<=\bword)|(?<=\bend)|(?<=\bstart)|(?<=\btop)|(?<=\bbottom)|(?<=\bbeginning)|(?<=\bsentence)|(?<=\bparagraph)|(?<=\bline \d)|(?<=\bline \d\d)),?\s+(?:too|as well|also|again)\s*[.!?]*$"
_EN_TAIL = (
    rf"{_EN_ALSO}|(?<={TOKENS})[\s.,。!?;]+$|(?:[,.!\s]*\b(?:please|pls|plz)\b"
    r"|[,.!]\s*(?:thanks?(?: you)?(?: very much| so much| a lot| in advance| again)?|thx|ty"
    r"|cheers|ta|many thanks|much appreciated)"
    r"|,?\s*\b(?:for me|if you (?:can|could|would|don't mind)|if possible|will you|would you"
    r"|can you|could you|right away|asap|when you can|when you get a (?:chance|moment)"
    r"|real quick)|,\s*(?:now|ok|okay)"
    rf"|(?<=[)’'\"”\d{TOKENS[1:-1]}])\s*(?:thanks|thank you))\s*[.!?]*$"
)

_GERUNDS = {
    "changing": "change", "replacing": "replace", "swapping": "swap", "switching": "switch", "turning": "turn",
    "deleting": "delete", "removing": "remove", "cutting": "cut", "dropping": "drop", "taking": "take",
    "adding": "add", "inserting": "insert", "putting": "put", "appending": "append", "moving": "move",
    "using": "use", "making": "make", "renaming": "rename", "substituting": "substitute", "getting": "get",
}  # fmt: skip
_PASTS = {
    "changed": "change", "replaced": "replace", "swapped": "swap", "switched": "switch", "turned": "turn",
    "deleted": "delete", "removed": "remove", "dropped": "drop", "took": "take", "added": "add", "inserted": "insert",
    "appended": "append", "moved": "move", "used": "use", "made": "make", "renamed": "rename", "substituted": "substitute",
}  # fmt: skip


def without_opening(phrase: Phrase) -> Phrase:
    """Return a part without the polite words before it."""
    while (shorter := _front(phrase)).text != phrase.text:
        phrase = shorter
    return phrase


def without_closing(phrase: Phrase) -> Phrase:
    """Return a part without the polite words and particles after it."""
    while (shorter := _tail(phrase)).text != phrase.text:
        phrase = shorter
    return phrase


def without_final_mark(phrase: Phrase) -> Phrase:
    """Return a part without the punctuation that ends it as a sentence."""
    return phrase.cut(0, len(phrase.folded.rstrip(" .。,;!?:~")))


def without_particle(phrase: Phrase) -> Phrase:
    """Return a part without the particle that ends it; only where no text can end with one."""
    return phrase.cut(0, len(phrase.folded.rstrip("吧哈哦喔啊呀啦呢嘛噢呗啰咯耶唷")))


def _front(phrase: Phrase) -> Phrase:
    for source in (_ZH_FRONT, _EN_FRONT):
        match = pattern(source).match(phrase.folded)
        if match and match.end() < len(phrase.folded):
            phrase = _with_plain_verb(phrase.cut(match.end()))
    return phrase


def plain_verb(phrase: Phrase) -> Phrase:
    """Turn the verb of `(what if you) changed` or `(preview) changing` into its plain form."""
    return _with_plain_verb(phrase, _GERUNDS | _PASTS)


def _with_plain_verb(phrase: Phrase, verbs: Mapping[str, str] = _GERUNDS) -> Phrase:
    """Turn the verb of `would you mind changing` into its plain form."""
    match = pattern(r"[a-z]+(?= )").match(phrase.folded)
    verb = verbs.get(match[0]) if match else None
    if match is None or verb is None:
        return phrase
    return Phrase(verb + phrase.text[match.end() :], verb + phrase.folded[match.end() :], phrase.quotes)


def _tail(phrase: Phrase) -> Phrase:
    for source in (_ZH_TAIL, _EN_TAIL, _ZH_PARTICLE):
        match = pattern(source).search(phrase.folded)
        if match and match.start() > 0:
            phrase = phrase.cut(0, match.start())
    return phrase
