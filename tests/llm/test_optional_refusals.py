"""The words in which services refuse what a request can do without, and those that mean something else."""

import json
from typing import Any

import pytest

from script_editor.llm.capabilities import Feature
from script_editor.llm.failures import read_complaint
from script_editor.llm.refusals import Refusal, read_refusal

SYSTEM = {"role": "system", "content": "You edit scripts."}
USER = {"role": "user", "content": "改得更轻松幽默一些"}
CALL = {"id": "c1", "type": "function", "function": {"name": "history", "arguments": "{}"}}
TOOL = {"type": "function", "function": {"name": "history", "parameters": {}}}
ANSWER = {"role": "tool", "tool_call_id": "c1", "content": "两个版本"}
BODIES: dict[str, dict[str, Any]] = {
    "stop": {"messages": [USER], "stop": ["\nObservation:"], "stream": True},
    "temperature": {"messages": [USER], "temperature": 0.2},
    "stream": {"messages": [USER], "stream": True},
    "whole": {"messages": [USER]},
    "system": {"messages": [SYSTEM, USER], "stream": True},
    "turns": {"messages": [SYSTEM, USER, USER]},
    "reasoning": {
        "messages": [
            USER,
            {"role": "assistant", "content": "", "reasoning_content": "嗯", "reasoning": "嗯", "tool_calls": [CALL]},
            ANSWER,
        ],
        "tools": [TOOL],
    },
    "calls": {
        "messages": [
            SYSTEM,
            USER,
            {"role": "assistant", "content": "", "tool_calls": [CALL, {**CALL, "id": "c2"}]},
            ANSWER,
            {**ANSWER, "tool_call_id": "c2"},
        ],
        "tools": [TOOL],
    },
    "tools": {"messages": [SYSTEM, USER], "tools": [TOOL]},
    "functions": {"messages": [SYSTEM, USER], "functions": [{"name": "history", "parameters": {}}]},
}  # fmt: skip


def read(body: str, said: str, status: int = 400, **more: Any) -> Refusal | None:
    """Return what a service refuses of a request when it says this in OpenAI's form."""
    answer = {"error": {"message": said, **more}}
    complaint = read_complaint(status, json.dumps(answer, ensure_ascii=False))
    return read_refusal({"model": "qwen-plus", **BODIES[body]}, complaint)


