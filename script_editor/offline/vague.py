"""Words that describe a text instead of being it; a request with them needs a writer or a judgement."""

from script_editor.offline.wording import Phrase, pattern

_ZH_WISH = (
    r"更[^，。]{0,12}$|更.*的|.*(?:一点|一些|点儿|些)(?:的.*)?$|.*(?:说法|词语|表达|表述"
    r"|表达方式|近义词|同义词|措辞|句式|字眼|写法|叫法)$"
    r"|(?:别|其他|其它|另外?|另一?)(?:的|个).*|.*(?:合适|恰当|类似|差不多|相关)的.*|(?:什么|随便|任意).*"
    r"|(?:比较|稍微|特别|有点).*|(?:一个|一种|一些|一位|一款)[^，。,]*的[^，。,]+|.*(?:有吸引力"
    r"|有力|吸引人)的?.*"
)
_FORMS = (
    r"(?:第[一二三]人称|(?:过去|现在|将来|一般)时|被动语态|英文|英语|中文|汉语|日文|日语|韩文|韩语|法语|德语|俄语|拼音|繁体字?|简体字?|大写|小写"
    r"|粗体|斜体|谐音|缩写|全称|简称|口语|书面语|方言|粤语|汉字|数字|阿拉伯数字|中文数字"
    r"|文字)(?:形式|表达|说法)?"
    r"|(?:in(?:to)? )?(?:french|spanish|german|italian|japanese|chinese|english|korean|uppercase"
    r"|upper case|lowercase|lower case|title case|all caps|caps|bold|italics?|capitals"
    r"|capital letters"
    r"|words|digits|numerals|past tense|present tense|singular|plural|british english"
    r"|american english|british spelling|american spelling)"
)
_ZH_KIND = (
    r".*(?:语气|风格|口吻|口语|书面语|幽默|搞笑|轻松|疑问句|反问|设问|问句|感叹句|祈使句|陈述句"
    r"|排比|对偶|比喻|英文|英语|中文|日文|日语"
    r"|韩文|韩语|法语|粤语|方言|繁体|简体|文言|白话|诗|押韵|版本?$|人称|被动|主动句|时态|金句"
    r"|梗$|段子|悬念|钩子|号召|结束语|开场白|总结"
    r"|过渡|短句|长句|大写|小写|加粗|斜体|提问|网络用语|流行语|谐音|顺口溜|口号|广告语|标题"
    r"|问候语|结尾语|祝福语).*|[^，。！？,!?]{1,5}[句诗词体式腔调联歌文版语秀]"
)
_ZH_TEXT_KIND = (
    r"(?:一个|一段|一些|几句|一句|一条|几个|点)?(?:关于|引导|号召|呼吁|介绍|总结|说明|鼓励|强调"
    r"|提示|解释|感谢|提醒|引出|类似)[^，]{0,20}"
    r"|(?:告诉|告知|让|叫|劝|邀请|欢迎|祝|问)(?:大家|观众|听众|读者|他们|粉丝|朋友们)[^,。!?]*|.*(?:互动|引导|号召|呼吁|提示"
    r"|鼓励)[^,。!?]{0,4}(?:大家|观众|评论|点赞|关注|问题|互动)[^,。!?]{0,4}|.*(?:联系方式|天气预报|问题|信息|地址|名单"
    r"|列表|标题|时间|日期|字幕|介绍|名言|歌词|广告语?|网址|链接|电话|价格表?|作者名|空话)"
    r"|.*(?:的话|的内容|的句子|的文案|的文字|的台词|的介绍|的说明|的总结|的描述)[。.]?$"
    r"|(?:一个|一段|一些|几句|几个|点|些).*|.*(?:结束语|开场白|过渡|金句|段子|笑话|例子|比喻"
    r"|悬念|钩子|互动|问候|口号|祝福|转场|结语|引子)[。.]?$"
)
_ZH_JUDGED = (
    r".*(?:没用|无用|多余|重复|啰嗦|废话|不必要|没必要|冗余|无关|不重要|敏感|违禁|极限词|夸张"
    r"|不好|不合适|错误|错别字|病句|尴尬|过时|客套"
    r"|形容词|副词|虚词|口水|水分|太[^，。]{1,6}|语病|歧义|难懂|生硬|负面|啰唆|拗口|绕口|无聊).*"
    r"|(?:ai|广告|机器|说教|书面|播音|营销)\S*[味感腔]儿?|到(?:只剩|\d"
    r"|[一二两三四五六七八九十半]).*|.*的(?:内容|部分|话|地方|句子|词|东西|信息"
    r"|描述|段落|细节|词语|表达|铺垫|情节)$|(?:一些|几个|几句|某些|有些|部分).*|(?:开头|结尾"
    r"|中间|前面|后面|开场|结束语|标题|引子|废话)(?:部分)?"
)
_EN_WISH = (
    r"(?:something|anything|some|a (?:more|less|better|different|synonym|similar|shorter|longer"
    r"|simpler|stronger)|an? .*word for"
    r"|more|less|better|another|whatever|its|a synonym|synonyms?)\b.*|.*\b(?:synonym|equivalent"
    r"|alternative|instead of that)s?\b.*"
    r"|.*\b(?:shorter|longer|funnier|friendlier|warmer|simpler|punchier|catchier|clearer|nicer"
    r"|softer|stronger)\b.*"
)
_EN_KIND = (
    r".*\b(?:tone|style|tense|voice|version|question|rhyme|poem|joke|pun|haiku|uppercase"
    r"|lowercase|upper case|lower case|capitals?|caps|bold|italics?"
    r"|bullets?|bullet points?|hook|call to action|cta|summary|paragraph|sentence|sentences"
    r"|plain (?:english|language|words)|simple (?:language|words)|spelling|casual|formal"
    r"|informal|upbeat|natural"
    r"|conversational|engaging|dramatic|polite|exciting|catchy|punchy|funny|humorous|serious"
    r"|rhetorical|first person|third person|second person|present"
    r"|passive|active|british|american|french|spanish|german|italian|japanese|chinese|mandarin"
    r"|korean|english|portuguese)\b.*"
)
_EN_TEXT_KIND = (
    r"(?:an?|some|another|the|one|two|three|few|more|my|our|your|something|anything|about|for|to"
    r"|that|with|where|explaining|introducing|thanking|asking"
    r"|telling|reminding|encouraging|inviting)\b.*"
)
_EN_JUDGED = (
    r".*\b(?:unnecessary|boring|redundant|repetit\w*|useless|irrelevant|extra|weak|awkward"
    r"|duplicates?|duplicated?|parts?|bits?|stuff|fluff|jargon|adjectives?"
    r"|adverbs?|clich\w*|typos?|mistakes?|errors?|anything|whatever|intro|introduction|outro"
    r"|ending|opening|beginning|section|sections|content|details?|long"
    r"|wordy|claims?|slang|swearing|offensive|middle|chunk|sponsor|jokes?|words|sentences|lines"
    r"|paragraphs|repeated|passage|ones?|pitch|fat|fluffy)\b.*|(?:it|to|down|by|back|off)\b.*"
    r"|(?:the )?(?:\w+est|most|least|less|more)\b.*|(?:the )?\w+ (?:line|sentence|word"
    r"|paragraph)|(?:some|a few|any|several|most|half)\b.*"
)
_ZH_PART = (
    r".*(?:台词|对白|旁白|独白|画外音|说的话|讲的话|序号|编号|标号|行号|项目符号|时间码|时间轴|时间戳|小标题|标题行|章节|环节"
    r"|桥段|场景|镜头|段落|部分)(?:标记|标注)?|.+[这那](?:一|几|两)?[段节章幕场条项块部句行](?:话|分|内容)?"
    r"|第\s*[\d零〇一二两三四五六七八九十百]+\s*(?:条|项|点|节|章|幕|场|集|步|部分|环节|个[^,。]{1,6})"
)
_EN_PART = (
    r"(?:the |all |every )?(?:(?:line |list |leading |bullet )?(?:numbering|numbers|bullets)|time ?codes?|time ?stamps?"
    r"|headings?|subheadings?|narration|voice-?over|dialogue)(?: .*)?"
    r"|(?:the )?(?:item|point|step|chapter|part|scene|section|segment|block) \S+"
    r"|(?:the )?\S+ (?:section|scene|chapter|part|block|segment)|.*'s? (?:lines?|part|words|speech|dialogue)"
)
_ZH_ASPECT = (
    r"(?:整个|整篇|全)?(?:脚本|文案|稿子|文章|全文|视频)?的?(?:语气|风格|口吻|语言|内容|结构"
    r"|节奏|标题|称呼|时态|人称|长度|字数|口语|表达|文风|情绪|句式"
    r"|开头|结尾|开场|结束|中间|脚本|文案|稿子|文章|全文|视频|题目|受众|语速|语种|所有数字|数字"
    r"|标点|错别字|语法|拼写|格式|排版|文字)(?:部分)?"
)
_EN_ASPECT = (
    r"(?:the |all |its )?(?:whole |entire |overall )?(?:script|text|tone|style|tense|voice"
    r"|language|title|pace|mood|wording|person|perspective|length|structure"
    r"|spelling|intro|introduction|ending|opening|beginning|hook|everything|it all|point of view"
    r"|measurements|units|numbers|copy|draft|vibe|register|level|reading level)"
)


