"""From a plan to splices: `resolve` says what a plan means for the bytes of a script.

Everything outside a splice is the author's own text by construction, and `splices.apply` asserts it.
A plan is all or nothing. Rules that hold for every operation:

- segment ids mean the base version, whatever other operations of the plan do;
- a segment has one owner: two operations that both decide its text are a conflict, except several
  substitutions whose spans do not overlap; moving a line and substituting inside it go together;
- line ends belong to the place: a moved or inserted line gets the line end of its neighbour;
- a text without a final newline stays without one, and one with it keeps it.
"""

from script_editor.domain.layout import Layout
from script_editor.domain.operations import Plan
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import Splice
from script_editor.errors import EditRefused


def resolve(script: NumberedScript, plan: Plan) -> tuple[Splice, ...]:
    """Return the splices that carry out `plan` on `script`, sorted by position.

    Raises:
        EditRefused: wrong_target or stale when the plan is for another script or version, malformed
            for an operation that cannot be one, no_match, ambiguous_match or empty_search when a
            target is not there once, conflict when two operations own one segment.
    """
    if plan.script_id != script.script_id:
        raise EditRefused(
            "wrong_target", f"The plan is for {plan.script_id!r}, but {script.script_id!r} is being edited."
        )
    if plan.base_version != script.version:
        raise EditRefused(
            "stale",
            f"The plan was made for version {plan.base_version}; {script.script_id} is at version {script.version}.",
            advice="Read the script again and repeat the edit.",
        )
    layout = Layout(script)
    for operation in plan.operations:
        layout.add(operation)
    return layout.splices()
