"""What comes back: every shape an answer may have, whole and streamed."""

from typing import Any

import pytest

from script_editor.llm.chat import Reply, ToolCall, Usage
from tests.llm.conftest import KEY, Connect
from tests.support.openai_server import completion, deltas, json_body, stream, text_body

READ = ToolCall("c1", "get_script", '{"script_id": "第一集"}')


def call_part(index: int | None, call_id: str | None, name: str, arguments: object) -> dict[str, Any]:
    """Return a delta with one part of a tool call."""
    part: dict[str, Any] = {"function": {"name": name, "arguments": arguments}}
    return {
        "tool_calls": [
            part
            | ({"index": index} if index is not None else {})
            | ({"id": call_id} if call_id is not None else {})
        ]
    }


# --- whole -----------------------------------------------------------------------------------


def test_a_plain_answer_in_chinese(connect: Connect) -> None:
    link = connect([completion("大家好，我是小王😀", usage=(12, 8))])

    reply = link.ask()

    assert reply == Reply(
        text="大家好，我是小王😀",
        usage=Usage(12, 8),
        model="qwen-plus",
        message={"role": "assistant", "content": "大家好，我是小王😀"},
    )


def test_tool_calls_are_kept_as_they_came(connect: Connect) -> None:
    """Missing and repeated ids are the agent's business; here they must only survive."""
    again = ToolCall("c1", "history", "{}")
    nameless = ToolCall("", "history", "{not json")
    link = connect([completion(None, tool_calls=[READ, again, nameless], finish_reason="tool_calls")])

    reply = link.ask()

    assert ("", (READ, again, nameless), "tool_calls") == (reply.text, reply.tool_calls, reply.finish_reason)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param({"content": None}, ("", ()), id="null content"),
        pytest.param({"content": 5}, ("", ()), id="content that is no text at all"),
        pytest.param(
            {
                "content": [
                    {"type": "text", "text": "大家"},
                    {"type": "image"},
                    {"type": "text", "text": "好"},
                ]
            },
            ("大家好", ()),
            id="content in parts",
        ),
        pytest.param(
            {"function_call": {"name": "history", "arguments": "{}"}},
            ("", (ToolCall("", "history", "{}"),)),
            id="the old function_call",
        ),
        pytest.param(
            {"tool_calls": [{"function": {"name": "history", "arguments": {"script_id": "第一集"}}}]},
            ("", (ToolCall("", "history", '{"script_id": "第一集"}'),)),
            id="arguments as an object",
        ),
        pytest.param(
            {"tool_calls": [None, {"id": "c1"}]},
            ("", (ToolCall("c1", "", ""),)),
            id="a call without function",
        ),
        pytest.param({"content": "好", "tool_calls": None}, ("好", ()), id="null for tool calls"),
    ],
)
def test_odd_messages_are_read_for_what_they_mean(
    connect: Connect, message: dict[str, Any], expected: object
) -> None:
    link = connect([completion(message=message)])

    reply = link.ask()

    assert expected == (reply.text, reply.tool_calls)


@pytest.mark.parametrize("reason", ["stop", "length", "content_filter", "tool_calls", "function_call"])
def test_known_finish_reasons_are_passed_on(connect: Connect, reason: str) -> None:
    link = connect([completion("好", finish_reason=reason)])

    assert reason == link.ask().finish_reason


@pytest.mark.parametrize("reason", [None, "eos", ["stop"]])
def test_other_finish_reasons_are_unknown(connect: Connect, reason: Any) -> None:
    link = connect([completion("好", finish_reason=reason)])

    assert link.ask().finish_reason == "unknown"


def test_a_refusal_is_its_own_field(connect: Connect) -> None:
    link = connect([completion(None, message={"refusal": "I cannot do that."})])

    reply = link.ask()

    assert (reply.text, reply.refusal) == ("", "I cannot do that.")


@pytest.mark.parametrize(
    ("sent", "received"),
    [(-1_000_000, 0), (7, -3), (10**400, 3), (10**19, 3), (7, 10**12), (True, True), (7.5, 3), (0, 3)],
    ids=["negative", "a negative reply", "endless", "more than a column holds", "a reply longer than any", "truth values",
         "a fraction", "an answer to nothing"],
)  # fmt: skip
def test_usage_that_cannot_be_is_not_known_and_the_reply_is_kept(
    connect: Connect, sent: object, received: object
) -> None:
    """What is counted with it is money: a figure that nobody can have used must not lift a budget."""
    usage = {"prompt_tokens": sent, "completion_tokens": received}
    answer = {"choices": [{"message": {"content": "好"}}], "usage": usage}
    link = connect([json_body(answer)])

    reply = link.ask()

    assert ("好", Usage(known=False)) == (reply.text, reply.usage)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "7"}, {"total_tokens": 10}])
