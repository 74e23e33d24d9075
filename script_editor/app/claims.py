"""Does an answer tell of an edit? The program knows what was saved; here it reads what the model says was.

Clause by clause, in both languages. What is denied, asked, planned, offered or quoted claims nothing, and
neither does a report of what happened to the script before: times, authors and version numbers as subjects.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from script_editor.agent.steps import AgentFinish, AgentStep
from script_editor.app.hanzi import simplified
from script_editor.app.scope import Ledger
from script_editor.errors import Language
from script_editor.patterns import Pattern

Claim = Literal["edited", "saved"]
"""What an answer says was done: "edited" leaves open whether it was saved."""

_LOOKING = frozenset({"history", "diff", "get_script", "list_scripts"})
_REPORTING = frozenset({"history", "diff"})


@dataclass(frozen=True, slots=True)
class Claims:
    """Checks the answers of one run against its ledger, for the `answer_check` of the executor."""

    ledger: Ledger
    language: Language

    def check(self, answer: AgentFinish, steps: Sequence[AgentStep]) -> str | None:
        """Return what is wrong with an answer that tells of an edit when nothing was saved, or None."""
        if self.ledger.saved or answer.output.strip() in {told.strip() for told in self.ledger.answers}:
            return None
        used = {step.action.tool for step in steps}
        claim = claim_of(answer.output, is_report=bool(used & _REPORTING) and used <= _LOOKING)
        if claim is None or (claim == "edited" and self.ledger.kept):
            return None
        return self._objection()

    def _objection(self) -> str:
        kept = self.ledger.kept
        if self.language == "zh":
            have = f"只有提案 {kept[-1].proposal.id}，还没有保存" if kept else "没有保存任何内容"
            return f"你的回答说已经改好，但这次运行{have}。需要修改就调用工具；否则请如实说明没有保存。"
        have = f"there is only proposal {kept[-1].proposal.id}, not saved" if kept else "nothing was saved"
        return (
            f"Your answer tells of an edit, but in this run {have}. Call a tool if the edit is still to be made; "
            "otherwise say plainly that nothing was saved."
        )


def claim_of(answer: str, *, is_report: bool = False) -> Claim | None:
    """Return what an answer says was done to a script, the stronger of its claims; None when it claims nothing.

    With `is_report` the run only looked at a history: then only what the speaker says of itself counts.
    """
    found = {
        claim for clause in _clauses(simplified(answer)) for claim in _claims(clause, is_report=is_report)
    }
    return "saved" if "saved" in found else "edited" if found else None


# --- clauses ---------------------------------------------------------------------------------

_QUOTED = Pattern(
    r"“[^”\n]{0,600}”|「[^」\n]{0,600}」|『[^』\n]{0,600}』|《[^》\n]{0,600}》|\"[^\"\n]{0,600}\"|`[^`\n]{0,600}`"
    r"|‘[^’\n]{0,600}’|(?<![\w])'[^'\n]{1,600}'(?!\w)"
)
_SENTENCE = Pattern(r"(?<=[。！？!?；;\n])|(?<=\.)(?=\s)")
_CLAUSE = Pattern(r"[，,、：:]|——?|(?=但|不过|然而)|\b(?=but\b|however\b|although\b|so\b)", re.IGNORECASE)
_SHOWN_ROW = Pattern(r"\s*(?:>|[-+~]\s*S\d|S\d+\s*[:|]|v\d+\s*\||\|)")
_ASKS = Pattern(r"[?？]\s*$|吗[。.!]?\s*$|呢[。.]?\s*$|是否|要不要|还是说")


def _clauses(answer: str) -> Iterator[str]:
    """Yield the clauses that could claim something, without quotations and rows of a tool's own."""
    for line in answer.split("\n"):
        if _SHOWN_ROW.match(line):
            continue
        for sentence in _SENTENCE.split(_QUOTED.sub("□", line)):
            if not _ASKS.search(sentence) and (not _REPORTED.search(sentence) or _OWN.search(sentence)):
                yield from _unconditional(sentence)


