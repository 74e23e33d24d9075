"""A last word at a limit: the model sums up what it did, instead of a sentence of the program."""

from collections.abc import Collection, Sequence
from typing import Literal, Protocol, runtime_checkable

from script_editor.agent.planner import Planned
from script_editor.agent.steps import AgentStep, StopReason
from script_editor.llm.chat import Message, OnText

EarlyStopping = Literal["force", "generate"]

CONCLUDABLE: Collection[StopReason] = frozenset({"step_limit", "call_limit", "repeating"})
"""The ends at which there may be something left for one more request. A model that could not be read is not asked."""


@runtime_checkable
class Concludes(Protocol):
    """A planner that can also sum up."""

    def conclude(
        self,
        task: str,
        steps: Sequence[AgentStep],
        past: Sequence[Message],
        *,
        timeout_seconds: float | None = None,
        on_text: OnText | None = None,
    ) -> Planned:
        """Ask the model once, without tools, to answer `task` from `steps` alone and say what is still to be done.

        The outcome is an AgentFinish, or Malformed when the reply was none, such as one that calls a tool;
        nothing is asked again. `steps` may hold calls that were not executed.

        Raises:
            ScriptEditorError: the model could not be asked.
        """
