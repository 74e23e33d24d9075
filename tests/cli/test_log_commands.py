"""log, log show, log purge, usage, replay: through the command line."""

import json
import os
import pty
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from script_editor.store.sql import open_store
from tests.support.command import Command, Ran
from tests.support.openai_server import OpenAIServer, completion

KEY = "sk-live-0123456789abcdef"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "store.db")


@pytest.fixture
def edited(command: Command) -> Command:
    """Two runs, the second one in English and in react."""
    assert command("seeds", "load").exit_code == 0
    assert command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes").exit_code == 0
    assert (
        command("edit", "video_002", 'replace "轻盾" with "极盾"', "--yes", "--mode", "react").exit_code == 0
    )
    return command


def folder(command: Command) -> Path:
    return Path(command.database).parent / "state" / "log"


def runs(command: Command, *options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = command("log", "--json", *options).data["runs"]
    return found


def with_model(
    command: Command, *replies: str, instruction: str = "改得更轻松", usage: Any = (1204, 318),
    usages: Any = None, model: str = "deepseek-chat",
) -> Ran:  # fmt: skip
    """Run one edit against a service that gives these replies, each with its usage."""
    each = usages or [usage] * len(replies)
    answers = [completion(reply, usage=took) for reply, took in zip(replies, each, strict=True)]
    with OpenAIServer(answers) as server:
        return command(
            "edit", "video_001", instruction, "--yes", "--mode", "react",
            model=model, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=server.base_url,
        )  # fmt: skip


FINAL = "Thought: 完成。\nFinal Answer: 不需要改。"


# --- log -------------------------------------------------------------------------------------


def test_log_lists_runs_newest_first(edited: Command) -> None:
    second, first = runs(edited)

    assert [second["script"], first["script"]] == ["video_002", "video_001"]
    assert first["instruction"] == "把“黄金时代”改成“快车道”"
    assert {"mode": "tools", "model": "offline", "stop_reason": first["stop_reason"]}.items() <= first.items()
    assert Path(first["log"]).is_file()
    lines = edited("log").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [second["run"], first["run"]]
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d  react +offline  video_002", lines[0])


def test_log_says_what_came_of_a_run_in_the_language_of_its_instruction(edited: Command) -> None:
    edited("preview", "video_001", "把“快车道”改成“风口”")
    edited("edit", "video_001", "replace “天书” with “x”", "--yes")
    (nothing, proposed, english, chinese), shown = runs(edited), edited("log").stdout.splitlines()

    (proposal,) = proposed["proposals"]
    assert [run["outcome"] for run in (nothing, proposed, english, chinese)] == [
        "unchanged", "proposed", "saved", "saved",
    ]  # fmt: skip
    assert english["saved"] == [{"script": "video_002", "version": "v2"}]
    assert (proposed["saved"], chinese["proposals"]) == ([], [])
    assert "  nothing changed" in shown[0]
    assert f"  已提案 {proposal}  " in shown[1]
    assert "  saved video_002 v2  " in shown[2]
    assert "  已保存 video_001 v2  " in shown[3]


def test_what_is_decided_later_is_not_what_came_of_the_run(edited: Command) -> None:
    proposal = edited("preview", "video_001", "把“快车道”改成“风口”", "--json").data["proposal"]
    edited("apply", proposal)

    newest = runs(edited)[0]

    assert (newest["outcome"], newest["saved"], newest["proposals"]) == ("proposed", [], [proposal])


def test_a_run_that_saves_the_proposal_of_another_is_the_one_that_saved(edited: Command) -> None:
    said = "先别保存，把“快车道”改成“风口”给我看看\n刚才那个预览可以，就用它\n"
    edited("chat", "video_001", "--yes", input=said)

    took, showed = runs(edited)[:2]

    assert took["saved"] == [{"script": "video_001", "version": "v3"}]
    assert (showed["outcome"], showed["saved"]) == ("proposed", [])


def test_columns_stand_one_below_the_other_whatever_the_script(edited: Command) -> None:
    edited("new", "第一集", "--text", "大家好。\n再见。\n")
    edited("edit", "第一集", "把“再见”改成“下次见”", "--yes")

    lines = edited("log").stdout.splitlines()

    assert len({cell_len(line[: line.index("“")]) for line in lines}) == 1


@pytest.mark.parametrize("columns", [80, 200])
def test_no_line_of_the_list_is_wider_than_the_terminal(edited: Command, columns: int) -> None:
    edited("edit", "video_001", f"把“快车道”改成“{'高速公路' * 40}”", "--yes")

    shown = on_terminal(edited, "log", columns=columns)

    lines = shown.replace("\r\n", "\n").splitlines()
    assert max(map(cell_len, lines)) <= columns
    assert sum("高速公路" in line for line in lines) == 1
    assert len([line for line in lines if line.startswith("r-")]) == 3


def on_terminal(command: Command, *arguments: str, columns: int) -> str:
    """Return what a command shows on a terminal of so many columns."""
    person, program = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "script_editor", "--db", str(command.database), "-q", *arguments],
        stdin=program, stdout=program, stderr=program, timeout=60, check=False,
        env={**os.environ, "SCRIPT_EDITOR_STATE": str(folder(command).parent), "COLUMNS": str(columns), "TERM": "xterm"},
    )  # fmt: skip
    assert done.returncode == 0
    return os.read(person, 100_000).decode()


