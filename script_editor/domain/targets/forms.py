"""The sentences in which people name a length: patterns for whole clauses, folded, Chinese and English.

Each has the groups `time` or `share`, and where they apply `low` (the lower end of a range), `to` (the share is
what remains), `grow` (the script becomes longer), `half` and `times`. What stands before the verb is a closed
list: words of courtesy and words for the whole script. Anything else makes it a part of the script, or a fact.
"""

from script_editor.domain.amounts import SHARE, TIME


def _any(words: str) -> str:
    """Return a pattern of any of the words; longer ones first, since a closed list never gives back."""
    return "|".join(sorted(words.split(), key=len, reverse=True))


AT_MOST = (
    r"不超过|不要超过|别超过|不能超过|不得超过|不可超过|不超過|不多于|最多|至多|顶多|不到|少于|以内|以內|之内|之內|内(?!容)|以下|封顶"
    r"|<=?|≤|\b(?:at most|no (?:longer|more) than|not (?:be )?(?:longer|more|over|exceed)(?: than)?|not exceed|under|below"
    r"|within|less than|fewer than|shorter than|up to|max(?:imum)?|tops|or less|or under|or shorter)\b"
)
AT_LEAST = (
    r"至少|不少于|不低于|最少|起码|不短于|以上|起步|>=?|≥"
    r"|\b(?:at least|no (?:less|shorter) than|not less than|more than|longer than|over|min(?:imum)?|or more|or longer)\b"
)
NEAR = (
    r"大约|大約|约|大概|差不多|接近|正好|刚好|左右|上下|前后|~"
    r"|\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|exactly|some|just|another|a further|like|right"
    r"|close to|or so)\b"
)
_LIMIT = f"(?:(?:{AT_MOST}|{AT_LEAST}|{NEAR}) ?)*+"
_TIME = rf"(?:(?P<low>{TIME}|\d{{1,3}}) ?(?:到|至|-|~|–|to) ?)?(?P<time>{TIME})"
_SHARE = f"(?P<share>{SHARE})"

# --- Chinese -----------------------------------------------------------------------------------

_ZH_OPEN_WORDS = """
    请 請 麻烦 帮我 幫我 帮忙 给我 替我 能不能 能否 可不可以 可以 需要 想要 想 要求 要 要能 能 得 尽量 盡量 最好 先 再 还是 稍微
    大概 一下 直接 最终 最后 整体上 整体 整體 务必 必须 一定要 一定 希望 我们 我 你 把 将 將 让 使 总共 一共 都 也 就 然后 并且 并
    同时 应该 应 只能 统一 进一步 继续 尽可能 全部 重新 目标 這 这 那 本 该 個 个 条 條 篇 支 期 份 整个 整個 整条 整篇 整段
    全文 全篇 全片 通篇 脚本 腳本 稿子 文稿 稿 文案 短视频 视频 視頻 影片 片子 成片 口播稿 口播 讲稿 剧本 旁白 解说词 解说 内容
    內容 正文 它 篇幅 字数 总时长 總時長 时长 時長 总长度 总长 长度 長度 总时间 时间 的 念完 读完 说完 讲完
"""
_ZH_OPEN = (
    rf"(?:{_any(_ZH_OPEN_WORDS)}|第[一二三四五六七八九十\d]{{1,3}}[集期]|[a-z][a-z0-9]*[_-][a-z0-9_-]+| )*+"
)
_ZH_SHRINK = _any("""
    缩写 概括 压缩 压短 压 壓縮 壓短 壓 缩短 缩减 缩 縮短 縮減 縮 精简 精簡 精炼 浓缩 濃縮 提炼 剪短 剪辑 剪 裁剪 裁短 裁 砍 删减
    删 刪減 刪 减少 减短 减 減少 減 控制 限制 限定 改短 变短 弄短 写短
""")
_ZH_GROW = _any("""
    延长 延長 拉长 拉長 加长 加長 扩写 扩展 扩充 擴寫 擴充 擴展 扩 增加 改长 变长 写长 弄长 加
""")
_ZH_TAIL = (
    rf" ?(?:{AT_MOST}|{AT_LEAST}|{NEAR}|之间)?(?:的?(?:版本|版|短视频|视频|影片|长度|長度|时长|篇幅|脚本|稿子|稿|文案"
    r"|口播稿|口播"
    r"|内容|字数|样子|水平))?(?:(?:就好|就行|就够|就可以)了?|即可|可以吗|行吗|好吗|吧|啊|呢|哦|谢谢| )*"
)
_ZH_OLD = "(?:原来|原來|原稿|原文|原本|原先|现在|目前|之前|原)?(?:的|长度的|篇幅的)? ?"
_ZH_FROM = f"(?:[从由從] ?{TIME} ?)?"
_ZH_TO = " ?(?:到|至|成|在|为|進|进) ?"
_ZH_LENGTH = "(?=.*(?:时长|時長|长度|長度|总长|篇幅|总时间|片长))"
_ZH_WHOLE = "(?=.*(?:脚本|稿|文案|视频|片|口播|全文|整篇|全篇|它))"

