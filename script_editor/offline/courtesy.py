"""What people say around a request: please, 麻烦帮我, would you, 好吗, 谢谢; and remarks that ask for nothing."""

from script_editor.offline.quotes import TOKENS
from script_editor.offline.wording import Phrase, pattern

_ZH_FRONT = (
    r"(?:(?:各位|亲爱的)?(?:老师|编辑|小编|小助手|助手|同学|亲|大家)?(?:们)?(?:你们?好|您好|好|早上好|下午好|晚上好|早|辛苦了)[,!。.]|老师[,!]|亲[,!]|嗨|哈喽|hi|那个,|呃,|嗯,?|好的?,|行,|ok,?|对了,?|请问|请你|请您|请|麻烦(?:你|您)?(?:了,)?|劳驾(?:你|您)?|拜托(?:你|您)?(?:了,)?"
    r"|(?:你|您)?(?:能不能|能否|可不可以|可以|可否|是否可以|能)(?:请)?(?:你|您)?(?=帮|把|将|在|给|删|去|改|换|加|插|移|替|交|对|调|用|麻|请|直)"
    r"|(?:你|您)?帮(?:我们|我|忙|个忙|一下忙|下)+(?:一下)?,?(?:把(?=把))?|给我(?=把|将|在|删|改|换)|替我|我(?:们)?(?:想要?|要|希望|觉得|需要)(?:你|您)?(?:能|可以)?"
    r"|(?:统一|一律|全部|统统|全文|整体)(?=把|将)|需要|直接|马上|现在|赶紧|快|另外,?|那(?:就|么)?,?(?=把|将|请|删|在)|就(?=把|将|在|删|改)|只(?:是|需要?|要|用)?(?=把|将|在|改|删|换|对)|仅(?=把|将|在|改|删|换)"
    r"|(?:辛苦|有劳)(?:你|您)?(?:了,)?)\s*,?\s*"
)
_EN_FRONT = (
    r"(?:please|pls|plz|kindly|just|simply|hi(?: there)?|hello|hey(?: there)?|ok(?:ay)?|so|right|well|great|thanks|cheers|alright|actually|now|sorry|oh|and|also|quickly"
    r"|(?:would|do) you mind|how about|what about|(?:can|could|would|will)(?: you)?(?: please| kindly| just| possibly| maybe| also)?(?: be so kind as to| be able to)?"
    r"|i(?:'d| would) (?:like|love|prefer)(?: you)? to|i (?:want|need)(?: you)? to|i(?:'d| would) (?:like|want)|i want|we (?:need|want|should)(?: to)?|you (?:can|could|should|need to|may)"
    r"|i think you should|let's|lets|go ahead and|be so kind as to|make sure (?:to|you)|remember to|try to|it would be (?:great|good|nice) (?:if you (?:could|can)|to)"
    r"|help me(?: to)?|if you (?:could|can|would),?|if possible,?|one (?:small )?(?:thing|change|more thing):?|quick (?:one|fix|edit):?|you)\b[,:!.]?\s*"
)
_ZH_TAIL = (
    r"(?:[,。.!~]*\s*(?:谢谢(?:你|您|啦|了|老师|大家)?|(?:非常|十分|万分|太|先|真的?)?感谢(?:你|您|了|啦|不尽)?|感激不尽|多谢(?:了|啦|你)?|谢啦|拜托(?:了|啦|你了|您了)?|辛苦(?:了|啦|你了|您了)?|麻烦(?:了|啦|你了|您了|你|您)?)[,!。.~]*"
    r"|[,\s]*(?:好吗|可以吗|可以么|行吗|行么|好不好|行不行|可不可以|好么|ok吗|能做到吗|方便吗|没问题吧)\s*[?。]*"
    r"|(?:就行|就好|即可|就可以|便可|就成|就ok)(?:了|啦)?[。.!]*|[,\s]*(?:仅此而已|就这样|就这些|就这个|就这|就酱|以上|完毕|其他就?没了)[。.!]*)$"
)
_ZH_PARTICLE = rf"(?<=[了掉行句段去除前后面尾头上下换调动倒{TOKENS[1:-1]}])(?:一下)?(?:吧|哈|哦|喔|啊|呀|啦|呢|嘛|噢|呗|啰|咯|耶|唷|吗|么|一下|好了)[。.!?~]*$"
_EN_TAIL = (
    rf"(?<={TOKENS})[\s.,。!?;]+$|(?:[,.!\s]*\b(?:please|pls|plz)\b|[,.!]\s*(?:thanks?(?: you)?(?: very much| so much| a lot| in advance| again)?|thx|ty|cheers|ta|many thanks|much appreciated)"
    r"|,?\s*\b(?:for me|if you (?:can|could|would|don't mind)|if possible|will you|would you|can you|could you|right away|asap|when you can|when you get a (?:chance|moment)|real quick)|,\s*(?:now|ok|okay)"
    r"|(?<=[)’'\"” \d])(?:thanks|thank you))\s*[.!?]*$"
)

_GERUNDS = {
    "changing": "change", "replacing": "replace", "swapping": "swap", "switching": "switch", "turning": "turn",
    "deleting": "delete", "removing": "remove", "cutting": "cut", "dropping": "drop", "taking": "take",
    "adding": "add", "inserting": "insert", "putting": "put", "appending": "append", "moving": "move",
    "using": "use", "making": "make", "renaming": "rename", "substituting": "substitute", "getting": "get",
}  # fmt: skip

