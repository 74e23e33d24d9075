"""What the tools do. One desk serves one request, within its scope, and keeps its ledger.

A tool reads the head itself, so that no script text travels in a call, and answers with the
numbers the program knows.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from script_editor.app.arguments import ModifyScript, Preview, Revert
from script_editor.app.drafts import draft, refused
from script_editor.app.locks import LockService
from script_editor.app.observations import broken_notes, rows, told
from script_editor.app.parts import ranges
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.reading_desk import ReadingDesk, numbered, outside
from script_editor.app.rewriter import PartlyDone
from script_editor.app.scope import Approve, Ledger, Pending, Scope
from script_editor.app.scripts import Restored, ScriptService
from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from script_editor.domain.operations import Constraints, Rewrite
from script_editor.domain.ports import Rewriter
from script_editor.domain.references import Reference, Selector
from script_editor.domain.refusals import worded
from script_editor.domain.script import Provenance, Version
from script_editor.domain.segments import NumberedScript
from script_editor.domain.selection import take
from script_editor.errors import (
    Declined,
    EditRefused,
    ProposalClosed,
    ScriptEditorError,
    Unfinished,
)

_UNDO = re.compile(
    r"撤销|撤銷|撤回|撤消|复原|復原|回退一步|退回一步|上一步|取消(?:刚才|上次|上一次|这次|最近)"
    r"|\bundo\b|take (?:it|that|this) back|(?:one|a) step back|back (?:one|a) step",
    re.IGNORECASE,
)
"""How people ask to take a change back, as against naming a version to return to."""


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
        super().__init__(scripts, locks, scope, ledger)
        self._proposals, self._rewriter, self._approve = proposals, rewriter, approve
        self._first: NumberedScript | None = None  # the text that the person's "--only 2-3" speaks of

    # --- proposing and saving ----------------------------------------------------------------

    def preview(self, args: Preview, _call_id: str) -> str:
        with self._ledger.remembering():
            review = self.propose(args.script_id, args.instruction, args.targets)
        pending = _pending(review)
        head = f"proposal {review.proposal.id} over {review.base.reference}, not saved: {told(pending, self._language)}"
        return "\n".join([head, *rows(pending, self._language)])

    def modify_script(self, args: ModifyScript, call_id: str) -> str:
        with self._ledger.remembering():
            only = None
            if args.proposal_id is not None:
                review = self._stored(args)
                only = _changes_at(review, args.targets) if args.targets else None
            else:
                review = self.propose(args.script_id, args.instruction, args.targets)
            _check_may_be_saved(review)
            pending = _pending(review, only)
            if args.proposal_id is not None:
                self._check_demands(pending)
            answer = self._approve(pending)
            if not answer:
                raise Declined(hint=f"The proposal is kept: script-editor apply {review.proposal.id}")
            if isinstance(answer, tuple) and len(answer) < len(pending.changes):
                only = answer
                pending = _pending(review, only)
            version = self._proposals.accept(
                review.proposal.id,
                decided_by=self._scope.author,
                request_id=self._request_id(call_id),
                only=only,
            )
        self._ledger.saved.append(version)
        head = f"saved {version.reference} (from v{review.base.number}): {told(pending, self._language)}"
        return "\n".join([head, *rows(pending, self._language)])

    def revert(self, args: Revert, call_id: str) -> str:
        with self._ledger.remembering():
            script_id = self._writable(args.script_id)
            compared = self._scripts.compare(
                Reference(script_id, Selector()), Reference(script_id, Selector(number=args.version))
            )
            zh = self._language == "zh"
            number = args.version
            note = f"这会恢复 v{number} 的内容。" if zh else f"This brings the text of v{number} back."
            if compared.changes and not self._approve(
                Pending(
                    base=compared.before,
                    after=compared.after.text,
                    changes=compared.changes,
                    notes=(note, *broken_notes(self._locks.broken(compared.after), self._language)),
                    language=self._language,
                )
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
        base = self._scripts.read(Reference(self._writable(raw_id), Selector()))
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
        review = self._proposals.propose(
            base,
            made.text,
            provenance=self._provenance(rewrite),
            findings=made.findings,
            notes=(*notes, *rewrite.notes),
        )
        self._close_failed(review)
        self._ledger.reviews.append(review)
        return review

    def _close_failed(self, newer: Review) -> None:
        """Close what this run proposed before and a check refused: `newer` is the next try."""
        for earlier in self._ledger.reviews:
            if any(finding.level == "error" for finding in earlier.findings):
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

    def _stored(self, args: ModifyScript) -> Review:
        review = self._proposals.review(args.proposal_id)
        if review.proposal.script_id != self._writable(args.script_id):
            raise outside(review.proposal.script_id, self._scope)
        return review

    def _check_demands(self, pending: Pending) -> None:
        """Raises EditRefused when a proposal of another request goes beyond what this one allows."""
        script, asked = numbered(pending.base), self._scope.instruction
        constraints, _ = self._scope.demands.constraints(script, asked, first=self._first)
        context = GuardContext(instruction=asked, targets=constraints.targets, locks=constraints.locks)
        beyond = [
            f for f in check(script.text, pending.after, context) if f.guard in ("off_target", "locked")
        ]
        if beyond:
            raise refused(beyond, script=pending.base.reference)

    # --- limits of the request ---------------------------------------------------------------

    def _request_id(self, call_id: str) -> str | None:
        return f"{self._scope.run_id}:{call_id}" if self._scope.run_id else None


def _pending(review: Review, only: Sequence[int] | None = None) -> Pending:
    """Return a proposal, or only some of its changes, as what is about to be saved; changes keep their ids."""
    after = review.proposal.text if only is None else take(review.base.text, review.proposal.text, only)
    return Pending(
        base=review.base,
        after=after,
        changes=tuple(change for change in review.changes if only is None or change.id in only),
        findings=review.findings,
        notes=review.notes,
        proposal_id=review.proposal.id,
        language=review.language,
    )


def _changes_at(review: Review, lines: Sequence[int]) -> tuple[int, ...]:
    """Return the ids of the changes that stand at one of the lines, before or after."""
    ids = tuple(
        change.id for change in review.changes if {change.before_line, change.after_line} & set(lines)
    )
    if not ids:
        raise EditRefused(
            "no_match",
            f"Proposal {review.proposal.id} changes nothing in line {ranges(lines)}.",
            segments=lines,
        )
    return ids


def _check_may_be_saved(review: Review) -> None:
    """Raises EditRefused, naming the proposal, for errors and for a missed time: those only a person may save."""
    standing = [f for f in review.findings if f.level == "error" or f.code == "target_missed"]
    if standing:
        raise refused(standing, script=review.base.reference, proposal_id=review.proposal.id)
