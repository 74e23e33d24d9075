"""The conversation as it leaves: every call answered once and directly behind it, and said as the service takes it."""

from collections.abc import Sequence
from typing import Any

import pytest

from script_editor.llm.capabilities import Feature
from script_editor.llm.chat import Message, Role, ToolCall, ToolSpec
from script_editor.llm.history import NOT_ANSWERED
from script_editor.llm.wire import wire_messages
from tests.llm.conftest import Connect
from tests.support.openai_server import Behaviour, completion, deltas, status, stream

TASK = Message(role="user", content="改短一些")
LEGACY = ToolSpec("history", "List versions.", {"type": "object", "properties": {}}, is_legacy=True)


def calling(*calls: tuple[str, str, str]) -> Message:
    """An assistant message with calls of (id, name, arguments)."""
    return Message(role="assistant", tool_calls=tuple(ToolCall(*call) for call in calls))


def answer(call_id: str, content: str = "两个版本") -> Message:
    return Message(role="tool", tool_call_id=call_id, name="history", content=content)


def said(role: Role, content: str) -> Message:
    return Message(role=role, content=content)


def pairs(messages: Sequence[Message]) -> list[tuple[str, str]]:
    """Each message that leaves, as (role, what identifies it)."""

    def mark(message: dict[str, Any]) -> str:
        calls = message.get("tool_calls")
        if calls:
            return " ".join(call["id"] for call in calls)
        return (
            f"{message['tool_call_id']}={message['content']}"
            if message["role"] == "tool"
            else message["content"]
        )

    return [(message["role"], mark(message)) for message in wire_messages(messages)]  # fmt: skip


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param(
            [TASK, calling(("a", "history", "{}")), said("user", "快点")],
            [("user", "改短一些"), ("assistant", "a"), ("tool", f"a={NOT_ANSWERED}"), ("user", "快点")],
            id="a call that nobody answered",
        ),
        pytest.param(
            [calling(("a", "history", "{}"), ("b", "diff", "{}")), answer("b", "二")],
            [("assistant", "a b"), ("tool", f"a={NOT_ANSWERED}"), ("tool", "b=二")],
            id="one of two was answered",
        ),
        pytest.param(
            [calling(("a", "history", "{}"), ("b", "diff", "{}")), answer("b", "二"), answer("a", "一")],
            [("assistant", "a b"), ("tool", "a=一"), ("tool", "b=二")],
            id="answers in another order",
        ),
        pytest.param(
            [calling(("a", "history", "{}")), answer("a", "一"), answer("a", "又一")],
            [("assistant", "a"), ("tool", "a=一")],
            id="answered twice",
        ),
        pytest.param(
            [calling(("a", "history", "{}")), said("user", "快点"), answer("a", "一")],
            [("assistant", "a"), ("tool", "a=一"), ("user", "快点")],
            id="an answer that comes late",
        ),
        pytest.param(
            [answer("a"), TASK, answer("b")], [("user", "改短一些")], id="answers to calls that were trimmed away"
        ),
        pytest.param(
            [calling(("a", "history", "{}")), answer("a", "一"), calling(("a", "diff", "{}")), answer("a", "二")],
            [("assistant", "a"), ("tool", "a=一"), ("assistant", "a_1"), ("tool", "a_1=二")],
            id="an id that is used again",
        ),
        pytest.param(
            [calling(("", "history", "{}"), ("", "diff", "{}")), answer("", "一"), answer("", "二")],
            [("assistant", "call_1 call_2"), ("tool", "call_1=一"), ("tool", "call_2=二")],
            id="empty ids",
        ),
    ],
)  # fmt: skip
def test_every_call_is_answered_once_and_directly_behind_it(
    messages: list[Message], expected: list[tuple[str, str]]
) -> None:
    assert pairs(messages) == expected


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ("", "{}"),
        ("null", "{}"),
        ("[1]", '{"input": [1]}'),
        ('"视频"', '{"input": "视频"}'),
        ('{"a": ', '{"input": "{\\"a\\": "}'),
        ("[" * 100_000, None),
    ],
)
def test_arguments_leave_as_the_text_of_an_object(written: str, sent: str | None) -> None:
    (function,) = [
        call["function"]
        for message in wire_messages([calling(("a", "history", written))])
        for call in message.get("tool_calls", ())
    ]

    assert function["arguments"] == sent or (
        sent is None and function["arguments"].startswith('{"input": "[[')
    )


