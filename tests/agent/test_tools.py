"""The toolbox: what a model is told of the tools, and what becomes of a call."""

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from script_editor.agent.calls import RequestedCall
from script_editor.agent.steps import AgentAction, AgentStep, Malformed
from script_editor.agent.tools import Tool, Toolbox, VersionNumber
from script_editor.errors import StoreFull
from script_editor.llm.chat import ToolSpec
from tests.agent.fakes import Desk, OneScript


class Span(BaseModel):
    model_config = ConfigDict(extra="forbid")

    first: int = Field(ge=1)
    last: int | None = None


class Everything(BaseModel):
    """A docstring that is not for the model."""

    model_config = ConfigDict(extra="forbid")

    script_id: str = Field(min_length=1, description="The id.")
    mode: Literal["soft", "hard"] = "soft"
    targets: list[str] | None = None
    span: Span | None = None
    limit: int = Field(default=20, description="How many.")


def everything() -> Tool[Everything]:
    return Tool(
        name="everything",
        description="Does it all.",
        args=Everything,
        run=lambda arguments, call_id: f"{arguments!r} {call_id}",
    )


def action(tool: str, **arguments: object) -> AgentAction:
    return AgentAction(tool=tool, arguments=arguments, log="", call_id="a", turn=1)


def test_a_schema_is_strict_and_says_nothing_a_service_might_refuse() -> None:
    null = {"type": "null"}

    assert Toolbox([everything()]).specs() == (
        ToolSpec(
            "everything",
            "Does it all.",
            {
                "type": "object",
                "properties": {
                    "script_id": {"type": "string", "description": "The id."},
                    "mode": {"anyOf": [{"type": "string", "enum": ["soft", "hard"]}, null]},
                    "targets": {"anyOf": [{"type": "array", "items": {"type": "string"}}, null]},
                    "span": {"anyOf": [{"$ref": "#/$defs/Span"}, null]},
                    "limit": {"anyOf": [{"type": "integer"}, null], "description": "How many."},
                },
                "required": ["script_id", "mode", "targets", "span", "limit"],
                "additionalProperties": False,
                "$defs": {
                    "Span": {
                        "type": "object",
                        "properties": {
                            "first": {"type": "integer"},
                            "last": {"anyOf": [{"type": "integer"}, null]},
                        },
                        "required": ["first", "last"],
                        "additionalProperties": False,
                    }
                },
            },
        ),
    )


def test_a_signature_is_one_line_and_marks_what_may_be_left_out() -> None:
    assert Toolbox([everything()]).signature("everything") == (
        "everything(script_id: str, mode?: 'soft' | 'hard', targets?: list[str], span?: object, limit?: int)"
    )


def test_null_means_the_default_and_a_list_may_come_as_text() -> None:
    call = RequestedCall(
        name="everything", arguments='{"script_id": "a", "mode": null, "targets": "[\\"S1\\"]", "limit": "3"}'
    )

    actions = Toolbox([everything()]).preflight([call])

    assert not isinstance(actions, Malformed)
    assert actions[0].arguments == {"script_id": "a", "targets": ["S1"], "limit": 3}


def test_calls_that_differ_only_in_defaults_are_equal() -> None:
    calls = [
        RequestedCall(name="everything", arguments={"script_id": "a"}, call_id="x"),
        RequestedCall(name="everything", arguments={"script_id": "a", "limit": 20}, call_id="y"),
    ]

    actions = Toolbox([everything()]).preflight(calls)

    assert not isinstance(actions, Malformed)
    assert [(one.call_id, one.repeated_ids) for one in actions] == [("x", ("y",))]


@pytest.mark.parametrize("value", [True, "yes", 2.5], ids=repr)
def test_a_number_is_not_guessed(value: object) -> None:
    call = RequestedCall(name="everything", arguments={"script_id": "a", "limit": value})

    refused = Toolbox([everything()]).preflight([call])

    assert isinstance(refused, Malformed)
    assert refused.code == "bad_arguments"
    assert refused.message == "The arguments of everything cannot be used: limit: must be a whole number."


@pytest.mark.parametrize("value", [2, 2.0, "2", "v2", " V2 "], ids=repr)
def test_a_version_number_has_several_spellings(value: object) -> None:
    assert TypeAdapter(VersionNumber).validate_python(value) == 2


@pytest.mark.parametrize(
    "value", [True, 2.5, 0, -1, "v0", "上一版", "二", "two", "", None, [2], float("inf")]
)
def test_anything_else_is_no_version_number(value: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(VersionNumber).validate_python(value)


def test_a_tool_runs_with_its_arguments_and_the_id_of_the_call() -> None:
    step = Toolbox([everything()]).call(action("everything", script_id="a"))

    expected = f"{Everything(script_id='a')!r} a"
    assert step == AgentStep(action=action("everything", script_id="a"), observation=expected, ok=True)


def test_an_error_the_model_can_repair_becomes_the_observation() -> None:
    step = Desk().toolbox().call(action("get_script", script_id="video_999"))

    assert not step.ok
    assert step.observation == (
        "Error: There is no script 'video_999'. Known ids: tea-ad. All of them: script-editor list"
    )


def test_any_other_error_propagates() -> None:
    def full(_arguments: OneScript, _call_id: str) -> str:
        raise StoreFull("The disk is full.")

    toolbox = Toolbox([Tool(name="get_script", description="Read.", args=OneScript, run=full)])

    with pytest.raises(StoreFull):
        toolbox.call(action("get_script", script_id="a"))


@pytest.mark.parametrize(
    ("text", "observation"),
    [
        ("一二三四五六", "一二三四\n［此处截断：共 6 字，还有 2 字没有显示］"),
        ("abcdef", "abcd\n[cut here: 2 of 6 characters are not shown]"),
        ("abcd", "abcd"),
    ],
    ids=["chinese", "english", "short enough"],
)
def test_a_long_observation_is_cut_and_says_how_much_is_missing(text: str, observation: str) -> None:
    tool = Tool(name="get_script", description="Read.", args=OneScript, run=lambda _arguments, _id: text)

    step = Toolbox([tool], max_observation_chars=4).call(action("get_script", script_id="a"))

    assert step.observation == observation
