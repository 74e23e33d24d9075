"""`edit` and `preview`: from an instruction to a saved version or a proposal."""

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli import candidates
from script_editor.cli.answers import drawn_answer
from script_editor.cli.inputs import (
    STDIN,
    instruction_file_option,
    instruction_from,
    max_steps_option,
    mode_option,
    read_stdin,
    without_version,
)
from script_editor.cli.session import Session, global_options, pass_session, write_bytes
from script_editor.errors import EditRefused, Language

if TYPE_CHECKING:
    from script_editor.app.edit import EditReport, EditRequest
    from script_editor.app.scope import Demands
    from script_editor.cli.asking import Saving
    from script_editor.domain.operations import Constraints

_WRITTEN: Mapping[Language, str] = {"zh": "结果照样写出来了。", "en": "The text was written all the same."}


def _edit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.argument("script", metavar="SCRIPT"),
        click.argument("words", metavar="INSTRUCTION...", nargs=-1),
        instruction_file_option,
        click.option("--only", metavar="PART",
                     help="Only this part may change: lines such as 3-5, a heading, a speaker."),
        click.option("--keep", metavar="WORD", multiple=True,
                     help="Keep this word or phrase as it is; may be given several times."),
        click.option("--target", metavar="TIME", help="Wanted spoken time, such as 45s, 1m30s, -20%."),
        click.option("--candidates", type=click.IntRange(1, 9), default=1, metavar="N",
                     help="Make N different proposals and pick one."),
        mode_option,
        max_steps_option,
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The options that `edit` and `preview` share, as they were typed."""

    script: str
    words: tuple[str, ...]
    instruction_file: str | None
    mode: str
    max_steps: int
    only: str | None
    keep: tuple[str, ...]
    target: str | None
    candidates: int

    def instruction(self) -> str:
        from script_editor.domain.script import check_instruction

        return check_instruction(
            instruction_from(self.words, self.instruction_file, stdin_taken=self.script == STDIN)
        )

    def demands(self) -> "Demands":
        from script_editor.app.scope import Demands
        from script_editor.domain.targets import parse_target

        duration = parse_target(self.target) if self.target is not None else None
        return Demands(only=self.only, keep=self.keep, duration=duration)


@click.command(
    epilog="""Examples:

    \b
      script-editor edit video_001 把“黄金时代”改成“快车道”，然后删掉第3行
      script-editor edit video_003 punchier hook --only Hook --keep Lumen --target 50s"""
)
@_edit_options
@click.option("--yes", "-y", is_flag=True, help="Save without asking.")
@click.option("--preview", is_flag=True, help="Only propose; save later with apply.")
@click.option("--encoding", metavar="NAME", help="With -: the encoding of the text, when it is not UTF-8.")
@click.option(
    "--hunks",
    is_flag=True,
    help="Go through the changes one by one before saving; to edit one as well: --preview, then review.",
)
@global_options
@pass_session
def edit(
    session: Session, /, yes: bool, preview: bool, hunks: bool, encoding: str | None, **options: Any
) -> int:
    """Edit SCRIPT by an instruction.

    Shows what changes and how long it takes to speak, and saves it as the next version. Words after
    the id are joined; quotes are optional. With "-" as SCRIPT the text comes from stdin and goes to
    stdout; nothing is stored. Where it misses the wanted time the text is written all the same, with a
    warning, and the exit code is 4.
    """
    from script_editor.agent.language import language_of

    asked = _Asked(**options)
    instruction = asked.instruction()
    session.language = language_of(instruction)
    if yes + preview + hunks > 1:
        raise click.UsageError("--yes saves, --preview only proposes, --hunks asks: give one of them.")
    if asked.script == STDIN:
        if yes or preview or hunks or asked.candidates > 1:
            raise click.UsageError(
                "With - nothing is stored: --yes, --preview, --hunks and --candidates have nothing to do."
            )
        return _filter(session, instruction, asked.demands(), encoding)
    if encoding is not None:
        raise click.UsageError("--encoding is for a text on stdin: script-editor edit - …")
    from script_editor.cli.asking import saving

    _check_script(session, asked.script)  # of two mistakes the wrong id is the one to be told of
    how = saving(session, yes=yes, preview=preview)
    _check_kept(session, asked, instruction)
    if asked.candidates > 1:
        if yes or hunks:
            raise click.UsageError("Of several candidates a person picks one: leave --yes and --hunks out.")
        candidates.make(session, _request(session, asked, instruction, how), asked.candidates, how)
        return 0
    return _carry_out(session, _request(session, asked, instruction, how), how, hunks=hunks)


@click.command(epilog="Example: script-editor preview video_003 delete line 3")
@_edit_options
@global_options
@pass_session
def preview(session: Session, /, **options: Any) -> int:
    """Propose an edit of SCRIPT without saving it.

    The same as edit --preview.
    """
    asked = _Asked(**options)
    if asked.script == STDIN:
        raise click.UsageError("A preview needs a script in the store; to try a text: script-editor edit - …")
    from script_editor.agent.language import language_of

    instruction = asked.instruction()
    session.language = language_of(instruction)
    _check_script(session, asked.script)
    _check_kept(session, asked, instruction)
    request = _request(session, asked, instruction, "proposes")
    if asked.candidates > 1:
        candidates.make(session, request, asked.candidates, "proposes")
        return 0
    return _carry_out(session, request, "proposes")


def _filter(session: Session, instruction: str, demands: "Demands", encoding: str | None) -> int:
    """Edit the text on stdin to stdout, in its own encoding; return the exit code: 4 when it misses the wanted time."""
    from script_editor.agent.language import language_of
    from script_editor.app.files import text_bytes
    from script_editor.app.hooks import Hooks
    from script_editor.app.kept import check_kept
    from script_editor.cli.progress import Progress
    from script_editor.domain.segments import NumberedScript

    session.language = language_of(instruction)
    text, form = read_stdin(encoding)
    check_kept(NumberedScript("stdin", 1, text), demands.keep, session.language)
    session.say_if_offline()
    with Progress(session) as progress:
        edited, notes = session.app.filter(text, instruction, demands, Hooks(on_part=progress.part))
    missed = _missed(text, edited, notes, _constraints(text, instruction, demands))
    for note in notes:
        if missed is None or note != missed.message:
            session.say(note)
    data = {"text": edited, "notes": list(notes)}
    if not session.json:
        write_bytes(text_bytes(edited, form))
    if missed is not None:
        session.failure(missed, data)
        return missed.exit_code
    if session.json:
        session.result(data)
    return 0


def _constraints(text: str, instruction: str, demands: "Demands") -> "Constraints":
    from script_editor.domain.segments import NumberedScript

    return demands.constraints(NumberedScript("stdin", 1, text), instruction)[0]


def _missed(
    text: str, edited: str, notes: Collection[str], constraints: "Constraints"
) -> "EditRefused | None":
    """Return that the edited text misses the wanted time, in the words that `notes` have for it; None when it does not."""
    from script_editor.app.timing import missed_target
    from script_editor.domain.refusals import finding_sentence

    findings = missed_target(text, edited, constraints.duration) if text != edited else ()
    for finding in findings:
        for language, written in _WRITTEN.items():
            said = finding_sentence(finding, language)
            if said in notes:
                return EditRefused(finding.code, said, advice=written, language=language)
        return EditRefused(finding.code, finding.message, advice=_WRITTEN["en"])
    return None


def _request(session: Session, asked: _Asked, instruction: str, how: "Saving") -> "EditRequest":
    from script_editor.app.edit import EditRequest

    return EditRequest(
        script_id=without_version(asked.script),
        instruction=instruction,
        author=session.app.settings.author,
        mode=asked.mode,
        preview=how == "proposes",
        max_steps=asked.max_steps,
        demands=asked.demands(),
    )


def _check_script(session: Session, script: str) -> None:
    """Look the id up. Raises UsageError for one with a version, BadScriptId, ScriptNotFound."""
    session.app.scripts.info(without_version(script))


def _check_kept(session: Session, asked: _Asked, instruction: str) -> None:
    """Look the words up that are to be kept. Raises EditRefused: one protects nothing, and the person relies on it."""
    if not asked.keep:
        return
    from script_editor.agent.language import language_of
    from script_editor.app.kept import check_kept
    from script_editor.domain.segments import NumberedScript

    head = session.app.scripts.read(without_version(asked.script))
    script = NumberedScript(head.script_id, head.number, head.text)
    check_kept(script, asked.keep, language_of(instruction))


def _carry_out(session: Session, request: "EditRequest", how: "Saving", *, hunks: bool = False) -> int:
    """Let the agent edit, and tell what came of it; return the exit code."""
    from script_editor.agent.language import language_of
    from script_editor.cli.asking import approval
    from script_editor.cli.progress import Progress
    from script_editor.cli.telling import exit_code

    session.language = language_of(request.instruction)
    session.say_if_offline()
    with Progress(session) as progress:
        report = session.app.edit(
            request,
            approve=approval(how, progress, one_by_one=hunks),
            listener=progress.listen,
            on_text=progress.draft if session.verbose else None,
            on_part=progress.part,
        )
    for warning in report.warnings:
        session.warn(warning)
    seen = how == "asks" and sys.stdout.isatty()  # on stderr, with the question
    drawn = drawn_answer(session, report)
    session.result(_report_data(report), _report_lines(session, report, drawn.lines, seen=seen))
    session.say_lines(drawn.hints)
    _say_next(session, report)
    return exit_code(report)


def _report_data(report: "EditReport") -> dict[str, Any]:
    from script_editor.cli import render
    from script_editor.cli.telling import tokens_data

    return {
        "outcome": report.outcome,
        "script": report.script_id,
        "base": f"v{report.base_number}",
        "version": f"v{report.version.number}" if report.version else None,
        "proposal": report.review.proposal.id if report.review else None,
        "changes": len(report.changes),
        "change_list": [render.change_data(change) for change in report.changes],
        "seconds": {"before": report.seconds_before, "after": report.seconds_after},
        "checks": render.checks_data(report.review.findings if report.review else ()),
        "tokens": tokens_data(report),
        "answer": report.answer,
        "truth": report.truth,
        "claims_unproven": report.claims_unproven,
        "notes": list(report.notes),
        "mode": report.mode,
        "model": report.model,
        "run": report.run_id,
    }


def _report_lines(session: Session, report: "EditReport", answer: list[str], *, seen: bool) -> list[str]:
    """Return the result as lines; `seen` says that the person has the changes on the screen already."""
    from script_editor.cli import heads, render
    from script_editor.cli.telling import proposed_line, saved_line, told_language, truth_lines

    if report.outcome == "answered":
        return answer if report.is_quotation else [*answer, *truth_lines(report)]
    if session.quiet:
        proposal = report.review.proposal.id if report.review else ""
        return [report.version.reference if report.version else proposal]
    lines = []
    language = told_language(report)
    if not seen:
        lines = [
            heads.edit_line(
                report.script_id,
                report.base_number,
                report.changes,
                seconds=(report.seconds_before, report.seconds_after),
                language=language,
            ),
            *render.change_lines(report.changes, language),
            *render.finding_lines(report.review.findings if report.review else (), language),
            *render.note_lines(report.notes, language),
        ]
    if report.version:
        return [*lines, saved_line(report.script_id, report.version.number, language)]
    assert report.review is not None, "an edit that saved nothing has a proposal or raised"
    return [*lines, proposed_line(report.review.proposal.id, language)]


def _say_next(session: Session, report: "EditReport") -> None:
    from script_editor.cli.telling import back_hint, review_hint, tokens_line, told_language

    if report.outcome == "answered":
        if report.is_quotation:
            session.say(report.truth)
    elif report.version:
        session.say(back_hint(report.version, told_language(report)))
    elif report.review:
        session.say(review_hint(report.review))
    if used := tokens_line(report):
        session.say(used)
