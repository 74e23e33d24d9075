"""Several proposals for one instruction: how they differ, what fails, what is left when something does."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest
import sqlalchemy as sa

from script_editor.agent.steps import Limits
from script_editor.app.bootstrap import App, build_app
from script_editor.app.candidates import AVOID_CHARS, Candidates, make_candidates
from script_editor.app.edit import EditRequest
from script_editor.app.rewriter import LlmRewriter
from script_editor.errors import (
    BudgetReached,
    EditRefused,
    ModelFailure,
    ProposalClosed,
    SetupError,
    Unfinished,
)
from script_editor.llm.chat import Message, Reply, ToolSpec, Usage
from script_editor.llm.scripted import Scripted
from tests.support.ctrl_c import press
from tests.support.desk import SEED, Desk, desk, settings

ASKED = "第5行换个说法"
WRONG_FACT = "@@ replace S3\n人工智能从20世纪60年代开始发展啦，\n@@ end"
LONG = "".join(f"这是第{number}句口播，讲一讲今天的内容有多么丰富。\n" for number in range(1, 161))


def fifth(words: str) -> Reply:
    return Reply(text=f"@@ replace S5\n{words}\n@@ end", usage=Usage(70, 30, 1))


FAST, NOW, GOLD = "现在我们正处于AI的快车道。", "AI的黄金时代，就是现在。", "眼下正是AI的黄金时代。"


def interrupt(_messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> str:
    raise KeyboardInterrupt


@contextmanager
def pressed_at_commit(app: App, number: int, times: int) -> Iterator[list[int]]:
    """Press Ctrl-C at the commit of that number, from 1; yields the number of those that came."""
    engine = app.store._engine  # type: ignore[attr-defined]  # no door shows a commit
    seen = [0]

    def at_commit(*_: object) -> None:
        seen[0] += 1
        if seen[0] == number:
            press(times)

    sa.event.listen(engine, "commit", at_commit)
    try:
        yield seen
    finally:
        sa.event.remove(engine, "commit", at_commit)


class MakeDesk(Protocol):
    def __call__(self, *replies: Scripted, text: str = SEED) -> Desk: ...


@pytest.fixture
def make(tmp_path: Path) -> Iterator[MakeDesk]:
    made: list[Desk] = []

    def build(*replies: Scripted, text: str = SEED) -> Desk:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(desk(folder, *replies, text=text))
        return made[-1]

    yield build
    for one in made:
        one.app.close()


def candidates(there: App, count: int, instruction: str = ASKED, limits: Limits | None = None) -> Candidates:
    return make_candidates(
        EditRequest(script_id="video_001", instruction=instruction, author="tester", preview=True),
        count,
        services=there.services,
        model=there.model,
        make_rewriter=lambda model, hooks: LlmRewriter(model, hooks=hooks),
        limits=limits,
    )


def written(made: Candidates) -> list[list[str]]:
    return [[change.after for change in review.changes] for review in made.reviews]


def asked(there: Desk, call: int) -> str:
    return there.model.calls[call].messages[1].content


def test_each_candidate_is_told_what_the_earlier_ones_wrote(make: MakeDesk) -> None:
    there = make(fifth(FAST), fifth(NOW), fifth(GOLD))

    made = candidates(there.app, 3)

    assert written(made) == [[FAST], [NOW], [GOLD]]
    assert "明显不同" not in asked(there, 0)
    assert f"\n> {FAST}" in asked(there, 1)
    assert asked(there, 2).index(f"\n> {NOW}") < asked(there, 2).index(f"\n> {FAST}")


def test_what_an_earlier_candidate_deleted_is_told_as_well(make: MakeDesk) -> None:
    there = make("@@ delete S4\n@@ end", "@@ delete S2\n@@ end")

    candidates(there.app, 2, "删掉一行")

    assert "\n> [-] 经历了几次寒冬和复兴。" in asked(there, 1)


def test_what_is_told_of_earlier_candidates_is_bounded(make: MakeDesk) -> None:
    def all_anew(messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> str:
        word = f"{len(messages[1].content)}"
        rows = [f"@@ replace S{number}\n这是第{number}句口播，说说内容{word}。" for number in range(1, 30)]
        return "\n".join([*rows, "@@ end"])

    text = "".join(LONG.splitlines(keepends=True)[:29])
    there = make(*[all_anew] * 4, text=text)

    candidates(there.app, 4, "全文换个说法")

    told = [asked(there, call).partition("它们只供对照")[2] for call in range(1, 4)]
    assert all(0 < len(each) < AVOID_CHARS * 1.3 for each in told)


def test_equal_candidates_are_one_and_their_usage_adds_up(make: MakeDesk) -> None:
    there = make(fifth(FAST), fifth(FAST), fifth(NOW))

    made = candidates(there.app, 3)

    assert written(made) == [[FAST], [NOW]]
    assert made.warnings == ("第 2 版和第 1 版一样，没有列出。",)
    assert {proposal.id for proposal in there.app.proposals.open("video_001")} == {
        review.proposal.id for review in made.reviews
    }
    assert (made.usage.prompt_tokens, made.usage.completion_tokens) == (210, 90)
    assert [review.proposal.provenance.prompt_tokens for review in made.reviews] == [70, 70]
    run, _ = there.app.store.run(made.run_id)
    assert (run.prompt_tokens, run.completion_tokens, run.stop_reason) == (210, 90, "finished")


def test_a_refused_candidate_does_not_stop_the_others(make: MakeDesk) -> None:
    there = make("我不能帮你修改这部分内容。", fifth(NOW), ModelFailure("overloaded"), fifth(GOLD))

    made = candidates(there.app, 4)

    assert written(made) == [[NOW], [GOLD]]
    assert [warning[:10] for warning in made.warnings] == ["第 1 版没有做成：", "第 3 版没有做成："]


def test_when_all_are_refused_the_first_refusal_is_told(make: MakeDesk) -> None:
    there = make("我不能帮你修改这部分内容。", "我不能帮你修改这部分内容。", "@@ end")

    with pytest.raises(EditRefused) as refused:
        candidates(there.app, 3)

    assert refused.value.reason == "refusal"
    assert there.app.proposals.open("video_001") == ()


def test_a_failure_before_there_is_one_ends_it(make: MakeDesk) -> None:
    there = make(ModelFailure("overloaded"))

    with pytest.raises(ModelFailure):
        candidates(there.app, 3)

    assert there.text() == SEED


@pytest.mark.parametrize(
    ("after", "limits"),
    [
        pytest.param([], Limits(max_tokens=150), id="tokens"),
        pytest.param([SetupError("the key was refused")], None, id="a key that is refused"),
    ],
)
def test_what_no_other_candidate_can_mend_ends_it_with_those_there_are(
    make: MakeDesk, after: list[Scripted], limits: Limits | None
) -> None:
    there = make(fifth(FAST), fifth(NOW), *after)

    made = candidates(there.app, 8, limits=limits)

    assert written(made) == [[FAST], [NOW]]
    assert len(made.warnings) == 1
    run, _ = there.app.store.run(made.run_id)
    assert run.stop_reason == ("token_limit" if limits else "finished")


def test_a_budget_that_is_used_up_before_the_first_is_told(make: MakeDesk) -> None:
    there = make()

    with pytest.raises(BudgetReached):
        candidates(there.app, 2, limits=Limits(max_tokens=0))

    assert there.model.calls == []


def test_ctrl_c_keeps_those_that_were_made(make: MakeDesk) -> None:
    there = make(fifth(FAST), interrupt)

    made = candidates(there.app, 3)

    assert written(made) == [[FAST]]
    assert made.warnings == ("已停止：共 3 版，做好了 1 版。",)
    assert there.app.store.run(made.run_id)[0].stop_reason == "cancelled"


def test_ctrl_c_before_the_first_is_an_interrupt(make: MakeDesk) -> None:
    there = make(interrupt)

    with pytest.raises(KeyboardInterrupt):
        candidates(there.app, 3)


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
def test_ctrl_c_at_any_commit_leaves_no_proposal_untold_and_no_run_open(make: MakeDesk, times: int) -> None:
    told = []
    for number in range(1, 100):
        there = make(fifth(FAST), fifth(NOW), fifth(GOLD))

        with pressed_at_commit(there.app, number, times) as seen:
            try:
                made = candidates(there.app, 3)
                told.append(len(made.reviews))
                proposed = {review.proposal.id for review in made.reviews}
            except KeyboardInterrupt:
                proposed = set()

        assert {proposal.id for proposal in there.app.proposals.open("video_001")} == proposed, number
        assert all(run.finished_at for run in there.app.store.runs())
        if seen[0] < number:
            break

    assert set(told) == {1, 2, 3}


@pytest.mark.parametrize("finished", [0, 1], ids=["in the first", "in the second"])
def test_ctrl_c_in_a_long_candidate_names_the_part_that_was_finished(make: MakeDesk, finished: int) -> None:
    def chunk(messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> str:
        first = messages[1].content.split("S", 1)[1].partition(":")[0]
        return f"@@ replace S{first}\n这是第{first}句口播，说说今天的内容有多么丰富。\n@@ end"

    there = make(*[chunk] * 5 * finished, chunk, interrupt, text=LONG)

    if finished:
        warnings = candidates(there.app, 2, "全文改得口语一点").warnings
        said = " ".join(warnings)
    else:
        with pytest.raises(Unfinished) as stopped:
            candidates(there.app, 2, "全文改得口语一点")
        assert stopped.value.exit_code == 130
        said = str(stopped.value)

    newest = there.app.proposals.open("video_001")[0]
    assert newest.id in said


def test_picking_one_closes_the_others(make: MakeDesk) -> None:
    there = make(fifth(FAST), fifth(NOW), fifth(GOLD))
    first, second, third = candidates(there.app, 3).reviews

    version = there.app.proposals.pick(
        second.proposal.id, [first.proposal.id, third.proposal.id], decided_by="tester"
    )

    assert NOW in version.text
    assert there.app.proposals.open("video_001") == ()
    with pytest.raises(ProposalClosed):
        there.app.proposals.accept(first.proposal.id, decided_by="tester")


def test_a_candidate_with_findings_is_shown_and_only_a_person_may_save_it(make: MakeDesk) -> None:
    there = make(*[WRONG_FACT] * 3, fifth(NOW))

    wrong, right = candidates(there.app, 2, "口语一点").reviews

    assert [finding.code for finding in wrong.findings if finding.level == "error"] == ["facts_changed"]
    with pytest.raises(EditRefused):
        there.app.proposals.pick(wrong.proposal.id, [right.proposal.id], decided_by="tester")
    assert len(there.app.proposals.open("video_001")) == 2
    forced = there.app.proposals.pick(
        wrong.proposal.id, [right.proposal.id], decided_by="tester", overrule=True
    )
    assert "60年代" in forced.text


def test_the_log_of_the_run_says_what_each_candidate_sent_and_came_to(make: MakeDesk) -> None:
    there = make(fifth(FAST), "我不能帮你修改这部分内容。")

    made = candidates(there.app, 2)

    _, steps = there.app.store.run(made.run_id)
    assert [step.log for step in steps] == ["sent: lines 1-5 of 5"] * 2
    assert steps[0].observation == f"proposal {made.reviews[0].proposal.id}"
    assert steps[1].error is not None and steps[1].observation is None


def test_the_offline_model_has_one_candidate_and_says_so(tmp_path: Path) -> None:
    app = build_app(settings(tmp_path / "store.db", model="offline"))
    app.scripts.new("video_001", SEED, author="tester")
    request = EditRequest(
        script_id="video_001", instruction="把“频道”改成“直播间”", author="tester", preview=True
    )

    made = app.candidates(request, 3, on_candidate=lambda _number: None)

    assert len(made.reviews) == 1
    assert len(made.warnings) == 2
    app.close()
