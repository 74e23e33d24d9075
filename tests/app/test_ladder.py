"""On which rung a model is asked, with a real server where the service decides, and what it is told there."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from script_editor.app.ladder import Answer, Form, Ladder, written
from script_editor.app.operations_schema import EDIT_TOOL, OPERATIONS
from script_editor.domain.operations import Delete, InsertAfter, InsertBefore, Move, Replace, Substitute
from script_editor.domain.replies import parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.errors import ModelFailure, ScriptEditorError
from script_editor.llm.capabilities import Capabilities
from script_editor.llm.chat import Message, Reply, ToolCall
from script_editor.llm.failures import FeatureRefused
from script_editor.llm.metered import Metered
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.llm.scripted import ScriptedModel
from tests.support.openai_server import (
    Behaviour,
    OpenAIServer,
    ReceivedRequest,
    as_asked,
    completion,
    features_in,
    json_body,
    refusing,
    status,
)

KEY = "sk-test-0123456789abcdef"
OPS = '{"ops":[{"op":"replace","id":"S1","text":"嗨，大家好。"}],"need":null}'
CALL = ToolCall("c1", "edit", OPS)
NO_SCHEMA = status(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported.")
NO_JSON = status(400, "Json mode is not supported for this model.")
NO_TOOLS = status(404, "No endpoints found that support tool use.")
NO_CHOICE = status(400, "tool_choice 参数不支持指定函数")
SCHEMA, TOOL, JSON, PLAIN = {"json_schema"}, {"tools", "tool_choice"}, {"json_object"}, set[str]()
ALL = ("json_schema", "json_object", "tools", "tool_choice")


def teach(form: Form) -> list[Message]:
    """Return messages that say which form they teach."""
    return [Message(role="user", content=f"in {form}")]


Service = Callable[[ReceivedRequest], Behaviour]
Serve = Callable[..., tuple[OpenAIServer, Callable[..., OpenAIChat]]]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return a function from a service to its server and a maker of models for it."""
    with ExitStack() as stack:

        def start(service: Service | list[Behaviour]) -> tuple[OpenAIServer, Callable[..., OpenAIChat]]:
            server = stack.enter_context(OpenAIServer(service))

            def model(**settings: Any) -> OpenAIChat:
                fast: dict[str, Any] = {"sleep": lambda _: None, **settings}
                return stack.enter_context(
                    OpenAIChat("qwen-plus", api_key=KEY, base_url=server.base_url, **fast)
                )

            return server, model

        yield start


def rungs(server: OpenAIServer) -> list[tuple[set[str], str]]:
    """Return the features and the form taught of each request."""
    return [
        (features_in(request) - {"stream_options"}, request.body["messages"][0]["content"])
        for request in server.requests
    ]


# --- from rung to rung -----------------------------------------------------------------------


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("refusals", "asked"),
    [
        pytest.param({}, [SCHEMA], id="nothing refused"),
        pytest.param({"json_schema": NO_SCHEMA}, [SCHEMA, TOOL], id="no schema"),
        pytest.param(
            {"json_schema": NO_SCHEMA, "tools": NO_TOOLS}, [SCHEMA, TOOL, JSON], id="no tools either"
        ),
        pytest.param(
            {"json_schema": NO_SCHEMA, "tool_choice": NO_CHOICE}, [SCHEMA, TOOL, JSON], id="no choice of tool"
        ),
        pytest.param(
            {"json_schema": NO_SCHEMA, "tools": NO_TOOLS, "json_object": NO_JSON},
            [SCHEMA, TOOL, JSON, PLAIN],
            id="nothing taken",
        ),
        pytest.param(
            {"json_schema": json_body({"error": {"message": "该模型不支持结构化输出"}})},
            [SCHEMA, TOOL],
            id="refused in a 200",
        ),
    ],
)
def test_each_refusal_by_name_is_one_step_down_and_is_not_asked_again(
    serve: Serve, refusals: Mapping[str, Behaviour], asked: list[set[str]], streamed: bool
) -> None:
    server, model = serve(refusing(refusals, as_asked(OPS)))
    ladder, heard = Ladder(model()), list[str]()
    on_text = heard.append if streamed else None

    first, second = ladder.ask(teach, on_text=on_text), ladder.ask(teach, on_text=on_text)

    assert first.text == second.text == OPS
    forms = [(rung, "in json" if rung else "in text") for rung in asked]
    assert rungs(server) == [*forms, forms[-1]]
    assert "".join(heard) == (OPS * 2 if streamed else "")


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_the_arguments_of_the_forced_call_are_the_answer(serve: Serve, streamed: bool) -> None:
    called = as_asked("好的。", tool_calls=[CALL], finish_reason="tool_calls")
    _, model = serve(refusing({"json_schema": NO_SCHEMA}, called))

    reply, text = Ladder(model()).ask(teach, on_text=(lambda _: None) if streamed else None)

    assert (text, reply.finish_reason) == (OPS, "tool_calls")


