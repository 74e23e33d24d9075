"""The arguments of the tools, as a model is told of them: strict, described, nothing else accepted."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from script_editor.agent.tools import VersionNumber

ScriptIdArg = Annotated[str, Field(min_length=1, description="id of the script, such as video_001")]
Instruction = Annotated[str, Field(min_length=1, description="what to change, in the user's own words")]
Targets = Annotated[list[int] | None, Field(description="line numbers that may change; null for all")]


class _Args(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ListScripts(_Args):
    query: Annotated[
        str | None, Field(description="part of an id or title, or words of the text; null for all")
    ] = None
    after: Annotated[str | None, Field(description="last id of the page before; null for the first")] = None


class GetScript(_Args):
    script_id: ScriptIdArg
    version: Annotated[VersionNumber | None, Field(description="null for the newest")] = None
    from_segment: Annotated[int | None, Field(ge=1, description="first line to show")] = None
    to_segment: Annotated[int | None, Field(ge=1, description="last line to show")] = None


class ModifyScript(_Args):
    script_id: ScriptIdArg
    instruction: Instruction
    targets: Targets = None
    proposal_id: Annotated[
        str | None,
        Field(description="save exactly this stored proposal; with targets only those lines of it"),
    ] = None


class Preview(_Args):
    script_id: ScriptIdArg
    instruction: Instruction
    targets: Targets = None


class History(_Args):
    script_id: ScriptIdArg
    before: Annotated[VersionNumber | None, Field(description="show versions below this one")] = None


class Diff(_Args):
    script_id: ScriptIdArg
    from_version: VersionNumber
    to_version: VersionNumber


class Revert(_Args):
    script_id: ScriptIdArg
    version: VersionNumber
