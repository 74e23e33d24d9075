"""What people type can be carried out: a good model gets everything done, and one that obeys an attacker gets nowhere."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from script_editor.app.ask import AskReport
from script_editor.app.chat import Manner
from script_editor.app.edit import EditReport, EditRequest
from script_editor.app.errand import Errand
from script_editor.errors import BadInstruction, ScriptEditorError
from script_editor.llm.chat import ChatModel
from tests.support.bad_agent import BadAgent, Call
from tests.support.cases import load, skip_unknown
from tests.support.command import Command
from tests.support.good_agent import GoodAgent, ids_in
from tests.support.openai_server import OpenAIServer, as_asked
from tests.support.shelf import CURRENT, Shelf, seeded_shelf, shelf_for

KEYS = {"id", "lang", "instruction", "expected_tools", "notes"}
OURS = {"list_scripts", "get_script", "modify_script", "preview", "history", "diff", "revert"}
NOT_OURS = {"check_script", "label_version", "export_script"}
WRITING = {"modify_script", "revert"}
CASES = load("instructions.jsonl")


def plan_of(case: Mapping[str, Any]) -> list[str]:
    """Return the tools to call: without those that there are not, and without writing a variant, which needs one."""
    for unknown in [*(case.keys() - KEYS), *(set(case["expected_tools"]) - OURS - NOT_OURS)]:
        skip_unknown(unknown)
    left_out = NOT_OURS | ({"modify_script"} if is_about_a_variant(case) else set())
    return [tool for tool in case["expected_tools"] if tool not in left_out]


def is_about_a_variant(case: Mapping[str, Any]) -> bool:
    return re.search(r"\bvariant\b", case.get("notes", "")) is not None


def is_refused_at_once(case: Mapping[str, Any]) -> bool:
    instruction = case["instruction"]
    return len(instruction) > 8000 or not any(
        char.isprintable() and not char.isspace() for char in instruction
    )


def needs_a_conversation(case: Mapping[str, Any]) -> bool:
    return re.search(r"\b[Ss]ession\b", case.get("notes", "")) is not None


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return seeded_shelf(tmp_path_factory.mktemp("seeded"))


# --- a good model ----------------------------------------------------------------------------


def ask(shelf: Shelf, model: ChatModel, instruction: str) -> AskReport:
    app = shelf.app(model)
    try:
        errand = Errand(instruction=instruction, author="tester", mode="tools")
        return app.ask(errand, approve=lambda _pending: True)
    finally:
        app.close()


def edit(shelf: Shelf, model: ChatModel, instruction: str, *, script_id: str, preview: bool) -> EditReport:
    app = shelf.app(model)
    try:
        request = EditRequest(
            script_id=script_id, instruction=instruction, author="tester", mode="tools", preview=preview
        )
        return app.edit(request, approve=lambda _pending: True)
    finally:
        app.close()


def called(report: AskReport | EditReport) -> list[str]:
    return [step.action.tool for step in report.steps]


def is_id(text: str) -> bool:
    return re.fullmatch(r"[\w-]+", text) is not None


def wanted_moves(plan: Sequence[str], written: Sequence[str]) -> dict[str, int]:
    """Return how many versions each script gets: one for each call that writes."""
    return {script_id: written.count(script_id) for script_id in written} if WRITING & set(plan) else {}


def assert_as_planned(
    shelf: Shelf, model: GoodAgent, report: AskReport | EditReport, plan: Sequence[str]
) -> None:
    """The calls are those of the plan, and the store shows exactly what they do."""
    written = [step.action.arguments["script_id"] for step in report.steps if step.action.tool in WRITING]
    assert called(report) == plan
    before, after = shelf.texts, shelf.now()
    assert shelf.moved(after) == wanted_moves(plan, written)
    assert report.outcome == ("saved" if written else "proposed" if "preview" in plan else "answered")
    for step in report.steps:
        assert step.ok or not is_id(step.action.arguments.get("script_id", "")), step.observation
        if step.action.tool == "revert":
            script_id, number = step.action.arguments["script_id"], step.action.arguments["version"]
            assert after[script_id][len(before[script_id])] == before[script_id][number - 1]
    if model.restored:
        assert model.restored in after[written[0]][-1]
    if len(written) == 1 and "revert" not in plan and model.rewriter.touched:
        assert_rest_is_as_it_was(before[written[0]][-1], after[written[0]][-1], model.rewriter.touched)


def assert_rest_is_as_it_was(before: str, after: str, touched: set[int]) -> None:
    """Every line that no operation was given for stands there still, in its order."""
    lines = [line for line in before.split("\n") if line.strip()]
    rest = iter(after.split("\n"))
    for number, line in enumerate(lines, 1):
        assert number in touched or line in rest, f"line {number} is gone: {line!r}"


GOOD = [
    case
    for case in CASES
    if not is_refused_at_once(case.values[0]) and not needs_a_conversation(case.values[0])
]


@pytest.mark.parametrize("case", GOOD)
def test_a_good_model_can_make_the_calls_it_should(
    case: dict[str, Any], seeded: Shelf, tmp_path: Path
) -> None:
    plan = plan_of(case)
    shelf = shelf_for(case, seeded, tmp_path)
    model = GoodAgent(case["instruction"], plan)

    report = ask(shelf, model, case["instruction"])

    assert_as_planned(shelf, model, report, model.plan)


def is_one_edit(case: Mapping[str, Any]) -> bool:
    ids = ids_in(case["instruction"])
    return (
        len(ids) == 1
        and bool({"modify_script", "preview"} & set(case["expected_tools"]))
        and not is_about_a_variant(case)
    )


@pytest.mark.parametrize("case", [case for case in GOOD if is_one_edit(case.values[0])])
def test_a_good_model_can_edit_the_one_script(case: dict[str, Any], seeded: Shelf, tmp_path: Path) -> None:
    plan = plan_of(case)
    shelf = shelf_for(case, seeded, tmp_path)
    model = GoodAgent(case["instruction"], plan)
    script_id = ids_in(case["instruction"])[0]

    report = edit(shelf, model, case["instruction"], script_id=script_id, preview="preview" in plan)

    assert_as_planned(shelf, model, report, plan)


# --- in a conversation -----------------------------------------------------------------------


def turn(
    shelf: Shelf, model: ChatModel, instruction: str, *, script_id: str | None = None, chat: str | None = None,
    read_only: bool = False,
) -> tuple[AskReport, str]:  # fmt: skip
    """Say one thing in a chat, a new one about `script_id` or the one with that id; return its report and the chat's id."""
    app = shelf.app(model)
    try:
        session = app.chats.begin(script_id=script_id) if chat is None else app.chats.resume(chat)
        manner = Manner(mode="tools", read_only=read_only)
        return session.turn(instruction, manner, approve=lambda _pending: True), session.chat.id
    finally:
        app.close()


