"""LangChain: AgentExecutor with an agent that writes its calls as text with labels."""

from collections.abc import Callable

import harness
from langchain_classic.agents import AgentExecutor, create_react_agent
from langchain_core.prompts import PromptTemplate
from langchain_core.tools import Tool
from langchain_openai import ChatOpenAI
from sample import ASK, Tools

PROMPT = """Answer the following questions as best you can. You have access to the following tools:

{tools}

Use the following format:

Question: the input question you must answer
Thought: you should always think about what to do
Action: the action to take, should be one of [{tool_names}]
Action Input: the input to the action
Observation: the result of the action
... (this Thought/Action/Action Input/Observation can repeat N times)
Thought: I now know the final answer
Final Answer: the final answer to the original input question

Begin!

Question: {input}
Thought:{agent_scratchpad}"""


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""
    kit = [
        Tool(
            name="get_script",
            description="Return the text of a script. Input: JSON with script_id.",
            func=tools.get_script,
        ),
        Tool(
            name="modify_script",
            description="Replace original_text by new_text. Input: JSON with script_id, original_text, new_text.",
            func=tools.modify_script_json,
        ),
    ]
    model = ChatOpenAI(base_url=base_url, api_key="x", model="stub", max_retries=0)
    agent = create_react_agent(model, kit, PromptTemplate.from_template(PROMPT))
    executor = AgentExecutor(agent=agent, tools=kit, handle_parsing_errors=True)
    return lambda: executor.invoke({"input": ASK})["output"]


if __name__ == "__main__":
    harness.main(setup)
