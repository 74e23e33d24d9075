"""How people word the commands of `commands`, in Chinese and English. Patterns read folded text."""

from script_editor.offline import numerals

MAX_CHARS = 80
"""No command is longer; anything longer is not searched for one."""

JOINT = (
    r"[,;。、\n!?]|\.(?=\s|$)|(?:然后|接着|随后|并且|同时|最后|再(?!见|次))|\b(?:and then|then"
    r"|and also|and|also|after that)\b"
)

_ORIGINAL = r"最初|最开始|最早|原始|原来|起初|初始|初|原|(?:the )?(?:original|initial)(?: one)?"


def version(name: str) -> str:
    """Return the pattern of a version, its number in a group whose name starts with `name`."""
    return (
        rf"(?:第\s*(?P<{name}_1>{numerals.ZH})\s*个?(?:版本?|稿)"
        rf"|版本\s*(?P<{name}_2>{numerals.ZH})|(?P<{name}_3>\d{{1,6}})\s*号?版本?"
        r"|(?:the )?(?:versions?|ver\.?|v\.?|revision|rev\.?|draft|number"
        rf"|no\.?)\s*#?(?P<{name}_4>{numerals.EN})"
        rf"|(?:the )?(?:very )?(?P<{name}_5>{numerals.EN_ORDINAL})(?: version| draft| one)?"
        rf"|#?(?P<{name}_6>\d{{1,6}})"
        rf"|(?P<{name}_original>{_ORIGINAL})的?(?:那个?|一)?(?:版本?|稿|样子| version| draft| text)?)"
    )


_A, _B = version("a"), version("b")

_CHANGE = r"(?:修改|改动|编辑|操作|更改|变更|动作)"
_ZH_LAST = (
    r"(?:刚才|刚刚|上一?次|上一?个|上一?步|最近一?次|最后一?次|前一?步|上次|这次|这一?步|最近的?|最后|之前)?"
)
_EN_LAST = r"(?:(?:that|it|this|the|my|your|last|latest|previous|most recent) )*"
_EN_THING = r"(?:edits?|changes?|steps?|ones?|modifications?|thing|actions?)"

UNDO = (
    rf"(?:撤销|撤消|撤回|回退|取消|反悔|回滚|还原|复原|退回)(?:掉|一下)?{_ZH_LAST}的?(?:那个|那次"
    rf"|那一步|所做的?)?(?:(?P<n1>{numerals.ZH})(?:次|步|个|处))?的?{_CHANGE}?"
    rf"|(?:把)?(?:刚才|刚刚|上一?步|上一?次)的?(?:那个|那次)?{_CHANGE}?(?:给)?(?:撤销|撤回|取消"
    r"|退回|不要)(?:掉|了)*"
    r"|(?:回到|退回到?|恢复到?|还原到?|回退到?|回滚到?|退到)(?:上一?个?|前一?个?|之前的?"
    r"|改之前的?|修改前的?|刚才的?)(?:版本?|稿|步|状态|样子)?的?(?:内容)?"
    rf"|(?:后退|退|回退)(?:(?P<n2>{numerals.ZH})步|一下)|(?:改|变|退|还原)回(?:去|来)|[恢回]复原(?:样|状)"
    r"|(?:再|又|接着|继续)(?:撤销?|退|回退|撤回)(?:一|上一)?(?:次|步|个|下|版)"
    rf"|undo (?:the )?(?:last|previous|latest) (?P<n5>{numerals.EN})"
    r"|(?:undo|go back|step back) (?:again|once more|one more(?: time| step)?|another(?: one| step)?)|(?:one more|another) undo|again undo"
    rf"|undo(?: (?:that|it|this))?(?P<twice> twice)?|undo {_EN_LAST}(?:(?P<n3>{numerals.EN}) )?{_EN_THING}"
    r"|(?:revert|reverse|cancel|discard|roll ?back"
    rf"|take back) {_EN_LAST}(?:(?P<n4>{numerals.EN}) )?{_EN_THING}"
    r"|take (?:that|it) back|put it back(?: (?:how|the way) it was)?|step back|go back(?: (?:one"
    r"|a) step| to (?:the )?(?:previous|last|prior) (?:version|one|draft|state))?"
    r"|(?:revert|roll ?back|return|restore)(?: it)?(?: to)? (?:the )?(?:previous|last"
    r"|prior) (?:version|one|draft|state)|revert(?: it| that)?|roll ?back"
)

REDO = (
    r"(?:再|给我)?(?:重做|恢复撤销|取消撤销|撤销撤销|反撤销|恢复刚才撤销的?(?:修改|改动|内容)?|把?(?:刚才|刚刚)?撤销的(?:那次|那个|那步)?(?:修改|改动)?(?:恢复|还原|重做)(?:回来)?)(?:一下|上一步|一次|一步|刚才的?修改)?|redo(?: (?:that|it|this"
    r"|the last (?:edit|change|one|step)|again|once))?|undo the undo|bring (?:it|that|the (?:last )?change) back(?: again)?"
)

