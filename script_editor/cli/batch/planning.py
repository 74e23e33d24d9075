"""`batch plan`: what is to be done to which scripts, frozen before anything is spent."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.inputs import MODES, STDIN, instruction_from, stdin_bytes
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.errors import BadFile, BadInput, Language, ScriptEditorError

if TYPE_CHECKING:
    from script_editor.batch.plan import PlanReport, PlanRequest
    from script_editor.batch.selecting import Selection
    from script_editor.batch.sources import Form, Rows

DIRECT = "direct"
_MOST_PROBLEMS = 20
"""How many bad rows are told one by one; --json has all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
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


@click.command(
    epilog="""Examples:

    \b
      script-editor batch plan video_001 video_002 --do "cut it to 45 seconds" --keep Lumen
      script-editor batch plan --select 'video_*' --lang zh --longer-than 60s --do 压到一分钟以内
      script-editor batch plan --csv jobs.csv --do "replace {old} with {new}"
      script-editor batch plan --glob 'drafts/*.txt' --do 删掉所有的语气词
      script-editor list --json | jq -r '.data.scripts[].script' | script-editor batch plan - --do 改得更口语"""
)
@click.argument("ids", nargs=-1, metavar="[SCRIPT...|-]")
@click.option(
    "--do", metavar="TEXT", help="The instruction; {column} stands for what a row of the file says there."
)
@click.option("-i", "--instruction-file", metavar="FILE|-", help="Read the instruction from a file or stdin.")
@click.option("--csv", metavar="FILE|-",
              help="A row for each script: columns script, instruction, target, only, keep, or "
                   "脚本, 指令, 目标时长, 只改, 保留, and your own.")  # fmt: skip
@click.option("--jsonl", metavar="FILE|-", help="The same as JSON, one object on each line.")
@click.option(
    "--glob", metavar="PATTERN", multiple=True, help="Import these text files first, then edit them."
)
@click.option(
    "--encoding", metavar="NAME", help="The encoding of the files, such as gb18030, when it is not UTF-8."
)
@click.option("--select", "pattern", metavar="PATTERN", help="Every script with such an id: 'video_*', '*'.")
@click.option("--lang", metavar="CODE", help="Only scripts in this language: zh, en.")
@click.option("--longer-than", metavar="TIME", help="Only scripts that take longer to speak: 60s, 1m30s.")
@click.option("--shorter-than", metavar="TIME", help="Only scripts that take less time to speak.")
@click.option(
    "--containing", metavar="WORD", multiple=True, help="Only scripts with this word in their text."
)
@click.option("--target", metavar="TIME", help="Wanted spoken time, such as 45s, 1m30s, -20%.")
@click.option(
    "--only", metavar="PART", help="Only this part may change: lines such as 3-5, a heading, a speaker."
)
@click.option("--keep", metavar="WORD", multiple=True, help="Keep this word or phrase as it is.")
@click.option("--mode", type=click.Choice((DIRECT, *MODES)), default=DIRECT, show_default=True,
              help="direct: the model is asked for the edit at once. Others: an agent plans it, with more calls.")  # fmt: skip
@click.option("--direct", "mode", flag_value=DIRECT, help="The same as --mode direct.")
@click.option("--redo", is_flag=True, help="Plan also what was done before and has not changed since.")
@global_options
@pass_session
def plan(session: Session, /, **options: Any) -> None:
    """Plan an edit of many scripts, without asking a model.

    The plan is frozen: the version of each script, its instruction, the model. Rows that cannot be used are told
    with their line and left out, and so is work that was done before and whose script has not changed since.
    """
    from script_editor.cli.batch.telling import speak
    from script_editor.cli.telling import language_of

    asked = _Asked(**options)
    asked.check()
    instruction = asked.instruction()
    session.language = language_of(instruction)
    request, problems = _request(session, asked, instruction)
    report = session.app.batches.plan(request)
    if report.batch is not None:
        speak(session, report.batch.id)  # where each row has its own instruction, it is theirs that counts
    _tell(session, report, problems, session.language)


