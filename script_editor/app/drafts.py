"""From a plan to a checked text: splices, then guards. The one way to a text that may be saved."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from script_editor.app.timing import missed_target
from script_editor.domain.edits import resolve
from script_editor.domain.findings import Finding, GuardContext, may_be_overruled
from script_editor.domain.guards import check
from script_editor.domain.operations import Constraints, Move, Plan
from script_editor.domain.script import check_text
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import Splice, apply
from script_editor.errors import BadInput, EditRefused


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that a plan makes, and everything the guards found in it; it may be saved without errors only."""

    text: str
    findings: tuple[Finding, ...] = ()

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that stand in the way of a save."""
        return tuple(finding for finding in self.findings if finding.level == "error")


def draft(
    script: NumberedScript, plan: Plan, *, instruction: str, constraints: Constraints | None = None
) -> Draft:
    """Return the text that `plan` makes of `script`, with what the guards found.

    Errors that a person may overrule are in the findings; every other one is raised.

    Raises:
        EditRefused: the plan cannot be carried out (see `resolve`), changes nothing (unchanged), or a
            guard found an error that nobody may overrule.
    """
    constraints = constraints or Constraints()
    splices = resolve(script, plan)
    text = apply(script.text, splices)
    _check_characters(text)
    if text == script.text:
        raise EditRefused(
            "unchanged", f"{script.script_id} v{script.version} already reads as asked; nothing to change."
        )
    context = GuardContext(
        instruction=instruction,
        scope=plan.scope,
        targets=constraints.targets,
        locks=constraints.locks,
        is_literal=plan.is_literal,
        moved=tuple(
            script.resolve_reference(operation.id).number
            for operation in plan.operations
            if isinstance(operation, Move)
        ),
    )
    findings = (
        *_outside_targets(script, plan, splices, constraints),
        *check(script.text, text, context),
        *missed_target(script.text, text, constraints.duration),
    )
    if not may_be_overruled(findings):
        raise refused(findings, script=f"{script.script_id} v{script.version}")
    return Draft(text, findings)


def checked_text(
    script: NumberedScript, plan: Plan, *, instruction: str, constraints: Constraints | None = None
) -> Draft:
    """Return what `draft` returns, if it may be saved. Raises EditRefused for every error."""
    made = draft(script, plan, instruction=instruction, constraints=constraints)
    if made.errors:
        raise refused(made.findings, script=f"{script.script_id} v{script.version}")
    return made


def refused(findings: Sequence[Finding], *, script: str = "", proposal_id: str | None = None) -> EditRefused:
    """Return the first error among the findings, or the first of them, as the refusal it is.

    `script` is what stays as it is, such as `video_001@v3` or "video_001 v3"; `proposal_id` is where the result is kept.
    """
    first = next((finding for finding in findings if finding.level == "error"), findings[0])
    return EditRefused(
        first.code,
        first.message,
        segments=first.segments,
        example=first.example,
        was=first.was,
        advice=first.advice.replace("{id}", re.split("[@ ]", script)[0]) if script else "",
        kept=script,
        proposal_id=proposal_id,
    )


def _check_characters(text: str) -> None:
    try:
        check_text(text)
    except BadInput as error:  # here the model wrote it, so the model may mend it
        raise EditRefused("malformed", f"The edit cannot be kept: {error}") from error


def _outside_targets(
    script: NumberedScript, plan: Plan, splices: Sequence[Splice], constraints: Constraints
) -> Iterator[Finding]:
    """Find lines outside the targets that a plan touches, by its operations or by their effect."""
    if not constraints.targets:
        return
    allowed = {script.segment(number).number for number in constraints.targets}
    named = {
        script.resolve_reference(reference).number
        for operation in plan.operations
        for reference in (operation.id, getattr(operation, "before", None), getattr(operation, "after", None))
        if reference is not None
    }
    cut = {
        segment.number
        for segment in script.segments
        for splice in splices
        if splice.start < segment.end and segment.start < splice.end
    }
    outside = sorted((named | cut) - allowed)
    if outside:
        where, only = (", ".join(map(str, numbers)) for numbers in (outside, sorted(allowed)))
        yield Finding(
            guard="off_target",
            code="off_target",
            level="error",
            message=f"The edit would change line {where}, but only line {only} may change.",
            segments=tuple(outside),
        )
