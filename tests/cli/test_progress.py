"""What is drawn on stderr while a run goes on, from its events."""

from dataclasses import dataclass

import pytest

from script_editor.agent.events import (
    AnswerQuestioned,
    CallsPlanned,
    ConclusionStarted,
    Event,
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
from script_editor.app.hooks import PartStarted
from script_editor.cli.progress import Progress
from script_editor.cli.session import Session
from script_editor.llm.chat import Usage


def action(number: int, tool: str = "history", log: str = "想一想") -> AgentAction:
    return AgentAction(tool=tool, arguments={"n": number}, log=log, call_id=f"c{number}", turn=1)


def finished(number: int, told: str = "v1 | 今天", *, ok: bool = True) -> ToolFinished:
    return ToolFinished(AgentStep(action=action(number), observation=told, ok=ok, seconds=0.25))


def correction(message: str) -> Correction:
    return Correction(malformed=Malformed(code="no_action", message=message, hint=""), turn=1)


def drawn(capsys: pytest.CaptureFixture[str], *events: Event | str, verbose: int = 1) -> list[str]:
    """Return the lines on stderr; a text among the events is a piece of a draft."""
    with Progress(Session(verbose=verbose)) as progress:
        for event in events:
            progress.draft(event) if isinstance(event, str) else progress.listen(event)
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_a_step_shows_the_thought_the_call_its_result_and_the_tokens(capsys) -> None:
    lines = drawn(
        capsys,
        TurnStarted(1),
        TextArrived("先看"),
        TextArrived("历史。\n再说"),
        UsageReported(Usage(1204, 318)),
        CallsPlanned((action(1),)),
        ToolStarted(action(1)),
        finished(1),
        RunEnded(RunResult(stop_reason="finished", output="", seconds=1.5)),
    )

    assert lines == [
        "step 1",
        "  │ 先看历史。",
        "  │ 再说",
        "  so far 1,204 + 318 tokens",
        '  history {"n": 1}',
        "    ok, 0.25 s",
        "    v1 | 今天",
        "ended: finished, 1.5 s",
    ]


def test_a_thought_that_did_not_stream_is_shown_with_the_calls(capsys) -> None:
    lines = drawn(
        capsys, TurnStarted(1), CallsPlanned((action(1, log="想一想\n做"),)), ToolStarted(action(1))
    )

    assert lines == ["step 1", "  │ 想一想", "  │ 做", '  history {"n": 1}']


def test_calls_side_by_side_each_have_their_own_result(capsys) -> None:
    lines = drawn(
        capsys, ToolStarted(action(1)), ToolStarted(action(2)), finished(2, "b", ok=False), finished(1, "a")
    )

    assert lines == [
        '  history {"n": 1}',
        '  history {"n": 2}',
        '  history {"n": 2}',
        "    refused, 0.25 s",
        "    b",
        '  history {"n": 1}',
        "    ok, 0.25 s",
        "    a",
    ]


def test_a_call_after_others_that_ran_side_by_side_needs_no_second_line(capsys) -> None:
    calls = ToolStarted(action(1)), ToolStarted(action(2)), finished(1), finished(2)

    assert drawn(capsys, *calls, ToolStarted(action(3)), finished(3))[-3:] == [
        '  history {"n": 3}',
        "    ok, 0.25 s",
        "    v1 | 今天",
    ]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        pytest.param(ModeChanged("tools", "json", "no tools here"), "  mode tools → json: no tools here", id="mode"),
        pytest.param(ModeChanged("tools", "json"), "  mode tools → json", id="mode without a reason"),
        pytest.param(ReplyRejected(correction("没有\nAction")), "  unreadable reply (no_action): 没有 Action", id="rejected"),
        pytest.param(AnswerQuestioned(correction("Nothing\nwas saved.")), "  answer questioned: Nothing was saved.", id="questioned"),
        pytest.param(ConclusionStarted("step_limit"), "no step is left: the model is asked for a summary", id="summary"),
    ],
)  # fmt: skip
def test_what_happens_between_calls_is_one_line(capsys, event: Event, line: str) -> None:
    assert drawn(capsys, event) == [line]


def test_a_call_that_was_skipped_says_why(capsys) -> None:
    skipped = ToolSkipped(AgentStep(action=action(1), observation="Interrupted.", ok=False))

    assert drawn(capsys, skipped) == ['  history {"n": 1}', "    not run: Interrupted."]


def test_what_no_service_reported_is_not_shown_as_nothing(capsys) -> None:
    assert drawn(capsys, UsageReported(Usage(0, 0, known=False))) == []


def test_two_drafts_do_not_run_together(capsys) -> None:
    assert drawn(capsys, "@@ replace S1\n第一", "稿", "\n", "\n", "@@ replace S1\n第二稿") == [
        "  │ @@ replace S1",
        "  │ 第一稿",
        "  │ @@ replace S1",
        "  │ 第二稿",
    ]


@pytest.mark.parametrize(
    "pieces",
    [
        ("a\x1b[2Jb",),
        (
            "a\r",
            "\nb",
        ),
        ("a\rb",),
    ],
    ids=repr,
)
def test_a_models_text_cannot_steer_the_terminal(capsys, pieces: tuple[str, ...]) -> None:
    drawn_lines = drawn(capsys, *(TextArrived(piece) for piece in pieces))

    assert not any("\x1b" in line or "\r" in line for line in drawn_lines)


def test_very_verbose_leaves_the_text_to_the_trace(capsys) -> None:
    assert drawn(capsys, TurnStarted(1), TextArrived("想"), CallsPlanned((action(1),)), verbose=2) == [
        "step 1"
    ]


@dataclass(frozen=True)
class SomethingNew:
    """An event that this front end has never heard of."""


@pytest.mark.parametrize("verbose", [0, 1])
def test_an_unknown_event_is_left_alone(capsys, verbose: int) -> None:
    assert drawn(capsys, SomethingNew(), verbose=verbose) == []  # type: ignore[arg-type]


def test_without_a_terminal_only_long_work_has_a_line(capsys) -> None:
    with Progress(Session()) as progress:
        for event in (TurnStarted(1), TextArrived("想"), ToolStarted(action(1)), finished(1)):
            progress.listen(event)
        progress.part(PartStarted(number=2, count=3, first=41, last=80, tokens_in=900, tokens_out=400))

    assert capsys.readouterr().err.splitlines() == ["chunk 2 of 3 (lines 41-80)"]