def test_usage_that_was_not_reported_is_not_known(connect: Connect, usage: object) -> None:
    answer = {"choices": [{"message": {"content": "好"}}], "usage": usage}
    link = connect([json_body(answer)])

    assert Usage(known=False) == link.ask().usage


def test_the_model_that_the_service_names_is_recorded(connect: Connect) -> None:
    answer = {"model": "qwen-plus-2025-09", "choices": [{"message": {"content": "好"}}]}
    link = connect([json_body(answer), json_body({**answer, "model": None})])

    assert [link.ask().model, link.ask().model] == ["qwen-plus-2025-09", "qwen-plus"]


# --- streamed --------------------------------------------------------------------------------


def test_a_stream_is_shown_as_it_comes_and_returned_whole(connect: Connect) -> None:
    link = connect(
        [stream(deltas({"role": "assistant", "content": ""}, "大家好，", "我是小王"), usage=(12, 8))]
    )

    reply = link.stream()

    assert link.pieces == ["大家好，", "我是小王"]
    assert reply == Reply(
        text="大家好，我是小王",
        usage=Usage(12, 8),
        model="qwen-plus",
        message={"role": "assistant", "content": "大家好，我是小王"},
    )


def test_a_stream_may_report_no_usage(connect: Connect) -> None:
    link = connect([stream(deltas("好"), usage=None)])

    assert Usage(known=False) == link.stream().usage


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [
                call_part(0, "c1", "get_script", ""),
                call_part(0, None, "", '{"script_id": '),
                call_part(0, "", "", '"第一集"}'),
                call_part(1, "c2", "history", "{}"),
            ],
            id="by index, the id only once",
        ),
        pytest.param(
            [
                call_part(0, "c1", "get_script", '{"script_id": '),
                call_part(1, "c2", "history", ""),
                call_part(0, "c1", "get_script", '"第一集"}'),
                call_part(1, "c2", "history", "{}"),
            ],
            id="in turns, with id and name repeated",
        ),
        pytest.param(
            [
                call_part(0, "c1", "get_script", '{"script_id": "第一集"}'),
                call_part(0, "c2", "history", "{}"),
            ],
            id="every call numbered 0",
        ),
        pytest.param(
            [
                call_part(None, "c1", "get_script", '{"script_id": '),
                call_part(None, None, "", '"第一集"}'),
                call_part(None, "c2", "history", {}),
            ],
            id="without index, arguments as an object",
        ),
    ],
)
def test_streamed_tool_calls_are_put_together(connect: Connect, parts: list[dict[str, Any]]) -> None:
    link = connect([stream(deltas(*parts, finish_reason="tool_calls"))])

    reply = link.stream()

    assert reply.tool_calls == (READ, ToolCall("c2", "history", "{}"))
    assert reply.finish_reason == "tool_calls"
    assert reply.message == {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.tool_calls
        ],
    }


def test_streamed_calls_with_neither_index_nor_id_begin_with_a_name(connect: Connect) -> None:
    parts = [
        call_part(None, None, "history", "{"),
        call_part(None, None, "", "}"),
        call_part(None, None, "diff", "{}"),
    ]
    link = connect([stream(deltas(*parts))])

    assert (ToolCall("", "history", "{}"), ToolCall("", "diff", "{}")) == link.stream().tool_calls


def test_a_streamed_function_call_of_the_old_kind(connect: Connect) -> None:
    parts = [
        {"function_call": {"name": "history", "arguments": "{"}},
        {"function_call": {"arguments": "}"}},
    ]
    link = connect([stream(deltas(*parts, finish_reason="function_call"))])

    assert (ToolCall("", "history", "{}"),) == link.stream().tool_calls


def test_fields_nobody_here_knows_are_kept_for_replay(connect: Connect) -> None:
    parts: list[str | dict[str, Any]] = [
        {"reasoning_content": "先想", "details": [1], "refusal": None},
        {"reasoning_content": "一想", "details": [2], "signature": "s"},
        "好",
    ]
    link = connect([stream(deltas(*parts))])

    reply = link.stream()

    assert reply.message == {
        "role": "assistant",
        "content": "好",
        "reasoning_content": "先想一想",
        "details": [1, 2],
        "signature": "s",
    }


