"""An edit without planning: one request, a proposal, and the books of a run like any other."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from script_editor.agent.steps import Limits
from script_editor.app.direct import edit_directly
from script_editor.app.edit import EditReport, EditRequest
from script_editor.app.rewriter import LlmRewriter
from script_editor.app.scope import Demands
from script_editor.errors import (
    BadInput,
    BadInstruction,
    BudgetReached,
    EditRefused,
    ModelFailure,
    ScriptEditorError,
    ScriptNotFound,
    Unfinished,
)
from script_editor.llm.chat import Message, Reply, ToolSpec, Usage
from script_editor.llm.scripted import Scripted
from script_editor.offline.rewriter import OfflineRewriter
from tests.support.desk import SEED, Desk, desk

ASKED = "第5行换个说法"
NOW = "AI的黄金时代，就是现在。"
LONG = "".join(f"这是第{number}句口播，讲一讲今天的内容有多么丰富。\n" for number in range(1, 161))


def fifth(words: str) -> Reply:
    return Reply(text=f"@@ replace S5\n{words}\n@@ end", usage=Usage(70, 30), model="m-2026")


def interrupt(_messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> str:
    raise KeyboardInterrupt


def edited(there: Desk, instruction: str = ASKED, **more: object) -> EditReport:
    request = EditRequest(
        script_id=str(more.pop("script_id", "video_001")),
        instruction=instruction,
        author="tester",
        demands=more.pop("demands", Demands()),  # type: ignore[arg-type]
    )
    return edit_directly(
        request,
        services=there.app.services,
        model=there.model,
        make_rewriter=lambda model, hooks: LlmRewriter(model, hooks=hooks),
        **more,  # type: ignore[arg-type]
    )


def test_one_call_makes_a_proposal_and_saves_nothing(tmp_path: Path) -> None:
    there = desk(tmp_path, fifth(NOW))

    report = edited(there)

    assert report.review is not None
    assert (report.outcome, report.version, report.base_number) == ("proposed", None, 1)
    assert [change.after for change in report.changes] == [NOW]
    assert there.text() == SEED
    assert there.app.proposals.open("video_001") == (report.review.proposal,)
    assert (report.mode, report.model, report.usage) == ("direct", "m-2026", Usage(70, 30))
    there.app.close()


def test_the_run_is_kept_like_any_other(tmp_path: Path) -> None:
    there = desk(tmp_path, "我不能帮你修改这部分内容。", fifth(NOW))
    with pytest.raises(EditRefused):
        edited(there)

    report = edited(there)

    run, (step,) = there.app.store.run(report.run_id)
    assert (run.mode, run.stop_reason, run.prompt_tokens, run.script_id) == (
        "direct",
        "finished",
        70,
        "video_001",
    )
    assert report.review is not None
    assert (step.tool, step.observation) == ("propose", f"proposal {report.review.proposal.id}")
    assert step.log == "sent: lines 1-5 of 5"
    refused = there.app.store.runs(script_id="video_001")[1]
    assert (refused.stop_reason, refused.prompt_tokens) == ("failed", 0)
    assert [one.run_id for one in there.app.store.refusals("video_001")] == [refused.id]
    there.app.close()


@pytest.mark.parametrize(
    ("replies", "limits", "error", "stop_reason"),
    [
        pytest.param(["我不能帮你修改这部分内容。"], None, EditRefused, "failed", id="refused"),
        pytest.param([ModelFailure("overloaded")], None, ModelFailure, "failed", id="the service fails"),
        pytest.param([interrupt], None, KeyboardInterrupt, "cancelled", id="interrupted"),
        pytest.param([fifth(NOW)], Limits(max_tokens=0), BudgetReached, "token_limit", id="no tokens"),
        pytest.param([fifth(NOW)], Limits(max_seconds=0), BudgetReached, "time_limit", id="no time"),
        pytest.param(
            [fifth(NOW)], Limits(max_model_calls=0), BudgetReached, "model_call_limit", id="no calls"
        ),
    ],
)
def test_what_stops_it_is_raised_and_kept_with_the_run(
    tmp_path: Path,
    replies: list[Scripted],
    limits: Limits | None,
    error: type[BaseException],
    stop_reason: str,
) -> None:
    there = desk(tmp_path, *replies)

    with pytest.raises(error):
        edited(there, limits=limits)

    (run,) = there.app.store.runs(script_id="video_001")
    assert run.stop_reason == stop_reason
    assert there.app.proposals.open("video_001") == ()
    there.app.close()


def test_a_refusal_is_told_in_the_language_of_the_instruction(tmp_path: Path) -> None:
    there = desk(tmp_path, "I cannot help with that.")

    with pytest.raises(EditRefused) as refused:
        edited(there, "Rephrase line 5")

    assert (refused.value.reason, refused.value.language) == ("refusal", "en")
    assert "video_001 v1" in str(refused.value)
    there.app.close()


def test_what_was_finished_of_a_long_edit_is_kept(tmp_path: Path) -> None:
    first = Reply(text="@@ replace S1\n这是第1句口播，咱们唠一唠今天的内容有多么丰富。\n@@ end")
    there = desk(tmp_path, first, ModelFailure("overloaded"), text=LONG)

    with pytest.raises(Unfinished) as unfinished:
        edited(there, "全文换个说法")

    (kept,) = there.app.proposals.open("video_001")
    assert unfinished.value.proposal_id == kept.id
    assert isinstance(unfinished.value.cause, ModelFailure)
    there.app.close()


@pytest.mark.parametrize(
    ("about", "error"),
    [
        ({"instruction": " "}, BadInstruction),
        ({"script_id": "video_404"}, ScriptNotFound),
        ({"demands": Demands(only="90-95")}, BadInput),
    ],
    ids=["no instruction", "no script", "no such lines"],
)
def test_what_cannot_be_is_refused_before_any_call(
    tmp_path: Path, about: dict[str, object], error: type[ScriptEditorError]
) -> None:
    there = desk(tmp_path)

    with pytest.raises(error):
        edited(there, **about)  # type: ignore[arg-type]

    assert there.app.store.runs() == () and there.model.calls == []
    there.app.close()


def test_the_offline_rewriter_needs_no_call(tmp_path: Path) -> None:
    there = desk(tmp_path)

    report = edit_directly(
        EditRequest(script_id="video_001", instruction="把“频道”改成“小站”", author="tester"),
        services=there.app.services,
        model=there.model,
        make_rewriter=lambda _model, _hooks: OfflineRewriter(),
    )

    assert report.review is not None
    assert report.review.proposal.text == SEED.replace("频道", "小站")
    assert (report.model, report.usage) == ("offline", Usage())
    there.app.close()