def test_log_can_be_narrowed(edited: Command) -> None:
    assert [run["script"] for run in runs(edited, "--script", "VIDEO_001")] == ["video_001"]
    assert len(runs(edited, "-n", "1")) == 1
    assert len(runs(edited, "--since", "today")) == 2
    assert len(runs(edited, "--since", "3天前")) == 2


def test_log_leaves_out_what_began_before(edited: Command) -> None:
    with open_store(str(edited.database), create=False) as store:
        newest = store.runs()[0].started_at

    after = (newest + timedelta(microseconds=1)).astimezone(UTC).isoformat()

    assert runs(edited, "--since", after) == []
    assert [run["script"] for run in runs(edited, "--since", newest.isoformat())] == ["video_002"]


@pytest.mark.parametrize("name", ["log", "usage", "replay"])
def test_a_moment_that_is_none_is_refused_with_what_may_be_said(edited: Command, name: str) -> None:
    ran = edited(name, "--since", "someday")

    assert ran.exit_code == 2
    assert "'someday' is no moment" in ran.stderr
    assert "2026-11-20" in ran.stderr


def test_an_unknown_script_is_not_found(edited: Command) -> None:
    assert edited("log", "--script", "video_099").exit_code == 3


def test_an_empty_store_says_the_one_next_thing(command: Command) -> None:
    for name in ("log", "usage"):
        ran = command(name)
        assert (ran.exit_code, ran.stdout) == (0, "")
        assert "script-editor edit SCRIPT INSTRUCTION" in ran.stderr
    assert "There is no log to read again" in command("replay").stderr
    assert command("log", "--json").data == {"runs": []}


def test_nothing_that_matches_points_back_to_all(edited: Command) -> None:
    assert "No run matches. All of them: script-editor log" in edited("log", "--script", "video_003").stderr


def test_with_the_log_switched_off_runs_are_listed_all_the_same(command: Command) -> None:
    command("seeds", "load")
    command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes", SCRIPT_EDITOR_LOG="off")

    ran = command("log", SCRIPT_EDITOR_LOG="off")

    assert "没有日志" in ran.stdout
    assert "SCRIPT_EDITOR_LOG" in ran.stderr
    assert runs(command)[0]["log"] is None


# --- log show --------------------------------------------------------------------------------


def test_show_tells_the_whole_run(edited: Command) -> None:
    run = runs(edited)[0]["run"]

    shown = edited("log", "show", run).stdout

    assert shown.startswith(run)
    for part in ("replace \"轻盾\" with \"极盾\"", "--> system", "--> user", "<-- stop", "read as: modify_script",
                 "call: modify_script", "result: modify_script ok", "saved video_002@v2", "end: finished"):  # fmt: skip
        assert part in shown, part
    assert shown.count("--> system") == 1  # what was sent before is not shown again
    assert "2 messages as before" in shown


