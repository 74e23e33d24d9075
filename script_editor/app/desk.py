"""What the tools do. One desk serves one request, within its scope, and keeps its ledger.

A tool reads the head itself, so that no script text travels in a call, and answers with the
numbers the program knows. Every line of script text in an observation stands behind a segment id,
so it can never be taken for a label of the agent's own format.
"""

import re
from collections.abc import Sequence

from script_editor.app.arguments import Diff, GetScript, History, ListScripts, ModifyScript, Preview, Revert
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.rewriter import checked_text
from script_editor.app.scope import Approve, Ledger, Pending, Scope
from script_editor.app.scripts import Restored, ScriptService
from script_editor.domain.diff import Change
from script_editor.domain.operations import Constraints, Rewrite
from script_editor.domain.ports import Rewriter
from script_editor.domain.references import Reference, Selector
from script_editor.domain.script import Provenance, Version, VersionInfo, canonical_id
from script_editor.domain.segments import NumberedScript
from script_editor.errors import BadScriptId, Declined, EditRefused, ScriptNotFound

WINDOW_SEGMENTS = 60
WINDOW_CHARS = 4000
PAGE = 20
_UNDO = re.compile(
    r"撤销|撤銷|撤回|撤消|复原|復原|回退一步|退回一步|上一步|取消(?:刚才|上次|上一次|这次|最近)"
    r"|\bundo\b|take (?:it|that|this) back|(?:one|a) step back|back (?:one|a) step",
    re.IGNORECASE,
)
"""How people ask to take a change back, as against naming a version to return to."""
_SHOWN_CHANGES = 12
_SHOWN_CHARS = 160


class Desk:
    """The bodies of the tools: each takes checked arguments and the id of the call."""

    def __init__(
        self,
        scripts: ScriptService,
        proposals: ProposalService,
        rewriter: Rewriter,
        scope: Scope,
        ledger: Ledger,
        approve: Approve,
    ):
        self._scripts, self._proposals, self._rewriter = scripts, proposals, rewriter
        self._scope, self._ledger, self._approve = scope, ledger, approve

    # --- reading -----------------------------------------------------------------------------

    def list_scripts(self, args: ListScripts, _call_id: str) -> str:
        found = self._scripts.list(args.query or "", after=args.after, limit=PAGE + 1)
        rows = [f"- {info.id} | {info.title or '(no title)'} | v{info.head_number}" for info in found[:PAGE]]
        if len(found) > PAGE:
            rows.append(f"more: list_scripts(after={found[PAGE - 1].id!r})")
        return self._answered("\n".join(rows) or "No script matches.")

    def get_script(self, args: GetScript, _call_id: str) -> str:
        version = self._scripts.read(Reference(self._readable(args.script_id), Selector(number=args.version)))
        script = _numbered(version)
        count = len(script.segments)
        first = args.from_segment or 1
        if count and first > count:
            return f"{version.reference} has {count} lines; there is no line {first}."
        last = _window_end(script, first, args.to_segment)
        rows = [f"{version.reference} | {count} lines, {first} to {last} shown", script.view(first, last)]
        if last < count and (args.to_segment is None or last < args.to_segment):
            rows.append(f"more: get_script(script_id={version.script_id!r}, from_segment={last + 1})")
        return self._answered("\n".join(row for row in rows if row))

    def history(self, args: History, _call_id: str) -> str:
        script_id = self._readable(args.script_id)
        entries = self._scripts.history(script_id, limit=PAGE, before=args.before)
        rows = [_history_row(entry.version, entry.change_count) for entry in entries]
        if entries and entries[-1].version.number > 1:
            rows.append(f"more: history(script_id={script_id!r}, before={entries[-1].version.number})")
        target = self._scripts.track(script_id).back()
        rows.append(f"undo: v{target}" if target else "undo: none")
        return self._answered("\n".join(rows))

    def diff(self, args: Diff, _call_id: str) -> str:
        script_id = self._readable(args.script_id)
        compared = self._scripts.compare(
            Reference(script_id, Selector(number=args.from_version)),
            Reference(script_id, Selector(number=args.to_version)),
        )
        head = f"{script_id} v{args.from_version} to v{args.to_version}: {_count(compared.changes)}"
        return self._answered("\n".join([head, *change_rows(compared.changes)]))

    # --- proposing and saving ----------------------------------------------------------------

    def preview(self, args: Preview, _call_id: str) -> str:
        with self._ledger.remembering():
            review = self._proposed(args.script_id, args.instruction, args.targets)
        head = (
            f"proposal {review.proposal.id} over {review.base.reference}, not saved: {_count(review.changes)}"
        )
        return "\n".join([head, *review.notes, *change_rows(review.changes)])

    def modify_script(self, args: ModifyScript, call_id: str) -> str:
        with self._ledger.remembering():
            if args.proposal_id is not None:
                review = self._stored(args)
            else:
                review = self._proposed(args.script_id, args.instruction, args.targets)
            pending = Pending(
                base=review.base, changes=review.changes, notes=review.notes, proposal_id=review.proposal.id
            )
            if not self._approve(pending):
                raise Declined(hint=f"The proposal is kept: script-editor apply {review.proposal.id}")
            version = self._proposals.accept(
                review.proposal.id, decided_by=self._scope.author, request_id=self._request_id(call_id)
            )
        self._ledger.saved.append(version)
        head = f"saved {version.reference} (from v{review.base.number}): {_count(review.changes)}"
        return "\n".join([head, *review.notes, *change_rows(review.changes)])

    def revert(self, args: Revert, call_id: str) -> str:
        with self._ledger.remembering():
            script_id = self._writable(args.script_id)
            compared = self._scripts.compare(
                Reference(script_id, Selector()), Reference(script_id, Selector(number=args.version))
            )
            note = f"This brings the text of v{args.version} back."
            if compared.changes and not self._approve(
                Pending(base=compared.before, changes=compared.changes, notes=(note,))
            ):
                raise Declined()
            restored = self._restored(
                script_id,
                args.version,
                shown_head=compared.before.number,
                request_id=self._request_id(call_id),
            )
        self._ledger.saved.append(restored.version)
        return f"saved {restored.version.reference} = text of v{args.version}, compared and identical"

    def _restored(self, script_id: str, number: int, *, shown_head: int, request_id: str | None) -> Restored:
        """Go back to version `number` from the head that was shown, and from no other."""
        scope = self._scope
        # Asked to undo, going back over exactly the newest change is one: asked twice, it goes two back.
        asked = _UNDO.search(scope.instruction) is not None
        if asked and self._scripts.track(script_id).back() == number:
            return self._scripts.undo(
                script_id,
                author=scope.author,
                expected_head=shown_head,
                instruction=scope.instruction,
                run_id=scope.run_id,
                request_id=request_id,
            )
        return self._scripts.revert(
            script_id,
            Selector(number=number),
            author=scope.author,
            expected_head=shown_head,
            instruction=scope.instruction,
            run_id=scope.run_id,
            request_id=request_id,
        )

    def _proposed(self, raw_id: str, instruction: str, targets: Sequence[int] | None) -> Review:
        base = self._scripts.read(Reference(self._writable(raw_id), Selector()))
        script, constraints = _numbered(base), Constraints(tuple(targets or ()))
        rewrite = self._rewriter(script, instruction, constraints)
        checked = checked_text(
            script, rewrite.plan, instruction=self._scope.instruction, constraints=constraints
        )
        review = self._proposals.propose(
            base,
            checked.text,
            provenance=self._provenance(rewrite),
            findings=checked.findings,
            notes=rewrite.notes,
        )
        self._ledger.reviews.append(review)
        return review

    def _provenance(self, rewrite: Rewrite) -> Provenance:
        return Provenance(
            author=self._scope.author,
            instruction=self._scope.instruction,
            model=rewrite.model,
            prompt_tokens=rewrite.prompt_tokens,
            completion_tokens=rewrite.completion_tokens,
            run_id=self._scope.run_id,
        )

    def _stored(self, args: ModifyScript) -> Review:
        review = self._proposals.review(args.proposal_id)
        if review.proposal.script_id != self._writable(args.script_id):
            raise _outside(review.proposal.script_id, self._scope)
        if args.targets:
            raise EditRefused(
                "malformed",
                "A stored proposal is saved whole here.",
                advice="Leave targets out, or edit again.",
            )
        return review

    # --- limits of the request ---------------------------------------------------------------

    def _readable(self, raw_id: str) -> str:
        script_id = _id_for_model(raw_id)
        if not self._scope.may_read(script_id):
            raise _outside(script_id, self._scope)
        return script_id

    def _writable(self, raw_id: str) -> str:
        script_id = _id_for_model(raw_id)
        if script_id != self._scope.script_id:
            raise _outside(script_id, self._scope)
        return script_id

    def _request_id(self, call_id: str) -> str | None:
        return f"{self._scope.run_id}:{call_id}" if self._scope.run_id else None

    def _answered(self, observation: str) -> str:
        self._ledger.answers.append(observation)
        return observation


