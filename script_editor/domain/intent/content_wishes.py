"""Patterns of wishes about what is said: its language, how much of it, in which words, and what is left alone."""

import re

from script_editor.patterns import Pattern

_NOT = (
    r"(?:不要(?!了)|不用(?!了)|不必|不许|不得|不能|无需|無需|别|別|不(?!要了|用了|必了)|勿|避免|禁止"
    r"|\b(?:do not|don['’]?t|do n['’]t|without|never|not|no|avoid)\b)"
)
# A wish ends where the clause ends: in "别翻译，缩短一点" only the translation is unwanted.
NEGATED = Pattern(rf"{_NOT} ?[^，,。；;.!！\n]{{0,60}}", re.IGNORECASE)
KEPT = Pattern(
    r"(?<!只)(?:保留|保持|维持|維持|留着|留住|除了|不算)[^，,。；;\n]{0,40}"
    r"|[^，,。；;\n]{0,30}(?:不变|不變|不动|不動|别动|別動|别改|別改|不要改|不要动|不能改|不能变"
    r"|不能动|照旧|照舊|原样|原樣|保留|留用|留着)"
    r"|(?<!only )\b(?:keep(?:ing)?(?! only)|leave (?!a blank|an empty|out)|leaving|preserv(?:e|ing)"
    r"|retain(?:ing)?|except(?: for)?|but not|apart from|other than)\b[^,;.\n]{0,60}"
    r"|[^,;.\n]{0,40}\b(?:must (?:stay|remain|not change)|stays? (?:exactly )?(?:the same|as))\b[^,;.\n]{0,30}",
    re.IGNORECASE,
)

