"""Signs that plain words given as new text are not, or not all, the text itself.

Polite words at the end belong to the instruction. Adverbs, clauses and words about the edit may belong
to either, so they need quotation marks. Words that describe a text need a writer.
"""

from script_editor.offline.wording import Phrase, pattern

_POLITE = (
    r"[,\s]*(?:可以吗|可以么|行吗|行么|行不行|可不可以|好不好|好吗|好么|没问题吧|拜托(?:了|你了|您了)?|谢谢(?:你|您|啦|了)?"
    r"|多谢(?:了)?|谢啦|麻烦(?:你了|您了)|哈)[。.!?~]*$"
    r"|[,\s]+(?:thx|ty|tysm|thanks(?: a lot| so much| very much)?|thank you(?: so much| very much)?|instead|please"
    r"|pls|plz|cheers|ok|okay)[.!?]*$"
)
_OWN_BEFORE = (
    r"(?:非常|很|太|说|也|先|和|与|是|的|声|十分|大家|各位|你们|再见|再会|拜拜|收看|观看|收听|支持|关注|朋友们?|老师|你|您|我们|最后|好"
    r"|早|觉得|看|样|还|不|哈|\b(?:many|no|all|very|is|are|it's|was|be|so|quite|and|with|say|says|yes|i'm|a|the|big|special"
    r"|sincere|you|not|to|of|for|my|our|bye|goodbye|hi|hello))$"
)
"""Words before polite ones that make them a part of the text: many thanks, 大家谢谢."""

_ZH_LOOSE = (
    r".+(?:(?:好|行|成|可以|能|对|是)不|拜托|(?<!忘)了|不好|不太好|不行|不合适|好一?点|试试|看看|一下|之类的?|什么的|等等?|才对|比较好|更好"
    r"|怎么样|如何|好吗|好了|算了|为好|为妙|的话|而已|来着|[两三四五几][个处次]都?[改换]?|都[改换删]|全[部改换文]"
    r"|各处|处处|[一两二三四五几]个字|[这那][个些]?(?:词|字|名字|名称|说法|句话?))[。.!?]?"
    r"|.+(?:因为|由于|毕竟|其余|其他|其它|别的|剩下|别动|不动|不变|不要|不用|第一[个处]|最后一[个处]|只改|除了).*"
)
_LINE_LOOSE = (
    r".*(?:之类的?|什么的|等等?|然后|接着|两个字|都行|都可以|你定|你来[定写]|随意|随便|呼应的?|一样的?|总结)"
    r"|(?:写上|写着|写个|内容|说(?!到|起|实话|真的)|讲|强调|提醒|表示).*|.+或者.+"
    r"|.*\b(?:or similar|or so|etc\.?|somewhere|twice|once|instead|maybe|perhaps|or something(?: like that)?"
    r"|if you like)|\W*|(?:call to action|instructions for|your choice|whatever)\b.*"
)
_ZH_GAP = r"[\u3400-\u9fff]\s+[\u3400-\u9fff]"
_EN_LAST = (
    r".*[\s,](?:too|well|now|today|tonight|tomorrow|here|there|only|once|twice|again|maybe|perhaps"
    r"|so|though|thx|ty|ok|okay|thanks|lot|please|thank you|not|never|unless|anywhere|nowhere|everywhere|elsewhere"
    r"|else|but|except|also|alone|asap|first|just|then|always|at|in|on|with|of|for|soon|later|first|yet|altogether"
    r"|completely|sometimes|often|both|already|anyway|like|starting|beginning|somewhere|even|especially|right|sure|fine|\w{3,}ly|throughout|across)[.!?]?"
)
_EN_INSIDE = (
    r".*(?<!^)\b(?:where|when|while|as|until|till|every|each|half|starting|from|rather|instead|like|after|before|during|up to|provided)\b.*"
    r"|.+\b(?:because|since|as it|if|unless|whenever|wherever|so that|although|though|except|but|not|never"
    r"|without|across|throughout|ignoring|regardless|respecting|outside|i (?:think|guess|mean|believe|suppose|hope)|which|that is"
    r"|in (?:both|all|each|every|most|some|other|any) \w+|(?:both|all|two|three|several|many) (?:times|places)"
    r"|(?:first|last|second|third) (?:one|time|occurrence|instance)|line \d+|lines \d+)\b.*"
)
_DETERMINER = r"(?:an?|the|any|some|my|her|his|your|our|their|its|another|either|neither|each|every|whichever|whatever)\b"
_DETERMINED = (
    r"(?:an?|the|my|her|his|your|our|their|its|this|that|one|some|another|double|twice|half|either)\b"
)
_EN_EITHER = r".*\S (?:or|versus|vs\.?) \S.*"
_ZH_DESCRIBED = (
    r"(?:[一某](?:个(?!半|小时|月|星期|礼拜|钟头|多)|[种位款些句段名])|另外?一?[个种]|另外|我们?的|你们?的|他们?的|她的|附近的|正确的|真实的?|相反的?|对应的?"
    r"|相应的?|准确的?|实际的?|上面|下面|前面|后面|任[意何]|随机|类似|不是.+的$|和第|跟第|与第|原来的|本来的|合适|恰当).*"
    r"|(?:the )?same (?:as|thing|text|words?)\b.*|.*(?:一样|相同|的意思|的名字|的数字|的词)$"
)
_ZH_EITHER = r".*\S(?:或(?!许|多)者?是?|(?<=[\u3400-\u9fff])/(?=[\u3400-\u9fff])|\s/\s|要么|抑或|还是)\S.*"
_MULTIPLE = r"(?:(?:它|原来|现在|当前|之前)的?)?(?:[一两二三四五六七八九十半几\d.]+倍|一半|双倍|翻倍|加倍|(?:double|twice|half|triple)(?: (?:of )?(?:it|that|this|as .*|the .*))?)"
_UNIT = (
    r"(?:英里|公里|千米|海里|厘米|毫米|英寸|英尺|米|小时制?|分钟|秒钟?|天|周|个?月|年|公斤|千克|斤|克|磅|盎司"
    r"|美元|人民币|欧元|日元|元|摄氏度?|华氏度?|升|毫升|miles?|kilomet\w+|km|met(?:er|re)s?|feet|inches"
    r"|hours?|minutes?|seconds?|days?|weeks?|pounds?|kilos?|kilograms?|dollars?|euros?|celsius|fahrenheit)"
)


