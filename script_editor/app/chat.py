"""Conversations over the store: each turn is an errand that knows what came before, and leaves what came of it.

What a person says is stored before anything is asked, and how the turn ended is stored whatever happened: a chat can
be gone on with in another process, after a failure or an interrupt. What the program knows, not what the model
says, is what later turns rely on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from script_editor import interrupts
from script_editor.agent.events import Listener
from script_editor.agent.language import Language, language_of
from script_editor.agent.memory import BufferMemory, Remembered, Summary, SummaryMemory, WindowMemory
from script_editor.app import chat_facts
from script_editor.app.ask import AskReport
from script_editor.app.errand import Errand
from script_editor.app.hooks import PartStarted
from script_editor.app.proposals import ProposalService
from script_editor.app.scope import Approve, Objection, Pending
from script_editor.app.scripts import ScriptService
from script_editor.domain.chats import Chat, ChatMessage
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import RunRecord, ScriptInfo, canonical_id, check_instruction
from script_editor.errors import Declined, NotFound
from script_editor.llm.chat import ChatModel, Message, OnText, Usage
from script_editor.llm.metered import NOTHING, Metered

MemoryName = Literal["buffer", "window", "summary"]

_ANSWER_CHARS = 3_000
_STATE = "/status"
"""What a person would have typed to be told how things stand, where nothing was said before."""


class Ask(Protocol):
    """Carries out an errand; `App.ask` does."""

    def __call__(
        self,
        errand: Errand,
        *,
        approve: Approve,
        listener: Listener | None = None,
        on_text: OnText | None = None,
        on_part: Callable[[PartStarted], None] | None = None,
    ) -> AskReport:
        """Return what came of it; raises what `ask_store` raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How the turns of a session are carried out. With `read_only` there are no tools that save."""

    read_only: bool = False
    mode: str = "auto"
    memory: MemoryName = "buffer"
    max_steps: int | None = None


class ChatService:
    """Begins chats and finds them again."""

    def __init__(
        self,
        store: ScriptStore,
        scripts: ScriptService,
        proposals: ProposalService,
        *,
        author: str,
        ask: Ask,
        summarizer: Callable[[], ChatModel | None],
    ):
        self._store, self._scripts, self._proposals = store, scripts, proposals
        self._author, self._ask, self._summarizer = author, ask, summarizer

    def begin(self, *, name: str = "", script_id: str | None = None) -> "ChatSession":
        """Begin a chat, about a script or about the whole store.

        Raises:
            BadInput: a chat has the name already.
            BadScriptId, ScriptNotFound: there is no such script.
        """
        about = None if script_id is None else self._scripts.info(canonical_id(script_id)).id
        return self._session(self._store.create_chat(name=name, author=self._author, script_id=about))

    def resume(self, chat: str | None = None) -> "ChatSession":
        """Go on with a chat, by its id or name; None means the one that this author used last.

        Raises:
            ChatNotFound: there is none of that id or name.
            NotFound: this author has none yet.
        """
        if chat is not None:
            return self._session(self._store.chat(chat))
        own = [found for found in self._store.chats() if found.author == self._author]
        if not own:
            raise NotFound("There is no chat to go on with yet. Begin one: script-editor chat")
        # One that was opened and left without a word is not what is meant.
        return self._session(next((found for found in own if self._store.messages(found.id)), own[0]))

    def _session(self, chat: Chat) -> "ChatSession":
        return ChatSession(
            chat,
            self._store,
            self._scripts,
            self._proposals,
            author=self._author,
            ask=self._ask,
            summarizer=self._summarizer,
        )


class ChatSession:
    """One chat while someone speaks in it. Others may speak in the same one: each turn reads what is new."""

    def __init__(
        self,
        chat: Chat,
        store: ScriptStore,
        scripts: ScriptService,
        proposals: ProposalService,
        *,
        author: str,
        ask: Ask,
        summarizer: Callable[[], ChatModel | None],
    ):
        self.chat = chat
        self._store, self._scripts, self._proposals = store, scripts, proposals
        self._author, self._ask, self._summarizer = author, ask, summarizer
        self._messages: list[ChatMessage] = []

    @property
    def script(self) -> ScriptInfo | None:
        """The script that the chat is about at present, as it is now."""
        return None if self.chat.script_id is None else self._scripts.info(self.chat.script_id)

    @property
    def turns(self) -> tuple[Remembered, ...]:
        """Everything said so far, oldest first; what was not answered has the answer ""."""
        return tuple(turn for turn, _last in self._numbered_turns())

    def runs(self) -> tuple[RunRecord, ...]:
        """Return the runs of all turns so far, newest first."""
        return self._store.runs(chat_id=self.chat.id)

    def newest_proposal(self) -> str | None:
        """Return the id of the open proposal that the chat spoke of last, or else the newest one of its script."""
        facts = [fact for turn in self.turns for fact in turn.facts]
        return chat_facts.newest_open(facts, self.chat.script_id, self._proposals)

    def move(self, script_id: str) -> ScriptInfo:
        """Let the chat be about another script from now on. Raises BadScriptId, ScriptNotFound."""
        found = self._scripts.info(canonical_id(script_id))
        self.chat = self._store.move_chat(self.chat.id, script_id=found.id)
        return found

    def rename(self, name: str) -> None:
        """Give the chat a name to be found by. Raises BadInput when another chat has it."""
        self.chat = self._store.move_chat(self.chat.id, name=name)

    def note(self, said: str, facts: Sequence[str], answered: str = "") -> None:
        """Keep what a person did without the model, such as a command, for the model to know in the next turn."""
        self._store.say(self.chat.id, "user", said)
        self._store.say(self.chat.id, "assistant", answered, facts=tuple(facts))

    def turn(
        self,
        instruction: str,
        manner: Manner,
        *,
        approve: Approve,
        listener: Listener | None = None,
        on_text: OnText | None = None,
        on_part: Callable[[PartStarted], None] | None = None,
    ) -> AskReport:
        """Carry out one instruction with what came before in mind, and keep it with what came of it.

        Raises:
            BadInstruction: it cannot be used; nothing was kept.
            KeyboardInterrupt, ScriptEditorError: see `ask_store`; the turn is kept with how it ended.
        """
        instruction = check_instruction(instruction)
        language = language_of(instruction)
        decisions: list[str] = []
        # What is remembered is what was said before this.
        turns = self._numbered_turns()
        with interrupts.held() as hold:  # what was saved is in the chat, whenever somebody presses Ctrl-C
            self._store.say(self.chat.id, "user", instruction)
            try:
                with interrupts.let_through():
                    past, spent = self._past(turns, manner, language)
                report = self._ask(
                    self._errand(instruction, manner, past, spent),
                    approve=_noting(approve, decisions, language),
                    listener=listener,
                    on_text=on_text,
                    on_part=on_part,
                )
            except BaseException as error:  # nothing that was said is lost, whatever stopped the turn
                facts = (*decisions, *chat_facts.failed(error, language))
                self._store.say(self.chat.id, "assistant", "", facts=facts)
                hold.forget()  # it came when the turn had ended, and how it did is told
                raise
            told = (*report.facts, *decisions, *report.warnings)
            facts = (*told, chat_facts.unproven(language)) if report.claims_unproven else told
            self._store.say(self.chat.id, "assistant", report.answer, run_id=report.run_id, facts=facts)
            hold.forget()
            return report

    def _errand(self, instruction: str, manner: Manner, past: tuple[Message, ...], spent: Usage) -> Errand:
        return Errand(
            instruction=instruction,
            author=self._author,
            script_id=self.chat.script_id,
            mode=manner.mode,
            read_only=manner.read_only,
            max_steps=manner.max_steps,
            past=past,
            chat_id=self.chat.id,
            spent=spent,
        )

    # --- what is remembered ------------------------------------------------------------------

    def _numbered_turns(self) -> list[tuple[Remembered, int]]:
        """Return each turn with the number of its last message."""
        after = self._messages[-1].seq if self._messages else 0
        self._messages.extend(self._store.messages(self.chat.id, after=after))
        turns: list[tuple[Remembered, int]] = []
        for message in self._messages:
            match message.speaker:
                case "user":
                    turns.append((Remembered(said=message.content, answered=""), message.seq))
                case "assistant":
                    _answer(turns, message)
                case "summary":
                    pass
        return [(_told(turn), last) for turn, last in turns]

    def _past(
        self, numbered: Sequence[tuple[Remembered, int]], manner: Manner, language: Language
    ) -> tuple[tuple[Message, ...], Usage]:
        """Return the conversation as the model is to see it, and what a summary of it took."""
        shown = self._with_present(
            [turn for turn, _last in numbered], language, can_save=not manner.read_only
        )
        match manner.memory:
            case "buffer":
                return BufferMemory().past(shown), NOTHING
            case "window":
                return WindowMemory().past(shown), NOTHING
            case "summary":
                return self._summed_up(numbered, shown)

    def _summed_up(
        self, numbered: Sequence[tuple[Remembered, int]], shown: Sequence[Remembered]
    ) -> tuple[tuple[Message, ...], Usage]:
        model = self._summarizer()
        meter = None if model is None else Metered(model)
        summaries = SummaryMemory(meter)
        summary = self._summary(numbered)
        newer = summaries.summarized([turn for turn, _last in numbered], summary)
        if newer is not None and newer != summary:
            self._store.say(
                self.chat.id, "summary", newer.text, facts=newer.facts, covers=numbered[newer.covers - 1][1]
            )
        return summaries.past(shown, newer), NOTHING if meter is None else meter.usage

    def _summary(self, numbered: Sequence[tuple[Remembered, int]]) -> Summary | None:
        """Return the newest summary, as what it stands for: so many of the turns."""
        stored = next((message for message in reversed(self._messages) if message.speaker == "summary"), None)
        if stored is None or stored.covers is None:
            return None
        covers = sum(1 for _turn, last in numbered if last <= stored.covers)
        return Summary(text=stored.content, facts=stored.facts, covers=covers)

    def _with_present(
        self, turns: Sequence[Remembered], language: Language, *, can_save: bool
    ) -> list[Remembered]:
        """Return the turns, with how things stand now as the newest facts."""
        facts = [fact for turn in turns for fact in turn.facts]
        present = chat_facts.present(facts, self.script, self._proposals, language, can_save=can_save)
        if not turns:  # a single script's version is in no need of a conversation before the first word
            has_more = len(present) > (self.chat.script_id is not None)
            return [Remembered(said=_STATE, answered="", facts=present)] if has_more else []
        return [*turns[:-1], replace(turns[-1], facts=(*turns[-1].facts, *present))]


def _told(turn: Remembered) -> Remembered:
    """Return a turn; one of which nothing is known was cut off, or goes on somewhere else."""
    if turn.answered or turn.facts:
        return turn
    return replace(turn, facts=(chat_facts.unfinished(language_of(turn.said)),))


def _answer(turns: list[tuple[Remembered, int]], message: ChatMessage) -> None:
    """Put an answer under what was said last and has none yet; one without a question is a turn of its own."""
    if not turns:
        turns.append((Remembered(said="", answered="", facts=()), message.seq))
    turn, _ = turns[-1]
    content = message.content
    if len(content) > _ANSWER_CHARS:  # mostly a script that was read out: a tool can read it again
        content = f"{content[:_ANSWER_CHARS]} …"
    answered = "\n".join(filter(None, (turn.answered, content)))
    turns[-1] = (replace(turn, answered=answered, facts=(*turn.facts, *message.facts)), message.seq)


def _noting(approve: Approve, decisions: list[str], language: Language) -> Approve:
    """Return `approve`, with what the person declined added to `decisions`."""

    def asked(pending: Pending) -> bool | tuple[int, ...] | Objection:
        try:
            answer = approve(pending)
        except Declined:
            decisions.extend(chat_facts.decided(pending, False, language))
            raise
        decisions.extend(chat_facts.decided(pending, answer, language))
        return answer

    return asked
