"""Several proposals side by side, and the pick."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.session import Session
from script_editor.errors import Declined, Language

if TYPE_CHECKING:
    from script_editor.app.candidates import Candidates
    from script_editor.app.edit import EditRequest
    from script_editor.app.proposals import Review
    from script_editor.cli.asking import Saving

_KEPT: Mapping[Language, str] = {
    "en": "All of them are kept as proposals: script-editor proposals",
    "zh": "全部留作提案：script-editor proposals",
}
_WHICH: Mapping[Language, str] = {
    "en": "Which one to save? {numbers}, or 0 for none",
    "zh": "保存哪一个？{numbers}，都不要就按 0",
}


def make(session: Session, request: "EditRequest", count: int, saving: "Saving") -> None:
    """Make the candidates and show them; where it `asks`, save the one that is picked, else all stay proposals."""
    from script_editor.agent.language import language_of
    from script_editor.cli.progress import Progress

    session.language = language_of(request.instruction)
    with Progress(session) as progress:
        made = session.app.candidates(
            request,
            count,
            on_candidate=lambda number: progress.tell(
                f"第 {number} 版，共 {count} 版"
                if session.language == "zh"
                else f"candidate {number} of {count}"
            ),
            on_part=progress.part,
        )
    for warning in made.warnings:
        session.warn(warning)
    if saving == "proposes":
        session.result(_data(made), _ids(made) if session.quiet else _lines(made, session.language))
        _say_next(session, made)
    else:
        _save(session, made, _picked(made, session.language))


def _picked(made: "Candidates", language: Language) -> "Review":
    """Return the candidate that the person names.

    Raises:
        Declined: none of them.
    """
    from script_editor.cli.asking import leaving
    from script_editor.cli.questions import forget_typed

    for line in _lines(made, language):
        click.echo(line, err=True)
    numbers = [str(number) for number in range(1, len(made.reviews) + 1)]
    with leaving(lambda: _KEPT[language], language):
        forget_typed()
        answer = click.prompt(
            _WHICH[language].format(numbers="/".join(numbers)),
            type=click.Choice(["0", *numbers]), show_choices=False, default="0", show_default=False, err=True,
            prompt_suffix="：" if language == "zh" else ": ",
        )  # fmt: skip
    if answer == "0":
        raise Declined("没有保存。" if language == "zh" else "Not saved.", hint=_KEPT[language])
    return made.reviews[int(answer) - 1]


def _save(session: Session, made: "Candidates", picked: "Review") -> None:
    from script_editor.cli.asking import overruling
    from script_editor.cli.telling import back_hint

    others = [review.proposal.id for review in made.reviews if review is not picked]
    version = overruling(
        lambda overrule: session.app.proposals.pick(
            picked.proposal.id, others, decided_by=session.app.settings.author, overrule=overrule
        ),
        picked,
    )
    number = made.reviews.index(picked) + 1
    saved = (
        f"已保存 {version.script_id} v{version.number}（第 {number} 版）。"
        if session.language == "zh"
        else f"Saved {version.script_id} v{version.number} (candidate {number})."
    )
    session.result(
        {**_data(made), "picked": picked.proposal.id, "version": f"v{version.number}"},
        [version.reference if session.quiet else saved],
    )
    session.say(back_hint(version, session.language))
    _say_usage(session, made)


def _say_next(session: Session, made: "Candidates") -> None:
    from script_editor.cli import render

    first = made.reviews[0]
    apply, review = render.apply_command(first), f"script-editor review {first.proposal.id}"
    session.say(
        f"保存其中一个，比如第一个：{apply}     逐处查看：{review}"
        if session.language == "zh"
        else f"Save one, such as the first: {apply}     Look through it: {review}"
    )
    _say_usage(session, made)


def _say_usage(session: Session, made: "Candidates") -> None:
    from script_editor.cli.telling import tokens_line

    if used := tokens_line(made):
        session.say(used)


def _ids(made: "Candidates") -> list[str]:
    return [review.proposal.id for review in made.reviews]


def _lines(made: "Candidates", language: Language) -> list[str]:
    from script_editor.cli import heads

    lines = []
    for number, review in enumerate(made.reviews, 1):
        first, *rest = heads.review_lines(review)
        lines += [
            click.style(f"第 {number} 版" if language == "zh" else f"candidate {number}", bold=True)
            + f" · {first}",
            *rest,
        ]
    return lines


def _data(made: "Candidates") -> dict[str, Any]:
    from script_editor.cli import render
    from script_editor.cli.telling import tokens_data

    return {
        "script": made.script_id,
        "base": f"v{made.base_number}",
        "proposals": [render.review_data(review) for review in made.reviews],
        "model": made.model,
        "run": made.run_id,
        "tokens": tokens_data(made),
    }
