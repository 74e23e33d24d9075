"""What an item comes to, what it sees while it is worked on, and what its last transaction keeps."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from script_editor.agent.language import Language
from script_editor.app.runlog.writing import RunFiles
from script_editor.batch.engine import ItemRef, Steps
from script_editor.batch.items.durable_model import Send
from script_editor.batch.items.workflow import ItemWorkflow
from script_editor.domain.batches import DIRECT, Bounds, Ending, Item, Job, Recipe, Target, Wishes
from script_editor.domain.script import Provenance
from script_editor.errors import KeyRefused, ModelFailure, StoreUnusable
from script_editor.llm.chat import Reply, Usage
from script_editor.store.batch_store import SqlBatchStore
from script_editor.store.sql import SqlScriptStore, open_store
from tests.batch.item_world import (
    ALL_MODES,
    ASKED,
    AT,
    BETTER,
    IDS,
    SCRIPTS,
    Scripted,
    World,
    answer,
    call,
    edit,
    good_replies,
    preview,
    script_store,
)
from tests.batch.memory_engine import Kill, MemoryEngine
from tests.store.support import engine_of

HANG_SECONDS = 60.0
LONG = "".join(f"这是第{number}句口播，讲一讲今天的内容有多么丰富。\n" for number in range(1, 161))


@pytest.fixture
def scripts(sqlite_url: str) -> Iterator[SqlScriptStore]:
    with open_store(sqlite_url, create=False) as opened:
        yield script_store(opened)


def outcome(ending: Ending) -> tuple[str, str, bool]:
    return ending.state, ending.error_type, ending.made is not None


def better(language: Language = "zh") -> str:
    lines = SCRIPTS[language].splitlines(keepends=True)
    return "".join([lines[0], f"{BETTER[language]}\n", *lines[2:]])


# --- what it comes to ------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ALL_MODES)
def test_a_good_item_is_done_with_what_was_made_and_what_it_took(scripts: SqlScriptStore, mode: str) -> None:
    replies = good_replies(mode, "zh")

    ending = World(scripts, replies, mode).run()

    assert outcome(ending) == ("done", "", True)
    assert ending.made is not None and ending.run is not None
    assert ending.made.text == better()
    assert ending.made.provenance.instruction == ASKED["zh"]
    assert ending.made.provenance.run_id == ending.run.id
    assert (ending.prompt_tokens, ending.completion_tokens) == (70 * len(replies), 30 * len(replies))
    assert (ending.run.mode, ending.run.stop_reason, ending.run.input) == (mode, "finished", ASKED["zh"])
    assert [step.tool for step in ending.run.steps] == (
        ["propose"] if mode == DIRECT else ["get_script", "preview"]
    )


def test_tokens_are_unknown_when_one_call_did_not_tell_them(scripts: SqlScriptStore) -> None:
    unknown = Reply(text=edit(BETTER["zh"]).text, usage=Usage(known=False))

    ending = World(scripts, [unknown], DIRECT).run()

    assert (ending.state, ending.prompt_tokens, ending.completion_tokens) == ("done", None, None)


@pytest.mark.parametrize("mode", [DIRECT, "tools"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_edit_that_changes_nothing_is_unchanged(
    scripts: SqlScriptStore, mode: str, language: Language
) -> None:
    same = edit(SCRIPTS[language].splitlines()[1])
    replies: list[Scripted] = (
        [same] * 4 if mode == DIRECT else [preview(mode, language), same, answer(mode, language)]
    )

    ending = World(scripts, replies, mode, language).run()

    assert outcome(ending) == ("unchanged", "unchanged", False)


@pytest.mark.parametrize("mode", [DIRECT, "tools"])
def test_a_refused_reply_is_a_failure_with_the_reason_of_the_guard(
    scripts: SqlScriptStore, mode: str
) -> None:
    no = Reply(text="我不能帮你修改这部分内容。", usage=Usage(9, 9))
    replies: list[Scripted] = (
        [no] if mode == DIRECT else [preview(mode, "zh"), no, answer(mode, "zh", "没有改成。")]
    )

    ending = World(scripts, replies, mode).run()

    assert outcome(ending) == ("failed", "refusal", False)
    assert "video_001 v1" in ending.error
    assert ending.run is not None
    assert [refused.reply for refused in ending.run.refusals] == [no.text]


def test_a_missed_time_is_a_failure_that_keeps_what_was_made(scripts: SqlScriptStore) -> None:
    replies = [edit(BETTER["zh"])] * 4

    ending = World(scripts, replies, DIRECT, wishes=Wishes(target="3s")).run()

    assert outcome(ending) == ("failed", "target_missed", True)
    assert ending.made is not None and ending.made.proposal_id is not None
    assert ending.made.proposal_id in ending.error + ending.hint


def test_an_error_of_a_guard_that_a_person_may_overrule_is_a_failure_that_keeps_what_was_made(
    scripts: SqlScriptStore,
) -> None:
    wrong = edit("人工智能从20世纪60年代开始发展啦，", number=3)

    ending = World(scripts, [wrong] * 4, DIRECT, instruction="第三行换个说法").run()

    assert outcome(ending) == ("failed", "facts_changed", True)
    assert ending.made is not None and not ending.made.is_clean


@pytest.mark.parametrize("mode", [DIRECT, "tools"])
def test_a_failed_service_is_a_failure_in_its_own_words(scripts: SqlScriptStore, mode: str) -> None:
    ending = World(scripts, [ModelFailure("overloaded", hint="Wait.")], mode).run()

    assert outcome(ending) == ("failed", "model_failure", False)
    assert (ending.error, ending.hint) == ("overloaded", "Wait.")
    assert ending.run is not None
    assert ending.run.stop_reason == "failed"


def test_a_refused_key_is_a_failure_of_its_kind(scripts: SqlScriptStore) -> None:
    assert outcome(World(scripts, [KeyRefused("no")], DIRECT).run()) == ("failed", "key_refused", False)


def test_half_of_a_long_edit_is_a_failure_that_keeps_the_half(scripts: SqlScriptStore) -> None:
    scripts.append(IDS["zh"], LONG, expected_head=1, source="manual", provenance=Provenance(author="alice"))
    first = edit("这是第1句口播，咱们唠一唠今天的内容有多么丰富。", number=1)
    world = World(scripts, [first, KeyRefused("no")], DIRECT, instruction="全文换个说法", base_number=2)

    ending = world.run()

    assert outcome(ending) == ("failed", "unfinished", True)
    assert ending.made is not None and ending.made.proposal_id is not None
    assert ending.made.text.splitlines()[1:] == LONG.splitlines()[1:]
    assert ending.made.proposal_id in ending.error and ending.made.proposal_id in ending.hint


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_agent_that_only_answers_gave_up(scripts: SqlScriptStore, language: Language) -> None:
    looked = call("tools", language, "history", script_id=IDS[language])

    ending = World(scripts, [looked, answer("tools", language, "It has v1.")], "tools", language).run()

    assert outcome(ending) == ("failed", "gave_up", False)
    assert "It has v1." in ending.error
    assert ("模型只作了回答" in ending.error) == (language == "zh")


def test_an_agent_that_never_gets_to_the_point_is_stopped_by_counting(scripts: SqlScriptStore) -> None:
    look = call("tools", "zh", "get_script", script_id=IDS["zh"])
    other = call("tools", "zh", "history", script_id=IDS["zh"])

    ending = World(scripts, [look, other] * 20, "tools").run()

    assert outcome(ending) == ("failed", "gave_up", False)


@pytest.mark.parametrize(
    "wishes", [Wishes(only="9-12"), Wishes(target="soon")], ids=["no such line", "no time"]
)
def test_a_wish_that_cannot_be_is_a_failure_without_a_call(scripts: SqlScriptStore, wishes: Wishes) -> None:
    world = World(scripts, [], DIRECT, wishes=wishes)

    ending = world.run()

    assert (ending.state, ending.made, ending.run, world.requests) == ("failed", None, None, [])
    assert ending.error


def test_the_last_proposal_that_stands_is_the_one_that_counts(scripts: SqlScriptStore) -> None:
    first, last = edit("今天聊聊人工智能的发展历程。"), edit(BETTER["zh"])
    replies = [preview("tools", "zh"), first, preview("tools", "zh"), last, answer("tools", "zh")]

    ending = World(scripts, replies, "tools").run()

    assert outcome(ending) == ("done", "", True)
    assert ending.made is not None and ending.run is not None
    assert ending.made.text == better()
    assert f"{ending.made.proposal_id}" in (ending.run.steps[-1].observation or "")


def test_what_went_wrong_after_the_edit_is_a_note(scripts: SqlScriptStore) -> None:
    ending = World(
        scripts, [preview("tools", "zh"), edit(BETTER["zh"]), ModelFailure("overloaded")], "tools"
    ).run()

    assert outcome(ending) == ("done", "", True)
    assert any("overloaded" in note for note in ending.notes)


def test_a_store_that_cannot_be_used_is_no_ending(scripts: SqlScriptStore) -> None:
    first = edit("这是第1句口播，咱们唠一唠今天的内容有多么丰富。", number=1)
    scripts.append(IDS["zh"], LONG, expected_head=1, source="manual", provenance=Provenance(author="alice"))
    world = World(
        scripts, [first, StoreUnusable("locked")], DIRECT, instruction="全文换个说法", base_number=2
    )

    with pytest.raises(StoreUnusable):
        world.run()

    assert len(world.record.steps) == 1


# --- what it sees ----------------------------------------------------------------------------


def test_a_script_that_has_moved_is_a_conflict_that_costs_nothing(scripts: SqlScriptStore) -> None:
    scripts.append(IDS["zh"], LONG, expected_head=1, source="manual", provenance=Provenance(author="bob"))
    world = World(scripts, good_replies(DIRECT, "zh"), DIRECT)

    ending = world.run()

    assert outcome(ending) == ("conflict", "stale_head", False)
    assert (ending.error, world.requests) == ("这期间 video_001 从 v1 到了 v2。", [])
    assert "batch retry b-x7k2m9qp --only conflict" in ending.hint


def test_what_people_do_meanwhile_is_not_seen(scripts: SqlScriptStore) -> None:
    replies = [
        call("tools", "zh", "history", script_id=IDS["zh"]),
        call("tools", "zh", "list_scripts"),
        *good_replies("tools", "zh"),
    ]
    world = World(scripts, replies, "tools")
    loaded = world.loaded()
    scripts.add_lock(IDS["zh"], kind="phrase", text="人工智能", occurrences=1, since_number=1, author="bob")
    scripts.save_proposal(IDS["zh"], "别的。\n", base_number=1, provenance=Provenance(author="bob"))
    more = f"{SCRIPTS['zh']}再见。\n"
    scripts.append(IDS["zh"], more, expected_head=1, source="manual", provenance=Provenance(author="bob"))

    ending = world.run(loaded=loaded)

    assert ending.state == "done" and ending.made is not None and ending.run is not None
    assert ending.made.text == better()
    told = "\n".join(step.observation or "" for step in ending.run.steps)
    assert "v2" not in told and "p-" not in told.split("proposal")[0] and "locked" not in told
    assert IDS["en"] not in told


def test_locks_that_held_when_it_was_loaded_hold(scripts: SqlScriptStore) -> None:
    scripts.add_lock(
        IDS["zh"],
        kind="segment",
        text=SCRIPTS["zh"].splitlines()[1],
        occurrences=1,
        since_number=1,
        author="bob",
    )

    ending = World(scripts, [edit(BETTER["zh"])] * 4, DIRECT).run()

    assert outcome(ending) == ("failed", "locked_changed", False)


def test_an_item_writes_nothing(scripts: SqlScriptStore) -> None:
    for mode in ALL_MODES:
        World(scripts, good_replies(mode, "zh"), mode).run()

    assert scripts.runs() == () and scripts.proposals() == () and scripts.refusals(IDS["zh"]) == ()
    assert scripts.script(IDS["zh"]).head_number == 1


def test_a_run_that_is_gone_through_again_is_logged_once_and_whole(
    scripts: SqlScriptStore, tmp_path: Path
) -> None:
    journals = RunFiles(tmp_path / "log")
    world = World(scripts, good_replies("tools", "zh"), "tools", journals=journals)
    world.run()
    (once,) = (tmp_path / "log").glob("*.jsonl")
    kinds = [line.split('"kind"')[1].split(",")[0] for line in once.read_text(encoding="utf-8").splitlines()]
    broken = world.again()

    broken.killed(Kill(2, "inside"))
    broken.run()

    (again,) = (tmp_path / "log").glob("*.jsonl")
    lines = again.read_text(encoding="utf-8").splitlines()
    assert [line.split('"kind"')[1].split(",")[0] for line in lines] == kinds
    assert journals.problem == ""


# --- what is kept ----------------------------------------------------------------------------


class _Model:
    """Only asked for its name: the calls go another way."""

    name = "m"

    def complete(self, *_: object, **__: object) -> Reply:
        raise AssertionError("calls go through the sender")


def finished(
    url: str, scripts: SqlScriptStore, replies: list[Scripted], *, target: Target, language: Language = "zh"
) -> Item:
    """Carry out a batch of one item, through the workflow and an engine in memory."""
    world = World(scripts, replies, "tools", language)
    with engine_of(url) as engine:
        batches = SqlBatchStore(engine)
        recipe = Recipe(instruction=ASKED[language], author="alice", model="m", mode="tools", prompts="p")
        job = Job(seq=1, script_id=IDS[language], base_number=1, instruction=ASKED[language], key="k")
        batch = batches.create_batch(recipe, [job], target=target, bounds=Bounds())
        batches.set_state(batch.id, "running")
        memory = MemoryEngine(engine.begin)
        calls = iter(replies)

        def sending(_ref: ItemRef, _steps: Steps, _reply_tokens: Callable[[], int]) -> Send:
            def send(*_: object, **__: object) -> Reply:
                reply = next(calls)
                if isinstance(reply, Exception):
                    raise reply
                return Reply(text=reply) if isinstance(reply, str) else reply

            return send

        workflow = ItemWorkflow(
            scripts=scripts, batches=batches, model=_Model(), make_rewriter=world.make_rewriter,
            sending=sending, worker_id=memory.worker_id,
        )  # fmt: skip
        batches.register_worker(memory.worker_id, host="here", pid=1)
        memory.start(workflow, workers=2)
        memory.submit([ItemRef(batch.id, 1, 1)])
        assert memory.settle(HANG_SECONDS)
        memory.close()
        return batches.item(batch.id, 1)


def test_a_proposal_is_kept_under_the_name_that_the_run_called_it(
    sqlite_url: str, scripts: SqlScriptStore
) -> None:
    item = finished(sqlite_url, scripts, good_replies("tools", "zh"), target="propose")

    assert item.state == "done" and item.run_id is not None and item.proposal_id is not None
    run, steps = scripts.run(item.run_id)
    assert scripts.proposal(item.proposal_id).text == better()
    assert f"proposal {item.proposal_id} over video_001@v1" in (steps[-1].observation or "")
    assert (run.id, run.stop_reason) == (f"r-{item.batch_id.removeprefix('b-')}-1-1", "finished")


def test_a_proposal_whose_name_is_taken_gets_another(sqlite_url: str, scripts: SqlScriptStore) -> None:
    ending = World(scripts, good_replies(DIRECT, "zh"), DIRECT).run()
    assert ending.made is not None and ending.made.proposal_id is not None
    with engine_of(sqlite_url) as engine:
        batches = SqlBatchStore(engine)
        recipe = Recipe(instruction="x", author="alice", model="m", mode=DIRECT, prompts="p")
        kept = []
        for language in ("zh", "zh"):
            job = Job(seq=1, script_id=IDS[language], base_number=1, instruction="x", key="k")
            batch = batches.create_batch(recipe, [job], target="propose", bounds=Bounds())
            batches.set_state(batch.id, "running")
            batches.begin_item(batch.id, 1, 1, worker_id="w")
            with engine.begin() as connection:
                unlogged = Ending(state="done", made=ending.made)
                kept.append(batches.end_item(connection, batch.id, 1, 1, unlogged).proposal_id)

    assert kept[0] == ending.made.proposal_id
    assert kept[1] not in (None, kept[0])


def test_a_clean_result_is_saved_where_the_batch_applies(sqlite_url: str, scripts: SqlScriptStore) -> None:
    item = finished(sqlite_url, scripts, good_replies("tools", "en"), target="apply", language="en")

    assert (item.state, item.result_number, item.proposal_id) == ("done", 2, None)
    assert scripts.head(IDS["en"]).text == better("en")


def test_moments_of_an_item_count_from_when_it_was_loaded(scripts: SqlScriptStore) -> None:
    ending = World(scripts, good_replies("tools", "zh"), "tools").run()

    assert ending.run is not None and ending.run.started_at == AT
    assert all(step.created_at > AT for step in ending.run.steps)