@pytest.mark.parametrize(
    ("body", "feature", "said", "status"),
    [
        ("stop", "stop", "Unsupported parameter: 'stop' is not supported with this model.", 400),
        ("stop", "stop", "Argument not supported on this model: stop", 400),
        ("stop", "stop", "Model qwen-plus does not support parameter stop.", 400),
        ("stop", "stop", "Unrecognized request argument supplied: stop", 400),
        ("stop", "stop", "stop: Extra inputs are not permitted", 422),
        ("stop", "stop", "Stop sequences are not supported by this model", 400),
        ("stop", "stop", "This model doesn't support the stopSequences field. Remove stopSequences and try again.", 400),
        ("stop", "stop", "stop is not supported", 500),
        ("stop", "stop", "Invalid 'stop': array too long. Expected an array with maximum length 1, but got 4.", 400),
        ("stop", "stop", "该模型不支持 stop 参数", 400),
        ("stop", "stop", "参数 stop 无效", 400),
        ("stop", "stop", "当前模型不支持停止词", 400),
        ("temperature", "temperature", "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.", 400),
        ("temperature", "temperature", "Unsupported parameter: 'temperature' is not supported with this model.", 400),
        ("temperature", "temperature", "invalid temperature: only 1 is allowed for this model", 400),
        ("temperature", "temperature", "`temperature` is deprecated for this model.", 400),
        ("temperature", "temperature", "该模型不支持 temperature 参数", 400),
        ("temperature", "temperature", "当前模型不支持设置温度", 400),
        ("stream", "stream", "Unsupported value: 'stream' does not support true with this model.", 400),
        ("stream", "stream", "Your organization must be verified to stream this model.", 400),
        ("stream", "stream", "Streaming is not supported for this model", 400),
        ("stream", "stream", "streaming not yet supported", 501),
        ("stream", "stream", "This endpoint does not support streaming responses", 422),
        ("stream", "stream", "该模型不支持流式输出", 400),
        ("stream", "stream", "流式调用暂不支持", 400),
        ("stream", "stream", "此模型仅支持非流式调用", 400),
        ("stream", "stream", "tool calls does not support stream mode", 400),
        ("whole", "whole", "This model only support stream mode, please enable the stream parameter to access the model.", 400),
        ("whole", "whole", "parameter.enable_thinking must be set to false for non-streaming calls", 400),
        ("whole", "whole", "Non-streaming requests are not supported for this model", 400),
        ("whole", "whole", "该模型仅支持流式输出", 400),
        ("whole", "whole", "接口不支持非 stream 的模式", 400),
        ("whole", "whole", "不支持非流式调用", 400),
        ("system", "system", "System role not supported", 400),
        ("system", "system", "Jinja Exception: System role not supported", 500),
        ("system", "system", "Unsupported value: 'messages[0].role' does not support 'system' with this model.", 400),
        ("system", "system", "Developer instruction is not enabled for models/gemma-3-27b-it", 400),
        ("system", "system", "This model does not support system messages.", 400),
        ("system", "system", "invalid params, invalid role: system", 400),
        ("system", "system", "body.messages.0.role: Input should be 'user' or 'assistant'", 422),
        ("system", "system", "the role of messages[0] must be user", 400),
        ("system", "system", "First message must be from user", 400),
        ("system", "system", "Conversation roles must alternate user/assistant/user/assistant/...", 400),
        ("system", "system", "messages 中的 role 不支持 system", 400),
        ("system", "system", "该模型不支持系统消息", 400),
        ("system", "system", "不支持 system 角色", 400),
        ("system", "system", "role 'system' is not supported on this model", 400),
        ("system", "system", "message role not supported yet: system", 500),
        ("system", "system", "模型不支持的 message role: system", 400),
        ("system", "system", "The parameter `messages.role` specified in the request are not valid: invalid value: `system`, supported values are: `assistant`, `user`, `tool`.", 400),
        ("system", "system", "message role is 'system', not one of ['assistant', 'user', 'tool']", 400),
        ("turns", "repeated_roles", "Conversation roles must alternate user/assistant/user/assistant/...", 400),
        ("turns", "repeated_roles", "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...", 500),
        ("turns", "repeated_roles", 'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row', 400),
        ("turns", "repeated_roles", "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.", 400),
        ("turns", "repeated_roles", "Multiple consecutive messages with the same role are not allowed", 400),
        ("turns", "repeated_roles", "messages 中 user 和 assistant 的角色必须交替出现", 400),
        ("turns", "repeated_roles", "不能有连续的 user 消息", 400),
        ("reasoning", "message_fields", "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]", 400),
        ("reasoning", "message_fields", "messages.1.reasoning_content: Extra inputs are not permitted", 422),
        ("reasoning", "message_fields", "The reasoning_content is an intermediate result for display purposes only and will not be included in the context for inference. Please remove the reasoning_content from your message to reduce network traffic.", 400),
        ("reasoning", "message_fields", "Unknown parameter: 'messages[1].reasoning'.", 400),
        ("reasoning", "message_fields", "Unrecognized key(s) in object: 'reasoning_content'", 400),
        ("reasoning", "message_fields", "消息中存在未知字段 reasoning_content", 400),
        ("reasoning", "tools", "qwen-plus does not support tools", 400),
        ("reasoning", "message_fields", "Error from provider: Extra inputs are not permitted, field: 'messages[1].reasoning', value: 'The stop is required, I need to read it'", 400),
        ("calls", "parallel_calls", "This model only supports single tool-calls at once!", 400),
        ("calls", "parallel_calls", "This model only supports single tool-calls at once!", 500),
        ("calls", "parallel_calls", "Parallel tool calls are not supported by this model", 400),
        ("calls", "parallel_calls", "This model doesn't support parallel function calling: multiple tool calls", 400),
        ("calls", "parallel_calls", "该模型不支持并行工具调用", 400),
        ("functions", "functions", "Unrecognized request argument supplied: functions", 400),
        ("functions", "functions", "qwen-plus does not support function calling", 400),
        ("functions", "functions", "functions is deprecated and not supported, use tools instead", 400),
        ("functions", "functions", "该模型不支持函数调用", 400),
        ("tools", "tools", "This model does not support tool calls", 400),
        ("tools", "tools", "Unsupported param: tools", 500),
        ("tools", "tools", "<400> InternalError.Algo.InvalidParameter: The tool call is not supported.", 400),
        ("tools", "tools", "tools is not supported in this model. For a list of supported models, refer to https://x.example", 400),
    ],
)  # fmt: skip
def test_a_refusal_names_what_was_sent(body: str, feature: Feature, said: str, status: int) -> None:
    assert read(body, said, status) == Refusal(feature)


