"""An edit of a text that is in no store: stdin to stdout."""

from script_editor.agent.language import language_of
from script_editor.app.drafts import checked_text
from script_editor.app.notes import note_sentence
from script_editor.app.rewriter import PartlyDone
from script_editor.app.scope import NO_DEMANDS, Demands, is_unchanged
from script_editor.domain.ports import Rewriter
from script_editor.domain.refusals import finding_sentence, worded
from script_editor.domain.script import check_instruction, check_text
from script_editor.domain.segments import NumberedScript
from script_editor.errors import BadInput, EditRefused


def filter_text(
    text: str, instruction: str, rewriter: Rewriter, demands: Demands | None = None
) -> tuple[str, tuple[str, ...]]:
    """Return `text` edited by `instruction`, and notes, without any store.

    A text that reads as asked already comes back as it is, with a note. Raises what `edit_script` raises.
    """
    instruction = check_instruction(instruction)
    check_text(text)
    script = NumberedScript("stdin", 1, text)
    if not script.segments:
        raise BadInput("The text is empty, so there is nothing to edit.")
    language = language_of(instruction)
    constraints, notes = (demands or NO_DEMANDS).constraints(script, instruction)
    try:
        rewrite = rewriter(script, instruction, constraints)
        made = checked_text(script, rewrite.plan, instruction=instruction, constraints=constraints)
        warned = tuple(finding_sentence(finding, language) for finding in made.findings)
        told_notes = tuple(note_sentence(note, language) for note in (*notes, *rewrite.notes))
        return made.text, (*told_notes, *warned)
    except PartlyDone as partly:
        cause = partly.__cause__
        assert cause is not None, "something stopped it"
        raise worded(cause, language) if isinstance(cause, EditRefused) else cause from None
    except EditRefused as refusal:
        told = worded(refusal, language)
        if not is_unchanged(refusal):
            raise told from refusal
        return text, (f"{'没有改动。' if language == 'zh' else 'Nothing to change. '}{told}",)
