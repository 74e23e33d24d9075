"""Remarks that ask for nothing: 其他的别动, leave the rest alone, that's all, 谢谢."""

from script_editor.offline.wording import Phrase, pattern

_OTHERS_ZH = (
    r"(?:其他|其它|其余|别|剩下|另外|剩余|余下)(?:的)?(?:所有|全部)?(?:的)?(?:行|地方|内容|部分|文字"
    r"|句子|台词|字|东西|一切|词|数字|数值|标点|段落|几行|几句|处)?(?:都|全都|全部|一律|一个字)?(?:请)?"
)
_REST_EN = (
    r"(?:(?:all |any )?(?:of )?(?:the )?(?:rest|others?|other (?:lines?|words?|ones?|text|parts?"
    r"|places?|occurrences?|instances?))(?: of (?:it|the (?:script|text|lines?)))?"
    r"|everything else|anything else|nothing else|all else|the remaining (?:lines?|ones|text)"
    r"|what's left|all other (?:lines?|text|ones|words)|the original wording elsewhere)"
)
_REMARKS = (
    rf"(?:但是?|不过|而|同时|,)?(?:请)?(?:记得)?(?:{_OTHERS_ZH})(?:都)?(?:也)?(?:请)?(?:别|不要"
    r"|不用|不必|不许|不准|不能|不|勿|无需|先不|先别|先不要)(?:再)?(?:要)?(?:动|改|变|管|碰|替换"
    r"|删|换|修改|改动|变动|调整|处理|乱动)(?:它|它们|了|掉)?",
    rf"(?:但是?|不过)?(?:请)?(?:让)?(?:{_OTHERS_ZH})(?:都|请|就)?(?:照旧|原样|如旧|不变|保留"
    r"|保持(?:原样|不变|原状|原文|现状)|留着|照原样|维持(?:原样|不变|原状)|按原来的|一样|没问题"
    r"|原封不动)(?:保留|不动|不变)?",
    r"(?:请)?(?:保留|保持)(?:其余|其他|其它|剩下|别)的?(?:所有|全部)?的?(?:内容|行|部分|文字"
    r"|地方|句子)?(?:不变|不动|原样)?",
    r"(?:但是?|不过)?(?:请)?(?:别|不要|不用|不必)(?:再)?(?:动|改|碰|管|替换|修改|删)(?:到"
    r"|掉)?(?:其他|其它|别的|其余|剩下)(?:的)?(?:地方|内容|行|部分|字|东西|文字|句子"
    r"|任何)?(?:的)?(?:内容|地方|字)?",
    r"(?:只|仅)(?:改|动|换|删|替换|处理)(?:掉)?(?:这里|这个|这一处|这处|这一个|这些|这一行"
    r"|这一句|这几处|这一点|这一?行|这)(?:就行|就好|即可)?",
    r"(?:一个字|标点|格式|顺序|其余格式|空行|标点符号|大小写)(?:都|也)?(?:不要|别|不用|不)(?:动"
    r"|改|变|多改)|(?:保持|保留)(?:其他|其余|原有|原来的?)?(?:格式|标点|空行|排版|顺序)(?:不变)?",
    rf"(?:but |and )?(?:please )?(?:just )?(?:leave|keep|let|leaving|keeping) (?:{_REST_EN})(?: just)?(?: alone"
    r"| as (?:it is|they are|is|it was|they were|before)| unchanged| untouched| the same| intact"
    r"| exactly as (?:it is|they are|is)| alone| be| where (?:it is|they are)| in place"
    r"| that way)*",
    r"(?:but |and )?(?:please )?(?:do not|don't|without|never|no need to)\s*(?:you )?(?:touch"
    r"|touching|change|changing|alter|altering|edit|editing|modify|modifying|mess with"
    rf"|move)\s*(?:{_REST_EN})",
    rf"(?:but |and )?(?:{_REST_EN})(?: should| must| can| has to| have to)?\s*(?:stays?|remains?"
    r"|is|are|be|to stay|is to stay|stay)?\s*(?:exactly |just )?(?:as (?:it is|they are|is"
    r"|before)|unchanged|untouched|the same|fine|put|ok|alone|where (?:it is|they are)|stays?)?",
    r"(?:but |and )?(?:only|just) (?:that|this|those|these)(?: (?:line|lines|one|ones|word|words"
    r"|change|bit|part))?(?: please)?|that(?:'s| is) (?:all|it)|nothing (?:else|more)|(?:that"
    r"|this) is the only change|no other changes?|and nothing else|only that",
    r"谢谢(?:你|您|啦|了)?|多谢|拜托了?|辛苦了?|麻烦了?|thanks?(?: you)?(?: so much| very much)?"
    r"|please|cheers|好吗|可以吗|行吗|ok",
)

_TRAILING = (
    r"(?:请|麻烦|劳烦)?(?:你|您)?(?:帮我|帮忙|给我|替我)?(?:改|换|处理|修改|更正|调整|替换)(?:一下|下|过来)(?:吧|哈)?"
    r"|(?:全部|全文|所有的?|全都|都)(?:都)?(?:改|换|替换)?(?:掉|了)?|(?:我|之前|昨天|上次|原来|刚才|当时)+(?:给)?"
    r"(?:记|写|打|说|弄|搞|看|听|拼|念)错(?:了|的)?|(?:因为|由于)(?:(?!把|将|改成|换成|改为|换为|删|移|第)[^,]){1,20}|(?:就)?(?:只)?(?:改|动|换)这一?[处个点]"
    r"|(?:because|since) (?:(?!\b(?:replace|change|delete|remove|add|move|swap|insert)\b)[^\"“,;]){1,60}"
    r"|(?:i|we) (?:got it wrong|was wrong|made a mistake|misspoke|mixed (?:it|them) up)"
)


def is_trailing(phrase: Phrase) -> bool:
    """Say whether a part after a request only asks for it again or gives its reason: 帮我改一下, 我记错了."""
    return not phrase.quoted() and pattern(_TRAILING).fullmatch(phrase.folded.strip(" ,.。!;:()")) is not None


def is_remark(phrase: Phrase) -> bool:
    """Say whether a part asks for nothing, such as 其他的别动 or `leave the rest alone`."""
    words = phrase.folded.strip(" ,.。!;:?()")
    return not words or any(pattern(remark).fullmatch(words) for remark in _REMARKS)
