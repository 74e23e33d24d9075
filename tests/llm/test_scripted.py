import pytest

from script_editor.errors import ModelFailure
from script_editor.llm.chat import Message, Reply, ToolCall, ToolSpec
from script_editor.llm.scripted import RecordedCall, ScriptedModel

QUESTION = (Message(role="user", content="撤销上一次修改"),)
UNDO = ToolSpec("undo", "Undo.", {"type": "object", "properties": {}})


def test_replies_come_in_order() -> None:
    model = ScriptedModel(["好", Reply(text="的", finish_reason="length")])

    assert [model.complete(QUESTION), model.complete(QUESTION)] == [
        Reply(text="好"),
        Reply(text="的", finish_reason="length"),
    ]


def test_a_function_is_given_messages_and_tools() -> None:
    model = ScriptedModel([lambda messages, tools: f"{messages[-1].content} {tools[0].name}"])

    assert model.complete(QUESTION, tools=[UNDO]).text == "撤销上一次修改 undo"


def test_an_exception_is_raised() -> None:
    model = ScriptedModel([ModelFailure("busy", retryable=True)])

    with pytest.raises(ModelFailure, match="busy"):
        model.complete(QUESTION)


def test_a_tool_call_is_written_in_one_line() -> None:
    reply = ScriptedModel.call("modify_script", script_id="第一集", targets=[2])

    assert reply == Reply(
        tool_calls=(
            ToolCall("call_modify_script", "modify_script", '{"script_id": "第一集", "targets": [2]}'),
        ),
        finish_reason="tool_calls",
    )


def test_what_it_was_asked_is_recorded() -> None:
    model = ScriptedModel(["好"])

    model.complete(QUESTION, tools=[UNDO], stop=["\nObservation:"], timeout_seconds=3.0)

    assert model.calls == [
        RecordedCall(messages=QUESTION, tools=(UNDO,), stop=("\nObservation:",), timeout_seconds=3.0)
    ]


@pytest.mark.parametrize("text", ["", "好", "大家好，我是小王"])
def test_text_is_streamed_in_pieces(text: str) -> None:
    pieces: list[str] = []

    ScriptedModel([text]).complete(QUESTION, on_text=pieces.append)

    assert text == "".join(pieces)
    assert len(pieces) == min(3, len(text))


def test_an_unexpected_call_fails_and_is_not_forgotten() -> None:
    """Code that survives any error of one item would swallow the first failure."""
    model = ScriptedModel()

    with pytest.raises(AssertionError, match=r"Call 1 was not scripted.*撤销上一次修改"):
        model.complete(QUESTION)
    with pytest.raises(AssertionError, match="1 time"):
        model.assert_done()


def test_leftovers_fail_at_the_end() -> None:
    with pytest.raises(AssertionError, match=r"1 scripted replies.*'好'"), ScriptedModel(["好"]):
        pass


def test_an_error_inside_is_not_hidden_by_leftovers() -> None:
    with pytest.raises(ZeroDivisionError), ScriptedModel(["好"]):
        raise ZeroDivisionError


def test_nothing_is_left_when_all_was_used() -> None:
    with ScriptedModel(["好"], name="m") as model:
        model.complete(QUESTION)

    assert model.name == "m"
