"""What a run came to, told from the ledger and never from the model's words; the same for edit, ask and chat."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from script_editor.agent.language import Language, language_of
from script_editor.agent.steps import StopReason
from script_editor.app.asked import forbids_saving
from script_editor.app.errand import Errand, Ran
from script_editor.app.naming import names_in
from script_editor.app.notes import ending, log_hint
from script_editor.app.scope import is_unchanged
from script_editor.app.wishes import only_asks, orders_change
from script_editor.domain.refusals import worded
from script_editor.domain.refusals.failures_zh import cause_zh, failure_zh
from script_editor.errors import (
    BudgetReached,
    Declined,
    EditRefused,
    GaveUp,
    Objected,
    ScriptEditorError,
    ScriptNotFound,
    Unfinished,
)
from script_editor.errors.endings import BudgetKind

Outcome = Literal["saved", "proposed", "answered"]

_FAULT_CHARS = 300
_ASKING_TOOLS = frozenset({"history", "diff", "list_scripts"})
_BUDGETS: Mapping[StopReason, BudgetKind] = {
    "token_limit": "tokens",
    "time_limit": "seconds",
    "model_call_limit": "calls",
}


@dataclass(frozen=True, slots=True)
class Story:
    """A run that is over, and how to tell of it."""

    errand: Errand
    ran: Ran

    @property
    def language(self) -> Language:
        """The language of the instruction."""
        return language_of(self.errand.instruction)

    def outcome(self, *, answering: bool) -> Outcome:
        """Return what the run came to; `answering` says that an answer alone is what was asked for.

        In a chat an answer always is: what was refused on the way is a warning, and the person goes on.

        Raises:
            ScriptEditorError, KeyboardInterrupt: nothing was saved, and this is why.
        """
        ledger, result = self.ran.ledger, self.ran.result
        if ledger.saved:
            return "saved"
        if ledger.unfinished is not None:
            raise ledger.unfinished
        if result.stop_reason == "cancelled":
            raise self._stopped_by(KeyboardInterrupt())
        if isinstance(result.error, Declined):
            raise result.error
        if ledger.reviews and self.errand.read_only:
            return "proposed"
        if result.error is not None:
            raise self._stopped_by(result.error)
        if ledger.refusal is not None and not self._is_told_in_chat and not self._has_proposed_another:
            raise ledger.refusal
        if answering and self._not_there is not None:
            raise self._not_there
        return self._answered(answering=answering)

    def _answered(self, *, answering: bool) -> Outcome:
        if self.ran.result.finished and self._may_propose and self.ran.ledger.kept:
            return "proposed"
        if self.ran.result.finished and (answering or self._is_told_in_chat):
            return "answered"
        raise self._gave_up()

    @property
    def _not_there(self) -> ScriptNotFound | None:
        """The script that the person named and that is not there, when nothing else was read either."""
        missing = self.ran.ledger.not_there
        if missing is None or self._looked_into or self.errand.chat_id is not None:
            return None
        return missing if missing.script_id in names_in(self.errand.instruction) else None

    @property
    def _looked_into(self) -> bool:
        """Whether the run read any script; a list of them is none."""
        return any(step.ok and step.action.tool != "list_scripts" for step in self.ran.result.steps)

    @property
    def is_undone(self) -> bool:
        """Whether an order to edit, which names no script, was answered with words: such as by asking for the script."""
        errand, ledger = self.errand, self.ran.ledger
        is_order = errand.script_id is None and errand.chat_id is None and orders_change(errand.instruction)
        is_open = not (ledger.saved or ledger.reviews or self._looked_into or self.is_quotation)
        return is_order and is_open and not self.ran.named

    @property
    def _may_propose(self) -> bool:
        """Whether a proposal alone can be what was asked for."""
        return (
            self.errand.script_id is None
            or self.errand.chat_id is not None
            or forbids_saving(self.errand.instruction)
            or only_asks(self.errand.instruction)
        )

    @property
    def _has_proposed_another(self) -> bool:
        """Whether a proposal is kept for a script of which nothing was refused: a part of the request is done."""
        refused = self.ran.ledger.refusals
        done = any(review.base.script_id not in refused for review in self.ran.ledger.kept)
        return done and self._may_propose and self.ran.result.finished

    @property
    def _is_told_in_chat(self) -> bool:
        return self.errand.chat_id is not None and self.ran.result.finished

    @property
    def looked_up(self) -> bool:
        """Whether the run looked something up and told it, instead of editing."""
        asked = any(step.ok and step.action.tool in _ASKING_TOOLS for step in self.ran.result.steps)
        return asked or self.is_quotation

    @property
    def is_quotation(self) -> bool:
        """Whether the answer is what a tool told, word for word."""
        said = self.ran.result.output.strip()
        return any(said == told.strip() for told in self.ran.ledger.answers)

    def _stopped_by(self, cause: ScriptEditorError | KeyboardInterrupt) -> BaseException:
        """Return what to raise for what stopped the run: it names the proposal that is there, if one is."""
        if not self.ran.ledger.reviews:
            return cause
        proposal = self.ran.ledger.reviews[-1].proposal
        return Unfinished(
            proposal.script_id, proposal_id=proposal.id, untouched="", cause=cause, language=self.language,
            cause_zh=cause_zh(cause),
        )  # fmt: skip

    def _gave_up(self) -> ScriptEditorError:
        result, language = self.ran.result, self.language
        if self.ran.ledger.reviews:
            said, hint = ending("proposed", language, self.ran.ledger.reviews[-1].proposal.id)
        elif result.finished:
            said, hint = ending("answered", language, " ".join(result.output.split())[:300])
        else:
            said, hint = ending("stopped", language, f"{result.output}{self._last_fault}")
            if result.stop_reason in _BUDGETS:
                return BudgetReached(said, kind=_BUDGETS[result.stop_reason], language=language)
        if not self.ran.ledger.reviews and self.ran.is_logged:
            hint += log_hint(self.ran.run.id, language)
        return GaveUp(said, stop_reason=result.stop_reason, hint=hint, language=language)

    @property
    def _last_fault(self) -> str:
        """What was wrong with the last reply, for a run that ended because no reply could be used."""
        result = self.ran.result
        if result.stop_reason != "unreadable" or not result.corrections:
            return ""
        why = " ".join(result.corrections[-1].malformed.message.split())[:_FAULT_CHARS]
        return (
            f"最后一次的原因：{why}" if self.language == "zh" else f" What was wrong with the last one: {why}"
        )

    def warnings(self) -> Iterator[str]:
        """Yield what a person should know of a run that saved or proposed something, or answered."""
        is_chinese, ledger, result = self.language == "zh", self.ran.ledger, self.ran.result
        if ledger.unfinished is not None:
            yield str(ledger.unfinished)
            return  # it says what stopped the run and where the rest is
        if result.stop_reason == "declined":
            return  # the person need not be told their own no
        if not result.finished:
            why = str(result.error) if result.error else result.why
            told = f"The run stopped after this ({result.stop_reason}): {why}"
            yield f"此后运行中止（{result.stop_reason}）：{failure_zh(why)}" if is_chinese else told
        for script_id, refusal in ledger.refusals.items():
            if not is_unchanged(refusal):
                yield from self._refused(script_id, refusal)

    def _refused(self, script_id: str, refusal: ScriptEditorError) -> Iterator[str]:
        is_chinese, ledger = self.language == "zh", self.ran.ledger
        if isinstance(refusal, Objected):
            return  # nor their own words
        if isinstance(refusal, EditRefused):
            refusal = worded(refusal, self.language)
        elif refusal.is_bilingual:
            refusal.language = self.language
        is_a_part = bool(ledger.saved or ledger.reviews)
        where = script_id if is_a_part and self.errand.script_id is None else ""
        if is_chinese:
            said = "还有一部分没有做" if is_a_part else "没有做成"
            yield f"{said}（{where}）：{refusal}" if where else f"{said}：{refusal}"
        else:
            said = "A further part was not done" if is_a_part else "This was not done"
            yield f"{said} ({where}): {refusal}" if where else f"{said}: {refusal}"
