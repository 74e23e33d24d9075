"""What the reading tools do, within the scope of one request.

Every line of script text in an observation stands behind a segment id, so it can never be taken for a
label of the agent's own format.
"""

from collections.abc import Callable
from typing import TypeVar

from script_editor.agent.language import Language, language_of
from script_editor.app.arguments import Diff, GetScript, History, ListScripts
from script_editor.app.asked import rate_asked
from script_editor.app.finding import MOST_SEARCHED, Found, Hit, find_scripts
from script_editor.app.locks import LockService
from script_editor.app.observations import (
    change_count,
    change_rows,
    history_head,
    history_row,
    partly_searched,
    script_rows,
    spoken_row,
)
from script_editor.app.parts import ranges
from script_editor.app.proposals import ProposalService
from script_editor.app.reach import Reach
from script_editor.app.scope import Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.domain.locks import marked
from script_editor.domain.references import Reference, Selector
from script_editor.domain.refusals import worded
from script_editor.domain.script import Version
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused, ScriptNotFound

_A = TypeVar("_A")

WINDOW_SEGMENTS = 60
WINDOW_CHARS = 4000
PAGE = 20


class ReadingDesk:
    """The bodies of the tools that read: each takes checked arguments and the id of the call."""

    def __init__(
        self,
        scripts: ScriptService,
        proposals: ProposalService,
        locks: LockService,
        scope: Scope,
        ledger: Ledger,
    ):
        self._scripts, self._proposals, self._locks = scripts, proposals, locks
        self._scope, self._ledger = scope, ledger
        self._reach = Reach(scripts, scope, ledger)

    @property
    def _language(self) -> Language:
        """The language of the request."""
        return language_of(self._scope.instruction)

    def told(self, body: Callable[[_A, str], str]) -> Callable[[_A, str], str]:
        """Return a tool's body whose refusals are told to the agent, in the language of the request."""

        def run(args: _A, call_id: str) -> str:
            try:
                return body(args, call_id)
            except ScriptNotFound as missing:
                self._ledger.not_there = missing
                raise
            except EditRefused as refusal:
                language = self._language
                kept = self._scope.script_id or ""
                raise worded(refusal, language, audience="agent", kept=kept) from refusal

        return run

    # --- reading -----------------------------------------------------------------------------

    def list_scripts(self, args: ListScripts, _call_id: str) -> str:
        if args.query and args.query.strip():
            found = find_scripts(self._scripts, args.query)
            hits = [hit for hit in found.hits if args.after is None or hit.info.id > args.after]
        else:
            found = Found(())
            shelf = self._scripts.list(after=args.after, limit=PAGE + 1)
            hits = [Hit(info, self._scripts.read(Reference(info.id, Selector()))) for info in shelf]
        kept = self._open_proposals()
        told = [script_rows(hit, kept.get(hit.info.id, ()), self._language) for hit in hits[:PAGE]]
        if len(hits) > PAGE:
            told.append(f"more: list_scripts({_query(args.query)}after={hits[PAGE - 1].info.id!r})")
        if found.is_partial:
            told.append(partly_searched(MOST_SEARCHED, self._language))
        return self._answered("\n".join(told) or "No script matches.")

    def get_script(self, args: GetScript, _call_id: str) -> str:
        version = self._scripts.read(Reference(self._readable(args.script_id), Selector(number=args.version)))
        script = numbered(version)
        count = len(script.segments)
        first = args.from_segment or 1
        if count and first > count:
            return f"{version.reference} has {count} lines; there is no line {first}."
        last = _window_end(script, first, args.to_segment)
        rows = [
            f"{version.reference} | {count} lines, {first} to {last} shown",
            self._locked(script, first, last),
            spoken_row(version.text, rate_asked(self._scope.instruction), self._language),
            script.view(first, last),
        ]
        if last < count and (args.to_segment is None or last < args.to_segment):
            rows.append(f"more: get_script(script_id={version.script_id!r}, from_segment={last + 1})")
        return self._answered("\n".join(row for row in rows if row))

    def history(self, args: History, _call_id: str) -> str:
        script_id = self._readable(args.script_id)
        entries = self._scripts.history(script_id, limit=PAGE, before=args.before)
        rows = [history_row(entry.version, entry.change_count) for entry in entries]
        if entries and entries[-1].version.number > 1:
            rows.append(f"more: history(script_id={script_id!r}, before={entries[-1].version.number})")
        target = self._scripts.track(script_id).back()
        rows.append(f"undo: v{target}" if target else "undo: none")
        if kept := self._open_proposals().get(script_id):
            rows.append(f"not saved: {', '.join(f'proposal {id}' for id in kept)}")
        head = history_head(self._scripts.info(script_id), self._scope.asked_at, self._language)
        return self._answered("\n".join([head, *rows]))

    def diff(self, args: Diff, _call_id: str) -> str:
        script_id = self._readable(args.script_id)
        compared = self._scripts.compare(
            Reference(script_id, Selector(number=args.from_version)),
            Reference(script_id, Selector(number=args.to_version)),
        )
        head = f"{script_id} v{args.from_version} to v{args.to_version}: {change_count(compared.changes)}"
        return self._answered("\n".join([head, *change_rows(compared.changes, language=self._language)]))

    # --- limits of the request ---------------------------------------------------------------

    def _readable(self, raw_id: str) -> str:
        return self._reach.readable(raw_id)

    def _writable(self, raw_id: str) -> str:
        return self._reach.writable(raw_id)

    def _open_proposals(self) -> dict[str, list[str]]:
        """Return the ids of the open proposals of each script, newest first."""
        found: dict[str, list[str]] = {}
        for proposal in self._proposals.open():
            found.setdefault(proposal.script_id, []).append(proposal.id)
        return found

    def _answered(self, observation: str) -> str:
        self._ledger.answers.append(observation)
        return observation

    def _locked(self, script: NumberedScript, first: int, last: int) -> str:
        """Return what of the lines shown is locked, as a row; "" when nothing is."""
        locks = self._locks.locks(script.script_id)
        lines = [number for number in marked(script, locks) if first <= number <= last]
        words = [lock.text for lock in locks if lock.kind == "phrase"]
        told = [f"lines {ranges(lines)}"] if lines else []
        return f"locked: {'; '.join([*told, *words])}" if told or words else ""


def numbered(version: Version) -> NumberedScript:
    return NumberedScript(version.script_id, version.number, version.text)


def _query(query: str | None) -> str:
    return f"query={query!r}, " if query else ""


def _window_end(script: NumberedScript, first: int, wanted: int | None) -> int:
    last = min(wanted or len(script.segments), len(script.segments), first + WINDOW_SEGMENTS - 1)
    used = 0
    for segment in script.segments[first - 1 : last]:
        used += len(segment.content)
        if used > WINDOW_CHARS and segment.number > first:
            return segment.number - 1
    return last
