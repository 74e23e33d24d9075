"""How what came of a run is told: the answer, the truth under it, what to do next. From reports made by hand."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from script_editor.agent.steps import AgentAction, AgentStep
from script_editor.app.ask import AskReport, Changed
from script_editor.cli.ask import report_data, show_report
from script_editor.cli.render import seconds_change
from script_editor.cli.session import Session
from script_editor.domain.diff import changes
from script_editor.domain.script import Provenance
from script_editor.llm.chat import Usage
from tests.support.command import Command
from tests.support.desk import SEED

FASTER = SEED.replace("黄金时代", "快车道")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session on a store in which video_001 has two versions and an open proposal."""
    command = Command(tmp_path / "store.db")
    command("new", "video_001", "--title", "AI 发展历程", input=SEED)
    command("new", "other", "--text", "Hello there.\nThis is it.\n")
    session = Session(database=str(tmp_path / "store.db"), model="offline")
    session.app.scripts.new("third", "三。\n", author="tester")
    return session


@pytest.fixture
def saved(session: Session) -> Changed:
    base = session.app.scripts.read("video_001")
    proposed = session.app.proposals.propose(
        base, FASTER, provenance=Provenance(author="tester", instruction="快一点")
    )
    version = session.app.proposals.accept(proposed.proposal.id, decided_by="tester")
    return Changed(
        base=base, version=version, changes=changes(base.text, version.text), seconds_before=16.8, seconds_after=16.6
    )  # fmt: skip


def step(tool: str, observation: str = "…", *, ok: bool = True, **arguments: Any) -> AgentStep:
    action = AgentAction(tool=tool, arguments=arguments, log="", call_id=f"c-{tool}", turn=1)
    return AgentStep(action=action, observation=observation, ok=ok, seconds=0.5)


ANSWERED = AskReport(
    outcome="answered",
    changed=(),
    proposals=(),
    answer="改过两次。",
    truth="没有任何改动。",
    is_quotation=False,
    claims_unproven=False,
    mode="tools",
    model="m",
    run_id="r-1",
    usage=Usage(1204, 318),
    steps=(),
)


def told(capsys: pytest.CaptureFixture[str]) -> tuple[list[str], list[str]]:
    captured = capsys.readouterr()
    return captured.out.splitlines(), captured.err.splitlines()


@pytest.mark.parametrize(
    ("truth", "line"),
    [("没有任何改动。", "（没有任何改动。）"), ("Nothing was changed.", "(Nothing was changed.)")],
    ids=["zh", "en"],
)
def test_the_truth_stands_under_the_answer_of_a_model(
    session: Session, capsys, truth: str, line: str
) -> None:
    show_report(session, replace(ANSWERED, truth=truth), seen=False)

    assert told(capsys) == (["改过两次。", line], ["m: 1,204 + 318 tokens"])


@pytest.mark.parametrize(
    ("truth", "flag"),
    [("没有任何改动。", "! 回答里说改了"), ("Nothing was changed.", "! The answer speaks of a change")],
    ids=["zh", "en"],
)
def test_an_answer_that_claims_what_did_not_happen_is_flagged(
    session: Session, capsys, truth: str, flag: str
) -> None:
    show_report(session, replace(ANSWERED, truth=truth, claims_unproven=True), seen=False)

    answer, flagged, line = told(capsys)[0]
    assert answer == "改过两次。"
    assert flagged.startswith(flag)
    assert truth in line


def test_what_was_saved_is_shown_with_the_way_back(session: Session, saved: Changed, capsys) -> None:
    truth = "已修改：video_001 v1 → v2。"

    show_report(
        session,
        replace(ANSWERED, outcome="saved", changed=(saved,), truth=truth, answer="好了。"),
        seen=False,
    )

    out, err = told(capsys)
    assert out == [
        "video_001 · 基于 v1 · 1 处改动 · 17 秒",
        "  5  现在我们正处于AI的[-黄金时代-]{+快车道+}。",
        "",
        "好了。",
        truth,
    ]
    assert err == ["撤销：script-editor undo video_001", "m: 1,204 + 318 tokens"]


def test_what_the_person_has_seen_is_not_shown_again(session: Session, saved: Changed, capsys) -> None:
    truth = "已修改：video_001 v1 → v2。"

    show_report(
        session, replace(ANSWERED, outcome="saved", changed=(saved,), truth=truth, answer="好了。"), seen=True
    )

    assert told(capsys)[0] == ["好了。", truth]


def test_a_proposal_is_shown_with_what_to_do_next(session: Session, capsys) -> None:
    base = session.app.scripts.read("video_001")
    review = session.app.proposals.propose(base, FASTER, provenance=Provenance(author="tester"))
    id = review.proposal.id

    show_report(session, replace(ANSWERED, outcome="proposed", proposals=(review,)), seen=False)

    out, err = told(capsys)
    assert out[0] == f"video_001 · from v1 · 1 change · 17 s · proposal {id}"
    assert f"script-editor apply {id}" in err[0] and f"script-editor discard {id}" in err[0]


def test_quiet_prints_only_what_came_of_it(session: Session, saved: Changed, capsys) -> None:
    session.quiet = True

    show_report(session, replace(ANSWERED, outcome="saved", changed=(saved,)), seen=False)

    assert told(capsys) == (["video_001@v2"], [])


