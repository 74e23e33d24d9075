"""An item that is run again asks the same, in the same order, and ends the same, wherever it was killed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from script_editor.agent.language import Language
from script_editor.batch.engine import Json
from script_editor.batch.items.durable_model import DurableModel
from script_editor.batch.items.loaded import Loaded
from script_editor.batch.items.recorded import read, written
from script_editor.domain.batches import DIRECT, Wishes
from script_editor.domain.locks import Lock
from script_editor.errors import (
    REASONS,
    BeyondOffline,
    BudgetReached,
    EditRefused,
    KeyRefused,
    MissingSetting,
    ModelFailure,
    ModelUnknown,
    ScriptEditorError,
    SetupError,
    StoreUnusable,
)
from script_editor.llm.capabilities import FEATURES, Feature
from script_editor.llm.chat import FinishReason, Message, Reply, ToolCall, Usage
from script_editor.llm.failures import FeatureRefused
from script_editor.offline.model import OfflineModel
from script_editor.offline.rewriter import OfflineRewriter
from script_editor.store.sql import SqlScriptStore, open_store
from tests.batch.item_world import (
    ALL_MODES,
    AT,
    BETTER,
    IDS,
    SCRIPTS,
    Scripted,
    World,
    answer,
    as_bytes,
    call,
    edit,
    good_replies,
    kills,
    preview,
    script_store,
    told,
)
from tests.batch.memory_engine import Kill, MemorySteps, Record

_ROOT = Path(__file__).parent.parent.parent
_SOAK = "SCRIPT_EDITOR_SOAK" in os.environ
HANG_SECONDS = 120
LANGUAGES: tuple[Language, ...] = ("zh", "en")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[SqlScriptStore]:
    """A store with a script in each language; no item writes to it."""
    path = tmp_path_factory.mktemp("scripts") / "store.db"
    path.write_bytes(sqlite_template.read_bytes())
    with open_store(str(path), create=False) as opened:
        yield script_store(opened)


def hard_replies(mode: str, language: Language) -> list[Scripted]:
    """Return what a service says that makes every kind of trouble, and does it in the end."""
    refused = FeatureRefused("no schema (HTTP 400)", feature="json_schema", hint="h")
    chatter = Reply(text="I cannot help with that.", usage=Usage(known=False))
    cut_off = Reply(text=f"@@ replace S2\n{BETTER[language][:5]}", finish_reason="length")
    off_target = edit(SCRIPTS[language].splitlines()[0] + "!", number=9)
    if mode == DIRECT:
        return [refused, cut_off, off_target, edit(BETTER[language])]
    refused_mode: dict[str, list[Scripted]] = {
        "tools": [FeatureRefused("no tools", feature="tools")],
        "functions": [
            FeatureRefused("no functions", feature="functions"),
            FeatureRefused("no tools", feature="tools"),
        ],
    }
    form = "react" if mode in refused_mode else mode
    wanted = preview(form, language)
    return [
        *refused_mode.get(mode, []),
        Reply(text=f"{wanted.text[:-30]} \ud83d", finish_reason="length", usage=Usage(9, 9)),
        call(form, language, "no_such_tool", x=1),
        wanted,
        refused,
        chatter,
        wanted,
        cut_off,
        edit(BETTER[language]),
        answer(form, language),
    ]


ABLE: frozenset[Feature] = frozenset({"json_schema", "tools", "tool_choice", "functions"})


def assert_replays(world: World) -> None:
    """Check that every kill of an item leads to the same requests and the same ending."""
    whole = world.again()
    ending = whole.run()
    asked = dict(whole.requests)
    assert [number for number, _ in whole.requests] == list(range(len(whole.record.steps)))
    for kill in kills(len(asked)):
        assert_ends_the_same(world.again(), kill, asked, as_bytes(ending))


def assert_ends_the_same(broken: World, kill: Kill, asked: dict[int, str], ending: bytes) -> None:
    broken.killed(kill)
    before = [number for number, _ in broken.requests]
    done = len(broken.record.steps)
    assert before == list(range(kill.step + (kill.moment != "before")))

    again = broken.run()

    assert as_bytes(again) == ending
    assert [number for number, _ in broken.requests[len(before) :]] == list(range(done, len(asked)))
    assert all(asked[number] == sent for number, sent in broken.requests)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", ALL_MODES)
def test_a_good_item_goes_on_after_every_kill_as_if_nothing_had_been(
    scripts: SqlScriptStore, mode: str, language: Language
) -> None:
    world = World(scripts, good_replies(mode, language), mode, language)

    assert world.again().run().state == "done"
    assert_replays(world)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", ALL_MODES)
def test_an_item_with_every_kind_of_trouble_goes_on_after_every_kill_as_if_nothing_had_been(
    scripts: SqlScriptStore, mode: str, language: Language
) -> None:
    world = World(scripts, hard_replies(mode, language), mode, language, features=ABLE)

    whole = world.again()
    assert whole.run().state == "done"
    assert len(whole.requests) == len(whole.replies)
    assert_replays(world)


@pytest.mark.parametrize("mode", ALL_MODES)
def test_an_item_that_fails_fails_again_in_the_same_words(scripts: SqlScriptStore, mode: str) -> None:
    failure = KeyRefused("no such key", hint="Check it.")
    world = World(scripts, [*good_replies(mode, "zh")[:2][:-1], failure], mode)

    ending = world.again().run()

    assert (ending.state, ending.error_type, ending.error, ending.hint) == (
        "failed",
        "key_refused",
        "no such key",
        "Check it.",
    )
    assert_replays(world)


def test_calls_that_only_read_are_told_in_the_order_they_were_asked_for(scripts: SqlScriptStore) -> None:
    calls = tuple(
        ToolCall(f"c{number}", tool, json.dumps({"script_id": IDS["zh"]}))
        for number, tool in enumerate(("get_script", "history", "get_script", "history"))
    )
    both = Reply(tool_calls=calls, finish_reason="tool_calls")
    world = World(scripts, [both, *good_replies("tools", "zh")[1:]], "tools")

    assert world.again().run().state == "done"
    assert_replays(world)


def test_a_replay_makes_no_call_and_does_not_look_at_the_clock(scripts: SqlScriptStore) -> None:
    ticks = iter(range(0, 10_000, 137))
    world = World(
        scripts, hard_replies("tools", "zh"), "tools", features=ABLE, clock=lambda: float(next(ticks))
    )
    ending, made = world.run(), len(world.requests)

    again = world.run()

    assert (as_bytes(again), len(world.requests)) == (as_bytes(ending), made)
    assert ending.run is not None
    assert ending.run.steps[-1].created_at - AT == timedelta(seconds=137 * 9)


def test_what_others_learn_of_the_service_meanwhile_changes_no_replay(scripts: SqlScriptStore) -> None:
    world = World(scripts, good_replies("tools", "zh"), "auto", features=ABLE)
    loaded = Loaded.from_json(world.loaded().to_json())
    ending = world.run(loaded=loaded)
    world.killed(Kill(2, "after"))

    assert world.features == loaded.features
    assert as_bytes(world.run(loaded=loaded)) == as_bytes(ending)


def test_what_the_service_refused_in_this_item_is_not_asked_for_again(scripts: SqlScriptStore) -> None:
    wanted = preview("tools", "zh")
    chatter, refused = Reply(text="我不能帮你修改。"), FeatureRefused("no schema", feature="json_schema")
    replies: list[Scripted] = [
        wanted,
        refused,
        chatter,
        wanted,
        edit(BETTER["zh"]),
        answer("tools", "zh"),
    ]
    world = World(scripts, replies, "tools", features=ABLE)
    world.killed(Kill(3, "after"))

    assert world.run().state == "done"
    forms = [json.loads(sent)["response_format"] is not None for _, sent in world.requests]
    assert forms == [False, True, False, False, False, False]


def test_the_day_the_model_is_told_is_the_day_the_item_was_loaded(scripts: SqlScriptStore) -> None:
    world = World(scripts, good_replies("tools", "en"), "tools", "en")

    world.run()

    assert f"{AT.astimezone():%Y-%m-%d %H:%M}" in world.requests[0][1]


def test_another_process_with_another_seed_of_hashes_asks_the_same(
    tmp_path: Path, sqlite_template: Path
) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(sqlite_template.read_bytes())
    with open_store(str(path), create=False) as opened:
        script_store(opened)
    code = f"from tests.batch.items.test_replaying import tell; tell({str(path)!r})"

    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=_ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=HANG_SECONDS,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert len(said[0]) > 10_000
    assert said[0] == said[1]


def tell(path: str) -> None:
    """Print what all modes send and end in."""
    with open_store(path, create=False) as opened:
        print(told(opened))


# --- any replies -----------------------------------------------------------------------------

_TEXTS = st.sampled_from(
    [
        "",
        "hm",
        "我不能帮你修改。",
        "@@ end",
        "Final Answer: ",
        "改好了。",
        "半个 \ud83d",
        "{",
        "\0",
        "``` json\n{}",
    ]
)


def _replies(mode: str, language: Language) -> st.SearchStrategy[Scripted]:
    spoken = st.sampled_from([mode, "react", "tools"])
    return st.one_of(
        _TEXTS,
        spoken.map(lambda mode: preview(mode, language)),
        spoken.map(lambda mode: answer(mode, language)),
        spoken.map(lambda mode: call(mode, language, "get_script", script_id=IDS[language])),
        spoken.map(lambda mode: call(mode, language, "preview", script_id="video_009", instruction="x")),
        st.sampled_from([2, 1, 9]).map(lambda number: edit(BETTER[language], number)),
        st.just(edit(SCRIPTS[language].splitlines()[1])),
        st.just(edit("短。")),
        st.just(Reply(text="@@ replace S2\n短", finish_reason="length", usage=Usage(known=False))),
        st.just(Reply(refusal="no", usage=Usage(5, 0))),
        st.sampled_from(sorted(FEATURES)).map(lambda one: FeatureRefused("no", feature=one)),
        st.booleans().map(lambda retryable: ModelFailure("overloaded", retryable=retryable, may_cost=True)),
        st.just(SetupError("unplugged", hint="Plug it in.")),
    )


@st.composite
def _worlds(draw: st.DrawFn) -> dict[str, Any]:
    mode, language = draw(st.sampled_from((*ALL_MODES, "auto"))), draw(st.sampled_from(LANGUAGES))
    return {
        "replies": draw(st.lists(_replies(mode, language), max_size=9)),
        "mode": mode,
        "language": language,
        "features": draw(st.sampled_from([frozenset(), ABLE, FEATURES])),
        "wishes": Wishes(
            target=draw(st.sampled_from([None, "5s", "60s"])),
            only=draw(st.sampled_from([None, "2", "1-2"])),
            keep=draw(st.sampled_from([(), ("1950",), ("人工智能",)])),
        ),
    }


@given(_worlds(), st.integers(0, 12), st.sampled_from(["before", "inside", "after"]))
@settings(max_examples=3000 if _SOAK else 120, deadline=None)
def test_whatever_a_service_says_a_killed_item_goes_on_as_if_nothing_had_been(
    scripts: SqlScriptStore, about: dict[str, Any], step: int, moment: Any
) -> None:
    world = World(scripts, **about)
    ending = world.run()
    asked = dict(world.requests)

    assert ending.state in ("done", "unchanged", "failed")
    if asked:
        assert_ends_the_same(world.again(), Kill(step % len(asked), moment), asked, as_bytes(ending))


# --- offline ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "asked"),
    [("zh", "把“聊一聊”改成“唠一唠”"), ("en", 'Replace "discuss" with "chat about"')],
)
@pytest.mark.parametrize("mode", [DIRECT, "tools", "react"])
def test_the_offline_model_goes_the_same_way(
    scripts: SqlScriptStore, mode: str, language: Language, asked: str
) -> None:
    offline = OfflineModel()

    def send(messages: Any, *, tools: Any, stop: Any, response_format: Any, timeout_seconds: Any) -> Reply:
        return offline.complete(
            messages, tools=tools, stop=stop, response_format=response_format, timeout_seconds=timeout_seconds
        )

    world = OfflineWorld(
        scripts, [], mode, language, instruction=asked, make_rewriter=lambda _model, _hooks: OfflineRewriter()
    )
    world.send = send
    ending = world.run()
    calls = len(world.record.steps)

    assert (ending.state, calls) == ("done", 0 if mode == DIRECT else 2)
    assert (ending.prompt_tokens, ending.completion_tokens) == (0, 0)
    for kill in kills(calls):
        broken = OfflineWorld(
            scripts,
            [],
            mode,
            language,
            instruction=asked,
            make_rewriter=lambda _model, _hooks: OfflineRewriter(),
        )
        broken.send = send
        broken.killed(kill)
        assert as_bytes(broken.run()) == as_bytes(ending)


class OfflineWorld(World):
    """An item whose calls are answered by a real model."""

    send: Any

    def _send(self, *arguments: Any, **named: Any) -> Reply:
        reply: Reply = self.send(*arguments, **named)
        return reply


def test_what_the_offline_model_refuses_is_refused_again(scripts: SqlScriptStore) -> None:
    world = OfflineWorld(
        scripts, [], "tools", instruction="写得更幽默", make_rewriter=lambda _model, _hooks: OfflineRewriter()
    )
    offline = OfflineModel()
    world.send = offline.complete

    ending = world.run()

    assert (ending.state, ending.error_type) == ("failed", "beyond_offline")
    assert as_bytes(world.run()) == as_bytes(ending)


# --- what is recorded ------------------------------------------------------------------------

_ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
_ANY_REPLY = st.builds(
    Reply,
    text=_ANY_TEXT,
    tool_calls=st.lists(st.builds(ToolCall, _ANY_TEXT, _ANY_TEXT, _ANY_TEXT), max_size=3).map(tuple),
    finish_reason=st.sampled_from(get_args(FinishReason)),
    refusal=st.none() | _ANY_TEXT,
    usage=st.builds(Usage, st.integers(0), st.integers(0), st.booleans()),
    model=_ANY_TEXT,
    message=st.none() | st.dictionaries(_ANY_TEXT, _PLAIN, max_size=4),
)
_LANGUAGE = st.sampled_from([None, "zh", "en"])
_ANY_FAILURE: st.SearchStrategy[ScriptEditorError] = st.one_of(
    st.builds(
        ModelFailure,
        _ANY_TEXT,
        retryable=st.booleans(),
        retry_after=st.none() | st.floats(0, 1e6),
        may_cost=st.booleans(),
        hint=_ANY_TEXT,
    ),
    st.builds(FeatureRefused, _ANY_TEXT, feature=st.sampled_from(sorted(FEATURES)), hint=_ANY_TEXT),
    *(
        st.builds(kind, _ANY_TEXT, hint=_ANY_TEXT)
        for kind in (SetupError, KeyRefused, ModelUnknown, MissingSetting)
    ),
    st.builds(BeyondOffline, _ANY_TEXT, hint=_ANY_TEXT, language=_LANGUAGE),
    st.builds(
        BudgetReached, _ANY_TEXT, kind=st.sampled_from(["tokens", "seconds", "calls"]), language=_LANGUAGE
    ),
    st.builds(
        EditRefused,
        st.sampled_from(sorted(REASONS)),
        _ANY_TEXT,
        segments=st.lists(st.integers(1), max_size=3),
        nearest=_ANY_TEXT,
        advice=_ANY_TEXT,
        example=_ANY_TEXT,
        was=_ANY_TEXT,
        kept=_ANY_TEXT,
        proposal_id=st.none() | _ANY_TEXT,
        language=_LANGUAGE,
    ),
)


def through_json(value: Json) -> Json:
    return json.loads(json.dumps(value))


@given(_ANY_REPLY)
def test_a_reply_is_recorded_exactly(reply: Reply) -> None:
    assert read(through_json(written(reply))) == reply


@given(_ANY_FAILURE)
def test_a_failure_is_recorded_exactly(failure: ScriptEditorError) -> None:
    again = read(through_json(written(failure)))

    assert type(again) is type(failure)
    assert (str(again), again.hint) == (str(failure), failure.hint)
    assert without_hint(again) == without_hint(failure)


def without_hint(error: object) -> dict[str, object]:
    """Return everything an error holds besides what its hint is made of: "" and the usual one are one hint."""
    return {name: value for name, value in vars(error).items() if name != "_hint"}


@given(
    st.builds(
        Loaded,
        base_number=st.integers(1, 10**6),
        head_number=st.integers(1, 10**6),
        at=st.datetimes(timezones=st.just(AT.tzinfo)),
        is_archived=st.booleans(),
        locks=st.lists(
            st.builds(
                Lock,
                kind=st.sampled_from(["segment", "phrase", "speaker"]),
                text=_ANY_TEXT,
                occurrences=st.integers(1, 9),
                id=st.none() | _ANY_TEXT,
                note=_ANY_TEXT,
            ),
            max_size=3,
        ).map(tuple),
        features=st.frozensets(st.sampled_from(sorted(FEATURES))),
    )
)
def test_what_was_loaded_is_recorded_exactly(loaded: Loaded) -> None:
    assert Loaded.from_json(through_json(loaded.to_json())) == loaded


def test_a_store_that_cannot_be_used_is_no_end_of_a_call() -> None:
    record, asked = Record(), []

    def send(messages: Any, **_: Any) -> Reply:
        asked.append(messages)
        raise StoreUnusable("locked")

    model = DurableModel("m", frozenset(), MemorySteps(record), send)
    for _ in range(2):
        with pytest.raises(StoreUnusable):
            model.complete([Message(role="user", content="x")])

    assert (record.steps, len(asked)) == ([], 1)


def test_a_bug_in_a_call_is_not_recorded() -> None:
    record = Record()

    def send(messages: Any, **_: Any) -> Reply:
        raise ZeroDivisionError(messages)

    with pytest.raises(ZeroDivisionError):
        DurableModel("m", frozenset(), MemorySteps(record), send).complete(
            [Message(role="user", content="x")]
        )

    assert record.steps == []