ZH_FORMS = (
    # 压到45秒, 控制在一分钟以内
    rf"{_ZH_OPEN}{_ZH_FROM}{_LIMIT}(?:{_ZH_SHRINK}|{_ZH_GROW}|调整?)(?:一下)?(?:总?时长|长度|篇幅|时间)?"
    rf"{_ZH_TO}{_LIMIT}{_TIME}{_ZH_TAIL}",
    # 把它弄到60秒以内
    rf"{_ZH_WHOLE}{_ZH_OPEN}(?:弄|做|搞|改|整|讲|变|收)到 ?{_LIMIT}{_TIME}{_ZH_TAIL}",
    # 时长改成45秒, 总时长一分钟
    rf"{_ZH_LENGTH}{_ZH_OPEN}(?:改|调整|调|设定|设|定|做|弄|变)?(?:到|至|成|在|为|是)? ?{_LIMIT}{_TIME}{_ZH_TAIL}",
    # 不超过一分钟, 45秒以内
    rf"{_ZH_OPEN}(?:做|写|讲|说|念|拍|录)?(?:到|在)? ?(?=.*(?:{AT_MOST}|{AT_LEAST}|左右|上下)){_LIMIT}{_TIME}{_ZH_TAIL}"
    r"(?:讲完|说完|念完|读完|播完)?",
    # 做一个30秒的版本
    rf"{_ZH_OPEN}(?:改|做|出|写|剪|来|整理|弄|缩|压)?(?:成|出|一个|一版|一条|一份|个| )*{_LIMIT}{_TIME}(?:左右|以内)?的?"
    r"(?:版本|版|短视频|视频|口播稿|口播|脚本|稿子|文案)(?:吧|就行|就好)?",
    # 精简到原来的一半, 压缩到八成
    rf"{_ZH_OPEN}{_LIMIT}(?:{_ZH_SHRINK}|{_ZH_GROW}|改|调整|调|变)(?:一下)? ?(?P<to>到|至|成|为|在) ?"
    rf"{_ZH_OLD}{_LIMIT}{_ZH_OLD}{_SHARE}{_ZH_TAIL}",
    # 缩短两成, 砍掉三分之一, 延长20%
    rf"{_ZH_OPEN}{_LIMIT}(?:{_ZH_SHRINK}|短|少|(?P<grow>{_ZH_GROW}|长|長))(?:掉|去|了)? ?"
    rf"{_LIMIT}(?:原来的|原稿的)?{_SHARE}{_ZH_TAIL}",
    # 延长一倍, 翻倍, 扩写到两倍
    rf"{_ZH_OPEN}(?:(?:{_ZH_GROW}|长)一倍|翻倍|加倍|(?:{_ZH_SHRINK}|{_ZH_GROW}|改) ?(?:到|成|为) ?"
    rf"{_ZH_OLD}(?P<times>[两兩二三]|\d(?:\.\d)?) ?倍){_ZH_TAIL}",
)

# --- English -----------------------------------------------------------------------------------

_EN_OPEN_WORDS = """
    please can could would you just now then also i i'd we want need like let's try help me maybe finally overall in total
    ok hey to should must has have needs really ideally it this that everything the my our whole entire full final all of
    script video text voiceover voice-over vo narration piece thing copy draft ad clip reel talk story running run time
    runtime length duration version spot episode its script's video's it's
"""
_EN_OPEN = rf"(?:(?:{_any(_EN_OPEN_WORDS)}|[a-z][a-z0-9]*[_-]\w+)(?![\w'-]) ?)*+"
_EN_SCRIPT = (
    r"(?:script|video|text|voice-?over|vo|narration|piece|thing|copy|draft|ad|clip|short|reel|talk|story|run ?time|time"
    r"|length|duration|version|spot|episode)"
)
_EN_WHOLE = (
    r"(?: (?:it|this|that|everything|(?:all of )?(?:the|this|my|our|that|its)"
    rf"(?: (?:whole|entire|full|overall|total|final|current|running|spoken))* {_EN_SCRIPT}(?:'s (?:length|duration|runtime))?"
    r"|[a-z][a-z0-9]*[_-]\w+(?:'s (?:length|duration|runtime))?))?"
)
_EN_SHRINK = _any("""
    cut trim shorten reduce shrink condense compress tighten bring get squeeze edit pare whittle boil(?=.*down) slim chop slash
    lose drop shave halve
""")
_EN_GROW = "expand|extend|lengthen|stretch|pad|grow|increase"
_EN_KEEP = "keep|make|limit|cap|hold|take|fit|aim|target|shoot|go|run"
_EN_TAIL = (
    r"(?: ?(?:long|in length|total|in total|overall|if (?:you can|possible)|please|thanks|now|spoken|flat|or so"
    r"|of (?:speech|audio|video|screen time|speaking time)|when read(?: aloud| out loud)?|than (?:it is|now|before)"
    rf"|for (?:tiktok|youtube|shorts|instagram|reels)|{AT_MOST}|{AT_LEAST})(?!\w))*"
)
_EN_OLD = (
    r"(?: (?:of )?(?:its|the|what it is)(?: (?:current|original|present|old))?"
    r"(?: (?:length|duration|runtime|running time|time|size))?(?: now)?|(?: as)? long)?"
)
_EN_OFF = (
    r"(?: (?:off|of it|off it|off of it|from it|out of it|of (?:the|this) (?:\w+ )?(?:script|video|text|length|duration)"
    r"|(?:off|from|out of) (?:the|this) (?:script|video|text|length|duration)))?"
)
_EN_FROM = f"(?: from {TIME})?"
_EN_PLACE = " (?:down to|up to|out to|back to|to|into|at|within|in|inside|between)"
_EN_LENGTH = r"(?=.*\b(?:length|duration|run ?time|running time|total time)\b)"
_EN_WISH = r"(?=.*\b(?:should|must|has to|have to|needs to|want|need)\b)"

