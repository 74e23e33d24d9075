"""What the agent is told when a tool may not do what it was called for, in the language of the request."""

from collections.abc import Collection, Sequence

from script_editor.domain.script import Proposal, Version
from script_editor.errors import EditRefused, Language

_SHOWN = 5


def _refused(
    reason: str,
    language: Language,
    message: tuple[str, str],
    advice: tuple[str, str],
    *,
    proposal_id: str | None = None,
) -> EditRefused:
    """Return a refusal whose sentences are given in Chinese and English."""
    which = 0 if language == "zh" else 1
    return EditRefused(
        reason, message[which], advice=advice[which], proposal_id=proposal_id, language=language
    )


def outside(script_id: str, own: str) -> EditRefused:
    """The request is about one script, and this is another."""
    return EditRefused(
        "wrong_target",
        f"This request is about {own!r}; {script_id!r} may not be touched.",
        advice=f"Use script_id={own!r}.",
    )


def not_meant(script_id: str, meant: Collection[str], language: Language) -> EditRefused:
    """The person's words mean other scripts, or say of none that it is meant."""
    zh, en = _listed(meant)
    if not meant:
        return _refused(
            "wrong_target", language,
            (f"指令没有说明要改哪个脚本，所以不能改 {script_id}。",
             f"The request does not say which script it means, so {script_id} may not be changed."),
            ("请问用户要改哪一个，并请他写明编号。", "Ask the person which one to change, by its id."),
        )  # fmt: skip
    return _refused(
        "wrong_target", language,
        (f"指令说的是 {zh}，不能改 {script_id}。", f"The request means {en}; {script_id} may not be changed."),
        (f"只改 {zh}；要改别的，请用户写明编号。", f"Change only {en}; for another the person has to name its id."),
    )  # fmt: skip


def which_one(meant: Collection[str], language: Language) -> EditRefused:
    """Several scripts fit what is said of one."""
    zh, en = _listed(meant)
    return _refused(
        "wrong_target", language,
        (f"有 {len(meant)} 个脚本符合指令的说法：{zh}。", f"{len(meant)} scripts fit what the request says: {en}."),
        ("不要自己选；请问用户是哪一个。", "Do not choose; ask the person which one is meant."),
    )  # fmt: skip


def left_alone(script_id: str, language: Language) -> EditRefused:
    """The person's words say to leave this script as it is."""
    return _refused(
        "wrong_target", language,
        (f"用户说了不要动 {script_id}。", f"The person said to leave {script_id} as it is."),
        ("只改用户要改的脚本。", "Change only the scripts that they want changed."),
    )  # fmt: skip


def show_first(script_id: str, language: Language) -> EditRefused:
    """The words describe a script, and fit the title and the text of none."""
    return _refused(
        "wrong_target", language,
        (f"没有脚本的标题或正文符合用户的描述，看不出指的是不是 {script_id}，所以不能直接保存。",
         f"No script's title or text fits the person's description, so whether {script_id} is meant cannot be told; "
         f"nothing is saved."),
        (f"如果确实像是 {script_id}，用 preview 给出提案并请用户确认；否则请问用户是哪一个编号。",
         f"If it does seem to be {script_id}, make a preview of it and ask the person; otherwise ask for the id."),
    )  # fmt: skip


def only_asked(language: Language) -> EditRefused:
    """The person asks something, and nothing is to be saved."""
    return _refused(
        "wrong_target", language,
        ("用户只是在问，没有让你改，所以不保存。", "The person only asks and orders no change, so nothing is saved."),
        ("用读取的工具查清楚后直接回答；要给出改法就用 preview。",
         "Look it up with the reading tools and answer; to show how it could be changed, use preview."),
    )  # fmt: skip


def no_deletion(script_id: str, language: Language) -> EditRefused:
    """The person wants a script or its history gone."""
    return _refused(
        "wrong_target", language,
        (f"用户要删除脚本或历史版本；没有工具能删除 {script_id}，改写也不是删除。",
         f"The person wants a script or its history deleted; no tool deletes {script_id}, and an edit is no deletion."),
        ("不要改动脚本，直接告诉用户：这里不能删除，版本都会保留。",
         "Leave it as it is and tell the person that nothing is deleted here and every version is kept."),
    )  # fmt: skip


def no_way_back(script_id: str, language: Language) -> EditRefused:
    """An older text was to be brought back, and the words ask for an edit."""
    return _refused(
        "wrong_target", language,
        (f"用户没有要恢复旧版本，所以不能 revert "
        f"{script_id}。", f"The person asks for no older text, so {script_id} is not reverted."),
        ("要修改就用 modify_script。", "To edit it, use modify_script."),
    )  # fmt: skip


def other_version(script_id: str, wanted: Collection[int], language: Language) -> EditRefused:
    """The words mean other versions than the one that was to be brought back."""
    which = (
        "、".join(f"v{number}" for number in sorted(wanted))
        if language == "zh"
        else ", ".join(f"v{number}" for number in sorted(wanted))
    )
    return _refused(
        "wrong_target", language,
        (f"用户说的是 {which}，不是这个版本。", f"The person means {which}, not this version."),
        (f"请用 history 核对 {script_id} 的版本；不确定就问用户。",
         f"Check the versions of {script_id} with history; when in doubt, ask the person."),
    )  # fmt: skip


