"""What an edit tells besides its text, in the language of the request: notes, and how a run ended without a save.

Notes are kept with proposals as they were written, in English where the one who wrote them did not know the
request. They are put into Chinese when they are shown, so that proposals of any age read alike.
"""

import re
from typing import Literal

from script_editor.domain.refusals.sayings import LINES, Saying, in_chinese, saying
from script_editor.errors import Language

Ending = Literal["proposed", "answered", "stopped"]
"""How a run ends without a save: with a proposal, with an answer of the model instead, or because it was stopped."""

OPEN_ALREADY = "The same edit was proposed before and not decided yet: this is that proposal."
_SHOWN_CHARS = 60
_NOTES: tuple[Saying, ...] = (
    saying(LINES.replace("lines?", "[Ll]ines?") + r" (?:is|are|were|was) as (?:they were|it was)", "{lines}没有改动"),
    saying(
        r"['\"](?P<text>.*)['\"] does not occur in the script, so nothing keeps it",
        "脚本里没有“{text}”，所以谈不上保留",
    ),
    saying(
        r"Carried over from proposal (?P<id>\S+), made for (?P<old>v\d+), to (?P<new>v\d+)",
        "由提案 {id} 移过来：原来针对 {old}，现在针对 {new}",
    ),
    saying(
        r"Left out: changes? (?P<ids>[\d, ]+) of (?P<count>\d+), because (?P<version>v\d+) changed the same "
        r"(?:or neighbouring )?lines",
        "第 {ids} 处改动（共 {count} 处）没有采用，因为 {version} 改了同一行或相邻的行",
    ),
    saying(r"Proposal (?P<id>\S+) stays open with all its changes", "提案 {id} 连同它的全部改动仍然保留"),
    saying(r"Written anew by (?P<who>.+?): changes? (?P<ids>[\d, ]+)", "第 {ids} 处改动由 {who} 重新写过"),
    saying(r"Lines of (?P<text>.+) are locked, and differ in it", "“{text}”的台词已锁定，而这一版里的不一样"),
    saying(r"The locked text ['\"](?P<text>.*)['\"] is not in it", "这一版里没有锁定的文字“{text}”"),
    saying(r"Nothing to change\.?", "没有改动"),
    saying(
        r"The model repeated lines? (?P<ids>[\d, ]+); the copy was left out",
        "模型把第 {ids} 行又抄了一遍，重复的部分没有写入",
    ),
    saying(r"The model changed other lines too; they were kept as they were", "模型还改了指定范围以外的行，这些行保持原样"),
    saying(
        r"In one part the model changed lines of others as well; those changes were left out",
        "模型在一部分里还改了别的部分的行，那些改动没有采用",
    ),
    saying(
        r"The model inserted the same text twice where two parts meet; it was kept once",
        "模型在两部分的交界处插入了两次同样的内容，只留了一次",
    ),
    saying(re.escape(OPEN_ALREADY.rstrip(".")), "同样的改动之前已经提过，还没有决定：这就是那份提案"),
)  # fmt: skip


def note_sentence(note: str, language: Language) -> str:
    """Return a note as it is shown for a request in `language`; one that no row knows stays as it is."""
    if language == "en":
        return note
    told = in_chinese(note, _NOTES, _SHOWN_CHARS)
    return note if told is None else f"{told.text}。"


def ending(how: Ending, language: Language, told: str) -> tuple[str, str]:
    """Return the sentence for a run that saved nothing, and what to do next.

    `told` is the proposal's id, what the model answered, or the sentence about what stopped the run.
    """
    zh = language == "zh"
    match how:
        case "proposed":
            said = (
                "模型提出了改动，但没有保存。" if zh else "The model proposed a change but did not save it."
            )
            return said, f"{'保存：' if zh else 'Save it: '}script-editor apply {told}"
        case "answered":
            zh_said = f"模型只作了回答，没有修改，所以没有保存任何内容。模型说：{told}"
            en_said = f"The model answered without editing, so nothing was saved. It said: {told}"
            return zh_said if zh else en_said, _OTHER_WAY[language]
        case "stopped":
            return f"{told}没有保存任何内容。" if zh else f"{told} Nothing was saved.", _OTHER_WAY[language]


def log_hint(run_id: str, language: Language) -> str:
    """Return where to look up what a model answered, for behind a hint."""
    told = "模型的回复" if language == "zh" else "What the model answered"
    return f"     {told}{'：' if language == 'zh' else ': '}script-editor log show {run_id}"


_OTHER_WAY: dict[Language, str] = {
    "zh": "请换个说法，换一个 --mode，或者用 --model 换一个模型。",
    "en": "Put the request in other words, try another --mode, or another model with --model.",
}