def _request(session: Session, asked: _Asked, instruction: str) -> "tuple[PlanRequest, list[dict[str, Any]]]":
    """Return the request, and what is wrong with files that could not be imported for it."""
    from script_editor.batch.plan import PlanRequest
    from script_editor.domain.batches import Wishes

    sources = list(_named(asked))
    imported, problems = _imported(session, asked)
    if imported is not None:
        sources.append(imported)
    request = PlanRequest(
        author=session.app.settings.author,
        instruction=instruction,
        sources=sources,
        selection=_selection(asked) if asked.selects else None,
        wishes=Wishes(target=asked.target, only=asked.only, keep=asked.keep),
        mode=asked.mode,
        redo=asked.redo,
    )
    return request, problems


# --- where scripts are named -----------------------------------------------------------------


def _named(asked: _Asked) -> "Iterator[Rows]":
    from script_editor.batch.sources import of_ids

    ids = [id for id in asked.ids if id != STDIN]
    if ids:
        yield of_ids(ids)
    if len(ids) < len(asked.ids):
        yield _rows(STDIN, None, asked.encoding)
    if asked.csv:
        yield _rows(asked.csv, "csv", asked.encoding)
    if asked.jsonl:
        yield _rows(asked.jsonl, "jsonl", asked.encoding)


def _rows(path: str, form: "Form | None", encoding: str | None) -> "Rows":
    """Return the rows of a file or of stdin; without a form it is seen from the text. Raises BadFile, UsageError."""
    from script_editor.batch.sources import decoded, form_of, of_text

    if path == STDIN:
        data, name = stdin_bytes(), "stdin"
    else:
        name = Path(path).name
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise BadFile(f"{path}: {error.strerror or 'cannot be read'}.") from error
    text = decoded(data, name=name, encoding=encoding)
    return of_text(text, name=name, form=form or form_of(text))


def _selection(asked: _Asked) -> "Selection":
    from script_editor.batch.selecting import Selection

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
        raise BadInput(f"{option} {raw}: this is no time.", hint="Write a time such as 60s, 1m30s, 1:30.")
    return seconds


def _imported(session: Session, asked: _Asked) -> "tuple[Rows | None, list[dict[str, Any]]]":
    """Import what --glob names; return the rows of these scripts, and what is wrong with the other files."""
    from script_editor.app.files import import_path
    from script_editor.batch.sources import of_ids

    ids: list[str] = []
    problems: list[dict[str, Any]] = []
    paths = [path for pattern in asked.glob for path in _matching(pattern)]
    for path in dict.fromkeys(paths):
        try:
            imported = import_path(
                session.app.scripts, path, author=session.app.settings.author, encoding=asked.encoding
            )
        except ScriptEditorError as error:
            where = {"where": str(path), "source": str(path), "line": None, "script": path.stem}
            problems.append({**where, "message": str(error), "hint": error.hint})
            continue
        session.detail(f"{path}: {imported.version.reference}, {imported.outcome}")
        ids.append(imported.version.script_id)
    if problems and not ids:
        raise BadFile(f"No file can be imported. {problems[0]['message']}", hint=problems[0]["hint"])
    return of_ids(ids, source="--glob") if ids else None, problems


def _matching(pattern: str) -> list[Path]:
    """Return the files that a pattern means, in order; hidden ones are left out. Raises BadFile when there is none."""
    given = Path(pattern)
    root = Path(given.anchor) if given.anchor else Path()
    try:
        found = sorted(root.glob(str(given.relative_to(root)) if given.anchor else pattern))
    except (ValueError, NotImplementedError) as error:
        raise BadFile(f"--glob {pattern}: {error}.") from error
    files = [path for path in found if path.is_file() and not path.name.startswith(".")]
    if not files:
        raise BadFile(
            f"There is no file like {pattern}.", hint="Quote the pattern, such as --glob 'drafts/*.txt'."
        )
    return files


# --- what is told ----------------------------------------------------------------------------


def _tell(
    session: Session, report: "PlanReport", unreadable: list[dict[str, Any]], language: Language
) -> None:
    from script_editor.cli.batch import plans, words

    problems = [*unreadable, *(plans.problem_data(problem) for problem in report.problems)]
    data = plans.plan_data(report, problems)
    if not session.quiet and not session.json:
        for line in plans.problem_lines(problems, language, most=_MOST_PROBLEMS):
            click.echo(line, err=True)
    if report.batch is None:
        session.result(data)
        session.say(plans.nothing_left(report, language))
        return
    lines = [report.batch.id] if session.quiet else plans.plan_lines(report, len(problems), language)
    session.result(data, lines)
    session.say(words.joined(plans.next_steps(report, language)))
