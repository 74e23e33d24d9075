"""The shelf and its history: create, read, compare, revert, undo. Every write appends a version."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from script_editor.domain.references import Reference, Selector, parse_reference, select
from script_editor.domain.script import (
    FileForm,
    Provenance,
    RefusedReply,
    ScriptInfo,
    Source,
    Version,
    VersionInfo,
    canonical_id,
    check_text,
)
from script_editor.errors import EditRefused, StaleHead, StoreDamaged

if (
    TYPE_CHECKING
):  # the protocol names every kind of edit; reading a text needs none of them, nor what compares
    from script_editor.app.comparing import Comparison, HistoryEntry
    from script_editor.domain.diff import Change
    from script_editor.domain.locks import Lock
    from script_editor.domain.ports import ScriptStore
    from script_editor.domain.undo import Track


@dataclass(frozen=True, slots=True)
class Restored:
    """A version that brought an older text back, compared with it after the write.

    `undone` are the versions whose changes were taken back (undo, newest first) or put back (redo,
    oldest first). `broken_locks` hold all the same, though the restored text lacks what they lock.
    """

    version: Version
    restored: Version
    changes: "tuple[Change, ...]"
    undone: tuple[VersionInfo, ...] = ()
    broken_locks: "tuple[Lock, ...]" = ()


class ScriptService:
    """What people and tools do with scripts, apart from editing by instruction."""

    def __init__(self, store: "ScriptStore"):
        self._store = store

    def new(
        self,
        script_id: str,
        text: str,
        *,
        author: str,
        title: str = "",
        language: str = "und",
        file: FileForm | None = None,
        source: Source = "import",
        message: str = "",
    ) -> Version:
        """Store a new script. Raises BadScriptId, BadText, TooLarge, ScriptExists."""
        check_text(text)
        return self._store.create(
            canonical_id(script_id),
            text,
            title=title,
            language=language,
            file=file,
            source=source,
            provenance=Provenance(author=author, message=message),
        )

    def save(
        self,
        script_id: str,
        text: str,
        *,
        expected_head: int,
        author: str,
        message: str = "",
        source: Source = "manual",
        file: FileForm | None = None,
        request_id: str | None = None,
    ) -> Version:
        """Save a text that a person wrote or imported as the version after `expected_head`.

        `file` says how an imported text was written; None keeps what the head says.

        Raises:
            StaleHead: someone else wrote first; nothing was saved.
            EditRefused: "unchanged" when the text equals the head's, "locked_changed" when it lacks
                what is locked.
            BadText, TooLarge, ScriptNotFound.
        """
        check_text(text)
        script_id = canonical_id(script_id)
        head = self._store.head(script_id)
        if head.number == expected_head and head.text == text:
            raise _unchanged(script_id, "The text equals the newest version.")
        return self._store.append(
            script_id,
            text,
            expected_head=expected_head,
            source=source,
            provenance=Provenance(author=author, message=message),
            file=file,
            request_id=request_id,
        )

    # --- reading -----------------------------------------------------------------------------

    def list(
        self, query: str = "", *, after: str | None = None, limit: int | None = None
    ) -> tuple[ScriptInfo, ...]:
        """Return scripts by id; `query` keeps those whose id or title contains it."""
        return self._store.scripts(query=query, after=after, limit=limit)

    def info(self, script_id: str) -> ScriptInfo:
        """Return a script's shelf entry. Raises ScriptNotFound."""
        return self._store.script(canonical_id(script_id))

    def read(self, reference: str | Reference) -> Version:
        """Return the version that `video_001`, `video_001@v3`, `@prev`, … names, with its text."""
        if isinstance(reference, str):
            reference = parse_reference(reference)
        selector = reference.selector
        if selector == Selector():
            return self._store.head(reference.script_id)
        if selector.number is not None and not selector.steps_back:
            return self._store.version(reference.script_id, selector.number)
        return self._store.version(reference.script_id, self.number_of(reference))

    def heads(self, infos: Sequence[ScriptInfo]) -> tuple[Version, ...]:
        """Return the newest versions of these scripts, in one reading, by id; one that is gone is left out."""
        return self._store.heads([info.id for info in infos])

    def number_of(self, reference: Reference) -> int:
        """Return the version number a reference names. Raises ScriptNotFound, VersionNotFound."""
        history = self._store.history(reference.script_id)
        return select(reference.script_id, reference.selector, history)

    def history(
        self, script_id: str, *, limit: int | None = None, before: int | None = None
    ) -> "tuple[HistoryEntry, ...]":
        """Return versions, newest first, each with the number of changes against its parent."""
        from script_editor.app.comparing import described  # late: reading a text compares nothing

        history = self._store.history(canonical_id(script_id), limit=limit, before=before)
        return described(self._store, history)

    def versions(self, script_id: str) -> tuple[VersionInfo, ...]:
        """Return all versions without their texts, newest first; nothing is compared. Raises ScriptNotFound."""
        return self._store.history(canonical_id(script_id))

    def compare(self, before: Reference, after: Reference) -> "Comparison":
        """Return what changed between two versions, in the order given."""
        from script_editor.app.comparing import between  # late: see history

        return between(self.read(before), self.read(after))

    def compare_with_parent(self, reference: Reference) -> "Comparison":
        """Return what a version changed against its parent; version 1 is compared with itself."""
        from script_editor.app.comparing import between  # late: see history

        new = self.read(reference)
        return between(self._store.version(new.script_id, new.parent_number or new.number), new)

    def refusals(self, script_id: str, *, limit: int = 20) -> tuple[RefusedReply, ...]:
        """Return the model's replies about a script that were not used, newest first. Raises ScriptNotFound."""
        return self._store.refusals(self.info(script_id).id, limit=limit)

    # --- going back --------------------------------------------------------------------------

    def revert(
        self,
        script_id: str,
        selector: Selector,
        *,
        author: str,
        expected_head: int | None = None,
        message: str = "",
        instruction: str | None = None,
        run_id: str | None = None,
        request_id: str | None = None,
    ) -> Restored:
        """Append an older text as a new version; nothing is removed.

        Locks do not stand in the way of undo, redo and revert; the result names those it breaks.

        `expected_head` None means the head as it is now.

        Raises:
            EditRefused: "unchanged" when the head has that text already.
            VersionNotFound, ScriptNotFound, StaleHead.
        """
        script_id = canonical_id(script_id)
        target = self.number_of(Reference(script_id, selector))
        provenance = Provenance(author=author, message=message, instruction=instruction, run_id=run_id)
        return self._restore(script_id, target, "revert", provenance, expected_head, request_id=request_id)

    def undo(
        self,
        script_id: str,
        *,
        author: str,
        steps: int = 1,
        expected_head: int | None = None,
        instruction: str | None = None,
        run_id: str | None = None,
        request_id: str | None = None,
    ) -> Restored:
        """Go back over the newest `steps` changes that are not undone yet; see domain/undo.py.

        `expected_head` None means the head as it is now.

        Raises:
            EditRefused: "unchanged" when there are fewer changes.
            ScriptNotFound, StaleHead.
        """
        provenance = Provenance(author=author, instruction=instruction, run_id=run_id)
        return self._step(canonical_id(script_id), "undo", steps, provenance, expected_head, request_id)

    def redo(self, script_id: str, *, author: str, steps: int = 1) -> Restored:
        """Go forward again over undone changes. Raises EditRefused("unchanged") when there are fewer."""
        return self._step(canonical_id(script_id), "redo", steps, Provenance(author=author), None, None)

    def track(self, script_id: str) -> "Track":
        """Return where undo and redo stand."""
        from script_editor.domain.undo import track  # late: see history

        return track(self._store.history(canonical_id(script_id)))

    def _step(
        self,
        script_id: str,
        source: Source,
        steps: int,
        provenance: Provenance,
        expected_head: int | None,
        request_id: str | None,
    ) -> Restored:
        from script_editor.domain.undo import track  # late: see history

        history = self._store.history(script_id)
        here = track(history)
        target = here.back(steps) if source == "undo" else here.forward(steps)
        if target is None:
            possible = here.position if source == "undo" else len(here.states) - 1 - here.position
            left = f"only {possible}" if possible else "nothing"
            raise _unchanged(script_id, f"There is {left} to {source}.")
        moved = here.undone_by(steps) if source == "undo" else here.states[here.position + 1 :][:steps]
        about_version = {version.number: version for version in history}
        return self._restore(
            script_id,
            target,
            source,
            provenance,
            history[0].number if expected_head is None else expected_head,
            request_id=request_id,
            undone=tuple(about_version[number] for number in moved),
        )

    def _restore(
        self,
        script_id: str,
        target: int,
        source: Source,
        provenance: Provenance,
        expected_head: int | None,
        *,
        request_id: str | None,
        undone: tuple[VersionInfo, ...] = (),
    ) -> Restored:
        from script_editor.domain.diff import changes  # late: see history

        head, wanted = self._store.head(script_id), self._store.version(script_id, target)
        expected = head.number if expected_head is None else expected_head
        if expected != head.number:
            raise StaleHead(script_id, expected=expected, actual=head.number)
        if source == "revert" and head.text == wanted.text:
            raise _unchanged(
                script_id, f"The newest version v{head.number} already has the text of v{target}."
            )
        broken = _broken_locks(self._store, wanted)
        self._store.append(
            script_id,
            wanted.text,
            expected_head=expected,
            source=source,
            restored_number=target,
            provenance=provenance,
            request_id=request_id,
        )
        written = self._store.version(script_id, expected + 1)
        if written.text != wanted.text:
            raise StoreDamaged(
                f"{written.reference} was written as the text of v{target}, but reads differently.",
                hint="Check the disk; every older version is still there.",
            )
        return Restored(written, wanted, changes(head.text, written.text), undone, broken)


def _unchanged(script_id: str, message: str) -> EditRefused:
    return EditRefused("unchanged", f"{script_id}: {message}")


def _broken_locks(store: "ScriptStore", version: Version) -> "tuple[Lock, ...]":
    from script_editor.app.locks import (
        LockService,  # late: what finds locked lines need not load for a history
    )

    return LockService(store).broken(version)
