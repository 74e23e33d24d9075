"""The log of a run: real files, written while a run goes on, read back, and removed when they are old."""

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from script_editor.agent.events import (
    AnswerQuestioned,
    CallsPlanned,
    ConclusionStarted,
    ModeChanged,
    ReplyRejected,
    RunEnded,
    TextArrived,
    ToolFinished,
    ToolSkipped,
    ToolStarted,
    TurnStarted,
    UsageReported,
)
from script_editor.agent.steps import AgentAction, AgentStep, Correction, Malformed, RunResult
from script_editor.app.bootstrap import build_app
from script_editor.app.edit import EditRequest
from script_editor.app.hooks import Hooks
from script_editor.app.journal import NO_JOURNAL, Journal
from script_editor.app.rewriter import LlmRewriter
from script_editor.app.runlog.folder import LogFolder, file_name
from script_editor.app.runlog.traces import Trace, raw_lines, read_trace
from script_editor.app.runlog.writing import RunFiles
from script_editor.domain.locks import Lock
from script_editor.domain.operations import Constraints
from script_editor.domain.script import RunRecord
from script_editor.domain.segments import NumberedScript
from script_editor.errors import BadFile, ModelFailure, ScriptEditorError
from script_editor.llm.chat import Message, Reply, ToolCall, ToolSpec, Usage
from script_editor.llm.exchange import Exchange
from script_editor.llm.metered import Metered
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.llm.scripted import Scripted, ScriptedModel
from tests.support.command import Command
from tests.support.desk import FUNNIER, SEED, settings
from tests.support.openai_server import OpenAIServer, completion, echo_key, status

NOW = datetime(2026, 11, 30, 9, 0, 0, 123456, tzinfo=UTC)
KEY = "sk-live-0123456789abcdef"
FOREVER = timedelta(days=10_000)


def record(run_id: str = "r-1", started: datetime = NOW, **about: Any) -> RunRecord:
    facts: dict[str, Any] = {
        "mode": "tools",
        "model": "m",
        "input": "改得更轻松",
        "script_id": "video_001",
        **about,
    }
    return RunRecord(id=run_id, started_at=started, **facts)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "log"


def run_files(folder: Path, **settings: Any) -> RunFiles:
    return RunFiles(folder, **{"now": lambda: NOW, **settings})


def end(journal: Journal, stop_reason: Any = "finished", output: str = "好了") -> None:
    result = RunResult(stop_reason=stop_reason, output=output)
    journal.event(RunEnded(result))
    journal.close(result, Usage(7, 3))


def logged(folder: Path) -> Trace:
    """Return the only log that is there."""
    (file,) = LogFolder(folder).files()
    return read_trace(file.path)


def user(text: str) -> Message:
    return Message(role="user", content=text)


def asked(*texts: str, reply: Reply | None = None, **more: Any) -> Exchange:
    reply = reply or Reply(text="好的", usage=Usage(5, 2), model="m-2")
    return Exchange(messages=tuple(map(user, texts)), reply=reply, seconds=0.25, **more)


def action(tool: str = "history", call_id: str = "c1", **arguments: Any) -> AgentAction:
    return AgentAction(tool=tool, arguments=arguments, log="…", call_id=call_id, turn=1)


# --- what is written -------------------------------------------------------------------------


def test_a_run_is_a_file_that_only_its_owner_may_read(folder: Path) -> None:
    end(run_files(folder).begin(record()))

    (file,) = folder.iterdir()
    assert file.name == "20261130T090000Z-r-1.jsonl"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_log_folder_that_others_could_read_is_closed_to_them(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o755)

    end(run_files(folder).begin(record()))

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_first_line_says_what_the_run_was_about(folder: Path) -> None:
    journal = run_files(folder).begin(record(chat_id="s-1"), tool_names=("history", "revert"))
    end(journal)

    first = logged(folder).run

    assert {
        "run": "r-1", "mode": "tools", "model": "m", "instruction": "改得更轻松", "script": "video_001",
        "chat": "s-1", "tools": ["history", "revert"], "started": NOW.isoformat(),
    }.items() <= first.items()  # fmt: skip
    assert first["program"]
    assert "改得更轻松" in logged(folder).path.read_text(encoding="utf-8")


