"""Old replies read again: nothing differs where nothing changed, and every change of an outcome is reported."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from script_editor.agent.modes import MODES as ALL_MODES
from script_editor.app.bootstrap import App, build_app
from script_editor.app.edit import EditRequest
from script_editor.app.replay import Replayed, replay
from script_editor.app.runlog.traces import read_trace
from script_editor.errors import StoreDamaged, StoreUnusable
from script_editor.llm.chat import Reply
from script_editor.llm.scripted import Scripted, ScriptedModel
from tests.support.desk import FUNNIER, SEED, act, answer, settings

MODES = ["tools", "react"]
INSTRUCTION = "改得更轻松幽默一些"


def application(folder: Path, *replies: Scripted) -> App:
    """Return an application that logs, with one script and a model that gives these replies."""
    used = replace(
        settings(folder / "store.db"),
        log_runs=True,
        environment={"SCRIPT_EDITOR_STATE": str(folder / "state")},
    )
    app = build_app(used, model=ScriptedModel(replies))
    app.scripts.new("video_001", SEED, author="tester")
    return app


def edit(app: App, mode: str) -> None:
    request = EditRequest(script_id="video_001", instruction=INSTRUCTION, author="tester", mode=mode)
    app.edit(request, approve=lambda _: True)


def whole_run(folder: Path, mode: str) -> App:
    """Return an application after one run with a refused reply of each kind, an edit and an answer."""
    app = application(
        folder,
        act(mode, "fly", script_id="video_001"),
        act(mode, "modify_script", script_id="video_001", instruction=INSTRUCTION),
        "好的，我这就去改。",
        FUNNIER,
        answer(mode, "改好了。"),
    )
    edit(app, mode)
    return app


def replayed(app: App) -> Replayed:
    return app.replay([read_trace(file.path) for file in app.log.files()])


def change(app: App, kind: str, how: Callable[[dict[str, Any]], None], *, which: int = 0) -> None:
    """Change the recorded line of a kind in the only log there is."""
    (file,) = app.log.files()
    lines = [json.loads(line) for line in file.path.read_text(encoding="utf-8").split("\n") if line]
    how([line for line in lines if line["kind"] == kind][which])
    file.path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("mode", MODES)
def test_a_run_that_was_just_recorded_reads_the_same(tmp_path: Path, mode: str) -> None:
    app = whole_run(tmp_path, mode)

    again = replayed(app)

    assert again == Replayed(runs=1, replies=5)


def spelled(mode: str, tool: str, arguments: dict[str, str]) -> Scripted:
    """Return a call as the models of this mode write it."""
    text = json.dumps(arguments, ensure_ascii=False)
    match mode:
        case "json":
            block = json.dumps({"action": tool, "action_input": arguments}, ensure_ascii=False)
            return f"```json\n{block}\n```"
        case "conversational":
            return f"Thought: Do I need to use a tool? Yes\nAction: {tool}\nAction Input: {text}"
        case "xml":
            return f"<tool>{tool}</tool><tool_input>{text}</tool_input>"
        case "functions":
            called = {"role": "assistant", "content": "", "function_call": {"name": tool, "arguments": text}}
            return Reply(message=called, finish_reason="function_call")
        case _:
            return act(mode, tool, **arguments)


def ended(mode: str, text: str) -> str:
    """Return an answer as the models of this mode write it."""
    block = json.dumps({"action": "Final Answer", "action_input": text}, ensure_ascii=False)
    forms = {
        "json": f"```json\n{block}\n```",
        "conversational": f"Thought: Do I need to use a tool? No\nAI: {text}",
        "xml": f"<final_answer>{text}</final_answer>",
        "functions": text,
    }
    return forms.get(mode) or answer(mode, text)


@pytest.mark.parametrize("mode", ALL_MODES)
def test_in_every_mode_a_run_reads_the_same_also_one_whose_answer_was_questioned(
    tmp_path: Path, mode: str
) -> None:
    app = application(
        tmp_path,
        ended(mode, "已经把第一行改好，并保存为 v2。"),
        spelled(mode, "modify_script", {"script_id": "video_001", "instruction": INSTRUCTION}),
        FUNNIER,
        ended(mode, "改好了。"),
    )
    edit(app, mode)

    assert replayed(app) == Replayed(runs=1, replies=4)
    (file,) = app.log.files()
    assert [line.get("answer", "…") for line in read_trace(file.path).of_kind("outcome")] == [
        None, "…", "改好了。",
    ]  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("which", "outcome", "was", "now"),
    [
        (0, {"malformed": {"code": "two_actions"}}, "malformed: two_actions", "malformed: unknown_tool"),
        (0, {"answer": "飞了"}, "answer: 飞了", "malformed: unknown_tool"),
        (1, {"answer": "没改"}, "answer: 没改", "modify_script"),
        (1, {"actions": [{"tool": "preview", "arguments": {}}]}, "preview {}", "modify_script"),
        (1, {"actions": []}, "", "modify_script"),
        (2, {"answer": "改好了"}, "answer: 改好了", "answer: 改好了。"),
        (2, {"actions": [{"tool": "history", "arguments": {"script_id": "x"}}]}, 'history {"script_id": "x"}', "answer: 改好了。"),
    ],
    ids=["another code", "answer or malformed", "answer or call", "another tool", "no call", "another answer", "call or answer"],
)  # fmt: skip
def test_a_decision_that_was_read_otherwise_is_reported(
    tmp_path: Path, mode: str, which: int, outcome: dict[str, Any], was: str, now: str
) -> None:
    app = whole_run(tmp_path, mode)

    def otherwise(line: dict[str, Any]) -> None:
        for name in ("malformed", "answer", "actions"):
            line.pop(name, None)
        line.update(outcome)

    change(app, "outcome", otherwise, which=which)
    (difference,) = replayed(app).differences

    (run,) = app.store.runs()
    assert difference.run_id == run.id
    assert difference.step == (1, 2, 5)[which]
    assert difference.what == "decision"
    assert difference.was == was
    assert difference.now.startswith(now)


def test_another_argument_is_a_difference(tmp_path: Path) -> None:
    app = whole_run(tmp_path, "tools")

    change(app, "outcome", lambda line: line["actions"][0]["arguments"].update(targets=[1]), which=1)

    (difference,) = replayed(app).differences
    assert '"targets": [1]' in difference.was
    assert '"targets"' not in difference.now


def test_of_an_answer_that_was_questioned_the_words_do_not_count(tmp_path: Path) -> None:
    app = whole_run(tmp_path, "tools")

    change(app, "outcome", lambda line: line.update(answer=None), which=2)

    assert not replayed(app).differences


@pytest.mark.parametrize(
    ("changed", "was", "now"),
    [
        ({"outcome": "no_match", "result": ""}, "no_match", "plan"),
        ({"errors": ["fact_changed"]}, "plan (fact_changed)", "plan"),
        ({"result": "0" * 16}, "plan", "plan, which makes another text"),
        ({"outcome": "needs_more", "result": ""}, "needs_more", "plan"),
    ],
    ids=["refused", "with an error", "another text", "more was needed"],
)
def test_an_edit_that_was_read_otherwise_is_reported(
    tmp_path: Path, changed: dict[str, Any], was: str, now: str
) -> None:
    app = whole_run(tmp_path, "tools")

    change(app, "rewriter", lambda line: line.update(changed), which=1)

    (difference,) = replayed(app).differences
    assert (difference.what, difference.step, difference.was, difference.now) == ("edit", 4, was, now)


def test_a_refused_edit_that_was_a_plan_is_reported(tmp_path: Path) -> None:
    app = whole_run(tmp_path, "tools")

    change(app, "rewriter", lambda line: line.update(outcome="plan", result="0" * 16), which=0)

    (difference,) = replayed(app).differences
    assert (difference.was, difference.now) == ("plan", "malformed")


def test_locks_and_targets_of_then_decide_not_those_of_now(tmp_path: Path) -> None:
    app = whole_run(tmp_path, "tools")

    app.locks.lock("video_001", kind="phrase", text="不学真的会被卷哭", author="tester")

    assert not replayed(app).differences


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"script": "video_999"}, "video_999 v1 is not in this store"),
        ({"version": 99}, "video_001 v99 is not in this store"),
        ({"text_digest": "0" * 16}, "it was not about video_001 v1 as this store has it"),
        ({"exchange": 99}, "the reply is not in the log"),
        ({"scope": "galactic"}, "its line in the log is damaged"),
        ({"targets": "all"}, "its line in the log is damaged"),
        ({"locks": [{}]}, "its line in the log is damaged"),
    ],
    ids=[
        "no such script",
        "no such version",
        "another text",
        "the reply is lost",
        "no scope",
        "no targets",
        "no lock",
    ],
)
def test_an_edit_whose_script_is_not_there_is_left_out_with_the_reason(
    tmp_path: Path, changed: dict[str, Any], reason: str
) -> None:
    app = whole_run(tmp_path, "tools")

    change(app, "rewriter", lambda line: line.update(changed), which=1)

    again = replayed(app)
    assert [skipped.reason for skipped in again.skipped] == [reason]
    assert (again.replies, again.differences) == (4, ())


@pytest.mark.parametrize(
    ("changed", "reason"),
    [({"number": 99}, "the reply is not in the log"), ({"mode": "smoke_signals"}, "there is no mode 'smoke_signals' any more")],
    ids=["the reply is lost", "a mode that went"],
)  # fmt: skip
def test_a_decision_that_cannot_be_read_again_is_left_out_with_the_reason(
    tmp_path: Path, changed: dict[str, Any], reason: str
) -> None:
    app = whole_run(tmp_path, "tools")

    change(app, "outcome", lambda line: line.update(changed), which=2)

    assert [skipped.reason for skipped in replayed(app).skipped] == [reason]


def test_a_tool_that_a_run_did_not_have_is_unknown_in_its_replay(tmp_path: Path) -> None:
    app = whole_run(tmp_path, "tools")

    change(app, "run", lambda line: line.update(tools=["get_script"]))

    (difference,) = replayed(app).differences
    assert difference.now == "malformed: unknown_tool"


def test_a_difference_where_a_key_was_hidden_proves_nothing(tmp_path: Path) -> None:
    app = whole_run(tmp_path, "tools")

    change(app, "outcome", lambda line: line.update(answer="***", masked=True), which=2)

    again = replayed(app)
    assert not again.differences
    assert [skipped.reason for skipped in again.skipped] == ["a key was hidden in it"]


@pytest.mark.parametrize("error", [StoreDamaged("video_001@v1 or its text is missing."), RecursionError()])
def test_a_text_that_cannot_be_had_costs_its_own_reply_only(tmp_path: Path, error: Exception) -> None:
    app = whole_run(tmp_path, "tools")

    again = replay([read_trace(file.path) for file in app.log.files()], tools=[], text_of=raising(error))

    assert again.replies == 3
    assert {skipped.reason for skipped in again.skipped} in (
        {"video_001@v1 or its text is missing"}, {"reading it failed (RecursionError)"},
    )  # fmt: skip


def test_a_store_that_cannot_be_read_at_all_is_no_replay_without_differences(tmp_path: Path) -> None:
    app = whole_run(tmp_path, "tools")

    with pytest.raises(StoreUnusable):
        replay(
            [read_trace(file.path) for file in app.log.files()], tools=[],
            text_of=raising(StoreUnusable("The store is locked.")),
        )  # fmt: skip


def raising(error: Exception) -> Callable[[str, int], str]:
    def text_of(_script_id: str, _number: int) -> str:
        raise error

    return text_of


def test_a_replay_writes_nothing(tmp_path: Path) -> None:
    app = whole_run(tmp_path, "tools")
    before = (
        app.store.runs(),
        app.store.history("video_001"),
        app.store.refusals("video_001"),
        app.log.files(),
    )

    replayed(app)

    assert before == (
        app.store.runs(), app.store.history("video_001"), app.store.refusals("video_001"), app.log.files(),
    )  # fmt: skip
