"""Facts that a new text has and nobody gave: a price, an address, a date that the model made up."""

from collections.abc import Iterator

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import changed_pairs
from script_editor.domain.guards.quantities import facts_of, named_keys
from script_editor.domain.guards.suspicion import first_line
from script_editor.domain.intent import read_intent
from script_editor.domain.segments import NumberedScript


def invented(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Warn of firm facts that neither the script nor the instruction has. Never an error: they may be wanted."""
    intent = read_intent(context.instruction)
    if intent.arithmetic or intent.numbers:
        return
    new = [(segment, facts_of(segment.content)) for _, segment in changed_pairs(before, after) if segment]
    if not any(facts for _, facts in new):
        return
    known = {key for segment in before.segments for fact in facts_of(segment.content) for key in fact.keys}
    known |= named_keys(context.instruction)
    for segment, facts in new:
        strange = [fact.text for fact in facts if fact.weight == "firm" and not fact.keys & known]
        if strange:
            yield Finding(
                guard="invented",
                code="facts_changed",
                level="warning",
                message=f"Line {segment.number} brings {', '.join(strange)}, which the script did not say.",
                segments=(segment.number,),
                example=first_line(segment.content, 80),
            )