def test_show_as_json_holds_the_lines_of_the_file(edited: Command) -> None:
    run = runs(edited)[0]

    data = edited("log", "show", run["run"], "--json").data

    in_file = [json.loads(line) for line in Path(run["log"]).read_text(encoding="utf-8").splitlines()]
    assert data["lines"] == in_file
    assert (data["run"], data["file"], data["unreadable"]) == (run["run"], run["log"], 0)


def test_show_raw_prints_the_file(edited: Command) -> None:
    run = runs(edited)[0]

    assert edited("log", "show", run["run"], "--raw").stdout_bytes == Path(run["log"]).read_bytes()


def test_show_of_a_run_that_was_cut_off_warns_and_shows_the_rest(edited: Command) -> None:
    run = runs(edited)[0]
    whole = Path(run["log"]).read_bytes()
    Path(run["log"]).write_bytes(whole[:-20])

    shown = edited("log", "show", run["run"])

    assert shown.exit_code == 0
    assert "call: modify_script" in shown.stdout
    assert "1 of the lines could not be read" in shown.stderr


def test_nothing_in_a_log_steers_the_terminal(command: Command) -> None:
    command("seeds", "load")
    with_model(command, "Thought: \x1b]0;owned\x07\x1b[31m\nFinal Answer: \x1b[2J好\u202e")

    shown = command("log", "show", runs(command)[0]["run"]).stdout

    assert "\x1b" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("run", ["r-nothing", "../r-1", "*", ""])
def test_a_run_that_nobody_knows_is_not_found(edited: Command, run: str) -> None:
    for name in (["log", "show"], ["replay"]):
        ran = edited(*name, run)
        assert ran.exit_code == 3, ran.stderr
        assert "no run" in ran.stderr


def test_a_run_without_a_log_says_why(edited: Command) -> None:
    run = runs(edited)[0]["run"]
    edited("log", "purge", "--yes")

    assert edited("log", "show", run).exit_code == 3
    assert "It was removed" in edited("log", "show", run).stderr
    assert "SCRIPT_EDITOR_LOG=on" in edited("log", "show", run, SCRIPT_EDITOR_LOG="off").stderr


def test_neither_the_log_nor_vv_shows_a_key_that_is_not_in_use_or_the_password_of_an_address(
    command: Command,
) -> None:
    command("seeds", "load")
    secrets = {
        "key": KEY,
        "other": "sk-other-9876543210fedcba",
        "password": "geheim123",
        "user": "einzigername",
    }
    with OpenAIServer([completion(FINAL)]) as server:
        place = server.base_url.removeprefix("http://")
        ran = command(
            "-vv", "edit", "video_001", f"改得更轻松 {' '.join(secrets.values())}", "--yes", "--mode", "react",
            model="deepseek-chat", SCRIPT_EDITOR_API_KEY=KEY, SCRIPT_EDITOR_BASE_URL=f"http://wang:geheim123@{place}",
            OPENAI_API_KEY=secrets["other"], OPENAI_BASE_URL=f"http://einzigername@{place}",
        )  # fmt: skip
    (log,) = folder(command).iterdir()

    assert "--> user" in ran.stderr and "***" in ran.stderr
    for name, secret in secrets.items():
        assert secret not in log.read_text(encoding="utf-8"), name
        exchanged = ran.stderr[ran.stderr.index("--> ") :]
        assert secret not in exchanged, name


def test_no_command_shows_a_key(command: Command) -> None:
    command("seeds", "load")
    with_model(command, f"Thought: {KEY}\nFinal Answer: {KEY}", instruction=f"写上 {KEY}")
    run = runs(command)[0]["run"]

    assert KEY not in command("log", "show", run).stdout
    assert KEY not in command("log", "show", run, "--raw").stdout
    assert KEY not in command("log", "show", run, "--json").stdout


