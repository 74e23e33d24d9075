"""What a run leaves in the store: its steps, what each call of the rewriter showed, and refused replies."""

import json
from collections.abc import Sequence

from script_editor.agent.events import Event, Listener, ToolFinished, ToolSkipped, ToolStarted
from script_editor.agent.language import language_of
from script_editor.agent.steps import AgentAction, AgentStep, RunResult
from script_editor.app.hooks import Hooks, RefusedAttempt
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


class RunLog:
    """Keeps every step of a run in the store, with what it sent, before it tells the next listener.

    A tool that failed or was interrupted leaves no step of its own in the run; `close` keeps it as well.
    """

    def __init__(self, store: ScriptStore, run: RunRecord, ledger: Ledger, listener: Listener):
        self._store, self._run, self._ledger, self._listener = store, run, ledger, listener
        self._count = self._sent = 0
        self._begun: AgentAction | None = None

    def listen(self, event: Event) -> None:
        """Take one event of the run."""
        match event:
            case ToolStarted(action=action):
                self._begun = action
            case ToolFinished(step=step) | ToolSkipped(step=step):
                self._keep(step)
            case _:
                pass
        self._listener(event)

    def close(self, why: str) -> None:
        """Keep the step that was begun and not finished, if there is one, with why it was not."""
        if self._begun is not None:
            self._keep(AgentStep(action=self._begun, observation=why, ok=False))

    def _keep(self, step: AgentStep) -> None:
        self._count += 1
        sent = self._ledger.sent[self._sent :]
        self._sent, self._begun = len(self._ledger.sent), None
        self._store.record_step(_step_record(self._run.id, self._count, step, sent))


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
    )
