"""From an instruction to a plan with a chat model, and from a raw reply to a checked text.

`LlmRewriter` shows a model no more of a script than the request needs, and carries out in chunks what
would be too long for one reply. `apply_reply` is the same way, one reply long.
"""

from collections.abc import Callable, Sequence
from functools import partial

from script_editor.app.dialogue import Account, Dialogue, Hooks, NeedsMore, PartStarted
from script_editor.app.drafts import checked_text
from script_editor.app.ladder import Ladder
from script_editor.app.parts import Part, chunks, everything, first_look, tokens
from script_editor.app.requests import Briefs
from script_editor.domain.guards import check_reply
from script_editor.domain.locks import Lock
from script_editor.domain.operations import Constraints, Operation, Plan, Rewrite, Scope
from script_editor.domain.replies import Syntax, parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused, ScriptEditorError
from script_editor.llm.chat import ChatModel


class PartlyDone(Exception):
    """Carries the chunks that were finished when something stopped the rest; `__cause__` is that something.

    `untouched` are the numbers of the lines whose chunks were not finished.
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
    constraints = Constraints(targets=tuple(targets), locks=tuple(locks))
    plan = parse_plan(
        reply, script, syntax=syntax, instruction=instruction, scope=scope, targets=constraints.targets
    )
    return checked_text(script, plan, instruction=instruction, constraints=constraints).text


class LlmRewriter:
    """Implements `domain.ports.Rewriter` with a chat model; `hooks` are told what goes on."""

    def __init__(self, model: ChatModel, *, ladder: Ladder | None = None, hooks: Hooks | None = None):
        self._name, self._ladder, self._hooks = model.name, ladder or Ladder(model), hooks or Hooks()

    def __call__(self, script: NumberedScript, instruction: str, constraints: Constraints) -> Rewrite:
        """Return a plan that `draft` accepts. See the protocol for what it raises.

        The last plan is returned even when errors stand in it that a person may overrule.

        Raises:
            PartlyDone: some chunks were finished when a failure or an interrupt stopped the rest.
        """
        account = Account(self._name)
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

    def _at_the_place(self, part: Part) -> Rewrite:
        """Edit where the instruction points; look at everything when the model finds nothing there."""
        try:
            return self._rewrite(self._solved(part, "local"))
        except NeedsMore:
            pass
        except EditRefused as refusal:
            if refusal.reason != "unchanged" or self._constraints.targets:
                raise
        wider = everything(self._script, self._constraints)
        return self._in_chunks(wider) if len(wider) > 1 else self._at_once(wider[0])

    def _at_once(self, part: Part) -> Rewrite:
        """Edit with the whole script in view; in chunks when the reply to that was cut off."""
        smaller = chunks(self._script, part.editable)
        final = frozenset({"truncated"}) if len(smaller) > 1 else frozenset[str]()
        try:
            return self._rewrite(self._solved(part, "global", final=final))
        except NeedsMore:
            raise EditRefused("no_match", "The model found no line that the request is about.") from None
        except EditRefused as refusal:
            if refusal.reason not in final:
                raise
        return self._in_chunks(smaller)

    def _in_chunks(self, parts: Sequence[Part]) -> Rewrite:
        operations: list[Operation] = []
        notes: list[str] = []
        for index, part in enumerate(parts):
            try:
                self._announce(part, parts)
                plan = self._solved(part, "global")
            except NeedsMore:
                continue
            except (ScriptEditorError, KeyboardInterrupt) as cause:
                if isinstance(cause, EditRefused) and cause.reason == "unchanged":
                    continue
                if not operations:
                    raise
                untouched = tuple(number for left in parts[index:] for number in left.editable)
                raise PartlyDone(self._rewrite(self._joined(operations, notes)), untouched) from cause
            operations += plan.operations
            notes += plan.notes
        if not operations:
            raise EditRefused("unchanged", "The model found nothing to change in any part.")
        return self._rewrite(self._joined(operations, notes))

    def _joined(self, operations: Sequence[Operation], notes: Sequence[str]) -> Plan:
        return Plan(
            script_id=self._script.script_id,
            base_version=self._script.version,
            operations=tuple(operations),
            scope="global",
            notes=tuple(notes),
        )

    def _announce(self, part: Part, parts: Sequence[Part]) -> None:
        asked = sum(
            tokens(message.content) for each in parts for message in self._briefs.request(each, "json")
        )
        written = sum(tokens(self._script.segments[n - 1].content) for each in parts for n in each.editable)
        self._hooks.on_part(
            PartStarted(
                number=part.number,
                count=part.count,
                first=part.editable[0],
                last=part.editable[-1],
                tokens_in=asked,
                tokens_out=written,
            )
        )

    def _solved(self, part: Part, scope: Scope, *, final: frozenset[str] = frozenset()) -> Plan:
        return self._dialogue(part, scope, final=final).plan()

    def _rewrite(self, plan: Plan) -> Rewrite:
        usage = self._account.usage
        return Rewrite(
            plan=plan,
            model=self._account.model,
            prompt_tokens=usage.prompt_tokens if usage.known else None,
            completion_tokens=usage.completion_tokens if usage.known else None,
            notes=plan.notes,
        )
