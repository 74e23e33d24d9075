"""smolagents: an agent that calls tools of the service."""

from collections.abc import Callable
from typing import Any

import harness
from sample import ASK, SYSTEM, Tools
from smolagents import OpenAIServerModel, ToolCallingAgent, tool


def setup(
    base_url: str, tools: Tools, agent_class: Callable[..., Any] = ToolCallingAgent
) -> Callable[[], str]:
    """Return what carries out one edit."""

    @tool
    def get_script(script_id: int) -> str:
        """Return the text of a script.

        Args:
            script_id: the number of the script
        """
        return tools.get_script(script_id)

    @tool
    def modify_script(script_id: int, original_text: str, new_text: str) -> str:
        """Replace original_text by new_text in a script.

        Args:
            script_id: the number of the script
            original_text: the text to replace
            new_text: the text to put there
        """
        return tools.modify_script(script_id, original_text, new_text)

    model = OpenAIServerModel(model_id="stub", api_base=base_url, api_key="x")
    kit = [get_script, modify_script]
    agent = agent_class(tools=kit, model=model, verbosity_level=0, instructions=SYSTEM)
    return lambda: agent.run(ASK)


if __name__ == "__main__":
    harness.main(setup)
