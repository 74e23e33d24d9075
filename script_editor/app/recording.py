"""What a run leaves in the store: its steps, what each call of the rewriter showed, and refused replies."""

import json
from collections.abc import Sequence

from script_editor.agent.events import Event, Listener, ToolFinished
from script_editor.agent.steps import AgentStep, RunResult
from script_editor.app.dialogue import Hooks, RefusedAttempt
from script_editor.app.scope import Ledger
from script_editor.domain.ports import ScriptStore
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
                message=str(attempt.refusal),
                segments=attempt.refusal.segments,
                reply=attempt.reply,
            )
        )

    return Hooks(on_refused=keep, on_sent=ledger.sent.append)


def storing(store: ScriptStore, run: RunRecord, ledger: Ledger, listener: Listener) -> Listener:
    """Return a listener that keeps every step in the store, with what it sent, before it tells the next one."""
    count = sent = 0

    def listen(event: Event) -> None:
        nonlocal count, sent
        if isinstance(event, ToolFinished):
            count += 1
            store.record_step(_step_record(run.id, count, event.step, ledger.sent[sent:]))
            sent = len(ledger.sent)
        listener(event)

    return listen


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
