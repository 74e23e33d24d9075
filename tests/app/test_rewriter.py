"""What a model is shown of a script, what it may change, and what happens when it fails half-way."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from script_editor.app.hooks import Hooks, PartStarted
from script_editor.app.parts import tokens
from script_editor.app.rewriter import LlmRewriter, PartlyDone
from script_editor.app.scope import Demands
from script_editor.domain.duration import estimate
from script_editor.domain.operations import Constraints, Rewrite
from script_editor.domain.segments import NumberedScript
from script_editor.domain.targets import DurationTarget
from script_editor.errors import EditRefused, ModelFailure, Unfinished
from script_editor.llm.chat import Message, Reply, ToolSpec
from script_editor.llm.scripted import Scripted, ScriptedModel
from tests.support.desk import SEED, Desk, desk

LINES = 600
LONG = "".join(
    f"第{number}处风景在{number * 37 % 1000}米高的山上，走上去要花不少力气。\n"
    for number in range(1, LINES + 1)
)
EVERYTHING = "整体改得更口语一些"
_SHOWN = re.compile(r"^(S(\d+):\w\w) \| (.*)$", re.MULTILINE)


def numbered(text: str, version: int = 1) -> NumberedScript:
    return NumberedScript("video_001", version, text)


def rewritten(
    model: ScriptedModel,
    text: str,
    instruction: str,
    constraints: Constraints | None = None,
    **hooks: Callable[..., None],
) -> Rewrite:
    return LlmRewriter(model, hooks=Hooks(**hooks))(numbered(text), instruction, constraints or Constraints())


def shown_in(messages: Sequence[Message]) -> dict[int, tuple[str, str]]:
    """Return the editable lines of a request: number to id and text."""
    request = next(message for message in messages if message.role == "user")
    return {int(number): (id, content) for id, number, content in _SHOWN.findall(request.content)}


def spoken(messages: Sequence[Message], _tools: Sequence[ToolSpec] = ()) -> str:
    """Answer as a model that makes the first shown line more spoken."""
    id, content = next(iter(shown_in(messages).values()))
    return f"@@ replace {id}\n{content.removesuffix('。')}呢。\n@@ end"


def test_a_named_line_of_a_long_script_is_all_that_is_sent() -> None:
    sent: list[str] = []
    model = ScriptedModel([spoken])

    rewritten(model, LONG, "把第300行改得口语一些", on_sent=sent.append)

    assert 300 in shown_in(model.calls[0].messages)
    assert len(shown_in(model.calls[0].messages)) <= 5
    assert sum(len(message.content) for message in model.calls[0].messages) < len(LONG) / 10
    assert re.fullmatch(r"lines 29\d-30\d of 600", sent[0])


def test_a_short_script_is_shown_whole() -> None:
    model = ScriptedModel([spoken])

    rewritten(model, SEED, "把“发展历程”那句改得口语一些")

    assert len(shown_in(model.calls[0].messages)) == 5


@pytest.mark.parametrize("answer", ["@@ need more\n@@ end", '{"ops":[],"need":"more"}', "@@ end"])
def test_a_model_that_misses_its_line_is_shown_more(answer: str) -> None:
    text = "".join(LONG.splitlines(keepends=True)[:150])
    sent: list[str] = []
    model = ScriptedModel([answer, spoken])

    rewritten(model, text, "把第70行改得口语一些", on_sent=sent.append)

    assert sent[1] == "lines 1-150 of 150"


def test_a_request_about_everything_goes_in_chunks_and_is_announced() -> None:
    parts: list[PartStarted] = []
    model = ScriptedModel([spoken] * 40)

    rewrite = rewritten(model, LONG, EVERYTHING, on_part=parts.append)

    assert len(parts) == len(model.calls) == parts[0].count == len(rewrite.plan.operations)
    assert (parts[0].first, parts[-1].last) == (1, LINES)
    assert all(tokens(call.messages[1].content) < 2_000 for call in model.calls)
    assert parts[0].tokens_in > tokens(LONG)
    assert {part.tokens_in for part in parts} == {parts[0].tokens_in}


def test_a_chunk_can_read_its_neighbours_but_not_change_them() -> None:
    model = ScriptedModel([spoken, "@@ replace S1\n别人的行。\n@@ end", spoken, *[spoken] * 40])

    rewrite = rewritten(model, LONG, EVERYTHING)

    second = model.calls[1].messages[1].content
    assert "~ | 第" in second
    assert model.calls[2].messages[-1].role == "user"
    assert [operation.id for operation in rewrite.plan.operations].count("S1") == 0


def test_a_failure_keeps_the_chunks_that_were_finished() -> None:
    model = ScriptedModel([spoken, spoken, ModelFailure("the service is down")])
    parts: list[PartStarted] = []

    with pytest.raises(PartlyDone) as stopped:
        rewritten(model, LONG, EVERYTHING, on_part=parts.append)

    assert len(stopped.value.rewrite.plan.operations) == 2
    assert stopped.value.untouched == tuple(range(parts[2].first, LINES + 1))
    assert isinstance(stopped.value.__cause__, ModelFailure)


def test_what_a_call_that_fails_was_sent_is_told_as_well() -> None:
    sent: list[str] = []

    with pytest.raises(ModelFailure):
        rewritten(ScriptedModel([ModelFailure("down")]), SEED, "口语一点", on_sent=sent.append)

    assert sent == ["lines 1-5 of 5"]


def test_an_interrupt_in_a_correction_keeps_what_was_usable() -> None:
    def interrupt(_messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> str:
        raise KeyboardInterrupt

    wrong = "@@ replace S3\n人工智能从20世纪60年代开始发展啦，\n@@ end"

    with pytest.raises(PartlyDone) as stopped:
        rewritten(ScriptedModel([wrong, interrupt]), SEED, "口语一点")

    assert [operation.id for operation in stopped.value.rewrite.plan.operations] == ["S3"]
    assert stopped.value.untouched == ()


def test_an_instruction_with_a_place_sees_everything_when_the_whole_has_to_become_shorter() -> None:
    target = DurationTarget(ratio=0.9)
    text = "".join(LONG.splitlines(keepends=True)[:40])
    model = ScriptedModel(["@@ delete S5\n@@ delete S6\n@@ delete S7\n@@ delete S8\n@@ end"])

    rewritten(model, text, "把第5行改短", Constraints(duration=target))

    assert len(shown_in(model.calls[0].messages)) == 40


def test_a_failure_in_the_first_chunk_is_just_a_failure() -> None:
    with pytest.raises(ModelFailure):
        rewritten(ScriptedModel([ModelFailure("down")]), LONG, EVERYTHING)


def test_a_reply_cut_off_over_a_long_text_is_asked_for_in_chunks() -> None:
    text = "".join(LONG.splitlines(keepends=True)[:120])
    model = ScriptedModel([Reply(text="@@ replace S1\n第一", finish_reason="length"), *[spoken] * 20])

    rewrite = rewritten(model, text, "把重复的说法换一换")

    assert len(rewrite.plan.operations) == len(model.calls) - 1 > 1


def test_a_correction_shows_only_the_lines_concerned() -> None:
    text = "".join(LONG.splitlines(keepends=True)[:100])
    wrong = "@@ substitute S7\n没有的字\n@@ with\n别的\n@@ end"
    model = ScriptedModel([wrong, "@@ replace S7\n第七处风景在高高的259米山上，走上去可累了。\n@@ end"])

    rewritten(model, text, "加一个小玩笑")

    first, second = (call.messages for call in model.calls)
    assert len(shown_in(first)) == 100
    assert set(shown_in(second)) == {7}
    assert second[-2] == Message(role="assistant", content=wrong)
    assert "没有的字" in second[-1].content


def test_a_model_that_cannot_write_operations_is_asked_for_the_whole_short_text() -> None:
    better = SEED.replace("今天我们要聊一聊", "今天咱们来聊聊")
    model = ScriptedModel(["我会把它改得更好！", "这样改比较好：更口语", better])

    rewrite = rewritten(model, SEED, "改得口语一些")

    assert SEED.rstrip("\n") in model.calls[2].messages[1].content
    assert [type(operation).__name__ for operation in rewrite.plan.operations] == ["Replace"]


def test_every_reply_that_was_not_used_is_told() -> None:
    told: list[tuple[str, str]] = []

    rewritten(
        ScriptedModel(["不行不行", spoken]), SEED, "改得口语一些",
        on_refused=lambda attempt: told.append((attempt.refusal.reason, attempt.reply)),
    )  # fmt: skip

    assert told == [("malformed", "不行不行")]


OFFER = "这款灯的价格是300元。\n充一次电可以用20个小时。\n今天下单就送一个灯罩。\n"
ONE_WRONG = "@@ replace S1\n这款灯的价格是200元哦。\n@@ end"
TWO_WRONG = "@@ replace S1\n这款灯很便宜哦。\n@@ replace S2\n充一次电可以用很久哦。\n@@ end"


@pytest.mark.parametrize("best_at", [0, 1, 2])
def test_of_several_that_only_a_person_may_save_the_one_with_the_fewest_faults_is_kept(best_at: int) -> None:
    replies = [TWO_WRONG] * 3
    replies[best_at] = ONE_WRONG

    rewrite = rewritten(ScriptedModel(replies), OFFER, "口语一点")

    assert [operation.id for operation in rewrite.plan.operations] == ["S1"]


# --- spoken time -----------------------------------------------------------------------------


def shorter(text: str, lines: Sequence[int]) -> str:
    return "\n".join([*(f"@@ delete S{number}" for number in lines), "@@ end"])


PLAIN = "".join(
    f"我们一起来看看山里的风景，慢慢地走，好好地看，{word}也好。\n" for word in "春夏秋冬晴雨风雪早晚"
)


def test_a_missed_time_is_answered_with_the_measured_difference() -> None:
    target = DurationTarget(seconds=estimate(PLAIN).seconds / 2)
    model = ScriptedModel([shorter(PLAIN, [1]), shorter(PLAIN, [1, 2, 3, 4, 5])])

    rewrite = rewritten(model, PLAIN, "删掉一些，压短", Constraints(duration=target))

    assert len(rewrite.plan.operations) == 5
    assert re.search(r"相差 \+\d+ 秒", model.calls[1].messages[-1].content)


def test_a_time_that_is_never_met_brings_the_nearest_plan_after_two_more_calls() -> None:
    target = DurationTarget(seconds=estimate(PLAIN).seconds / 2)
    model = ScriptedModel([shorter(PLAIN, [1]), shorter(PLAIN, [1, 2, 3]), shorter(PLAIN, [1, 2])])

    rewrite = rewritten(model, PLAIN, "删掉一些，压短", Constraints(duration=target))

    assert len(rewrite.plan.operations) == 3
    model.assert_done()


# --- through the agent -----------------------------------------------------------------------


class MakeDesk(Protocol):
    def __call__(self, *replies: Scripted, text: str = SEED) -> Desk: ...


@pytest.fixture
def make(tmp_path: Path) -> Iterator[MakeDesk]:
    made: list[Desk] = []

    def build(*replies: Scripted, text: str = SEED) -> Desk:
        made.append(desk(tmp_path, *replies, text=text))
        return made[-1]

    yield build
    for one in made:
        one.app.close()


def modify(instruction: str) -> Reply:
    return ScriptedModel.call("modify_script", script_id="video_001", instruction=instruction)


def test_a_long_edit_that_fails_half_way_leaves_a_proposal_and_names_the_rest(make: MakeDesk) -> None:
    there = make(modify(EVERYTHING), spoken, spoken, ModelFailure("the service is down"), text=LONG)

    with pytest.raises(Unfinished) as stopped:
        there.edit(EVERYTHING)

    kept = there.app.proposals.review(stopped.value.proposal_id)
    assert stopped.value.exit_code == 7
    assert len(kept.changes) == 2
    assert any(stopped.value.untouched in note for note in kept.notes)
    assert there.text() == LONG


def test_ctrl_c_in_a_long_edit_keeps_what_was_paid_for(make: MakeDesk) -> None:
    def interrupt(_messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> str:
        raise KeyboardInterrupt

    there = make(modify(EVERYTHING), spoken, interrupt, text=LONG)

    with pytest.raises(Unfinished) as stopped:
        there.edit(EVERYTHING)

    assert stopped.value.exit_code == 130
    assert len(there.app.proposals.review(stopped.value.proposal_id).changes) == 1


def test_the_run_log_says_which_lines_were_sent(make: MakeDesk) -> None:
    there = make(modify("把第300行改得口语一些"), spoken, "好了。", text=LONG)

    report = there.edit("把第300行改得口语一些")

    _, steps = there.app.store.run(report.run_id)
    assert re.search(r"sent: lines 29\d-30\d of 600", steps[0].log)


def test_a_refused_reply_is_kept_with_its_reason(make: MakeDesk) -> None:
    there = make(
        modify("幽默一点"),
        "我不太确定。",
        "@@ replace S2\n今天我们唠唠人工智能的发展历程。\n@@ end",
        "好了。",
    )

    there.edit("幽默一点")

    (kept,) = there.app.scripts.refusals("video_001")
    assert (kept.reason, kept.reply, kept.base_number) == ("malformed", "我不太确定。", 1)


def test_a_result_that_a_check_fails_is_kept_as_a_proposal_that_a_person_can_force(make: MakeDesk) -> None:
    wrong = "@@ replace S3\n人工智能从20世纪60年代开始发展啦，\n@@ end"
    there = make(modify("活泼一点"), wrong, wrong, wrong, "做不到。")

    with pytest.raises(EditRefused) as refused:
        there.edit("活泼一点")

    assert refused.value.reason == "facts_changed"
    assert "没有保存" in str(refused.value)
    (proposal,) = there.app.proposals.open("video_001")
    assert proposal.id in refused.value.hint
    with pytest.raises(EditRefused):
        there.app.proposals.accept(proposal.id, decided_by="tester")
    assert there.app.proposals.accept(proposal.id, decided_by="tester", overrule=True).number == 2


def test_a_missed_time_is_a_proposal_and_not_a_save(make: MakeDesk) -> None:
    once = shorter(PLAIN, [1])
    asked = "删掉一些内容，压到5秒"
    there = make(modify(asked), once, once, once, "没压下来。", text=PLAIN)

    with pytest.raises(EditRefused) as refused:
        there.edit(asked)

    assert refused.value.reason == "target_missed"
    (proposal,) = there.app.proposals.open("video_001")
    assert there.app.proposals.accept(proposal.id, decided_by="tester").number == 2


def test_the_agent_is_told_of_locks_and_the_program_keeps_them(make: MakeDesk) -> None:
    over = "@@ replace S1\n哈喽哈喽。\n@@ end"
    there = make(modify("开头活泼一点"), over, over, over, "改不了。")
    there.app.locks.lock("video_001", kind="segment", numbers=[1], author="tester")

    with pytest.raises(EditRefused) as refused:
        there.edit("开头活泼一点")

    assert refused.value.reason == "locked_changed"
    assert "[locked] | 大家好" in there.model.calls[1].messages[1].content
    assert there.text() == SEED


def test_only_limits_what_may_change(make: MakeDesk) -> None:
    over = "@@ replace S1\n哈喽。\n@@ replace S2\n今天聊聊人工智能的发展历程。\n@@ end"
    there = make(modify("活泼一点"), over, "@@ replace S2\n今天聊聊人工智能的发展历程。\n@@ end", "好了。")

    report = there.edit("活泼一点", demands=Demands(only="2-3"))

    assert [change.before_line for change in report.changes] == [2]


def test_keep_holds_a_word_for_one_request(make: MakeDesk) -> None:
    without = "@@ replace S5\n现在正是AI的好时候。\n@@ end"
    kept = "@@ replace S5\n现在，正是AI的黄金时代！\n@@ end"
    there = make(modify("活泼一点"), without, kept, "好了。")

    report = there.edit("活泼一点", demands=Demands(keep=("黄金时代",)))

    assert report.version is not None and "黄金时代" in report.version.text
    assert "黄金时代" in there.model.calls[1].messages[1].content
