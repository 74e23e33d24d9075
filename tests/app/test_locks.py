"""Locking lines, phrases and speakers, what locks refuse, and what going back says about them."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from script_editor.app.locks import LockService
from script_editor.app.scripts import ScriptService
from script_editor.domain.locks import Lock
from script_editor.domain.references import Selector
from script_editor.domain.script import Provenance
from script_editor.errors import BadInput, EditRefused, NotFound, ScriptNotFound
from script_editor.store.sql import SqlScriptStore

NOTICE = "法律声明：广告"
TEXT = f"大家好\n\n  {NOTICE}\n这是轻盾，轻盾很轻。\n{NOTICE}\n再见\n"
TALK = "HOST: Hello\nGUEST: Hi\nHOST: Bye\n"


@dataclass(frozen=True)
class There:
    """The services over a store with one script in Chinese and one with speakers."""

    scripts: ScriptService
    locks: LockService


@pytest.fixture
def there(store: SqlScriptStore) -> There:
    made = There(ScriptService(store), LockService(store))
    made.scripts.new("video_001", TEXT, author="alice")
    made.scripts.new("talk", TALK, author="alice")
    return made


def save(there: There, text: str, *, on: int = 1) -> int:
    """Save a text of a person's own and return its number."""
    return there.scripts.save("video_001", text, expected_head=on, author="bob").number


def described(*locks: Lock) -> list[tuple[str, str, int]]:
    """What locks are about, without their ids."""
    return [(lock.kind, lock.text, lock.occurrences) for lock in locks]


def test_lines_are_locked_by_number_each_on_its_own(there: There) -> None:
    made = there.locks.lock(" Video_001", kind="segment", numbers=[1, 3], author="alice", note="hook")

    assert described(*made) == [("segment", "大家好", 1), ("segment", "这是轻盾，轻盾很轻。", 1)]
    assert {lock.note for lock in made} == {"hook"}
    assert there.locks.locks("video_001") == made


def test_a_line_that_stands_twice_is_locked_in_both_places(there: There) -> None:
    made = there.locks.lock("video_001", kind="segment", numbers=[2, 4], author="alice")

    assert described(*made) == [("segment", NOTICE, 2)]


@pytest.mark.parametrize(
    ("text", "locked", "times"),
    [
        pytest.param(f"{NOTICE}\n", NOTICE, 2, id="one line"),
        pytest.param(f"\t{NOTICE}\r\n\r\n再见 ", f"{NOTICE}\n再见", 1, id="two lines that stand together"),
    ],
)
def test_lines_are_locked_by_their_text(there: There, text: str, locked: str, times: int) -> None:
    made = there.locks.lock("video_001", kind="segment", text=text, author="alice")

    assert described(*made) == [("segment", locked, times)]


@pytest.mark.parametrize(
    "typed", ["AI Kit", "ａｉ　ｋｉｔ"], ids=["as it stands", "in another width and case"]
)
def test_a_phrase_is_locked_as_it_stands_and_as_often(there: There, typed: str) -> None:
    there.scripts.save("talk", "AI Kit is here.\nAI Kit, AI Kits!\n", expected_head=1, author="alice")

    made = there.locks.lock("talk", kind="phrase", text=f" {typed} ", author="alice")

    assert described(*made) == [("phrase", "AI Kit", 2)]


def test_a_speaker_is_locked_by_the_name_in_the_script(there: There) -> None:
    made = there.locks.lock("talk", kind="speaker", text="host：", author="alice")

    assert described(*made) == [("speaker", "HOST", 2)]


@pytest.mark.parametrize(
    ("kind", "text", "nearest"),
    [
        ("segment", "法律声明：", "法律声明：广告"),
        ("segment", f"{NOTICE}\n大家好", "法律声明：广告"),
        ("phrase", "轻盾非常轻", "这是轻盾，轻盾很轻。"),
        ("phrase", "大家好\n法律", "大家好"),
        ("speaker", "主持人", ""),
    ],
    ids=["part of a line", "lines apart", "other words", "over a line end", "a stranger"],
)
def test_what_is_not_there_is_not_locked_and_the_nearest_passage_is_shown(
    there: There, kind: str, text: str, nearest: str
) -> None:
    with pytest.raises(EditRefused) as caught:
        there.locks.lock("video_001", kind=kind, text=text, author="alice")

    assert (caught.value.reason, caught.value.nearest) == ("no_match", nearest)
    assert there.locks.locks("video_001") == ()


