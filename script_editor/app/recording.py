"""What a run leaves in the store: its steps, what each call of the rewriter showed, and refused replies.

And the same for the journal beside it: both are kept by `Books`, from the first step to the end.
"""

import json
from collections.abc import Sequence

from script_editor import interrupts
from script_editor.agent.endings import Ending
from script_editor.agent.events import Event, Listener, RunEnded, ToolFinished, ToolSkipped, ToolStarted
from script_editor.agent.language import language_of
from script_editor.agent.steps import AgentAction, AgentStep, RunResult
from script_editor.app.hooks import Hooks, RefusedAttempt
from script_editor.app.journal import Journal
from script_editor.app.scope import Ledger
from script_editor.domain.ports import ScriptStore
from script_editor.domain.refusals import worded
from script_editor.domain.script import RefusedReply, RunRecord, StepRecord, utc_now
from script_editor.llm.chat import Usage


def refusal_hooks(store: ScriptStore, ledger: Ledger, instruction: str, run_id: str | None) -> Hooks:
    """Return hooks that keep every raw reply that was not used, and what each call showed."""

    def keep(attempt: RefusedAttempt) -> None:
        store.record_refusal(
            RefusedReply(
                script_id=attempt.script.script_id,
                base_number=attempt.script.version,
                run_id=run_id,
                created_at=utc_now(),
                instruction=instruction,
                model=attempt.model,
                reason=attempt.refusal.reason,
                message=str(worded(attempt.refusal, language_of(instruction))),
                segments=attempt.refusal.segments,
                reply=attempt.reply,
            )
        )

    return Hooks(on_refused=keep, on_sent=ledger.sent.append)


class Books:
    """Keeps a run in the store and the journal, every step with what it sent, before the next listener is told.

    A tool that failed or was interrupted leaves no step of its own in the run; `close` keeps it as well.
    """

    def __init__(
        self, store: ScriptStore, run: RunRecord, ledger: Ledger, journal: Journal, listener: Listener
    ):
        self._store, self._run, self._ledger = store, run, ledger
        self._journal, self._listener = journal, listener
        self._steps: list[AgentStep] = []
        self._sent = 0
        self._begun: AgentAction | None = None
        self._ended: RunResult | None = None

    def listen(self, event: Event) -> None:
        """Take one event of the run."""
        match event:
            case ToolStarted(action=action):
                self._begun = action
            case ToolFinished(step=step) | ToolSkipped(step=step):
                self._keep(step)
            case RunEnded(result=result):
                self._ended = result
            case _:
                pass
        self._journal.event(event)
        self._listener(event)

    def broken_off(self) -> RunResult:
        """Return how a run ended that an interrupt took away from its loop: as it had ended, if it just had."""
        if self._ended is not None:
            return self._ended
        sentence = Ending("cancelled").sentence(language_of(self._run.input))
        return RunResult(stop_reason="cancelled", output=sentence, steps=tuple(self._steps), why=sentence)

    def close(self, result: RunResult, usage: Usage) -> None:
        """Keep how the run ended, and the step that was begun and not finished, if there is one."""
        if self._begun is not None:
            self._keep(
                AgentStep(action=self._begun, observation=str(result.error or result.stop_reason), ok=False)
            )
        self._close(result, usage, str(result.error) if result.error else None)
        self._journal.close(result, usage)

    def crashed(self, bug: BaseException, usage: Usage) -> None:
        """Keep that a bug ended the run: it must not look alive for ever."""
        self._close(RunResult(stop_reason="crashed", output=""), usage, type(bug).__name__)
        self._journal.close(None, usage, bug=bug if isinstance(bug, Exception) else None)

    def _keep(self, step: AgentStep) -> None:
        with interrupts.held():  # what is counted as kept has to be
            self._steps.append(step)
            sent = self._ledger.sent[self._sent :]
            self._sent, self._begun = len(self._ledger.sent), None
            self._store.record_step(_step_record(self._run.id, len(self._steps), step, sent))

    def _close(self, result: RunResult, usage: Usage, error: str | None) -> None:
        close_run(self._store, self._run, result, usage, error)


def _step_record(run_id: str, seq: int, step: AgentStep, sent: Sequence[str]) -> StepRecord:
    return StepRecord(
        run_id=run_id,
        seq=seq,
        tool=step.action.tool,
        tool_input=json.loads(json.dumps(step.action.arguments)),
        log="\n".join(filter(None, (step.action.log, *(f"sent: {shown}" for shown in sent)))),
        observation=step.observation if step.ok else None,
        error=None if step.ok else step.observation,
        duration_ms=round(step.seconds * 1000),
        created_at=utc_now(),
    )


def close_run(store: ScriptStore, run: RunRecord, result: RunResult, usage: Usage, error: str | None) -> None:
    """Close a run with its stop reason and what it cost."""
    store.finish_run(
        run.id,
        stop_reason=result.stop_reason,
        output=result.output or None,
        error=error,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        usage_known=usage.known,
    )