DAMAGE = [
    ("run", "tools", 5), ("run", "tools", [{}]), ("run", "instruction", 5), ("exchange", "messages", 5),
    ("exchange", "messages", ["x"]), ("exchange", "messages", [{"raw": 5}]), ("exchange", "failure", "x"),
    ("exchange", "failure", None), ("exchange", "reply", "x"), ("exchange", "reply", None),
    ("exchange", "reply", {"message": 5}), ("exchange", "reply", {"message": {}, "usage": {"in": "x"}}),
    ("exchange", "form", "x"), ("exchange", "form", {"tools": [5]}), ("exchange", "form", {"tools": 5}),
    ("exchange", "form", {"response_format": 5}), ("exchange", "form", [1]), ("exchange", "number", {}),
    ("outcome", "malformed", "x"), ("outcome", "actions", 5), ("outcome", "actions", [5]), ("outcome", "answer", 5),
    ("outcome", "number", []), ("outcome", "mode", []), ("rewriter", "errors", 5), ("rewriter", "errors", [{}]),
    ("rewriter", "exchange", {}), ("rewriter", "targets", 5), ("rewriter", "locks", [5]), ("rewriter", "outcome", 5),
    ("rewriter", "result", {}), ("rewriter", "finish_reason", []), ("end", "usage", 5), ("end", "usage", {"out": []}),
    ("end", "stop_reason", {}), ("call", "arguments", 5), ("result", "observation", {}), ("call", "kind", 5),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "name", "value"), DAMAGE, ids=lambda part: json.dumps(part).replace(" ", "")
)
def test_a_damaged_line_stops_neither_the_reading_of_its_log_nor_the_replay_of_the_others(
    damaged: Command, kind: str, name: str, value: Any
) -> None:
    newest = runs(damaged)[0]
    path = Path(newest["log"])
    whole = path.read_bytes()
    lines = [json.loads(line) for line in whole.split(b"\n") if line]
    for line in lines:
        if line["kind"] == kind:
            line[name] = value
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")

    shown, replayed = damaged("log", "show", newest["run"]), damaged("replay", "--json")
    path.write_bytes(whole)

    assert shown.exit_code in (0, 2) and replayed.exit_code in (0, 1)
    if shown.exit_code == 2:
        assert kind == "run" and "is no log of a run" in shown.stderr
    assert replayed.data["replies"] >= 1, "that of the other run"
    assert {each["run"] for each in replayed.data["skipped"]} <= {newest["run"]}


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Two runs with a model, the newer one with a reply that could not be read, a call, an edit and an answer."""
    command = Command(tmp_path_factory.mktemp("damaged") / "store.db")
    command("seeds", "load")
    with_model(command, FINAL)
    with_model(command, "好。", CALL, "@@ replace S1\n大家好呀！\n@@ end", FINAL)
    return command


CALL = (
    "Thought: 改。\nAction: modify_script\n"
    'Action Input: {"script_id": "video_001", "instruction": "改得更轻松"}'
)


def test_what_a_service_sent_may_have_any_shape(edited: Command) -> None:
    odd = [{"tool_calls": "x"}, {"tool_calls": [5, None]}, {"tool_calls": {"a": 1}}, {"function_call": 5},
           {"tool_calls": [{"function": "f"}]}, {"content": {"text": "好"}}, {"refusal": [1]}]  # fmt: skip
    first = runs(edited)[0]
    with Path(first["log"]).open("a", encoding="utf-8") as file:
        for message in odd:
            line = {"kind": "exchange", "messages": [], "reply": {"message": message}}
            file.write(f"{json.dumps(line)}\n")

    ran = edited("log", "show", first["run"])

    assert ran.exit_code == 0 and "could not be read" not in ran.stderr


# --- log purge -------------------------------------------------------------------------------


def test_purge_removes_logs_and_neither_versions_nor_runs(edited: Command) -> None:
    before = (edited("history", "video_001", "--json").stdout, [run["run"] for run in runs(edited)])

    ran = edited("log", "purge", "--yes", "--json")

    assert (ran.data["removed"], ran.data["kept"]) == (2, 0)
    assert list(folder(edited).iterdir()) == []
    assert before == (edited("history", "video_001", "--json").stdout, [run["run"] for run in runs(edited)])
    assert edited("log", "purge", "--yes").exit_code == 0


def test_purge_leaves_the_logs_of_other_stores(edited: Command) -> None:
    other = Command(edited.database.parent / "other.db")
    assert other("new", "talk", input="one\ntwo\n").exit_code == 0
    assert other("edit", "talk", "delete line 2", "--yes").exit_code == 0
    (run,) = other("log", "--json").data["runs"]

    told = edited("log", "purge", "--yes")

    assert told.exit_code == 0
    assert "--all-stores" in told.stderr
    assert other("log", "show", run["run"]).exit_code == 0
    assert "no log of this store" in edited("log", "purge", "--yes").stderr
    assert edited("log", "purge", "--all-stores", "--yes", "--json").data["removed"] == 1
    assert other("log", "show", run["run"]).exit_code == 3


def test_purge_needs_a_yes_where_nobody_can_be_asked(edited: Command) -> None:
    ran = edited("log", "purge")

    assert ran.exit_code == 2
    assert "--yes" in ran.stderr
    assert len(list(folder(edited).iterdir())) == 2


@pytest.mark.parametrize(
    ("said", "code", "left"), [("y\n", 0, 0), ("n\n", 11, 2), ("\n", 11, 2)], ids=["yes", "no", "enter"]
)
def test_purge_asks_a_person(edited: Command, said: str, code: int, left: int) -> None:
    person, program = pty.openpty()

    with subprocess.Popen(
        [sys.executable, "-m", "script_editor", "--db", str(edited.database), "log", "purge"],
        stdin=program, stdout=subprocess.PIPE, stderr=program,
        env={**os.environ, "SCRIPT_EDITOR_STATE": str(folder(edited).parent)},
    ) as running:  # fmt: skip
        shown = b""
        while b"[y/N]" not in shown:  # what is typed before the question is thrown away
            shown += os.read(person, 10_000)
        os.write(person, said.encode())
        running.communicate(timeout=60)

    assert running.returncode == code
    assert "Remove 2 logs" in shown.decode()
    assert len(list(folder(edited).iterdir())) == left


def test_purge_by_age_leaves_the_newer_ones(edited: Command) -> None:
    (first, second) = sorted(folder(edited).iterdir())
    long_ago = (datetime.now(UTC) - timedelta(days=31)).strftime("%Y%m%dT%H%M%S")
    first.rename(first.with_name(long_ago + first.name[15:]))

    ran = edited("log", "purge", "--older-than", "30d", "--yes")

    assert "Removed 1 log" in ran.stdout
    assert list(folder(edited).iterdir()) == [second]
    assert "no such log" in edited("log", "purge", "--older-than", "30d", "--yes").stderr


def test_purge_with_a_span_that_is_none_removes_nothing(edited: Command) -> None:
    assert edited("log", "purge", "--older-than", "monday", "--yes").exit_code == 2
    assert len(list(folder(edited).iterdir())) == 2


def test_purge_touches_no_other_file(edited: Command) -> None:
    (folder(edited) / "notes.txt").write_text("mine", encoding="utf-8")

    edited("log", "purge", "--yes")

    assert [path.name for path in folder(edited).iterdir()] == ["notes.txt"]


# --- usage -----------------------------------------------------------------------------------


def test_usage_adds_up_what_the_store_knows(command: Command) -> None:
    command("seeds", "load")
    command("edit", "video_002", 'replace "轻盾" with "极盾"', "--yes", SCRIPT_EDITOR_LOG="off")
    for _ in range(2):
        with_model(command, FINAL)

    by_model = command("usage", "--by", "model", "--json", SCRIPT_EDITOR_LOG="off").data
    by_script = command("usage", "--by", "script", "--json").data
    by_day = command("usage", "--json").data

    assert [(row["model"], row["runs"], row["tokens"]) for row in by_model["usage"]] == [
        ("deepseek-chat", 2, {"in": 2408, "out": 636}),
        ("offline", 1, {"in": 0, "out": 0}),
    ]
    assert [(row["script"], row["runs"]) for row in by_script["usage"]] == [
        ("video_001", 2),
        ("video_002", 1),
    ]
    assert [row["day"] for row in by_day["usage"]] == [datetime.now().astimezone().date().isoformat()]
    assert by_day["total"]["tokens"] == {"in": 2408, "out": 636}
    assert by_day["total"]["cost"] is None
    assert "price unknown" in command("usage").stdout


def test_usage_has_a_cost_when_both_prices_are_set(command: Command) -> None:
    command("seeds", "load")
    with_model(command, FINAL)
    named = {"MODEL_NAME": "deepseek-chat"}
    prices = {**named, "SCRIPT_EDITOR_PRICE_IN": "2", "SCRIPT_EDITOR_PRICE_OUT": "8"}

    cost = command("usage", "--json", **prices).data["total"]["cost"]

    assert cost == {"amount": pytest.approx((1204 * 2 + 318 * 8) / 1e6)}
    assert "0.0050" in command("usage", **prices).stdout
    assert command("usage", "--json", SCRIPT_EDITOR_PRICE_IN="2", **named).data["total"]["cost"] is None
    free = {**named, "SCRIPT_EDITOR_PRICE_IN": "0", "SCRIPT_EDITOR_PRICE_OUT": "0"}
    assert command("usage", "--json", **free).data["total"]["cost"] == {"amount": 0.0}


PRICES = {"SCRIPT_EDITOR_PRICE_IN": "2", "SCRIPT_EDITOR_PRICE_OUT": "8"}


@pytest.mark.parametrize("by", ["model", "day", "script"])
def test_the_prices_are_those_of_the_one_model_that_is_named_with_them(command: Command, by: str) -> None:
    command("seeds", "load")
    with_model(command, FINAL)
    with_model(command, FINAL, model="glm-4", usage=(1_000_000, 0))
    command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes")

    data = command("usage", "--json", "--by", by, MODEL_NAME="glm-4", **PRICES).data
    ran = command("usage", "--by", by, MODEL_NAME="glm-4", **PRICES)

    assert data["total"]["cost"] == {"amount": 2.0}
    assert data["total"]["runs_with_unknown_price"] == 1
    assert "2.0000 (+ 1 run, price unknown)" in ran.stdout
    assert "those of glm-4 alone" in ran.stderr
    if by == "model":
        costs = {row["model"]: row["cost"] for row in data["usage"]}
        assert costs == {"offline": {"amount": 0.0}, "glm-4": {"amount": 2.0}, "deepseek-chat": None}


def test_a_model_named_for_one_command_takes_no_price_from_the_one_that_is_set(command: Command) -> None:
    command("seeds", "load")
    with_model(command, FINAL)

    other = command("usage", "--json", model="deepseek-chat", MODEL_NAME="glm-4", **PRICES).data["total"]
    only = command("usage", "--json", model="deepseek-chat", **PRICES).data["total"]

    assert (other["cost"], other["runs_with_unknown_price"]) == (None, 1)
    assert only["cost"] is not None


def test_prices_of_no_named_model_are_nobodys(command: Command) -> None:
    command("seeds", "load")
    with_model(command, FINAL)

    ran = command("usage", **PRICES)

    assert "price unknown" in ran.stdout
    assert "MODEL_NAME" in ran.stderr


def test_a_run_of_which_some_tokens_are_unknown_took_at_least_the_others(command: Command) -> None:
    command("seeds", "load")
    with_model(command, "Thought: 先看一下。", FINAL, usages=[(1204, 318), None])

    ran = command("usage", MODEL_NAME="deepseek-chat", **PRICES)
    total = command("usage", "--json").data["total"]

    assert "at least 1,204 + 318 tokens" in ran.stdout and "at least 0.0050" in ran.stdout
    assert "1 run took more tokens than the service told" in ran.stderr
    assert (total["runs_with_more_tokens"], total["runs_with_unknown_tokens"]) == (1, 0)
    assert "at least 1,204 + 318" in command("log").stdout
    assert runs(command)[0]["tokens_are_complete"] is False


def test_usage_says_of_how_many_runs_nobody_knows_the_tokens(command: Command) -> None:
    command("seeds", "load")
    with_model(command, FINAL)
    with_model(command, FINAL, usage=None)

    ran = command("usage")

    assert command("usage", "--json").data["total"]["runs_with_unknown_tokens"] == 1
    assert "1,204 + 318 tokens (+ 1 run unknown)" in ran.stdout
    assert "nobody knows the tokens" in ran.stderr
    assert "tokens unknown" in command("log").stdout
    assert runs(command)[0]["tokens"] is None


def test_usage_counts_from_a_moment_on(edited: Command) -> None:
    later = (datetime.now(UTC) + timedelta(seconds=-0.001)).isoformat()

    assert edited("usage", "--since", later, "--json").data == {"by": "day", "usage": [], "total": None}
    assert edited("usage", "--since", "today", "--json").data["total"]["runs"] == 2


# --- replay ----------------------------------------------------------------------------------


def test_replay_of_what_was_just_logged_finds_no_difference(edited: Command) -> None:
    ran = edited("replay")

    assert ran.exit_code == 0, ran.stdout
    assert ran.stdout == "0 differences in 4 replies of 2 runs.\n"


def otherwise(run: dict[str, Any]) -> None:
    """Change what the last reply of a run was read as."""
    path = Path(run["log"])
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    last = [line for line in lines if line["kind"] == "outcome"][-1]
    last["answer"] = "something\nelse"
    path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")


def test_replay_reports_a_difference_and_exits_with_1(edited: Command) -> None:
    second, first = runs(edited)
    otherwise(first)

    ran = edited("replay", "--json")
    (difference,) = ran.data["differences"]

    assert ran.exit_code == 1
    assert (difference["run"], difference["request"], difference["what"]) == (first["run"], 2, "decision")
    assert difference["was"] == "answer: something\nelse"
    assert edited("replay", second["run"]).exit_code == 0
    assert edited("replay", first["run"]).exit_code == 1
    assert "was: answer: something␊else" in edited("replay", first["log"]).stdout
    assert edited("replay", "--since", "today").exit_code == 1


def test_replay_of_all_warns_of_a_file_that_cannot_be_read(edited: Command) -> None:
    log = Path(runs(edited)[0]["log"])
    log.write_bytes(b"")

    ran = edited("replay", "--json")

    assert ran.exit_code == 0
    assert ran.data["runs"] == 1
    assert any(log.name in warning for warning in ran.json["warnings"])


def test_replay_of_a_file_that_is_no_log_is_refused(edited: Command, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("[]\n", encoding="utf-8")

    assert edited("replay", str(tmp_path / "x.jsonl")).exit_code == 2
    assert edited("replay", str(tmp_path / "absent.jsonl")).exit_code == 2
    assert edited("replay", "--since", "today", "r-1").exit_code == 2


# --- start-up --------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["log"], ["log", "show"], ["usage"]], ids=" ".join)
def test_listing_and_adding_up_load_neither_a_service_nor_a_parser(
    edited: Command, arguments: list[str]
) -> None:
    arguments = [*arguments, runs(edited)[0]["run"]] if "show" in arguments else arguments
    code = (
        "import sys\n"
        "from script_editor.cli.main import cli\n"
        "try:\n    cli.main(args=sys.argv[1:])\n"
        "except SystemExit as ended:\n    assert ended.code in (0, None), ended.code\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, "--db", str(edited.database), *arguments],
        capture_output=True, text=True, encoding="utf-8", check=True,
        env={**os.environ, "SCRIPT_EDITOR_STATE": str(folder(edited).parent)},
    )  # fmt: skip

    assert not set(done.stderr.splitlines()) & {
        "openai", "httpx2", "alembic", "yaml", "script_editor.agent.modes", "script_editor.agent.parsing",
        "script_editor.agent.tools", "script_editor.domain.replies",
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", [["log"], ["log", "show"], ["log", "purge"], ["usage"], ["replay"]], ids=" ".join
)
def test_help_has_an_example(command: Command, name: list[str]) -> None:
    assert f"script-editor {' '.join(name)}" in command(*name, "--help").stdout