def test_a_message_of_the_service_is_mended_as_well() -> None:
    raw = {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "audio": None,
        "function_call": None,
        "reasoning_content": "嗯",
        "tool_calls": [
            {"id": None, "type": None, "function": {"name": "functions.history", "arguments": {"v": 1}}},
            "nonsense",
        ],
    }

    assert wire_messages([Message(role="assistant", raw=raw)])[0] == {
        "role": "assistant",
        "content": "",
        "reasoning_content": "嗯",
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "functions_history", "arguments": '{"v": 1}'}}
        ],
    }  # fmt: skip


def test_an_empty_list_of_calls_is_not_sent() -> None:
    raw = {"role": "assistant", "content": "好", "tool_calls": []}

    assert wire_messages([Message(role="assistant", raw=raw)]) == [{"role": "assistant", "content": "好"}]


# --- the older form --------------------------------------------------------------------------


def test_tools_of_the_older_form_are_sent_as_functions(connect: Connect) -> None:
    link = connect([completion("好")])

    link.ask(tools=[LEGACY])

    sent = link.server.requests[0].body
    assert sent["functions"] == [
        {"name": "history", "description": "List versions.", "parameters": LEGACY.parameters}
    ]
    assert "tools" not in sent and "tool_choice" not in sent


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_a_function_call_is_replayed_as_it_came_and_answered_by_name(
    connect: Connect, streamed: bool
) -> None:
    call = {"name": "history", "arguments": '{"script_id": "第一集"}'}
    parts = [{"function_call": {"name": "history", "arguments": ""}}] + [
        {"function_call": {"arguments": piece}} for piece in ('{"script_id": "第', '一集"}')
    ]
    asked = (
        stream(deltas(*parts, finish_reason="function_call"))
        if streamed
        else completion(None, message={"function_call": call}, finish_reason="function_call")
    )
    link = connect([asked, completion("好")])
    first = link.stream(tools=[LEGACY]) if streamed else link.ask(tools=[LEGACY])

    link.model.complete(
        [TASK, Message(role="assistant", raw=first.message), Message(role="function", name="history", content="二")],
        tools=[LEGACY],
    )  # fmt: skip

    assert first.finish_reason == "function_call"
    assert [(c.name, c.arguments) for c in first.tool_calls] == [("history", call["arguments"])]
    assert link.server.requests[1].body["messages"] == [
        {"role": "user", "content": "改短一些"},
        {"role": "assistant", "content": "", "function_call": call},
        {"role": "function", "name": "history", "content": "二"},
    ]


def test_a_function_call_without_an_answer_gets_one_and_an_answer_without_a_call_is_left_out() -> None:
    asking = Message(
        role="assistant", raw={"content": "", "function_call": {"name": "a.b", "arguments": None}}
    )

    sent = wire_messages([Message(role="function", name="x", content="?"), asking, TASK])

    assert sent == [
        {"role": "assistant", "content": "", "function_call": {"name": "a_b", "arguments": "{}"}},
        {"role": "function", "name": "a_b", "content": NOT_ANSWERED},
        {"role": "user", "content": "改短一些"},
    ]


# --- what a service does not take ------------------------------------------------------------

SYSTEM = Message(role="system", content="You edit scripts.")
TWICE = (SYSTEM, TASK, said("user", "快点"))
CALLS = (
    SYSTEM,
    TASK,
    calling(("a", "history", "{}"), ("b", "diff", "{}")),
    answer("a", "一"),
    answer("b", "二"),
)
REPLAYED = (
    TASK,
    Message(
        role="assistant",
        raw={
            "content": [{"type": "thinking", "thinking": "嗯"}, {"type": "text", "text": "看看"}],
            "reasoning_content": "嗯",
            "tool_calls": [
                {"id": "a", "index": 0, "function": {"name": "history", "arguments": "{}", "signature": "x"}}
            ],
        },
    ),
    answer("a", "一"),
)  # fmt: skip


def wire_call(call_id: str, name: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}


