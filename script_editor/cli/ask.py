"""`ask`: one instruction over the whole store, and how what came of it is told. A chat tells its turns the same way."""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.inputs import instruction_file_option, instruction_from, max_steps_option, mode_option
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.app.ask import AskReport, Changed

_EXAMPLE = "ask what changed in video_003"
_NOBODY: Mapping[Language, str] = {
    "en": "Nobody could be asked, so the edit stays a proposal. To save at once: --yes",
    "zh": "没有人可以确认，所以修改只留作提案。要直接保存：--yes",
}


@click.command(
    epilog="""Examples:

    \b
      script-editor ask what changed in video_003
      script-editor ask 把 video_002 和 video_012 的结尾统一成“点击左下角” --preview"""
)
@click.argument("words", metavar="INSTRUCTION...", nargs=-1)
@instruction_file_option
@click.option("--yes", "-y", is_flag=True, help="Save without asking.")
@click.option("--preview", "--read-only", is_flag=True,
              help="Save nothing: an edit stays a proposal, to be saved later with apply.")  # fmt: skip
@mode_option
@max_steps_option
@click.option("--trace", is_flag=True, help="List the tool calls under the answer; with --json as 'trace'.")
@global_options
@pass_session
def ask(
    session: Session,
    words: tuple[str, ...],
    instruction_file: str | None,
    yes: bool,
    preview: bool,
    mode: str,
    max_steps: int,
    trace: bool,
) -> int:
    """Ask a question about your scripts, or have one instruction carried out on several.

    The answer is the model's; under it the program says what changed. On a terminal each save is asked about
    first. Where nobody can be asked, --yes saves, and without it questions are answered and edits stay
    proposals. Where nothing was saved although the answer tells of an edit, or an edit was ordered without a script
    that is meant, the exit code is 9.
    """
    from script_editor.agent.language import language_of
    from script_editor.app.errand import Errand
    from script_editor.cli.asking import approval, saving
    from script_editor.cli.progress import Progress
    from script_editor.cli.telling import NOT_DONE, exit_code

    instruction = _instruction(words, instruction_file)
    session.language = language_of(instruction)
    is_unattended = not (yes or preview or session.interactive)
    how = saving(session, yes=yes, preview=preview or is_unattended)
    session.say_if_offline()
    errand = Errand(
        instruction=instruction,
        author=session.app.settings.author,
        mode=mode,
        read_only=how == "proposes",
        max_steps=max_steps,
    )
    with Progress(session) as progress:
        report = session.app.ask(
            errand,
            approve=approval(how, progress),
            listener=progress.listen,
            on_text=progress.draft if session.verbose else None,
            on_part=progress.part,
        )
    show_report(session, report, seen=how == "asks" and sys.stdout.isatty(), trace=trace)
    if is_unattended and report.proposals:
        session.say(_NOBODY[session.language])
    return NOT_DONE if report.is_undone else exit_code(report)


def _instruction(words: tuple[str, ...], file: str | None) -> str:
    """Return what is asked. Raises BadInstruction, UsageError, BadFile."""
    from script_editor.domain.script import check_instruction
    from script_editor.errors import BadInstruction

    said = instruction_from(words, file, example=_EXAMPLE)
    if not said.strip():
        raise BadInstruction(
            "The instruction is empty.",
            hint=f"Say what you want to know, or to have changed, such as: script-editor {_EXAMPLE}",
        )
    return check_instruction(said)


def show_report(session: Session, report: "AskReport", *, seen: bool, trace: bool = False) -> None:
    """Print what came of a run, then, on stderr, what can be done next and what it cost.

    `seen` says that the person has the saved changes on the screen already; `trace` lists the tool calls too.
    """
    from script_editor.cli.answers import drawn_answer
    from script_editor.cli.telling import back_hint, review_hint, tokens_line, told_language

    for warning in report.warnings:
        session.warn(warning)
    drawn = drawn_answer(session, report)
    data = {**report_data(report), "trace": _trace_data(report)} if trace else report_data(report)
    session.result(data, _lines(session, report, drawn.lines, seen=seen))
    if trace:
        session.say_lines(_trace_lines(session, report))
    session.say_lines(drawn.hints)
    if report.is_quotation and report.outcome == "answered":
        session.say(report.truth)
    for changed in report.changed:
        session.say(back_hint(changed.version, told_language(report)))
    for review in report.proposals:
        session.say(review_hint(review))
    if used := tokens_line(report):
        session.say(used)


def report_data(report: "AskReport") -> dict[str, Any]:
    """Return what came of a run as JSON values; `tools` names the calls in the order they were made."""
    from script_editor.cli import render
    from script_editor.cli.telling import tokens_data

    return {
        "outcome": report.outcome,
        "answer": report.answer,
        "truth": report.truth,
        "claims_unproven": report.claims_unproven,
        "is_undone": report.is_undone,
        "changed": [_changed_data(changed) for changed in report.changed],
        "proposals": [render.review_data(review) for review in report.proposals],
        "notes": list(report.notes),
        "tools": [step.action.tool for step in report.steps],
        "tokens": tokens_data(report),
        "mode": report.mode,
        "model": report.model,
        "run": report.run_id,
    }


def _changed_data(changed: "Changed") -> dict[str, Any]:
    from script_editor.cli import render

    return {
        "script": changed.version.script_id,
        "base": f"v{changed.base.number}",
        "version": f"v{changed.version.number}",
        "changes": len(changed.changes),
        "change_list": [render.change_data(change) for change in changed.changes],
        "seconds": {"before": changed.seconds_before, "after": changed.seconds_after},
    }


def _lines(session: Session, report: "AskReport", answer: list[str], *, seen: bool) -> list[str]:
    from script_editor.cli.telling import truth_lines

    references = [changed.version.reference for changed in report.changed]
    if session.quiet and report.outcome != "answered":
        return references or [review.proposal.id for review in report.proposals]
    if report.is_quotation and report.outcome == "answered":
        return answer
    shown = _shown(report, seen=seen)
    gap = [""] if shown else []
    return [*shown, *gap, *answer, *truth_lines(report)]


def _shown(report: "AskReport", *, seen: bool) -> list[str]:
    """Return what was saved, unless the person has seen it, and what was only proposed."""
    from script_editor.cli import heads, render
    from script_editor.cli.telling import told_language

    lines, language = [], told_language(report)
    for changed in () if seen else report.changed:
        seconds = changed.seconds_before, changed.seconds_after
        script_id, base = changed.base.script_id, changed.base.number
        lines.append(heads.edit_line(script_id, base, changed.changes, seconds=seconds, language=language))
        lines.extend(render.change_lines(changed.changes, language))
    told_there = [note for review in report.proposals for note in review.notes]
    own_notes = [] if seen else [note for note in report.notes if note not in told_there]
    lines.extend(render.note_lines(own_notes, language))
    for review in report.proposals:
        lines.extend(heads.review_lines(review))
    return lines


def _trace_data(report: "AskReport") -> list[dict[str, Any]]:
    return [
        {
            "turn": step.action.turn,
            "tool": step.action.tool,
            "arguments": step.action.arguments,
            "ok": step.ok,
            "seconds": round(step.seconds, 2),
            "observation": step.observation,
        }
        for step in report.steps
    ]


def _trace_lines(session: Session, report: "AskReport") -> list[str]:
    from script_editor.cli import render

    rows = [
        (str(step.action.turn), step.action.tool, "ok" if step.ok else "refused", f"{step.seconds:.1f} s",
         json.dumps(step.action.arguments, ensure_ascii=False))
        for step in report.steps
    ]  # fmt: skip
    return render.table(rows, session.columns)