def _unconditional(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence, none once it says "if": what follows depends on it."""
    clauses = [clause.strip() for clause in _CLAUSE.split(sentence) if clause.strip()]
    for place, clause in enumerate(clauses):
        if _IF.search(clause):
            return
        # "Done: 12 scripts listed." is done with what it goes on to say.
        if not (_BARE_DONE.fullmatch(clause) and any(_NO_EDIT.search(rest) for rest in clauses[place + 1 :])):
            yield clause


_BARE_DONE = Pattern(r"\W*(?:(?:all )?done|finished|完成|搞定|好|做好|办好)(?:了|啦)?\W*", re.IGNORECASE)


_IF = Pattern(
    r"如果|要是|假如|倘若|若(?!干)|一旦|只要|除非|等你|等您|确认后|同意后|\b(?:if|once|unless|until"
    r"|when you|after you|as soon as)\b",
    re.IGNORECASE,
)

_DAY_ZH = (
    r"(?:周|星期|礼拜)[一二三四五六日天]|昨[天晚日]|前[天晚日]|上(?:周|个?月)|(?<![销复退滚回])上(?:次|一次"
    r"|回)|去年|今[早晨]|今天(?:早上|上午|下午|\d)|\d+\s*月\s*\d+\s*[日号]|\d+\s*(?:天|小时|分钟|周)前"
    r"|\d{1,2}[:：]\d{2}"
)
_DAY_EN = (
    r"(?:on|since|until|last|this past) (?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|last (?:week|month|night|time)"
    r"|\d+ (?:minutes?|hours?|days?|weeks?) ago|this morning|on \d{1,2} \w+|on \w+ \d{1,2}\b"
    r"|\bat \d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}"
)
_REPORTED = Pattern(
    rf"{_DAY_ZH}|\d{{4}}-\d{{2}}-\d{{2}}|曾经?|当时|此前|之前(?:的|已|就|把)|以前|历史上|原先|最近一次"
    rf"|最后一次|最初|改过|用户(?:曾|要求)|由\s*\S{{1,12}}\s*(?:修改|保存|改)"
    r"|\bv\d+\s*(?:于|在|里|中|是|把|将|：|:|改|删|加|调整|恢复|撤销|只)"
    r"|第\s*[\d一二三四五六七八九十]+\s*个?版本?(?:里|中|把|将|的|是|：|:|改|删|加|只)"
    rf"|从\s*v\d+\s*到\s*v\d+[^，。]{{0,6}}(?:之间|改|共|有|：|:)"
    rf"|\b(?:{_DAY_EN})\b|\b(?:previously|earlier|originally|at first|formerly|in the past|so far|back then|history)\b"
    r"|\b(?:in|by|between|from) (?:v\d+|version \d+)(?! to v)|^\W*(?:v\d+|version \d+)\s*(?::|\(|changed"
    r"|added|removed|replaced|was|made|brought|restored|undid|shortened|only|is (?:the|an?)\b)"
    r"|^\W*compared (?:with|to)\b|^\W*(?:对比|比较|和[^，。]{1,12}相比|与[^，。]{1,12}相比)|\b(?:mentions?"
    r"|says|states|tells|shows) that\b"
    r"|\bthe (?:last|latest|previous|first|second|third|most recent) (?:edit|change|version"
    r"|revision)\b(?! (?:has been|is|is now) (?:undone|reverted|taken))",
    re.IGNORECASE,
)

_DENIED_ZH = (
    r"没有|没能|没法|并没|还没|尚未|未能|未(?=保存|改|修改|做|经|应用|写|作|变|动)|无法|不能|不会|不曾|无需"
    r"|不需要|不必|不用|不要|别|拒绝|失败|尚待|暂不|暂未|不作|不做|没(?=保存|改|动|做|存|写|删|加|换)|以免"
    r"|避免"
)
_DENIED_EN = (
    r"\b(?:not|never|nothing|no|none|neither|nor|unable|cannot|fail(?:ed|s)?|refused|without|instead of"
    r"|rather than|unchanged|unsaved|untouched)\b|n['’]t\b"
)
_PLANNED_ZH = (
    r"(?<!已)(?<!已经)将(?!.{0,20}(?:了|好|完))|(?<![机社开聚])会|打算|准备|计划|可以|能够?|想要?|希望"
    r"|建议|需要|应该|应当|请|让我|我来|接下来|下一步|待|要(?=改|把|将|保存|换|删|加|先)|才能|之后再|以便"
    r"|为了|怎么|如何|例如|比如"
    r"|(?:作为|为|成|留作|生成|做了|做好|准备|有)(?:一个|了)?(?:提案|预览|方案)|(?:提案|预览|方案)(?:已(?!经?(?:应用"
    r"|采用|保存|提交|生效))"
    r"|准备|做|好|如下|在|没|还|可)"
)
_PLANNED_EN = (
    r"\b(?:will|would|shall|should|can|could|may|might|must|going to|about to|want(?:s|ed)?|let me|let's"
    r"|please|need(?:s|ed)? to|to be|plan(?:s|ned)?"
    r"|suggest(?:s|ed)?|recommend(?:s|ed)?|propos(?:e|es|ed|als?)|preview"
    r"|(?<!as )(?<!as you )(?<!you've )asked|(?<!as )(?<!as you )(?<!the )requested|requests? (?:to|that)|wish"
    r"|ready to (?!go\b|use\b)|in order to|how to|for example|e\.g\.|try|trying"
    r"|before|until)\b|['’](?:ll|d)\b"
)
_UNREAL = Pattern(f"{_DENIED_ZH}|{_DENIED_EN}|{_PLANNED_ZH}|{_PLANNED_EN}", re.IGNORECASE)

_DO_ZH = (
    r"(?:修改|改写|重写|改|替换|更换|换|删除|删|去掉|去除|添加|补充|加入|加|插入|调整|缩短|压缩|精简|润色|优化"
    r"|翻译|移动|移|挪|合并|拆分|统一|更正|修正|处理|编辑|完成|搞定|纠正|扩写|展开|简化|压|整理|做了|落实|调(?=得|成"
    r"|高|低|快|慢|短|长))"
)
_SAVE_ZH = r"(?:保存|存档|存|写入|应用|更新|提交|生效|采用|恢复|还原|回退|撤销|回滚|覆盖|发布)"
_ADVERB_ZH = (
    r"(?:成功|全部|都|为您|为你|帮您|帮你|给您|给你|按要求|按您的要求|按照要求|一并|直接|顺利|相应|完整|地)*"
)
_DONE_ZH = r"(?:好|完|掉|成|为|到|短|长|回|上|去|入|进|过来|一遍|完毕|得[^，。]{1,14}?)*"
_SAVED = Pattern(
    rf"已(?:经)?{_ADVERB_ZH}(?:把|将|对)?[^，。]{{0,40}}?{_SAVE_ZH}|{_SAVE_ZH}{_DONE_ZH}[了啦]|保存(?:成功|完毕"
    r"|完成)|更新(?:成功|完毕|完成)|存(?:成|为)了?\s*(?:新版本|v\d)"
    r"|(?:现在|目前|当前)(?:版本)?(?:已?是|为)(?:最新)?(?:版本?)?\s*v\d+|(?<!最)新版本(?:为|是|号)?\s*v?\d"
    r"|新版本已(?:经)?(?:生成|创建|建好|产生)|已(?:经)?(?:生成|创建|产生)了?新版本"
    r"|(?:撤销|恢复|还原|回退|回滚|应用|采用|提交|写入|覆盖)(?:成功|完成|完毕)"
    r"|\b(?:is|are|was|were|been|get|got|i|we|i['’]ve|have|has|and|now|successfully|changes?"
    r"|edits?)\s+(?:now |just |also |all |been |successfully )*"
    r"(?:saved|applied|updated|committed|stored|reverted|restored|undone|rolled back|published|written)\b"
    r"|^\W*(?:successfully )?(?:saved|applied|updated|reverted|restored|undid|committed)\b"
    r"|\bnow (?:at )?v\d+\b|\bnew version (?:is |number )?v?\d",
    re.IGNORECASE,
)
_VERBS_EN = (
    r"(?:changed|replaced|removed|deleted|added|inserted|appended|moved|swapped|shortened|trimmed"
    r"|tightened|rewrote|rewritten|reworded|rephrased|translated"
    r"|fixed|corrected|edited|modified|revised|adjusted|merged|combined|split|simplified|polished|made"
    r"|turned|unified|cut|dropped|tidied|softened|converted|renamed"
    r"|expanded|improved|restructured|completed|standardi[sz]ed|reworked|refined|took out|taken out|cleaned up"
    r"|streamlined|loosened|warmed up|lengthened|redid|redone)"
)
_EDITED = Pattern(
    rf"已(?:经)?{_ADVERB_ZH}(?:把|将|对|给|在)?[^，。]{{0,40}}?{_DO_ZH}|{_DO_ZH}{_DONE_ZH}[了啦]|(?:把"
    rf"|将)[^，。]{{1,60}}?{_DO_ZH}{_DONE_ZH}(?:[了啦]|$)"
    rf"|^我(?:刚刚|刚才|刚|已经)?(?:把|将|对|给)[^，。]{{1,60}}?{_DO_ZH}|(?:修改|改动|编辑|任务|替换|操作"
    r"|整理|翻译|润色|处理|精简|压缩|调整)(?:都|已经?|全部)*(?:完成|搞定|完毕|成功)|做了(?:如下|以下|一些"
    r"|几处|\d+ ?处|这些)*(?:修改|改动|调整|精简|替换)"
    r"|^(?:好的?|OK)?[，, ]*(?:全部|都)?(?:(?:搞定|完成|做好|弄好|办好|做完|好)(?:了|啦|咯)|(?:搞定|完成|弄好"
    r"|办好)(?=$|[！!。]))|(?:现在|脚本|结尾"
    r"|开头|全文)[^，。]{0,14}?(?:更加?|变得?)[^，。]{1,14}了"
    r"|现在(?:改为|改成|变成|换成|是□)|已经?[^，。]{0,6}变得?更|(?:以下|下面)是(?:修改|改写|更新|调整|润色"
    r"|翻译)(?:后|好|过)?的"
    rf"|\b(?:i|we)(?: have|['’]ve)?(?: also| now| just| already| since| gone ahead and)* {_VERBS_EN}\b"
    rf"|\b(?:is|are|was|were|has been|have been|been)(?: now| also| all| just| successfully| already)* {_VERBS_EN}\b"
    rf"|^\W*(?:successfully |also |all )?{_VERBS_EN}\b"
    r"|\bnow (?:reads?|says?|opens?|ends?|begins?|starts?|uses?|has|sounds?|is|are|contains?|mentions?|takes?|runs?)\b"
    r"|\b(?:is|are) now (?!at\b)\w+|^\W*(?:all |it['’]s |it is )?(?:done|finished)\b|\bwent through\b|\b(?:edits?"
    r"|changes?|updates?) (?:is|are) in\b|^\W*(?:edit|change|update|revision)s? (?:complete|done|made|applied)\b"
    r"|\btaken care of\b"
    rf"|^\W*(?:the )?(?:\w+ ){{1,3}}{_VERBS_EN}\W*$"
    rf"|\bwent ahead and {_VERBS_EN}\b"
    r"|\b(?:is|are) (?:now )?(?:live|in place)\b|\bhere(?:['’]s| is) (?:the|your) (?:updated|revised"
    r"|edited|new|modified|rewritten|shortened|translated)\b|\ball set\b|\b(?:edit|change|update"
    r"|revision)s? (?:is|are|was|were) (?:complete|done|made|in place)",
    re.IGNORECASE,
)
_OWN = Pattern(
    r"^我(?:刚刚|刚才|刚|已经|已)?(?:把|将|对|给|保存|改|替|删)|已(?:经)?(?:为您|为你|帮您|帮你|按要求"
    r"|按您)|\bi(?:['’]ve| have| just| also| now)+ \w+|^i \w+ed\b",
    re.IGNORECASE,
)
_NO_EDIT = Pattern(
    r"(?:读|看|查|找|列|检查|核对|比较|对比|了解|阅读|浏览|总结|回答|搜索|确认)(?:过|完|了|好|到|出|一遍)"
    r"|已(?:经)?(?:完整)?(?:读|看|查|找|列|检查|核对|对比)"
                      r"|\b(?:read|checked|looked|found|listed|compared|searched|reviewed|counted|answered"
                      r"|summari[sz]ed)\b", re.IGNORECASE)  # fmt: skip


_TOOK_PROPOSAL = Pattern(
    r"\b(applied|saved|accepted|committed) (?:the|your|that|this) (?:proposal|preview|suggestion)\b",
    re.IGNORECASE,
)


def _claims(clause: str, *, is_report: bool) -> Iterator[Claim]:
    clause = _TOOK_PROPOSAL.sub(r"\1 it", clause)
    if _UNREAL.search(clause) or (is_report and not _OWN.search(clause)):
        return
    if _SAVED.search(clause):
        yield "saved"
    elif _EDITED.search(clause) and not _NO_EDIT.search(clause):
        yield "edited"