def test_control_characters_of_a_model_do_not_reach_the_terminal(session: Session, capsys) -> None:
    show_report(session, replace(ANSWERED, answer="a\x1b[2Jb\r\nc"), seen=False)

    assert "\x1b" not in capsys.readouterr().out


def test_the_trace_lists_the_calls_on_stderr(session: Session, capsys) -> None:
    steps = (step("history", script_id="video_001"), step("diff", ok=False, script_id="video_001"))

    show_report(session, replace(ANSWERED, steps=steps), seen=False, trace=True)

    assert told(capsys)[1][:2] == [
        '1  history  ok       0.5 s  {"script_id": "video_001"}',
        '1  diff     refused  0.5 s  {"script_id": "video_001"}',
    ]


def test_the_json_of_a_report(session: Session, saved: Changed, capsys) -> None:
    session.json = True
    report = replace(ANSWERED, outcome="saved", changed=(saved,), steps=(step("modify_script"),))

    show_report(session, report, seen=False)

    printed = json.loads(capsys.readouterr().out)["data"]
    assert printed == report_data(report)
    (changed,) = printed.pop("changed")
    assert (changed["script"], changed["base"], changed["version"], changed["changes"]) == (
        "video_001",
        "v1",
        "v2",
        1,
    )
    assert printed == {
        "outcome": "saved",
        "answer": "改过两次。",
        "truth": "没有任何改动。",
        "claims_unproven": False,
        "is_undone": False,
        "proposals": [],
        "notes": [],
        "tools": ["modify_script"],
        "tokens": {"in": 1204, "out": 318},
        "mode": "tools",
        "model": "m",
        "run": "r-1",
    }


# --- what a tool told ------------------------------------------------------------------------


def by_command(tmp_path: Path, *arguments: str) -> list[str]:
    return Command(tmp_path / "store.db")(*arguments).stdout.splitlines()


@pytest.mark.parametrize(
    ("read", "arguments"),
    [
        pytest.param(step("history", script_id="video_001", before=None), ["history", "video_001"], id="history"),
        pytest.param(step("history", script_id="video_001", before=2),
                     ["history", "video_001", "--before", "v2"], id="older ones"),
        pytest.param(step("diff", script_id="video_001", from_version=1, to_version=2),
                     ["diff", "video_001", "v1", "v2"], id="diff"),
        pytest.param(step("get_script", script_id="video_001"), ["show", "video_001", "--lines"], id="script"),
        pytest.param(step("get_script", script_id="video_001", version=1),
                     ["show", "video_001@v1", "--lines"], id="old version"),
        pytest.param(step("list_scripts", query=None, after=None), ["list"], id="list"),
        pytest.param(step("list_scripts", query="thir", after=None), ["list", "thir"], id="search"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("saved")
def test_what_a_tool_told_is_drawn_as_the_command_draws_it(
    session: Session, tmp_path: Path, capsys, read: AgentStep, arguments: list[str]
) -> None:
    report = replace(ANSWERED, is_quotation=True, answer=read.observation, steps=(step("history", "x"), read))

    show_report(session, report, seen=False)

    out, err = told(capsys)
    assert out == by_command(tmp_path, *arguments)
    assert "没有任何改动。" in err


def test_a_part_of_a_script_is_drawn_with_the_numbers_of_its_lines(session: Session, capsys) -> None:
    read = step("get_script", script_id="video_001", from_segment=2, to_segment=3)

    show_report(session, replace(ANSWERED, is_quotation=True, answer="…", steps=(read,)), seen=False)

    lines = SEED.splitlines()
    assert told(capsys)[0] == [f"  2  {lines[1]}", f"  3  {lines[2]}"]


def test_a_search_shows_the_line_that_was_found_in_each_script(session: Session, capsys) -> None:
    read = step("list_scripts", query="几次寒冬", after=None)

    show_report(session, replace(ANSWERED, is_quotation=True, answer="…", steps=(read,)), seen=False)

    script, line = told(capsys)[0]
    assert script.startswith("video_001")
    assert line == f"  4  {SEED.splitlines()[3]}"


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(step("get_script", script_id="gone"), id="script gone"),
        pytest.param(step("preview", script_id="video_001"), id="no command shows it"),
        pytest.param(step("history", "something else", script_id="video_001"), id="not what was quoted"),
    ],
)
def test_what_cannot_be_drawn_stays_as_the_tool_told_it(session: Session, capsys, read: AgentStep) -> None:
    show_report(session, replace(ANSWERED, is_quotation=True, answer="…", steps=(read,)), seen=False)

    assert told(capsys)[0] == ["…"]


def test_a_models_own_words_about_a_history_stay_its_words(session: Session, capsys) -> None:
    read = step("history", "v1 | …", script_id="video_001")

    show_report(session, replace(ANSWERED, answer="v1", steps=(read,)), seen=False)

    assert told(capsys)[0] == ["v1", "（没有任何改动。）"]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (484, 485, "8:04 → 8:05"),
        (485, 484, "8:05 → 8:04"),
        (484, 391, "8:04 → 6:31 (-19 %)"),
        (60, 66, "1:00 → 1:06 (+10 %)"),
    ],
)
def test_a_change_of_no_percent_is_told_without_percent(before: float, after: float, told: str) -> None:
    assert seconds_change(before, after) == told
