"""What is told under the result of a run, whichever command ran it: the truth, what to do next, what it cost."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from script_editor.cli.printable import printable
from script_editor.cli.render import apply_command
from script_editor.domain.script import VersionInfo
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.app.ask import AskReport
    from script_editor.app.candidates import Candidates
    from script_editor.app.edit import EditReport
    from script_editor.app.proposals import Review

NOT_DONE = 9
"""The code of a run that ended with an answer although a change was tried or told of."""
_UNPROVEN: Mapping[Language, str] = {
    "zh": "回答里说改了，其实没有：请以下面这句为准。",
    "en": "The answer speaks of a change that was not made; what holds is this:",
}


def truth_lines(report: "AskReport | EditReport") -> list[str]:
    """Return the program's own sentence on what changed, for under an answer: the model's words prove nothing.

    An answer that tells of an edit that did not happen is flagged. Where the answer is the result, the
    sentence stands in brackets.
    """
    language = told_language(report)
    flag = click.style("! ", fg="red", bold=True) + _UNPROVEN[language]
    truth = printable(report.truth)
    if report.outcome == "answered":
        truth = f"（{truth}）" if language == "zh" else f"({truth})"
    return [flag, truth] if report.claims_unproven else [truth]


def told_language(report: "AskReport | EditReport") -> Language:
    """Return the language of the instruction: the program states the truth in it, and begins with no name."""
    return "zh" if "\u4e00" <= report.truth[:1] <= "\u9fff" else "en"


def exit_code(report: "AskReport | EditReport") -> int:
    """Return the exit code of a run that ended in a report: an answer that tells of an edit that was not made fails."""
    return NOT_DONE if report.outcome == "answered" and report.claims_unproven else 0


def saved_line(script_id: str, number: int, language: Language) -> str:
    """Return that a version was saved, in the language of the instruction."""
    return f"已保存 {script_id} v{number}。" if language == "zh" else f"Saved {script_id} v{number}."


def proposed_line(proposal_id: str, language: Language) -> str:
    """Return that an edit was proposed and not saved, in the language of the instruction."""
    return f"提案 {proposal_id}，还没有保存。" if language == "zh" else f"Proposal {proposal_id}, not saved."


def review_hint(review: "Review") -> str:
    """Return what can be done with a proposal that was just made, in the language of its instruction."""
    id = review.proposal.id
    if review.language == "zh":
        return (
            f"逐处查看：script-editor review {id}     保存：{apply_command(review)}     "
            f"放弃：script-editor discard {id}"
        )
    return (
        f"Look through it: script-editor review {id}     Save it: {apply_command(review)}     "
        f"Drop it: script-editor discard {id}"
    )


def back_hint(version: VersionInfo, language: Language) -> str:
    """Return how to take a version back that was just saved."""
    back = "redo" if version.source == "undo" else "undo"
    if language == "zh":
        return f"{'重做' if back == 'redo' else '撤销'}：script-editor {back} {version.script_id}"
    return f"{back.capitalize()}: script-editor {back} {version.script_id}"


def tokens_line(report: "AskReport | EditReport | Candidates") -> str:
    """Return what the calls of the model took, "" when nothing is known or nothing was used."""
    used = report.usage.prompt_tokens, report.usage.completion_tokens
    return f"{report.model}: {used[0]:,} + {used[1]:,} tokens" if any(used) else ""


def tokens_data(report: "AskReport | EditReport | Candidates") -> dict[str, int] | None:
    """Return what the calls of the model took as JSON values; None when the service did not say."""
    usage = report.usage
    return {"in": usage.prompt_tokens, "out": usage.completion_tokens} if usage.known else None