def _is(words: Phrase, *sources: str) -> bool:
    return any(pattern(source).fullmatch(words.folded) for source in sources)


def is_wish(words: Phrase) -> bool:
    """Say whether words given as new text describe what it should be like."""
    return _is(words, _ZH_WISH, _EN_WISH)


def is_form(words: Phrase) -> bool:
    """Say whether words name a language or a way of writing: 英文, uppercase."""
    return _is(words, _FORMS)


def is_kind(words: Phrase) -> bool:
    """Say whether words given as a new line name a kind of line or a manner."""
    return is_wish(words) or _is(words, _ZH_KIND, _EN_KIND)


def is_text_kind(words: Phrase) -> bool:
    """Say whether words given as a line to insert describe the line."""
    return is_wish(words) or _is(words, _ZH_TEXT_KIND, _EN_TEXT_KIND)


def is_judged(words: Phrase) -> bool:
    """Say whether words given as something to delete ask for a judgement."""
    return _is(words, _ZH_JUDGED, _EN_JUDGED)


def is_aspect(words: Phrase) -> bool:
    """Say whether words given as something to change name a quality of the whole."""
    return _is(words, _ZH_ASPECT, _EN_ASPECT)


def is_part(words: Phrase) -> bool:
    """Say whether words given as something to delete name a part by what it is: 老板的台词, the numbering, item 2."""
    return _is(words, _ZH_PART, _EN_PART)
