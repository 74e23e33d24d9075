"""From a plan to a checked text: splices, then guards. The one way to a text that may be saved.

The plans of several chunks of one script become one here (`joined`), of those that can stand together (`fitting`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from script_editor.agent.language import language_of
from script_editor.app.named_lines import are_named, bound
from script_editor.app.timing import missed_target
from script_editor.domain.edits import resolve
from script_editor.domain.findings import Finding, GuardContext, may_be_overruled
from script_editor.domain.guards import check
from script_editor.domain.operations import Constraints, InsertAfter, InsertBefore, Move, Operation, Plan
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
    script: NumberedScript,
    plan: Plan,
    *,
    instruction: str,
    constraints: Constraints | None = None,
    is_bound: bool = True,
) -> Draft:
    """Return the text that `plan` makes of `script`, with what the guards found.

    With `is_bound`, lines that the instruction names by number are the targets where there are no others.

    Errors that a person may overrule are in the findings; every other one is raised.

    Raises:
        EditRefused: the plan cannot be carried out (see `resolve`), changes nothing (unchanged), or a
            guard found an error that nobody may overrule.
    """
    constraints = constraints or Constraints()
    if is_bound and not plan.is_literal:
        constraints = bound(script, instruction, constraints)
    splices = resolve(script, plan)
    text = apply(script.text, splices)
    _check_characters(text)
    if text == script.text:
        raise EditRefused(
            "unchanged", f"{script.script_id} v{script.version} already reads as asked; nothing to change."
        )
    is_named = are_named(script, instruction, constraints)
    context = GuardContext(
        instruction=instruction,
        scope=plan.scope,
        targets=() if is_named else constraints.targets,
        named=constraints.targets if is_named else (),
        locks=constraints.locks,
        is_literal=plan.is_literal,
        moved=tuple(
            script.resolve_reference(operation.id).number
            for operation in plan.operations
            if isinstance(operation, Move)
        ),
    )
    outside = tuple(_outside_targets(script, plan, splices, constraints, is_named=is_named))
    checked = check(script.text, text, context)
    findings = (
        # What is no text at all is the worse fault of a reply than where it stands, unless the place was an order.
        *((*checked, *outside) if is_named else (*outside, *checked)),
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


@dataclass(frozen=True, slots=True)
class Piece:
    """What one chunk of a script came to: its lines, the plan for them, and the reply it was read from."""

    lines: tuple[int, ...]
    plan: Plan
    reply: str


def joined(pieces: Sequence[Piece], script: NumberedScript, instruction: str) -> Plan:
    """Return one plan for all pieces; what two of them insert at their common border is inserted once."""
    operations: list[Operation] = []
    notes: list[str] = []
    inserted: set[tuple[int, str]] = set()
    for piece in pieces:
        places = [_insertion(operation, script) for operation in piece.plan.operations]
        operations += (
            operation
            for operation, place in zip(piece.plan.operations, places, strict=True)
            if place not in inserted
        )
        if any(place in inserted for place in places):
            notes.append(_said_twice(instruction))
        inserted |= {place for place in places if place is not None}
        notes += piece.plan.notes
    return Plan(
        script_id=script.script_id,
        base_version=script.version,
        operations=tuple(operations),
        scope="global",
        notes=tuple(dict.fromkeys(notes)),
    )


def fitting(
    pieces: Sequence[Piece], script: NumberedScript, *, instruction: str, constraints: Constraints
) -> tuple[tuple[Piece, ...], tuple[tuple[Piece, EditRefused], ...]]:
    """Return the pieces that make one text together, and the others, each with the reason.

    Each may be right by itself and wrong beside another: only in the whole text is it seen that two chunks tell
    the same. Earlier ones win.
    """
    refusals: list[tuple[Piece, EditRefused]] = []

    def with_these(kept: tuple[Piece, ...], more: tuple[Piece, ...]) -> tuple[Piece, ...]:
        try:
            draft(
                script,
                joined((*kept, *more), script, instruction),
                instruction=instruction,
                constraints=constraints,
            )
            return (*kept, *more)
        except EditRefused as refusal:
            if len(more) == 1:
                refusals.append((more[0], refusal))
                return kept
        half = len(more) // 2
        return with_these(with_these(kept, more[:half]), more[half:])

    return with_these((), tuple(pieces)), tuple(refusals)


def _insertion(operation: Operation, script: NumberedScript) -> tuple[int, str] | None:
    """Return behind which line an operation inserts what, None when it inserts nothing."""
    match operation:
        case InsertAfter(id=id, text=text):
            return script.resolve_reference(id).number, text.strip()
        case InsertBefore(id=id, text=text):
            return script.resolve_reference(id).number - 1, text.strip()
        case _:
            return None


def _said_twice(instruction: str) -> str:
    if language_of(instruction) == "zh":
        return "模型在两部分的交界处插入了两次同样的内容，只留了一次。"
    return "The model inserted the same text twice where two parts meet; it was kept once."


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
    script: NumberedScript,
    plan: Plan,
    splices: Sequence[Splice],
    constraints: Constraints,
    *,
    is_named: bool,
) -> Iterator[Finding]:
    """Find lines outside the targets that a plan touches, by its operations or by their effect.

    Where the targets are only named by the instruction, new lines may be put in by any neighbour of theirs: the
    guards see where they stand.
    """
    if not constraints.targets:
        return
    allowed = {script.segment(number).number for number in constraints.targets}
    named = {
        script.resolve_reference(reference).number
        for operation in plan.operations
        if not (is_named and isinstance(operation, InsertAfter | InsertBefore))
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