def test_a_call_that_was_cut_stays_cut(serve: Serve) -> None:
    cut = ToolCall("c1", "edit", OPS[:30])
    _, model = serve([NO_SCHEMA, completion(tool_calls=[cut], finish_reason="length")])

    reply, text = Ladder(model()).ask(teach)

    assert (text, reply.finish_reason) == (OPS[:30], "length")


@pytest.mark.parametrize(
    "content",
    ["@@ replace S1\n嗨。\n@@ end", "好的，已修改。", f"```json\n{OPS}\n```", ""],
    ids=["the text form", "chatter", "fenced", "nothing"],
)
def test_a_service_that_ignores_the_form_is_read_by_shape(serve: Serve, content: str) -> None:
    """The first rung is kept: what the model wrote is no refusal of the service."""
    server, model = serve([completion(content)])

    assert Ladder(model()).ask(teach).text == content
    assert rungs(server) == [(SCHEMA, "in json")]


@pytest.mark.parametrize(
    "complaint",
    [
        status(400, "messages[0]: bad"),
        status(400, "Images are not supported"),
        json_body({"error": {"message": "bad things"}}),
        status(401, "response_format"),
    ],
    ids=["the messages", "pictures", "an error in a 200", "the key"],
)
def test_another_failure_ends_the_question_and_moves_nothing(serve: Serve, complaint: Behaviour) -> None:
    server, model = serve([complaint, completion(OPS)])
    ladder = Ladder(model())

    with pytest.raises(ScriptEditorError):
        ladder.ask(teach)

    assert ladder.ask(teach).text == OPS
    assert rungs(server) == [(SCHEMA, "in json")] * 2


def test_a_passing_failure_is_tried_again_on_its_rung(serve: Serve) -> None:
    server, model = serve([status(500, "Internal Server Error"), status(429), completion(OPS)])

    Ladder(model()).ask(teach)

    assert rungs(server) == [(SCHEMA, "in json")] * 3


def test_an_answer_out_of_shape_costs_one_step_this_time_only(serve: Serve) -> None:
    failed = {"message": "Failed to validate JSON.", "code": "json_validate_failed"}
    server, model = serve([json_body({"error": failed}, code=400), completion(OPS), completion(OPS)])
    ladder = Ladder(model())

    ladder.ask(teach)
    ladder.ask(teach)

    assert [rung for rung, _ in rungs(server)] == [SCHEMA, TOOL, SCHEMA]


def test_a_schema_that_may_not_be_strict_stays_on_its_rung(serve: Serve) -> None:
    server, model = serve([status(400, "json_schema.strict: unknown field"), completion(OPS)])

    Ladder(model()).ask(teach)

    assert [request.body["response_format"]["json_schema"].get("strict") for request in server.requests] == [
        True,
        None,
    ]


# --- memory ----------------------------------------------------------------------------------


