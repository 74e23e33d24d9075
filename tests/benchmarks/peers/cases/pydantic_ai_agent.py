"""pydantic-ai: an Agent with two plain tools."""

from collections.abc import Callable

import harness
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from sample import ASK, SYSTEM, Tools


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""
    model = OpenAIChatModel("stub", provider=OpenAIProvider(base_url=base_url, api_key="x"))
    agent = Agent(model, system_prompt=SYSTEM)

    @agent.tool_plain
    def get_script(script_id: int) -> str:
        """Return the text of a script."""
        return tools.get_script(script_id)

    @agent.tool_plain
    def modify_script(script_id: int, original_text: str, new_text: str) -> str:
        """Replace original_text by new_text in a script."""
        return tools.modify_script(script_id, original_text, new_text)

    return lambda: agent.run_sync(ASK).output


if __name__ == "__main__":
    harness.main(setup)