def test_an_error_that_is_a_bare_text_is_read_as_well() -> None:
    answer = {
        "code": "Client specified an invalid argument",
        "error": "Argument not supported on this model: stop",
    }
    complaint = read_complaint(400, json.dumps(answer))

    assert read_refusal({"model": "grok", **BODIES["stop"]}, complaint) == Refusal("stop")


@pytest.mark.parametrize(
    ("feature", "param", "said"),
    [
        ("stop", "stop", "Unsupported parameter."),
        ("temperature", "temperature", "Unsupported value."),
        ("stop", "stop", "参数不支持"),
    ],
)
def test_the_field_that_the_service_blames_is_enough(feature: Feature, param: str, said: str) -> None:
    assert read(feature, said, param=param) == Refusal(feature)


@pytest.mark.parametrize(
    ("body", "said", "more"),
    [
        pytest.param("stop", "You exceeded your quota; please stop sending requests.", {}, id="the word stop in a sentence"),
        pytest.param("stop", "Invalid value for 'messages'", {"param": "messages"}, id="the messages"),
        pytest.param("stop", "请停止发送违规内容，该内容不支持生成", {}, id="停止 in a sentence"),
        pytest.param("stop", "response_format is not supported", {}, id="what was not sent"),
        pytest.param("temperature", "temperature must be between 0 and 2", {"param": "temperature"}, id="how warm"),
        pytest.param("temperature", "temperature 取值范围为 (0, 2]，不支持 0", {}, id="how warm, in Chinese"),
        pytest.param("temperature", "max_tokens is too large: 100000. This model supports at most 16384 completion tokens", {}, id="the cap"),
        pytest.param("stream", "upstream error: the request is not valid", {}, id="upstream"),
        pytest.param("stream", "Invalid API usage, do not retry", {}, id="nothing of it"),
        pytest.param("whole", "upstream returned an invalid stream of bytes", {}, id="a stream of bytes"),
        pytest.param("system", "The system is not available right now", {}, id="the system as a whole"),
        pytest.param("system", "系统繁忙，暂不可用", {}, id="系统 as a whole"),
        pytest.param("system", "messages[1].content must be a string", {}, id="another message"),
        pytest.param("system", "body.messages.0.role: Input should be 'system', 'user' or 'assistant'", {}, id="roles that may be"),
        pytest.param("turns", "Invalid 'messages[2].content': string too long", {}, id="the length of a message"),
        pytest.param("reasoning", "Missing reasoning_content field in the assistant message at message index 1.", {}, id="reasoning that is missing"),
        pytest.param("reasoning", "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1", {}, id="reasoning that is wanted"),
        pytest.param("reasoning", "messages.1.content: Input should be a valid string", {}, id="a field of the format"),
        pytest.param("calls", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.", {}, id="a call without an answer"),
        pytest.param("calls", "Output data may contain inappropriate content.", {}, id="the content"),
        pytest.param("functions", "messages[1]: bad", {}, id="the messages, with functions"),
    ],
)  # fmt: skip
def test_other_complaints_refuse_nothing(body: str, said: str, more: dict[str, str]) -> None:
    assert read(body, said, **more) is None


@pytest.mark.parametrize("status", [401, 403, 429, 503])
@pytest.mark.parametrize(
    ("body", "said"),
    [("stop", "'stop' is not supported"), ("system", "System role not supported"), ("stream", "不支持流式")],
)
def test_a_refused_key_a_limit_and_a_service_out_of_order_are_no_refusals(
    body: str, said: str, status: int
) -> None:
    assert read(body, said, status) is None


@pytest.mark.parametrize(
    "piece", ["stop ", "'stop' ", "system message ", "stream ", "不支持", "messages[0].role ", "temperature "]
)
def test_a_long_complaint_is_read(piece: str) -> None:
    read("stop", piece * 50_000)
    read("turns", piece * 50_000)
    read("calls", piece * 50_000)
