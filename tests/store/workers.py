"""What other processes do in the tests: functions that a fresh interpreter can import."""

from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from script_editor.errors import BadInput, Conflict, EditRefused
from script_editor.store.migrate import upgrade
from script_editor.store.sql import SqlScriptStore, open_store
from tests.store.support import ALICE


def open_new(path: str, barrier: Barrier) -> str:
    """Open a store that is not there yet, at the same moment as others."""
    barrier.wait()
    with open_store(path, create=True) as store:
        return f"{len(store.scripts())} scripts"


def upgrade_at_once(url: str, barrier: Barrier) -> str:
    """Upgrade a database at the same moment as others."""
    barrier.wait()
    return f"from {upgrade(url).from_revision}"


def append_at_once(url: str, request_id: str | None, barrier: Barrier) -> str:
    """Append to version 1 at the same moment as others; say what came of it."""
    with open_store(url, create=False) as store:
        barrier.wait()
        try:
            version = store.append(
                "video_001", "二", expected_head=1, source="edit", provenance=ALICE, request_id=request_id
            )
        except Conflict as conflict:
            return conflict.code
        return f"v{version.number}"


def create_at_once(url: str, request_id: str | None, barrier: Barrier) -> str:
    """Create one script at the same moment as others; say what came of it."""
    with open_store(url, create=False) as store:
        barrier.wait()
        try:
            version = store.create("video_001", "一", provenance=ALICE, request_id=request_id)
        except Conflict as conflict:
            return conflict.code
        return f"v{version.number}"


def decide_at_once(url: str, proposal_id: str, barrier: Barrier) -> str:
    """Accept or reject a proposal, whichever the barrier says, at the same moment as another."""
    with open_store(url, create=False) as store:
        accepts = barrier.wait() == 0
        try:
            if accepts:
                store.append(
                    "video_001",
                    "二",
                    expected_head=1,
                    source="edit",
                    provenance=ALICE,
                    proposal_id=proposal_id,
                )
            else:
                store.reject_proposal(proposal_id, decided_by="bob")
        except Conflict as conflict:
            return conflict.code
        return "accepted" if accepts else "rejected"


def append_for_ever(url: str, sender: Connection) -> None:
    """Append to a script until killed, telling each number once it is stored."""
    with open_store(url, create=False) as store:
        while True:
            head = store.head("video_001")
            text = f"{head.text}{head.number} 行\n"
            version = store.append(
                "video_001", text, expected_head=head.number, source="edit", provenance=ALICE
            )
            sender.send(version.number)


def lock_at_once(url: str, barrier: Barrier) -> str:
    """Lock a line at the same moment as others; say which lock it has."""
    with open_store(url, create=False) as store:
        barrier.wait()
        return f"locked {_locked(store)}"


def lock_or_append(url: str, barrier: Barrier) -> str:
    """Lock a line or save a text without it, whichever the barrier says, at the same moment as another."""
    with open_store(url, create=False) as store:
        locks = barrier.wait() == 0
        try:
            if locks:
                _locked(store)
                return "locked"
            version = store.append("video_001", "开头\n", expected_head=1, source="edit", provenance=ALICE)
        except (Conflict, EditRefused) as refused:
            return refused.code
        return f"v{version.number}"


def _locked(store: SqlScriptStore) -> str | None:
    return store.add_lock(
        "video_001",
        kind="segment",
        text="法律声明：广告",
        occurrences=1,
        since_number=1,
        author="alice",
    ).id


def say_at_once(url: str, chat_id: str, count: int, barrier: Barrier) -> str:
    """Say the same thing `count` times at the same moment as others; return the numbers it got."""
    with open_store(url, create=False) as store:
        name = f"speaker {barrier.wait()}"
        return " ".join(str(store.say(chat_id, "user", name).seq) for _ in range(count))


def create_chat_at_once(url: str, name: str, barrier: Barrier) -> str:
    """Begin a chat of that name at the same moment as others; say what came of it."""
    with open_store(url, create=False) as store:
        barrier.wait()
        try:
            return store.create_chat(name=name, author="alice").name
        except BadInput as refused:
            return refused.code
