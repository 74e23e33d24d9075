"""The engine of this package with tools of the bench's own: no script, no store. Calls tools of the service."""

from collections.abc import Callable

import harness
from pydantic import BaseModel, ConfigDict
from sample import ASK, SYSTEM, Tools

from script_editor.agent.executor import Executor
from script_editor.agent.planner import ModePlanner
from script_editor.agent.tools import Tool, Toolbox
from script_editor.llm.openai_chat import OpenAIChat


class GetScript(BaseModel):
    """What the first tool takes."""

    model_config = ConfigDict(extra="forbid")
    script_id: int


class ModifyScript(BaseModel):
    """What the second tool takes."""

    model_config = ConfigDict(extra="forbid")
    script_id: int
    original_text: str
    new_text: str


def setup(base_url: str, tools: Tools, mode: str = "tools") -> Callable[[], str]:
    """Return what carries out one edit."""
    kit = [
        Tool(
            name="get_script",
            description="Return the text of a script.",
            args=GetScript,
            run=lambda args, _call_id: tools.get_script(args.script_id),
        ),
        Tool(
            name="modify_script",
            description="Replace original_text by new_text in a script.",
            args=ModifyScript,
            run=lambda args, _call_id: tools.modify_script(args.script_id, args.original_text, args.new_text),
            writes=True,
        ),
    ]
    model, toolbox = OpenAIChat("stub", api_key="x", base_url=base_url), Toolbox(kit)
    executor = Executor(ModePlanner(mode, model, toolbox, briefing=SYSTEM), toolbox)
    return lambda: executor.run(ASK).output


if __name__ == "__main__":
    harness.main(setup)
