"""Lines that an instruction names by number bound what a model may change, as an order to change them only does."""

from dataclasses import replace

from script_editor.domain.edits import resolve
from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from script_editor.domain.operations import Constraints, Plan, Scope
from script_editor.domain.places import object_lines
from script_editor.domain.replies import Syntax, parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import apply
from script_editor.patterns import Pattern

_ID = Pattern(r"[A-Za-z][A-Za-z_-]*[0-9]+")
"""What an id mostly looks like; a name such as GPT4 costs no more than the binding."""


def bound(script: NumberedScript, instruction: str, constraints: Constraints) -> Constraints:
    """Return constraints whose targets are the lines that the person's own words name as all that is to change.

    As they are where lines were named already, where a time for the whole is wanted, or where the words name
    another script, whose lines they may be.
    """
    others = {id.lower() for id in _ID.findall(instruction)} - {script.script_id}
    if constraints.targets or constraints.duration is not None or others:
        return constraints
    return replace(constraints, targets=object_lines(instruction, script))


def are_named(script: NumberedScript, instruction: str, constraints: Constraints) -> bool:
    """Say whether the targets are what the instruction's own words name."""
    return bool(constraints.targets) and constraints.targets == object_lines(instruction, script)


def parsed(
    raw: str,
    script: NumberedScript,
    *,
    syntax: Syntax,
    instruction: str,
    scope: Scope,
    constraints: Constraints,
) -> Plan:
    """Return the plan of a reply (see `parse_plan`); a whole rewrite changes the lines that the instruction names only.

    One that is no good as it came is not made good by taking back most of it: it stays as it is, for the
    guards to judge.

    Raises:
        EditRefused: see `parse_plan`, and `resolve` of a whole rewrite.
    """

    def read(targets: tuple[int, ...]) -> Plan:
        return parse_plan(raw, script, syntax=syntax, instruction=instruction, scope=scope, targets=targets)

    plan = read(constraints.targets)
    if syntax != "whole" or not plan.operations or not are_named(script, instruction, constraints):
        return plan
    free = read(())
    return plan if _is_sound(free, script, instruction, constraints) else free


def _is_sound(plan: Plan, script: NumberedScript, instruction: str, constraints: Constraints) -> bool:
    text = apply(script.text, resolve(script, plan))
    context = GuardContext(instruction=instruction, scope=plan.scope, locks=constraints.locks)
    return all(finding.level == "warning" for finding in check(script.text, text, context))
