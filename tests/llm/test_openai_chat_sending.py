"""What goes out: the request body and the headers."""

import pytest

from script_editor.llm.chat import Message, ToolCall, ToolSpec
from tests.llm.conftest import KEY, Connect
from tests.support.openai_server import completion, deltas, json_body, status, stream

HISTORY = ToolSpec(
    "history",
    "List the versions of a script.",
    {
        "type": "object",
        "properties": {"script_id": {"type": "string"}},
        "required": ["script_id"],
        "additionalProperties": False,
    },
)


def test_a_plain_question_is_sent_with_nothing_but_model_and_messages(connect: Connect) -> None:
    """Every further field is one that some compatible server refuses."""
    link = connect([completion("好")])

    link.ask()

    assert link.server.requests[0].path == "/v1/chat/completions"
    assert link.server.requests[0].body == {
        "model": "qwen-plus",
        "messages": [{"role": "user", "content": "改得更轻松幽默一些"}],
    }


def test_settings_and_tools_are_sent(connect: Connect) -> None:
    link = connect([completion("好")], max_output_tokens=500, temperature=0.2)

    link.ask(tools=[HISTORY], stop=["\nObservation:"], response_format={"type": "json_object"})

    sent = link.server.requests[0].body
    assert {name: sent[name] for name in sent if name not in ("model", "messages")} == {
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "history",
                    "description": "List the versions of a script.",
                    "parameters": HISTORY.parameters,
                    "strict": True,
                },
            }
        ],
        "stop": ["\nObservation:"],
        "response_format": {"type": "json_object"},
        "max_tokens": 500,
        "temperature": 0.2,
    }


def test_a_stream_is_asked_for_with_its_usage(connect: Connect) -> None:
    link = connect([stream(deltas("好"))])

    link.stream()

    sent = link.server.requests[0].body
    assert (sent["stream"], sent["stream_options"]) == (True, {"include_usage": True})


def test_system_messages_become_one_in_front(connect: Connect) -> None:
    link = connect([completion("好")])

    link.model.complete(
        [
            Message(role="system", content="You edit scripts."),
            Message(role="user", content="大家好"),
            Message(role="system", content="Answer in Chinese."),
        ]
    )

    assert link.server.requests[0].body["messages"] == [
        {"role": "system", "content": "You edit scripts.\n\nAnswer in Chinese."},
        {"role": "user", "content": "大家好"},
    ]


def test_tool_calls_and_their_results_are_sent_in_pairs(connect: Connect) -> None:
    link = connect([completion("好")])
    call = ToolCall("c1", "history", '{"script_id": "第一集"}')

    link.model.complete(
        [
            Message(role="assistant", tool_calls=(call,)),
            Message(role="tool", tool_call_id="c1", name="history", content="两个版本"),
        ]
    )

    assert link.server.requests[0].body["messages"] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "history", "arguments": '{"script_id": "第一集"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "两个版本"},
    ]


