"""What was done so far, as the next request shows it."""

from dataclasses import replace

from script_editor.agent.scratchpad import (
    NOT_RUN,
    format_log_to_messages,
    format_log_to_str,
    format_to_openai_tool_messages,
)
from script_editor.agent.steps import AgentStep
from script_editor.llm.chat import Message, ToolCall
from tests.agent.fakes import script_step

FIRST = script_step(log="我先读。\nAction: get_script\nAction Input: tea-ad")
SECOND = script_step(
    "history", "2 versions", log="Action: history\nAction Input: tea-ad", call_id="b", turn=2
)


def parallel(*steps: AgentStep, calls: str) -> list[AgentStep]:
    """Steps of one turn, asked for by a message with a call for each letter of `calls`."""
    asking = Message(role="assistant", tool_calls=tuple(ToolCall(id_, "get_script", "{}") for id_ in calls))
    return [replace(step, action=replace(step.action, message=asking)) for step in steps]


def test_the_text_log_ends_where_the_next_thought_begins() -> None:
    assert format_log_to_str([FIRST, SECOND]) == (
        "我先读。\nAction: get_script\nAction Input: tea-ad\nObservation: 大家好。\nThought: "
        "Action: history\nAction Input: tea-ad\nObservation: 2 versions\nThought: "
    )


def test_the_text_log_takes_other_prefixes() -> None:
    assert format_log_to_str([SECOND], observation_prefix="结果：", llm_prefix="") == (
        "Action: history\nAction Input: tea-ad\n结果：2 versions\n"
    )


def test_nothing_done_is_an_empty_scratchpad() -> None:
    assert format_log_to_str([]) == ""
    assert format_log_to_messages([]) == ()
    assert format_to_openai_tool_messages([]) == ()


def test_the_log_as_messages_alternates_between_model_and_program() -> None:
    assert format_log_to_messages([FIRST, SECOND], template_tool_response="Observation: {observation}") == (
        Message(role="assistant", content=FIRST.action.log),
        Message(role="user", content="Observation: 大家好。"),
        Message(role="assistant", content=SECOND.action.log),
        Message(role="user", content="Observation: 2 versions"),
    )


def test_braces_in_an_observation_are_text() -> None:
    step = script_step(observation="{name} {0}", log="x")

    assert format_log_to_messages([step])[1].content == "{name} {0}"


def test_parallel_calls_share_their_message_and_each_id_is_answered_once() -> None:
    first, second = parallel(
        script_step(call_id="a"), script_step("history", "2 versions", call_id="b"), calls="ab"
    )

    assert first.action.message is not None
    assert format_to_openai_tool_messages([first, second]) == (
        first.action.message,
        Message(role="tool", content="大家好。", tool_call_id="a", name="get_script"),
        Message(role="tool", content="2 versions", tool_call_id="b", name="get_script"),
    )


def test_equal_calls_share_an_observation_and_calls_that_did_not_run_say_so() -> None:
    step = parallel(script_step(call_id="a"), calls="abc")[0]
    step = replace(step, action=replace(step.action, repeated_ids=("c",)))

    answers = {
        message.tool_call_id: message.content for message in format_to_openai_tool_messages([step])[1:]
    }

    assert answers == {"a": "大家好。", "b": NOT_RUN, "c": "大家好。"}


def test_steps_without_a_message_get_one_per_turn() -> None:
    messages = format_to_openai_tool_messages([FIRST, SECOND])

    assert [message.role for message in messages] == ["assistant", "tool", "assistant", "tool"]
    assert messages[0].tool_calls == (ToolCall("a", "get_script", '{"script_id": "tea-ad"}'),)