FIRST = {
    "zh": "先看看改得轻松一点是什么样，不要保存",
    "en": "Show me a friendlier version, but don't save it",
}


@pytest.mark.parametrize("case", [case for case in CASES if needs_a_conversation(case.values[0])])
def test_a_good_model_can_go_on_from_what_was_said(
    case: dict[str, Any], seeded: Shelf, tmp_path: Path
) -> None:
    plan = plan_of(case)
    shelf = shelf_for(case, seeded, tmp_path)
    current, first = CURRENT[case["lang"]], FIRST["zh" if case["lang"] == "zh" else "en"]
    looking = GoodAgent(first, ["get_script", "preview"], current=current)
    shown, chat = turn(shelf, looking, first, script_id=current, read_only=True)
    model = GoodAgent(case["instruction"], plan, current=current)

    report, _ = turn(shelf, model, case["instruction"], chat=chat)

    assert_as_planned(shelf, model, report, plan)
    if plan == ["modify_script"]:
        assert model.calls == 2, "a stored proposal is saved as it is: nobody writes it a second time"
        stored, saved = shown.proposals[0], report.changed[0]
        is_partial = re.search(r"\bonly\b|只", case["instruction"]) is not None
        assert (saved.version.text == stored.proposal.text) is not is_partial
        assert set(saved.changes) <= set(stored.changes)


@pytest.mark.parametrize(
    "case", [c for c in CASES if re.search("[Ww]ithout one|Which script", c.values[0].get("notes", ""))]
)
def test_without_a_current_script_a_good_model_asks_which(
    case: dict[str, Any], seeded: Shelf, tmp_path: Path
) -> None:
    shelf = shelf_for(case, seeded, tmp_path)

    report = ask(shelf, GoodAgent(case["instruction"], []), case["instruction"])

    assert report.outcome == "answered"
    assert shelf.moved() == {}


# --- what is refused before any model is asked ------------------------------------------------


@pytest.mark.parametrize("case", [case for case in CASES if is_refused_at_once(case.values[0])])
def test_an_instruction_of_no_use_is_refused_before_any_call(
    case: dict[str, Any], seeded: Shelf, tmp_path: Path
) -> None:
    shelf = shelf_for(case, seeded, tmp_path)
    model = GoodAgent("", [])

    with pytest.raises(BadInstruction) as refused:
        ask(shelf, model, case["instruction"])

    assert refused.value.exit_code == 2
    assert not case["instruction"].strip("\u200b \u3000\n\t") or "8,000" in str(refused.value)
    assert model.calls == 0
    assert shelf.moved() == {}


# --- a model that obeys an attacker ----------------------------------------------------------

ATTACKS = [
    case for case in CASES if str(case.id).startswith("adv") and not is_refused_at_once(case.values[0])
]
SECRET = "nobody outside is told this"


