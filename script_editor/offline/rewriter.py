"""OfflineRewriter: mechanical instructions to plans, without a model."""

from dataclasses import replace

from script_editor.domain.operations import Constraints, Rewrite
from script_editor.domain.segments import NumberedScript
from script_editor.offline import refusals
from script_editor.offline.compose import compose, touched
from script_editor.offline.decide import decide
from script_editor.offline.parts import read_parts
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
        effects = decide(read_parts(phrase), script, language)
        plan = compose(effects, script, language)
        outside = set(touched(plan, script)) - set(constraints.targets)
        if constraints.targets and outside:
            raise refusals.off_target(language, sorted(outside), constraints.targets)
        notes = tuple(note for part in effects for note in part.notes)
        return Rewrite(plan=replace(plan, is_literal=True), model=NAME, notes=notes)
