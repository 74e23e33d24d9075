"""One item of a batch with a service that says what was written down, and a kill at any step."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from script_editor.agent.language import Language
from script_editor.agent.modes import MODES
from script_editor.app.errand import MakeRewriter
from script_editor.app.journal import NO_JOURNAL, Journals
from script_editor.app.rewriter import LlmRewriter
from script_editor.batch.items.durable_model import DurableModel
from script_editor.batch.items.item import run_item
from script_editor.batch.items.loaded import Loaded
from script_editor.domain.batches import DIRECT, Ending, Item, Job, Recipe, Wishes
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import Provenance
from script_editor.llm.capabilities import Feature
from script_editor.llm.chat import Message, Reply, ToolCall, ToolSpec, Usage
from script_editor.store.sql import SqlScriptStore
from tests.batch.memory_engine import Kill, Killed, MemorySteps, Record

ALL_MODES = (DIRECT, *sorted(MODES))
AT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
SCRIPTS: dict[Language, str] = {
    "zh": "大家好，欢迎来到我的频道。\n今天我们要聊一聊人工智能的发展历程。\n人工智能从20世纪50年代开始发展，\n经历了几次寒冬和复兴。\n",
    "en": "Hello and welcome to my channel.\nToday we will discuss the history of robots.\nIt began in the 1950s,\nand saw a few winters.\n",
}
IDS: dict[Language, str] = {"zh": "video_001", "en": "video_002"}
ASKED: dict[Language, str] = {"zh": "把第二行改得更口语一些", "en": "Make line two more casual"}
BETTER: dict[Language, str] = {
    "zh": "今天咱们来唠一唠人工智能的发展历程。",
    "en": "Today let's chat about the history of robots.",
}
DONE: dict[Language, str] = {"zh": "这是第二行的改法，请看提案。", "en": "Here is a proposal for line two."}
USED = Usage(70, 30)

Scripted = Reply | str | Exception


def edit(text: str, number: int = 2) -> Reply:
    """Return a rewriter's reply that replaces a line."""
    return Reply(text=f"@@ replace S{number}\n{text}\n@@ end", usage=USED, model="m-2026")


def call(mode: str, language: Language, tool: str, **arguments: object) -> Reply:
    """Return a reply that calls a tool, in the form of the mode."""
    written = json.dumps(arguments, ensure_ascii=False)
    if mode == "tools":
        return Reply(tool_calls=(ToolCall("call_x", tool, written),), finish_reason="tool_calls", usage=USED)
    if mode == "functions":
        message = {"role": "assistant", "content": "", "function_call": {"name": tool, "arguments": written}}
        return Reply(finish_reason="function_call", message=message, usage=USED)
    if mode == "json":
        block = json.dumps({"action": tool, "action_input": arguments}, ensure_ascii=False)
        return Reply(text=f"Action:\n```json\n{block}\n```", usage=USED)
    if mode == "xml":
        return Reply(text=f"<tool>{tool}</tool><tool_input>{written}</tool_input>", usage=USED)
    asked = "需要使用工具吗？是" if language == "zh" else "Do I need to use a tool? Yes"
    thought = asked if mode == "conversational" else "ok"
    return Reply(text=f"Thought: {thought}\nAction: {tool}\nAction Input: {written}", usage=USED)


def preview(mode: str, language: Language) -> Reply:
    """Return a reply that asks for the edit."""
    return call(mode, language, "preview", script_id=IDS[language], instruction=ASKED[language])


def answer(mode: str, language: Language, text: str | None = None) -> Reply:
    """Return a reply that ends the run, in the form of the mode."""
    said = DONE[language] if text is None else text
    match mode:
        case "react":
            said = f"Thought: ok\nFinal Answer: {said}"
        case "json":
            block = json.dumps({"action": "FINISH", "action_input": said}, ensure_ascii=False)
            said = f"Action:\n```json\n{block}\n```"
        case "conversational":
            asked = "需要使用工具吗？否" if language == "zh" else "Do I need to use a tool? No"
            said = f"Thought: {asked}\nAI: {said}"
        case "xml":
            said = f"<final_answer>{said}</final_answer>"
        case _:
            pass
    return Reply(text=said, usage=USED)


