"""The question before a save: what a person may answer, and what each answer means."""

import re
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from script_editor.app.scope import Objection, Pending
from script_editor.cli.asking import approval, ask, saving
from script_editor.cli.progress import Progress
from script_editor.cli.session import Session
from script_editor.domain.diff import changes
from script_editor.domain.script import Version
from script_editor.errors import Declined
from tests.support.command import Command
from tests.support.desk import SEED

AFTER = SEED.replace("黄金时代", "快车道").replace("频道", "直播间")


@pytest.fixture
def base(tmp_path: Path) -> Version:
    Command(tmp_path / "store.db")("new", "video_001", input=SEED)
    return Session(database=str(tmp_path / "store.db"), model="offline").app.scripts.read("video_001")


@pytest.fixture
def pending(base: Version) -> Pending:
    return Pending(base=base, after=AFTER, changes=changes(SEED, AFTER), proposal_id="p-1")


def answered(pending: Pending, typed: str) -> object:
    """Return what comes of `typed` at the question; the Declined itself for a no."""
    with CliRunner().isolation(input=typed):
        try:
            return ask(pending, Progress(Session()))
        except Declined as declined:
            return declined


@pytest.mark.parametrize(
    "typed",
    [
        "y",
        "Ｙ",
        "yes",
        "OK",
        "yes please",
        "是",
        "是的",
        "好",
        "好的。",
        "可以",
        "保存",
        "",
        "x\ny",
        "不错\ny",
        "y but shorter\ny",
    ],
    ids=repr,
)
def test_yes_saves_all(pending: Pending, typed: str) -> None:
    assert answered(pending, f"{typed}\n") is True


@pytest.mark.parametrize(
    "typed",
    [
        "n",
        "No",
        "no.",
        "q",
        "否",
        "不",
        "不要",
        "不行。",
        "不保存",
        "算了",
        "maybe\nn",
        "maybe\n\n\nn",
        "r\n\n\nn",
    ],
    ids=repr,
)
def test_a_plain_no_ends_it_and_names_the_proposal(pending: Pending, typed: str) -> None:
    declined = answered(pending, f"{typed}\n")

    assert isinstance(declined, Declined)
    assert "script-editor review p-1" in declined.hint


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("n too long", "too long"),
        ("no, too long", "too long"),
        ("No: keep the greeting", "keep the greeting"),
        ("n 太长了", "太长了"),
        ("n太长了", "太长了"),
        ("n，太长了", "太长了"),
        ("否：口气不对", "口气不对"),
        ("不行，太长了", "太长了"),
        ("不要 这么长", "这么长"),
        ("不保存，太长了", "太长了"),
        ("h\nd\nn too long", None),
        ("h\na\nn too long", "too long"),
        ("r 再短一点", "再短一点"),
        ("retry: shorter", "shorter"),
        ("重来，短一点", "短一点"),
        ("r\nshorter, please", "shorter, please"),
        ("R\n  短一点  ", "短一点"),
        ("r\n\nn too long", "too long"),
    ],
    ids=repr,
)
def test_a_no_may_say_why(pending: Pending, typed: str, reason: str | None) -> None:
    answer = answered(pending, f"{typed}\n")

    assert isinstance(answer, Declined) if reason is None else answer == Objection(reason)


@pytest.mark.parametrize("typed", ["n", "x\nn", "h\nq", "h\ny\nn\n不要", "h\n?\nd"], ids=repr)
def test_a_chinese_request_is_asked_about_in_chinese(
    pending: Pending, typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with CliRunner().isolation(input=f"{typed}\n") as (_, shown, _), pytest.raises(Declined) as declined:
        ask(replace(pending, language="zh"), Progress(Session()))

    said = re.sub("video_001", "", shown.getvalue().decode())
    assert "n 后面写的话会告诉助手" in said
    assert re.findall(r"[A-Za-z]{3,}", said.replace("EDITOR", "")) == []
    assert str(declined.value) == "没有保存。"
    assert declined.value.hint == "提案已保留：script-editor review p-1"


@pytest.mark.parametrize(
    "typed", ["now\nn", "note: fine\nn", "yes, but shorter\nn", "h too\nn", "太长了\nn"], ids=repr
)
def test_what_is_no_answer_saves_nothing_and_is_asked_again(pending: Pending, typed: str) -> None:
    assert isinstance(answered(pending, f"{typed}\n"), Declined)


def test_an_older_text_may_be_objected_to_as_well(base: Version) -> None:
    pending = Pending(base=base, after=AFTER, changes=changes(SEED, AFTER))

    assert answered(pending, "h\nn the other one\n") == Objection("the other one")


@pytest.mark.parametrize("typed", ["", "r\n"], ids=["at the question", "at the reason"])
def test_leaving_the_question_interrupts_the_run(pending: Pending, typed: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        answered(pending, typed)


@pytest.mark.parametrize(
    ("options", "how", "verdict"),
    [({"yes": True}, "saves", True), ({"preview": True}, "proposes", False)],
    ids=["--yes", "--preview"],
)
def test_who_need_not_be_asked_is_not_asked(
    pending: Pending, options: dict[str, bool], how: str, verdict: bool
) -> None:
    found = saving(Session(), **options)

    assert found == how
    assert approval(found, Progress(Session()))(pending) is verdict


@pytest.mark.parametrize("options", [{}, {"yes": True, "preview": True}], ids=["neither", "both"])
def test_a_policy_that_cannot_be_kept_is_refused(options: dict[str, bool]) -> None:
    with CliRunner().isolation(), pytest.raises(click.UsageError, match="--yes"):
        saving(Session(), **options)
