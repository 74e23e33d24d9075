"""What is said when there is no answer: the class of the error and its one line."""

import logging
import os
import subprocess
import sys
import traceback
from typing import Any

import pytest

from script_editor.errors import (
    AccountEmpty,
    KeyRefused,
    MissingSetting,
    ModelFailure,
    ModelUnknown,
    ScriptEditorError,
    SetupError,
)
from script_editor.llm.openai_chat import OpenAIChat
from tests.llm.conftest import KEY, QUESTION, Connect, Connection
from tests.support.openai_server import (
    Behaviour,
    OpenAIServer,
    completion,
    deltas,
    drop,
    echo_key,
    json_body,
    status,
    stream,
    text_body,
)

NO_MODEL = {"code": "model_not_found"}


def failure_of(link: Connection, **arguments: Any) -> ScriptEditorError:
    """Return the error that a question ends with."""
    with pytest.raises(ScriptEditorError) as caught:
        link.ask(**arguments)
    return caught.value


@pytest.mark.parametrize(
    ("behaviour", "kind", "message"),
    [
        pytest.param(
            status(401, "Incorrect API key provided"),
            KeyRefused,
            "refused the API key (HTTP 401): Incorrect API key provided",
            id="401",
        ),
        pytest.param(
            status(403, "Country not supported"),
            KeyRefused,
            "refused the API key (HTTP 403): Country not supported",
            id="403",
        ),
        pytest.param(
            status(404, "The model `qwen-plus` does not exist"),
            ModelUnknown,
            "does not know the model 'qwen-plus' (HTTP 404): The model `qwen-plus` does not exist",
            id="404",
        ),
        pytest.param(
            text_body("404 page not found\n", content_type="text/plain", code=404),
            ModelUnknown,
            "does not know the model 'qwen-plus' (HTTP 404): 404 page not found",
            id="404 of another kind of server",
        ),
        pytest.param(
            status(400, "Model Not Exist"),
            ModelUnknown,
            "does not know the model 'qwen-plus' (HTTP 400): Model Not Exist",
            id="an unknown model, said with 400",
        ),
        pytest.param(
            status(403, "No access", error=NO_MODEL),
            ModelUnknown,
            "does not know the model 'qwen-plus' (HTTP 403): No access",
            id="an unknown model, said with 403",
        ),
        pytest.param(
            status(503, "没有可用渠道", error=NO_MODEL),
            ModelUnknown,
            "does not know the model 'qwen-plus' (HTTP 503): 没有可用渠道",
            id="an unknown model, said with 503",
        ),
        pytest.param(
            json_body({"error": {"message": "模型不存在，请检查模型代码。", "code": "1211"}}),
            ModelUnknown,
            "does not know the model 'qwen-plus' (HTTP 200): 模型不存在，请检查模型代码。",
            id="an unknown model, said with 200",
        ),
        pytest.param(
            status(400, "messages[0]: bad\nsecond line"),
            ModelFailure,
            "refused the request (HTTP 400): messages[0]: bad",
            id="400",
        ),
        pytest.param(
            json_body({"detail": [{"loc": ["body"]}]}, code=422),
            ModelFailure,
            'refused the request (HTTP 422): [{"loc": ["body"]}]',
            id="422 with a list of details",
        ),
        pytest.param(
            json_body({"error": "insufficient balance"}, code=402),
            AccountEmpty,
            "has no money or quota left for this account (HTTP 402): insufficient balance",
            id="an error that is only a text",
        ),
        pytest.param(text_body("", code=400), ModelFailure, "refused the request (HTTP 400).", id="400, no body"),
        pytest.param(
            status(429, "You exceeded your current quota", error={"code": "insufficient_quota"}),
            AccountEmpty,
            "has no money or quota left for this account (HTTP 429): You exceeded your current quota",
            id="429 that only money can mend",
        ),
        pytest.param(
            json_body({"error": {"message": "bad\nthings"}}),
            ModelFailure,
            "answered with an error (HTTP 200): bad",
            id="an error in a 200",
        ),
        pytest.param(
            json_body({"choices": [], "id": "x"}),
            ModelFailure,
            'sent JSON without choices instead of a chat completion: {"choices": [], "id": "x"}',
            id="no choices",
        ),
        pytest.param(
            json_body({"choices": None}),
            ModelFailure,
            'sent JSON without choices instead of a chat completion: {"choices": null}',
            id="null for choices",
        ),
        pytest.param(
            json_body({"choices": [{"text": "好"}]}),
            ModelFailure,
            'sent a choice without a message instead of a chat completion: {"choices": [{"text": "好"}]}',
            id="a choice without message",
        ),
        pytest.param(
            json_body(["好"]),
            ModelFailure,
            'sent a JSON list instead of a chat completion: ["好"]',
            id="a list",
        ),
        pytest.param(
            text_body("\n <!DOCTYPE html>\n<p>Login", content_type="text/html"),
            ModelFailure,
            "sent HTML instead of a chat completion: <!DOCTYPE html>",
            id="HTML",
        ),
        pytest.param(
            text_body('{"choices": [{"mess'),
            ModelFailure,
            'sent damaged JSON instead of a chat completion: {"choices": [{"mess',
            id="cut JSON",
        ),
        pytest.param(
            text_body(b'{"choices": [{"message": {"content": "\xc4\xe3"}}]}'),
            ModelFailure,
            'sent damaged JSON instead of a chat completion: {"choices": [{"message": {"content": "\ufffd\ufffd"}}]}',
            id="JSON in another encoding",
        ),
        pytest.param(
            text_body("upstream error", content_type="text/plain"),
            ModelFailure,
            "sent text that is not JSON instead of a chat completion: upstream error",
            id="plain text",
        ),
        pytest.param(text_body(""), ModelFailure, "sent nothing instead of a chat completion.", id="nothing"),
        pytest.param(
            json_body({}, code=307, headers={"Location": "https://u:p@else.example/v1?k=1"}),
            ModelUnknown,
            "sends the request to another address (HTTP 307): https://***@else.example/v1",
            id="a redirect",
        ),
    ],
)  # fmt: skip
def test_lasting_trouble_is_said_in_one_line_and_not_tried_again(
    connect: Connect, behaviour: Behaviour, kind: type[ScriptEditorError], message: str
) -> None:
    link = connect([behaviour])

    error = failure_of(link)

    assert (kind, f"{link.server.address} {message}") == (type(error), str(error))
    assert error.hint
    assert not getattr(error, "retryable", False)
    assert len(link.server.requests) == 1


