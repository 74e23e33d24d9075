"""Locks of stored scripts: made, listed and released by people; no tool of the agent does this."""

from collections.abc import Sequence
from dataclasses import replace

from script_editor.domain.locks import Lock, LockKind, keep, marked, missing, violations
from script_editor.domain.matching import fold, nearest_passage
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import Version, canonical_id
from script_editor.domain.segments import NumberedScript
from script_editor.domain.speakers import speaker_key, speaker_lines, speakers
from script_editor.errors import BadInput, EditRefused, NotFound

_WORD = {"segment": "line", "phrase": "words", "speaker": "speaker"}


class LockService:
    """Makes, lists and releases locks of stored scripts."""

    def __init__(self, store: ScriptStore):
        self._store = store

    def locks(self, script_id: str) -> tuple[Lock, ...]:
        """Return the locks that hold, oldest first. Raises ScriptNotFound."""
        return self._store.locks(canonical_id(script_id))

    def lock(
        self,
        script_id: str,
        *,
        kind: LockKind,
        text: str = "",
        numbers: Sequence[int] = (),
        author: str,
        note: str = "",
    ) -> tuple[Lock, ...]:
        """Lock what stands in the head now: no edit and no saved text may lack it until it is unlocked.

        "segment" takes line `numbers`, each locked on its own, or a `text` of whole lines that stand
        together; "phrase" takes words inside a line, "speaker" a name. Text that stands elsewhere as
        well is locked there too. What is locked already is returned as the lock that it has, with its id.

        Raises:
            EditRefused: "no_match" when the head has no such line, words or speaker.
            BadInput: there is nothing to look for, or the note is too long.
            StaleHead: someone else wrote meanwhile; what was locked before that holds.
            ScriptNotFound, ScriptArchived.
        """
        script_id = canonical_id(script_id)
        script = _numbered(self._store.head(script_id))
        return tuple(
            self._store.add_lock(
                script_id,
                kind=kind,
                text=lock.text,
                occurrences=lock.occurrences,
                since_number=script.version,
                author=author,
                note=note,
            )
            for lock in _to_lock(script, kind, text, numbers)
        )

    def unlock(
        self,
        script_id: str,
        *,
        lock_id: str | None = None,
        kind: LockKind | None = None,
        text: str = "",
        numbers: Sequence[int] = (),
        author: str,
    ) -> tuple[Lock, ...]:
        """Release locks and return them, named by `lock_id` or as they were locked: `kind` with `text` or `numbers`.

        A line number releases each lock that holds that whole line.

        Raises:
            NotFound: no lock is that one; nothing was released.
            BadInput: nothing says which.
        """
        script_id = canonical_id(script_id)
        held = self._store.locks(script_id)
        if lock_id is not None:
            named = [lock for lock in held if lock.id == lock_id.strip().lower()]
        elif kind == "segment" and numbers:
            script = _numbered(self._store.head(script_id))
            named = _holding(held, {script.segment(number).content for number in numbers})
        elif kind is not None and text.strip():
            named = [lock for lock in held if lock.kind == kind and _is_named(lock, text)]
        else:
            raise BadInput(
                "Nothing says what to unlock.", hint="Give a lock's id, lines, a phrase or a speaker."
            )
        if not named:
            raise NotFound(f"{script_id} has no such lock. Those it has: script-editor lock {script_id}")
        return tuple(self._store.release_lock(str(lock.id), released_by=author) for lock in named)

    def broken(self, version: Version) -> tuple[Lock, ...]:
        """Return the locks that would be broken, or are, if this text were the head, oldest first."""
        held = self._store.locks(version.script_id)
        return _broken(held, self._store.head(version.script_id), version) if held else ()


def _numbered(version: Version) -> NumberedScript:
    return NumberedScript(version.script_id, version.number, version.text)


def _to_lock(script: NumberedScript, kind: LockKind, text: str, numbers: Sequence[int]) -> tuple[Lock, ...]:
    """Return what is to be locked, as it stands in the text and as often; none twice."""
    lines = _bare_lines(text)
    if kind == "segment" and numbers:
        found = [_line_lock(script, [script.segment(number).content]) for number in numbers]
    elif not lines:
        raise BadInput(f"There is no {kind} to lock.", hint="Name what stands in the script.")
    elif kind == "segment":
        found = [_line_lock(script, lines)]
    else:
        found = _phrase_locks(script, text) if kind == "phrase" else [_speaker_lock(script, text)]
    present = [lock for lock in found if lock.occurrences]
    if not present:
        raise _no_such(script, kind, lines)
    return tuple(dict.fromkeys(present))


def _no_such(script: NumberedScript, kind: LockKind, lines: Sequence[str]) -> EditRefused:
    """Return the refusal of a lock on something that is not there, with what comes near, or the speakers there are."""
    message = f"{script.script_id} v{script.version} has no such {_WORD[kind]}: {' / '.join(lines)}."
    if kind == "speaker":
        names = ", ".join(speakers(script))
        there = f"Its speakers: {names}." if names else "No line in it has a speaker's name before it."
        return EditRefused("no_match", f"{message} {there}", advice=_see_lines(script))
    nearest = nearest_passage([segment.content for segment in script.segments], lines[0])
    told = f"{message} The nearest line is: {nearest}" if nearest else message
    return EditRefused("no_match", told, nearest=nearest, advice=_see_lines(script))


def _see_lines(script: NumberedScript) -> str:
    return f"See its lines: script-editor show {script.script_id} --lines"


def _line_lock(script: NumberedScript, lines: Sequence[str]) -> Lock:
    lock = Lock(kind="segment", text="\n".join(lines))
    return replace(lock, occurrences=len(marked(script, [lock])) // len(lines))


def _phrase_locks(script: NumberedScript, text: str) -> list[Lock]:
    # Words inside a line: what runs over a line end is found by nobody.
    return [] if "\n" in text.strip() else [*keep(script.text, [text])[0]]


def _speaker_lock(script: NumberedScript, text: str) -> Lock:
    name = next((name for name in speakers(script) if speaker_key(name) == speaker_key(text)), text.strip())
    return Lock(kind="speaker", text=name, occurrences=len(speaker_lines(script, name)))


def _bare_lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _holding(locks: Sequence[Lock], lines: set[str]) -> list[Lock]:
    return [lock for lock in locks if lock.kind == "segment" and not lines.isdisjoint(lock.text.split("\n"))]


def _is_named(lock: Lock, text: str) -> bool:
    """Say whether a person means this lock by `text`, in whatever case, width or quotes it is typed."""
    if lock.kind == "speaker":
        return speaker_key(lock.text) == speaker_key(text)
    return fold(lock.text)[0].casefold() == fold("\n".join(_bare_lines(text)))[0].casefold()


def _broken(locks: Sequence[Lock], head: Version, text: Version) -> tuple[Lock, ...]:
    lacking = missing(text.text, locks)
    before, after = _numbered(head), _numbered(text)
    return tuple(
        lock
        for lock in locks
        if lock in lacking or (lock.kind == "speaker" and any(violations(before, after, (lock,))))
    )