def test_the_next_object_begins_where_the_last_one_ended(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "capabilities.json"
    server, model = serve(refusing({"json_schema": NO_SCHEMA, "tools": NO_TOOLS}, as_asked(OPS)))

    Ladder(model(capabilities=Capabilities(path))).ask(teach)
    Ladder(model(capabilities=Capabilities(path))).ask(teach)

    assert [rung for rung, _ in rungs(server)] == [SCHEMA, TOOL, JSON, JSON]
    assert KEY not in path.read_text(encoding="utf-8")


def test_the_next_process_begins_where_the_last_one_ended(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from script_editor.app.ladder import Ladder\n"
        "from script_editor.llm.capabilities import Capabilities\n"
        "from script_editor.llm.chat import Message\n"
        "from script_editor.llm.openai_chat import OpenAIChat\n"
        "memory = Capabilities(Path(sys.argv[3]))\n"
        "with OpenAIChat('m', api_key=sys.argv[1], base_url=sys.argv[2], capabilities=memory) as model:\n"
        "    Ladder(model).ask(lambda form: [Message(role='user', content=form)])\n"
    )
    with OpenAIServer(refusing({"json_schema": NO_SCHEMA}, as_asked(OPS))) as server:
        for _ in range(2):
            subprocess.run(
                [sys.executable, "-c", program, KEY, server.base_url, str(tmp_path / "c.json")],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                check=True,
                timeout=60,
            )

    assert [rung for rung, _ in rungs(server)] == [SCHEMA, TOOL, TOOL]


def test_after_a_week_the_best_rung_is_tried_again(serve: Serve, tmp_path: Path) -> None:
    path, noon = tmp_path / "c.json", datetime(2026, 11, 20, 12, tzinfo=UTC)
    server, model = serve([NO_SCHEMA, completion(OPS), completion(OPS), completion(OPS)])

    for days in (0, 6, 7):
        now = noon + timedelta(days=days)
        Ladder(model(capabilities=Capabilities(path, now=lambda now=now: now))).ask(teach)

    assert [rung for rung, _ in rungs(server)] == [SCHEMA, TOOL, TOOL, SCHEMA]


# --- models that are no services -------------------------------------------------------------


def test_a_model_without_features_is_asked_in_plain_text_at_once() -> None:
    with ScriptedModel(["@@ end"]) as model:
        answer = Ladder(model).ask(teach)

    assert answer == Answer(Reply(text="@@ end"), "@@ end")
    assert [(call.messages[0].content, call.tools, call.response_format) for call in model.calls] == [
        ("in text", (), None)
    ]


def test_the_form_of_plain_text_is_the_callers_choice() -> None:
    with ScriptedModel([OPS, "全文"]) as model:
        ladder = Ladder(model, plain_form="json")
        ladder.ask(teach)
        ladder.plain([Message(role="user", content="in any form")])

    assert [call.messages[0].content for call in model.calls] == ["in json", "in any form"]


def test_plain_text_is_asked_for_without_a_form_whatever_the_model_can() -> None:
    with ScriptedModel(["全文"], features=ALL) as model:
        assert Ladder(model).plain(teach("text")).text == "全文"

    assert (model.calls[0].tools, model.calls[0].response_format) == ((), None)


def test_a_meter_in_between_hides_no_feature_and_counts_every_call() -> None:
    refusal = FeatureRefused("no schema", feature="json_schema")
    with ScriptedModel([refusal, ScriptedModel.call("edit", ops=[])], features=ALL) as model:
        meter = Metered(model)
        answer = Ladder(meter).ask(teach)

    assert answer.text == '{"ops": []}'
    assert [bool(call.response_format) for call in model.calls] == [True, False]
    assert model.calls[1].tools == (EDIT_TOOL,)
    assert meter.calls == 2


def test_a_refusal_of_what_was_not_asked_for_is_the_callers() -> None:
    with (
        ScriptedModel([FeatureRefused("no tools", feature="tools")], features=ALL) as model,
        pytest.raises(ModelFailure, match="no tools"),
    ):
        Ladder(model).ask(teach)


# --- several calls ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (['{"ops":[{"op":"delete","id":"S1"}]}', '{"ops":[{"op":"delete","id":"S3"}],"need":null}'],
         '{"ops": [{"op": "delete", "id": "S1"}, {"op": "delete", "id": "S3"}]}'),
        (['{"ops":[]}', '{"ops":["第一'], '{"ops":[]}\n{"ops":["第一'),
        (['{"ops":[]}', '{"ops":[],"need":"more"}'], '{"ops":[]}\n{"ops":[],"need":"more"}'),
        (['{"ops":[]}', '{"ops":[],"ops":[]}'], '{"ops":[]}\n{"ops":[],"ops":[]}'),
        (['{"ops":[]}', "[" * 100_000], '{"ops":[]}\n' + "[" * 100_000),
    ],
    ids=["operations in both", "one is cut", "one asks for more", "one says a thing twice", "one is nested"],
)  # fmt: skip
def test_several_calls_are_one_answer_or_none(arguments: list[str], text: str) -> None:
    calls = tuple(ToolCall(str(number), "edit", each) for number, each in enumerate(arguments))

    assert written(Reply(text="好", tool_calls=calls)) == text