@pytest.mark.parametrize(
    "said",
    [
        {"message": "This model's maximum context length is 8192 tokens.", "code": "context_length_exceeded"},
        {"message": "the request exceeds the available context size", "type": "exceed_context_size_error"},
        {"message": "Prompt is too long"},
    ],
)
def test_a_request_that_is_too_long_is_called_so(connect: Connect, said: dict[str, str]) -> None:
    link = connect([json_body({"error": said}, code=400)])

    error = failure_of(link)

    assert type(error) is ModelFailure
    assert str(error) == (
        f"The request is longer than 'qwen-plus' at {link.server.address} can read: {said['message']}"
    )
    assert "less text" in error.hint


def test_what_the_service_says_is_cut_and_made_printable(connect: Connect) -> None:
    link = connect([status(400, "\r\n\x1b[31m red\u202e\t" + "长" * 300)])

    said = str(failure_of(link)).partition("(HTTP 400): ")[2]

    assert said == "[31m red " + "长" * 190 + "…"


def test_a_closed_port_is_named(connect: Connect) -> None:
    with OpenAIServer([]) as gone:
        address = gone.address
    link = connect([], base_url=f"http://{address}/v1", max_retries=0)

    error = failure_of(link)

    assert isinstance(error, ModelFailure) and error.retryable
    assert str(error).startswith(f"Cannot reach {address}: ")
    assert "OPENAI_BASE_URL" in error.hint


