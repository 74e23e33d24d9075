"""From an instruction to a checked text: plan → splices → text → guards, whoever made the plan.

`LlmRewriter` makes plans with one model call; a reply that cannot be used is answered with what is
wrong with it, at most twice. `checked_text` is the one way from a plan to a text that may be saved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from script_editor.agent.language import Language, language_of
from script_editor.domain.edits import resolve
from script_editor.domain.guards import Finding, GuardContext, check, check_reply
from script_editor.domain.operations import Constraints, Plan, Rewrite
from script_editor.domain.replies import parse_plan
from script_editor.domain.script import check_text
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import Splice, apply
from script_editor.errors import BadInput, EditRefused
from script_editor.llm.chat import ChatModel, Message, OnText, Reply, Usage

MAX_RETRIES = 2
_FINAL = frozenset({"refusal", "content_filter", "unchanged"})
"""Reasons that asking again does not mend."""
_CANNOT_REPLAY = frozenset({"empty", "truncated", "reasoning_leak"})
"""Reasons after which the reply is not shown to the model again: there is nothing in it to mend."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A text that passed the guards, with what they had to say about it (warnings only)."""

    text: str
    findings: tuple[Finding, ...] = ()


def checked_text(
    script: NumberedScript, plan: Plan, *, instruction: str, constraints: Constraints | None = None
) -> Checked:
    """Return the text that `plan` makes of `script`, if it may be saved.

    Raises:
        EditRefused: the plan cannot be carried out (see `resolve`), goes beyond the allowed lines
            (off_target), changes nothing (unchanged), or a guard found an error in the result.
    """
    splices = resolve(script, plan)
    _check_targets(script, plan, splices, constraints or Constraints())
    text = apply(script.text, splices)
    _check_characters(text)
    if text == script.text:
        raise EditRefused(
            "unchanged", f"{script.script_id} v{script.version} already reads as asked; nothing to change."
        )
    findings = check(script.text, text, GuardContext(instruction=instruction))
    for finding in findings:
        if finding.level == "error":
            raise EditRefused(
                finding.code,
                finding.message + (f" It reads: {finding.example}" if finding.example else ""),
                segments=finding.segments,
                advice="Write the full text of each changed line, and nothing else.",
            )
    return Checked(text, findings)


def _check_characters(text: str) -> None:
    try:
        check_text(text)
    except BadInput as error:  # here the model wrote it, so the model may mend it
        raise EditRefused("malformed", f"The edit cannot be kept: {error}") from error


def _check_targets(
    script: NumberedScript, plan: Plan, splices: Sequence[Splice], constraints: Constraints
) -> None:
    """Refuse a plan that touches a line outside the targets, by its operations or by their effect."""
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
        raise EditRefused(
            "off_target",
            f"The edit would change line {where}, but only line {only} may change.",
            segments=outside,
            advice="Change only the named lines.",
        )


def prompt(name: str, language: Language) -> str:
    """Return one of the prompt files, in the language asked for."""
    return (files("script_editor.app") / "prompts" / f"{name}.{language}.txt").read_text(encoding="utf-8")


class LlmRewriter:
    """Implements `domain.ports.Rewriter` with a chat model: one call, at most two bounded retries."""

    def __init__(
        self,
        model: ChatModel,
        *,
        max_retries: int = MAX_RETRIES,
        on_text: OnText | None = None,
    ):
        self._model, self._max_retries, self._on_text = model, max_retries, on_text

    def __call__(self, script: NumberedScript, instruction: str, constraints: Constraints) -> Rewrite:
        """Return a plan whose text passes `checked_text`. See the protocol for what it raises."""
        messages = self._request(script, instruction, constraints)
        usage = Usage()
        for retries_left in range(self._max_retries, -1, -1):
            reply = self._model.complete(messages, on_text=self._on_text)
            usage += reply.usage
            try:
                return self._read(reply, script, instruction, constraints, usage)
            except EditRefused as refusal:
                if refusal.reason in _FINAL or not retries_left:
                    raise _for_a_person(refusal) from refusal
                messages = [*messages, *_feedback(reply, refusal, script)]
        raise AssertionError("the last attempt returns or raises")

    def _request(self, script: NumberedScript, instruction: str, constraints: Constraints) -> list[Message]:
        language = language_of(instruction)
        only = ""
        if constraints.targets:
            ids = ", ".join(script.segment(number).id for number in constraints.targets)
            only = (
                f"\n只允许改动这些行：{ids}" if language == "zh" else f"\nOnly these lines may change: {ids}"
            )
        asked = "修改要求" if language == "zh" else "Request"
        return [
            Message(role="system", content=prompt("rewrite", language)),
            Message(
                role="user",
                content=f"script {script.script_id} v{script.version}\n{script.view()}\n\n{asked}: {instruction}{only}",
            ),
        ]

    def _read(
        self, reply: Reply, script: NumberedScript, instruction: str, constraints: Constraints, usage: Usage
    ) -> Rewrite:
        check_reply(reply.finish_reason, reply.refusal, reply.text)
        plan = parse_plan(reply.text, script)
        if not plan.operations:
            raise EditRefused("unchanged", "The model found nothing to change.")
        checked_text(script, plan, instruction=instruction, constraints=constraints)
        return Rewrite(
            plan=plan,
            model=reply.model or self._model.name,
            prompt_tokens=usage.prompt_tokens if usage.known else None,
            completion_tokens=usage.completion_tokens if usage.known else None,
        )


def _for_a_person(refusal: EditRefused) -> EditRefused:
    """Return the last refusal with advice for whoever asked; until then its advice was for the model."""
    if refusal.reason == "unchanged":
        return refusal
    return EditRefused(
        refusal.reason,
        f"The model's edit was not usable, so nothing was saved. {refusal.message}",
        segments=refusal.segments,
        nearest=refusal.nearest,
        advice="Ask again in other words or for less at a time, or choose another model with --model.",
    )


def _feedback(reply: Reply, refusal: EditRefused, script: NumberedScript) -> list[Message]:
    """Return what the model gets to mend its reply: the fault and the lines concerned, never the script again."""
    lines = [script.segments[n - 1] for n in refusal.segments if n <= len(script.segments)]
    shown = "\n".join(f"{segment.id} | {segment.content}" for segment in lines[:5])
    parts = [
        f"Not usable ({refusal.reason}): {refusal}",
        shown,
        refusal.hint,
        "Send all operations again, corrected.",
    ]
    correction = Message(role="user", content="\n".join(part for part in parts if part))
    if refusal.reason in _CANNOT_REPLAY:
        return [correction]
    return [Message(role="assistant", content=reply.text), correction]