_OTHERS_ZH = r"(?:其他|其它|其余|别|剩下|另外|剩余|余下)(?:的)?(?:所有|全部)?(?:的)?(?:行|地方|内容|部分|文字|句子|台词|字|东西|一切|词|几行|几句|处)?(?:都|全都|全部|一律|一个字)?(?:请)?"
_REST_EN = (
    r"(?:(?:all |any )?(?:of )?(?:the )?(?:rest|others?|other (?:lines?|words?|ones?|text|parts?|places?|occurrences?|instances?))(?: of (?:it|the (?:script|text|lines?)))?"
    r"|everything else|anything else|nothing else|all else|the remaining (?:lines?|ones|text)|what's left|all other (?:lines?|text|ones|words)|the original wording elsewhere)"
)
_REMARKS = (
    rf"(?:但是?|不过|而|同时|,)?(?:请)?(?:记得)?(?:{_OTHERS_ZH})(?:都)?(?:也)?(?:请)?(?:别|不要|不用|不必|不许|不准|不能|不|勿|无需|先不|先别|先不要)(?:再)?(?:要)?(?:动|改|变|管|碰|替换|删|换|修改|改动|变动|调整|处理|乱动)(?:它|它们|了|掉)?",
    rf"(?:但是?|不过)?(?:请)?(?:让)?(?:{_OTHERS_ZH})(?:都|请|就)?(?:照旧|原样|如旧|不变|保留|保持(?:原样|不变|原状|原文|现状)|留着|照原样|维持(?:原样|不变|原状)|按原来的|一样|没问题|原封不动)(?:保留|不动|不变)?",
    r"(?:请)?(?:保留|保持)(?:其余|其他|其它|剩下|别)的?(?:所有|全部)?的?(?:内容|行|部分|文字|地方|句子)?(?:不变|不动|原样)?",
    r"(?:但是?|不过)?(?:请)?(?:别|不要|不用|不必)(?:再)?(?:动|改|碰|管|替换|修改|删)(?:到|掉)?(?:其他|其它|别的|其余|剩下)(?:的)?(?:地方|内容|行|部分|字|东西|文字|句子|任何)?(?:的)?(?:内容|地方|字)?",
    r"(?:只|仅)(?:改|动|换|删|替换|处理)(?:掉)?(?:这里|这个|这一处|这处|这一个|这些|这一行|这一句|这几处|这一点|这一?行|这)(?:就行|就好|即可)?",
    r"(?:一个字|标点|格式|顺序|其余格式|空行|标点符号|大小写)(?:都|也)?(?:不要|别|不用|不)(?:动|改|变|多改)|(?:保持|保留)(?:其他|其余|原有|原来的?)?(?:格式|标点|空行|排版|顺序)(?:不变)?",
    rf"(?:but |and )?(?:please )?(?:just )?(?:leave|keep|let) (?:{_REST_EN})(?: just)?(?: alone| as (?:it is|they are|is|it was|they were|before)| unchanged| untouched| the same| intact| exactly as (?:it is|they are|is)| alone| be| where (?:it is|they are)| in place| that way)*",
    rf"(?:but |and )?(?:please )?(?:do not|don't|without|never|no need to)\s*(?:you )?(?:touch|touching|change|changing|alter|altering|edit|editing|modify|modifying|mess with|move)\s*(?:{_REST_EN})",
    rf"(?:but |and )?(?:{_REST_EN})(?: should| must| can| has to| have to)?\s*(?:stays?|remains?|is|are|be|to stay|is to stay|stay)?\s*(?:exactly |just )?(?:as (?:it is|they are|is|before)|unchanged|untouched|the same|fine|put|ok|alone|where (?:it is|they are)|stays?)?",
    r"(?:but |and )?(?:only|just) (?:that|this|those|these)(?: (?:line|lines|one|ones|word|words|change|bit|part))?(?: please)?|that(?:'s| is) (?:all|it)|nothing (?:else|more)|(?:that|this) is the only change|no other changes?|and nothing else|only that",
    r"谢谢(?:你|您|啦|了)?|多谢|拜托了?|辛苦了?|麻烦了?|thanks?(?: you)?(?: so much| very much)?|please|cheers|好吗|可以吗|行吗|ok",
)


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


def is_remark(phrase: Phrase) -> bool:
    """Say whether a part asks for nothing, such as 其他的别动 or `leave the rest alone`."""
    words = phrase.folded.strip(" ,.。!;:?()")
    return not words or any(pattern(remark).fullmatch(words) for remark in _REMARKS)


def _front(phrase: Phrase) -> Phrase:
    for source in (_ZH_FRONT, _EN_FRONT):
        match = pattern(source).match(phrase.folded)
        if match and match.end() < len(phrase.folded):
            phrase = _with_plain_verb(phrase.cut(match.end()))
    return phrase


def _with_plain_verb(phrase: Phrase) -> Phrase:
    """Turn the verb of `would you mind changing` into its plain form."""
    match = pattern(r"[a-z]+ing(?= )").match(phrase.folded)
    verb = _GERUNDS.get(match[0]) if match else None
    if match is None or verb is None:
        return phrase
    return Phrase(verb + phrase.text[match.end() :], verb + phrase.folded[match.end() :], phrase.quotes)


def _tail(phrase: Phrase) -> Phrase:
    for source in (_ZH_TAIL, _EN_TAIL, _ZH_PARTICLE):
        match = pattern(source).search(phrase.folded)
        if match and match.start() > 0:
            phrase = phrase.cut(0, match.start())
    return phrase
