"""The short final answers of the offline model, in the language of the request."""

import re
from collections.abc import Sequence

from script_editor.domain.refusals.addressing import to_person
from script_editor.domain.refusals.failures_zh import failure_zh, next_step_zh
from script_editor.offline.wording import Language

_SENTENCES = {
    "saved": ("改好了。", "Done."),
    "previewed": ("预览好了，还没有保存。", "The preview is ready; nothing was saved."),
    "undone": ("已撤销上一次修改。", "The last change is undone."),
    "no_undo": ("没有可以撤销的修改。", "There is nothing to undo."),
    "read_only": (
        "现在只能预览，不能恢复版本。",
        "This is a preview only, so no version can be restored.",
    ),
    "no_tool": ("这里没有能做这件事的工具。", "There is no tool for this here."),
    "taken": ("已按预览保存。", "The preview is saved as it was."),
    "redone": ("已重做刚才撤销的修改。", "The change that was undone is back."),
    "no_redo": ("没有可以重做的修改。", "There is nothing to redo."),
    "thanks": ("不客气。还要改什么，请直接说。", "You are welcome. Say what else to change."),
    "good": (
        "好的，这次没有改动。要保存刚才的预览，请说：就用它。",
        "All right; nothing was changed. To save the preview, say: apply that preview.",
    ),
    "help": (
        "这里是离线编辑器，只做机械的事：替换、删除、插入、移动文字，看脚本、字数、历史和差别，撤销和恢复。"
        "例如：把 video_001 里的“旧词”改成“新词”；删掉第3行；在第2行后面加一行：……；撤销。需要写作的要求要先设置模型。",
        "This is the offline editor, which does mechanical work: replace, delete, insert and move text, show scripts, their "
        'length, history and differences, undo and restore. Examples: in video_001 replace "old" with "new"; delete line 3; '
        "add a line after line 2: ...; undo. What needs a writer needs a model to be set up.",
    ),
    "no_script": (
        "没有说明是哪个脚本。请写明编号，例如：把 video_001 里的“旧词”改成“新词”。",
        'Which script is meant? Name its id, such as: in video_001 replace "old" with "new".',
    ),
}


def sentence(name: str, language: Language) -> str:
    """Return a fixed answer."""
    zh, en = _SENTENCES[name]
    return zh if language == "zh" else en


def restored(version: int, language: Language) -> str:
    """Return the answer after a revert."""
    return f"已恢复到第 {version} 版。" if language == "zh" else f"Version {version} is restored."


def undone(steps: int, language: Language) -> str:
    """Return the answer after so many changes were taken back."""
    if steps == 1:
        return sentence("undone", language)
    return f"已撤销最近 {steps} 次修改。" if language == "zh" else f"The last {steps} changes are undone."


def too_few_to_undo(steps: int, language: Language) -> str:
    """Return the answer when there are not so many changes."""
    if language == "zh":
        return f"没有 {steps} 次可以撤销的修改，所以什么也没有改。"
    return f"There are not {steps} changes to undo, so nothing was changed."


def measured(
    script_id: str, lines: int, words: int, spoken: str, language: Language, *, has_han: bool
) -> str:
    """Return how long a script is; `spoken` is what the tool told of the time, in the same language."""
    time = spoken.strip().rstrip("。.")
    if language == "zh":
        return f"{script_id} 共 {lines} 行，{words} 字（英文单词和数字各算一字，不含标点）；{time}。"
    noun = "word" if words == 1 else "words"
    counted = " (a Chinese character counts as one)" if has_han else ""
    return f"{script_id}: {lines} lines, {words} {noun}{counted}; {time}."


_FOR_THE_AGENT = re.compile(
    r"请?问用户|用户|modify_script|preview\b|\bthe person\b|\bscript_id\b|不要再改|请先 |\bget_script\b"
)
_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*(?=\S)|(?<=\.)\s+(?=[A-Z\"“])")
_GAP = re.compile(
    r"(?<=[。！？；：，、])[ \t]+(?=\S)|(?<=[”」』）])[ \t]+(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff])[ \t]+(?=[“「『（])"
)


def why_not(observation: str, language: Language) -> str:
    """Return why a tool did nothing, from its error: its first line, put to the person, without advice for the agent only."""
    lines = observation.strip().split("\n")
    why = lines[0].removeprefix("Error").lstrip(": ") if lines else ""
    said = _SENTENCE_END.split(why)
    if language == "zh" and (told := failure_zh(said[0])) != said[0]:
        return f"{told}{next_step_zh(' '.join(said[1:]))}"
    kept = said[:1] + [words for words in said[1:] if not _FOR_THE_AGENT.search(words)]
    return _GAP.sub("", to_person(" ".join(kept), language))


def first_sentence(text: str) -> str:
    """Return the first of some sentences."""
    return _SENTENCE_END.split(text, maxsplit=1)[0]


def failed(observation: str, language: Language) -> str:
    """Return the answer after an observation that is an error; its first line says why."""
    why = why_not(observation, language)
    return f"没有做成：{why}" if language == "zh" else f"This was not done: {why}"


def not_done_in(script_ids: Sequence[str], observation: str, language: Language) -> str:
    """Return the sentence that says which of several scripts was left as it was, and why."""
    why = first_sentence(why_not(observation, language))
    if language == "zh":
        return f"{'、'.join(script_ids)} 没有改：{why}"
    return f"{', '.join(script_ids)} {'was' if len(script_ids) == 1 else 'were'} not changed: {why}"


def done_in(script_ids: Sequence[str], text: str, language: Language) -> str:
    """Return the sentence that says what was done to some of several scripts."""
    names = ("、" if language == "zh" else ", ").join(script_ids)
    return f"{names} {text}" if language == "zh" else f"{names}: {text}"
