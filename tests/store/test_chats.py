from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from script_editor.domain.chats import Chat, ChatMessage
from script_editor.errors import BadInput, ChatNotFound, NotFound, ScriptNotFound
from script_editor.store.sql import SqlScriptStore
from tests.store import workers
from tests.store.support import ALICE, raw, together

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@freeze_time(NOON)
def test_a_chat_is_found_by_its_id_and_by_its_name(store: SqlScriptStore):
    store.create("第一集", "一", provenance=ALICE)

    chat = store.create_chat(name="  周三 客户会 ", author="alice", script_id="第一集")

    expected = Chat(
        id=chat.id, name="周三 客户会", author="alice", created_at=NOON, updated_at=NOON, script_id="第一集"
    )
    assert chat.id.startswith("s-")
    assert [expected] * 4 == [
        chat,
        store.chat(chat.id),
        store.chat("周三 客户会"),
        store.chat(" 周三  客户会"),
    ]


@pytest.mark.parametrize("unknown", ["s-nothere", "", "周三"])
def test_a_chat_that_is_not_there_is_said_to_be_missing(store: SqlScriptStore, unknown: str):
    store.create_chat(name="", author="alice")

    for look in (
        lambda: store.chat(unknown),
        lambda: store.messages(unknown),
        lambda: store.say(unknown, "user", "hello"),
        lambda: store.move_chat(unknown, name="other"),
    ):
        with pytest.raises(ChatNotFound):
            look()


def test_a_name_finds_one_chat_only(store: SqlScriptStore):
    first = store.create_chat(name="hooks", author="alice")
    second = store.create_chat(name="", author="bob")

    for taken in ("hooks", " hooks ", first.id):
        with pytest.raises(BadInput, match="already"):
            store.create_chat(name=taken, author="bob")
        with pytest.raises(BadInput, match="already"):
            store.move_chat(second.id, name=taken)

    assert first == store.chat("hooks")
    assert "" == store.chat(second.id).name
    assert [second, first] == list(store.chats())


def test_many_chats_can_do_without_a_name(store: SqlScriptStore):
    ids = {store.create_chat(name="", author="alice").id for _ in range(3)}

    assert 3 == len(ids) == len(store.chats())


def test_a_name_can_be_given_later_and_taken_back(store: SqlScriptStore):
    chat = store.create_chat(name="", author="alice")

    assert "hooks" == store.move_chat(chat.id, name="hooks").name
    assert "hooks" == store.move_chat("hooks", name="hooks").name
    assert "endings" == store.move_chat("hooks", name="endings").name
    assert "" == store.move_chat("endings", name="").name
    assert "hooks" == store.create_chat(name="hooks", author="bob").name


def test_a_chat_moves_to_another_script_that_is_there(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    chat = store.create_chat(name="", author="alice")

    assert "video_001" == store.move_chat(chat.id, script_id="video_001").script_id
    assert "video_001" == store.move_chat(chat.id).script_id
    with pytest.raises(ScriptNotFound):
        store.move_chat(chat.id, script_id="video_009")
    with pytest.raises(ScriptNotFound):
        store.create_chat(name="", author="alice", script_id="video_009")
    assert "video_001" == store.chat(chat.id).script_id


def test_the_chat_used_last_comes_first(store: SqlScriptStore):
    with freeze_time(NOON) as clock:
        ids = [store.create_chat(name="", author="alice").id for _ in range(3)]
        clock.tick(60)
        store.say(ids[0], "user", "hello")
        clock.tick(60)
        store.move_chat(ids[1], name="later")

    assert [ids[1], ids[0], ids[2]] == [chat.id for chat in store.chats()]
    assert [ids[1]] == [chat.id for chat in store.chats(limit=1)]


@freeze_time(NOON)
def test_messages_are_numbered_and_come_back_in_order(store: SqlScriptStore):
    chat = store.create_chat(name="", author="alice")
    run = store.start_run(mode="tools", model="m", input="改", chat_id=chat.id)
    facts = ("video_001 v3 → v4", "proposal p-12 is open")

    said = [
        store.say(chat.id, "user", "改得轻松一些"),
        store.say(chat.id, "assistant", "改好了。", run_id=run.id, facts=facts),
        store.say(chat.id, "summary", "她想要轻松的语气。", facts=facts, covers=2),
    ]

    expected = [
        ChatMessage(chat_id=chat.id, seq=1, speaker="user", content="改得轻松一些", created_at=NOON),
        ChatMessage(
            chat_id=chat.id, seq=2, speaker="assistant", content="改好了。", created_at=NOON, run_id=run.id, facts=facts
        ),
        ChatMessage(
            chat_id=chat.id, seq=3, speaker="summary", content="她想要轻松的语气。", created_at=NOON, facts=facts, covers=2
        ),
    ]  # fmt: skip
    assert expected == said == list(store.messages(chat.id))
    assert expected[2:] == list(store.messages(chat.id, after=2))
    assert () == store.messages(chat.id, after=3)


def test_chats_are_numbered_each_for_itself(store: SqlScriptStore):
    chats = [store.create_chat(name="", author="alice").id for _ in range(2)]

    numbers = [store.say(chat, "user", "x").seq for chat in (*chats, *chats)]

    assert [1, 1, 2, 2] == numbers


def test_a_message_never_fails_on_its_characters(store: SqlScriptStore):
    chat = store.create_chat(name="", author="alice")

    said = store.say(chat.id, "assistant", "half \ud83d and \0", facts=("\0",))

    assert (said,) == store.messages(chat.id)
    assert ("half \ufffd and \ufffd", ("\ufffd",)) == (said.content, said.facts)


def test_a_message_names_a_run_that_is_there(store: SqlScriptStore):
    chat = store.create_chat(name="", author="alice")

    with pytest.raises(NotFound, match="r-nothere"):
        store.say(chat.id, "assistant", "done", run_id="r-nothere")

    assert () == store.messages(chat.id)


def test_a_name_that_is_too_long_is_refused(store: SqlScriptStore):
    chat = store.create_chat(name="", author="alice")

    for name_it in (
        lambda: store.create_chat(name="长" * 121, author="alice"),
        lambda: store.move_chat(chat.id, name="长" * 121),
    ):
        with pytest.raises(BadInput, match="120"):
            name_it()


@pytest.mark.parametrize(
    "change", ["UPDATE chat_message SET content = 'forged'", "DELETE FROM chat_message"], ids=["change", "removal"]
)  # fmt: skip
def test_what_was_said_is_never_changed(store: SqlScriptStore, store_url: str, change: str):
    chat = store.create_chat(name="", author="alice")
    said = store.say(chat.id, "user", "改")

    with pytest.raises(sa.exc.DBAPIError, match="immutable"), raw(store_url) as connection:
        connection.exec_driver_sql(change)

    assert (said,) == store.messages(chat.id)


def test_processes_that_speak_at_once_lose_no_message_and_no_number(store: SqlScriptStore, store_url: str):
    chat = store.create_chat(name="", author="alice")

    results = together(3, workers.say_at_once, store_url, chat.id, 10)

    told = [number for numbers in results for number in map(int, numbers.split())]
    messages = store.messages(chat.id)
    assert list(range(1, 31)) == sorted(told) == [message.seq for message in messages]
    assert {10} == {[m.content for m in messages].count(name) for name in {m.content for m in messages}}


def test_of_two_chats_with_one_name_at_once_one_is_made(store: SqlScriptStore, store_url: str):
    results = together(2, workers.create_chat_at_once, store_url, "hooks")

    assert ["bad_input", "hooks"] == results
    assert 1 == len(store.chats())