@pytest.mark.parametrize("in_error_of_200", [False, True], ids=["400", "an error in a 200"])
@pytest.mark.parametrize(
    ("complaint", "feature", "messages", "expected"),
    [
        pytest.param(
            "System role not supported",
            "system",
            (SYSTEM, TASK),
            [{"role": "user", "content": "You edit scripts.\n\n改短一些"}],
            id="a system message opens the first of the user",
        ),
        pytest.param(
            "System role not supported",
            "system",
            (SYSTEM, said("assistant", "好")),
            [{"role": "user", "content": "You edit scripts."}, {"role": "assistant", "content": "好"}],
            id="a system message where the user has said nothing",
        ),
        pytest.param(
            "roles must alternate user/assistant",
            "repeated_roles",
            TWICE,
            [{"role": "system", "content": "You edit scripts."}, {"role": "user", "content": "改短一些\n\n快点"}],
            id="two messages of the user become one",
        ),
        pytest.param(
            "This model only supports single tool-calls at once!",
            "parallel_calls",
            CALLS,
            [
                {"role": "system", "content": "You edit scripts."},
                {"role": "user", "content": "改短一些"},
                {"role": "assistant", "content": "", "tool_calls": [wire_call("a", "history")]},
                {"role": "tool", "tool_call_id": "a", "content": "一"},
                {"role": "assistant", "content": "", "tool_calls": [wire_call("b", "diff")]},
                {"role": "tool", "tool_call_id": "b", "content": "二"},
            ],
            id="calls of one message are sent one by one",
        ),
        pytest.param(
            "messages.1.reasoning_content: Extra inputs are not permitted",
            "message_fields",
            REPLAYED,
            [
                {"role": "user", "content": "改短一些"},
                {"role": "assistant", "content": "看看", "tool_calls": [wire_call("a", "history")]},
                {"role": "tool", "tool_call_id": "a", "content": "一"},
            ],
            id="fields of the service's own are left out",
        ),
    ],
)  # fmt: skip
def test_a_conversation_is_said_in_the_way_that_the_service_takes_and_remembered(
    connect: Connect,
    complaint: str,
    feature: Feature,
    messages: tuple[Message, ...],
    expected: list[dict[str, Any]],
    in_error_of_200: bool,
) -> None:
    link = connect([refused(complaint, in_error_of_200), completion("好"), completion("好")])

    link.model.complete(messages)
    link.model.complete(messages)

    first, *others = [request.body["messages"] for request in link.server.requests]
    assert first != expected and others == [expected, expected]
    assert feature not in link.model.features
    assert link.waits == []


def refused(complaint: str, in_error_of_200: bool) -> Behaviour:
    return status(200 if in_error_of_200 else 400, complaint)


@pytest.mark.parametrize(
    ("complaints", "settings", "asked", "left"),
    [
        pytest.param(
            ["Unsupported parameter: 'stop' is not supported with this model."],
            {},
            {"stop": ["\nObservation:"]},
            {},
            id="stop",
        ),
        pytest.param(
            ["'temperature' does not support 0.2 with this model. Only the default (1) value is supported."],
            {"temperature": 0.2},
            {},
            {},
            id="temperature",
        ),
        pytest.param(
            ["'stop' is not supported", "invalid temperature: only 1 is allowed for this model"],
            {"temperature": 0.2},
            {"stop": ["\nObservation:"]},
            {},
            id="one after the other",
        ),
        pytest.param(
            ["This model only support stream mode, please enable the stream parameter"],
            {},
            {},
            {"stream": True, "stream_options": {"include_usage": True}},
            id="a whole answer",
        ),
    ],
)
def test_what_is_refused_is_left_out_in_the_same_call(
    connect: Connect,
    complaints: list[str],
    settings: dict[str, Any],
    asked: dict[str, Any],
    left: dict[str, Any],
) -> None:
    link = connect(
        [*(status(400, said) for said in complaints), completion("好"), completion("好")], **settings
    )

    assert [link.ask(**asked).text, link.ask(**asked).text] == ["好", "好"]

    sent = [
        {name: value for name, value in request.body.items() if name not in ("model", "messages")}
        for request in link.server.requests
    ]
    assert sent[len(complaints) :] == [left, left]
    assert link.waits == []


def test_a_service_that_cannot_stream_is_asked_without_and_heard_all_the_same(connect: Connect) -> None:
    link = connect(
        [status(400, "Streaming is not supported for this model"), completion("好"), completion("的")]
    )

    assert [link.stream().text, link.stream().text] == ["好", "的"]

    assert ["stream" in request.body for request in link.server.requests] == [True, False, False]
    assert "stream_options" not in link.server.requests[1].body
    assert link.pieces == ["好", "的"]


def test_a_service_that_takes_neither_a_stream_nor_its_opposite_is_not_asked_for_ever(
    connect: Connect,
) -> None:
    def contrary(request: Any) -> Behaviour:
        is_stream = "stream" in request.body
        return status(
            400, "Streaming is not supported" if is_stream else "This model only supports streaming"
        )

    link = connect(contrary)

    with pytest.raises(Exception, match="only supports streaming"):
        link.stream()

    assert len(link.server.requests) == 2


def test_no_more_than_four_stops_are_sent(connect: Connect) -> None:
    link = connect([completion("好")])

    link.ask(stop=["1", "2", "3", "4", "5", "6"])

    assert link.server.requests[0].body["stop"] == ["1", "2", "3", "4"]