_LANGUAGES = (
    r"英文|英语|英語|中文|汉语|漢語|日文|日语|日語|韩文|韩语|韓文|韓語|法文|法语|法語|德文|德语|德語"
    r"|西班牙文|西班牙语|西语"
    r"|俄文|俄语|粤语|粵語|普通话|普通話|国语|國語|闽南语|閩南語|台语|台語|双语|雙語|外语"
)
_LANGUAGES_EN = (
    r"english|chinese|mandarin|cantonese|japanese|korean|french|german|spanish|italian|portuguese"
    r"|russian|arabic|hindi|bilingual"
)
TRANSLATION = Pattern(
    rf"(?:翻译|翻譯)(?![腔体體感味])|译成|譯成|译为|{_LANGUAGES}|\btranslat\w+|\b(?:in|into"
    rf"|to)(?: \w+)? (?:{_LANGUAGES_EN})\b|\b(?:{_LANGUAGES_EN}) (?:version|translation|subtitles?"
    rf"|words?|line|phrase|one[- ]liner|text)|\bbilingual\b",
    re.IGNORECASE,
)
SIMPLIFIED = Pattern(
    r"简体|簡體|简化字|(?:to|into|in) simplified|simplified (?:chinese|characters)",
    re.IGNORECASE,
)
TRADITIONAL = Pattern(
    r"繁体|繁體|正体字|正體|台湾用语|台灣用語|(?:to|into|in) traditional|traditional (?:chinese"
    r"|characters)",
    re.IGNORECASE,
)
SHORTER = Pattern(
    r"缩短|縮短|缩减|縮減|精简|精簡|压缩|壓縮|压到|压成|壓到|压在|压进|简短|簡短|简洁|簡潔|简练|洗练"
    r"|凝练|短一?[点些點半]|更短|变短|改短|写短|剪短|弄短|截短|砍到|砍掉|砍成|删减|刪減|删到|刪到"
    r"|减到|减少到|减半|控制在|[以之]内|不超过|不超過|不要超过|字数减|太长|太長|啰嗦|囉嗦|废话|冗余"
    r"|瘦身|去水|只剩|只留|只保留|快一点讲完|省略"
    r"|\b(?:shorten\w*|shorter|trim\w*|condens\w+|tighten\w*|tighter|concise\w*|brief\w*|cut (?:it"
    r"|this|that|the (?:script|text|whole thing|video|length|word ?count)|everything)|cut (?:down"
    r"|back|to|by|in half)|reduc\w+|compress\w*|crisper|snappier|too long|wordy|verbose|abridg\w+"
    r"|less (?:wordy|text)|pare|halve|in half|at most|no (?:more|longer) than|under \w+ (?:seconds?"
    r"|words?|minutes?)|within|fewer words|boil (?:it )?down|squeeze|streamline\w*|leaner|succinct"
    r"|terse)\b",
    re.IGNORECASE,
)
SLIGHT = Pattern(
    r"一点|一點|一些|一下|稍微|稍稍|略微|适当|適當|轻微|\b(?:a (?:bit|little|touch|tad)|slightly"
    r"|somewhat|lightly|gently|snappier|crisper|tighten\w*|tighter)\b",
    re.IGNORECASE,
)
SUMMARY = Pattern(
    r"总结|總結|摘要|概括|提炼|提煉|浓缩|濃縮|大纲|大綱|提纲|只剩|只留|只保留|一句话|一句話|三句话"
    r"|两句话|几句话|标题党|大幅|越短越好|最短|极简|朋友圈|简介|文案|推文"
    r"|\b(?:summar\w+|synopsis|outline|abstract|tl;?dr|tweet|one[- ](?:line|sentence|liner)|(?:one"
    r"|two|three|a few|a single) (?:lines?|sentences?|paragraphs?)|drastically|as short as possible"
    r"|bare bones|essentials?|only (?:keep|leave|the)|key points|caption|blurb|teaser|headline)\b",
    re.IGNORECASE,
)
LONGER = Pattern(
    r"扩写|擴寫|扩充|擴充|扩展|擴展|扩成|扩到|加长|加長|拉长|拉長|延长|延長|更长|長一?[点些點]"
    r"|长一?[点些]|丰富|豐富|展开|展開|详细|詳細|细节|細節|补充|補充|多写|多说|多讲|多聊|多夸|再夸"
    r"|再写|再多|续写|續寫|写满|补全|补一|补上|[加添增插][一两几三四五上个些点入段句行]|增加|添加"
    r"|加入|加个|加段|再加|举例|例子|例句|加到|撑到|讲透|讲细"
    r"|\b(?:longer|expand\w*|extend\w*|elaborat\w+|lengthen\w*|add\w*|insert\w*|append\w*"
    r"|flesh\w* out|more (?:detail\w*|depth|examples?|lines?|about|on)|in (?:more )?detail|detailed"
    r"|continue the|include|double the length|twice as long|example|pad|stretch|write (?:another|more"
    r"|a|an|two|three)|introduc\w+|intro for)\b",
    re.IGNORECASE,
)
REMOVAL = Pattern(
    r"删|刪|去掉|去除|拿掉|移除|剔除|不要了|砍|剪掉|抹掉|清理|清除|清掉|省掉|省去|略去|只剩|只留"
    r"|只保留|合并|合併|合成|并成|并到|精选|去重|划掉|拿走|撤掉|撤下|换掉"
    r"|\b(?:delet\w+|remov\w+|drop\w*|cut\w*|strip\w*|get rid of|take out|leave out|omit\w*|erase"
    r"|scrap|lose the|kill the|ditch|merg\w+|combin\w+|join\w*|eliminat\w+|discard\w*|only keep"
    r"|keep only|skip)\b",
    re.IGNORECASE,
)
BULK = Pattern(
    r"只剩|只留|只保留|保留(?:前|后|第|开头|最)|全部|所有|每[一句行段个]|其余|其他|其它"
    r"|以[后后前下上]|之后|之前|后面|前面|段|部分|一半|到第"
    r"|[前后最][一二两三四五六七八九十\d]+[句行条段]|除了|清空|大部分|合并|合并|镜头|精选|不要了|删到"
    r"|\b(?:all|every\w*|each|only|except|section|paragraph|half|rest|part|first \w+|last \w+|through"
    r"|lines? \d+ ?(?:to|-|–|through)|from|after|before|most|scene|everything|anything|merg\w+"
    r"|combin\w+|but)\b",
    re.IGNORECASE,
)
REWRITE = Pattern(
    r"重写|重寫|重新写|改写|改寫|重做|换个?(?:角度|说法|开头|开场|写法|思路|风格|主题|版本|钩子|结构"
    r"|方式|故事)|换一个|換一個|换一[种版个]|另写|推翻|重新|从头写|全部换|仿写|参考|模仿|重构|改编"
    r"|改編|完全不同|换成.{0,8}(?:口吻|风格|语气|视角)"
    r"|\b(?:rewrit\w+|re-?writ\w+|redo|re-?do|start over|from scratch|reimagin\w+"
    r"|completely (?:different|new)|new (?:version|angle|take|hook|opening|intro|ending|script)"
    r"|different (?:angle|take|hook|opening|story|approach)|adapt\w*|turn (?:it|this|the script) into"
    r"|rework\w*|replace the (?:hook|opening|intro|ending|script)|overhaul|reframe|in the (?:style"
    r"|voice) of|from the (?:perspective|point of view))\b",
    re.IGNORECASE,
)
_BECOMES = (
    r"(?:改|写|寫|变|變|转|轉|做|换|換|编|編|弄|整理|来|來)(?:成|为|為|一?[首段篇个版])[^，,。；;\n]{0,10}"
)
_BECOMES_EN = r"\b(?:into|as|like|in|be)\b[^,;.\n]{0,24}\b"
GENRE = Pattern(
    rf"{_BECOMES}(?:诗|詩|歌|rap|说唱|说书|评书|相声|快板|脱口秀|顺口溜|打油|对联|段子|文案|推文|稿|标题|大纲|提纲|问答|对话"
    r"|采访|剧本|小说|童话|散文|信|日记|说明书|教案|列表|清单|独白|朋友圈|小红书)"
    r"|藏头|说唱版"
    rf"|{_BECOMES_EN}(?:poem|poetry|haiku|limerick|sonnet|song|lyrics|rap|verse|ballad|fairy ?tale|dialogue|interview"
    r"|q ?& ?a|faq|tweet|thread|headline|outline|press release|letter|diary|story|bullet\w*|blog post|caption|screenplay"
    r"|monologue|stand-?up)\b",
    re.IGNORECASE,
)
REGISTER = Pattern(
    rf"{_BECOMES}(?:文言|古风|古文|武侠|押韵|方言|话|(?<![繁简簡])体|腔)|押韵|押韻|文言文|古风版"
    rf"|{_BECOMES_EN}(?:rhymes?|shakespear\w*|pirate|yoda|noir|slang|old english)\b|\brhym(?:es?|ing)\b",
    re.IGNORECASE,
)
