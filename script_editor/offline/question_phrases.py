"""How people word questions that a reading tool answers: which scripts there are, how long one is, what one line says.

Patterns read folded text. What is asked about the versions of a script is in `command_phrases`.
"""

from script_editor.offline.quotes import TOKENS

LOOK_ZH = (
    r"(?:(?:请|麻烦|帮我|给我|让我|我想|我要|想|再|你|先|能不能|可以|能)*(?:看一?看|看一?下|看下|看|显示|展示|读一?读"
    r"|读一?下|读给我听|读|打开|查看|列出|列一?下|列|输出|打印|念一?下|念|发我|发给我|贴一?下|贴出|告诉我|说说|调出|给出)"
    r"(?:一下|出来?|给我)?)"
)
LOOK_EN = (
    r"(?:(?:please |can you |could you |would you )*(?:show|display|print|read|see|view|open|list|output|get"
    r"|fetch|tell me|give|what(?:'s| is)|what does|let me (?:see|read)|i want to (?:see|read)|can i (?:see|read)"
    r"|i'd like to (?:see|read))(?: me| out| up)?)"
)

CONTENT = (
    rf"{LOOK_ZH}?(?:的|里|里面|现在|目前)*(?:都)?(?:写了?|讲了?|说了?|是)?(?:的)?(?:什么|啥|哪些)(?:内容|东西)?|{LOOK_ZH}?(?:的)?(?:全文|内容|原文|正文|文本|全部内容|全部)"
    r"|(?:what(?:'s| is)|what does)(?: in| say)?(?: now)?|(?:show|read|print|open|display|get|give)(?: me)? (?:all|everything|the (?:full |whole )?(?:text|script|content|contents|lines))(?: of| in)?"
)
"""What is said beside the id of a script to see its text: `what is in video_001?`, video_001 写了什么."""

# --- which scripts there are -----------------------------------------------------------------

_ZH_SCRIPTS = r"(?:口播|视频)?(?:脚本|文案|稿子|文稿|视频脚本)"
_ZH_ALL = r"(?:所有|全部|现有|库里|库中|我|目前|现在|这里|你|都|一共|总共|已有|每个|每一个)*的?(?:所有|全部|现有)?的?"
_EN_ALL = r"(?:(?:all|the|my|our|of|available|existing|every|each|a|stored|saved|video) )*"
LIST = (
    rf"{LOOK_ZH}{_ZH_ALL}{_ZH_SCRIPTS}(?:的?(?:列表|清单|目录|名单|编号|标题))?(?:有(?:哪些|什么))?"
    rf"|{LOOK_ZH}?{_ZH_ALL}(?:都|一共|总共)?有(?:哪些|什么|多少|几)(?:个|条|份|篇)?(?:可用的?|可以改的?)?{_ZH_SCRIPTS}"
    rf"|{LOOK_ZH}?{_ZH_ALL}(?:哪些|几个|多少个?|几条|多少条){_ZH_SCRIPTS}"
    rf"|{_ZH_ALL}{_ZH_SCRIPTS}(?:都|一共|总共|现在|目前)*有(?:哪些|什么|多少个?|几个|几条)"
    rf"|{_ZH_ALL}{_ZH_SCRIPTS}(?:列表|清单|目录)|(?:列出|列一下)(?:所有|全部)"
    rf"|{LOOK_EN} {_EN_ALL}(?:scripts|list of (?:all )?(?:the |my )?scripts|script list)(?: (?:are )?(?:there|here|available|in the store|i have|you have|we have))*"
    r"|(?:what|which|how many)(?: all)? scripts (?:do (?:i|we|you) have|are (?:there|here|available|in the store)|have i got|exist)(?: (?:here|there|in the store|now|in total))*"
    rf"|(?:list|all|{_EN_ALL}) ?(?:all |my |the )*scripts|list (?:them )?all|list scripts|ls|what (?:do i have|is there|is in the store)"
)
"""A wish for the list of all scripts. "show me all of the script" is none: the noun has to be a plural."""