def test_every_event_becomes_a_line_in_its_order(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    call, other = action(script_id="video_001"), action("diff", "c2", from_version=1, to_version=2)
    step = AgentStep(action=call, observation="v1, v2", ok=True, seconds=0.5)
    skipped = AgentStep(action=other, observation="not run", ok=False, executed=False)

    journal.event(TurnStarted(1))
    journal.exchange(asked("改得更轻松"))
    journal.event(TextArrived("好"))
    journal.event(UsageReported(Usage(5, 2)))
    journal.event(CallsPlanned((call, other)))
    journal.event(ToolStarted(call))
    journal.event(ToolFinished(step))
    journal.event(ToolSkipped(skipped))
    journal.event(TurnStarted(2))
    journal.exchange(asked("改得更轻松", "再来"))
    end(journal)

    trace = logged(folder)
    assert [line["kind"] for line in trace.lines] == [
        "run", "exchange", "outcome", "call", "result", "result", "exchange", "outcome", "end",
    ]  # fmt: skip
    planned, answered = trace.of_kind("outcome")
    assert planned["number"] == 1
    assert planned["actions"] == [
        {"tool": "history", "arguments": {"script_id": "video_001"}},
        {"tool": "diff", "arguments": {"from_version": 1, "to_version": 2}},
    ]
    assert (answered["number"], answered["answer"]) == (2, "好了")
    done, left_out = trace.of_kind("result")
    assert (done["id"], done["ok"], done["observation"], done["seconds"]) == ("c1", True, "v1, v2", 0.5)
    assert left_out["skipped"]
    (ended,) = trace.of_kind("end")
    assert (ended["stop_reason"], ended["output"]) == ("finished", "好了")
    assert ended["usage"] == {"in": 7, "out": 3, "known": True}


def test_a_malformed_reply_is_kept_with_its_code_and_what_the_model_was_told(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    malformed = Malformed(
        code="unknown_tool", message="没有 fly 这个工具。", hint="可用：history", raw="fly()"
    )

    journal.event(TurnStarted(1))
    journal.exchange(asked("改"))
    journal.event(ReplyRejected(Correction(malformed=malformed, turn=1)))
    end(journal, "unreadable", "")

    (outcome,) = logged(folder).of_kind("outcome")
    assert outcome["malformed"] == {
        "code": "unknown_tool",
        "message": "没有 fly 这个工具。",
        "hint": "可用：history",
    }


def test_an_answer_that_was_questioned_is_an_answer_without_its_words(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    objection = Malformed(code="unproven", message="没有任何改动。", hint="")

    journal.event(TurnStarted(1))
    journal.exchange(asked("改"))
    journal.event(AnswerQuestioned(Correction(malformed=objection, turn=1)))
    journal.event(TurnStarted(2))
    journal.exchange(asked("改", "没有任何改动。"))
    end(journal)

    first, second = logged(folder).of_kind("outcome")
    assert (first["answer"], first["questioned"]) == (None, "没有任何改动。")
    assert second["answer"] == "好了"


def test_the_mode_of_an_outcome_is_the_one_the_model_was_last_talked_to_in(folder: Path) -> None:
    journal = run_files(folder).begin(record())

    journal.event(TurnStarted(1))
    journal.exchange(Exchange(messages=(user("改"),), failure=ModelFailure("no tools here")))
    journal.event(ModeChanged("tools", "react", "no tools here"))
    journal.exchange(asked("改"))
    end(journal)

    trace = logged(folder)
    (outcome,) = trace.of_kind("outcome")
    assert (outcome["mode"], outcome["number"]) == ("react", 2)
    assert trace.of_kind("mode")[0]["to"] == "react"
    assert trace.of_kind("exchange")[0]["failure"] == {"type": "ModelFailure", "message": "no tools here"}


def test_requests_of_the_agent_the_edit_and_others_are_told_apart(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    call = action("modify_script")

    journal.exchange(asked("before"))
    journal.event(TurnStarted(1))
    journal.exchange(asked("agent"))
    journal.event(CallsPlanned((call,)))
    journal.event(ToolStarted(call))
    journal.exchange(asked("rewriter"))
    journal.event(ToolFinished(AgentStep(action=call, observation="", ok=True)))
    journal.event(ConclusionStarted("step_limit"))
    journal.exchange(asked("conclusion"))
    end(journal, "step_limit")

    trace = logged(folder)
    assert [line["by"] for line in trace.of_kind("exchange")] == ["other", "agent", "rewriter", "other"]
    assert len(trace.of_kind("outcome")) == 1


def test_what_was_sent_before_is_written_once_and_every_request_is_whole_again(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    tools = (ToolSpec("history", "List versions.", {"type": "object"}),)
    raw = {"role": "assistant", "content": None, "reasoning_content": "嗯", "tool_calls": [{"id": "c1"}]}
    past = (
        Message(role="system", content="规则" * 500),
        Message(role="user", content="改得更轻松"),
        Message(role="assistant", raw=raw),
        Message(role="tool", content="v1", tool_call_id="c1", name="history"),
        Message(role="assistant", content="x", tool_calls=(ToolCall("c2", "diff", '{"a": 1}'),)),
    )
    for length in range(2, 6):
        journal.exchange(
            Exchange(messages=past[:length], tools=tools, stop=("\nObservation",), reply=Reply(text=""))
        )
    end(journal)

    trace = logged(folder)
    exchanges = trace.of_kind("exchange")
    assert trace.path.read_text(encoding="utf-8").count("规则" * 500) == 1
    assert [len(trace.messages(each)) for each in exchanges] == [2, 3, 4, 5]
    assert trace.messages(exchanges[-1]) == (
        {"role": "system", "content": "规则" * 500},
        {"role": "user", "content": "改得更轻松"},
        {"role": "assistant", "raw": raw},
        {"role": "tool", "content": "v1", "tool_call_id": "c1", "name": "history"},
        {
            "role": "assistant",
            "content": "x",
            "tool_calls": [{"id": "c2", "name": "diff", "arguments": '{"a": 1}'}],
        },
    )
    assert [trace.form(each)["tools"][0]["name"] for each in exchanges] == ["history"] * 4
    assert trace.form(exchanges[-1])["stop"] == ["\nObservation"]


def test_a_reply_is_kept_as_the_service_sent_it(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    sent = {"role": "assistant", "content": "好的", "reasoning_content": "想一想", "x_extra": [1, None]}

    journal.exchange(
        asked("改", reply=Reply(text="好的", message=sent, finish_reason="length", usage=Usage(5, 2, False)))
    )
    journal.exchange(asked("改", reply=Reply(tool_calls=(ToolCall("c1", "history", "{"),), refusal="不行")))
    end(journal)

    first, second = (line["reply"] for line in logged(folder).of_kind("exchange"))
    assert first["message"] == sent
    assert (first["finish_reason"], first["usage"]) == ("length", {"in": 5, "out": 2, "known": False})
    assert second["message"] == {
        "role": "assistant", "content": "", "refusal": "不行",
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "history", "arguments": "{"}}],
    }  # fmt: skip


def rewriting(journal: Journal, *replies: Scripted, constraints: Constraints | None = None) -> None:
    """Let a rewriter work on the seed with these replies, and tell the journal all of it."""
    meter = Metered(ScriptedModel(list(replies)), journal.exchange)
    rewriter = LlmRewriter(meter, hooks=Hooks(on_reply=journal.rewriter_reply))
    rewriter(NumberedScript("video_001", 1, SEED), "改得更轻松一些", constraints or Constraints())


def test_replies_to_editing_requests_are_kept_with_all_that_reading_them_again_needs(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    lock = Lock(kind="phrase", text="人工智能", occurrences=2)

    rewriting(journal, "我不太明白。", FUNNIER, constraints=Constraints(locks=(lock,)))
    end(journal)

    trace = logged(folder)
    refused, planned = trace.of_kind("rewriter")
    assert refused["outcome"] == "malformed"
    assert (planned["outcome"], planned["errors"], len(planned["result"])) == ("plan", [], 16)
    assert planned["locks"] == [{"kind": "phrase", "text": "人工智能", "occurrences": 2}]
    assert (planned["script"], planned["version"], planned["syntax"]) == ("video_001", 1, "operations")
    assert trace.reply_text(planned) == FUNNIER
    assert "text" not in planned  # it stands in the exchange already


def test_without_a_result_the_run_ended_by_an_error_of_the_program(folder: Path) -> None:
    journal = run_files(folder).begin(record())

    journal.close(None, Usage())

    (line,) = logged(folder).of_kind("end")
    assert line["stop_reason"] is None


def test_half_of_a_surrogate_pair_in_a_models_words_is_kept(folder: Path) -> None:
    journal = run_files(folder).begin(record())

    journal.exchange(asked("改", reply=Reply(text="a\ud83db 好")))
    end(journal)

    trace = logged(folder)
    assert trace.of_kind("exchange")[0]["reply"]["message"]["content"] == "a\ud83db 好"
    assert trace.unreadable == 0


def test_threads_may_tell_at_once(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    threads = [
        threading.Thread(target=lambda: [journal.exchange(asked("改" * 2000)) for _ in range(50)])
        for _ in range(4)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    end(journal)

    exchanges = logged(folder).of_kind("exchange")
    assert sorted(line["number"] for line in exchanges) == list(range(1, 201))


# --- keys ------------------------------------------------------------------------------------


def test_a_key_is_masked_wherever_it_occurs(folder: Path) -> None:
    journal = run_files(folder, secrets=(KEY,)).begin(
        record(input=f"用 {KEY} 登录", model=f"m-{KEY}"), tool_names=(KEY,)
    )
    call = action("modify_script", instruction=f"把 {KEY} 写进去")
    nested = {
        "role": "assistant",
        "content": KEY,
        "extra": {KEY: [f"Bearer {KEY}", json.dumps({"key": KEY})]},
    }

    journal.event(TurnStarted(1))
    journal.exchange(asked(f"系统 {KEY}", reply=Reply(text=KEY, message=nested)))
    journal.exchange(Exchange(messages=(), failure=ModelFailure(f"denied: {KEY}")))
    journal.event(ReplyRejected(Correction(malformed=Malformed(code="x", message=KEY, hint=KEY), turn=1)))
    journal.event(ToolStarted(call))
    journal.event(ToolFinished(AgentStep(action=call, observation=f"错误 {KEY}", ok=False)))
    journal.close(RunResult(stop_reason="failed", output=KEY, error=ModelFailure(KEY)), Usage())

    text = logged(folder).path.read_text(encoding="utf-8")
    assert KEY not in text
    assert "0123456789" not in text
    assert all(line.get("masked") for line in logged(folder).lines)


@pytest.mark.parametrize("code", [400, 401, 500])
def test_a_service_that_repeats_the_key_does_not_bring_it_into_the_log(folder: Path, code: int) -> None:
    journal = run_files(folder, secrets=(KEY,)).begin(record())

    with OpenAIServer(lambda _request: echo_key(code)) as server:
        model = OpenAIChat("m", api_key=KEY, base_url=server.base_url, sleep=lambda _: None)
        with pytest.raises(ScriptEditorError):
            Metered(model, journal.exchange).complete([user("改")])
        model.close()
    end(journal, "failed", "")

    trace = logged(folder)
    assert trace.of_kind("exchange")[0]["failure"]["message"]
    assert KEY not in trace.path.read_text(encoding="utf-8")


def test_a_reply_that_repeats_the_key_does_not_bring_it_into_the_log(folder: Path) -> None:
    journal = run_files(folder, secrets=(KEY,)).begin(record())

    with OpenAIServer(
        [completion(f"your key is {KEY}", message={"x_debug": {"auth": f"Bearer {KEY}"}})]
    ) as server:
        model = OpenAIChat("m", api_key=KEY, base_url=server.base_url)
        Metered(model, journal.exchange).complete([user("改")])
        model.close()
    end(journal)

    assert KEY not in logged(folder).path.read_text(encoding="utf-8")


# --- what goes wrong -------------------------------------------------------------------------


def test_a_folder_that_cannot_be_made_costs_the_log_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be", encoding="utf-8")
    files = run_files(tmp_path / "state" / "log")

    journal = files.begin(record())
    journal.exchange(asked("改"))
    end(journal)

    assert journal is NO_JOURNAL.begin(record())
    assert "cannot be written" in files.problem


def test_a_full_disk_ends_the_log_and_not_the_run(folder: Path) -> None:
    """A file may grow no further than a limit of the process: as good as a full disk, and half a line is written."""
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from tests.app.test_runlog import asked, end, record, run_files\n"
        "files = run_files(Path(sys.argv[1]))\n"
        "journal = files.begin(record())\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "journal.exchange(asked('short'))\n"
        "journal.exchange(asked('long' * 2000))\n"
        "journal.exchange(asked('after'))\n"
        "end(journal)\n"
        "print(files.problem)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, encoding="utf-8", check=True,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )  # fmt: skip

    assert "cannot be written" in done.stdout
    trace = logged(folder)
    assert [line["kind"] for line in trace.lines] == ["run", "exchange"]
    assert trace.unreadable == 1


def test_a_process_that_is_killed_leaves_every_line_it_wrote(folder: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from tests.app.test_runlog import asked, record, run_files\n"
        "journal = run_files(Path(sys.argv[1])).begin(record())\n"
        "journal.exchange(asked('改'))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )

    assert done.returncode == -signal.SIGKILL
    assert [line["kind"] for line in logged(folder).lines] == ["run", "exchange"]


def test_a_torn_line_is_read_past(folder: Path) -> None:
    end(run_files(folder).begin(record()))
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(
        whole[: whole.index(b"\n") + 1]
        + b'{"kind": "exch\xe5\n[1]\n\n{}\n'
        + whole[whole.index(b"\n") + 1 : -9]
    )

    trace = read_trace(file)

    assert [line["kind"] for line in trace.lines] == ["run"]
    assert trace.unreadable == 4
    assert len(raw_lines(file)) == 1


def test_a_message_whose_line_is_lost_leaves_a_gap_in_its_requests(folder: Path) -> None:
    journal = run_files(folder).begin(record())
    journal.exchange(asked("一"))
    journal.exchange(asked("一", "二"))
    end(journal)
    (file,) = folder.iterdir()
    lines = file.read_bytes().split(b"\n")
    file.write_bytes(b"\n".join([lines[0], b"{", *lines[2:]]))

    trace = read_trace(file)

    assert trace.messages(trace.of_kind("exchange")[0]) == ({"role": "?"}, {"role": "user", "content": "二"})


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"[]", b'{"kind": "end"}\n', b'{"kind": "run", "format": 99}\n', b"[" * 100_000],
    ids=["empty", "bytes", "a list", "no first line", "a newer one", "brackets"],
)  # fmt: skip
def test_what_is_no_log_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)

    with pytest.raises(BadFile):
        read_trace(path)


def test_the_application_can_say_why_nothing_was_logged(tmp_path: Path) -> None:
    used = replace(
        settings(tmp_path / "store.db"), log_runs=True, environment={"SCRIPT_EDITOR_STATE": "/dev/null/state"}
    )
    app = build_app(
        used, model=ScriptedModel([ScriptedModel.call("history", script_id="video_001"), "有一个版本。"])
    )
    app.scripts.new("video_001", SEED, author="tester")
    assert app.log_problem == ""

    app.edit(
        EditRequest(script_id="video_001", instruction="有几个版本？", author="tester"),
        approve=lambda _: True,
    )

    assert "/dev/null/state/log cannot be written" in app.log_problem


# --- old ones --------------------------------------------------------------------------------


def old(folder: Path, age: timedelta, size: int = 100, run_id: str = "") -> Path:
    """Put a log into the folder that began some time ago."""
    started = NOW - age
    files = run_files(folder, max_bytes=1e12, max_age=FOREVER)
    end(files.begin(record(run_id or f"r-{age.days}", started=started), tool_names=("x" * size,)))
    (path,) = folder.glob(f"*-{run_id or f'r-{age.days}'}.jsonl")
    return path


def names(folder: Path) -> list[str]:
    return [file.run_id for file in LogFolder(folder).files()]


def test_logs_are_listed_newest_first_and_other_files_are_none(folder: Path) -> None:
    for days in (3, 1, 2):
        old(folder, timedelta(days=days))
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    (folder / "99999999T999999Z-r-x.jsonl").write_text("no date", encoding="utf-8")

    assert names(folder) == ["r-1", "r-2", "r-3"]
    assert LogFolder(folder / "absent").files() == ()


def test_what_is_too_old_goes_when_a_run_begins(folder: Path) -> None:
    for days in (40, 31, 29, 1):
        old(folder, timedelta(days=days))

    end(run_files(folder, max_age=timedelta(days=30)).begin(record("r-new")))

    assert names(folder) == ["r-new", "r-1", "r-29"]


def test_the_oldest_go_while_all_together_are_too_large(folder: Path) -> None:
    for days in (4, 3, 2, 1):
        old(folder, timedelta(days=days), size=10_000)

    end(run_files(folder, max_bytes=25_000, max_age=FOREVER).begin(record("r-new")))

    assert names(folder) == ["r-new", "r-1", "r-2"]


def test_other_files_in_the_folder_stay_whatever_the_limits(folder: Path) -> None:
    old(folder, timedelta(days=2))
    (folder / "notes.txt").write_text("mine", encoding="utf-8")

    end(run_files(folder, max_bytes=0, max_age=timedelta(0)).begin(record("r-new")))

    assert (folder / "notes.txt").exists()
    assert names(folder) == ["r-new"]


def test_what_only_has_the_name_of_a_log_is_none_and_nobody_waits_for_it(
    folder: Path, tmp_path: Path
) -> None:
    old(folder, timedelta(days=2))
    elsewhere = tmp_path / "mine.txt"
    elsewhere.write_text("mine", encoding="utf-8")
    odd = [folder / f"2020010{day}T000000Z-r-odd{day}.jsonl" for day in (1, 2, 3)]
    os.mkfifo(odd[0])
    odd[1].symlink_to(elsewhere)
    odd[2].mkdir()
    code = (
        "import sys\n"
        "from datetime import timedelta\n"
        "from pathlib import Path\n"
        "from tests.app.test_runlog import end, names, record, run_files\n"
        "end(run_files(Path(sys.argv[1]), max_bytes=0, max_age=timedelta(0)).begin(record('r-new')))\n"
        "assert names(Path(sys.argv[1])) == ['r-new']\n"
    )

    subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        check=True, timeout=60, env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )  # fmt: skip

    assert all(os.path.lexists(path) for path in odd) and elsewhere.exists()


@pytest.mark.parametrize("count", [257, 263, 300])
def test_among_very_many_logs_the_limit_holds_as_well(folder: Path, count: int) -> None:
    """One is taken away for each that is added, as age does it: there are always as many of them."""
    folder.mkdir(parents=True)
    for number in range(count):
        log(folder, number).write_bytes(b"x" * 1000)
    logs = LogFolder(folder)

    for number in range(count, count + 20):
        logs.rotate(max_bytes=100_000, max_age=FOREVER, now=NOW)
        if len(logs.files()) <= 100:
            break
        logs.remove(logs.files()[-1:])
        log(folder, number).write_bytes(b"x" * 1000)

    assert len(logs.files()) == 100


def log(folder: Path, number: int) -> Path:
    return folder / file_name(f"r-{number:04d}", NOW - timedelta(days=100) + timedelta(seconds=number))


def test_a_count_that_cannot_be_kept_is_no_reason_to_keep_too_much(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(300):
        log(folder, number).write_bytes(b"x" * 1000)
    (folder / "unmeasured").mkdir()

    LogFolder(folder).rotate(max_bytes=100_000, max_age=FOREVER, now=NOW)

    assert len(names(folder)) == 100


def test_the_log_of_a_run_that_goes_on_stays_in_this_process_and_from_another(folder: Path) -> None:
    """Two days is the run's own time: a batch may go on that long."""
    running = run_files(folder).begin(record("r-running", started=NOW - timedelta(days=2)))
    code = (
        "import sys\n"
        "from datetime import timedelta\n"
        "from pathlib import Path\n"
        "from tests.app.test_runlog import end, record, run_files\n"
        "end(run_files(Path(sys.argv[1]), max_bytes=0, max_age=timedelta(0)).begin(record('r-other')))\n"
    )

    subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    end(run_files(folder, max_bytes=0, max_age=timedelta(0)).begin(record("r-here")))
    assert "r-running" in names(folder)

    end(running)
    end(run_files(folder, max_bytes=0, max_age=timedelta(0)).begin(record("r-last")))
    assert names(folder) == ["r-last"]


def test_two_processes_log_side_by_side(folder: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.app.test_runlog import asked, end, record, run_files\n"
        "files = run_files(Path(sys.argv[1]), max_bytes=20_000)\n"
        "for number in range(100):\n"
        "    journal = files.begin(record(f'r-{sys.argv[2]}-{number}'))\n"
        "    journal.exchange(asked('改' * 100))\n"
        "    end(journal)\n"
        "assert files.problem == '', files.problem\n"
    )
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(folder), name], env={**os.environ, "PYTHONPATH": str(Path.cwd())}
        )
        for name in "ab"
    ]

    assert [process.wait(60) for process in both] == [0, 0]
    for file in LogFolder(folder).files():
        assert [line["kind"] for line in read_trace(file.path).lines] == ["run", "exchange", "end"]
    assert sum(file.bytes for file in LogFolder(folder).files()) < 30_000


# --- through the command line ----------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Command]:
    command = Command(tmp_path / "store.db")
    assert command("seeds", "load").exit_code == 0
    yield command


@pytest.mark.parametrize("mode", ["react", "tools"])
def test_an_offline_edit_is_logged(command: Command, folder: Path, mode: str) -> None:
    ran = command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes", "--mode", mode)

    assert ran.exit_code == 0, ran.stderr
    trace = logged(folder)
    assert trace.of_kind("end")[0]["stop_reason"] in ("finished", "returned_directly")
    assert {"exchange", "outcome", "call", "result"} <= {line["kind"] for line in trace.lines}
    assert trace.run["script"] == "video_001"


def test_the_log_can_be_switched_off(command: Command, folder: Path) -> None:
    assert (
        command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes", SCRIPT_EDITOR_LOG="off").exit_code
        == 0
    )

    assert not folder.exists()


def test_an_edit_succeeds_where_nothing_can_be_logged(command: Command) -> None:
    ran = command(
        "edit", "video_001", "把“黄金时代”改成“快车道”", "--yes", SCRIPT_EDITOR_STATE="/dev/null/state"
    )

    assert ran.exit_code == 0, ran.stderr
    assert "快车道" in command("show", "video_001").stdout


def test_the_limits_of_the_log_are_settings(command: Command, folder: Path) -> None:
    old(folder, timedelta(days=5))
    old(folder, timedelta(days=1))

    command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes", SCRIPT_EDITOR_LOG_MB="0.0001")

    assert len(names(folder)) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("SCRIPT_EDITOR_LOG", "perhaps"), ("SCRIPT_EDITOR_LOG_MB", "much"), ("SCRIPT_EDITOR_LOG_DAYS", "-1"),
     ("SCRIPT_EDITOR_PRICE_IN", "cheap"), ("SCRIPT_EDITOR_PRICE_OUT", "-0.1"), ("SCRIPT_EDITOR_PRICE_IN", "nan"),
     ("SCRIPT_EDITOR_PRICE_IN", "1e9")],
)  # fmt: skip
def test_a_setting_that_cannot_be_used_is_named(command: Command, name: str, value: str) -> None:
    ran = command("log", **{name: value})

    assert ran.exit_code == 6
    assert name in ran.stderr