@pytest.mark.parametrize("after", ["nothing", "headers", "half a body"])
def test_a_dropped_connection_may_be_tried_again(connect: Connect, after: Any) -> None:
    link = connect([drop(after)], max_retries=0)

    error = failure_of(link)

    assert isinstance(error, ModelFailure) and error.retryable
    assert str(error).startswith(f"{link.server.address} broke off before the answer was complete: ")


@pytest.mark.parametrize(
    ("behaviour", "message", "retryable"),
    [
        pytest.param(
            stream(deltas("好", finish_reason=None), done=False, end="unframed"),
            "broke off before the answer was complete: the stream has no end",
            True,
            id="closed, and HTTP does not say whether too early",
        ),
        pytest.param(
            stream([{"choices": []}], usage=None),
            "sent a stream without choices instead of a chat completion: [DONE]",
            False,
            id="no choices",
        ),
        pytest.param(
            stream([b"data: {oops\n\n"]),
            "sent damaged JSON instead of a chat completion: {oops",
            False,
            id="an event that is not JSON",
        ),
        pytest.param(
            stream([b"data: [1]\n\n"]),
            "sent a JSON list as part of a stream instead of a chat completion: [1]",
            False,
            id="an event that is a list",
        ),
        pytest.param(
            text_body("<html>", content_type="text/html"),
            "sent HTML instead of a chat completion: <html>",
            False,
            id="HTML",
        ),
        pytest.param(
            stream([b'data: {"error": {"message": "overloaded", "code": 503}}\n\n'], done=False),
            "answered with an error (HTTP 503): overloaded",
            True,
            id="an error with a passing status",
        ),
        pytest.param(
            stream([b'data: {"error": {"message": "No tools here"}}\n\n'], done=False),
            "answered with an error (HTTP 200): No tools here",
            False,
            id="an error without one",
        ),
    ],
)
def test_a_stream_that_is_no_answer(
    connect: Connect, behaviour: Behaviour, message: str, retryable: bool
) -> None:
    link = connect([behaviour], max_retries=0)

    with pytest.raises(ModelFailure) as caught:
        link.stream()

    assert (f"{link.server.address} {message}", retryable) == (str(caught.value), caught.value.retryable)


def test_an_error_after_the_finish_reason_is_still_an_error(connect: Connect) -> None:
    link = connect([stream([*deltas("好"), b'data: {"error": {"message": "filtered"}}\n\n'])])

    with pytest.raises(ModelFailure, match="filtered"):
        link.stream()


# --- settings --------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", "  ", "sk-a b", "sk-密钥", "sk-a\nX-Other: b"])
def test_a_key_that_cannot_be_sent_is_refused_at_once(key: str) -> None:
    with pytest.raises(MissingSetting) as caught:
        OpenAIChat("qwen-plus", api_key=key)

    assert "sk-" not in str(caught.value)


def test_the_line_end_of_a_pasted_key_is_dropped(connect: Connect) -> None:
    link = connect([completion("好")], api_key=f" {KEY}\n")

    link.ask()

    assert link.server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "address", ["localhost:8080", "ftp://h/v1", "http://", "http://h:port/v1", "http://[::1/v1"]
)
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(MissingSetting, match="http or https"):
        OpenAIChat("qwen-plus", api_key=KEY, base_url=address)


def test_proxy_settings_that_cannot_be_used_are_a_setup_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks://wang:hidden@127.0.0.1:9")

    model = OpenAIChat("m", api_key=KEY, base_url="http://model.invalid/v1")

    with pytest.raises(SetupError, match="proxy or certificate settings") as caught:
        model.complete(QUESTION)

    assert "hidden" not in str(caught.value)


def test_without_an_address_it_is_openais_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/elsewhere")

    assert repr(OpenAIChat("gpt-4.1", api_key=KEY)) == "OpenAIChat('gpt-4.1', 'api.openai.com')"


