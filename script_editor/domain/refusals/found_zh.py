"""What the guards and locks note about an edited text, in Chinese."""

from script_editor.domain.refusals.sayings import LINES, Saying, saying

_LOCKED = r"(?: Locked is: \"(?P<text>.*?)\"(?: \((?P<note>.*)\))?)?"
_MARK = r"The (?P<word>placeholder|time code|cue number|cue|heading|speaker label|marker) (?P<text>.+?)"
_ASKED = r"(?P<word_bound>at most |at least |)"

FOUND: tuple[Saying, ...] = (
    # facts
    saying(
        r"Line (?P<n>\d+) of the script is gone, and with it (?P<text>.+)",
        "原来的第 {n} 行没有了，其中的“{text}”也就没有了", is_placed=True,
    ),
    saying(r"Line \d+ no longer says (?P<text>.+)", "不再有“{text}”"),
    saying(
        r"Line (?P<n>\d+) of the script says (?P<text_new>.+) where the script says (?P<text>.+)",
        "原来的第 {n} 行里，“{text}”会变成“{text_new}”", is_placed=True,
    ),
    saying(
        r"Line \d+ says (?P<text_new>.+) where the script says (?P<text>.+)", "“{text}”会变成“{text_new}”"
    ),
    saying(r"Line \d+ brings (?P<text>.+), which the script did not say", "多了脚本里没有的“{text}”"),
    # structure
    saying(
        _MARK + r"(?: \(and (?P<more>\d+) more\))? of line (?P<n>\d+) "
        r"(?:is|are) missing from the edited text(?:; see lines? [\d, and]+?(?: more)?)?",
        "原来第 {n} 行的{word}“{text}”{more}不见了", is_placed=True,
    ),
    saying(
        _MARK + r"(?: \(and (?P<more>\d+) more\))? of line (?P<n>\d+) "
        r"changed (?:its|their) places?(?:; see lines? [\d, and]+?(?: more)?)?",
        "原来第 {n} 行的{word}“{text}”{more}换了位置", is_placed=True,
    ),
    # lines outside
    saying(
        r"The edit would change the order of the lines, but only " + LINES + r"(?: of the script)? may change",
        "行的顺序会变，而只能改{lines}",
    ),
    saying(
        r"The edit would change lines? (?P<lines_old>[\d, –-]+?(?:and \d+(?: more)?)?)(?: of the new text)?, "
        r"but only " + LINES + r"(?: of the script)? may change",
        "会改到{lines_old}，而只能改{lines}", is_placed=True,
    ),
    # length, resemblance, repetition
    saying(r"The text says the same again in .+", ""),
    saying(r"Line \d+ begins the script a second time", "从这里起，整篇脚本又从头来了一遍"),
    saying(
        r"Only (?P<share>\d+%) of the script is left: (?P<old>\d+) lines? became (?P<new>\d+).*",
        "只剩原文的 {share}，{old} 行变成了 {new} 行",
    ),
    saying(
        r"More lines are gone than the instruction names: (?P<old>\d+) lines? became (?P<new>\d+).*",
        "去掉的行比指令里说的多，{old} 行变成了 {new} 行",
    ),
    saying(r"The text breaks off in line (?P<n>\d+)", "到第 {n} 行就断了，后面的没有写完", is_placed=True),
    saying(
        r"Nothing stands for " + LINES + r" of the script, which nobody asked to remove",
        "原来的{lines}不见了，而指令没有要求删掉", is_placed=True,
    ),
    saying(
        r"The text grew to (?P<times>[\d.]+) times its length: (?P<old>\d+) lines? became (?P<new>\d+).*",
        "长度变成原来的 {times} 倍，{old} 行变成了 {new} 行",
    ),
    saying(r"The edited text has next to nothing in common with the script.*", "和原文几乎没有相同的地方"),
    saying(r"The edit would leave the script empty", "改完脚本就空了"),
    # the spoken time
    saying(
        r"The result takes about (?P<s>[\d.]+) s; " + _ASKED + r"(?P<asked>[\d.]+) s was asked for "
        r"\((?P<word_sign>[+-])(?P<by>[\d.]+) s\)\. The base takes about (?P<base>[\d.]+) s",
        "改后约 {s} 秒，要求{word_bound} {asked} 秒，{word_sign} {by} 秒；原来约 {base} 秒",
    ),
    saying(
        r"The result takes about (?P<s>[\d.]+) s; " + _ASKED + r"(?P<asked>[\d.]+) % (?P<word>shorter|longer) was "
        r"asked for \((?P<word_sign>[+-])(?P<by>[\d.]+) s\)\. The base takes about (?P<base>[\d.]+) s",
        "改后约 {s} 秒，要求{word}{word_bound} {asked}%，{word_sign} {by} 秒；原来约 {base} 秒",
    ),
    saying(
        r"The result takes about (?P<s>[\d.]+) s; " + _ASKED + r"the same length was "
        r"asked for \((?P<word_sign>[+-])(?P<by>[\d.]+) s\)\. The base takes about (?P<base>[\d.]+) s",
        "改后约 {s} 秒，要求{word_bound}和原来一样长，{word_sign} {by} 秒；原来约 {base} 秒",
    ),
    # language and marks
    saying(
        r"Line \d+ is in (?P<word_new>simplified|traditional) characters \((?P<text>.*)\) where the script is in "
        r"(?P<word>[a-z]+) ones",
        "用了{word_new}，如“{text}”，而脚本用的是{word}",
    ),
    saying(
        r"Line \d+ is in (?P<word_new>.{3,30}?) where the script is in (?P<word>.{3,30})",
        "成了{word_new}，而脚本是{word}",
    ),
    saying(r"Line \d+ gained (?P<word>.{3,40}?), which a voice would read out", "多了{word}标记，念的时候会念出来"),
    # what models write around a text
    saying(r"Line \d+ stands for left-out text instead of being it", "写的是省略的话，不是原文"),
    saying(r"Line \d+ announces the edit instead of being script text", "是在预告修改，不是脚本内容"),
    saying(r"Line \d+ starts notes about the edit", "从这里起是关于修改的说明"),
    saying(r"Line \d+ is labelled as the edited text", "标着“修改后”之类的字样"),
    saying(r"Line \d+ talks to whoever asked for the edit", "是说给提要求的人听的"),
    saying(r"Line \d+ tells what was edited", "讲的是改了什么"),
    saying(r"Line \d+ talks about the edit", "讲的是这次修改"),
    saying(r"Line \d+ heads one of several versions; a person has to choose", "有好几种写法，要由人来选"),
    saying(r"Line \d+ shows the old and the new text side by side", "新旧两种写法并排写着"),
    saying(r"Line \d+ begins with a mark of the editing format", "以编辑格式的记号开头"),
    saying(r"Line \d+ holds the model's thinking", "是模型的思考过程"),
    saying(r"Line \d+ reads like the model's refusal, not like script text", "像是模型的推辞，不像脚本内容"),
    # locks
    saying(
        r"\"(?P<text>.*)\" is locked(?: \((?P<note>.*)\))?, and the edit would take it away",
        "这个词语已锁定{note}，改后就没有了",
    ),
    saying(
        r"Line (?P<n>\d+) is locked and must keep its place; this edit moves it\." + _LOCKED,
        "第 {n} 行：这一行已锁定{note}，不能挪动", is_placed=True,
    ),
    saying(
        r"Line (?P<n>\d+) is locked; this edit (?P<word>changes|removes) it\." + _LOCKED,
        "第 {n} 行：这一行已锁定{note}，{word}", is_placed=True,
    ),
    saying(
        r"Lines (?P<lines>\d[\d, and-]*) are locked together; this edit puts a line between them\." + _LOCKED,
        "{lines}一起锁定{note}，中间不能插进别的行", is_placed=True,
    ),
    saying(
        r"All lines of (?P<text_name>.+?) are locked; this edit (?P<word>changes|removes or moves) line (?P<n>\d+)\."
        + _LOCKED,
        "第 {n} 行：整位说话人“{text_name}”的台词已锁定{note}，{word}", is_placed=True,
    ),
    saying(
        r"All lines of (?P<text_name>.+?) are locked; this edit adds one\." + _LOCKED,
        "整位说话人“{text_name}”的台词已锁定{note}，不能再添",
    ),
    saying(
        r"All lines of (?P<text_name>.+?) are locked and must keep their places; this edit moves line (?P<n>\d+)\."
        + _LOCKED,
        "第 {n} 行：整位说话人“{text_name}”的台词已锁定{note}，不能挪动", is_placed=True,
    ),
    saying(
        r"Lines? [\d, ]+ of \S+ (?:is|are) locked(?: \((?P<note>.*)\))?: “(?P<text>.*)” must stay as it is\."
        r"(?: Other locks it would break: (?P<more>\d+))?\.?",
        "这一行已锁定{note}：“{text}”{more}",
    ),
    saying(
        r"“(?P<text>.*)” is locked on lines? [\d, ]+ of \S+?(?: \((?P<note>.*)\))?: it must stay there as often as "
        r"it stands now\.(?: Other locks it would break: (?P<more>\d+))?\.?",
        "这个词语已锁定{note}：“{text}”{more}",
    ),
    saying(
        r"All that (?P<text>.+?) says is locked(?: \((?P<note>.*)\))?: lines? [\d, ]+ of \S+ must stay, and none may "
        r"be added\.(?: Other locks it would break: (?P<more>\d+))?\.?",
        "整位说话人“{text}”的台词已锁定{note}{more}",
    ),
)  # fmt: skip
"""The notes of the guards, the locks and the last look before the store, without those of the replies."""