@pytest.mark.parametrize("price", ["0", "0.000", " 0.0 ", "2.5", "1e-3"])
def test_a_price_may_be_nothing(command: Command, price: str) -> None:
    assert command("usage", SCRIPT_EDITOR_PRICE_IN=price, SCRIPT_EDITOR_PRICE_OUT=price).exit_code == 0


def test_a_wrong_price_is_told_what_it_may_be(command: Command) -> None:
    assert "0 or a number above 0" in command("log", SCRIPT_EDITOR_PRICE_IN="$3").stderr


def test_no_key_comes_into_the_log_of_a_whole_edit(command: Command, folder: Path) -> None:
    with OpenAIServer(lambda _request: completion(f"Final: {KEY}", message={"debug": KEY})) as server:
        command(
            "edit",
            "video_001",
            f"把频道改成 {KEY}",
            "--yes",
            model="m",
            OPENAI_API_KEY=KEY,
            OPENAI_BASE_URL=server.base_url,
        )
    with OpenAIServer(lambda _request: status(400, f"bad key {KEY}")) as server:
        command(
            "edit", "video_001", "改", "--yes", model="m", OPENAI_API_KEY=KEY, OPENAI_BASE_URL=server.base_url
        )

    files = LogFolder(folder).files()
    assert len(files) == 2
    for file in files:
        assert KEY not in file.path.read_text(encoding="utf-8")
