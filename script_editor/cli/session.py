"""What every command shares: the global options, the application, and where output goes."""

import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from script_editor.cli.printable import printable
from script_editor.errors import (
    BudgetReached,
    Declined,
    EditRefused,
    Language,
    ModelFailure,
    NotFound,
    Objected,
    ScriptEditorError,
    SetupError,
    Unfinished,
)

if TYPE_CHECKING:
    from script_editor.app.bootstrap import App
    from script_editor.app.hooks import OnWait, Wait

P = ParamSpec("P")
R = TypeVar("R")


@dataclass
class Session:
    """One invocation. Options may stand before or after the command; the last one given counts."""

    database: str | None = None
    model: str | None = None
    json: bool = False
    quiet: bool = False
    verbose: int = 0
    no_input: bool = False
    warnings: list[str] = field(default_factory=list)
    store_name: str = ""
    language: Language = "en"
    """The language of the request at hand: what is told of an interrupt is told in it."""
    leaves_at_once: bool = False
    """Whether the process ends without waiting for model calls under way: everything is told and in the store."""
    drawn_rows: int = 0
    """How many lines at the bottom of the screen are drawn over and over at present."""
    on_wait: "OnWait | None" = None
    """Is told when a request to the model is to be sent again, while something draws what goes on."""
    about: Callable[[], Mapping[str, Any]] = dict
    """What stands in the data of every JSON object, such as the chat that it belongs to."""
    as_here: Callable[[str], str] = str
    """Returns a sentence with the commands in it named as they are given where the person is."""

    @cached_property
    def app(self) -> "App":
        """The application, built at first touch."""
        from script_editor.app.bootstrap import build_app  # late: --help must stay fast
        from script_editor.config import load_settings

        settings = load_settings(database=self.database, model=self.model)
        self.store_name = _without_password(settings.database)
        self.detail(f"store: {self.store_name} ({settings.database_origin})")
        return build_app(settings, trace=self.trace if self.verbose > 1 else None, on_wait=self._tell_of_wait)

    def take_model(self, model: str) -> None:
        """Use a model where no option and no variable names one: that which something was planned for."""
        settings = self.app.settings
        is_named = (settings.model or settings.usual_model) is not None
        if is_named or (model == "offline" and not settings.has_key):
            return
        self.close()
        del self.__dict__["app"]  # cached_property: it is built again at the next touch
        self.model = model

    def _tell_of_wait(self, wait: "Wait") -> None:
        if self.on_wait is not None:
            self.on_wait(wait)

    def close(self) -> None:
        """Close what was opened."""
        if "app" in self.__dict__:  # cached_property: present once it was built
            if problem := self.app.log_problem:
                self.detail(f"run log: {problem}")
            self.app.close()

    @property
    def interactive(self) -> bool:
        """Whether a question can be asked: on a terminal, without --no-input and without --json."""
        return not (self.no_input or self.json) and sys.stdin.isatty() and sys.stderr.isatty()

    @property
    def columns(self) -> int | None:
        """How many cells a line of output has; None when stdout is no terminal and lines may be any length."""
        return shutil.get_terminal_size().columns if sys.stdout.isatty() else None

    # --- output ------------------------------------------------------------------------------

    def result(self, data: Mapping[str, Any], lines: Sequence[str] = ()) -> None:
        """Print the result of a command: one JSON object with --json, else the lines, on stdout."""
        if self.json:
            whole = {"ok": True, "data": {**self.about(), **data}, "warnings": self.warnings}
            click.echo(json.dumps(whole, ensure_ascii=False))
            return
        for line in lines:
            click.echo(line)

    def failure(self, error: ScriptEditorError, data: Mapping[str, Any] | None = None) -> None:
        """Print an error: one JSON object on stdout with --json, else a sentence and what to do next on stderr.

        `data` is what was done all the same.
        """
        error = _in_words(error)
        hint = self.as_here(error.hint)
        if self.json:
            kept = {"proposal": error.proposal_id} if isinstance(error, EditRefused | Unfinished) else {}
            kept = kept if kept.get("proposal") else {}
            more = {**self.about(), **(data or kept)}
            print_error(error_code(error), self.as_here(str(error)), hint, data=more, warnings=self.warnings)
            return
        if isinstance(error, Unfinished) and _is_left(error):
            error = _left(error)
            hint = self.as_here(error.hint)
        if error.is_bilingual and error.language is None:
            error.language = self.language
            hint = self.as_here(error.hint)
        said, is_chinese = str(error), error.language == "zh"
        if self.language == "zh" and (told := _failure_zh(error)):
            said, hint, is_chinese = told[0], self.as_here(told[1]), True
        if isinstance(error, Objected):  # its own sentence is for the agent
            click.echo("没有保存。" if error.language == "zh" else "Not saved.", err=True)
        elif isinstance(error, Declined):  # an answer, not an error
            click.echo(printable(self.as_here(str(error))), err=True)
        else:
            name = "错误：" if is_chinese else "Error: "
            for line in _fitted(click.style(name, fg="red", bold=True) + printable(self.as_here(said))):
                click.echo(line, err=True)
        if hint and not self.quiet:
            for line in _fitted(f"  {printable(hint)}"):
                click.echo(line, err=True)

    def say(self, line: str) -> None:
        """Tell a person something on stderr; -q and --json silence it. What a terminal is too narrow for is told in
        several lines."""
        if not self.quiet and not self.json:
            for part in _fitted(printable(self.as_here(line))):
                click.echo(part, err=True)

    def say_lines(self, lines: Sequence[str]) -> None:
        """Tell several lines, as `say` does."""
        for line in lines:
            self.say(line)

    def say_if_offline(self) -> None:
        """Tell a person who set no key that the embedded model is used."""
        if self.app.is_offline and not self.app.settings.offline_is_meant:
            self.say(
                "现在用的是离线模型（没有设置 OPENAI_API_KEY）：只能做说得准确的修改。"
                if self.language == "zh"
                else "This is the offline model (no OPENAI_API_KEY is set): exact edits only."
            )

    def warn(self, line: str) -> None:
        """Warn on stderr, and in the JSON object."""
        line = self.as_here(line)
        self.warnings.append(line)
        if not self.json:
            name = "注意：" if self.language == "zh" else "Warning: "
            for part in _fitted(click.style(name, fg="yellow") + printable(line)):
                click.echo(part, err=True)

    def detail(self, line: str) -> None:
        """Tell a detail on stderr, with -v."""
        if self.verbose:
            click.echo(click.style(printable(line), dim=True), err=True)

    def trace(self, text: str) -> None:
        """Show what went to the model and came back, with -vv."""
        click.echo(click.style(printable(text, keep="\n\t"), dim=True), err=True)


