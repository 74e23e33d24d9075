"""A wired application on a SQLite file, with a scripted model in place of a real one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from script_editor.agent.events import Event
from script_editor.agent.steps import Limits
from script_editor.app.ask import AskReport
from script_editor.app.bootstrap import App, build_app
from script_editor.app.edit import EditReport, EditRequest
from script_editor.app.errand import Errand
from script_editor.app.scope import Demands, Objection, Pending
from script_editor.config import Settings
from script_editor.llm.chat import Reply
from script_editor.llm.scripted import Scripted, ScriptedModel

SEED = "大家好，欢迎来到我的频道。\n今天我们要聊一聊人工智能的发展历程。\n人工智能从20世纪50年代开始发展，\n经历了几次寒冬和复兴。\n现在我们正处于AI的黄金时代。\n"
FUNNIER = (
    "@@ replace S1\n哈喽大家好，欢迎来到我的频道。\n"
    "@@ replace S2\n今天咱们来唠一唠人工智能的发展历程。\n"
    "@@ replace S5\n现在我们正处于AI的黄金时代，不学真的会被卷哭。\n"
    "@@ end"
)
FUNNIER_TEXT = (
    "哈喽大家好，欢迎来到我的频道。\n今天咱们来唠一唠人工智能的发展历程。\n人工智能从20世纪50年代开始发展，\n"
    "经历了几次寒冬和复兴。\n现在我们正处于AI的黄金时代，不学真的会被卷哭。\n"
)

Decision = bool | tuple[int, ...] | Objection
"""What a person answers when they are shown what is about to be saved."""


def settings(database: Path | str, model: str | None = None) -> Settings:
    """Return settings that no environment variable can reach."""
    return Settings(database=str(database), database_origin="test", author="tester", model=model)


def act(mode: str, tool: str, /, **arguments: object) -> Reply | str:
    """Return a model's reply that calls a tool, in the form of the mode."""
    if mode == "tools":
        return ScriptedModel.call(tool, **arguments)
    return f"Thought: 下一步。\nAction: {tool}\nAction Input: {json.dumps(arguments, ensure_ascii=False)}"


def answer(mode: str, text: str) -> str:
    """Return a model's final answer, in the form of the mode."""
    return text if mode == "tools" else f"Thought: 完成了。\nFinal Answer: {text}"


@dataclass
class Desk:
    """`desk.edit("…")` runs one instruction; the script `video_001` is there with one version."""

    app: App
    model: ScriptedModel
    shown: list[Pending] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def edit(
        self,
        instruction: str,
        *,
        mode: str = "tools",
        preview: bool = False,
        yes: bool = True,
        limits: Limits | None = None,
        demands: Demands | None = None,
    ) -> EditReport:
        """Carry out one instruction on video_001; `yes` is what the person answers."""

        def approve(pending: Pending) -> bool:
            self.shown.append(pending)
            return yes

        request = EditRequest(
            script_id="video_001",
            instruction=instruction,
            author="tester",
            mode=mode,
            preview=preview,
            demands=demands or Demands(),
        )
        return self.app.edit(request, approve=approve, limits=limits, listener=self.events.append)

    def ask(
        self,
        instruction: str,
        *,
        mode: str = "tools",
        read_only: bool = False,
        answers: Sequence[Decision] = (),
        limits: Limits | None = None,
        **more: Any,
    ) -> AskReport:
        """Carry out one instruction over the whole store; `answers` are the person's, in order, then yes.

        `more` are other fields of the errand.
        """
        left = list(answers)

        def approve(pending: Pending) -> Decision:
            self.shown.append(pending)
            return left.pop(0) if left else True

        errand = Errand(instruction=instruction, author="tester", mode=mode, read_only=read_only, **more)
        return self.app.ask(errand, approve=approve, limits=limits, listener=self.events.append)

    def text(self, reference: str = "video_001") -> str:
        """Return a script's text as stored."""
        return self.app.scripts.read(reference).text


def desk(folder: Path, *replies: Scripted, text: str = SEED, others: Mapping[str, str] | None = None) -> Desk:
    """Return a desk with a fresh store and a model that gives `replies`; `others` are more scripts by id."""
    model = ScriptedModel(replies)
    app = build_app(settings(folder / "store.db"), model=model)
    app.scripts.new("video_001", text, author="tester")
    for script_id, other in (others or {}).items():
        app.scripts.new(script_id, other, author="tester")
    return Desk(app, model)
