"""How a decision is written down: as native calls, in ReAct text, with `AI:`, or in tags."""

import json
from typing import assert_never

from script_editor.llm.chat import Reply, ToolCall
from script_editor.offline.conversation import Layout, Turn
from script_editor.offline.decisions import Answer, Call, Decision
from script_editor.offline.rewriter import NAME
from script_editor.offline.wording import Language

_THOUGHTS = ("直接照指令做。", "This can be done as it is said.")
_NEEDED = "Thought: Do I need to use a tool?"


def written(decision: Decision, turn: Turn, language: Language) -> Reply:
    """Return the reply that tells the agent of a decision."""
    match decision:
        case Answer(text=text):
            return Reply(text=_written_answer(text, turn.layout, language), model=NAME)
        case Call(tool=tool, arguments=arguments):
            said = json.dumps(dict(arguments), ensure_ascii=False)
            if turn.layout != "native":
                return Reply(text=_written_call(tool, said, turn.layout, language), model=NAME)
            call = ToolCall(f"call_{len(turn.steps) + 1}", tool, said)
            return Reply(tool_calls=(call,), finish_reason="tool_calls", model=NAME)
        case _:
            assert_never(decision)


def _written_answer(text: str, layout: Layout, language: Language) -> str:
    match layout:
        case "native":
            return text
        case "react":
            return f"Thought: {_THOUGHTS[language == 'en']}\nFinal Answer: {text}"
        case "conversational":
            return f"{_NEEDED} No\nAI: {text}"
        case "xml":
            return f"<final_answer>{text}</final_answer>"
        case _:
            assert_never(layout)


def _written_call(tool: str, arguments: str, layout: Layout, language: Language) -> str:
    if layout == "xml":
        safe = arguments.replace("<", "\\u003c")  # no tag in an argument can close this one
        return f"<tool>{tool}</tool><tool_input>{safe}</tool_input>"
    thought = f"{_NEEDED} Yes" if layout == "conversational" else f"Thought: {_THOUGHTS[language == 'en']}"
    return f"{thought}\nAction: {tool}\nAction Input: {arguments}"