def change_rows(changes: Sequence[Change], limit: int = _SHOWN_CHANGES) -> list[str]:
    """Return changes as compact rows, `- S2 | old` and `+ S2 | new`, with a note where some are left out."""
    rows: list[str] = []
    for change in changes[:limit]:
        if change.kind == "space":
            rows.append(f"~ {change.note}")
            continue
        if change.before_line is not None:
            rows.append(f"- S{change.before_line} | {_short(change.before)}")
        if change.after_line is not None:
            rows.append(f"+ S{change.after_line} | {_short(change.after)}")
    if len(changes) > limit:
        rows.append(f"({len(changes) - limit} more changes)")
    return rows


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def _count(changes: Sequence[Change]) -> str:
    return f"{len(changes)} change{'' if len(changes) == 1 else 's'}"


def _history_row(version: VersionInfo, change_count: int | None) -> str:
    when = version.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
    source = f"{version.source} of v{version.restored_number}" if version.restored_number else version.source
    why = version.provenance.instruction or version.provenance.message
    count = "" if change_count is None else f" | {change_count} change{'' if change_count == 1 else 's'}"
    return f"v{version.number} | {when} | {source}{count} | {_short(' '.join(why.split()))}"


def _numbered(version: Version) -> NumberedScript:
    return NumberedScript(version.script_id, version.number, version.text)


def _window_end(script: NumberedScript, first: int, wanted: int | None) -> int:
    last = min(wanted or len(script.segments), len(script.segments), first + WINDOW_SEGMENTS - 1)
    used = 0
    for segment in script.segments[first - 1 : last]:
        used += len(segment.content)
        if used > WINDOW_CHARS and segment.number > first:
            return segment.number - 1
    return last


def _id_for_model(raw_id: str) -> str:
    try:
        return canonical_id(raw_id)
    except BadScriptId as error:
        raise ScriptNotFound(raw_id, known=None) from error


def _outside(script_id: str, scope: Scope) -> EditRefused:
    return EditRefused(
        "wrong_target",
        f"This request is about {scope.script_id!r}; {script_id!r} may not be touched.",
        advice=f"Use script_id={scope.script_id!r}.",
    )
