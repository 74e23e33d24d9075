"""One instruction for the agent, whatever front end it comes from, and what its run leaves in hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from script_editor import interrupts
from script_editor.agent.executor import MAX_THREADS, Executor
from script_editor.agent.language import language_of
from script_editor.agent.mode_choice import chosen_mode
from script_editor.agent.modes import MODES
from script_editor.agent.planner import ModePlanner
from script_editor.agent.steps import Limits, RunResult
from script_editor.agent.tools import Toolbox
from script_editor.app.briefing import briefing
from script_editor.app.claims import Claims
from script_editor.app.hooks import Hooks
from script_editor.app.journal import NO_JOURNAL, Journal
from script_editor.app.reach import ids_named
from script_editor.app.recording import Books, refusal_hooks
from script_editor.app.scope import NO_DEMANDS, Approve, Demands, Ledger, Scope
from script_editor.app.services import NOBODY, Audience, Services
from script_editor.app.tools import script_tools, tool_names
from script_editor.domain.ports import Rewriter
from script_editor.domain.script import RunRecord
from script_editor.errors import BadInput
from script_editor.llm.chat import ChatModel, Message, Usage
from script_editor.llm.exchange import Exchange, OnExchange
from script_editor.llm.metered import NOTHING, Metered

MakeRewriter = Callable[[ChatModel, Hooks], Rewriter]
"""Makes a rewriter that talks to the given model, so that one meter counts planner and rewriter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What a person asked for, and what bounds it.

    `script_id` is the one script it is about, None for the whole store. With `read_only` nothing is saved:
    edits become proposals. `past` is the conversation before it and `chat_id` the chat it is a turn of.
    `max_steps` bounds the turns with tool calls, None leaves the default of `Limits`. `spent` is what was used to
    prepare the run, such as for a summary of the conversation; it counts as the run's own.
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
    spent: Usage = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A run that is over.

    `claims_unproven` says that its answer tells of an edit that did not happen; `named` are the scripts that the
    instruction names, where it may name some; `is_logged` that what the model
    was sent and answered is kept outside the store.
    """

    result: RunResult
    ledger: Ledger
    run: RunRecord
    usage: Usage
    mode: str
    model: str
    claims_unproven: bool = False
    named: tuple[str, ...] = ()
    is_logged: bool = False


def run_errand(
    errand: Errand,
    *,
    services: Services,
    model: ChatModel,
    make_rewriter: MakeRewriter,
    approve: Approve,
    limits: Limits | None = None,
    audience: Audience = NOBODY,
    max_threads: int = MAX_THREADS,
) -> Ran:
    """Let the agent carry out one instruction and return everything that came of it.

    The instruction and the id were checked by the caller. How the run ended is in the result: limits,
    failures and an interrupt raise nothing. After the first interrupt the run only tidies up, and is not
    interrupted in that (see `interrupts`); one that comes when it is over stops nothing that was saved or proposed.

    Raises:
        BadInput: there is no such mode; nothing was asked.
        KeyboardInterrupt: one came while the books were closed of a run that saved and proposed nothing.
        Exception: a bug; the run is closed in the store and the journal.
    """
    mode = _first_mode(errand.mode, model)
    limits = _limits(limits, errand)
    with interrupts.held() as hold:
        run = services.store.start_run(
            mode=mode,
            model=model.name,
            input=errand.instruction,
            script_id=errand.script_id,
            chat_id=errand.chat_id,
        )
        journal = audience.journals.begin(run, tool_names=tool_names(read_only=errand.read_only))
        meter = Metered(
            model,
            heard_by(journal, audience.on_exchange),
            max_tokens=limits.max_tokens,
            max_seconds=limits.max_seconds,
            max_calls=limits.max_model_calls,
            spent=errand.spent,
        )
        ledger = Ledger()
        books = Books(services.store, run, ledger, journal, audience.listener)
        planner: ModePlanner | None = None
        named: tuple[str, ...] = ()
        try:
            hooks = replace(
                refusal_hooks(services.store, ledger, errand.instruction, run.id),
                on_reply=journal.rewriter_reply,
            )
            toolbox = Toolbox(
                script_tools(
                    services.scripts,
                    services.proposals,
                    services.locks,
                    make_rewriter(meter, hooks),
                    scope=_scope(errand, run),
                    ledger=ledger,
                    approve=approve,
                    read_only=errand.read_only,
                )
            )
            is_chat = errand.chat_id is not None
            if is_chat or errand.script_id is None:
                named = ids_named(services.scripts, errand.instruction)
            told = briefing(
                errand.script_id,
                errand.instruction,
                asked_at=run.started_at,
                is_chat=is_chat,
                named=named,
            )
            planner = ModePlanner(MODES[mode], meter, toolbox, briefing=told)
            executor = Executor(
                planner,
                toolbox,
                limits=limits,
                listener=books.listen,
                # A question is best answered with what was found until then; an edit is done or it is not.
                early_stopping="generate" if is_chat or errand.script_id is None else "force",
                answer_check=Claims(ledger, language_of(errand.instruction)).check,
                max_threads=max_threads,
                mode=mode,
                streams=audience.streams,
            )
            with interrupts.let_through():
                result = executor.run(errand.instruction, errand.past)
        except KeyboardInterrupt:
            result = books.broken_off()
        except BaseException as bug:
            books.crashed(bug, meter.usage)
            raise
        books.close(result, meter.usage)
        if ledger.saved or ledger.reviews:
            hold.forget()  # it came too late to stop that, and its place is in the report
    return Ran(
        result=result,
        ledger=ledger,
        run=run,
        usage=meter.usage,
        mode=planner.mode if planner else mode,
        model=meter.name,
        claims_unproven=result.objected,
        named=named,
        is_logged=audience.journals is not NO_JOURNAL,
    )


def _scope(errand: Errand, run: RunRecord) -> Scope:
    return Scope(
        errand.script_id,
        errand.instruction,
        errand.author,
        run.id,
        errand.demands,
        is_chat=errand.chat_id is not None,
        past=errand.past,
        asked_at=run.started_at,
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
