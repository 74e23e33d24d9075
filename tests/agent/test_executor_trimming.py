"""What the planner is shown of a long run: whole turns. What is returned is everything."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from script_editor.agent.shown import Trim
from script_editor.agent.steps import AgentStep, RunResult
from tests.agent.fakes import Recorder
from tests.agent.runs import TASKS, Decides, a_run, answered, ask_for, decided, finish, tool, wanted

LONG = "字" * 100


def five_turns(language: str = "en", **options: object) -> tuple[Decides, RunResult]:
    """Four turns with two calls each, the first of which saves, and an answer."""
    turns = [
        ask_for(("save" if turn == 1 else "look", f"{turn}a"), ("see", f"{turn}b")) for turn in range(1, 5)
    ]
    planner = Decides([*turns, finish("好。")])
    count = iter(range(99))
    tools = [
        tool("save", lambda: "tea-ad: version 2 saved\n…", writes=True),
        tool("look", lambda: f"{next(count)}{LONG}"),
        tool("see", lambda: f"{next(count)}", parallel=False),
    ]
    return planner, decided(planner, *tools, **options).run(TASKS[language])


def ids(steps: Sequence[AgentStep]) -> list[str]:
    return [step.action.call_id for step in steps]


@pytest.mark.parametrize(
    ("trim", "shown"),
    [
        (None, ["1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b"]),
        (2, ["3a", "3b", "4a", "4b"]),
        (9, ["1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b"]),
        (
            lambda steps: [step for step in steps if step.action.turn != 2],
            ["1a", "1b", "3a", "3b", "4a", "4b"],
        ),
        (lambda _steps: [], []),
    ],
    ids=["all", "the last two", "more than there are", "a function", "nothing"],
)
def test_whole_turns_are_shown_and_all_steps_returned(trim: Trim, shown: list[str]) -> None:
    planner, result = five_turns(trim=trim)

    assert ids(planner.shown[-1]) == shown
    assert len(result.steps) == 8
    assert not any("not shown" in step.observation for step in result.steps)


@pytest.mark.parametrize(
    ("language", "note"),
    [
        (
            "en",
            "(Note: 2 earlier turns are not shown here. Completed in them: tea-ad: version 2 saved.)",
        ),
        ("zh", "（提示：另有 2 轮较早的调用没有在这里显示，其中已完成：tea-ad: version 2 saved）"),
    ],
)
def test_the_planner_is_told_how_much_it_does_not_see_and_what_was_completed_there(
    language: str, note: str
) -> None:
    planner, _ = five_turns(language, trim=2)

    assert planner.shown[-1][0].observation.split("\n")[0] == note
    assert planner.shown[2][0].observation.startswith("tea-ad"), "two turns, both shown"


def test_a_long_run_is_trimmed_by_characters() -> None:
    planner, _ = five_turns(max_shown_chars=230)

    assert ids(planner.shown[-1]) == ["3a", "3b", "4a", "4b"]
    assert "2 earlier turns are" in planner.shown[-1][0].observation


def test_the_newest_turn_is_shown_however_long_it_is() -> None:
    planner, _ = five_turns(max_shown_chars=10)

    assert ids(planner.shown[-1]) == ["4a", "4b"]


def test_a_function_may_say_less_of_old_steps_before_the_characters_are_counted() -> None:
    def shortened(steps: Sequence[AgentStep]) -> list[AgentStep]:
        return [replace(step, observation="short") for step in steps]

    planner, _ = five_turns(trim=shortened, max_shown_chars=200)

    assert len(planner.shown[-1]) == 8


@pytest.mark.parametrize(
    "trim",
    [
        lambda steps: steps[1:],
        lambda steps: list(reversed(steps)),
        lambda steps: sorted(steps, key=lambda step: -step.action.turn),
        lambda steps: [*steps, *steps],
    ],
    ids=["a part of a turn", "another order", "turns in another order", "twice"],
)
def test_a_function_that_splits_a_turn_is_a_bug_that_is_told(
    trim: Callable[[Sequence[AgentStep]], Sequence[AgentStep]],
) -> None:
    heard = Recorder()

    with pytest.raises(ValueError, match="whole turns"):
        five_turns(trim=trim, heard=heard)

    assert heard.kinds[-1] == "RunEnded"


def test_at_least_one_turn_must_be_shown() -> None:
    with pytest.raises(ValueError, match="At least one"):
        five_turns(trim=0)


def test_ids_stay_unique_and_every_call_is_answered_when_old_turns_are_not_shown() -> None:
    calls = [wanted("tools", ("history", {"script_id": "tea-ad"})), wanted("tools", ("list_scripts", {}))]
    run = a_run("tools", *calls, *calls, answered("tools", "好。"), trim=1)

    result = run.executor.run(TASKS["zh"])

    assert len({step.action.call_id for step in result.steps}) == 4
    for call in run.model.calls[1:]:
        [asked] = [message for message in call.messages if message.role == "assistant"]
        answers = [message for message in call.messages if message.role == "tool"]
        assert [message.tool_call_id for message in answers] == [one.id for one in asked.tool_calls]
        if asked.raw:
            assert [entry["id"] for entry in asked.raw["tool_calls"]] == [one.id for one in asked.tool_calls]