_WORDS = rf"(?P<words>{TOKENS}|[^,;。!?:\n]{{1,40}}?)"
_ZH_MENTION = r"(?:里面|里|中|当中)?(?:提到|提及|说到|讲到|讲|写到|包含|含有|含|出现|涉及|带有|有|关于|说|谈到)(?:了|过)?"
FIND = (
    rf"(?:{LOOK_ZH}|找一?找|找一?下|找出|找|查一?下|搜一?下|搜索)?(?:所有|全部)?(?:有)?(?:哪些|哪个|哪条|哪几个|哪几条|什么|有没有){_ZH_SCRIPTS}(?:是)?{_ZH_MENTION}{_WORDS}(?:的|吗)?",
    rf"{_WORDS}(?:在|出现在)(?:哪些|哪个|哪条|哪几个){_ZH_SCRIPTS}(?:里|中)?(?:出现|提到)?(?:过)?",
    rf"(?:{LOOK_ZH}|找一?找|找一?下|找出|找|查找|搜一?下|搜索|搜){_ZH_ALL}{_ZH_MENTION}{_WORDS}的{_ZH_SCRIPTS}",
    rf"(?:在)?(?:所有|全部|脚本库)的?(?:脚本)?(?:里|中)(?:面)?(?:搜索|搜一下|查找|找一下|找){_WORDS}",
    rf"(?:搜索|搜一下|搜|查找脚本|搜脚本|搜索脚本)[:\s]*{_WORDS}",
    rf"(?:(?:tell me|show me|find|list|see) )?(?:which|what) (?:of (?:my|the) )?scripts? (?:has|have|mentions?|contains?|uses?|says?|talks? about|is about|are about|speaks? of|includes?)(?: the (?:words?|phrase|text))? {_WORDS}",
    rf"(?:find|search for|look for|list|show me|show|get)(?: me)? (?:all |the |every |any |my )*scripts? (?:that (?:mentions?|contains?|uses?|says?|has|have|talks? about|is about|are about|includes?)|mentioning|containing|with|about|using)(?: the (?:words?|phrase|text))? {_WORDS}",
    rf"search(?: (?:all |the |my )*scripts)? for {_WORDS}(?: in all (?:the |my )?scripts)?",
)
"""Wishes for the scripts that hold some words."""

EDITS = r"改|换|替|删|去掉|\b(?:replace|change|swap|delete|remove|turn|cut)\b"
"""Words that make a search the first half of an edit: 搜索X并替换成Y."""
ALL = r"(?:所有|全部|每一?个|每一?条|各个)的?(?:脚本|文案|稿子|视频)|\b(?:all|every|each)(?: of)?(?: (?:the|my|our|single))* scripts?\b"
"""Words that mean every script there is."""
WHICH = r"(?:哪|几)(?:一?个|些|条|几个|几条|篇)(?:脚本|文案|稿子|视频)|\b(?:which|what|how many) (?:of my |of the )?scripts?\b"

# --- how long one is -------------------------------------------------------------------------

_ZH_ONE = r"(?:分别|各自|各|都|现在|目前|这个|这条|这篇|那个|那条|整个|整篇|它|当前|的|脚本|文案|稿子|视频|全文|口播)*"
LENGTH = (
    rf"(?:{LOOK_ZH}|算一?下|算算|数一?下|统计一?下|估一?下)?{_ZH_ONE}(?:一共|总共|大概|大约|到底|读起来|念起来|念完|读完|说完|念|读|播完|播)*(?:会|要|得|能)?(?:有)?"
    r"(?:多长(?:时间)?|多少(?:个)?字|几个字|几行|多少行|多少(?:个)?(?:单)?词|多少秒|多少分钟|几秒|几分钟|多久|字数|时长|长度|口播时长|总字数)(?:是)?(?:多少)?(?:了|呢|啊|左右)?",
    rf"(?:{LOOK_ZH}|算一?下|算算|统计一?下|估一?下){_ZH_ONE}(?:字数|时长|长度)",
    r"(?:(?:can you |could you |please )*(?:tell me|show me|do you know) )?how (?:long|many words|many lines|many characters|many chars|many seconds|much time)"
    r"(?: (?:does|is|are|has|have|will|would|do|did|in|there|the|this|my|it|that|script|video|text|whole|now|to|take|takes|be|read|say|speak|aloud|out loud|currently|contain|long|run|last))*",
    r"(?:(?:please )?(?:tell me|show me|show|give me|count|get|what(?:'s| is)) )?(?:the |its |a )?(?:word count|character count|length|duration|running time|run time|spoken time|reading time|words|characters)"
    r"(?: (?:of|in|for|the|this|my|it|script|video|text))*",
)

_ZH_SAYS = r"(?:的?(?:内容|文字|原文|台词))?(?:现在|目前|都)?(?:是|写的?是?|说的?是?|写了|说了|讲了|讲的?是?|写着)?(?:什么|啥|怎么写的?|怎么说的?)?(?:内容)?"
LINES_ZH = (rf"{LOOK_ZH}(?:脚本|文案)?的?", _ZH_SAYS)
LINES_EN = (rf"{LOOK_EN} (?:only |just )?", r"(?:'s text| says?| now| currently| please| again| look like)*")
"""What stands before and after the name of lines that are to be shown."""

# --- what was changed last, and words that want nothing ---------------------------------------

