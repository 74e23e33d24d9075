"""The words in which services refuse a part of a request, and the words that mean something else."""

import json
import time
from typing import Any

import pytest

from script_editor.llm.failures import read_complaint
from script_editor.llm.refusals import Refusal, read_refusal

TOOL = {"type": "function", "function": {"name": "edit", "parameters": {}, "strict": True}}
LOOSE_TOOL = {"type": "function", "function": {"name": "edit", "parameters": {}}}
BODIES: dict[str, dict[str, Any]] = {
    "json_schema": {
        "response_format": {"type": "json_schema", "json_schema": {"name": "edit", "schema": {}}}
    },
    "strict json_schema": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "edit", "strict": True, "schema": {}},
        }
    },
    "json_object": {"response_format": {"type": "json_object"}},
    "forced tool": {
        "tools": [LOOSE_TOOL],
        "tool_choice": {"type": "function", "function": {"name": "edit"}},
    },
    "tools": {"tools": [LOOSE_TOOL]},
    "strict tools": {"tools": [TOOL]},
    "text": {},
    "stream": {"stream": True, "stream_options": {"include_usage": True}},
}


def read(body: str, said: str, status: int = 400, **more: Any) -> Refusal | None:
    """Return what a service refuses of a request when it says this in OpenAI's form."""
    return read_raw(body, {"error": {"message": said, **more}}, status)


def read_raw(body: str, answer: Any, status: int = 400) -> Refusal | None:
    complaint = read_complaint(status, json.dumps(answer, ensure_ascii=False))
    return read_refusal({"model": "qwen-plus", "messages": [], **BODIES[body]}, complaint)


@pytest.mark.parametrize(
    ("body", "feature", "said", "status"),
    [
        ("json_schema", "json_schema", "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more at the Structured Outputs guide: https://x.example/docs", 400),
        ("json_schema", "json_schema", "This response_format type is unavailable now", 400),
        ("json_schema", "json_schema", "Unrecognized request argument supplied: response_format", 400),
        ("json_schema", "json_schema", "This model does not support response format `json_schema`.", 400),
        ("json_schema", "json_schema", "Invalid schema for response_format 'edit': In context=(), 'anyOf' is not permitted.", 400),
        ("json_schema", "json_schema", "'response_format.json_schema.schema' must be an object", 400),
        ("json_schema", "json_schema", "The parameter `response_format.type` specified in the request are not valid: `json_schema` is not supported by this model.", 400),
        ("json_schema", "json_schema", "Structured output is not supported for this model", 422),
        ("json_schema", "json_schema", "该模型不支持结构化输出", 400),
        ("json_schema", "json_schema", "参数 response_format.type 的取值无效", 400),
        ("json_schema", "json_schema", "此模型暂不支持 JSON Schema", 400),
        ("json_schema", "json_schema", "No endpoints found that can handle structured outputs. Only supported by others: response_format", 404),
        ("json_schema", "json_schema", "json_schema response format is not implemented", 501),
        ("json_schema", "json_schema", "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}]", 500),
        ("json_schema", "json_schema", "failed to initialize samplers: failed to parse grammar", 400),
        ("json_object", "json_object", "'response_format.type' must be 'json_schema' or 'text'", 400),
        ("json_object", "json_object", "Json mode is not supported for this model.", 400),
        ("json_object", "json_object", "该模型不支持 JSON 模式", 400),
        ("json_object", "json_object", "response_format json_object not supported: Input tag 'json_object' found using 'type' does not match any of the expected tags: 'text', 'json_schema'", 400),
        ("forced tool", "tool_choice", "deepseek-reasoner does not support this tool_choice", 400),
        ("forced tool", "tool_choice", "Thinking mode does not support this tool_choice", 400),
        ("forced tool", "tool_choice", "tool_choice 'specified' is incompatible with thinking enabled", 400),
        ("forced tool", "tool_choice", "Invalid tool_choice type: 'object'. Supported string values: none, auto, required", 400),
        ("forced tool", "tool_choice", "tool_choice is one of the strings that should be [\"none\", \"auto\"]", 400),
        ("forced tool", "tool_choice", "No endpoints found that support the provided 'tool_choice' value.", 404),
        ("forced tool", "tool_choice", "思考模式下 tool_choice 不支持指定函数", 400),
        ("forced tool", "tools", "registry.ollama.ai/library/gemma3:4b does not support tools", 400),
        ("forced tool", "tools", "该模型不支持函数调用", 400),
        ("tools", "tools", "qwen-plus does not support tools", 400),
        ("tools", "tools", "No endpoints found that support tool use. To learn more, visit: https://x.example", 404),
        ("tools", "tools", "Tool calling is not supported for model: qwen-plus", 405),
        ("tools", "tools", "Function call is not supported for this model.", 400),
        ("tools", "tools", "Unable to submit request because Function Calling is not enabled for this model.", 400),
        ("tools", "tools", "Unrecognized request argument supplied: tools", 400),
        ("tools", "tools", "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set", 400),
        ("tools", "tools", "tools param requires --jinja flag", 500),
        ("tools", "tools", "当前模型不支持工具", 400),
        ("tools", "tools", "不支持 tools 参数", 400),
        ("strict tools", "strict", "tools.0.function.strict: Extra inputs are not permitted", 400),
        ("strict tools", "strict", "Invalid JSON payload received. Unknown name \"strict\" at 'tools[0].function': Cannot find field.", 400),
        ("strict tools", "tools", "qwen-plus does not support tools", 400),
        ("strict json_schema", "strict", "response_format.json_schema.strict: unknown field", 422),
        ("strict json_schema", "json_schema", "response_format json_schema is not supported", 400),
        ("stream", "stream_options", "Unknown field stream_options", 400),
    ],
)  # fmt: skip
def test_a_refusal_names_what_was_sent(body: str, feature: Any, said: str, status: int) -> None:
    assert Refusal(feature) == read(body, said, status)


