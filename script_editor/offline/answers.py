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
    "no_script": ("还没有选定脚本。", "No script is chosen."),
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