def test_a_line_number_beyond_the_end_locks_nothing(there: There) -> None:
    with pytest.raises(EditRefused, match="There is no line 9"):
        there.locks.lock("video_001", kind="segment", numbers=[1, 9], author="alice")

    assert there.locks.locks("video_001") == ()


@pytest.mark.parametrize("kind", ["segment", "phrase", "speaker"])
def test_nothing_cannot_be_locked(there: There, kind: str) -> None:
    with pytest.raises(BadInput):
        there.locks.lock("video_001", kind=kind, text=" \n ", author="alice")


def test_a_script_that_is_not_there_has_no_locks(there: There) -> None:
    for ask in (
        lambda: there.locks.locks("video_009"),
        lambda: there.locks.lock("video_009", kind="phrase", text="轻盾", author="alice"),
        lambda: there.locks.unlock("video_009", kind="phrase", text="轻盾", author="alice"),
    ):
        with pytest.raises(ScriptNotFound):
            ask()


@pytest.mark.parametrize(
    ("kind", "text", "script_id"),
    [("segment", NOTICE, "video_001"), ("phrase", "轻盾", "video_001"), ("speaker", "HOST", "talk")],
)
def test_the_same_lock_twice_is_the_first_one(there: There, kind: str, text: str, script_id: str) -> None:
    first = there.locks.lock(script_id, kind=kind, text=text, author="alice", note="first")

    assert there.locks.lock(script_id, kind=kind, text=f"{text} ".lower(), author="bob") == first
    assert there.locks.locks(script_id) == first


def test_a_person_cannot_save_over_a_lock_either(there: There) -> None:
    there.locks.lock("video_001", kind="phrase", text="轻盾", author="alice")

    with pytest.raises(EditRefused) as caught:
        save(there, TEXT.replace("轻盾很轻", "极盾很轻"))

    assert (caught.value.reason, caught.value.segments) == ("locked_changed", (3,))
    assert "script-editor unlock video_001 --phrase 轻盾" in caught.value.hint
    assert there.scripts.info("video_001").head_number == 1


@pytest.mark.parametrize(
    ("lock", "unlock"),
    [
        pytest.param(
            lambda there: there.locks.lock("video_001", kind="segment", numbers=[2], author="alice"),
            lambda there: there.locks.unlock("video_001", kind="segment", numbers=[4], author="bob"),
            id="a line by the number of another place",
        ),
        pytest.param(
            lambda there: there.locks.lock(
                "video_001", kind="segment", text=f"{NOTICE}\n再见", author="alice"
            ),
            lambda there: there.locks.unlock("video_001", kind="segment", numbers=[5], author="bob"),
            id="lines that stand together by one of them",
        ),
        pytest.param(
            lambda there: there.locks.lock("video_001", kind="segment", numbers=[2], author="alice"),
            lambda there: there.locks.unlock("video_001", kind="segment", text="法律声明:广告", author="bob"),
            id="a line by its text in another width",
        ),
        pytest.param(
            lambda there: there.locks.lock("talk", kind="phrase", text="Hello", author="alice"),
            lambda there: there.locks.unlock("talk", kind="phrase", text="hello", author="bob"),
            id="a phrase in another case",
        ),
        pytest.param(
            lambda there: there.locks.lock("talk", kind="speaker", text="HOST", author="alice"),
            lambda there: there.locks.unlock("talk", kind="speaker", text="Host:", author="bob"),
            id="a speaker",
        ),
        pytest.param(
            lambda there: there.locks.lock("talk", kind="phrase", text="Hello", author="alice"),
            lambda there: there.locks.unlock(
                "talk", lock_id=f" {there.locks.locks('talk')[0].id.upper()}", author="bob"
            ),
            id="by its id",
        ),
    ],
)
def test_a_lock_is_released_as_it_was_made(
    there: There,
    lock: Callable[[There], tuple[Lock, ...]],
    unlock: Callable[[There], tuple[Lock, ...]],
) -> None:
    made = lock(there)

    assert unlock(there) == made

    assert there.locks.locks("video_001") == there.locks.locks("talk") == ()