_ZH_THING = r"(?:把)?\s*(?:这个|整个)?(?:脚本|它|文案|稿子|内容|全文)?(?:给我)?"
_ZH_BACK = (
    rf"{_ZH_THING}(?:(?:恢复|回复|复原|回到|还原|退回|退|回退|回滚|切换|切回|切|变回|改回|用回|回"
    r"|倒回|采用|使用|换回|恢复成|还原成)(?:到|至|成|为|去)?|(?:撤销|撤回)(?:到|至))(?:脚本的?"
    r"|之前的?|以前的?)?"
)
_EN_WHAT = r"(?: (?:it|the script|everything|this|the text))?"
_EN_BACK = (
    r"(?:(?:revert|go back|roll ?back|restore|return|switch(?: back)?|reset|bring back|back|use"
    rf"|change|go|move back|undo(?: back)?){_EN_WHAT}(?: back)?(?: to)?|take (?:me|it|us) back to)"
)
REVERT = rf"(?:{_ZH_BACK}|{_EN_BACK})\s*{_A}(?:的?(?:内容|文字|样子|状态|版本)|吧| again| please)?"

_ZH_LOOK = (
    r"(?:(?:让我|给我|帮我|我想|我要|再)?(?:看一?看|看一?下|看下|看|显示|展示|读一?读|读一?下|读"
    r"|打开|查看|列出|列一下|输出|打印|念一?下|念|发我|贴一下)(?:一下|出来?)?)"
)
_ZH_NOW = r"(?:当前|现在|目前|这个|整个|完整|全部|最新|整篇|我的)*的?"
_ZH_SCRIPT = (
    r"(?:脚本|全文|文案|稿子|原文|正文|文本|台词|口播稿)(?:的)?(?:全文|内容|全部|文本|稿子|脚本|文案|原文)?"
)
_EN_LOOK = (
    r"(?:show|display|print|read|see|view|open|let me (?:see|read)|give me|list|output|get|fetch"
    r"|i want to see|can i see)(?: me)?"
)
_EN_SCRIPT = (
    r"(?: (?:the|my|current|whole|full|entire|this|latest|complete|all|of))*(?: (?:script|text|thing"
    r"|lines|contents?|draft|everything|it|transcript))(?: (?:again|now|as it is|in full|so far"
    r"|with (?:line )?numbers))*"
)

SHOW_VERSION = (
    rf"(?:{_ZH_LOOK}(?:脚本的?)?|{_EN_LOOK}|what (?:did|does) (?:(?:it )?(?:look like|say) (?:in|at|as of) )?)\s*{_A}(?:的?(?:内容|全文|文字|样子"
    r"|脚本)| of the script| look(?:ed)? like| say)?"
)
SHOW = (
    rf"{_ZH_LOOK}{_ZH_NOW}{_ZH_SCRIPT}|{_ZH_NOW}{_ZH_SCRIPT}(?:现在|目前)?(?:的)?(?:是什么样子?"
    r"|长什么样子?|什么样子?|怎么样|是什么|写了什么|有什么)(?:了|的)?"
    rf"|{_ZH_LOOK}{_ZH_NOW}(?:样子)|(?:显示|查看|看)(?:全文|全部)|全文|脚本内容"
    rf"|{_EN_LOOK}{_EN_SCRIPT}|show|cat|the (?:full )?script|what does (?:the script"
    r"|it)(?: currently)? (?:look like|say)(?: now)?|what(?:'s"
    r"| is) (?:in )?the (?:current )?(?:script|text)(?: now)?"
)

