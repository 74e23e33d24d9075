"""Tools and the box they come in: described to a model, checked as a whole reply, called one by one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from script_editor.agent.arguments import VersionNumber as VersionNumber
from script_editor.agent.arguments import read_arguments
from script_editor.agent.calls import RequestedCall, canonical
from script_editor.agent.feedback import Problem, Unreadable, Wording, unreadable
from script_editor.agent.language import Language, language_of
from script_editor.agent.preflight import CheckedCall, problems_together, with_unique_ids
from script_editor.agent.schema import signature, strict_schema
from script_editor.agent.steps import AgentAction, AgentStep, Malformed
from script_editor.agent.unanswered import UNKNOWN
from script_editor.errors import ScriptEditorError
from script_editor.llm.chat import ToolSpec

A = TypeVar("A", bound=BaseModel)

_EXCERPT_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[A]):
    """One thing the agent can do.

    `run` gets the checked arguments and the id of the call, and returns the observation; an error
    that the model can repair is raised as a ScriptEditorError with `for_model`, or is of a type in
    `handled`, and its message becomes the observation. `args` forbids extra keys. A tool that `writes`
    needs a reply that is whole and says nothing else around the call. `return_direct` ends the run with
    its observation, if the call stands alone. `exclusive` names the argument that says what the tool
    replaces as a whole: no other write to the same thing may stand in the same reply.

    Neighbouring calls of tools that do not write run at the same time in threads of their own; `parallel`
    is False for a tool that must not, because it shares something that bears one thread only, or asks a model.
    """

    name: str
    description: str
    args: type[A]
    run: Callable[[A, str], str]
    writes: bool = False
    return_direct: bool = False
    exclusive: str | None = None
    parallel: bool = True
    handled: tuple[type[Exception], ...] = ()


AnyTool = Tool[Any]  # each tool has arguments of its own


class Toolbox:
    """The tools of one run. `max_observation_chars` bounds what one call may tell the model."""

    def __init__(self, tools: Sequence[AnyTool], *, max_observation_chars: int = 12_000):
        self._tools: Mapping[str, AnyTool] = {tool.name: tool for tool in tools}
        self._by_canonical_name = {canonical(tool.name): tool for tool in tools}
        self._max_observation_chars = max_observation_chars
        assert len(self._by_canonical_name) == len(tools), "two tools with one name"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all tools, in the order they were given."""
        return tuple(self._tools)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools as a chat service is told of them, with strict schemas."""
        return tuple(
            ToolSpec(tool.name, tool.description, strict_schema(tool.args)) for tool in self._tools.values()
        )

    def signature(self, name: str) -> str:
        """Return the call of the tool `name` in one line, such as `revert(script_id: str, version: int)`."""
        return signature(name, self._tools[name].args)

    @property
    def signatures(self) -> Mapping[str, str]:
        """The call of each tool in one line, by name, in the order the tools were given."""
        return {name: self.signature(name) for name in self._tools}

    def described(self) -> str:
        """Return the tools as text for a prompt, one line each: the signature and what it does."""
        return "\n".join(f"{self.signature(name)}: {tool.description}" for name, tool in self._tools.items())

    def find(self, name: str) -> AnyTool | None:
        """Return the tool that `name` spells, or None.

        Case, spaces, hyphens, quotes, a `functions.` prefix, a channel suffix and a glued `json` do not
        matter; nothing else is forgiven, because a near miss could be a write.
        """
        spelled = canonical(name)
        return self._by_canonical_name.get(spelled) or self._by_canonical_name.get(
            spelled.removesuffix("json")
        )

    def knows(self, name: str) -> bool:
        """Whether `name` spells one of the tools."""
        return self.find(name) is not None

    def preflight(
        self, calls: Sequence[RequestedCall], *, finish_reason: str = "stop", language: Language = "en"
    ) -> tuple[AgentAction, ...] | Malformed:
        """Return the actions of one whole reply, or what is wrong with it as the model is told; see `actions`."""
        try:
            return self.actions(calls, finish_reason=finish_reason)
        except Unreadable as refused:
            wording = Wording(language=language, signatures=self.signatures)
            return wording.malformed(refused.problems, finish_reason=finish_reason)

    def actions(
        self, calls: Sequence[RequestedCall], *, turn: int = 1, log: str = "", finish_reason: str = "stop"
    ) -> tuple[AgentAction, ...]:
        """Return the actions of one whole reply, checked before any of them runs.

        One bad call refuses all of them, and all bad ones are reported together. Equal calls become one
        action that carries the ids of the others. Missing and repeated ids are replaced.

        Raises:
            Unreadable: with every problem found.
        """
        checked = self._checked_all(with_unique_ids(calls, turn=turn))
        if problems := problems_together(checked, finish_reason):
            raise Unreadable(*problems)
        actions: dict[str, AgentAction] = {}
        for call in checked:
            call_id, known = call.requested.call_id, actions.get(call.key)
            actions[call.key] = (
                replace(known, repeated_ids=(*known.repeated_ids, call_id))
                if known
                else AgentAction(
                    tool=call.tool, arguments=call.arguments, log=log, call_id=call_id, turn=turn
                )
            )
        return tuple(actions.values())

    def _checked_all(self, calls: Sequence[RequestedCall]) -> list[CheckedCall]:
        checked: list[CheckedCall] = []
        problems: list[Problem] = []
        for call in calls:
            try:
                checked.append(self._checked(call))
            except Unreadable as refused:
                problems.extend(refused.problems)
        if problems:
            raise Unreadable(*problems)
        return checked

    def _checked(self, call: RequestedCall) -> CheckedCall:
        tool = self.find(call.name)
        if tool is None:
            raise unreadable("unknown_tool", name=call.name.strip()[:_EXCERPT_CHARS])
        arguments, prose = read_arguments(tool.name, tool.args, call)
        return CheckedCall(
            tool=tool.name,
            writes=tool.writes,
            exclusive=tool.exclusive,
            arguments=arguments.model_dump(mode="json", exclude_unset=True),
            everything=arguments.model_dump(mode="json"),
            prose=prose,
            requested=call,
        )

    def call(self, action: AgentAction) -> AgentStep:
        """Run one checked action and return the step.

        An error that the model can repair becomes the observation; every other exception propagates. One of
        another program's types that a tool handles does not prove that a write did not happen, so the step says so.
        """
        tool = self._tools[action.tool]
        expected: tuple[type[Exception], ...] = (ScriptEditorError, *tool.handled)
        try:
            observation = tool.run(tool.args.model_validate(action.arguments), action.call_id)
        except expected as error:
            if not isinstance(error, tool.handled) and not _is_for_model(error):
                raise
            uncertain = tool.writes and not isinstance(error, ScriptEditorError)
            told = _told(error, uncertain=uncertain)
            return AgentStep(action=action, observation=self._capped(told), ok=False, uncertain=uncertain)
        return AgentStep(action=action, observation=self._capped(observation), ok=True)

    def _capped(self, observation: str) -> str:
        return capped(observation, self._max_observation_chars)

    def writes(self, name: str) -> bool:
        """Whether the tool `name` makes changes."""
        return self._tools[name].writes

    def runs_beside_others(self, name: str) -> bool:
        """Whether a call of the tool `name` may run at the same time as others."""
        tool = self._tools[name]
        return tool.parallel and not tool.writes

    def returns_directly(self, name: str) -> bool:
        """Whether the observation of the tool `name` is the answer of the run."""
        return self._tools[name].return_direct


def _is_for_model(error: Exception) -> bool:
    return isinstance(error, ScriptEditorError) and error.for_model


def _told(error: Exception, *, uncertain: bool) -> str:
    """Return an error as an observation."""
    message = str(error) or type(error).__name__
    hint = error.hint if isinstance(error, ScriptEditorError) else ""
    doubt = UNKNOWN[language_of(message)] if uncertain else ""
    return " ".join(filter(None, ("Error:", message, hint, doubt)))


def capped(observation: str, max_chars: int) -> str:
    """Return `observation`, cut to `max_chars` with a note that says how much is missing."""
    missing = len(observation) - max_chars
    if missing <= 0:
        return observation
    notes: dict[Language, str] = {
        "en": f"[cut here: {missing} of {len(observation)} characters are not shown]",
        "zh": f"［此处截断：共 {len(observation)} 字，还有 {missing} 字没有显示］",
    }
    return f"{observation[:max_chars]}\n{notes[language_of(observation)]}"
