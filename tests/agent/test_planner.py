"""The request a model gets, and that its reply comes back as an outcome."""

from collections.abc import Sequence

import pytest

from script_editor.agent.modes import MODES
from script_editor.agent.planner import ModePlanner
from script_editor.agent.steps import AgentFinish, AgentStep, Correction, Malformed
from script_editor.llm.chat import Message, Reply, Usage
from script_editor.llm.scripted import RecordedCall, ScriptedModel
from tests.agent.fakes import Desk, script_step

PAST = (Message(role="user", content="你好"), Message(role="assistant", content="您好。"))
STEP = script_step(log="Thought: 看\nAction: get_script\nAction Input: tea-ad")


def correction(turn: int, message: str = "坏的。") -> Correction:
    malformed = Malformed(code="no_label", message=message, hint="这样写。", raw="x")
    return Correction(malformed=malformed, turn=turn)


def asked(
    mode: str,
    *,
    steps: Sequence[AgentStep] = (),
    corrections: Sequence[Correction] = (),
    task: str = "改短一些",
) -> RecordedCall:
    """What the model was asked in its only call."""
    model = ScriptedModel(["Final Answer: 好"])
    planner = ModePlanner(mode, model, Desk().toolbox(), briefing="只管 tea-ad。")
    planner.plan(task, steps, corrections, PAST, turn=3, timeout_seconds=9.5)
    return model.calls[0]


def test_react_shows_the_question_and_each_turn_as_the_model_wrote_it() -> None:
    call = asked("react", steps=(STEP,))

    assert call.messages[1:] == (
        *PAST,
        Message(role="user", content="Question: 改短一些"),
        Message(role="assistant", content="Thought: 看\nAction: get_script\nAction Input: tea-ad"),
        Message(role="user", content="Observation: 大家好。"),
    )
    assert call.tools == ()
    assert "\nObservation:" in call.stop and len(call.stop) <= 4


def test_tools_are_sent_beside_the_task() -> None:
    call = asked("tools", steps=(STEP,))

    assert [message.role for message in call.messages] == [
        "system", "user", "assistant", "user", "assistant", "tool",
    ]  # fmt: skip
    assert call.messages[3].content == "改短一些"
    assert call.tools == Desk().toolbox().specs()
    assert call.stop == ()


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize(("task", "is_chinese"), [("改短一些", True), ("Make it shorter", False)])
def test_the_prompt_follows_the_language_of_the_task_and_holds_the_briefing(
    mode: str, task: str, is_chinese: bool
) -> None:
    system = asked(mode, task=task).messages[0]

    assert system.role == "system"
    assert ("要求" in system.content) == is_chinese
    assert "只管 tea-ad。" in system.content and "$" not in system.content


def test_the_prompt_of_react_names_every_tool_with_its_arguments() -> None:
    system = asked("react").messages[0].content

    assert "revert(script_id: str, version: int): Bring a version back." in system
    assert "[list_scripts, get_script, modify_script, preview, history, diff, revert]" in system


def test_the_language_can_be_fixed() -> None:
    planner = ModePlanner("react", ScriptedModel(), Desk().toolbox(), language="en")

    assert "Carry out" in planner.messages("改短一些", (), (), ())[0].content


@pytest.mark.parametrize("mode", sorted(MODES))
def test_a_correction_is_one_message_at_the_end_and_the_bad_reply_is_not_shown(mode: str) -> None:
    corrections = (correction(2), correction(2), correction(3, "又坏了。"))

    messages = asked(mode, steps=(STEP,), corrections=corrections).messages

    assert messages[-1] == Message(role="user", content="坏的。\n这样写。\n\n又坏了。\n这样写。")
    assert [message for message in messages if message.content == "x"] == []


def test_a_correction_that_a_later_step_has_settled_is_left_out() -> None:
    later = script_step(log="Action: history", turn=2)

    messages = asked("react", steps=(later,), corrections=(correction(1),)).messages

    assert messages[-1] == Message(role="user", content="Observation: 大家好。")


def test_the_time_left_goes_into_the_request_and_text_comes_back_as_it_arrives() -> None:
    model = ScriptedModel([Reply(text="Final Answer: 好", usage=Usage(7, 3))])
    heard: list[str] = []

    planned = ModePlanner("react", model, Desk().toolbox()).plan(
        "改", (), (), (), turn=1, timeout_seconds=9.5, on_text=heard.append
    )

    assert planned.outcome == AgentFinish(output="好", log="Final Answer: 好")
    assert planned.usage == Usage(7, 3)
    assert "".join(heard) == "Final Answer: 好"
    assert model.calls[0].timeout_seconds == 9.5


def test_a_reply_cut_off_by_the_service_is_no_answer() -> None:
    model = ScriptedModel([Reply(text="半句", finish_reason="length")])

    planned = ModePlanner("tools", model, Desk().toolbox()).plan("改", (), (), (), turn=1)

    assert isinstance(planned.outcome, Malformed)
    assert planned.outcome.code == "cut"


def test_a_refusal_is_the_answer() -> None:
    model = ScriptedModel([Reply(refusal="不行。")])

    planned = ModePlanner("react", model, Desk().toolbox()).plan("改", (), (), (), turn=1)

    assert planned.outcome == AgentFinish(output="不行。", log="")
