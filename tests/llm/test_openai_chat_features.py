"""Structured answers: how they are asked for, and what becomes of a refusal."""

from pathlib import Path
from typing import Any

import pytest

from script_editor.errors import ModelFailure, ScriptEditorError
from script_editor.llm.capabilities import FEATURES, Capabilities
from script_editor.llm.chat import ToolSpec
from script_editor.llm.failures import FeatureRefused
from tests.llm.conftest import KEY, Connect
from tests.support.openai_server import (
    Behaviour,
    as_asked,
    completion,
    deltas,
    features_in,
    json_body,
    refusing,
    status,
    stream,
)

SCHEMA = {
    "type": "json_schema",
    "json_schema": {"name": "edit", "strict": True, "schema": {"type": "object"}},
}
EDIT = ToolSpec("edit", "Edit.", {"type": "object", "properties": {}}, is_forced=True)
NO_SCHEMA = status(400, "This response_format type is unavailable now")
NO_CHOICE = status(400, "Thinking mode does not support this tool_choice")
NO_TOOLS = status(404, "No endpoints found that support tool use.")
EVERYTHING = {"json_schema", "json_object", "tools", "tool_choice"}


def test_a_forced_tool_is_chosen_by_name(connect: Connect) -> None:
    link = connect([completion("好")])

    link.ask(tools=[EDIT])

    assert link.server.requests[0].body["tool_choice"] == {"type": "function", "function": {"name": "edit"}}


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("behaviour", "asked", "feature"),
    [
        pytest.param(NO_SCHEMA, {"response_format": SCHEMA}, "json_schema", id="json_schema, 400"),
        pytest.param(
            json_body({"detail": [{"loc": ["body", "response_format"], "msg": "extra"}]}, code=422),
            {"response_format": {"type": "json_object"}},
            "json_object",
            id="json_object, 422",
        ),
        pytest.param(NO_CHOICE, {"tools": [EDIT]}, "tool_choice", id="tool_choice, 400"),
        pytest.param(NO_TOOLS, {"tools": [EDIT]}, "tools", id="tools, 404"),
        pytest.param(
            status(500, "response_format: Input should be 'text' or 'json_object'"),
            {"response_format": SCHEMA},
            "json_schema",
            id="json_schema, 500",
        ),
        pytest.param(
            json_body({"error": {"message": "该模型不支持结构化输出", "code": "1210"}}),
            {"response_format": SCHEMA},
            "json_schema",
            id="json_schema, an error in a 200",
        ),
    ],
)
def test_a_feature_refused_by_name_is_an_error_of_its_own_after_one_request(
    connect: Connect, behaviour: Behaviour, asked: dict[str, Any], feature: str, streamed: bool
) -> None:
    link = connect([behaviour])

    with pytest.raises(FeatureRefused) as caught:
        (link.stream if streamed else link.ask)(**asked)

    assert (caught.value.feature, caught.value.retryable) == (feature, False)
    assert link.model.features == FEATURES - {feature}
    assert (len(link.server.requests), link.waits) == (1, [])


def test_the_error_says_what_was_refused_and_by_whom(connect: Connect) -> None:
    link = connect([status(400, "qwen-plus does not support tools")])

    with pytest.raises(FeatureRefused) as caught:
        link.ask(tools=[EDIT])

    assert (
        str(caught.value)
        == f"'qwen-plus' at {link.server.address} does not take tools (HTTP 400): qwen-plus does not support tools"
    )
    assert "--mode react" in caught.value.hint


@pytest.mark.parametrize(
    "behaviour",
    [status(400, "messages[0]: bad"), status(401, "no response_format for you"), status(400)],
    ids=["another reason", "another status", "no reason"],
)
def test_another_complaint_is_no_refusal(connect: Connect, behaviour: Behaviour) -> None:
    link = connect([behaviour])

    with pytest.raises(ScriptEditorError) as caught:
        link.ask(response_format=SCHEMA)

    assert not isinstance(caught.value, FeatureRefused)
    assert link.model.features >= EVERYTHING


def test_a_passing_failure_is_tried_again_with_everything(connect: Connect) -> None:
    link = connect([status(503, "busy"), status(500, "Internal Server Error"), completion("{}")])

    assert link.ask(response_format=SCHEMA).text == "{}"
    assert [features_in(request) for request in link.server.requests] == [{"json_schema"}] * 3


def test_an_answer_out_of_shape_is_refused_but_not_remembered(connect: Connect) -> None:
    said = {"message": "Failed to validate JSON. See 'failed_generation'.", "code": "json_validate_failed"}
    link = connect([json_body({"error": said}, code=400)])

    with pytest.raises(FeatureRefused):
        link.ask(response_format=SCHEMA)

    assert link.model.features >= EVERYTHING


def test_a_complaint_after_the_first_words_of_a_stream_is_no_refusal(connect: Connect) -> None:
    """The words were heard; asked again on the next rung, they would be said twice."""
    complaint = b'data: {"error": {"message": "response_format is not supported", "code": 400}}\n\n'
    link = connect([stream([*deltas("好", finish_reason=None), complaint], done=False)])

    with pytest.raises(ModelFailure) as caught:
        link.stream(response_format=SCHEMA)

    assert not isinstance(caught.value, FeatureRefused)
    assert link.pieces == ["好"]


def test_a_schema_that_may_not_be_strict_is_sent_without_the_word(connect: Connect) -> None:
    link = connect([status(400, "json_schema.strict: unknown field"), completion("{}")])

    link.ask(response_format=SCHEMA)

    sent = [request.body["response_format"]["json_schema"] for request in link.server.requests]
    assert sent == [SCHEMA["json_schema"], {"name": "edit", "schema": {"type": "object"}}]


def test_the_next_model_object_of_the_same_file_knows_what_was_refused(
    connect: Connect, tmp_path: Path
) -> None:
    path = tmp_path / "capabilities.json"
    service = refusing({"json_schema": NO_SCHEMA}, as_asked("{}"))
    first = connect(service, capabilities=Capabilities(path))
    with pytest.raises(FeatureRefused):
        first.ask(response_format=SCHEMA)

    second = connect([], base_url=first.server.base_url, capabilities=Capabilities(path))
    elsewhere = connect([], capabilities=Capabilities(path))

    assert "json_schema" not in second.model.features
    assert "json_schema" in elsewhere.model.features


def test_what_can_be_left_out_is_left_out_from_the_first_request_of_the_next_object(
    connect: Connect, tmp_path: Path
) -> None:
    path = tmp_path / "capabilities.json"
    service = refusing({"stream_options": status(400, "unknown field: stream_options")}, as_asked("好"))
    first = connect(service, capabilities=Capabilities(path))
    second = connect([], base_url=first.server.base_url, capabilities=Capabilities(path))

    first.stream()
    second.stream()

    assert [features_in(request) for request in first.server.requests] == [{"stream_options"}, set(), set()]


def test_the_file_holds_no_key_and_no_password(connect: Connect, tmp_path: Path) -> None:
    path = tmp_path / "capabilities.json"
    probe = connect([status(400, f"response_format is not supported, key {KEY}")])
    address = probe.server.base_url.replace("//", "//wang:geheim123@") + f"?key={KEY}"
    link = connect([], base_url=address, capabilities=Capabilities(path))

    with pytest.raises(FeatureRefused) as caught:
        link.ask(response_format=SCHEMA)

    kept = path.read_text(encoding="utf-8")
    assert "json_schema" in kept
    for secret in (KEY, "geheim123", "wang", "Basic"):
        assert secret not in kept + str(caught.value) + repr(vars(caught.value))