_ZH_WHOSE = r"(?:这个|整个)?(?:脚本|它|文案|稿子|这条)?的?"
HISTORY = (
    rf"(?:{_ZH_LOOK})?{_ZH_WHOSE}(?:版本历史|历史版本|历史记录|修改历史|修改记录|版本记录"
    r"|版本列表|改动记录|编辑历史|编辑记录|所有版本|全部版本|历史|版本)(?:列表)?"
    rf"|{_ZH_WHOSE}(?:都|一共|总共|到底)?(?:改|修改|编辑)过?了?(?:几|多少)(?:次|遍|版|回"
    rf"|个版本)了?|{_ZH_WHOSE}(?:一共|总共|现在|目前)?有(?:几|多少|哪些)个?(?:版本?|历史版本)了?"
    rf"|{_ZH_WHOSE}(?:都|之前|以前)?(?:改|修改)(?:过|了)(?:些)?(?:什么|啥|哪些|哪里)(?:地方|内容)?"
    rf"|(?:(?:{_EN_LOOK}|what(?:'s| is)) )?(?:(?:the|its|all|full|edit|version|change|revision"
    r"|script's) )*(?:history|versions|changelog|change log|revisions|past edits)(?: of (?:the"
    r"|this) script)?"
    r"|how (?:many|often)(?: (?:times|versions|edits|changes|revisions))?(?: (?:has|have|was|is"
    r"|are|did|do|does))?(?: (?:it|this|the script|there|we|you|i))?(?: (?:been|got|have|made?"
    r"|edited|changed|modified|exist))*(?: (?:it|this|so far))*"
    r"|what (?:versions|changes|edits) (?:are there|do (?:we|i) have|have been made|exist"
    r"|were made)(?: so far)?|what (?:has|have|was) (?:been )?(?:changed|edited)(?: so far)?"
    r"|what did (?:you|we|i) change(?: so far)?"
)

_AND = r"\s*(?:和|与|跟|同|到|至|、|,|vs\.?|对比|比|and|with|to|versus|against|-|~|->|\s)\s*"
_ZH_COMPARE = r"(?:对比|比较|比对|比一?下|对照|对一下|看一?看|看一?下|diff)(?:一下|下)?"
_ZH_DIFFERS = (
    r"(?:之间|相比)?(?:的|有|都|里)*(?:什么|啥|哪些|哪里|何)?(?:差别|区别|不同|差异|变化|改动"
    r"|改了什么|改了哪些|改了啥|改了哪里|变了什么|不一样)(?:在哪里?)?"
)
_EN_COMPARE = (
    r"(?:compare|diff|what(?:'s| is| are| was)?(?: the)? (?:changed|different|differences?|diff"
    r"|changes?)(?: (?:between|from|in))?|(?:the )?differences? between|changes (?:between|from)"
    r"|(?:show(?: me)?|see|tell me|list)(?: the)? (?:diff(?:erences?)?|changes|what changed"
    r"|what's different|what is different)(?: (?:between|from|of))?)(?: the)?"
)
COMPARE = (
    rf"{_ZH_COMPARE}(?:脚本的?)?(?:版本)?\s*{_A}{_AND}{_B}(?:{_ZH_DIFFERS})?",
    rf"(?:脚本的?)?(?:从)?{_A}{_AND}{_B}{_ZH_DIFFERS}",
    rf"(?:对比|比较|比对|diff)?\s*{_A}{_AND}{_B}\s*(?:对比|比较|比对|diff)(?:一下)?",
    rf"{_EN_COMPARE}\s*{_A}{_AND}{_B}",
    rf"how (?:does|do|is) {_A} (?:differ|different) from {_B}",
)
_NOW = r"(?:现在|目前|当前|最新)(?:的)?(?:版本|这版|脚本|内容|稿子)?|(?:the )?(?:current|newest|latest|present)(?: version| one| draft| text| script)?|now|the head|head"
SINCE = (
    rf"(?:{_ZH_COMPARE})?(?:{_NOW})?(?:和|与|跟|同|比|较|对比|相比)?{_A}(?:相比|比起来|对比|比较|比|以来|之后|以后|到现在)(?:一下)?,?(?:都)?{_ZH_DIFFERS}",
    rf"(?:{_ZH_COMPARE})?(?:{_NOW})(?:和|与|跟|同|比|较){_A}(?:{_ZH_DIFFERS})?(?:对比|比较|比)?(?:一下)?",
    rf"(?:{_ZH_COMPARE})?{_A}(?:和|与|跟|同|到|至)(?:{_NOW})(?:{_ZH_DIFFERS})?(?:对比|比较|比)?(?:一下)?",
    rf"(?:对比|比较|比对|比一?下|对照|diff)(?:一下|下)?(?:和|与|跟|同)?{_A}",
    rf"(?:what(?:'s| has| have|'ve)?(?: we| you| i)? (?:changed|different|been changed|new)|(?:show(?: me)? )?(?:the )?(?:changes|differences?|diff)|(?:show(?: me)? )?what changed)(?: since| from| to| against| compared (?:to|with)) {_A}(?: (?:to|and|until) (?:{_NOW}))?",
    rf"(?:compare|diff)(?: it| this| the script)?(?: (?:{_NOW}))?(?: with| to| against| and)? {_A}(?: (?:to|with|and|against) (?:{_NOW}))?",
)
"""Comparisons of a version with the newest one."""
CHANGED_IN = (
    rf"{_A}(?:都)?(?:改了|变了)(?:什么|啥|哪些|哪里)(?:地方|内容)?",
    rf"what (?:changed|was changed|did you change) in {_A}",
)