@pytest.mark.parametrize(
    ("body", "said", "more"),
    [
        pytest.param("json_schema", "messages[0]: bad", {}, id="the messages"),
        pytest.param("json_schema", "Unsupported value: 'temperature' does not support 0.2 with this model.", {"param": "temperature"}, id="another setting"),
        pytest.param("json_schema", "Invalid value", {"param": "messages[1].content", "code": "invalid_response_format"}, id="another field is blamed"),
        pytest.param("json_schema", "Your account is not active, please check your billing details", {}, id="the bill"),
        pytest.param("json_schema", "Output data may contain inappropriate content.", {"code": "data_inspection_failed"}, id="the content"),
        pytest.param("json_schema", "Could not finish the message because max_tokens was reached.", {}, id="the cap"),
        pytest.param("json_schema", "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the response_format).", {}, id="the length"),
        pytest.param("json_schema", "The model `json_schema-7b` does not exist", {}, id="the model"),
        pytest.param("json_schema", "Images are not supported by this model", {}, id="pictures"),
        pytest.param("json_schema", "", {}, id="nothing"),
        pytest.param("tools", "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", {}, id="the order of messages"),
        pytest.param("tools", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.", {}, id="a call without result"),
        pytest.param("tools", "Unexpected tool call id call_1 in tool results", {}, id="a call id"),
        pytest.param("tools", "Invalid 'messages[2].tool_calls': array too long", {"param": "messages[2].tool_calls"}, id="calls of a message"),
        pytest.param("tools", "无效的请求", {}, id="no name at all"),
        pytest.param("text", "response_format json_schema and tools are not supported", {}, id="what was not sent"),
        pytest.param("json_object", "qwen-plus is unknown here", {}, id="only the model's name"),
        pytest.param("tools", "This feature is not supported", {}, id="a vague word where nothing is forced"),
    ],
)  # fmt: skip
def test_other_complaints_refuse_nothing(body: str, said: str, more: dict[str, str]) -> None:
    assert read(body, said, **more) is None


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("response_format json_schema is not supported", 401),
        ("response_format json_schema is not supported", 403),
        ("tools are not supported in your region", 429),
        ("response_format is not supported, overloaded", 503),
        ("unexpected error in the structured output service", 500),
        ("internal error, invalid json_schema worker", 500),
    ],
)
def test_a_refused_key_a_limit_and_a_service_out_of_order_are_no_refusals(said: str, status: int) -> None:
    assert read("json_schema", said, status) is None


@pytest.mark.parametrize(
    "said",
    [
        "Failed to validate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
        "Failed to generate structured output.",
    ],
)
def test_an_answer_that_came_out_of_shape_is_refused_for_this_time_only(said: str) -> None:
    assert Refusal("json_schema", is_lasting=False) == read("json_schema", said, code="json_validate_failed")


def test_a_forced_call_that_did_not_come_is_refused_for_this_time_only() -> None:
    said = "Tool choice is required, but model did not call a tool"

    assert Refusal("tool_choice", is_lasting=False) == read("forced tool", said, code="tool_use_failed")


@pytest.mark.parametrize(
    "said",
    [
        "API 调用参数有误，请检查文档。",
        "该模型不支持此功能",
        "This model does not support this feature.",
        "Some parameters are not supported",
        "Unsupported parameter",
        "不支持的参数",
    ],
)
@pytest.mark.parametrize(
    ("body", "feature"),
    [("json_schema", "json_schema"), ("json_object", "json_object"), ("forced tool", "tool_choice")],
)
def test_a_complaint_without_a_name_counts_against_the_form_for_this_time_only(
    body: str, feature: Any, said: str
) -> None:
    assert Refusal(feature, is_lasting=False) == read(body, said)


def test_validation_errors_are_read_by_place_and_not_by_what_they_repeat() -> None:
    request = {"response_format": {"type": "json_schema"}, "tools": []}
    at_the_messages = [{"loc": ["body", "messages", 0], "msg": "Field required", "input": request}]
    at_the_format = [
        {"loc": ["body", "response_format", "type"], "msg": "Input should be 'text'", "input": 1}
    ]

    assert read_raw("json_schema", {"detail": at_the_messages}, 422) is None
    assert read_raw("json_schema", {"detail": at_the_format}, 422) == Refusal("json_schema")


def test_a_server_that_prints_its_errors_is_read_in_the_same_way() -> None:
    said = "[{'type': 'missing', 'loc': ('body', 'messages', 0), 'msg': 'Field required', 'input': {'response_format': {}}}]"

    assert read("json_schema", said, 422) is None


@pytest.mark.parametrize("piece", ["not ", "this ", "messages[", "工具不支持", "[{'input':", "no model "])
def test_a_long_complaint_is_read_at_once(piece: str) -> None:
    began = time.monotonic()

    read("json_schema", piece * 50_000)
    read("forced tool", piece * 50_000)

    assert time.monotonic() - began < 1.0
