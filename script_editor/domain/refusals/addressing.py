"""Refusals for the agent, put to the person: what it is told of "the person" (用户) is said to them as you (你)."""

from script_editor.errors import EditRefused, Language
from script_editor.patterns import Pattern

_ZH = (
    (
        r"请这样调用：modify_script\(.*?proposal_id='(?P<id>p-\w+)'[^)]*\)(?:；.*)?",
        r"要保存它：script-editor apply \g<id>",
    ),
    (
        r"要改就用 modify_script 重新修改（不带 proposal_id）；否则回答用户，或问是否保存",
        "要保存请明说，要改请说改什么",
    ),
    (r"要修改就用 modify_script", "要改请说改什么"),
    (r"用读取的工具查清楚后直接回答；要给出改法就用 preview", "要改请说改什么"),
    (r"用 history 找到版本，再用 revert", "请写明要恢复到第几版"),
    (
        r"请用 history 核对 (?P<id>\S+) 的版本(?:；不确定就问用户)?。?",
        r"看 \g<id> 的版本：script-editor history \g<id>",
    ),
    (r"可以用 preview 给出改好的文本，并告诉用户：用", "请用"),
    (r"请问用户(?:要改)?(?:是)?哪一?个，并请他写明编号", "请写明要改的是哪一个编号"),
    (r"不要自己选；请问用户是哪一个", "请写明是哪一个"),
    (r"否则请问用户是哪一个编号", "否则请写明编号"),
    (r"请问用户要改成什么样", "请说明要改成什么样"),
    (r"(?:不要改动脚本，)?直接告诉用户：", ""),
    (r"(?:，|并)?告诉用户：", "，"),
    (r"请建议用户分批来做：", "请分批来做："),
    (r"；不确定就问用户", ""),
    (r"不要再改，请直接回答；还要改的话，由用户再提", "还要改的话，请再提一次"),
    (r"用 preview 给出提案并请用户确认", "请先要一份预览"),
    (r"请用户|由用户", "请你"),
    (r"没有让你改", "没有要改"),
    (r"用户", "你"),
)
_EN = (
    (
        r"Call modify_script\(.*?proposal_id='(?P<id>p-\w+)'[^)]*\)(?:; .*)?",
        r"Save it: script-editor apply \g<id>",
    ),
    (
        r"For an edit call modify_script without proposal_id; otherwise answer, or ask whether to save it",
        "Say so to save it, or say what to change",
    ),
    (r"To edit it, use modify_script", "Say what to change"),
    (
        r"Look it up with the reading tools and answer; to show how it could be changed, use preview",
        "Say what to change",
    ),
    (r"Find the version with history, then use revert", "Name the version to go back to"),
    (
        r"Check the versions of (?P<id>\S+) with history(?:; when in doubt, ask the person)?\.?",
        r"See its versions: script-editor history \g<id>",
    ),
    (r"You may show the text with preview; tell the person to keep it with", "Keep the text with"),
    (
        r"(?:Do not choose; )?[Aa]sk the person which one (?:to change, by its id|is meant)",
        "Name the id that is meant",
    ),
    (r"for another the person has to name its id", "for another name its id"),
    (r"[Aa]sk the person what to change", "Say what to change"),
    (r"[Ll]eave it as it is and tell the person that nothing", "Nothing"),
    (r"; when in doubt, ask the person", ""),
    (
        r"make a preview of it and ask the person; otherwise ask for the id",
        "ask for a preview of it; otherwise name the id",
    ),
    (r"Do not edit it again; answer now, and let the person ask for more", "Ask again for more"),
    (r"Propose a batch: the person names", "Make a batch of it: name"),
    (r"tell the person to keep it", "keep it"),
    (r"the person's", "your"),
    (r"(?:^|(?<=[.;:] ))The person only asks and orders", "You only ask and order"),
    (r"The person (want|mean|ask)s\b", r"You \1"),
    (r"the person (want|mean|ask)s\b", r"you \1"),
    (r"\bThe person\b", "You"),
    (r"\bthe person\b", "you"),
    (r"that they want", "that you want"),
)
_RULES = {
    "zh": tuple((Pattern(source), said) for source, said in _ZH),
    "en": tuple((Pattern(source), said) for source, said in _EN),
}


_QUOTED = Pattern(r"(“[^”]*”|\"[^\"\n]*\")")
_OF_THE_DESK = frozenset({"wrong_target"})
"""What is refused because the person did not ask for it: only these messages speak of them."""
_ASKS_BACK = frozenset({*_OF_THE_DESK, "no_match"})
"""What may have the agent ask the person."""


def addressed(refusal: EditRefused) -> EditRefused:
    """Return a refusal that was worded for the agent as the person is told it; any other as it is."""
    language = refusal.language
    if language is None or refusal.reason not in _ASKS_BACK:
        return refusal
    message, advice = refusal.message, to_person(refusal.advice, language)
    if refusal.reason in _OF_THE_DESK:
        message = to_person(message, language)
    if (message, advice) == (refusal.message, refusal.advice):
        return refusal
    return EditRefused(
        refusal.reason,
        message,
        segments=refusal.segments,
        nearest=refusal.nearest,
        advice=advice,
        example=refusal.example,
        was=refusal.was,
        kept=refusal.kept,
        proposal_id=refusal.proposal_id,
        language=language,
    )


def to_person(sentence: str, language: Language) -> str:
    """Return a sentence for the agent as the person is told it; quotations, and what speaks of no person, stay as they are."""
    parts = _QUOTED.compiled.split(sentence)
    return "".join(part if place % 2 else _told(part, language) for place, part in enumerate(parts))


def _told(words: str, language: Language) -> str:
    for pattern, said in _RULES[language]:
        words = pattern.sub(said, words)
    return words
