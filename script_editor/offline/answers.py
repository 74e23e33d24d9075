"""The short final answers of the offline model, in the language of the request."""

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


def failed(observation: str, language: Language) -> str:
    """Return the answer after an observation that is an error; its first line says why."""
    lines = observation.strip().splitlines()
    why = lines[0].removeprefix("Error").lstrip(": ") if lines else ""
    return f"没有做成：{why}" if language == "zh" else f"This was not done: {why}"
