"""LangChain: AgentExecutor with an agent that calls tools of the service."""

from collections.abc import Callable

import harness
from langchain_classic.agents import AgentExecutor, create_openai_tools_agent
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from sample import ASK, SYSTEM, Tools


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""

    @tool
    def get_script(script_id: int) -> str:
        """Return the text of a script."""
        return tools.get_script(script_id)

    @tool
    def modify_script(script_id: int, original_text: str, new_text: str) -> str:
        """Replace original_text by new_text in a script."""
        return tools.modify_script(script_id, original_text, new_text)

    kit = [get_script, modify_script]
    prompt = ChatPromptTemplate.from_messages(
        [("system", SYSTEM), ("human", "{input}"), MessagesPlaceholder("agent_scratchpad")]
    )
    model = ChatOpenAI(base_url=base_url, api_key="x", model="stub", max_retries=0)
    executor = AgentExecutor(agent=create_openai_tools_agent(model, kit, prompt), tools=kit)
    return lambda: executor.invoke({"input": ASK})["output"]


if __name__ == "__main__":
    harness.main(setup)
