"""`batch plan`: what is to be done to which scripts, frozen before anything is spent."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.batch import importing, naming
from script_editor.cli.batch.naming import Asked
from script_editor.cli.inputs import MODES
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.domain.batches import DIRECT

if TYPE_CHECKING:
    from script_editor.app.files import ImportOutcome
    from script_editor.batch.planning.plan import NothingUsable, PlanReport, PlanRequest
    from script_editor.batch.planning.wanted import Problem

_MOST_PROBLEMS = 20
"""How many bad rows are told one by one; --json has all of them."""


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
@click.option("--on-conflict", type=click.Choice(("unless-edited", "new-version", "skip", "error")),
              default="unless-edited", show_default=True,
              help="For --glob, when a script has another text than its file; unless-edited: it becomes a new "
                   "version if nobody edited the script since it was imported, else the file is left out.")  # fmt: skip
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
@click.option("--keep", metavar="WORD", multiple=True,
              help="Keep this word or phrase as it is; a script that does not have it is left out.")  # fmt: skip
@click.option("--mode", type=click.Choice((DIRECT, *MODES)), default=DIRECT, show_default=True,
              help="direct: the model is asked for the edit at once. Others: an agent plans it, with more calls.")  # fmt: skip
@click.option("--direct", "mode", flag_value=DIRECT, help="The same as --mode direct.")
@click.option("--redo", is_flag=True, help="Plan also what was done before and has not changed since.")
@global_options
@pass_session
def plan(session: Session, /, **options: Any) -> int:
    """Plan an edit of many scripts, without asking a model.

    The plan is frozen: the version of each script, its instruction, the model. Rows that cannot be used are told
    with their line and left out, and so is work that was done before and whose script has not changed since. A
    file of --glob that has an older text of its script is not imported again: the script is planned as it is now.

    The exit code is 2 or 3 when no row at all can be used.
    """
    from script_editor.agent.language import language_of
    from script_editor.batch.planning.plan import NothingUsable
    from script_editor.cli.batch.counting import Counting

    asked = Asked(**options)
    asked.check()
    instruction = asked.instruction()
    session.language = language_of(instruction)
    request, imports = _request(session, asked, instruction)
    try:
        with Counting(session) as counting:
            report = session.app.batches.plan(request, tell=counting.tell)
    except NothingUsable as error:
        return _tell_of_nothing(session, error)
    session.language = report.language
    _tell(session, report, imports)
    return 0


def _request(
    session: Session, asked: Asked, instruction: str
) -> "tuple[PlanRequest, Counter[ImportOutcome]]":
    """Return the request, and how many files were imported for it, by what became of them."""
    from script_editor.batch.planning.plan import PlanRequest
    from script_editor.batch.planning.sources import of_files
    from script_editor.domain.batches import Wishes

    sources = list(naming.named(session, asked))
    imported = importing.imported(session, asked)
    if imported.scripts:
        sources.append(of_files(imported.scripts))
    request = PlanRequest(
        author=session.app.settings.author,
        instruction=instruction,
        sources=sources,
        unreadable=imported.problems,
        selection=naming.selection(asked) if asked.selects else None,
        wishes=Wishes(target=asked.target, only=asked.only, keep=asked.keep),
        mode=asked.mode,
        redo=asked.redo,
    )
    return request, imported.outcomes


# --- what is told ----------------------------------------------------------------------------


def _tell(session: Session, report: "PlanReport", imports: "Counter[ImportOutcome]") -> None:
    from script_editor.cli.batch import plans, words
    from script_editor.cli.batch.telling import name_as_here

    language = session.language
    _tell_problems(session, report.problems)
    data = plans.plan_data(report, imports)
    if report.batch is None:
        session.result(data)
        session.say_lines([*plans.kept_lines(imports, language), *plans.nothing_left(report, language)])
        return
    lines = [report.batch.id] if session.quiet else plans.plan_lines(report, imports, language)
    session.result(data, lines)
    name_as_here(session, report.batch)
    session.say(words.joined(plans.next_steps(report, language)))


def _tell_problems(session: Session, problems: "Sequence[Problem]", known: str = "") -> None:
    """Tell why rows are left out; -q hides what is friendly, and not this. `known` is advice that is told elsewhere."""
    from script_editor.cli.batch import plans

    if session.json:
        session.warnings += plans.left_out(problems, session.language)
        return
    for line, hint in plans.problem_lines(problems, session.language, most=_MOST_PROBLEMS, known=known):
        click.echo(line, err=True)
        if hint:
            session.say(f"  {hint}")


def _tell_of_nothing(session: Session, error: "NothingUsable") -> int:
    """Tell that nothing can be planned, and why, row by row; return the exit code."""
    from script_editor.cli.batch import plans

    error.language = session.language
    if len(error.problems) > 1:  # of a single one the error tells
        _tell_problems(session, error.problems, error.hint)
    problems = [plans.problem_data(problem) for problem in error.problems]
    session.failure(error, {"problems": problems} if problems else None)
    return error.exit_code