def polite_end(folded: str) -> str:
    """Return the polite words that end plain words, empty when there are none."""
    match = pattern(_POLITE).search(folded)
    is_sure = match and match.start() and not pattern(_OWN_BEFORE).search(folded[: match.start()])
    return match[0] if match and is_sure else ""


def ends_politely(folded: str) -> bool:
    """Say whether plain words end with polite words, theirs or not."""
    match = pattern(_POLITE).search(folded)
    return match is not None and match.start() > 0


def is_loose_line(words: Phrase) -> bool:
    """Say whether plain words given as a new line may say what the line is like, or where it goes."""
    return pattern(_LINE_LOOSE).fullmatch(words.folded) is not None


def is_loose(words: Phrase, old: str) -> bool:
    """Say whether plain words end with, or hold, what may be about the edit; `old` shows when they do not."""
    folded = words.folded
    for source in (_ZH_LOOSE, _EN_LAST, _EN_INSIDE):
        if pattern(source).fullmatch(folded) and not pattern(source).fullmatch(old) and folded != old:
            return True
    return pattern(_ZH_GAP).search(folded) is not None and pattern(_ZH_GAP).search(old) is None


def describes(words: Phrase, old: str) -> bool:
    """Say whether plain words describe the text to put over `old`, or leave a choice."""
    folded = words.folded
    determiner = pattern(_DETERMINER).match(folded)
    if determiner and not pattern(rf"{_DETERMINED}|.*\b{determiner[0]}\b").match(old):
        return True
    if pattern(rf"{_MULTIPLE}|{_UNIT}").fullmatch(folded) and pattern(
        r"[\d.,一二两三四五六七八九十百千万]+.*"
    ).match(old):
        return (
            pattern(_MULTIPLE).match(folded) is not None
            or pattern(r".*[a-z\u3400-\u9fff]$").match(old) is not None
        )
    sources = (_ZH_DESCRIBED, _EN_EITHER, _ZH_EITHER)
    return any(pattern(s).fullmatch(folded) and not pattern(s).fullmatch(old) for s in sources)