# --- what is taught --------------------------------------------------------------------------

SCRIPT = NumberedScript("video_001", 1, "一\n二\n三\n四\n五\n")
TAUGHT = {Replace, InsertAfter, InsertBefore, Delete, Move, Substitute}


def prompt(name: str) -> str:
    """Return the text of a prompt file."""
    return (files("script_editor.app") / "prompts" / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "limit"), [("zh", 650), ("en", 1600)])
@pytest.mark.parametrize("form", ["text", "json"])
def test_the_prompt_is_short_and_says_what_matters(language: str, limit: int, form: str) -> None:
    whole = f"{prompt(f'rewrite.{language}')}\n{prompt(f'form_{form}.{language}')}"

    assert len(whole) <= limit
    assert [
        word
        for word in ("[locked]", "`~`" if language == "zh" else "~", "S5:k7", "Markdown")
        if word not in whole
    ] == []
    assert ('"need":"more"' if form == "json" else "@@ need more") in whole
    assert ("JSON" if form == "json" else r"\@@") in whole  # services refuse JSON mode without the word


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_text_form_that_is_taught_is_the_one_that_is_read(language: str) -> None:
    lesson = prompt(f"form_text.{language}")
    example = lesson[lesson.index("@@ replace") : lesson.index("@@ end\n") + len("@@ end")]

    assert {type(operation) for operation in parse_plan(example, SCRIPT).operations} == TAUGHT


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_json_form_that_is_taught_is_the_one_that_is_read(language: str) -> None:
    examples = re.findall(r'^\{"op":.*?\}', prompt(f"form_json.{language}"), re.MULTILINE)
    plan = parse_plan('{"ops":[' + ",".join(examples) + "]}", SCRIPT)

    assert {type(operation) for operation in plan.operations} == TAUGHT - {InsertBefore}
    assert "insert_before" in prompt(f"form_json.{language}")


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a JSON schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def test_the_schema_keeps_the_rules_of_strict_services() -> None:
    assert OPERATIONS["type"] == "object"
    for each in objects(OPERATIONS):
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


def test_whatever_the_schema_allows_is_read() -> None:
    """A value for each property; null where that is allowed, but for one place to move to."""
    kinds = OPERATIONS["properties"]["ops"]["items"]["anyOf"]
    ops = [
        {
            name: op if name == "op" else sample(name, property)
            for name, property in kind["properties"].items()
        }
        for kind in kinds
        for op in kind["properties"]["op"]["enum"]
    ]

    plan = parse_plan(json.dumps({"ops": ops, "need": None}), SCRIPT)

    assert {type(operation) for operation in plan.operations} == TAUGHT
    assert len(plan.operations) == len(TAUGHT)


def sample(name: str, property: dict[str, Any]) -> object:
    """Return a value that a property of an operation may have."""
    if property["type"] == "boolean":
        return False
    return None if "null" in property["type"] and name != "before" else "S1"
