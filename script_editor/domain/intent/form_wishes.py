"""Patterns of wishes about figures and form: numbers, structure, order, markup, punctuation."""

import re

from script_editor.patterns import Pattern

_FIGURE_NOUN = (
    r"(?:数字|數字|数据|數據|数值|数量|價格|价格|售价|售價|原价|现价|金额|费用|价钱|日期|(?:时间|時間)(?!码|碼|轴|軸|戳|点)"
    r"|时长|年份|百分比|比例|单位|單位|电话|號碼|号码|链接|鏈接|網址|网址|邮箱|郵箱|地址|优惠码|折扣"
    r"|口令|型号|編號|编号|用量|份量|分量|尺寸|温度|版本号|保修期?|公式|事实|产量|產量|销量|銷量|收入|利率|快捷键|快捷鍵|距离|里程|重量|容量|比分|分数|排名"
    r"|[人次秒天页岁步件个歲頁個件][数數]|分[钟鐘][数數]|小[时時][数數])"
)
_FIGURE_NOUN_EN = (
    r"(?:numbers?|figures?|prices?|pricing|costs?|dates?|times?|durations?|stat(?:s|istics)?"
    r"|percentages?|quantit(?:y|ies)|amounts?|units?|measurements?|phone(?: number)?|links?|urls?"
    r"|e-?mails?|address(?:es)?|(?:promo|discount|coupon) codes?|codes?|discount|model(?: name"
    r"| number)?|version number|temperatures?|years?|facts?|data|fee|deadline|seconds|minutes|hours|distances?|weights?"
    r"|scores?|sizes?|counts?)"
)
_CHANGE = (
    r"(?:改|换|換|更新|修正|订正|更正|核对|调整|調整|换算|換算|统一|統一|去掉|删|刪|写成|替换|替換"
    r"|取整|四舍五入|模糊|隐去|打码|补上|变|翻|降|涨|提高|降低|修改|应该是|應該是|应为|错了|写错)"
)
_CHANGE_EN = (
    r"(?:chang\w+|updat\w+|correct\w*|fix\w*|adjust\w*|convert\w*|replac\w+|round\w*|remov\w+"
    r"|delet\w+|drop\w*|rais\w+|lower\w*|increas\w+|decreas\w+|swap\w*|move|postpone|hide|mask|set"
    r"|edit\w*|redact\w*|cut\w*|standardi[sz]\w*|spell\w*)"
)
NUMBERS = Pattern(
    rf"{_FIGURE_NOUN}[^，,。；;\n]{{0,12}}{_CHANGE}|{_CHANGE}[^，,。；;\n]{{0,12}}{_FIGURE_NOUN}"
    rf"|\b{_CHANGE_EN}\b[^,;.\n]{{0,30}}\b{_FIGURE_NOUN_EN}\b"
    rf"|\b{_FIGURE_NOUN_EN}\b[^,;.\n]{{0,20}}\b{_CHANGE_EN}\b|\bfact[- ]check\w*",
    re.IGNORECASE,
)
FIGURES_UNSAID = Pattern(
    rf"(?:不要|不用|别|別|不|勿)(?:再)?(?:提|说|說|讲|写|出现|报|念|透露"
    rf"|公布)[^，,。；;\n]{{0,8}}{_FIGURE_NOUN}"
    rf"|{_FIGURE_NOUN}[^，,。；;\n]{{0,6}}(?:不要|不用|别|別|勿)(?:再)?(?:提|说|說|讲|写|出现|报|念|读|透露|公布)"
    rf"|\b(?:don['’]?t|do not|without|no|never|stop|avoid) (?:\w+ )?(?:mention|say|giv|includ|reveal"
    rf"|stat|quot|nam|show|us)\w*[^,;.\n]{{0,20}}\b{_FIGURE_NOUN_EN}\b",
    re.IGNORECASE,
)
ARITHMETIC = Pattern(
    r"换算|換算|打[一二三四五六七八九\d.]{1,3}折|翻[一两]?倍|加倍|减半|減半|涨价|漲價|降价|降價|取整"
    r"|四舍五入|推迟|提前|英制|公制|华氏|摄氏"
    r"|[加减多少](?:[一二两三四五六七八九十\d]{1,3})(?:元|块|天|分钟|个小时|小时|个|克|勺)|(?:份量"
    r"|用量|数量|价格).{0,4}(?:加|减|翻)"
    r"|\b(?:double|triple|halve) (?:the|all|every)\b(?! length)|\bround(?:ed|ing)? (?:up|down|off|to"
    r"|the|all)\b|\b(?:metric|imperial|celsius|fahrenheit|kilomet\w+ instead|miles instead)\b"
    r"|\bconvert\w*\b"
    r"|\bpostpon\w+|\breschedul\w+|\b(?:rais|increas|lower|reduc|decreas)\w+ [^,;.\n]{0,30}\bby\b"
    r"|\bscale (?:it|the recipe|up|down)\b|\b(?:add|subtract|take) \w+ (?:to|from) (?:every|each|all"
    r"|the)\b"
    r"|(?:跟着|随之|相应地?|同步|一并|对应)(?:地|着)?(?:修?改|调整|更新|变|换|重?算|计算)|\b(?:accordingly|to match)\b"
    r"|重新(?:计|核)?算|\brecalculat\w+"
    r"|(?:便宜|贵|貴|涨|漲|降|上调|下调|上調|下調)(?:了|个)?[\d一二两兩三四五六七八九十百]{1,5}(?:[元块塊毛%％]|个百分)"
    r"|\b(?:prices?|costs?|fees?|fares?|rates?|figures?|numbers?)\b[^,;.\n]{0,24}\b(?:up|down) (?:by )?[£$€]?\d"
    r"|[早晚迟遲](?:个)?[\d一二两兩三四五六七八九十半]{1,3}(?:个|個)?(?:小时|小時|分钟|分鐘|天|周|星期|月)"
    r"|\b(?:hours?|minutes?|days?|weeks?|months?) (?:earlier|later|sooner)\b"
    r"|(?:改成|变成|改为|改為|换成|现在|都|已经|全部)免[费費]"
    r"|\b(?:is|are|becomes?|now) (?:now )?free\b(?! of| from| to)|\bmake [^,;.\n]{0,30}\bfree\b",
    re.IGNORECASE,
)
_STRUCTURE_NOUN = (
    r"(?:时间码|時間碼|时间轴|时间戳|時間戳|时间标|轴|标签|標籤|角色名?|说话人|发言人|發言人|人名"
    r"|占位符|佔位符|变量|音效|标记|標記|小标题|编号|序号|舞台提示|括号|括號|方括号|格式|cue)"
)
_STRUCTURE_NOUN_EN = (
    r"(?:time ?codes?|time ?stamps?|timings?|cues?|cue numbers?|(?:speaker )?labels?"
    r"|speaker (?:names?|tags?)|placeholders?|variables?|sfx|sound effects?|stage directions?"
    r"|headings?|headers?|format|brackets?|beats?|markers?)"
)
_RESHAPE = (
    r"(?:改|换|換|去掉|去除|删|刪|不要|合并|合併|合成|拆|分开|调整|調整|移除|更新|替换|替換|重排|对调"
    r"|互换|延后|提前|推迟|重新编|重写|统一|統一|填|转成|转为|拿掉|变)"
)
_RESHAPE_EN = (
    r"(?:chang\w+|renam\w+|remov\w+|delet\w+|strip\w*|drop\w*|merg\w+|combin\w+|split\w*|join\w*"
    r"|shift\w*|re-?tim\w+|adjust\w*|renumber\w*|fill\w*|replac\w+|swap\w*|convert\w*|move|delay\w*"
    r"|updat\w+|reformat\w*|without|get rid of|cut\w*|no)"
)
STRUCTURE = Pattern(
    rf"{_STRUCTURE_NOUN}[^，,。；;\n]{{0,12}}{_RESHAPE}|{_RESHAPE}[^，,。；;\n]{{0,12}}{_STRUCTURE_NOUN}"
    r"|纯文本|去格式|(?:改|换|转|变)(?:成|为)(?:一[篇段])?(?:独白|文章|散文|对话)|(?:主持人|嘉宾|旁白"
    r"|角色)[^，,。；;\n]{0,8}(?:改名|改叫|对调|互换|合并)"
    rf"|\b{_RESHAPE_EN}\b[^,;.\n]{{0,30}}\b{_STRUCTURE_NOUN_EN}\b|\bplain text\b|\b(?:as"
    rf"|into) (?:a )?(?:monologue|prose|essay|dialogue|article)\b|\bswap (?:the )?(?:speakers"
    rf"|roles)\b|\brename\b",
    re.IGNORECASE,
)
ORDER = Pattern(
    r"顺序|順序|挪|移[到至动動]|互换|互換|对调|對調|调换|調換|交换|交換|调到|调整.{0,6}(?:顺序|位置)"
    r"|换位|倒过来|颠倒|重排|排序|放到|放在|提到|提前到|先.{1,12}再|次序|前置|后置|倒叙"
    r"|\b(?:re-?order\w*|rearrang\w+|re-?arrang\w+|mov\w+|swap\w*|switch\w*|revers\w+|sort\w*|order"
    r"|transpos\w+|put .{1,40} (?:before|after|first|last|on top)|shuffl\w+|bring .{1,30} (?:forward"
    r"|up)|lead with|open with|start with|restructur\w+)\b",
    re.IGNORECASE,
)
REPETITION = Pattern(
    r"重复|重複|再[说說讲念唱来]一遍|再次|呼应|呼應|反复|复制|複製|照抄|副歌|循环|首尾|点题|两遍|排比"
    r"|回扣|强调一遍|再放"
    r"|\b(?:repeat\w*|again|once more|one more time|twice(?! as)|echo\w*|call ?back\w*|duplicat\w+"
    r"|copy|copies|chorus|refrain|reprise|recap\w*|bookend\w*|full circle|restat\w+|reiterat\w+)\b",
    re.IGNORECASE,
)
MARKUP = Pattern(
    r"加粗|粗体|粗體|斜体|斜體|下划线|高亮|标题|標題|小标题|列表|清单|清單|分点|分點|要点|编号|編號"
    r"|序号|序號|表格|markdown|html|代码块|项目符号|条目|分条|逐条|分成.{0,4}[点条步]|目录|章节"
    r"|标注重音|标重音|标出重|超链接|大纲|提纲|星号|井号|分隔线|引用格式|步骤"
    r"|\b(?:bold\w*|italic\w*|underlin\w+|highlight\w*|headings?|headers?|bullet\w*|lists?|numbered"
    r"|number the|numbering|markdown|html|tables?|code block|check ?list|outline|sub-?headings?"
    r"|titles?|hyperlink|asterisks?|format\w*|sections?|steps)\b",
    re.IGNORECASE,
)
SPACING = Pattern(
    r"标点|標點|引号|引號|全角|半角|空格|逗号|逗號|句号|句號|感叹号|感嘆號|问号|破折号|省略号|书名号"
    r"|顿号|分号|冒号|括号|排版|盘古|间距|缩进|空白字?符"
    r"|\b(?:punctuat\w+|quot(?:e|es|ation) ?marks?|(?:single|double|british|american|smart|curly|straight|typographic"
    r"|angled?) (?:\w+ )?quotes?|curly|spac(?:e|es|ing)|white ?spaces?|commas?"
    r"|periods?|full stops?|exclamation|question marks?|dash(?:es)?|en dash|em dash|hyphens?"
    r"|ellips[ei]s|apostrophes?|semicolons?|colons?|full[- ]width|half[- ]width|typograph\w+"
    r"|indent\w*|parenthes[ei]s|brackets?)\b",
    re.IGNORECASE,
)
BLANK_LINES = Pattern(
    r"空行|分段|段落|换行|換行|断行|斷行|隔行|空一行|分行|[并併合成连連]一段|拆行|拆成"
    r"|[分切](?:成|为|為|作)?[一二两兩三四五六七八九十几幾\d]{1,3}(?:大|小|个|個)?(?:自然)?(?:段|部分)"
    r"|\b(?:blank lines?|empty lines?|paragraph\w*|line breaks?|newlines?|line spacing"
    r"|double[- ]spac\w+|break (?:it|this|the text) (?:up|into))\b",
    re.IGNORECASE,
)
BLANK_LINES_UNWANTED = Pattern(
    r"(?:不要|不用|不必|不需要|不能|别|別|不)(?:再)?(?:有|留|出现)?(?:任何|多余的?)?(?:空行|空一行|隔行)"
    r"|\b(?:no|without|not have|don['’]?t (?:want|have|leave)) (?:any )?(?:blank|empty) lines?\b",
    re.IGNORECASE,
)
"""Said with a "not", and a wish all the same: the blank lines that are there are to go."""
