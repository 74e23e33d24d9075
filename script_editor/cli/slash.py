"""Commands inside a chat: which there are, and how they are told from what is said to the model.

Only what is named here is a command. A word with a slash that is none is answered with what comes near; it is never
sent to the model.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import click

from script_editor.cli import slash_chat as own
from script_editor.cli import slash_program as program
from script_editor.cli.chat_place import Place, Run, Told
from script_editor.cli.drafting import drafted

_COMMAND = re.compile(r"\s*[/／](?P<name>[^\W\d_]\w*|\?)(?P<rest>(?:\s.*)?)", re.DOTALL)
_OTHER_NAMES: Mapping[str, str] = {
    "?": "help", "h": "help", "exit": "quit", "q": "quit", "帮助": "help", "查看": "show", "显示": "show",
    "对比": "diff", "历史": "history", "撤销": "undo", "重做": "redo", "恢复": "revert", "应用": "apply",
    "采用": "apply", "放弃": "discard", "审阅": "review", "提案": "proposals", "脚本": "script", "列表": "list",
    "锁定": "lock", "解锁": "unlock", "编辑": "edit", "模型": "model", "费用": "cost", "退出": "quit",
}  # fmt: skip


_PARTING = frozenset({"quit", "exit", "bye", "退出", "再见", "拜拜"})


@dataclass(frozen=True, slots=True)
class _Slash:
    """One command: how it is shown in the help, and what it does."""

    usage: str
    help: str
    run: Run
    writes: bool = False
    takes_text: bool = False
    """What follows it is one text, quotation marks and all."""


def read_command(text: str) -> tuple[str, str] | None:
    """Return the name of a command and what follows it; None for what is said to the model.

    A slash alone asks for help, and a few words alone leave: nobody wants them sent to a model.
    """
    alone = text.strip()
    if alone in ("/", "／"):
        return "help", ""
    if alone.rstrip(".。!！~～").casefold() in _PARTING:
        return "quit", ""
    found = _COMMAND.fullmatch(text)
    if found is None:
        return None
    name = found["name"].casefold()
    return _OTHER_NAMES.get(name, name), found["rest"].strip()


def carry_out(place: Place, name: str, rest: str) -> Told:
    """Do what a command says.

    Raises:
        UsageError: there is no such command, or it cannot be given like this or here.
        ScriptEditorError: what the command itself raises.
    """
    command = _COMMANDS.get(name)
    if command is None:
        near = get_close_matches(name, [*_COMMANDS, *_OTHER_NAMES], n=1, cutoff=0.5)
        meant = f"Did you mean /{near[0]}? " if near else ""
        raise click.UsageError(f"There is no command /{name}. {meant}All of them: /help")
    if command.writes and place.read_only:
        raise click.UsageError(f"This chat is read-only, so there is no /{name} in it.")
    words = [rest] if command.takes_text and rest else _words(rest)
    return command.run(place, words)


def _words(rest: str) -> list[str]:
    try:
        return shlex.split(rest)
    except ValueError:  # a lone quotation mark is text
        return rest.split()


def _help(place: Place, _words: list[str]) -> Told:
    from script_editor.cli import render

    shown = [
        (f"/{each.usage}", each.help) for each in _COMMANDS.values() if not (each.writes and place.read_only)
    ]
    hints = ["", "A \\ at the end of a line lets it go on. Everything else is said to the agent."]
    place.session.result({"commands": [usage for usage, _ in shown]}, [*render.table(shown), *hints])
    return Told()


_COMMANDS: Mapping[str, _Slash] = {
    "help": _Slash("help", "these commands", _help),
    "show": _Slash("show [lines | 3-5 | vN]", "print the script, with numbers, some lines, or a version", program.show),
    "diff": _Slash("diff [A] [B]", "what changed, by default in the newest version", program.diff),
    "history": _Slash("history [N]", "the versions", program.history),
    "undo": _Slash("undo [N]", "take the newest changes back", program.stepping("undo"), writes=True),
    "redo": _Slash("redo [N]", "put undone changes back", program.stepping("redo"), writes=True),
    "revert": _Slash("revert vN", "bring an older text back as a new version", program.on_script("revert"), writes=True),
    "proposals": _Slash("proposals", "what is proposed and not saved", program.listing("proposals")),
    "review": _Slash("review [P]", "go through a proposal, change by change", program.on_proposal("review"), writes=True),
    "apply": _Slash("apply [P]", "save a proposal; in part: --hunks 1,3", program.on_proposal("apply"), writes=True),
    "discard": _Slash("discard [P]", "close a proposal without saving it", program.on_proposal("discard"), writes=True),
    "lock": _Slash("lock [--lines 1-2]", "protect lines; alone: list the locks", program.lock("lock"), writes=True),
    "unlock": _Slash("unlock --lines 1-2", "release locks", program.lock("unlock"), writes=True),
    "script": _Slash("script [ID]", "which script the chat is about; another one", own.script),
    "list": _Slash("list", "all scripts", program.listing("list")),
    "edit": _Slash("edit [TEXT]", "write what you want to say in $EDITOR", drafted, takes_text=True),
    "model": _Slash("model [NAME]", "which model answers; another one", own.model),
    "cost": _Slash("cost", "what this chat took", own.cost),
    "save": _Slash("save NAME", "name this chat, to find it again with --session NAME", own.save),
    "quit": _Slash("quit", "leave; also Ctrl-D", own.quit),
}  # fmt: skip
