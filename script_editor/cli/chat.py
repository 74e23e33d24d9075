"""`chat`: a conversation with memory. Each line is a turn of the agent, or a command that begins with a slash."""

import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.inputs import max_steps_option, mode_option, without_version
from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, pass_session, print_error
from script_editor.errors import BadInput, ChatNotFound, EditRefused, ScriptEditorError

if TYPE_CHECKING:
    from script_editor.app.chat import ChatSession, Manner
    from script_editor.cli.asking import Saving
    from script_editor.cli.chat_place import Place

INTERRUPTED = 130
_MEMORIES = ("buffer", "window", "summary")
_PLAIN = re.compile(r"[\w.-]+")
_ID = re.compile(r"s-[0-9a-z]{8}")


@click.command(
    epilog="""Examples:

    \b
      script-editor chat video_003
      script-editor chat --continue
      printf '%s\\n' 把“频道”改成“直播间” /diff | script-editor chat video_001 --yes"""
)
@click.argument("script", required=False)
@click.option(
    "--session", "name", metavar="NAME", help="Go on with the chat of this name or id, or begin it."
)
@click.option("--continue", "-c", "goes_on", is_flag=True, help="Go on with your last chat.")
@click.option("--read-only", is_flag=True, help="Nothing can be saved: the agent has no tools for it.")
@click.option("--yes", "-y", is_flag=True, help="Save without asking.")
@click.option("--preview", is_flag=True, help="Save nothing: an edit stays a proposal, until /apply.")
@click.option(
    "--memory",
    type=click.Choice(_MEMORIES),
    default="buffer",
    show_default=True,
    help="What the model sees of earlier turns: all that fits, the last ones, or a summary and the last ones.",
)
@mode_option
@max_steps_option
@global_options
@pass_session
def chat(
    session: Session,
    /,
    script: str | None,
    name: str | None,
    goes_on: bool,
    read_only: bool,
    yes: bool,
    preview: bool,
    **manner: Any,
) -> int:
    """Talk about SCRIPT, or about all of your scripts, and have them edited.

    What was said and what came of it is kept, so that a later turn can build on it: "shorter", "use that preview",
    "undo the last two". /help lists the commands; Ctrl-C stops a turn, Ctrl-D leaves.

    Without a terminal each line of stdin is a turn, and --yes, --preview or --read-only says what becomes of
    edits. With --json each turn and each command prints one object on a line of its own. The exit code is that of
    the last turn that failed, 9 where a change was refused and the agent only answered, 0 when none did.
    """
    from script_editor.app.chat import Manner
    from script_editor.cli.asking import saving
    from script_editor.cli.chat_place import Place

    if goes_on and name:
        raise click.UsageError("--session names a chat, --continue takes the last one: give one of them.")
    about = None if script is None else session.app.scripts.info(without_version(script)).id
    if read_only and yes:
        raise click.UsageError("--read-only saves nothing, --yes saves without asking: give one of them.")
    how = saving(session, yes=yes, preview=preview or read_only)
    found = _found(session, about, name, goes_on=goes_on)
    session.say_if_offline()
    talk = _Talk(Place(session, found, read_only), how, Manner(read_only=how == "proposes", **manner))
    return talk.run()


def _found(session: Session, script: str | None, name: str | None, *, goes_on: bool) -> "ChatSession":
    """Return the chat that is meant, about the script that is named."""
    chats = session.app.chats
    if goes_on:
        found = chats.resume()
    elif name:
        try:
            found = chats.resume(name)
        except ChatNotFound:
            if _ID.fullmatch(name):  # somebody's slip, and no name to give a chat
                raise
            return chats.begin(name=name, script_id=script)
    else:
        return chats.begin(script_id=script)
    if script:
        found.move(script)
    return found