EN_FORMS = (
    # cut it down to 45 seconds, keep it under a minute
    rf"{_EN_OPEN}(?:(?:{_EN_SHRINK}|{_EN_GROW}|{_EN_KEEP}){_EN_WHOLE}(?: fit)?{_EN_FROM}(?: down| up| out| back)?"
    rf"(?:{_EN_PLACE}|(?= (?:{AT_MOST}|{AT_LEAST})))|(?:make|keep){_EN_WHOLE}|(?:aim|shoot|go) for)"
    rf" ?{_LIMIT}{_TIME}{_EN_TAIL}",
    # change the length to 45 seconds
    rf"{_EN_LENGTH}{_EN_OPEN}(?:change|set|adjust|make|take|bring){_EN_WHOLE}(?: down| up)? (?:to|at) ?"
    rf"{_LIMIT}{_TIME}{_EN_TAIL}",
    # target length 45 seconds
    r"(?:(?:target|desired|total|max(?:imum)?) )?(?:length|duration|run ?time|running time) ?(?:is |of |= ?)?"
    rf"{_LIMIT}{_TIME}{_EN_TAIL}",
    # make it shorter, about 45 seconds
    rf"{_EN_OPEN}(?:make|get){_EN_WHOLE}(?: an?)?(?: bit| little| lot| much)? (?:shorter|longer),? {_LIMIT}{_TIME}{_EN_TAIL}",
    # it should be about 45 seconds long
    rf"{_EN_WISH}{_EN_OPEN}(?:be|run|last|take|stay|come in|clock in|not)?(?: be| run)?(?: at| in| to| for)? ?"
    rf"{_LIMIT}{_TIME}{_EN_TAIL}",
    # under a minute, 45 seconds max
    rf"{_EN_OPEN}(?:stay )?(?=.*(?:{AT_MOST}|{AT_LEAST})){_LIMIT}{_TIME}{_EN_TAIL}",
    # make a 45-second version
    rf"{_EN_OPEN}(?:(?:make|write|give|turn|cut|create|produce|do|prepare|get|edit|trim|fit){_EN_WHOLE}(?: me)?"
    rf"(?: down to| into| to| in)? )?an? {_LIMIT}{_TIME}[ -]?(?:long )?"
    r"(?:version|cut|script|video|read|spot|ad|clip|short|reel|edit|piece|slot)"
    rf"(?: (?:of|from) (?:it|this|that|(?:the|this|that|my|our) {_EN_SCRIPT}))?{_EN_TAIL}",
    # cut it to half its length, reduce it to 80%
    rf"{_EN_OPEN}(?:{_EN_SHRINK}|{_EN_GROW}|{_EN_KEEP}){_EN_WHOLE}(?: down| up)? (?P<to>to) ?"
    rf"{_LIMIT}{_SHARE}{_EN_OLD}{_EN_TAIL}",
    # shorten it by 20%, cut it in half, cut a third
    rf"{_EN_OPEN}(?:{_EN_SHRINK}|(?P<grow>{_EN_GROW})){_EN_WHOLE}(?: down| up)?(?: by| in)? "
    rf"{_LIMIT}{_SHARE}{_EN_OFF}{_EN_TAIL}",
    # make it 20% shorter, a third longer
    rf"{_EN_OPEN}(?:(?:make|get|have|keep){_EN_WHOLE} ?)?(?:be )?{_LIMIT}{_SHARE} (?:shorter|tighter|leaner|(?P<grow>longer))"
    rf"{_EN_TAIL}",
    # half as long, cut it to half the length
    rf"{_EN_OPEN}(?:(?:make|get|cut|have){_EN_WHOLE} ?)?(?:be )?{_LIMIT}(?P<to>){_SHARE}"
    rf"(?: as long|(?: of)? (?:its|the)(?: (?:current|original))? (?:length|duration|runtime)){_EN_TAIL}",
    # halve it, double the length, twice as long
    rf"{_EN_OPEN}(?:(?P<half>halve)(?= ){_EN_WHOLE}|double(?= ){_EN_WHOLE}|(?:(?:make|get){_EN_WHOLE} ?)?(?:be )?"
    rf"(?:twice|double|(?P<times>\d(?:\.\d)?) ?(?:times|x)) (?:as long|the length|its length)){_EN_TAIL}",
)