LAST_CHANGE = (
    r"(?:最近|刚才|刚刚|上一?次|最后一?次|最近一次|最后|上回)(?:都|一?次)?的?(?:修改|改动|编辑|变化|变更)?(?:都)?(?:改|动|变|修改)?(?:了|过)?(?:些)?(?:什么|啥|哪些|哪里|哪儿)(?:地方|内容)?"
    r"|(?:看一?看|看一?下|看看|显示)?(?:最新|最近|刚才|刚刚|上一?次|最后一?次|最近一次)的?(?:修改|改动|编辑|变化|变更)"
    r"|(?:show me |show |see |what(?:'s| is| was) )(?:the |your |my )?(?:last|latest|most recent|newest) (?:change|edit|modification|diff)"
    r"|what (?:changed|was changed|did (?:you|i|we) change|have you changed)(?: (?:last|just now|recently|lately|most recently|last time))"
    r"|what did (?:you|i|we) (?:just|last) change|what has just changed|diff"
)
CHANGED = (
    r"(?:一共|总共|现在|目前|已经)*(?:有|存了)?(?:几|多少)个(?:历史)?版本|(?:都)?(?:是)?(?:谁|什么时候|啥时候|几时)(?:最后)?(?:改|修改|动|编辑)(?:过|的|了)*"
    r"|who (?:last )?(?:changed|edited|touched)(?: (?:it|this|the script))?(?: last)?|when (?:was|did)(?: (?:it|this|the script))?(?: last)? (?:changed?|edited|modified)(?: last)?|"
    r"(?:都|一共|总共|到底)?(?:有)?(?:什么|哪些)(?:变化|改动|变更|修改)|(?:都)?(?:改|动|变)(?:了|过)(?:些)?(?:什么|啥|哪些|哪里)(?:地方|内容)?"
    r"|what (?:has |have |was |were |had )?(?:been )?changed?(?: (?:so far|there|here|in (?:it|the script)))*|what (?:are|were) (?:the|its) (?:changes|edits)|(?:show me |show |list )(?:the |all |its )*(?:changes|edits)"
)
THANKS = (
    r"(?:好的?|嗯|ok|okay|很好|太好了|不错)?[,。! ]*(?:谢谢|多谢|感谢|谢了|谢啦|辛苦)(?:你|您|啦|了|老师|大家|你了|您了)?"
    r"|(?:(?:great|ok|okay|good|perfect|nice|cool|awesome)[,!. ]+)?(?:thanks?(?: you)?|thx|ty|cheers|many thanks|much appreciated)(?: (?:so|very) much| a lot)?"
    r"|well done|good job"
)
GOOD = r"好的?|(?:就)?可以了?|行了?|嗯+|没别的了|没有了|就这些|够了|不错|很好|挺好|太好了|没问题了?|就这样|ok|okay|great|good|perfect|nice|cool|awesome|fine|yes|sure"
GREETING = r"(?:你|您|大家)好|嗨|哈喽|早上好|下午好|晚上好|在吗|hi(?: there)?|hello(?: there)?|hey(?: there)?|good (?:morning|afternoon|evening)"
HELP = (
    r"(?:你|这里|离线(?:模型|编辑器)?)?(?:都)?(?:能|会|可以|可)(?:帮我)?(?:做|干|改)?(?:些)?(?:什么|啥|哪些事?)|(?:怎么|如何)(?:用|使用)(?:你|它)?|帮助|使用说明|你是谁|你是什么(?:模型)?"
    r"|help|what (?:can|do) you do|what can i (?:do|ask|say)(?: here)?|how (?:do i|to) use (?:this|you|it)|how does this work|who are you|what are you|what model are you"
)
ASIDE = (
    r"算了|不对|不好|不行|等等|等一?下|嗯+|哎呀?|啊|呃|不好意思|抱歉|对不起|我(?:后悔|改主意)了|(?:撤销|改|删|弄|搞)错了|还是不要了?|还是算了"
    r"|no|nope|wait|sorry|oops|oh|hmm+|never ?mind|on second thoughts?|i changed my mind|my mistake|(?:that|this|it) (?:was|is|looks) (?:wrong|bad|worse|not good)|i (?:don't|do not) like (?:it|that|this)"
)
"""What people say before they take something back; it asks for nothing."""
BEFORE_COMMAND = r"(?:(?:now|then|okay?|and|so|just|please|actually|sorry|no|wait|hmm|well|oh|but|or|alright|right|can we|let's)[,.!]?\s+|(?:那就?|还是|好的?|嗯|算了|不对|请|麻烦|现在|等等|哎)[,。]?\s*)+"
AFTER_COMMAND = r"(?:[,\s]*(?:好吗|可以吗|行吗|好不好|行不行|可不可以|可以么|好么|吧|呗|了|谢谢(?:你|您|啦|了)?))+[?。!.]*|[,\s]*(?:for me|now|right now|will you|would you|could you|can you|please|thanks|thank you|again please)[?.!]*"
