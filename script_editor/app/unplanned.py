"""A run without an agent: the rewriter is asked at once, and every answer becomes a proposal.

Its books are those of any run: the store and the journal have its calls, its steps and its end.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from script_editor import interrupts
from script_editor.agent.steps import Limits, RunResult
from script_editor.app.desk import Desk
from script_editor.app.edit import EditRequest
from script_editor.app.errand import MakeRewriter, heard_by
from script_editor.app.proposals import Review
from script_editor.app.recording import close_run, refusal_hooks
from script_editor.app.scope import Ledger, Scope
from script_editor.app.services import Audience, Services
from script_editor.domain.operations import Constraints, Rewrite
from script_editor.domain.ports import Rewriter
from script_editor.domain.script import StepRecord, Version, utc_now
from script_editor.domain.segments import NumberedScript
from script_editor.errors import ScriptEditorError
from script_editor.llm.chat import ChatModel, Usage
from script_editor.llm.metered import Metered


class Unplanned:
    """One such run about `base`, for a request that was checked. It is begun by being made, and its maker closes it.

    Only the rewriter can be interrupted (see `interrupts`), so that what was proposed is counted.
    """

    def __init__(
        self,
        request: EditRequest,
        base: Version,
        *,
        mode: str,
        services: Services,
        model: ChatModel,
        make_rewriter: MakeRewriter,
        limits: Limits,
        audience: Audience,
    ):
        self._store, self._base, self._instruction = services.store, base, request.instruction
        self.run = services.store.start_run(
            mode=mode, model=model.name, input=self._instruction, script_id=base.script_id
        )
        self._journal = audience.journals.begin(self.run)
        self._meter = Metered(
            model,
            heard_by(self._journal, audience.on_exchange),
            max_tokens=limits.max_tokens,
            max_seconds=limits.max_seconds,
            max_calls=limits.max_model_calls,
        )
        self.ledger = Ledger()
        hooks = refusal_hooks(services.store, self.ledger, self._instruction, self.run.id)
        self._desk = Desk(
            services.scripts,
            services.proposals,
            services.locks,
            _stoppable(make_rewriter(self._meter, replace(hooks, on_reply=self._journal.rewriter_reply))),
            Scope(base.script_id, self._instruction, request.author, self.run.id, request.demands),
            self.ledger,
            lambda _pending: False,
        )
        self._steps = 0

    @property
    def usage(self) -> Usage:
        """What the calls took so far."""
        return self._meter.usage

    def propose(self, *, avoid: Sequence[str] = ()) -> Review:
        """Ask the rewriter once, as one step of the run. Raises as `Desk.propose` does."""
        began, sent = time.monotonic(), len(self.ledger.sent)
        review: Review | None = None
        failure: BaseException | None = None
        try:
            review = self._desk.propose(self._base.script_id, self._instruction, avoid=avoid)
            return review
        except BaseException as error:
            failure = error
            raise
        finally:
            self._steps += 1
            self._store.record_step(
                StepRecord(
                    run_id=self.run.id,
                    seq=self._steps,
                    tool="propose",
                    tool_input={"script_id": self._base.script_id, "instruction": self._instruction},
                    log="\n".join(f"sent: {shown}" for shown in self.ledger.sent[sent:]),
                    observation=f"proposal {review.proposal.id}" if review else None,
                    error=(str(failure) or type(failure).__name__) if failure else None,
                    duration_ms=round((time.monotonic() - began) * 1000),
                    created_at=utc_now(),
                )
            )

    def close(self, result: RunResult, failure: BaseException | None = None) -> None:
        """Keep how the run ended; `failure` is what it raised."""
        close_run(self._store, self.run, result, self.usage, str(failure) if failure else None)
        is_bug = isinstance(failure, Exception) and not isinstance(failure, ScriptEditorError)
        self._journal.close(result, self.usage, bug=failure if is_bug else None)


def _stoppable(rewriter: Rewriter) -> Rewriter:
    """Return the rewriter as what Ctrl-C may stop; one that came before it began stops it at once."""

    def rewrite(script: NumberedScript, instruction: str, constraints: Constraints) -> Rewrite:
        with interrupts.let_through():
            return rewriter(script, instruction, constraints)

    return rewrite
