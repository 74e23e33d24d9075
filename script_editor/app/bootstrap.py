"""With `models` and `batching`, the only place that names concrete classes. Everything is imported and built when first used."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from script_editor.errors import StoreUnusable

if TYPE_CHECKING:
    from script_editor.agent.events import Listener
    from script_editor.agent.steps import Limits
    from script_editor.agent.tools import AnyTool
    from script_editor.app.ask import AskReport
    from script_editor.app.batching import Batching
    from script_editor.app.candidates import Candidates
    from script_editor.app.chat import ChatService
    from script_editor.app.edit import EditReport, EditRequest
    from script_editor.app.errand import Errand, MakeRewriter
    from script_editor.app.hooks import Hooks, PartStarted
    from script_editor.app.journal import Journals, RewriterReply
    from script_editor.app.locks import LockService
    from script_editor.app.models import Models
    from script_editor.app.proposals import ProposalService
    from script_editor.app.replay import Replayed
    from script_editor.app.runlog.folder import LogFolder
    from script_editor.app.runlog.traces import Trace
    from script_editor.app.runs import RunService
    from script_editor.app.scope import Approve, Demands
    from script_editor.app.scripts import ScriptService
    from script_editor.app.seeds import Loaded
    from script_editor.app.services import Audience, Services
    from script_editor.app.usage import Prices
    from script_editor.batch.service import BatchService
    from script_editor.config import Settings
    from script_editor.domain.ports import Rewriter, ScriptStore
    from script_editor.llm.chat import ChatModel, OnText
    from script_editor.llm.exchange import OnExchange
    from script_editor.llm.retry import OnWait
    from script_editor.store.sql import SqlScriptStore


def build_app(
    settings: "Settings",
    *,
    model: "ChatModel | None" = None,
    trace: "Callable[[str], None] | None" = None,
    on_wait: "OnWait | None" = None,
) -> "App":
    """Return the application for one invocation.

    `model` replaces the one that the settings name; `trace` is told every request to the model and
    every raw reply, with every key and password masked; `on_wait` is told when a request is to be sent again.
    """
    return App(settings, model, trace, on_wait)


class App:
    """The wired application. Touching a part builds it: reading a history builds no model."""

    def __init__(
        self,
        settings: "Settings",
        model: "ChatModel | None" = None,
        trace: "Callable[[str], None] | None" = None,
        on_wait: "OnWait | None" = None,
    ):
        self.settings = settings
        self._given_model = model
        self._trace, self._on_wait = trace, on_wait

    def close(self) -> None:
        """Close the store and the connection to a model if they were opened."""
        self._models.close()
        if "_batching" in self.__dict__:  # cached_property: present once it was built
            self._batching.close()
        if "_sql_store" in self.__dict__:
            self._sql_store.close()

    # --- the store ---------------------------------------------------------------------------

    @cached_property
    def _sql_store(self) -> "SqlScriptStore":
        from script_editor.store.sql import open_store  # late: --help must not import sqlmodel

        self._check_folder()
        return open_store(self.settings.database, create=True)

    def _check_folder(self) -> None:
        """Refuse a named store in a folder that is not there: more often a slip than a wish."""
        named = self.settings.database_origin != "default" and "://" not in self.settings.database
        folder = Path(self.settings.database).parent
        if named and not folder.exists():
            raise StoreUnusable(
                f"There is no folder {str(folder)!r} for the store that {self.settings.database_origin} names.",
                hint=f"Correct the path, or make the folder: mkdir -p {folder}",
            )

    @cached_property
    def store(self) -> "ScriptStore":
        """The store that the settings name, opened; a new file is created."""
        return self._sql_store

    @cached_property
    def scripts(self) -> "ScriptService":
        """Create, read, compare, revert, undo."""
        from script_editor.app.scripts import ScriptService

        return ScriptService(self.store)

    @cached_property
    def locks(self) -> "LockService":
        """Lock, list and release what no edit may change."""
        from script_editor.app.locks import LockService  # late: reading a history needs none of it

        return LockService(self.store)

    @cached_property
    def proposals(self) -> "ProposalService":
        """Propose, accept, reject."""
        from script_editor.app.proposals import ProposalService  # late: reading needs no guards

        return ProposalService(self.store)

    @cached_property
    def services(self) -> "Services":
        """The store and the three of them, as a run needs them."""
        from script_editor.app.services import Services  # late: it needs the agent's events

        return Services(self.store, self.scripts, self.proposals, self.locks)

    def load_seeds(self) -> "Iterator[Loaded]":
        """Load the sample scripts, one at a time."""
        from script_editor.app.seeds import load_seeds  # late: needs YAML
        from script_editor.store.migrate import data_dir

        return load_seeds(self.store, data_dir("seeds"))

    def upgrade_store(self) -> tuple[str | None, str, Path | None]:
        """Bring the store to the newest schema; return the revisions from and to, and the backup made."""
        from script_editor.store.migrate import upgrade  # late: the only user of alembic

        return upgrade(self.settings.database)

    # --- the run log -------------------------------------------------------------------------

    @cached_property
    def journals(self) -> "Journals":
        """What every run is told to: the log folder, or nobody where the log is switched off."""
        from script_editor.app.journal import NO_JOURNAL

        if not self.settings.log_runs:
            return NO_JOURNAL
        from datetime import timedelta

        from script_editor.app.runlog.writing import RunFiles  # late: reading a history logs nothing

        return RunFiles(
            self.settings.log_folder,
            secrets=self.settings.secrets,
            max_bytes=self.settings.log_megabytes * 1e6,
            max_age=timedelta(days=self.settings.log_days),
        )

    @property
    def log_problem(self) -> str:
        """Why something could not be logged so far, "" when nothing failed."""
        return str(getattr(self.__dict__.get("journals"), "problem", ""))  # built by the first run only

    @cached_property
    def log(self) -> "LogFolder":
        """The logs that are there, whether or not new ones are written."""
        from script_editor.app.runlog.folder import LogFolder

        return LogFolder(self.settings.log_folder)

    @cached_property
    def runs(self) -> "RunService":
        """Which runs there were, and what they took."""
        from script_editor.app.runs import RunService

        return RunService(self.store, self.log, is_logging=self.settings.log_runs, prices=self._prices())

    def _prices(self) -> "Prices | None":
        from script_editor.app.usage import Prices

        settings = self.settings
        if settings.price_in is None or settings.price_out is None or settings.priced_model is None:
            return None
        return Prices(model=settings.priced_model, sent=settings.price_in, received=settings.price_out)

    def replay(self, traces: "Sequence[Trace]") -> "Replayed":
        """Read the replies of logged runs again; see `app.replay.replay`."""
        from script_editor.app.replay import replay  # late: it needs every parser

        return replay(
            traces, tools=self._tools_unused(), text_of=lambda *version: self.store.version(*version).text
        )

    def _tools_unused(self) -> "Sequence[AnyTool]":
        """Return the tools as a model is told of them; in a replay none of them is called."""
        from script_editor.app.scope import Ledger, Scope
        from script_editor.app.tools import script_tools
        from script_editor.offline.rewriter import OfflineRewriter

        scope = Scope("", "", self.settings.author)
        return script_tools(
            self.scripts, self.proposals, self.locks, OfflineRewriter(),
            scope=scope, ledger=Ledger(), approve=lambda _pending: False,
        )  # fmt: skip

    # --- the model ---------------------------------------------------------------------------

    @cached_property
    def _models(self) -> "Models":
        from script_editor.app.models import Models

        return Models(self.settings, self._given_model, self._on_wait)

    @property
    def is_offline(self) -> bool:
        """Whether the embedded offline model is in use. Raises SetupError when settings clash."""
        return self._models.is_offline

    @property
    def model(self) -> "ChatModel":
        """The model that was given, or the one that the settings name."""
        return self._models.usual

    def _masked_trace(self) -> "OnExchange | None":
        from script_editor.llm.exchange import exchange_text
        from script_editor.llm.secrets import Mask

        trace, mask = self._trace, Mask(self.settings.secrets)
        return None if trace is None else lambda exchange: trace(mask.text(exchange_text(exchange)))

    # --- edits -------------------------------------------------------------------------------

    def edit(
        self,
        request: "EditRequest",
        *,
        approve: "Approve",
        limits: "Limits | None" = None,
        listener: "Listener | None" = None,
        on_text: "OnText | None" = None,
        on_part: "Callable[[PartStarted], None] | None" = None,
    ) -> "EditReport":
        """Carry out one instruction on one script; see `app.edit.edit_script`."""
        from script_editor.app.edit import edit_script

        return edit_script(
            request,
            services=self.services,
            model=self.model,
            make_rewriter=self._heard(on_text, on_part),
            approve=approve,
            limits=limits,
            audience=self._audience(listener, streams=on_text is not None),
        )

    def ask(
        self,
        errand: "Errand",
        *,
        approve: "Approve",
        limits: "Limits | None" = None,
        listener: "Listener | None" = None,
        on_text: "OnText | None" = None,
        on_part: "Callable[[PartStarted], None] | None" = None,
    ) -> "AskReport":
        """Carry out or answer one instruction over the whole store; see `app.ask.ask_store`."""
        from script_editor.app.ask import ask_store

        return ask_store(
            errand,
            services=self.services,
            model=self.model,
            make_rewriter=self._heard(on_text, on_part),
            approve=approve,
            limits=limits,
            audience=self._audience(listener, streams=on_text is not None),
        )

    @cached_property
    def chats(self) -> "ChatService":
        """Begin conversations, and go on with them."""
        from script_editor.app.chat import ChatService  # late: a single edit remembers nothing
        from script_editor.llm.metered import Metered

        return ChatService(
            self.store,
            self.scripts,
            self.proposals,
            author=self.settings.author,
            ask=self.ask,
            # The offline model follows instructions and writes no prose.
            summarizer=lambda: None if self.is_offline else Metered(self.model, self._masked_trace()),
        )

    def candidates(
        self,
        request: "EditRequest",
        count: int,
        *,
        on_candidate: "Callable[[int], None]",
        on_part: "Callable[[PartStarted], None] | None" = None,
    ) -> "Candidates":
        """Make several proposals side by side; see `app.candidates.make_candidates`."""
        from script_editor.app.candidates import make_candidates

        return make_candidates(
            request,
            count,
            services=self.services,
            model=self.model,
            make_rewriter=self._heard(None, on_part),
            audience=self._audience(),
            on_candidate=on_candidate,
        )

    def _audience(self, listener: "Listener | None" = None, *, streams: bool = True) -> "Audience":
        from script_editor.agent.events import ignore
        from script_editor.app.services import Audience

        return Audience(
            listener=listener or ignore,
            on_exchange=self._masked_trace(),
            journals=self.journals,
            streams=streams,
        )

    def _heard(
        self, on_text: "OnText | None", on_part: "Callable[[PartStarted], None] | None"
    ) -> "MakeRewriter":
        """Return what makes rewriters whose text and chunks a front end hears as well."""
        from dataclasses import replace

        def make(model: "ChatModel", hooks: "Hooks") -> "Rewriter":
            heard = replace(hooks, on_text=on_text)
            if on_text is not None:
                tell = on_text

                def replied(reply: "RewriterReply") -> None:
                    hooks.on_reply(reply)
                    tell("\n")  # the next draft begins on a line of its own

                heard = replace(heard, on_reply=replied)
            return self._models.rewriter(model, heard if on_part is None else replace(heard, on_part=on_part))

        return make

    # --- batches -----------------------------------------------------------------------------

    @property
    def batches(self) -> "BatchService":
        """Plan, run, watch, stop, and take the results of many edits at once."""
        return self._batching.service

    @cached_property
    def _batching(self) -> "Batching":
        from script_editor.app.batching import Batching  # late: a single edit knows no batch

        _ = self._sql_store  # which makes a new file; a batch never does
        return Batching(
            self.settings,
            self._models,
            services=lambda: self.services,
            journals=lambda: self.journals,
            prices=self._prices,
            tools=self._tools_unused,
        )

    # --- texts without a store ---------------------------------------------------------------

    def filter(
        self, text: str, instruction: str, demands: "Demands | None" = None, hooks: "Hooks | None" = None
    ) -> tuple[str, tuple[str, ...]]:
        """Return `text` edited by `instruction`, and notes; no store is opened."""
        from script_editor.app.filtering import filter_text

        return filter_text(text, instruction, self._models.rewriter(self.model, hooks), demands)
