"""From an instruction to a plan with a chat model, and from a raw reply to a checked text.

`LlmRewriter` shows a model no more of a script than the request needs, and carries out in chunks what
would be too long for one reply. `apply_reply` is the same way, one reply long.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial

from script_editor.app.dialogue import Attempt, Dialogue, Stopped
from script_editor.app.drafts import Piece, checked_text, fitting, joined
from script_editor.app.hooks import Account, Hooks, PartStarted, RefusedAttempt
from script_editor.app.ladder import Ladder
from script_editor.app.named_lines import are_named, bound, parsed
from script_editor.app.parts import Part, chunks, everything, first_look, tokens
from script_editor.app.reply_reading import NeedsMore
from script_editor.app.requests import Briefs
from script_editor.domain.guards import check_reply
from script_editor.domain.locks import Lock
from script_editor.domain.operations import Constraints, Plan, Rewrite, Scope
from script_editor.domain.replies import Syntax
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused, ScriptEditorError
from script_editor.llm.chat import ChatModel


class PartlyDone(Exception):
    """Carries what was finished when something stopped the rest; `__cause__` is that something.

    `untouched` are the numbers of the lines of which nothing is in it; none when only an attempt to make a
    usable result better was stopped.
    """

    def __init__(self, rewrite: Rewrite, untouched: tuple[int, ...]):
        super().__init__()
        self.rewrite, self.untouched = rewrite, untouched


def apply_reply(
    text: str,
    reply: str,
    *,
    instruction: str,
    syntax: Syntax = "operations",
    finish_reason: str = "stop",
    scope: Scope = "local",
    targets: Sequence[int] = (),
    locks: Sequence[Lock] = (),
    script_id: str = "script",
    base_version: int = 1,
    current_version: int | None = None,
) -> str:
    """Return the text that a model's raw reply makes of `text`, if it may be saved.

    The two steps of every edit by a model: reply to plan (`check_reply`, `parse_plan`), plan to checked
    text (`checked_text`). `current_version` is the head now, None when it is `base_version`.

    Raises:
        EditRefused: with the reason; nothing of the reply was used.
    """
    script = NumberedScript(script_id, base_version, text)
    check_reply(finish_reason, None, reply)
    if current_version is not None and current_version != base_version:
        raise EditRefused(
            "stale", f"The reply is for version {base_version}; {script_id} is at version {current_version}."
        )
    constraints = bound(script, instruction, Constraints(targets=tuple(targets), locks=tuple(locks)))
    plan = parsed(reply, script, syntax=syntax, instruction=instruction, scope=scope, constraints=constraints)
    return checked_text(script, plan, instruction=instruction, constraints=constraints).text


class LlmRewriter:
    """Implements `domain.ports.Rewriter` with a chat model; `hooks` are told what goes on."""

    def __init__(self, model: ChatModel, *, ladder: Ladder | None = None, hooks: Hooks | None = None):
        self._name, self._ladder, self._hooks = model.name, ladder or Ladder(model), hooks or Hooks()

    def __call__(self, script: NumberedScript, instruction: str, constraints: Constraints) -> Rewrite:
        """Return a plan that `draft` accepts. See the protocol for what it raises.

        The last plan is returned even when errors stand in it that a person may overrule.

        Raises:
            PartlyDone: something usable was there when a failure or an interrupt stopped the rest, or some
                chunks were refused, or cannot stand beside the others.
        """
        account = Account(self._name)
        constraints = bound(script, constraints.asked or instruction, constraints)
        briefs = Briefs(script, instruction, constraints)
        dialogue = partial(Dialogue, self._ladder, briefs, account=account, hooks=self._hooks)
        return _Work(briefs, account, dialogue, self._hooks).done()


class _Work:
    """One request on its way: what to show, and what to show next when that was not enough."""

    def __init__(self, briefs: Briefs, account: Account, dialogue: Callable[..., Dialogue], hooks: Hooks):
        self._briefs, self._account, self._dialogue, self._hooks = briefs, account, dialogue, hooks
        self._script, self._constraints = briefs.script, briefs.constraints

    def done(self) -> Rewrite:
        parts = first_look(self._script, self._briefs.instruction, self._constraints)
        if len(parts) > 1:
            return self._in_chunks(parts)
        return self._at_the_place(parts[0]) if parts[0].kind == "places" else self._at_once(parts[0])

    # --- in one piece ------------------------------------------------------------------------

    def _at_the_place(self, part: Part) -> Rewrite:
        """Edit where the instruction points; look at everything when the model finds nothing there."""
        wider = everything(self._script, self._constraints)
        try:
            return self._alone(part, "local")
        except NeedsMore:
            pass
        except EditRefused as refusal:
            # A line it was not shown may be the right one; but nobody pays for all chunks of a long script on a guess.
            is_elsewhere = refusal.reason == "off_target" and len(wider) == 1
            is_unseen = refusal.reason == "unchanged" and (len(wider) == 1 or not self._constraints.targets)
            if self._has_order() or not (is_elsewhere or is_unseen):
                raise
        return self._in_chunks(wider) if len(wider) > 1 else self._at_once(wider[0])

    def _has_order(self) -> bool:
        """Say whether the lines that may change are an order, and not read from the instruction's own words."""
        is_named = are_named(self._script, self._briefs.asked, self._constraints)
        return bool(self._constraints.targets) and not is_named

    def _at_once(self, part: Part) -> Rewrite:
        """Edit with the whole script in view; in chunks when the reply to that was cut off."""
        smaller = chunks(self._script, part.editable)
        final = frozenset({"truncated"}) if len(smaller) > 1 else frozenset[str]()
        try:
            return self._alone(part, "global", final=final)
        except NeedsMore:
            raise EditRefused("no_match", "The model found no line that the request is about.") from None
        except EditRefused as refusal:
            if refusal.reason not in final:
                raise
        return self._in_chunks(smaller)

    def _alone(self, part: Part, scope: Scope, *, final: frozenset[str] = frozenset()) -> Rewrite:
        try:
            return self._rewrite(self._dialogue(part, scope, final=final).solved().plan)
        except Stopped as stopped:
            raise PartlyDone(self._rewrite(stopped.best.plan), ()) from stopped.__cause__

    # --- in chunks ---------------------------------------------------------------------------

    def _in_chunks(self, parts: Sequence[Part]) -> Rewrite:
        pieces: list[Piece] = []
        refused: list[tuple[Part, EditRefused]] = []
        left = list(parts)
        try:
            while left:
                self._announce(left[0], parts)
                piece = self._of_chunk(left[0], refused)
                pieces += [piece] if piece else []
                del left[0]
            return self._whole(pieces, refused)
        except Stopped as stopped:
            pieces.append(_piece(left.pop(0), stopped.best))
            cause = stopped.__cause__
        except (ScriptEditorError, KeyboardInterrupt) as stopping:
            if not pieces:
                raise
            cause = stopping
        raise self._partly(pieces, [*(part for part, _ in refused), *left]) from cause

    def _of_chunk(self, part: Part, refused: list[tuple[Part, EditRefused]]) -> Piece | None:
        """Return the edit of one chunk, None when there is nothing to change in it.

        A chunk that comes to nothing is added to `refused`, and the others are still worth asking about.

        Raises:
            EditRefused: so did the one before it; a model that fails twice in a row is not asked on and on.
        """
        try:
            return _piece(part, self._dialogue(part, "global").solved())
        except NeedsMore:
            return None
        except EditRefused as refusal:
            if refusal.reason == "unchanged":
                return None
            if refused and refused[-1][0].number == part.number - 1:
                raise refused[0][1] from refusal
            refused.append((part, refusal))
            return None

    def _whole(self, pieces: Sequence[Piece], refused: Sequence[tuple[Part, EditRefused]]) -> Rewrite:
        """Return all chunks as one edit.

        Raises:
            EditRefused: there is none.
            PartlyDone: some were refused, or cannot stand beside the others, as when two tell the same.
        """
        first = refused[0][1] if refused else None
        if not pieces:
            raise first or EditRefused("unchanged", "The model found nothing to change in any part.")
        kept, refusal = self._fitting(pieces)
        if first is None and refusal is None:
            return self._rewrite(self._joined(kept))
        lines = [*(p.lines for p in pieces if p not in kept), *(part.editable for part, _ in refused)]
        raise PartlyDone(self._rewrite(self._joined(kept)), _lines(lines)) from first or refusal

    def _partly(self, pieces: Sequence[Piece], left: Sequence[Part]) -> PartlyDone:
        kept = tuple(pieces)
        with suppress(KeyboardInterrupt):  # a second one must not lose what the first one keeps
            kept, _ = self._fitting(pieces)
        lines = [*(piece.lines for piece in pieces if piece not in kept), *(part.editable for part in left)]
        return PartlyDone(self._rewrite(self._joined(kept)), _lines(lines))

    def _fitting(self, pieces: Sequence[Piece]) -> tuple[tuple[Piece, ...], EditRefused | None]:
        """Return the chunks that make one text together, and why the first of the others was left out, if any was."""
        kept, refused = fitting(
            pieces, self._script, instruction=self._briefs.asked, constraints=self._constraints
        )
        for piece, refusal in refused:
            self._hooks.on_refused(
                RefusedAttempt(
                    script=self._script, refusal=refusal, reply=piece.reply, model=self._account.model
                )
            )
        return kept, refused[0][1] if refused else None

    def _joined(self, pieces: Sequence[Piece]) -> Plan:
        return joined(pieces, self._script, self._briefs.asked)

    def _announce(self, part: Part, parts: Sequence[Part]) -> None:
        if part.number == 1:
            self._asked, self._written = self._estimate(parts)
        self._hooks.on_part(
            PartStarted(
                number=part.number,
                count=part.count,
                first=part.editable[0],
                last=part.editable[-1],
                tokens_in=self._asked,
                tokens_out=self._written,
            )
        )

    def _estimate(self, parts: Sequence[Part]) -> tuple[int, int]:
        """Return the tokens that all chunks will about take, sent and received, where each is right at once."""
        asked = sum(
            tokens(message.content) for part in parts for message in self._briefs.request(part, "text")
        )
        written = sum(tokens(self._script.segments[n - 1].content) for part in parts for n in part.editable)
        return asked, written

    def _rewrite(self, plan: Plan) -> Rewrite:
        usage = self._account.usage
        return Rewrite(
            plan=plan,
            model=self._account.model,
            prompt_tokens=usage.prompt_tokens if usage.known else None,
            completion_tokens=usage.completion_tokens if usage.known else None,
            notes=plan.notes,
        )


def _piece(part: Part, attempt: Attempt) -> Piece:
    return Piece(part.editable, attempt.plan, attempt.reply)


def _lines(groups: Iterable[Sequence[int]]) -> tuple[int, ...]:
    return tuple(sorted(number for group in groups for number in group))
