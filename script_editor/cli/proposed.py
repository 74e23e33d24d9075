"""Proposals on the screen: finding the one that is meant, its lines, and what can be done with it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from script_editor.cli.session import Session
from script_editor.errors import BadInput, Language, NotFound, ProposalNotFound

if TYPE_CHECKING:
    from collections.abc import Collection

    from script_editor.app.proposals import Review

_NOW: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "accepted": "It is saved already.",
        "rejected": "It is discarded already.",
        "decided": "It is decided already.",
        "save": "Save it: ",
        "partly": "     Without change 2: script-editor apply {id} --except 2",
        "done": "{script} has everything of it already. Drop it: script-editor discard {id}",
        "useless": "{script} moved after this proposal, and nothing of it fits any more. "
        "Ask for the edit again, and drop this one: script-editor discard {id}",
        "moved": "{script} moved after this proposal; {fitting} of {total} changes still fit. "
        "Carry it over: script-editor apply {id} --rebase",
    },
    "zh": {
        "accepted": "这份提案已经保存了。",
        "rejected": "这份提案已经放弃了。",
        "decided": "这份提案已经处理过了。",
        "save": "保存：",
        "partly": "     不要第 2 处：script-editor apply {id} --except 2",
        "done": "{script} 里已经有它的全部改动。     放弃：script-editor discard {id}",
        "useless": "提案之后 {script} 有了新版本，它的改动已经都对不上了。     "
        "请重新提要求，并放弃这份：script-editor discard {id}",
        "moved": "提案之后 {script} 有了新版本，{total} 处改动中有 {fitting} 处还对得上。     "
        "移过去：script-editor apply {id} --rebase",
    },
}
"""What can be done with a proposal, by what became of it."""


def find(session: Session, proposal: str | None) -> "Review":
    """Return the proposal with this id, or the newest open one that still fits; from here on its language is spoken.

    Raises:
        ProposalNotFound: there is none.
        NotFound: it is the id of a script; the message names the way to its proposals.
    """
    try:
        found = session.app.proposals.review(proposal)
        session.language = found.language
        return found
    except ProposalNotFound as error:
        if proposal is None or not _is_script(session, proposal):
            raise
        raise NotFound(
            f"{proposal} is a script, not a proposal. Its open proposals: script-editor proposals {proposal}"
        ) from error


def _is_script(session: Session, name: str) -> bool:
    try:
        session.app.scripts.info(name)
    except (NotFound, BadInput):
        return False
    return True


def shown(
    found: "Review", *, taken: "Collection[int] | None" = None, with_findings: bool = True
) -> list[str]:
    """Return a proposal as lines, with all its changes, or only those in `taken`."""
    from script_editor.cli import render

    changes = [change for change in found.changes if taken is None or change.id in taken]
    return [
        *headed(found),
        *render.numbered_change_lines(changes, found.language),
        *(render.finding_lines(found.findings, found.language) if with_findings else ()),
        *render.note_lines(found.notes, found.language),
    ]


def headed(found: "Review") -> list[str]:
    """Return which proposal it is, and what was asked for."""
    from script_editor.cli import heads, render

    asked = found.proposal.provenance.instruction
    return [heads.review_line(found), *([f"“{render.one_line(asked, 100)}”"] if asked else [])]


def what_now(session: Session, found: "Review") -> str:
    """Return what can be done with a proposal: saving it, carrying it over, or dropping it."""
    id, status, words = found.proposal.id, found.proposal.status, _NOW[found.language]
    if status != "pending":
        return words.get(status, words["decided"])
    if not session.app.proposals.is_stale(found.proposal):
        return _save_it(found, words)
    seen = session.app.proposals.outlook(found)
    now = "done" if seen.is_done else "moved" if seen.fitting else "useless"
    return words[now].format(id=id, script=found.proposal.script_id, fitting=seen.fitting, total=seen.total)


def _save_it(found: "Review", words: Mapping[str, str]) -> str:
    from script_editor.cli import render

    partly = words["partly"].format(id=found.proposal.id) if len(found.changes) > 1 else ""
    return f"{words['save']}{render.apply_command(found)}{partly}"
