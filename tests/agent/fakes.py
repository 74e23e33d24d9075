"""A desk with scripts in memory and the tools over it; a clock that is told the time; outcomes in short."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from script_editor.agent.events import Event
from script_editor.agent.modes import read_reply
from script_editor.agent.steps import Actions, AgentAction, AgentFinish, AgentStep, Malformed, Outcome
from script_editor.agent.tools import AnyTool, Tool, Toolbox, VersionNumber
from script_editor.errors import ScriptNotFound

Text = Annotated[str, Field(min_length=1)]


class NoArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class OneScript(NoArguments):
    script_id: Text


class Edit(OneScript):
    instruction: Text


class TwoVersions(OneScript):
    from_version: VersionNumber
    to_version: VersionNumber


class OneVersion(OneScript):
    version: VersionNumber


@dataclass
class Desk:
    """Scripts by id, newest version last, and what was done to them in order."""

    scripts: dict[str, list[str]] = field(default_factory=lambda: {"tea-ad": ["大家好。"]})
    done: list[str] = field(default_factory=list)

    def list_scripts(self, _arguments: NoArguments, _call_id: str) -> str:
        return ", ".join(self.scripts)

    def get_script(self, arguments: OneScript, _call_id: str) -> str:
        self.done.append(f"get {arguments.script_id}")
        return self._versions(arguments.script_id)[-1]

    def modify_script(self, arguments: Edit, _call_id: str) -> str:
        versions = self._versions(arguments.script_id)
        versions.append(f"{versions[-1]}（{arguments.instruction}）")
        self.done.append(f"modify {arguments.script_id}")
        return f"{arguments.script_id}: version {len(versions)} saved"

    def preview(self, arguments: Edit, _call_id: str) -> str:
        return f"{self._versions(arguments.script_id)[-1]}（{arguments.instruction}）"

    def history(self, arguments: OneScript, _call_id: str) -> str:
        return f"{len(self._versions(arguments.script_id))} versions"

    def diff(self, arguments: TwoVersions, _call_id: str) -> str:
        return f"{arguments.from_version} to {arguments.to_version}"

    def revert(self, arguments: OneVersion, _call_id: str) -> str:
        versions = self._versions(arguments.script_id)
        versions.append(versions[arguments.version - 1])
        self.done.append(f"revert {arguments.script_id}")
        return f"{arguments.script_id}: version {len(versions)} saved"

    def tools(self) -> list[AnyTool]:
        """Five tools that read and two that write."""
        return [
            Tool(name="list_scripts", description="List scripts.", args=NoArguments, run=self.list_scripts),
            Tool(name="get_script", description="Read a script.", args=OneScript, run=self.get_script),
            Tool(
                name="modify_script",
                description="Edit a script.",
                args=Edit,
                run=self.modify_script,
                writes=True,
            ),
            Tool(name="preview", description="Try an edit.", args=Edit, run=self.preview),
            Tool(name="history", description="List versions.", args=OneScript, run=self.history),
            Tool(name="diff", description="Compare versions.", args=TwoVersions, run=self.diff),
            Tool(
                name="revert",
                description="Bring a version back.",
                args=OneVersion,
                run=self.revert,
                writes=True,
                exclusive="script_id",
            ),
        ]

    def toolbox(self) -> Toolbox:
        """The tools in their box."""
        return Toolbox(self.tools())

    def _versions(self, script_id: str) -> list[str]:
        if script_id not in self.scripts:
            raise ScriptNotFound(script_id, known=tuple(self.scripts))
        return self.scripts[script_id]


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Recorder:
    """A listener that keeps what it hears; `react` is called with each event first."""

    def __init__(self, react: Callable[[Event], None] = lambda _event: None):
        self.events: list[Event] = []
        self._react = react

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        self._react(event)

    @property
    def kinds(self) -> list[str]:
        """The names of the events, in order."""
        return [type(event).__name__ for event in self.events]


def script_step(
    tool: str = "get_script",
    observation: str = "大家好。",
    *,
    log: str = "",
    call_id: str = "a",
    turn: int = 1,
) -> AgentStep:
    """A step on the script tea-ad, as it stands in a run."""
    action = AgentAction(tool=tool, arguments={"script_id": "tea-ad"}, log=log, call_id=call_id, turn=turn)
    return AgentStep(action=action, observation=observation, ok=True)


# --- what a reply should come to ---

Calls = list[tuple[str, dict[str, object]]]
Told = Calls | str | frozenset[str]


def call(tool: str, **arguments: object) -> Calls:
    """One call is asked for."""
    return [(tool, arguments)]


def refused(*mentions: str) -> frozenset[str]:
    """Nothing may run, and the feedback names these."""
    return frozenset(mentions)


def told(outcome: Outcome) -> Calls | str | Malformed:
    """An outcome as the tables write it: calls, the text of an answer, or what was wrong."""
    match outcome:
        case Actions(actions):
            return [(action.tool, action.arguments) for action in actions]
        case AgentFinish(output=output):
            return output
        case Malformed():
            return outcome


def assert_read(mode: str, raw: str | dict[str, Any], expected: Told, *, finish_reason: str = "stop") -> None:
    """Check what a reply comes to, in both languages of the feedback."""
    for language in ("zh", "en"):
        outcome = read_reply(mode, raw, Desk().toolbox(), finish_reason=finish_reason, language=language)
        if isinstance(expected, frozenset):
            assert isinstance(outcome, Malformed), outcome
            feedback = f"{outcome.message}\n{outcome.hint}".casefold()
            assert [word for word in expected if word.casefold() not in feedback] == []
        else:
            assert told(outcome) == expected
