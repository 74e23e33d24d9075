"""Plans through `make_plan`, over a real store."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from script_editor.batch.planning.plan import PlanReport, PlanRequest, make_plan
from script_editor.batch.planning.selecting import Selection, selected
from script_editor.batch.planning.sources import decoded, of_ids, of_text
from script_editor.domain.batches import Ending, Wishes
from script_editor.domain.script import Provenance
from script_editor.errors import BadFile, BadInput
from script_editor.store.batch_store import SqlBatchStore
from script_editor.store.engine import database_url
from script_editor.store.sql import SqlScriptStore, open_store
from tests.store.support import OpenBatches, engine_of

ALICE = Provenance(author="alice")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlScriptStore]:
    with open_store(str(tmp_path / "s.db"), create=True) as store:
        for name in ("video_001", "video_002", "第一集"):
            store.create(name, f"大家好，这里是 {name}。\n关注频道。\n", provenance=ALICE)
        yield store


@pytest.fixture
def batches(store: SqlScriptStore, tmp_path: Path) -> Iterator[OpenBatches]:
    with engine_of(database_url(str(tmp_path / "s.db"))) as engine:
        yield OpenBatches(engine)


def planned(store, batches, request: PlanRequest, **more) -> PlanReport:
    return make_plan(request, scripts=store, batches=batches, model="m", prompts="p", **more)


def of_csv(text: str, instruction: str = "") -> PlanRequest:
    rows = of_text(decoded(text.encode(), name="jobs.csv"), name="jobs.csv", form="csv")
    return PlanRequest(author="alice", instruction=instruction, sources=[rows])


def items(batches: SqlBatchStore, report: PlanReport) -> list[tuple[str, str]]:
    assert report.batch is not None
    return [(item.job.script_id, item.job.instruction) for item in batches.items(report.batch.id)]


def problems(report: PlanReport) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.told("en")) for problem in report.problems]


def test_a_plan_of_ids_freezes_the_version_of_each(store, batches):
    store.append("video_002", "新的\n", expected_head=1, source="manual", provenance=ALICE)

    report = planned(
        store,
        batches,
        PlanRequest(author="alice", instruction="改短", sources=[of_ids(["video_002", "第一集"])]),
    )

    assert [("video_002", "改短"), ("第一集", "改短")] == items(batches, report)
    assert [2, 1] == [item.job.base_number for item in batches.items(report.batch.id)]
    assert ("direct", "m", "p") == (
        report.batch.recipe.mode, report.batch.recipe.model, report.batch.recipe.prompts,
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "script,product\nvideo_001,极盾\n第一集,轻盾\n",
        "\ufeff脚本,product\r\nvideo_001,极盾\r\n\r\n第一集,轻盾\r\n",
        'script,product\n"video_001","极盾"\n"第一集","轻盾"',
    ],
    ids=["plain", "as a spreadsheet saves it", "quoted"],
)
def test_a_template_is_filled_from_the_columns_of_each_row(store, batches, text):
    report = planned(store, batches, of_csv(text, "把“频道”改成“{product}”，保留 {{原样}}"))

    assert [
        ("video_001", "把“频道”改成“极盾”，保留 {原样}"),
        ("第一集", "把“频道”改成“轻盾”，保留 {原样}"),
    ] == items(batches, report)


def test_a_row_may_have_an_instruction_and_wishes_of_its_own(store, batches):
    text = "script,instruction,target,keep\nvideo_001,换个结尾,30s,频道|大家好\nvideo_002,,,\n"

    report = planned(store, batches, of_csv(text, "改短"))

    first, second = batches.items(report.batch.id)
    assert ("换个结尾", Wishes(target="30s", keep=("频道", "大家好"))) == (
        first.job.instruction,
        first.job.wishes,
    )
    assert ("改短", Wishes()) == (second.job.instruction, second.job.wishes)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("video_099,改短", "video_099"),
        ("video_001,改长", "line 2"),
        (",改短", "no script"),
        ("video_002,", "empty"),
        ("../etc,改短", "etc"),
        ("video_002", "1 cells"),
        ("video_002,改短,多余", "3 cells"),
        ('video_002,"改\n短"\nvideo_404,x', "video_404"),
    ],
    ids=[
        "unknown",
        "twice",
        "no script",
        "no instruction",
        "bad id",
        "too short",
        "too long",
        "after a long cell",
    ],
)
def test_a_bad_row_is_told_with_its_line_and_the_others_are_planned(store, batches, row, told):
    report = planned(store, batches, of_csv(f"script,instruction\nvideo_001,改短\n{row}\n第一集,改短\n"))

    (problem,) = report.problems
    assert told in problem.told("en")
    assert (5 if "404" in told else 3) == problem.line
    assert {"video_001", "第一集"} <= {script for script, _ in items(batches, report)}


@pytest.mark.parametrize(
    ("text", "instruction", "told"),
    [
        ("name,product\nvideo_001,x\n", "改短", "no column for the script"),
        ("script,product\nvideo_001,x\n", "把 {产品} 改短", "产品"),
        ("script,product\nvideo_001,x\n", "把 { 改短", "brace"),
        ("script,script\nvideo_001,x\n", "改短", "two columns"),
        ('script,product\nvideo_001,"x\n', "改短", "cannot be read as CSV"),
        ("script\nvideo_404\n", "改短", "No row can be used"),
        ("script\n", "改短", "has a header and no rows"),
    ],
    ids=[
        "no script column",
        "unknown column",
        "brace",
        "two columns",
        "open quote",
        "nothing usable",
        "no rows",
    ],
)
def test_what_is_wrong_with_all_of_it_is_refused_and_nothing_is_stored(
    store, batches, text, instruction, told
):
    with pytest.raises((BadInput, BadFile), match=told):
        planned(store, batches, of_csv(text, instruction))

    assert () == batches.batches()


def test_json_lines_are_read_like_csv(store, batches):
    lines = [
        json.dumps(
            {"script": "video_001", "instruction": "改短", "keep": ["频道", "大家好"]}, ensure_ascii=False
        ),
        "",
        "not json",
        json.dumps({"script": "第一集", "instruction": "换个结尾", "target": "30s"}),
    ]
    rows = of_text("\n".join(lines), name="jobs.jsonl", form="jsonl")

    report = planned(store, batches, PlanRequest(author="alice", sources=[rows]))

    assert [("video_001", "改短"), ("第一集", "换个结尾")] == items(batches, report)
    assert [(3, "The row is left out: it is not a JSON object.")] == problems(report)


def test_an_object_that_lacks_a_column_is_one_bad_row(store, batches):
    lines = '{"script": "video_001", "product": "极盾"}\n{"script": "video_002"}\n'
    rows = of_text(lines, name="jobs.jsonl", form="jsonl")

    report = planned(store, batches, PlanRequest(author="alice", instruction="加上{product}", sources=[rows]))

    assert [("video_001", "加上极盾")] == items(batches, report)
    ((line, message),) = problems(report)
    assert (2, True) == (line, "'product'" in message)


def test_a_cell_that_the_instruction_needs_is_not_empty(store, batches):
    text = "script,product,instruction\nvideo_001,极盾,\nvideo_002,,\n第一集,,改短\n"

    report = planned(store, batches, of_csv(text, "加上{product}"))

    assert [("video_001", "加上极盾"), ("第一集", "改短")] == items(batches, report)
    assert [(3, "The column 'product' is empty, and the instruction needs it.")] == problems(report)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("video_001,foo,,", "'foo' is not a length"),
        ("video_001,,第9行,", "no line 9"),
        ("video_001,,结尾,", "结尾"),
    ],
    ids=["target", "line that is not there", "section that is not there"],
)
def test_a_wish_that_the_script_cannot_fulfil_is_told_with_its_line(store, batches, row, told):
    text = f"script,target,only,keep\nvideo_002,30s,2,频道\n{row}\n"

    report = planned(store, batches, of_csv(text, "改短"))

    assert ["video_002"] == [script for script, _ in items(batches, report)]
    ((line, message),) = problems(report)
    assert (3, True) == (line, told in message)


def test_a_place_is_looked_for_in_the_version_that_is_planned(store, batches):
    store.append("video_001", "只有一行。\n", expected_head=1, source="manual", provenance=ALICE)

    report = planned(store, batches, of_csv("script,only\nvideo_001,2\nvideo_002,2\n", "改短"))

    assert [("video_002", "改短")] == items(batches, report)


def test_problems_are_told_in_the_order_of_the_rows(store, batches):
    rows = ["video_404", "video_001", "video_001", "../etc", "video_405"]

    report = planned(store, batches, of_csv("script\n" + "\n".join(rows), "改短"))

    assert [2, 4, 5, 6] == [problem.line for problem in report.problems]


def test_both_lines_of_a_script_that_is_named_twice_are_told(store, batches):
    first = of_text("video_001\n", name="mine.txt", form="ids")
    request = PlanRequest(author="alice", instruction="改短", sources=[first, of_ids(["VIDEO_001"])])

    (problem,) = planned(store, batches, request).problems

    assert ("命令行", "video_001 is named already (mine.txt, line 1); the first one counts.") == (
        problem.where,
        problem.told("en"),
    )


def test_an_unknown_script_is_told_with_the_nearest_ones(store, batches):
    report = planned(store, batches, of_csv("script\nvideo_01\nvideo_002\n", "改短"))

    (problem,) = report.problems
    told = "There is no script 'video_01'; the nearest ids are: video_001, video_002."
    assert told == problem.told("en")


class Counting:
    """A store that counts what it is asked."""

    def __init__(self, store):
        self._store, self.asked = store, Counter()

    def __getattr__(self, name):
        self.asked[name] += 1
        return getattr(self._store, name)


def test_a_file_of_another_store_is_not_compared_id_by_id(store, batches):
    counted = Counting(store)
    names = [f"other_{number}" for number in range(2_000)]
    request = PlanRequest(author="alice", instruction="改短", sources=[of_ids([*names, "video_001"])])

    report = planned(counted, batches, request)

    assert (1, 2_000) == (report.batch.total, len(report.problems))
    assert counted.asked["similar_ids"] < 50
    assert counted.asked["script"] == 0


def test_texts_are_read_for_the_estimate_only_unless_something_is_asked_of_them(store, batches):
    plain, placed = Counting(store), Counting(store)
    ids = ["video_001", "video_002"]

    planned(plain, batches, PlanRequest(author="alice", instruction="改短", sources=[of_ids(ids)]))
    wishes = Wishes(only="2")
    planned(
        placed, batches, PlanRequest(author="alice", instruction="改短", wishes=wishes, sources=[of_ids(ids)])
    )

    assert {"heads": 1} == plain.asked
    assert {"heads": 2} == placed.asked


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (PlanRequest(author="alice", instruction="改短", wishes=Wishes(target="foo")), "'foo'"),
        (PlanRequest(author="alice", instruction="改短", wishes=Wishes(keep=("a\0",))), "NUL"),
        (PlanRequest(author="alice", instruction="改" * 8_001), "8,001 characters"),
    ],
    ids=["target", "NUL", "too long"],
)
def test_what_is_wrong_with_all_items_is_refused_once(store, batches, request_, told):
    rows = of_text("script,instruction\nvideo_001,换个结尾\n", name="jobs.csv", form="csv")

    with pytest.raises(BadInput, match=told):
        planned(store, batches, replace(request_, sources=[rows]))

    assert () == batches.batches()


@pytest.mark.parametrize(
    ("selection", "ids"),
    [
        (Selection(pattern="video_*"), ["video_001", "video_002"]),
        (Selection(pattern="ＶIDEO_00?"), ["video_001", "video_002"]),
        (Selection(words=("第一集",)), ["第一集"]),
        (Selection(language="en"), []),
        (Selection(longer_than=1.0, shorter_than=60.0), ["video_001", "video_002", "第一集"]),
        (Selection(shorter_than=1.0), []),
    ],
    ids=["pattern", "spelled otherwise", "words", "language", "time", "too short"],
)
def test_scripts_are_selected_by_what_they_are_like(store, batches, selection, ids):
    request = PlanRequest(author="alice", instruction="改短", selection=selection)
    if not ids:
        with pytest.raises(BadInput, match="No script"):
            planned(store, batches, request)
        return

    assert ids == [script for script, _ in items(batches, planned(store, batches, request))]


@pytest.mark.parametrize(
    ("language", "ids"),
    [
        ("zh", ["said", "variant", "video_001", "video_002", "written_zh", "第一集"]),
        ("en", ["written_en"]),
        ("und", ["neither", "video_001", "video_002", "written_en", "written_zh", "第一集"]),
        ("ja", []),
    ],
)
def test_a_language_that_nobody_stored_is_seen_from_the_text(store, batches, language, ids):
    store.create("said", "Mostly English words in here.\n", language="zh", provenance=ALICE)
    store.create("variant", "…\n", language="zh-hant", provenance=ALICE)
    store.create("written_zh", "大家好，今天聊聊 iPhone。\n", provenance=ALICE)
    store.create("written_en", "Welcome back to the channel.\n", provenance=ALICE)
    store.create("neither", "123\n", provenance=ALICE)

    assert ids == list(selected(store, Selection(language=language)))


def test_work_that_was_done_is_left_out_until_the_script_changes(store, batches):
    request = PlanRequest(author="alice", instruction="改短", sources=[of_ids(["video_001", "video_002"])])
    first = planned(store, batches, request).batch
    with_first_done(batches, first.id)

    again = planned(store, batches, request)
    assert ([("video_002", "改短")], 1) == (items(batches, again), again.skipped)

    store.append("video_001", "新的\n", expected_head=1, source="manual", provenance=ALICE)
    assert 0 == planned(store, batches, request).skipped


def with_first_done(batches: OpenBatches, batch_id: str) -> None:
    batches.end(batch_id, 1, 1, Ending(state="unchanged"))


def test_a_plan_of_nothing_new_stores_nothing(store, batches):
    request = PlanRequest(author="alice", instruction="改短", sources=[of_ids(["video_001"])])
    with_first_done(batches, planned(store, batches, request).batch.id)

    report = planned(store, batches, request)

    assert (None, 1, 1) == (report.batch, report.skipped, len(batches.batches()))
    redone = planned(
        store, batches, PlanRequest(author="alice", instruction="改短", sources=request.sources, redo=True)
    )
    assert redone.batch is not None


def test_an_estimate_has_money_where_there_are_prices_only(store, batches):
    request = PlanRequest(author="alice", instruction="改短", sources=[of_ids(["video_001"])])

    assert planned(store, batches, request).estimate.cost is None
    low, high = planned(store, batches, request, price_in=2.0, price_out=8.0).estimate.cost
    assert 0 < low < high
    assert (0.0, 0.0) == planned(store, batches, request, is_offline=True).estimate.cost


def test_an_agent_takes_more_than_a_direct_edit_and_workers_make_it_faster(store, batches):
    request = PlanRequest(author="alice", instruction="改短", selection=Selection(), redo=True, workers=1)

    direct = planned(store, batches, request).estimate
    agent = planned(store, batches, replace(request, mode="tools")).estimate
    shared = planned(store, batches, replace(request, workers=3)).estimate

    assert direct.sent[0] < agent.sent[0] and direct.sent[1] < agent.sent[1]
    assert 3 * direct.seconds == agent.seconds
    assert shared.seconds == direct.seconds / 3


def test_a_longer_text_is_estimated_to_take_more(store, batches):
    store.create("long", "大家好，今天聊聊人工智能。\n" * 500, provenance=ALICE)

    short, long = (
        planned(store, batches, PlanRequest(author="alice", instruction="改短", sources=[of_ids([name])]))
        for name in ("video_001", "long")
    )

    assert long.estimate.sent[0] > short.estimate.sent[0] + 5_000
    assert long.estimate.received[1] > long.estimate.received[0] > short.estimate.received[1]


def test_a_hundred_thousand_rows_with_one_bad_one_are_planned(store, batches):
    lines = ["script,instruction", "video_001,改短", *(["video_001,改短"] * 99_998), "video_404,改短"]

    report = planned(store, batches, of_csv("\n".join(lines)))

    assert 100_001 == report.problems[-1].line
    assert [("video_001", "改短")] == items(batches, report)