def test_a_message_of_the_service_goes_back_as_it_came_but_for_null_content(connect: Connect) -> None:
    """Some servers answer 500 to `content: null`; reasoning fields may be needed for the next turn."""
    calls = [{"id": "c1", "type": "function", "function": {"name": "history", "arguments": "{}"}}]
    sent_by_service = {"content": None, "reasoning_content": "嗯", "tool_calls": calls}
    link = connect([completion(message=sent_by_service), completion("好")])
    first = link.ask()

    link.model.complete(
        [
            Message(role="assistant", raw=first.message),
            Message(role="tool", tool_call_id="c1", content="两个版本"),
        ]
    )

    assert first.message is not None and first.message["content"] is None
    assert link.server.requests[1].body["messages"] == [
        {"role": "assistant", "content": "", "reasoning_content": "嗯", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c1", "content": "两个版本"},
    ]


def test_the_answer_to_an_old_function_call_has_the_role_function(connect: Connect) -> None:
    link = connect([completion("好")])
    raw = {"role": "assistant", "content": "", "function_call": {"name": "history", "arguments": "{}"}}

    link.model.complete(
        [
            Message(role="assistant", raw=raw),
            Message(role="tool", tool_call_id="", name="history", content="两个版本"),
        ]
    )

    assert link.server.requests[0].body["messages"] == [
        raw,
        {"role": "function", "name": "history", "content": "两个版本"},
    ]


def test_an_empty_function_call_beside_tool_calls_does_not_count(connect: Connect) -> None:
    """Some services send every field there is, null where it is not used."""
    calls = [{"id": "c1", "type": "function", "function": {"name": "history", "arguments": "{}"}}]
    link = connect([completion("好")])

    link.model.complete(
        [
            Message(role="assistant", raw={"content": "", "function_call": None, "tool_calls": calls}),
            Message(role="tool", tool_call_id="c1", name="history", content="两个版本"),
        ]
    )

    assert link.server.requests[0].body["messages"][1] == {
        "role": "tool",
        "tool_call_id": "c1",
        "content": "两个版本",
    }


def test_half_a_character_is_not_sent(connect: Connect) -> None:
    """A reply that was cut between the halves of an emoji comes back in the next request."""
    link = connect([completion("好")])

    link.model.complete([Message(role="assistant", content="好\ud83d")])

    assert link.server.requests[0].body["messages"] == [{"role": "assistant", "content": "好?"}]


@pytest.mark.parametrize(
    ("complaint", "code", "settings", "before", "after"),
    [
        pytest.param(
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            400,
            {"max_output_tokens": 9},
            {"max_tokens": 9},
            {"max_completion_tokens": 9},
            id="the newer name of max_tokens",
        ),
        pytest.param(
            "stream_options: Extra inputs are not permitted",
            400,
            {},
            {"stream": True, "stream_options": {"include_usage": True}},
            {"stream": True},
            id="a stream without usage",
        ),
        pytest.param(
            "body.stream_options.include_usage: extra_forbidden",
            422,
            {},
            {"stream": True, "stream_options": {"include_usage": True}},
            {"stream": True},
            id="a stream without usage, refused as unprocessable",
        ),
    ],
)
def test_what_a_service_refuses_by_name_is_changed_once_and_remembered(
    connect: Connect, complaint: str, code: int, settings: dict[str, int], before: object, after: object
) -> None:
    answer = completion("好") if settings else stream(deltas("好"))
    link = connect([status(code, complaint), answer, answer], **settings)
    ask = link.ask if settings else link.stream

    ask()
    ask()

    sent = [
        {name: value for name, value in request.body.items() if name not in ("model", "messages")}
        for request in link.server.requests
    ]
    assert sent == [before, after, after]
    assert link.waits == []


def test_a_service_that_knows_no_strict_tools_gets_them_without(connect: Connect) -> None:
    link = connect([json_body({"message": "unknown field: 'strict'"}, code=422), completion("好")])

    link.ask(tools=[HISTORY])

    assert ["strict" in r.body["tools"][0]["function"] for r in link.server.requests] == [True, False]


def test_the_environment_of_the_openai_library_is_ignored(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Key, address and headers belong together; the environment may hold those of another service."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/elsewhere")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ambient-key")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-ambient-admin")
    monkeypatch.setenv("OPENAI_ORG_ID", "ambient-org")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "ambient-project")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer sk-ambient\nX-Team: ambient")
    link = connect([completion("好")])

    link.ask()

    headers = link.server.requests[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert not [value for value in headers.values() if "ambient" in value]
    assert not [name for name in headers if name.startswith("openai-")]


def test_a_server_on_this_machine_is_reached_without_the_proxy(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy for the network is common where local models are; SOCKS would need a package besides."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    link = connect([completion("好")])

    assert link.ask().text == "好"


def test_credentials_in_the_address_are_sent_as_basic_authorisation(connect: Connect) -> None:
    probe = connect([completion("好")])
    address = probe.server.base_url.replace("http://", "http://wang:p%40ss@")
    link = connect([], base_url=address)

    link.ask()

    assert probe.server.requests[0].headers["authorization"] == "Basic d2FuZzpwQHNz"