def test_unlocking_releases_nothing_but_what_was_named(there: There) -> None:
    there.locks.lock("video_001", kind="segment", numbers=[1, 2, 3], author="alice")
    kept = there.locks.lock("video_001", kind="phrase", text=NOTICE, author="alice")

    released = there.locks.unlock("video_001", kind="segment", numbers=[1, 2], author="bob")

    assert described(*released) == [("segment", "大家好", 1), ("segment", NOTICE, 2)]
    assert there.locks.locks("video_001")[1:] == kept


def test_a_lock_of_another_script_is_not_found(there: There) -> None:
    (lock,) = there.locks.lock("talk", kind="phrase", text="Hello", author="alice")

    for named in ({"lock_id": lock.id}, {"kind": "phrase", "text": "Hello"}):
        with pytest.raises(NotFound, match="no such lock"):
            there.locks.unlock("video_001", **named, author="bob")
    with pytest.raises(BadInput, match="what to unlock"):
        there.locks.unlock("video_001", author="bob")

    assert there.locks.locks("talk") == (lock,)


def test_going_back_over_a_lock_says_so_and_the_lock_stays(there: There) -> None:
    save(there, f"{TEXT}新的一句\n")
    locks = there.locks.lock("video_001", kind="segment", numbers=[6], author="alice")
    there.locks.lock("video_001", kind="phrase", text="轻盾", author="alice")

    undone = there.scripts.undo("video_001", author="bob")
    redone = there.scripts.redo("video_001", author="bob")
    reverted = there.scripts.revert("video_001", Selector(number=1), author="bob")

    assert (undone.broken_locks, redone.broken_locks, reverted.broken_locks) == (locks, (), locks)
    assert reverted.version.text == TEXT
    assert len(there.locks.locks("video_001")) == 2


def test_a_script_can_be_edited_on_after_a_revert_over_a_lock(there: There) -> None:
    save(there, f"{TEXT}新的一句\n")
    there.locks.lock("video_001", kind="segment", numbers=[6], author="alice")
    there.scripts.undo("video_001", author="bob")

    assert save(there, f"开头\n{TEXT}", on=3) == 4


def test_going_back_over_what_a_locked_speaker_says_is_told_too(there: There) -> None:
    there.scripts.save("talk", TALK.replace("Bye", "Good bye"), expected_head=1, author="alice")
    locks = there.locks.lock("talk", kind="speaker", text="HOST", author="alice")

    assert there.locks.broken(there.scripts.read("talk@v1")) == locks
    assert there.locks.broken(there.scripts.read("talk")) == ()
    assert there.scripts.undo("talk", author="bob").broken_locks == locks


def test_a_lock_that_a_revert_broke_protects_again_once_its_line_is_back(
    there: There, store: SqlScriptStore
) -> None:
    save(there, f"{TEXT}新的一句\n")
    there.locks.lock("video_001", kind="segment", numbers=[6], author="alice")
    there.scripts.undo("video_001", author="bob")
    save(there, f"新的一句\n{TEXT}", on=3)

    with pytest.raises(EditRefused, match="Line 1 of video_001 is locked"):
        store.append("video_001", TEXT, expected_head=4, source="edit", provenance=Provenance(author="a"))


def test_a_line_that_stands_more_often_now_is_locked_in_all_its_places(there: There) -> None:
    (first,) = there.locks.lock("video_001", kind="segment", numbers=[1], author="alice")
    there.scripts.save("video_001", f"{TEXT}大家好\n", expected_head=1, author="bob")

    (again,) = there.locks.lock("video_001", kind="segment", numbers=[6], author="alice")

    assert (again.text, again.occurrences) == (first.text, 2)
    assert there.locks.locks("video_001") == (again,)
