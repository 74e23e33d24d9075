"""openai-agents: a Runner over chat completions, without its tracing, which would send what it sees."""

from collections.abc import Callable

import harness
from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from sample import ASK, SYSTEM, Tools


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""
    set_tracing_disabled(True)

    @function_tool
    def get_script(script_id: int) -> str:
        """Return the text of a script."""
        return tools.get_script(script_id)

    @function_tool
    def modify_script(script_id: int, original_text: str, new_text: str) -> str:
        """Replace original_text by new_text in a script."""
        return tools.modify_script(script_id, original_text, new_text)

    client = AsyncOpenAI(base_url=base_url, api_key="x", max_retries=0)
    model = OpenAIChatCompletionsModel(model="stub", openai_client=client)
    agent = Agent(name="editor", instructions=SYSTEM, model=model, tools=[get_script, modify_script])
    return lambda: Runner.run_sync(agent, ASK).final_output


if __name__ == "__main__":
    harness.main(setup)