@dataclass
class _Talk:
    """One sitting of a chat."""

    place: "Place"
    how: "Saving"
    manner: "Manner"
    code: int = 0

    @property
    def session(self) -> Session:
        return self.place.session

    def run(self) -> int:
        """Take what is said until the end; return the exit code."""
        from script_editor.cli.chat_hints import as_slash
        from script_editor.cli.chat_input import Leaving, piped, typed

        self.session.about = self._about
        self.session.as_here = lambda line: as_slash(self.place, line)
        self._begin()
        try:
            self._listen(typed() if self.session.interactive else piped())
        except Leaving:
            self._end()
            return INTERRUPTED
        self._end()
        # A person has seen what failed; a script has only the code.
        return 0 if self.session.interactive else self.code

    def _begin(self) -> None:
        from script_editor.cli import render
        from script_editor.cli.slash_chat import script_line

        chat = self.place.chat
        about = script_line(self.session, chat.chat.script_id) if chat.chat.script_id else "All scripts."
        known = f", {render.count(len(chat.turns), 'turn')} so far" if chat.turns else ""
        self.session.say(f"{about} /help for commands, Ctrl-D to leave. Session {_name(chat)}{known}.")

    def _about(self) -> dict[str, str]:
        chat = self.place.chat.chat
        return {"session": chat.id, "session_name": chat.name}

    def _end(self) -> None:
        if not (self.place.chat.turns or self.place.chat.chat.name):
            return  # there is nothing in it to go on with
        name = _name(self.place.chat)
        quoted = name if _PLAIN.fullmatch(name) else shlex.quote(name)
        self.session.say(f"Go on with it: script-editor chat --session {quoted}")

    def _listen(self, said: Iterable[str | None]) -> None:
        for text in said:
            if text is None:
                self._failed(BadInput("The line is not UTF-8, so nothing was done with it."))
            elif text.strip() and not self._take(text.strip()):
                return

    def _take(self, text: str) -> bool:
        """Carry out one line; return False when it ends the chat."""
        from script_editor.cli.slash import read_command

        self.session.warnings.clear()
        command = read_command(text)
        try:
            if command is None:
                self._turn(text)
                return True
            return self._command(text, *command)
        except (KeyboardInterrupt, click.Abort):
            if not self.session.interactive:  # all of the pipe is meant
                raise
            self._interrupted()
        except click.exceptions.Exit as ended:
            self.code = ended.exit_code
        except click.ClickException as error:
            self._misused(error)
        except ScriptEditorError as error:
            self._failed(error)
            if error.exit_code == INTERRUPTED and not self.session.interactive:
                return False
        return True

    def _turn(self, instruction: str) -> None:
        from script_editor.agent.language import language_of
        from script_editor.cli.ask import show_report
        from script_editor.cli.asking import approval
        from script_editor.cli.progress import Progress
        from script_editor.cli.telling import NOT_DONE

        self.session.language = language_of(instruction)
        with Progress(self.session) as progress:
            report = self.place.chat.turn(
                instruction,
                self.manner,
                approve=approval(self.how, progress),
                listener=progress.listen,
                on_text=progress.draft if self.session.verbose else None,
                on_part=progress.part,
            )
        show_report(self.session, report, seen=self.how == "asks" and sys.stdout.isatty())
        if report.outcome == "answered" and (report.warnings or report.claims_unproven):
            self.code = NOT_DONE

    def _command(self, text: str, name: str, rest: str) -> bool:
        from script_editor.cli.slash import carry_out

        told = carry_out(self.place, name, rest)
        if told.instruction is not None:
            self._turn(told.instruction)
        elif told.facts:
            self.place.chat.note(text, told.facts)
        return not told.leaves

    # --- what goes wrong ---------------------------------------------------------------------

    def _interrupted(self) -> None:
        zh = self.session.language == "zh"
        told = (
            "已停止。之前保存的都还在，对话继续。"
            if zh
            else "Stopped. What was saved before stays saved; the chat goes on."
        )
        click.echo(f"\n{told}", err=True)

    def _misused(self, error: click.ClickException) -> None:
        self.code = error.exit_code
        if self.session.json:
            print_error("usage", self._sentence(error), "See: /help", data=self._about())
        else:
            label = click.style("Error: ", fg="red", bold=True)
            click.echo(label + printable(self._sentence(error)), err=True)

    def _sentence(self, error: click.ClickException) -> str:
        return self.session.as_here(error.format_message())

    def _failed(self, error: ScriptEditorError) -> None:
        if isinstance(error, EditRefused) and error.reason == "unchanged":
            self.session.result(
                {"outcome": "unchanged", "version": None, "changes": 0, "message": str(error)}
            )
            self.session.say(
                f"没有改动。{error}" if error.language == "zh" else f"Nothing to change. {error}"
            )
            return
        self.code = error.exit_code
        self.session.failure(error)


def _name(chat: "ChatSession") -> str:
    """Return how the chat can be found again."""
    return chat.chat.name or chat.chat.id