def _in_words(error: ScriptEditorError) -> ScriptEditorError:
    """Return an error that says what to do next; a refusal that only notes the facts gets whole sentences."""
    if not isinstance(error, EditRefused) or error.language is not None or error.hint:
        return error
    from script_editor.domain.refusals import worded  # late: most commands refuse nothing

    return worded(error, "en")


def _failure_zh(error: ScriptEditorError) -> tuple[str, str] | None:
    """Return what a failure says and what to do next in Chinese, None for an error that has words of its own for it."""
    if error.language is not None or not isinstance(
        error, ModelFailure | SetupError | BudgetReached | NotFound
    ):
        return None
    from script_editor.domain.refusals.failures_zh import failure_zh, next_step_zh  # late: few commands fail

    said = failure_zh(str(error))
    return None if said == str(error) else (said, next_step_zh(error.hint))


def _is_left(error: Unfinished) -> bool:
    """Say whether the person left when all was done but the save; then nothing went wrong."""
    return isinstance(error.cause, KeyboardInterrupt) and not error.untouched


def _left(error: Unfinished) -> Declined:
    """Return an answer to the save question: that nothing was saved, and where the proposal is."""
    if error.language == "zh":
        return Declined("没有保存。", hint=f"提案已保留：script-editor review {error.proposal_id}")
    return Declined(hint=f"The proposal is kept: script-editor review {error.proposal_id}")


def _fitted(line: str) -> list[str]:
    """Return a line for stderr, on a terminal that it is too long for in lines; see `wrapping`."""
    if not sys.stderr.isatty():
        return [line]
    columns = shutil.get_terminal_size().columns
    if 2 * len(line) <= columns:  # also where every character takes two cells
        return [line]
    from script_editor.cli.wrapping import wrapped  # late: needed for long lines on a terminal only

    return wrapped(line, columns)


def error_code(error: ScriptEditorError) -> str:
    """Return the stable name of an error; a refused edit names its reason as well."""
    return f"{error.code}:{error.reason}" if isinstance(error, EditRefused) else error.code


def print_error(code: str, message: str, hint: str, **more: Any) -> None:
    """Print the JSON object of an error; `more` stands beside it where it says something."""
    error = {"code": code, "message": message, "hint": hint}
    whole = {"ok": False, "error": error, **{name: value for name, value in more.items() if value}}
    click.echo(json.dumps(whole, ensure_ascii=False))


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout as they are: no encoding, no line-end translation."""
    click.echo(data, nl=False)


def _without_password(url: str) -> str:
    """Return a store's name for people: what could be a password is masked."""
    url = re.sub(r"(?i)(password|passwd|pwd)=[^&\s]*", r"\1=***", url)
    return re.sub(r":([^/:@\s][^:@\s]*)@", ":***@", url)


def _store(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def callback(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
        given = parameter.name is not None and ctx.get_parameter_source(parameter.name)
        if given and given is not click.core.ParameterSource.DEFAULT:
            setattr(ctx.find_root().obj, name, value)

    return callback


def _no_color(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        ctx.find_root().color = False
        ctx.color = False


_OPTIONS = (
    click.option("--db", metavar="PATH_OR_URL", callback=_store("database"), expose_value=False,
                 help="The store: a file, or a PostgreSQL address."),
    click.option("-m", "--model", metavar="NAME", callback=_store("model"), expose_value=False,
                 help="The model to use; 'offline' is the embedded one."),
    click.option("--json", is_flag=True, callback=_store("json"), expose_value=False,
                 help="Print one JSON object and nothing else."),
    click.option("-q", "--quiet", is_flag=True, callback=_store("quiet"), expose_value=False,
                 help="Print the result only."),
    click.option("-v", "--verbose", count=True, callback=_store("verbose"), expose_value=False,
                 help="Show each step; -vv also what the model is sent and answers."),
    click.option("--no-color", is_flag=True, callback=_no_color, expose_value=False, is_eager=True,
                 help="Print without colours."),
    click.option("--no-input", is_flag=True, callback=_store("no_input"), expose_value=False,
                 help="Never ask; a save then needs --yes."),
)  # fmt: skip


def global_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add the options that every command and the program itself accept."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


pass_session = click.make_pass_decorator(Session, ensure=True)
