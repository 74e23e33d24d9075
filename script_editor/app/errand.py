"""One instruction for the agent, whatever front end it comes from, and what its run leaves in hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from script_editor.agent.events import Event, Listener, ignore
from script_editor.agent.executor import Executor
from script_editor.agent.language import language_of
from script_editor.agent.mode_choice import chosen_mode
from script_editor.agent.modes import MODES
from script_editor.agent.planner import ModePlanner
from script_editor.agent.steps import Limits, RunResult, StopReason
from script_editor.agent.tools import Toolbox
from script_editor.app.briefing import briefing
from script_editor.app.claims import Claims
from script_editor.app.hooks import Hooks
from script_editor.app.journal import NO_JOURNAL, Journal, Journals
from script_editor.app.locks import LockService
from script_editor.app.proposals import ProposalService
from script_editor.app.recording import RunLog, close_run, refusal_hooks
from script_editor.app.scope import NO_DEMANDS, Approve, Demands, Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.app.tools import script_tools, tool_names
from script_editor.domain.ports import Rewriter, ScriptStore
from script_editor.domain.script import RunRecord
from script_editor.errors import BadInput
from script_editor.llm.chat import ChatModel, Message, Usage
from script_editor.llm.exchange import Exchange, OnExchange
from script_editor.llm.metered import Metered

MakeRewriter = Callable[[ChatModel, Hooks], Rewriter]
"""Makes a rewriter that talks to the given model, so that one meter counts planner and rewriter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What a person asked for, and what bounds it.

    `script_id` is the one script it is about, None for the whole store. With `read_only` nothing is saved:
    edits become proposals. `past` is the conversation before it and `chat_id` the chat it is a turn of.
    `max_steps` bounds the turns with tool calls, None leaves the default of `Limits`.
    """

    instruction: str
    author: str
    script_id: str | None = None
    mode: str = "auto"
    read_only: bool = False
    max_steps: int | None = None
    demands: Demands = NO_DEMANDS
    past: tuple[Message, ...] = ()
    chat_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A run that is over. `claims_unproven` says that its answer tells of an edit that did not happen."""

    result: RunResult
    ledger: Ledger
    run: RunRecord
    usage: Usage
    mode: str
    model: str
    claims_unproven: bool = False


def run_errand(
    errand: Errand,
    *,
    store: ScriptStore,
    scripts: ScriptService,
    proposals: ProposalService,
    locks: LockService,
    model: ChatModel,
    make_rewriter: MakeRewriter,
    approve: Approve,
    limits: Limits | None = None,
    listener: Listener = ignore,
    on_exchange: OnExchange | None = None,
    journals: Journals = NO_JOURNAL,
) -> Ran:
    """Let the agent carry out one instruction and return everything that came of it.

    The instruction and the id were checked by the caller. How the run ended is in the result: limits,
    failures and an interrupt raise nothing.

    Raises:
        BadInput: there is no such mode; nothing was asked.
        Exception: a bug, or a second interrupt; the run is closed in the store and the journal.
    """
    mode = _first_mode(errand.mode, model)
    limits = _limits(limits, errand)
    run = store.start_run(
        mode=mode,
        model=model.name,
        input=errand.instruction,
        script_id=errand.script_id,
        chat_id=errand.chat_id,
    )
    journal = journals.begin(run, tool_names=tool_names(read_only=errand.read_only))
    meter = Metered(
        model,
        heard_by(journal, on_exchange),
        max_tokens=limits.max_tokens,
        max_seconds=limits.max_seconds,
        max_calls=limits.max_model_calls,
    )
    ledger = Ledger()
    toolbox = Toolbox(
        script_tools(
            scripts, proposals, locks,
            make_rewriter(meter, replace(
                refusal_hooks(store, ledger, errand.instruction, run.id), on_reply=journal.rewriter_reply
            )),
            scope=Scope(
                errand.script_id, errand.instruction, errand.author, run.id, errand.demands,
                is_chat=errand.chat_id is not None, past=errand.past,
            ),
            ledger=ledger, approve=approve, read_only=errand.read_only,
        )
    )  # fmt: skip
    planner = ModePlanner(
        MODES[mode], meter, toolbox, briefing=briefing(errand.script_id, errand.instruction)
    )
    log = RunLog(store, run, ledger, _both(journal, listener))
    try:
        executor = Executor(
            planner,
            toolbox,
            limits=limits,
            listener=log.listen,
            answer_check=Claims(ledger, language_of(errand.instruction)).check,
            mode=mode,
        )
        result = executor.run(errand.instruction, errand.past)
        log.close(str(result.error or result.stop_reason))
    except BaseException as error:  # a bug, or a second interrupt: the run must not look alive for ever
        reason: StopReason = "cancelled" if isinstance(error, KeyboardInterrupt) else "crashed"
        close_run(store, run, RunResult(stop_reason=reason, output=""), meter.usage, type(error).__name__)
        journal.close(None, meter.usage)
        if ledger.unfinished is not None and isinstance(error, KeyboardInterrupt):
            raise ledger.unfinished from error  # what was finished is kept, and this says where
        raise
    close_run(store, run, result, meter.usage, str(result.error) if result.error else None)
    journal.close(result, meter.usage)
    return Ran(
        result=result,
        ledger=ledger,
        run=run,
        usage=meter.usage,
        mode=planner.mode,
        model=meter.name,
        claims_unproven=result.objected,
    )


def _first_mode(mode: str, model: ChatModel) -> str:
    """Return the name of the mode that the run begins in. Raises BadInput when there is none of that name."""
    if mode != "auto" and mode not in MODES:
        raise BadInput(f"There is no mode {mode!r}.", hint=f"Choose auto, {', '.join(MODES)}.")
    return chosen_mode(mode, model).name


def _limits(limits: Limits | None, errand: Errand) -> Limits:
    limits = limits or Limits()
    return limits if errand.max_steps is None else replace(limits, max_steps=errand.max_steps)


def heard_by(journal: Journal, on_exchange: OnExchange | None) -> OnExchange:
    """Return what tells the journal of each request to the model, and then `on_exchange` if there is one."""

    def tell(exchange: Exchange) -> None:
        journal.exchange(exchange)
        if on_exchange is not None:
            on_exchange(exchange)

    return tell


def _both(journal: Journal, listener: Listener) -> Listener:
    def listen(event: Event) -> None:
        journal.event(event)
        listener(event)

    return listen
