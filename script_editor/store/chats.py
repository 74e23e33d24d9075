"""Chats: what was said, in order. A message is only ever added."""

from typing import cast

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select, update

from script_editor.domain.chats import Chat, ChatMessage, Speaker
from script_editor.domain.script import utc_now
from script_editor.errors import BadInput, ChatNotFound
from script_editor.store import runs, shelf
from script_editor.store.rows import add, check_texts, new_id, storable
from script_editor.store.schema.chats import ChatRow, MessageRow


def create(session: Session, *, name: str, author: str, script_id: str | None) -> Chat:
    """Begin a chat; see `ScriptStore.create_chat`."""
    name = _plain(name)
    _require_free(session, name)
    if script_id is not None:
        shelf.find(session, script_id)
    moment = utc_now()
    row = ChatRow(
        id=new_id(session, ChatRow, "s"),
        name=name or None,
        author=author,
        script_id=script_id,
        created_at=moment,
        updated_at=moment,
    )
    try:
        with session.begin_nested():
            add(session, row)
    except IntegrityError:
        _require_free(session, name)  # a writer that committed just now has it
        raise
    return _value(row)


def read(session: Session, chat: str) -> Chat:
    """Return a chat by its id or its name; see `ScriptStore.chat`."""
    return _value(_find(session, chat))


def listed(session: Session, *, limit: int | None) -> tuple[Chat, ...]:
    """Return chats, the one used last first; see `ScriptStore.chats`."""
    statement = select(ChatRow).order_by(col(ChatRow.updated_at).desc(), col(ChatRow.seq).desc())
    return tuple(_value(row) for row in session.exec(statement.limit(limit)))


def move(session: Session, chat: str, *, script_id: str | None, name: str | None) -> Chat:
    """Let a chat be about another script, or have another name; see `ScriptStore.move_chat`."""
    row = _used(session, chat)
    if script_id is not None:
        shelf.find(session, script_id)
        row.script_id = script_id
    if name is not None and (plain := _plain(name)) != (row.name or ""):
        _require_free(session, plain)
        check_texts(ChatRow, name=plain)
        row.name = plain or None
    session.add(row)
    try:
        with session.begin_nested():
            session.flush()
    except IntegrityError:
        raise _taken(_plain(name or "")) from None
    return _value(row)


def say(
    session: Session,
    chat: str,
    speaker: Speaker,
    content: str,
    *,
    run_id: str | None,
    facts: tuple[str, ...],
    covers: int | None,
) -> ChatMessage:
    """Keep one message as the next of its chat; see `ScriptStore.say`."""
    assert (speaker == "summary") == (covers is not None), speaker
    row = _used(session, chat)  # whoever else has something to say waits here for the number
    runs.require(session, run_id)
    last = session.exec(select(func.max(MessageRow.seq)).where(MessageRow.chat_id == row.id)).one()
    message = MessageRow(
        chat_id=row.id,
        seq=(last or 0) + 1,
        speaker=speaker,
        content=storable(content),
        facts=[storable(fact) for fact in facts],
        covers=covers,
        run_id=run_id,
        created_at=row.updated_at,
    )
    add(session, message)
    return _message(message)


def messages(session: Session, chat: str, *, after: int) -> tuple[ChatMessage, ...]:
    """Return messages, oldest first; see `ScriptStore.messages`."""
    chat_id = _find(session, chat).id
    statement = select(MessageRow).where(MessageRow.chat_id == chat_id, col(MessageRow.seq) > after)
    return tuple(_message(row) for row in session.exec(statement.order_by(col(MessageRow.seq))))


def require(session: Session, chat_id: str | None) -> None:
    """Make sure that a chat that is to be referred to exists; None refers to nothing. Raises ChatNotFound."""
    if chat_id is not None and session.exec(select(ChatRow.seq).where(ChatRow.id == chat_id)).first() is None:
        raise ChatNotFound(chat_id)


def _used(session: Session, chat: str) -> ChatRow:
    """Return a chat whose row is locked until the end of the transaction, used just now."""
    row = _find(session, chat)
    session.exec(update(ChatRow).where(col(ChatRow.seq) == row.seq).values(updated_at=utc_now()))
    # What was read before the lock may be another writer's past.
    session.refresh(row)
    return row


def _find(session: Session, chat: str) -> ChatRow:
    row = session.exec(select(ChatRow).where(ChatRow.id == chat)).first()
    row = row or session.exec(select(ChatRow).where(ChatRow.name == _plain(chat))).first()
    if row is None:
        raise ChatNotFound(chat)
    return row


def _require_free(session: Session, name: str) -> None:
    """Refuse a name that finds a chat already, be it as its id. Raises BadInput."""
    if not name:
        return
    taken = select(ChatRow.seq).where((col(ChatRow.name) == name) | (col(ChatRow.id) == name))
    if session.exec(taken).first() is not None:
        raise _taken(name)


def _taken(name: str) -> BadInput:
    return BadInput(
        f"There is a chat named {name!r} already.", hint=f"Go on with it: script-editor chat --session {name}"
    )


def _plain(name: str) -> str:
    """Return a name as it is kept: with single spaces, and none around it."""
    return " ".join(storable(name).split())


def _value(row: ChatRow) -> Chat:
    return Chat(
        id=row.id,
        name=row.name or "",
        author=row.author,
        created_at=row.created_at,
        updated_at=row.updated_at,
        script_id=row.script_id,
    )


def _message(row: MessageRow) -> ChatMessage:
    return ChatMessage(
        chat_id=row.chat_id,
        seq=row.seq,
        speaker=cast(Speaker, row.speaker),
        content=row.content,
        created_at=row.created_at,
        run_id=row.run_id,
        facts=tuple(row.facts),
        covers=row.covers,
    )