def test_a_character_sent_in_two_halves_is_shown_whole(connect: Connect) -> None:
    halves = [
        b'data: {"choices": [{"delta": {"content": "\\u597d\\ud83d"}}]}\n\n',
        b'data: {"choices": [{"delta": {"content": "\\ude00"}, "finish_reason": "stop"}]}\n\n',
    ]
    link = connect([stream(halves)])

    reply = link.stream()

    assert (link.pieces, reply.text) == (["好", "😀"], "好😀")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param(
            b": waiting\r\n\r\nevent: x\r\nid: 1\r\ndata:%s\r\n\r\n", "好", id="CRLF, a comment, other fields"
        ),
        pytest.param(b"data: %s\r\r", "好", id="CR alone"),
        pytest.param(b"data: %s", "好", id="no blank line at the end"),
        pytest.param(
            b'data: {"choices": [{"delta": {"content": "a\xe2\x80\xa8b"}}]}\n\n', "a\u2028b", id="U+2028"
        ),
    ],
)
def test_events_are_read_however_their_lines_end(connect: Connect, raw: bytes, text: str) -> None:
    event = '{"choices": [{"delta": {"content": "好"}, "finish_reason": "stop"}]}'.encode()
    link = connect([stream([raw.replace(b"%s", event)], usage=None, done=False)])

    assert text == link.stream().text


def test_events_cut_at_every_byte_are_read(connect: Connect) -> None:
    """An event over several lines tells a CRLF that was cut in two from a blank line."""
    body = (
        'data: {"choices": [\r\n'
        'data: {"delta": {"content": "好"},\r\n'
        'data: "finish_reason": "stop"}]}\r\n\r\n'
        "data: [DONE]\r\n\r\n"
    )
    link = connect([stream([bytes([byte]) for byte in body.encode()], done=False)])

    assert link.stream().text == "好"


def test_a_server_that_streams_nothing_is_read_and_shown_all_the_same(connect: Connect) -> None:
    link = connect([completion("大家好")])

    reply = link.stream()

    assert (link.pieces, reply.text) == (["大家好"], "大家好")


def test_a_stream_under_a_wrong_content_type_is_read(connect: Connect) -> None:
    link = connect([stream(deltas("好"), content_type="application/json")])

    assert link.stream().text == "好"


def test_a_completion_under_the_content_type_of_a_stream_is_read(connect: Connect) -> None:
    body = '{\n "choices": [{"message": {"content": "好"}}]}'
    link = connect([text_body(body, content_type="text/event-stream")])

    assert link.stream().text == "好"


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        pytest.param({"done": False}, "stop", id="a finish reason but no [DONE]"),
        pytest.param({"done": False, "end": "unframed"}, "stop", id="a finish reason, then closed"),
        pytest.param({"done": False, "end": "drop"}, "stop", id="a finish reason, then dropped"),
    ],
)
def test_a_stream_is_complete_with_its_finish_reason(
    connect: Connect, ending: dict[str, Any], reason: str
) -> None:
    link = connect([stream(deltas("好"), **ending)])

    reply = link.stream()

    assert ("好", reason) == (reply.text, reply.finish_reason)


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param({"done": True}, id="[DONE]"),
        pytest.param({"done": False}, id="the end of a chunked body"),
        pytest.param({"done": True, "end": "unframed"}, id="[DONE], then closed"),
        pytest.param({"done": True, "end": "hang"}, id="[DONE], then held open"),
    ],
)
def test_a_complete_stream_without_finish_reason_is_unknown(connect: Connect, ending: dict[str, Any]) -> None:
    link = connect([stream(deltas("好", finish_reason=None), **ending)])

    reply = link.stream()

    assert (reply.text, reply.finish_reason) == ("好", "unknown")


def test_a_reply_that_repeats_the_key_comes_without_it(connect: Connect) -> None:
    link = connect([completion(f"Your key is {KEY}.")])

    assert link.ask().text == "Your key is ***."


@pytest.mark.parametrize("size", [1, 3, 7, 200], ids="{} characters a piece".format)
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"Your key is {KEY}, and sk is a prefix.", "Your key is ***, and sk is a prefix."),
        (f"{KEY}{KEY}", "******"),
        ("It begins with sk-test-0123", "It begins with sk-test-0123"),
        (f"sk-test-{KEY}好", "sk-test-***好"),
    ],
    ids=["inside", "twice", "only its beginning", "behind its own beginning"],
)
def test_a_streamed_key_is_masked_however_it_is_cut(
    connect: Connect, said: str, shown: str, size: int
) -> None:
    pieces = [said[start : start + size] for start in range(0, len(said), size)]
    link = connect([stream(deltas(*pieces))])

    reply = link.stream()

    assert ("".join(link.pieces), reply.text) == (shown, shown)


def test_a_placeholder_key_may_be_a_word_of_the_reply(connect: Connect) -> None:
    link = connect([completion("any text")], api_key="any")

    assert link.ask().text == "any text"
