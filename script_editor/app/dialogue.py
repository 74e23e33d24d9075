"""One part of a script with one model: ask, read, check, and say what is wrong until it is right.

A correction never repeats the script: it shows the lines that the reply was about.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from script_editor.app.drafts import Draft, refused
from script_editor.app.hooks import Account, Hooks, RefusedAttempt
from script_editor.app.journal import RewriterReply
from script_editor.app.ladder import Ladder
from script_editor.app.parts import REWRITE_TOKENS, Part, ranges, tokens
from script_editor.app.reply_reading import Asked, NeedsMore, Reading, read_plan, reading_of, settled
from script_editor.app.requests import Briefs, Form
from script_editor.app.timing import Stretch, Timing
from script_editor.domain.locks import marked
from script_editor.domain.operations import Operation, Plan, Scope
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused, ScriptEditorError
from script_editor.llm.chat import Message, Reply

MAX_REPAIRS = 2
MAX_TIME_ROUNDS = 2
_FINAL = frozenset({"refusal", "content_filter", "unchanged"})
"""Reasons that asking again does not mend."""
_CANNOT_REPLAY = frozenset({"empty", "truncated", "reasoning_leak"})
"""Reasons after which the reply is not shown to the model again: there is nothing in it to mend."""
_WRONG_FORM = frozenset({"malformed", "no_match", "conflict", "ambiguous_match", "empty"})
"""Reasons after which a short script is asked for as a whole text: some models cannot write operations."""


class Stopped(Exception):
    """Carries the best plan so far when a failure or an interrupt stopped the calls that were to better it.

    `__cause__` is that failure or interrupt.
    """

    def __init__(self, best: "Attempt"):
        super().__init__()
        self.best = best


@dataclass(frozen=True, slots=True)
class Attempt:
    """A plan that could be carried out, the reply it was read from, and what the program thinks of it."""

    plan: Plan
    reply: str
    draft: Draft
    timing: Timing | None

    @property
    def is_good(self) -> bool:
        """Whether nothing stands against it."""
        return not self.draft.errors and self._is_in_time

    @property
    def _is_in_time(self) -> bool:
        return self.timing is None or self.timing.is_met

    def is_better_than(self, other: "Attempt") -> bool:
        """Say whether a person would rather have this one, of which the model knew what was wrong with `other`."""
        mine, theirs = len(self.draft.errors), len(other.draft.errors)
        if mine != theirs:
            return mine < theirs
        if self.timing is None or other.timing is None:
            return True
        if self._is_in_time != other._is_in_time:
            return self._is_in_time
        return abs(self.timing.excess) <= abs(other.timing.excess)


class Dialogue:
    """The calls about one part. `solved` may be asked once."""

    def __init__(
        self,
        ladder: Ladder,
        briefs: Briefs,
        part: Part,
        scope: Scope,
        *,
        account: Account,
        final: frozenset[str] = frozenset(),
        hooks: Hooks,
    ):
        self._ladder, self._briefs, self._part, self._scope = ladder, briefs, part, scope
        self._account, self._final = account, _FINAL | final
        self._repairs, self._rounds, self._hooks = MAX_REPAIRS, MAX_TIME_ROUNDS, hooks
        # With targets nothing else may change; what was not shown as editable may not change either.
        self._has_own_limit = part.kind == "chunk" or (
            part.kind == "places" and not briefs.constraints.targets
        )
        limited = part.editable if self._has_own_limit else briefs.constraints.targets
        self._constraints = replace(briefs.constraints, targets=limited, duration=None)
        self._view, self._follow = part, tuple[Message, ...]()
        self._as_whole = False
        self._reason_for_whole: EditRefused | None = None
        self._best: Attempt | None = None
        self._parsed: Plan | None = None

    def solved(self) -> Attempt:
        """Return the best plan that the allowed calls bring; errors in it are such that a person may overrule.

        Raises:
            EditRefused: no reply could be used; the last refusal, or the first that asking again cannot mend.
            NeedsMore: the place is not among the lines shown.
            Stopped: a call failed or was interrupted when there was a plan already.
        """
        try:
            return self._solved()
        except (ScriptEditorError, KeyboardInterrupt) as cause:
            if self._best is None:
                raise
            raise Stopped(self._best) from cause

    def _solved(self) -> Attempt:
        while True:
            reply, text = self._ask()
            try:
                attempt = self._read(reply, text)
            except NeedsMore:
                if not self._widened():
                    if self._best is None:
                        raise
                    return self._best
                continue
            except EditRefused as refusal:
                if not self._corrected(refusal, text):
                    return self._left_after(refusal, text)
                continue
            if self._best is None or attempt.is_better_than(self._best):
                self._best = attempt
            if attempt.is_good or not self._asked_again(attempt, text):
                return self._best

    def _left_after(self, refusal: EditRefused, text: str) -> Attempt:
        """Return what there is when no more calls are allowed: the best attempt, else a chunk's own part of the last.

        Raises:
            EditRefused: there is nothing.
        """
        if self._best is not None:
            return self._best
        if refusal.reason == "off_target" and self._part.kind == "chunk" and self._parsed is not None:
            inside = self._inside(self._parsed)
            if inside.operations:
                return self._judged(inside, text)
        raise (self._reason_for_whole or refusal) from refusal

    def _inside(self, plan: Plan) -> Plan:
        """Return a plan without the operations on lines of other chunks: those are asked about by themselves."""
        script, own = self._briefs.script, set(self._part.editable)
        kept = tuple(
            operation
            for operation in plan.operations
            if (named := _named(script, operation)) is not None and named and named <= own
        )
        return replace(plan, operations=kept, notes=(*plan.notes, self._briefs.foreign_lines_left_out()))

    # --- asking ------------------------------------------------------------------------------

    def _ask(self) -> tuple[Reply, str]:
        timing = self._timing(self._briefs.script.text)

        def messages(form: Form) -> Sequence[Message]:
            return [*self._briefs.request(self._view, form, timing), *self._follow]

        self._hooks.on_sent(self._shown())  # before the call: one that fails was sent as well
        if self._as_whole:
            reply, text = self._ladder.plain(messages("whole"), on_text=self._hooks.on_text)
        elif self._part.kind == "chunk":  # many lines: the form without escapes is a third shorter
            reply, text = self._ladder.plain(messages("text"), on_text=self._hooks.on_text)
        else:
            reply, text = self._ladder.ask(messages, on_text=self._hooks.on_text)
        self._account.add(reply)
        return reply, text

    def _shown(self) -> str:
        count = len(self._briefs.script.segments)
        numbers = (
            range(1, count + 1) if self._as_whole else sorted({*self._view.editable, *self._view.context})
        )
        return f"lines {ranges(numbers)} of {count}"

    @cached_property
    def _stretch(self) -> Stretch:
        script, part = self._briefs.script, self._part
        every = tuple(segment.number for segment in script.segments)
        is_only = part.count == 1
        free = part.editable if is_only else self._briefs.constraints.targets or every

        def text(numbers: Sequence[int]) -> str:
            if len(numbers) == len(every):
                return script.text
            return "\n".join(script.segments[number - 1].content for number in numbers)

        return Stretch.of(script.text, text(part.editable), text(free), is_only=is_only)

    def _timing(self, after: str) -> Timing | None:
        target = self._briefs.constraints.duration
        return None if target is None else self._stretch.timing(after, target)

    # --- reading -----------------------------------------------------------------------------

    def _read(self, reply: Reply, text: str) -> Attempt:
        asked = self._asked()
        self._parsed = None
        try:
            self._parsed = read_plan(asked, text, finish_reason=reply.finish_reason, refusal=reply.refusal)
            attempt = self._judged(self._parsed, text)
        except NeedsMore:
            self._tell(asked, reply, text, Reading(outcome="needs_more"))
            raise
        except EditRefused as refusal:
            self._tell(asked, reply, text, Reading(outcome=refusal.reason))
            raise
        self._tell(asked, reply, text, reading_of(attempt.draft))
        return attempt

    def _asked(self) -> Asked:
        return Asked(
            script=self._briefs.script,
            instruction=self._briefs.asked,
            syntax="whole" if self._as_whole else "operations",
            scope=self._scope,
            constraints=self._constraints,
            is_excerpt=self._part.kind == "places",
            is_bounded=self._has_own_limit,
            is_free=self._briefs.constraints.duration is not None,
        )

    def _tell(self, asked: Asked, reply: Reply, text: str, reading: Reading) -> None:
        self._hooks.on_reply(
            RewriterReply(
                asked=asked,
                text=text,
                finish_reason=reply.finish_reason,
                refusal=reply.refusal,
                reading=reading,
            )
        )

    def _judged(self, plan: Plan, text: str) -> Attempt:
        """Return what becomes of the script by a plan. Raises EditRefused where no person should look at it."""
        plan, made = settled(self._asked(), plan)
        return Attempt(plan, text, made, self._timing(made.text))

    # --- asking again ------------------------------------------------------------------------

    def _corrected(self, refusal: EditRefused, text: str) -> bool:
        """Prepare another call after a reply that could not be used; False when no more calls are allowed."""
        if refusal.reason != "unchanged":  # "nothing to change" is an answer
            self._hooks.on_refused(
                RefusedAttempt(
                    script=self._briefs.script, refusal=refusal, reply=text, model=self._account.model
                )
            )
        if refusal.reason in self._final or not self._repairs:
            return False
        self._repairs -= 1
        if not self._repairs and self._may_ask_for_the_whole(refusal):
            self._as_whole, self._view, self._follow = True, self._part, ()
            self._reason_for_whole = refusal
            return True
        self._as_whole = False
        if self._parsed is not None:
            self._view = self._narrowed(self._parsed, refusal.segments)
        correction = self._briefs.correction(refusal)
        can_replay = refusal.reason not in _CANNOT_REPLAY
        self._follow = (Message(role="assistant", content=text), correction) if can_replay else (correction,)
        return True

    def _may_ask_for_the_whole(self, refusal: EditRefused) -> bool:
        is_short = tokens(self._briefs.script.text) <= REWRITE_TOKENS
        return is_short and self._part.kind == "whole" and refusal.reason in _WRONG_FORM

    def _narrowed(self, plan: Plan, others: Sequence[int]) -> Part:
        """Return the lines that a plan is about, with the next ones on both sides to be read only."""
        script = self._briefs.script
        named = {number for operation in plan.operations for number in _named(script, operation) or ()}
        named |= {number for number in others if number <= len(script.segments)}
        editable = tuple(sorted(named & set(self._part.editable)))
        if not set(editable) - marked(script, self._constraints.locks):  # nothing in it could be changed
            return self._part
        near = {n + step for n in editable for step in (-1, 1)} & {
            *self._part.editable,
            *self._part.context,
        }
        return replace(self._part, editable=editable, context=tuple(sorted(near - set(editable))))

    def _widened(self) -> bool:
        """Show the whole part again, after a correction that showed too little of it; False when it was shown."""
        if self._view == self._part:
            return False
        self._view = self._part
        return True

    def _asked_again(self, attempt: Attempt, text: str) -> bool:
        """Prepare another call after a plan that is not good enough yet; False when no more calls are allowed."""
        if attempt.draft.errors:
            return self._corrected(refused(attempt.draft.findings), text)
        if attempt.timing is None or not self._rounds or not attempt.timing.is_reachable:
            return False
        self._rounds -= 1
        self._view = self._part  # any of its lines may give the seconds, whichever a correction showed last
        self._follow = self._briefs.time_missed(text, attempt.timing, as_whole=self._as_whole)
        return True


def _named(script: NumberedScript, operation: Operation) -> set[int] | None:
    """Return the numbers of the lines that an operation names, None when one of them is not in the script."""
    references = (operation.id, getattr(operation, "before", None), getattr(operation, "after", None))
    try:
        return {script.resolve_reference(each).number for each in references if each is not None}
    except EditRefused:
        return None
