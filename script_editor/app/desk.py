"""What the tools do. One desk serves one request, within its scope, and keeps its ledger.

A tool reads the head itself, so that no script text travels in a call, and answers with the
numbers the program knows.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace

from script_editor import interrupts
from script_editor.app import desk_refusals as refusals
from script_editor.app.arguments import ModifyScript, Preview, Revert
from script_editor.app.asked import asks_to_undo
from script_editor.app.decisions import changes_at, check_may_be_saved, decided, pending
from script_editor.app.drafts import draft, refused
from script_editor.app.locks import LockService
from script_editor.app.observations import broken_notes, rows, told
from script_editor.app.parts import ranges
from script_editor.app.permits import Permits
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.reading_desk import ReadingDesk, numbered
from script_editor.app.repeats import open_twin
from script_editor.app.rewriter import PartlyDone
from script_editor.app.scope import Approve, Ledger, Pending, Scope
from script_editor.app.scripts import Restored, ScriptService
from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from script_editor.domain.operations import Constraints, Rewrite
from script_editor.domain.ports import Rewriter
from script_editor.domain.references import Reference, Selector
from script_editor.domain.refusals import worded
from script_editor.domain.refusals.failures_zh import cause_zh
from script_editor.domain.script import Provenance, Version, canonical_id
from script_editor.domain.segments import NumberedScript
from script_editor.errors import (
    BadScriptId,
    EditRefused,
    Objected,
    ProposalClosed,
    ScriptEditorError,
    Unfinished,
)


class Desk(ReadingDesk):
    """The bodies of all tools: each takes checked arguments and the id of the call."""

    def __init__(
        self,
        scripts: ScriptService,
        proposals: ProposalService,
        locks: LockService,
        rewriter: Rewriter,
        scope: Scope,
        ledger: Ledger,
        approve: Approve,
    ):
        super().__init__(scripts, proposals, locks, scope, ledger)
        self._rewriter, self._approve = rewriter, approve
        self._permits = Permits(scripts, proposals, self._reach, scope, ledger)
        self._first: NumberedScript | None = None  # the text that the person's "--only 2-3" speaks of

    # --- proposing and saving ----------------------------------------------------------------

    def preview(self, args: Preview, _call_id: str) -> str:
        with self._remembering(args.script_id):
            review = self.propose(args.script_id, args.instruction, args.targets)
        shown = pending(review)
        head = f"proposal {review.proposal.id} over {review.base.reference}, not saved: {told(shown, self._language)}"
        return "\n".join([head, *rows(shown, self._language)])

    def modify_script(self, args: ModifyScript, call_id: str) -> str:
        with self._remembering(args.script_id):
            script_id = self._reach.writable(args.script_id, args.proposal_id)
            self._permits.check_count(script_id)
            review, only = self._to_save(args, script_id)
            check_may_be_saved(review)
            shown = pending(review, only)
            if args.proposal_id is not None:
                self._check_demands(shown)
            chosen = self._decided(shown)
            if chosen is not None:
                only, shown = chosen, pending(review, chosen)
            with interrupts.held():  # what is saved has to be known as saved
                version = self._proposals.accept(
                    review.proposal.id,
                    decided_by=self._scope.author,
                    request_id=self._request_id(call_id),
                    only=only,
                )
                self._ledger.saved.append(version)
        head = f"saved {version.reference} (from v{review.base.number}): {told(shown, self._language)}"
        return "\n".join([head, *rows(shown, self._language)])

    def _remembering(self, raw_id: str) -> AbstractContextManager[None]:
        """Keep in the ledger what becomes of an attempt to write the script that the model names so."""
        try:
            return self._ledger.remembering(canonical_id(raw_id))
        except BadScriptId:
            return self._ledger.remembering(raw_id)

    def _to_save(self, args: ModifyScript, script_id: str) -> tuple[Review, tuple[int, ...] | None]:
        """Return what to save: the stored proposal, of it perhaps some changes only, or a new edit."""
        if args.proposal_id is None:
            self._permits.check_edit(script_id)
            return self.propose(args.script_id, args.instruction, args.targets), None
        review = self._proposals.review(args.proposal_id)
        if review.proposal.script_id != script_id:
            raise refusals.of_another_script(review.proposal, script_id, self._language)
        self._permits.check_take(script_id, review.proposal.id)
        return review, changes_at(review, args.targets) if args.targets else None

    def _decided(self, shown: Pending) -> tuple[int, ...] | None:
        try:
            return decided(self._approve, shown)
        except Objected:
            if shown.proposal_id is not None:
                self._ledger.objected.add(shown.proposal_id)
            raise

    def revert(self, args: Revert, call_id: str) -> str:
        with self._remembering(args.script_id):
            script_id = self._writable(args.script_id)
            self._permits.check_count(script_id)
            self._permits.check_revert(script_id, args.version)
            compared = self._scripts.compare(
                Reference(script_id, Selector()), Reference(script_id, Selector(number=args.version))
            )
            zh = self._language == "zh"
            number = args.version
            note = f"这会恢复 v{number} 的内容。" if zh else f"This brings the text of v{number} back."
            if compared.changes:
                self._decided(
                    Pending(
                        base=compared.before,
                        after=compared.after.text,
                        changes=compared.changes,
                        notes=(note, *broken_notes(self._locks.broken(compared.after), self._language)),
                        language=self._language,
                    )
                )
            with interrupts.held():  # as above
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
        if asks_to_undo(scope.instruction) and self._scripts.track(script_id).back() == number:
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

    def propose(
        self,
        raw_id: str,
        instruction: str,
        targets: Sequence[int] | None = None,
        *,
        avoid: Sequence[str] = (),
    ) -> Review:
        """Make an edit of the head as a stored proposal; errors that a person may overrule are in its findings.

        Raises:
            EditRefused: nothing came of it that a person could overrule.
            Unfinished, KeyboardInterrupt: a chunk failed or was interrupted; the finished ones are a proposal.
        """
        base = self._scripts.read(Reference(self._reach.proposable(raw_id), Selector()))
        script = numbered(base)
        if self._first is None:
            self._first = script
        constraints, notes = self._scope.demands.constraints(
            script,
            self._scope.instruction,
            locks=self._locks.locks(base.script_id),
            targets=tuple(targets or ()),
            first=self._first,
        )
        constraints = replace(constraints, avoid=tuple(avoid), asked=self._scope.instruction)
        try:
            rewrite = self._rewriter(script, instruction, constraints)
        except PartlyDone as partly:
            cause = partly.__cause__
            assert isinstance(cause, ScriptEditorError | KeyboardInterrupt), (
                "a rewriter stops for nothing else"
            )
            raise self._kept_partly(base, partly.rewrite, partly.untouched, constraints, cause) from cause
        try:
            return self._kept(base, rewrite, constraints, notes)
        except KeyboardInterrupt as interrupt:  # the calls are paid for, and keeping them takes a moment
            raise self._kept_partly(base, rewrite, (), constraints, interrupt) from interrupt

    def _kept(
        self, base: Version, rewrite: Rewrite, constraints: Constraints, notes: Sequence[str] = ()
    ) -> Review:
        made = draft(
            numbered(base), rewrite.plan, instruction=self._scope.instruction, constraints=constraints
        )
        told = (*notes, *rewrite.notes)
        twin = open_twin(self._proposals, base, made, told, scope=self._scope, ledger=self._ledger)
        review = twin or self._proposals.propose(
            base,
            made.text,
            provenance=self._provenance(rewrite),
            findings=made.findings,
            notes=told,
        )
        self._close_failed(review)
        self._ledger.reviews.append(review)
        return review

    def _close_failed(self, newer: Review) -> None:
        """Close what this run proposed before and a check or the person refused: `newer` is the next try."""
        for earlier in self._ledger.reviews:
            is_failed = any(finding.level == "error" for finding in earlier.findings)
            is_same = earlier.base.script_id == newer.base.script_id
            if is_same and (is_failed or earlier.proposal.id in self._ledger.objected):
                self._ledger.closed.add(earlier.proposal.id)
                with suppress(ProposalClosed):
                    self._proposals.reject(
                        earlier.proposal.id,
                        decided_by=self._scope.author,
                        reason=f"tried again as {newer.proposal.id}",
                    )

    def _kept_partly(
        self,
        base: Version,
        rewrite: Rewrite,
        untouched: Sequence[int],
        constraints: Constraints,
        cause: ScriptEditorError | KeyboardInterrupt,
    ) -> BaseException:
        """Keep what is there as a proposal, and return what to raise for the rest."""
        lines = ranges(untouched)
        # Half an edit cannot have the whole length.
        constraints = replace(constraints, duration=None) if untouched else constraints
        notes = (f"Lines {lines} are as they were.",) if untouched else ()
        if isinstance(cause, EditRefused):
            cause = worded(cause, self._language)
        try:
            review = self._kept(base, rewrite, constraints, notes)
        except KeyboardInterrupt as again:  # once more: a second one must not lose what the first one keeps
            review, cause = self._kept(base, rewrite, constraints, notes), again
        except EditRefused:  # what stopped the edit is the better reason for having nothing
            return cause
        self._ledger.unfinished = Unfinished(
            base.script_id,
            proposal_id=review.proposal.id,
            untouched=lines,
            cause=cause,
            language=self._language,
            cause_zh=cause_zh(cause),
        )
        return cause if isinstance(cause, KeyboardInterrupt) else self._ledger.unfinished

    def _provenance(self, rewrite: Rewrite) -> Provenance:
        return Provenance(
            author=self._scope.author,
            instruction=self._scope.instruction,
            model=rewrite.model,
            prompt_tokens=rewrite.prompt_tokens,
            completion_tokens=rewrite.completion_tokens,
            run_id=self._scope.run_id,
        )

    def _check_demands(self, shown: Pending) -> None:
        """Raises EditRefused when a proposal of another request goes beyond what this one allows."""
        script, asked = numbered(shown.base), self._scope.instruction
        constraints, _ = self._scope.demands.constraints(script, asked, first=self._first)
        context = GuardContext(instruction=asked, targets=constraints.targets, locks=constraints.locks)
        beyond = [f for f in check(script.text, shown.after, context) if f.guard in ("off_target", "locked")]
        if beyond:
            raise refused(beyond, script=shown.base.reference)

    def _request_id(self, call_id: str) -> str | None:
        return f"{self._scope.run_id}:{call_id}" if self._scope.run_id else None
