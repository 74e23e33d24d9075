"""Where the scripts of a plan are named: the options, the files and the choices behind them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from script_editor.cli.inputs import STDIN, instruction_from, stdin_bytes
from script_editor.cli.session import Session
from script_editor.errors import BadFile, BadInput

if TYPE_CHECKING:
    from script_editor.app.files import OnConflict
    from script_editor.batch.planning.selecting import Selection
    from script_editor.batch.planning.sources import Form, Rows

_HEARD_CHARS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The options, as they were typed."""

    ids: tuple[str, ...]
    do: str | None
    instruction_file: str | None
    csv: str | None
    jsonl: str | None
    glob: tuple[str, ...]
    encoding: str | None
    pattern: str | None
    lang: str | None
    longer_than: str | None
    shorter_than: str | None
    containing: tuple[str, ...]
    target: str | None
    only: str | None
    keep: tuple[str, ...]
    mode: str
    redo: bool
    on_conflict: "OnConflict"

    @property
    def selects(self) -> bool:
        """Whether scripts are chosen by what they are like."""
        return any((self.pattern, self.lang, self.longer_than, self.shorter_than, self.containing))

    def check(self) -> None:
        """Raise UsageError where options do not go together, before anything is read."""
        from_stdin = [self.csv, self.jsonl, self.instruction_file, *self.ids].count(STDIN)
        if from_stdin > 1:
            raise click.UsageError("Stdin can be read once: put one of them in a file.")
        named = bool(self.ids or self.csv or self.jsonl or self.glob)
        if named and self.selects:
            raise click.UsageError(
                "--select, --lang, --longer-than, --shorter-than and --containing choose from the whole store: "
                "leave the ids and files out, or these."
            )
        if not named and not self.selects:
            raise click.UsageError(
                "Name the scripts: ids, --select 'video_*', --csv FILE, --jsonl FILE, --glob 'drafts/*.txt', "
                "or - for ids on stdin. All of the store: --select '*'"
            )
        if self.do is not None and self.instruction_file:
            raise click.UsageError("Give the instruction with --do or with -i, not both.")
        if (
            self.do is None
            and not self.instruction_file
            and not (self.csv or self.jsonl or STDIN in self.ids)
        ):
            raise click.UsageError("Say what is to be done: --do 'cut it to 45 seconds'")

    def instruction(self) -> str:
        """Return the instruction for all, "" where each row has its own."""
        if self.do is None and not self.instruction_file:
            return ""
        return instruction_from((self.do,) if self.do is not None else (), self.instruction_file).strip()


def named(session: Session, asked: Asked) -> "Iterator[Rows]":
    """Yield the rows of each source that is named, besides files to be imported. Raises BadFile, UsageError."""
    from script_editor.batch.planning.sources import of_ids

    ids = [id for id in asked.ids if id != STDIN]
    if ids:
        yield of_ids(ids)
    if len(ids) < len(asked.ids):
        yield _rows(session, STDIN, None, asked)
    if asked.csv:
        yield _rows(session, asked.csv, "csv", asked)
    if asked.jsonl:
        yield _rows(session, asked.jsonl, "jsonl", asked)


def _rows(session: Session, path: str, form: "Form | None", asked: Asked) -> "Rows":
    """Return the rows of a file or of stdin; without a form it is seen from the text. Raises BadFile, UsageError.

    Where no instruction was typed, what is wrong with the file is told in the language that it is written in.
    """
    from script_editor.agent.language import language_of
    from script_editor.app.files import read_bytes
    from script_editor.batch.planning.sources import decoded, form_of, of_text

    if path == STDIN:
        data, name = stdin_bytes(), "stdin"
    else:
        data, name = read_bytes(Path(path)), Path(path).name
    is_heard = asked.do is None and not asked.instruction_file
    try:
        text = decoded(data, name=name, encoding=asked.encoding)
    except BadFile:
        if is_heard and _is_chinese_of_old(data):
            session.language = "zh"
        raise
    if is_heard:
        session.language = language_of(text[:_HEARD_CHARS])
    return of_text(text, name=name, form=form or form_of(text, name=name))


def _is_chinese_of_old(data: bytes) -> bool:
    """Guess whether bytes that are no UTF-8 are Chinese as older programs write it, to tell so in Chinese."""
    from script_editor.agent.language import language_of

    try:
        return language_of(data.decode("gb18030")[:_HEARD_CHARS]) == "zh"
    except UnicodeDecodeError:
        return False


def selection(asked: Asked) -> "Selection":
    """Return what scripts of the store must be like. Raises BadInput for a time that is none."""
    from script_editor.batch.planning.selecting import Selection

    return Selection(
        pattern=asked.pattern or "*",
        language=asked.lang,
        longer_than=_seconds("--longer-than", asked.longer_than),
        shorter_than=_seconds("--shorter-than", asked.shorter_than),
        words=asked.containing,
    )


def _seconds(option: str, raw: str | None) -> float | None:
    """Return the seconds that an option names, None when it was not given. Raises BadInput."""
    from script_editor.domain.targets import parse_target

    if raw is None:
        return None
    seconds = parse_target(raw).seconds
    if seconds is None:
        raise BadInput(
            f"{option} {raw}: this is no time.", hint="Write a time such as 60s, 1m30s, 1:30.",
            zh=f"{option} {raw}：这不是一个时间。", zh_hint="请写时间，例如 60s、1m30s、1:30、一分半。",
        )  # fmt: skip
    return seconds
