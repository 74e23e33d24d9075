"""OfflineRewriter: mechanical instructions to plans, without a model."""

from collections.abc import Sequence
from dataclasses import replace

from script_editor.domain.operations import Constraints, Rewrite
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.offline import refusals
from script_editor.offline.compose import compose, touched
from script_editor.offline.decide import decide
from script_editor.offline.lines import Holding, Lines, Pick, Run
from script_editor.offline.parts import read_parts
from script_editor.offline.requests import DeleteLines, Part, ReplaceText, Request, RewriteLines
from script_editor.offline.script_names import without_id
from script_editor.offline.wording import language_of, read

NAME = "offline"


class OfflineRewriter:
    """The Rewriter that needs neither key nor network; it understands what `grammar` can read."""

    def __call__(self, script: NumberedScript, instruction: str, constraints: Constraints) -> Rewrite:
        """Return the plan that does exactly what the instruction says, all parts or none.

        Raises:
            EditRefused: ambiguous_match, no_match or unchanged; empty when nothing would be left;
                off_target when lines outside `constraints.targets` would be touched.
            BeyondOffline: the instruction needs a writer or a judgement.
        """
        phrase = read(instruction)
        if script.script_id not in script.text:  # else it may be meant as text
            phrase = without_id(phrase, script.script_id)
        language = language_of(phrase)
        parts = read_parts(phrase)
        try:
            effects = decide(parts, script, language)
        except EditRefused as refused:
            refused.is_moot = refused.reason == "no_match" and _is_of_one_thing(parts)
            raise
        plan = compose(effects, script, language)
        outside = set(touched(plan, script)) - set(constraints.targets)
        if constraints.targets and outside:
            raise refusals.off_target(language, sorted(outside), constraints.targets)
        notes = tuple(note for part in effects for note in part.notes)
        return Rewrite(plan=replace(plan, is_literal=True), model=NAME, notes=notes)


def _is_of_one_thing(parts: Sequence[Part]) -> bool:
    """Say whether an instruction edits one text or one place: where that is missing, nothing is left to be done."""
    return len(parts) == 1 and all(_names_one(reading.request) for reading in parts[0].readings)


def _names_one(request: Request) -> bool:
    match request:
        case ReplaceText(needles=needles):
            return len(needles) == 1
        case DeleteLines(lines=Lines(picks=picks)) | RewriteLines(lines=Lines(picks=picks)):
            return len(picks) == 1 and _is_one(picks[0])
        case _:  # where something is to be added or moved, what is missing is still to be done
            return False


def _is_one(pick: Pick) -> bool:
    match pick:
        case Run(first=first, last=last):
            return first == last
        case Holding(texts=texts, negated=negated):
            return len(texts) == 1 and not negated
        case _:
            return False