# --- secrets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [400, 401, 403, 404, 422, 429, 500])
def test_a_key_that_the_service_sends_back_is_masked_everywhere(
    connect: Connect, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    caplog.set_level(logging.DEBUG)
    link = connect([echo_key(code)], max_retries=0)

    error = failure_of(link)

    assert "denied: Bearer ***" in str(error)
    shown = [*traceback.format_exception(error), error.hint, repr(error), repr(vars(error)), repr(link.model)]
    assert KEY not in "".join([*shown, caplog.text])


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(text_body(f"<p>{KEY}</p>", content_type="text/html"), id="in HTML"),
        pytest.param(text_body(f'{{"key": "{KEY}", '), id="in cut JSON"),
        pytest.param(json_body({"choices": [], "key": KEY}), id="in JSON without choices"),
        pytest.param(json_body({"error": {"message": f"{'x' * 190}{KEY}"}}), id="where the line is cut"),
        pytest.param(json_body({}, code=302, headers={"Location": f"/login/{KEY}"}), id="in a redirect"),
        pytest.param(stream([f"data: {{{KEY}\n\n".encode()]), id="in a stream"),
    ],
)
def test_a_key_in_any_other_answer_is_masked(connect: Connect, behaviour: Behaviour) -> None:
    link = connect([behaviour], max_retries=0)

    with pytest.raises(ScriptEditorError) as caught:
        link.stream()

    assert KEY[:8] not in "".join(traceback.format_exception(caught.value))


def test_a_short_key_is_masked_without_eating_words(connect: Connect) -> None:
    link = connect([status(400, "none: nonetheless refused, key=none")], api_key="none")

    assert str(failure_of(link)).endswith(": ***: nonetheless refused, key=***")


def test_a_password_in_the_address_is_never_shown(connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    probe = connect([status(400, "no entry for wang with geheim123, Basic d2FuZzpnZWhlaW0xMjM=")])
    link = connect([], base_url=probe.server.base_url.replace("//", "//wang:geheim123@"))

    error = failure_of(link)

    assert (
        str(error)
        == f"{probe.server.address} refused the request (HTTP 400): no entry for wang with ***, Basic ***"
    )
    assert "geheim123" not in caplog.text + repr(link.model)


def test_the_log_switch_of_the_openai_library_shows_no_key() -> None:
    """OPENAI_LOG takes effect at import, so it takes a process of its own."""
    program = (
        "import sys; from script_editor.llm.openai_chat import OpenAIChat\n"
        "from script_editor.llm.chat import Message\n"
        "with OpenAIChat('m', api_key=sys.argv[1], base_url=sys.argv[2], max_retries=0) as model:\n"
        "    model.complete([Message(role='user', content='hi')])\n"
    )
    with OpenAIServer([echo_key(500)]) as server:
        ended = subprocess.run(
            [sys.executable, "-c", program, KEY, server.base_url],
            env={**os.environ, "OPENAI_LOG": "debug", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    assert "openai" in ended.stderr and "ModelFailure" in ended.stderr
    assert KEY not in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("behaviour", "retry_after", "may_cost"),
    [
        pytest.param(status(429, "slow", headers={"Retry-After": "2"}), 2.0, False, id="a limit with a time"),
        pytest.param(status(429, "slow"), None, False, id="a limit without one"),
        pytest.param(status(503, "busy", headers={"Retry-After": "5"}), 5.0, False, id="busy"),
        pytest.param(drop("half a body"), None, True, id="broken off"),
        pytest.param(text_body("<html>"), None, True, id="no answer"),
    ],
)
def test_a_failure_says_when_to_come_back_and_whether_it_may_cost(
    connect: Connect, behaviour: Behaviour, retry_after: float | None, may_cost: bool
) -> None:
    """For whoever retries on its own, and counts what was spent."""
    failure = failure_of(connect([behaviour], max_retries=0))

    assert isinstance(failure, ModelFailure)
    assert (failure.retry_after, failure.may_cost) == (retry_after, may_cost)