def good_replies(mode: str, language: Language) -> list[Scripted]:
    """Return what a service says that does what it should: it reads the script, edits and answers."""
    if mode == DIRECT:
        return [edit(BETTER[language])]
    return [
        call(mode, language, "get_script", script_id=IDS[language]),
        preview(mode, language),
        edit(BETTER[language]),
        answer(mode, language),
    ]


def script_store(store: SqlScriptStore) -> SqlScriptStore:
    """Put the scripts into a store."""
    for language, script_id in IDS.items():
        store.create(script_id, SCRIPTS[language], title="T", provenance=Provenance(author="alice"))
    return store


@dataclass
class World:
    """An item, and a service that gives the reply of that number to the call of that number, however often it is asked.

    `requests` are all that was sent, as bytes, with the number of the call.
    """

    store: ScriptStore
    replies: Sequence[Scripted]
    mode: str
    language: Language = "zh"
    instruction: str = ""
    features: frozenset[Feature] = frozenset()
    wishes: Wishes = field(default_factory=Wishes)
    base_number: int = 1
    make_rewriter: MakeRewriter = lambda model, hooks: LlmRewriter(model, hooks=hooks)
    journals: Journals = NO_JOURNAL
    clock: Callable[[], float] | None = None
    record: Record = field(default_factory=Record)
    requests: list[tuple[int, str]] = field(default_factory=list)

    @property
    def item(self) -> Item:
        job = Job(
            seq=7,
            script_id=IDS[self.language],
            base_number=self.base_number,
            instruction=self.instruction or ASKED[self.language],
            key="k",
            wishes=self.wishes,
        )
        return Item(batch_id="b-x7k2m9qp", job=job, state="running", attempt=1, crashes=0, updated_at=AT)

    @property
    def recipe(self) -> Recipe:
        return Recipe(instruction="", author="alice", model="m", mode=self.mode, prompts="p")

    def loaded(self) -> Loaded:
        return Loaded.of(self.store, self.item.job.script_id, self.base_number, at=AT, features=self.features)

    def run(self, kill: Kill | None = None, *, loaded: Loaded | None = None) -> Ending:
        """Run the item from what is recorded."""
        steps = MemorySteps(self.record, kill=kill)
        model = DurableModel("m", self.features, steps, self._send, clock=self.clock or _Ticks())
        return run_item(
            self.item,
            self.recipe,
            loaded or self.loaded(),
            store=self.store,
            model=model,
            make_rewriter=self.make_rewriter,
            journals=self.journals,
        )

    def killed(self, kill: Kill) -> None:
        """Run the item until it is killed; one that ends before is over."""
        try:
            self.run(kill)
        except Killed:
            return

    def again(self, **changed: Any) -> "World":
        """Return the same item with nothing recorded."""
        return replace(self, record=Record(), requests=[], **changed)

    def _send(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec],
        stop: Sequence[str],
        response_format: dict[str, Any] | None,
        timeout_seconds: float | None,
    ) -> Reply:
        number = len(self.record.steps)
        asked = {
            "messages": [asdict(message) for message in messages],
            "tools": [asdict(tool) for tool in tools],
            "stop": list(stop),
            "response_format": response_format,
            "timeout_seconds": timeout_seconds,
        }
        self.requests.append((number, json.dumps(asked)))
        if number >= len(self.replies):
            return Reply(text=f"?{number}")
        reply = self.replies[number]
        if isinstance(reply, Exception):
            raise reply
        return Reply(text=reply) if isinstance(reply, str) else reply


class _Ticks:
    """A clock on which every call takes half a second."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        self._now += 0.5
        return self._now


def as_bytes(ending: Ending) -> bytes:
    """Return everything of an ending."""
    return json.dumps(asdict(ending), default=str).encode()


def kills(count: int) -> Iterable[Kill]:
    """Return every moment at which an item of so many calls can be killed."""
    for number in range(count):
        yield Kill(number, "before")
        yield Kill(number, "inside")
        yield Kill(number, "after")


def told(store: ScriptStore) -> str:
    """Return what all modes send and end in, as one text."""
    rows = []
    for mode in ALL_MODES:
        for language in IDS:
            world = World(store, good_replies(mode, language), mode, language)
            ending = world.run()
            rows.append([mode, language, world.requests, as_bytes(ending).decode()])
    return json.dumps(rows)