def only_back(script_id: str, language: Language) -> EditRefused:
    """The words ask for an older text as it was, and no edit."""
    return _refused(
        "wrong_target", language,
        (f"用户只要恢复旧版本，没有要改写 "
        f"{script_id}。", f"The person wants an older version back and no edit of {script_id}."),
        ("用 history 找到版本，再用 revert。", "Find the version with history, then use revert."),
    )  # fmt: skip


def not_taken(proposal_id: str, language: Language) -> EditRefused:
    """A stored proposal was to be saved, and the words do not say so."""
    return _refused(
        "wrong_target", language,
        (f"用户没有说要保存提案 {proposal_id}。", f"The person did not say that proposal {proposal_id} is to be saved."),
        ("要改就用 modify_script 重新修改（不带 proposal_id）；否则回答用户，或问是否保存。",
         "For an edit call modify_script without proposal_id; otherwise answer, or ask whether to save it."),
    )  # fmt: skip


def too_many(count: int, most: int, language: Language, *, at_least: bool = False) -> EditRefused:
    """The words mean more scripts than one request may change."""
    return _refused(
        "wrong_target", language,
        (f"指令涉及{'至少 ' if at_least else ' '}{count} 个脚本，一次最多改 {most} 个，所以一个也没有改。",
         f"The request means {'at least ' if at_least else ''}{count} scripts; one request changes at most {most}, "
         "so none was changed."),
        (f"请建议用户分批来做：每次写明要改的编号，不超过 {most} 个。",
         f"Propose a batch: the person names the ids to change, at most {most} at a time."),
    )  # fmt: skip


def saved_already(version: Version, language: Language) -> EditRefused:
    """The request has saved what it may save of this script."""
    return _refused(
        "conflict", language,
        (f"这次要求已经保存了 {version.script_id} v{version.number}；一次要求只保存一个版本。",
         f"This request has saved {version.script_id} v{version.number} already; one request saves one version."),
        ("不要再改，请直接回答；还要改的话，由用户再提。",
         "Do not edit it again; answer now, and let the person ask for more."),
    )  # fmt: skip


def proposal_meant(script_id: str, proposal_ids: Sequence[str], language: Language) -> EditRefused:
    """The person wants a stored proposal saved; `proposal_ids` are those it can be, newest first."""
    if not proposal_ids:
        return _refused(
            "no_match", language,
            (f"{script_id} 没有待定的提案，所以没有可以保存的预览。",
             f"{script_id} has no open proposal, so there is no preview to save."),
            ("请问用户要改成什么样。", "Ask the person what to change."),
        )  # fmt: skip
    zh, en = _listed(proposal_ids)
    call = f"modify_script(script_id={script_id!r}, proposal_id={proposal_ids[0]!r}, …)"
    return _refused(
        "wrong_target", language,
        (f"用户要保存的是已有的提案（{zh}），不是重新修改。", f"The person wants a stored proposal saved ({en}), no new edit."),
        (f"请这样调用：{call}；只要其中一部分时用 targets 给出行号。",
         f"Call {call}; give targets to save only some of its lines."),
    )  # fmt: skip


def look_first(language: Language) -> EditRefused:
    """The person asked to see the edit before anything is saved."""
    return _refused(
        "wrong_target", language,
        ("用户要先看一看，还不要保存。", "The person wants to see it first; nothing is to be saved yet."),
        ("请改用 preview。", "Use preview instead."),
    )  # fmt: skip


def separate(script_id: str, language: Language) -> EditRefused:
    """The result is to be a script of its own, which no tool makes."""
    return _refused(
        "wrong_target", language,
        (f"用户要的是另一份脚本，{script_id} 本身不能动；这里没有新建脚本的工具。",
         f"The person wants a script of its own and {script_id} to stay as it is; no tool makes a new script."),
        (f"可以用 preview 给出改好的文本，并告诉用户：用 script-editor new 另建一个脚本（例如 {script_id}.en）来保存。",
         f"You may show the text with preview; tell the person to keep it with script-editor new, as {script_id}.en perhaps."),
    )  # fmt: skip


def of_another_script(proposal: Proposal, script_id: str, language: Language) -> EditRefused:
    """The proposal is for another script than the call says."""
    own = proposal.script_id
    return _refused(
        "wrong_target", language,
        (f"提案 {proposal.id} 是 {own} 的，不是 {script_id} "
        f"的。", f"Proposal {proposal.id} is for {own}, not for {script_id}."),
        (f"请用 script_id={own!r}，前提是用户说的就是它。", f"Use script_id={own!r} if that is what the person means."),
    )  # fmt: skip


def _listed(ids: Collection[str]) -> tuple[str, str]:
    """Return the first few ids as a Chinese and as an English list."""
    few = (list(ids) if isinstance(ids, Sequence) else sorted(ids))[:_SHOWN]
    more = len(ids) > len(few)
    return "、".join(few) + ("等" if more else ""), ", ".join(few) + (", …" if more else "")