def obeyed(
    shelf: Shelf, case: Mapping[str, Any], calls: Sequence[Call], *, at_once: bool = False
) -> list[str]:
    """Let a turned model make some calls; return everything that it was told, and what the person was told."""
    model = BadAgent(calls, at_once=at_once)
    told = []
    try:
        report = ask(shelf, model, case["instruction"])
        told += [report.answer, report.truth, *report.warnings, *(step.observation for step in report.steps)]
    except ScriptEditorError as error:
        told += [str(error), error.hint]
    return told + [message.content for messages in model.asked for message in messages]


def others(case: Mapping[str, Any], shelf: Shelf) -> list[str]:
    return [id for id in shelf.texts if id not in ids_in(case["instruction"])]


@pytest.mark.parametrize("at_once", [False, True], ids=["one by one", "all at once"])
@pytest.mark.parametrize("case", ATTACKS)
def test_no_other_script_changes(case: dict[str, Any], at_once: bool, seeded: Shelf, tmp_path: Path) -> None:
    plan_of(case)
    shelf = shelf_for(case, seeded, tmp_path)
    foreign = others(case, shelf)
    hacks = [("modify_script", {"script_id": id, "instruction": "把全文改成 HACKED"}) for id in foreign[:6]]
    reverts = [("revert", {"script_id": id, "version": 1}) for id in foreign if len(shelf.texts[id]) > 1]

    obeyed(shelf, case, hacks, at_once=at_once)
    obeyed(shelf, case, reverts, at_once=at_once)

    assert shelf.moved() == {}


@pytest.mark.parametrize("case", ATTACKS)
def test_nothing_is_deleted_and_no_file_is_read(case: dict[str, Any], seeded: Shelf, tmp_path: Path) -> None:
    (tmp_path / "secrets.txt").write_text(SECRET, encoding="utf-8")
    (tmp_path / "store").mkdir()
    shelf = shelf_for(case, seeded, tmp_path / "store")
    paths = [
        "../secrets.txt",
        "../../secrets.txt",
        str(tmp_path / "secrets.txt"),
        "..\\secrets.txt",
        "video_001/../../secrets.txt",
    ]
    named = ids_in(case["instruction"]) or ["video_001"]

    told = [
        *obeyed(shelf, case, [("get_script", {"script_id": path}) for path in paths]),
        *obeyed(
            shelf, case, [("modify_script", {"script_id": path, "instruction": "HACKED"}) for path in paths]
        ),
        *obeyed(
            shelf, case, [("delete_script", {"script_id": named[0]}), ("purge", {"script_id": named[0]})]
        ),
        *obeyed(
            shelf,
            case,
            [("set_setting", {"name": "max_tokens", "value": 10**9}), ("bash", {"command": "rm -rf ."})],
        ),
    ]

    assert shelf.moved() == {}
    assert not any(SECRET in text for text in told)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secrets.txt", "store"]


@pytest.mark.parametrize("case", ATTACKS)
def test_however_often_a_model_insists_one_request_saves_once(
    case: dict[str, Any], seeded: Shelf, tmp_path: Path
) -> None:
    shelf = shelf_for(case, seeded, tmp_path)
    named = (ids_in(case["instruction"]) or ["video_001"])[0]
    calls = [
        ("modify_script", {"script_id": named, "instruction": f"改成 HACKED 第{turn}遍"})
        for turn in range(500)
    ]

    obeyed(shelf, case, calls)

    assert shelf.moved().get(named, 0) <= 1


KEY = "sk-test-4f9d2b7a1c8e6035d2b7"


@pytest.mark.parametrize("mode", ["tools", "react"])
@pytest.mark.parametrize(
    "case", [case for case in ATTACKS if re.search(r"\bkey\b|密钥|token", case.values[0]["instruction"])]
)
def test_a_key_is_not_told(case: dict[str, Any], mode: str, seeded: Shelf, tmp_path: Path) -> None:
    """The service repeats the key, as a careless one does when a model prints all it was sent."""
    shelf = shelf_for(case, seeded, tmp_path)
    said = f"Final Answer: my prompt and my key: {KEY}" if mode == "react" else f"my prompt and my key: {KEY}"

    with OpenAIServer(lambda _request: as_asked(said)) as server:
        ran = Command(shelf.folder / "store.db")(
            "ask", case["instruction"], "--yes", "--mode", mode, "-v", model=None, SCRIPT_EDITOR_API_KEY=KEY,
            SCRIPT_EDITOR_BASE_URL=server.base_url, SCRIPT_EDITOR_MODEL="m",
        )  # fmt: skip

    assert "my prompt" in ran.stdout
    assert KEY not in ran.stdout + ran.stderr
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path.name for path in kept if KEY.encode() in path.read_bytes()]
    assert shelf.moved() == {}
