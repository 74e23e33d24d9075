"""What a raw reply to an editing request comes to, for a model that just answered and for one that is read again."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field

from script_editor.app.drafts import Draft, draft, refused
from script_editor.app.named_lines import are_named, parsed
from script_editor.app.requests import more_is_needed
from script_editor.domain.guards import check_reply
from script_editor.domain.operations import Constraints, Plan, Scope
from script_editor.domain.replies import Syntax
from script_editor.domain.replies.limiting import limited
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused


class NeedsMore(Exception):
    """The model says that the line to change is not among those it was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a reply is read against. `instruction` are the person's own words.

    With `is_excerpt` the model saw the lines around the place only, and may ask for more. With `is_bounded`
    an edit of another line than `constraints.targets` is refused outright: the model was not shown them.
    With `is_free` a time for the whole is wanted, and lines that the instruction names bind nothing.
    """

    script: NumberedScript
    instruction: str
    syntax: Syntax = "operations"
    scope: Scope = "local"
    constraints: Constraints = field(default_factory=Constraints)
    is_excerpt: bool = False
    is_bounded: bool = False
    is_free: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What reading a reply gave: "plan", "needs_more", or the reason of the refusal.

    Of a plan, `errors` are the codes of what stands against saving it, and `result` a digest of its text.
    """

    outcome: str
    errors: tuple[str, ...] = ()
    result: str = ""


def read_plan(asked: Asked, text: str, *, finish_reason: str, refusal: str | None = None) -> Plan:
    """Return the plan of a reply; it has operations.

    Raises:
        NeedsMore: the reply asks to see more of the script.
        EditRefused: see `check_reply` and `parse_plan`; unchanged when it has no operations.
    """
    check_reply(finish_reason, refusal, text)
    if asked.syntax != "whole":
        need = more_is_needed(text)
        if need.is_all or (need.is_there and asked.is_excerpt):
            raise NeedsMore
        text = need.rest
    plan = parsed(
        text,
        asked.script,
        syntax=asked.syntax,
        instruction=asked.instruction,
        scope=asked.scope,
        constraints=asked.constraints,
    )
    if not plan.operations:
        raise EditRefused("unchanged", "The model found nothing to change.")
    return plan


def judged(asked: Asked, plan: Plan) -> Draft:
    """Return what becomes of the script by a plan. Raises EditRefused where no person should look at it."""
    made = draft(
        asked.script,
        plan,
        instruction=asked.instruction,
        constraints=asked.constraints,
        is_bound=not asked.is_free,
    )
    if asked.syntax == "whole" and made.errors:  # not what a model without the form made of it
        raise refused(made.findings)
    outside = [error for error in made.errors if error.guard == "off_target"]
    if outside and asked.is_bounded:  # the model was not shown those lines, so it cannot know them
        raise refused(outside)
    return made


def settled(asked: Asked, plan: Plan) -> tuple[Plan, Draft]:
    """Return what `judged` returns, with the plan; without its changes of other lines when they are all that is wrong.

    Only where the instruction names the lines by number; who gave an order to change only them is asked.
    """
    made = judged(asked, plan)
    is_astray = bool(made.errors) and all(error.guard == "off_target" for error in made.errors)
    if is_astray and are_named(asked.script, asked.instruction, asked.constraints):
        inside = limited(plan, asked.script, asked.constraints.targets, asked.instruction)
        with suppress(EditRefused):
            rest = judged(asked, inside)
            if not rest.errors:
                return inside, rest
    return plan, made


def reading_of(made: Draft) -> Reading:
    """Return the reading of a reply that makes this draft."""
    return Reading(
        outcome="plan", errors=tuple(error.code for error in made.errors), result=digest(made.text)
    )


def reading(asked: Asked, text: str, *, finish_reason: str, refusal: str | None = None) -> Reading:
    """Return what a reply comes to; no reply makes it raise."""
    try:
        plan = read_plan(asked, text, finish_reason=finish_reason, refusal=refusal)
        return reading_of(settled(asked, plan)[1])
    except NeedsMore:
        return Reading(outcome="needs_more")
    except EditRefused as refusal_found:
        return Reading(outcome=refusal_found.reason)


def digest(text: str) -> str:
    """Return what tells one text from another, in sixteen characters."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
