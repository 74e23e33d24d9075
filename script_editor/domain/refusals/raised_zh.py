"""What the places that refuse an edit note, in Chinese, besides what the guards find in a text."""

from script_editor.domain.refusals.sayings import LINES, Saying, saying

_QUOTED = r"['\"](?P<text>.*)['\"]"

RAISED: tuple[Saying, ...] = (
    # versions and scripts
    saying(
        r"The (?:reply|plan) (?:is|was made) for version v?(?P<was>\d+); .{1,200} is at version (?P<now>\d+)",
        "改的是 v{was}，而脚本现在是 v{now}",
    ),
    saying(r"The (?:reply|plan) is for " + _QUOTED + r", but .* is being edited", "“{text}”"),
    saying(
        r"This request is about ['\"](?P<text>.*)['\"]; ['\"](?P<text_other>.*)['\"] may not be touched",
        "指令针对“{text}”，不能动“{text_other}”",
    ),
    # what is not there, or more than once
    saying(
        r"There is no line (?P<n>-?\d+): .{1,200}? has (?P<count>\d+) lines?(?: \(blank lines are not counted\))?",
        "没有第 {n} 行，脚本共 {count} 行，空行不算", is_placed=True,
    ),
    saying(_QUOTED + r" does not occur in (?:the script|line \d+)", "“{text}”"),
    saying(r"Line \d+ does not begin with " + _QUOTED, "不是以“{text}”开头"),
    saying(r"S\d+:\w+ does not fit: line (?P<n>\d+) is .*", "编号和这一行对不上"),
    saying(r"S\d+:\w+ does not fit", "编号对不上"),
    saying(
        r"The passages of a block with '\.\.\.' do not stand in this order in the script",
        "要找的几段在脚本里不是这个顺序",
    ),
    saying(r"The script has no lines that could be rewritten", "脚本里没有可以改的行"),
    saying(r"The model found no line that the request is about", "模型没有找到指令说的那一行"),
    saying(r"Proposal (?P<id>\S+) changes nothing in " + LINES, "提案 {id} 没有改{lines}", is_placed=True),
    saying(r"\S+ v\d+ has no such (?P<word>line|words|speaker): (?P<text>.*)", "没有这样的{word}：“{text}”"),
    saying(_QUOTED + r" occurs (?P<times>\d+) times, in lines? [\d, ]+", "“{text}”出现 {times} 次"),
    saying(
        r"Line \d+ lies outside " + _QUOTED + r", and only that part may change", "只能改“{text}”这一部分"
    ),
    saying(
        r"No line of " + _QUOTED + r" is left, and only that part may change",
        "只能改“{text}”，而这一部分已经一行不剩",
    ),
    # nothing to do
    saying(r"\S+ v\d+ already reads as asked; nothing to change", ""),
    saying(r"The script reads so already; nothing was changed", ""),
    saying(r"The model found nothing to change(?: in any part)?", "模型没有找到要改的地方"),
    saying(r"\S+: The text equals the newest version", "和最新版本一模一样"),
    saying(
        r"\S+: The newest version (?P<new>v\d+) already has the text of (?P<old>v\d+)",
        "最新的 {new} 就是 {old} 的内容",
    ),
    saying(r"\S+: There is nothing to (?P<word>undo|redo)", "没有可以{word}的修改"),
    saying(r"\S+: There is only (?P<count>\d+) to (?P<word>undo|redo)", "只能{word} {count} 步"),
    saying(
        r"(?P<version>.{1,90}) already has everything of proposal (?P<id>\S+), which was closed",
        "提案 {id} 的改动 {version} 里都有了，这个提案已经关闭",
    ),
    saying(
        r"(?P<version>.{1,90}) already has everything of proposal (?P<id>\S+); it was closed",
        "提案 {id} 的改动 {version} 里都有了，这个提案已经关闭",
    ),
    saying(
        r"(?P<version>.{1,90}) already has everything of proposal (?P<id>\S+); drop it: "
        r"(?P<command>script-editor discard \S+)",
        "提案 {id} 的改动 {version} 里都有了，可以丢弃它：{command}",
    ),
    # replies that cannot be used
    saying(r"The model refused: (?P<text>.*[\u3400-\u9fff].*)", "模型说：“{text}”"),
    saying(r"The model refused: .*", ""),
    saying(r"The service's content filter stopped the reply", ""),
    saying(r"The reply was cut off \(it reached the length limit\).*", "达到了长度上限"),
    saying(r"The reply was cut off \(the service gave no stop reason\).*", "服务没有说明停下的原因"),
    saying(r"The reply opens a code fence and never closes it.*", "代码框没有合上"),
    saying(r"The reply ends inside its JSON.*|The last block has no end.*|The reply has no '@@ end'.*", ""),
    saying(r"The reply opens a block of reasoning and never closes it.*", "思考的部分没有结束"),
    saying(r"The reply holds reasoning only", "只有思考过程，没有结果"),
    saying(r"The reply is empty|The model sent an empty reply", "回复是空的"),
    saying(r"The reply holds no text", "回复里没有文字"),
    saying(r"[A-Z][A-Za-z]+ of line \d+ has no text", "没有写新的内容"),
    saying(r"The reply holds several versions to choose from, not one script", "有好几种写法，要由人来选"),
    saying(
        r"Dots stand for left-out lines on one side of a block only, so lines would be lost",
        "有几行只写成了省略号",
    ),
    saying(
        r"A block has nothing to find|Beside a line of dots there is new text with nothing to find"
        r"|The text to look for is empty", "",
    ),
    saying(
        r"Two blocks change the same text|Two operations own line \d+"
        r"|The same text is inserted twice at line \d+", "",
    ),
    saying(r"The new text of line \d+ holds escapes such as \\n as characters", "新的内容里有 \\n 之类没有还原的转义符"),
    saying(
        r"The edit cannot be kept: The text has .{3,40} at line (?P<n>\d+), character (?P<k>\d+)",
        "结果里有无法保存的字符：第 {n} 行第 {k} 个字", is_placed=True,
    ),
    saying(
        r"The edit cannot be kept: The text is (?P<size>[\d,]+) bytes; the limit is (?P<limit>[\d,]+)",
        "结果有 {size} 字节，上限是 {limit} 字节",
    ),
)  # fmt: skip
"""The notes of everything that reads a reply, places operations, keeps to the limits of a request or goes back."""
