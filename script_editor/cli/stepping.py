"""Goes through changes one by one on a terminal, and returns which of them are wanted."""

from collections.abc import Mapping, Sequence

import click

from script_editor.cli import render
from script_editor.cli.printable import printable
from script_editor.cli.questions import read_line
from script_editor.domain.diff import Change
from script_editor.domain.duration import estimate
from script_editor.errors import Language

_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("y", "yes", "ok", "是", "是的", "好", "好的", "可以", "要", "保存"), "y"),
    **dict.fromkeys(("n", "no", "否", "不", "不要", "不行"), "n"),
    "a": "a", "all": "a", "全部": "a", "d": "d", "done": "d", "q": "q", "quit": "q", "算了": "q", "e": "e", "edit": "e",
}  # fmt: skip
_HELP: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "y": "take this change",
        "n": "leave it out",
        "e": "edit the new line in your editor ($EDITOR), then take it",
        "a": "take this one and all that follow",
        "d": "leave this one and all that follow out",
        "q": "stop here; nothing is saved",
        "?": "this help; after each key press Enter",
    },
    "zh": {
        "y": "采用这处改动",
        "n": "不要这处改动",
        "e": "先在编辑器（$EDITOR）里改这一行，再采用",
        "a": "采用这处和后面所有的改动",
        "d": "这处和后面的都不要",
        "q": "到此为止，什么也不保存",
        "?": "显示这些说明；每次按键后按回车",
    },
}
_LEFT: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "unsaved": "Left as it is: the editor was closed without saving.",
        "empty": "Left as it is: an empty text takes no line out. Answer n to leave this change out;",
        "deleting": "to take the line out, ask for that in an edit of its own, such as: delete line 3",
        "failed": "Left as it is: the editor ended with an error, so what it wrote is not taken.",
        "no editor": "Set EDITOR to one that is installed.",
    },
    "zh": {
        "unsaved": "保持原样：编辑器没有保存就关闭了。",
        "empty": "保持原样：空的文字不会删掉这一行。要放弃这处改动，请按 n；",
        "deleting": "要删掉这一行，请另外说，比如：删掉第 3 行",
        "failed": "保持原样：编辑器出错退出，里面写的没有采用。",
        "no editor": "请把 EDITOR 设为已安装的编辑器。",
    },
}


def step_through(
    changes: Sequence[Change], *, edits: dict[int, str] | None = None, language: Language = "en"
) -> tuple[int, ...] | None:
    """Ask for each change and return the ids of those that are wanted, in order; None when the person stops.

    With `edits`, the new text of a change can be edited: it is put there under its id, and is wanted.

    Raises:
        click.Abort: the person left by Ctrl-C or Ctrl-D.
    """
    wanted: list[int] = []
    for index, change in enumerate(changes):
        for line in _shown(change, index + 1, len(changes), language):
            click.echo(line, err=True)
        match _answer(change, edits, language):
            case "a":
                return (*wanted, *(later.id for later in changes[index:]))
            case "d":
                return tuple(wanted)
            case "q":
                return None
            case "y":
                wanted.append(change.id)
    return tuple(wanted)


def _answer(change: Change, edits: dict[int, str] | None, language: Language) -> str:
    """Return y, n, a, d or q; helping and editing happen here."""
    # What is taken away, or changes in blank lines only, has no new words to edit.
    editable = edits is not None and change.kind in ("insert", "replace")
    help = _HELP[language]
    keys = [key for key in help if key != "e" or editable]
    while True:
        raw = read_line(f"[{'/'.join(keys)}]", suffix=" ")
        answer = _WORDS.get(raw.strip().lower(), "?")
        if answer == "e" and edits is not None and editable:
            if _edited(change, edits, language):
                return "y"
        elif answer in keys and answer != "?":
            return answer
        else:
            for key in keys:
                click.echo(f"  {key}  {help[key]}", err=True)


def _edited(change: Change, edits: dict[int, str], language: Language) -> bool:
    """Let the person rewrite the new line; False when nothing came of it, which is said."""
    try:
        written = click.edit(f"{change.after}\n", require_save=True, extension=".txt")
    except click.ClickException as error:  # the answers given so far must not be lost
        _tell(_why_not_edited(error, language))
        return False
    left = _LEFT[language]
    if written is None:
        _tell(left["unsaved"])
        return False
    text = written.rstrip("\r\n")
    if not text.strip():
        _tell(left["empty"])
        _tell(left["deleting"])
        return False
    edits[change.id] = text
    for line in text.replace("\r\n", "\n").split("\n"):
        click.echo(click.style(f"  + {printable(line)}", fg="green"), err=True)
    return True


def _tell(line: str) -> None:
    click.echo(f"  {line}", err=True)


def _why_not_edited(error: click.ClickException, language: Language) -> str:
    if isinstance(error.__cause__, OSError):  # no such editor
        return f"{error.format_message().rstrip('.')}. {_LEFT[language]['no editor']}"
    return _LEFT[language]["failed"]


def _shown(change: Change, number: int, count: int, language: Language) -> list[str]:
    zh = language == "zh"
    line = change.after_line or change.before_line
    where = (f"   第 {line} 行" if zh else f"   line {line}") if line else ""
    what = f"第 {number} 处改动，共 {count} 处" if zh else f"change {number} of {count}"
    return [
        click.style(f"{what}{where}{_time(change, language)}", bold=True),
        *render.change_lines((change,), language),
    ]


def _time(change: Change, language: Language) -> str:
    """Return by how much a change makes the script longer or shorter, "" when that cannot be heard."""
    difference = estimate(change.after).seconds - estimate(change.before).seconds
    unit = "秒" if language == "zh" else "s"
    return f"   {difference:+.1f} {unit}" if abs(difference) >= 0.1 else ""
