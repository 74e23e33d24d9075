"""The program: the group of commands, and the one place where errors become messages and exit codes."""

import gc
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn, TextIO

import click

from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, print_error
from script_editor.errors import EditRefused, ScriptEditorError

INTERRUPTED = 130


# Where each command lives. A module is imported when one of its commands is used: building a
# command costs a millisecond, and `show` needs one of them.
COMMANDS: Mapping[str, str] = {
    "apply": "applying:apply",
    "ask": "ask:ask",
    "batch": "batch.group:batch",
    "chat": "chat:chat",
    "db": "store:db",
    "diff": "history:diff",
    "discard": "applying:discard",
    "edit": "edits:edit",
    "export": "shelf:export",
    "history": "history:history",
    "import": "shelf:import_files",
    "list": "shelf:list_scripts",
    "lock": "locks:lock",
    "log": "log:log",
    "new": "shelf:new",
    "preview": "edits:preview",
    "proposals": "review:proposals",
    "redo": "going_back:redo",
    "replay": "replay:replay",
    "revert": "going_back:revert",
    "review": "review:review",
    "seeds": "shelf:seeds",
    "show": "history:show",
    "undo": "going_back:undo",
    "unlock": "locks:unlock",
    "usage": "usage:usage",
}


class Program(click.Group):
    """A click group whose `main` maps every ending to an exit code of the documented table."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing its module now, or None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"script_editor.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a misspelt one is answered with those that come near."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            # click suggests from the commands it has loaded, and ours are loaded when used.
            raise click.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None

    def main(self, args: Sequence[str] | None = None, *_positional: Any, **extra: Any) -> NoReturn:
        """Run and exit. `CliRunner` and the console script both come through here."""
        arguments = list(sys.argv[1:] if args is None else args)
        session = Session()
        extra.pop("standalone_mode", None)
        _open_missing_streams()
        _speak_utf8()
        try:
            code = self._run(arguments, session, extra)
            code = _flush() or code
        finally:
            session.close()
        if session.leaves_at_once:
            from script_editor.batch.working.worker import leave_at_once  # late: a batch alone leaves so

            leave_at_once(code)
        sys.exit(code)

    def _run(self, arguments: list[str], session: Session, extra: dict[str, Any]) -> int:
        try:
            ended = super().main(
                args=arguments, standalone_mode=False, obj=session, color=_color(), **_named(extra)
            )
            return ended if isinstance(ended, int) else 0
        except click.exceptions.Exit as ended:
            return ended.exit_code
        except click.ClickException as error:
            _show_click_error(error, as_json=session.json or "--json" in arguments)
            return error.exit_code
        except (click.Abort, KeyboardInterrupt):
            _show_interrupt(session)
            return INTERRUPTED
        except ScriptEditorError as error:
            return _show_error(error, session)
        except (BrokenPipeError, SystemExit):  # click turns a closed pipe into the latter
            return 0  # the reader had enough, as in `show … | head`
        except OSError as error:
            return _show_os_error(error)
        except Exception as error:  # the outermost frame: a bug must not show a screen of code
            return _show_bug(error, session)


def _named(extra: dict[str, Any]) -> dict[str, Any]:
    return {
        "prog_name": "script-editor",
        **{key: value for key, value in extra.items() if key != "prog_name"},
    }


def _color() -> bool | None:
    """Return False when the environment asks for plain text, None to let the terminal decide."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


def _speak_utf8() -> None:
    """Files and streams are UTF-8 whatever the locale says."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(
                encoding="utf-8", errors="backslashreplace" if stream is not sys.stdin else "strict"
            )


def _open_missing_streams() -> None:
    """Give a stream that the shell closed (`>&-`, a daemon) an end that takes everything and gives nothing.

    Python has None for it then. Its number is taken as well, or the next file that is opened gets it, the store
    perhaps, and what a library writes to "stderr" goes into that.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        # Python closes no stream of its own at exit either.
        stream = os.fdopen(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)
        setattr(sys, name, stream)


def _flush() -> int:
    """Write what is left for stdout; return the exit code where that fails, 0 where it does not."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _let_go(sys.stdout)
        if isinstance(error, BrokenPipeError):
            return 0  # the reader had enough
        return _show_os_error(error)
    return 0


def _show_click_error(error: click.ClickException, *, as_json: bool) -> None:
    if as_json:
        print_error("usage", error.format_message(), "See: script-editor --help")
    else:
        error.show()


def _show_error(error: ScriptEditorError, session: Session) -> int:
    if isinstance(error, EditRefused) and error.reason == "unchanged":
        session.result({"outcome": "unchanged", "version": None, "changes": 0, "message": str(error)})
        session.say(f"没有改动。{error}" if error.language == "zh" else f"Nothing to change. {error}")
        if error.language and error.hint:
            session.say(f"  {error.hint}")
        return 0
    session.failure(error)
    return error.exit_code


def _show_interrupt(session: Session) -> None:
    if session.json:
        print_error("interrupted", "Interrupted.", "What was saved before stays saved.")
    else:
        zh = session.language == "zh"
        click.echo(
            "已中断。之前保存的都还在。" if zh else "Interrupted. What was saved before stays saved.",
            err=True,
        )


def _show_os_error(error: OSError) -> int:
    try:
        click.echo(f"Error: {error.strerror or error}; what was saved before is saved.", err=True)
    except OSError:  # stderr cannot be written either
        _let_go(sys.stderr)
    return 1


def _let_go(stream: TextIO) -> None:
    """Drop what cannot be written: Python flushes once more at exit, and this must not fail then."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _show_bug(error: Exception, session: Session) -> int:
    if session.verbose:
        traceback.print_exc()
    message = printable(f"{type(error).__name__}: {error}".partition("\n")[0])
    if session.json:
        print_error("internal", message, "This is a bug in script-editor; -v shows where.")
    else:
        click.echo(
            click.style("Error: ", fg="red", bold=True)
            + f"{message}\n  This is a bug in script-editor; -v shows where.",
            err=True,
        )
    return 1


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
             epilog="""Start:

             \b
               script-editor seeds load
               script-editor edit video_001 把“黄金时代”改成“快车道”""")  # fmt: skip
@click.version_option(package_name="script-editor", message="script-editor %(version)s")
@global_options
def cli() -> None:
    """Edit spoken video scripts from plain instructions; every version is kept.

    "ID" is a script such as video_001; "ID@v2" one of its versions. Instructions may be Chinese or English.
    """


def main() -> NoReturn:
    """Run the program on sys.argv and exit."""
    # Importing makes many objects that stay; looking for garbage among them is a tenth of the start-up.
    # Reading a text makes about a hundred thousand, an edit twice as many: neither is to be searched.
    gc.set_threshold(300_000, 20, 20)
    try:
        cli.main()
    finally:
        # Python searches all of them twice more before it ends, and the system takes back their memory anyway.
        gc.freeze()
