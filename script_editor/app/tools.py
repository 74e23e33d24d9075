"""The tools an agent gets: names and one sentence each over the same services that people use."""

from script_editor.agent.tools import AnyTool, Tool
from script_editor.app.arguments import Diff, GetScript, History, ListScripts, ModifyScript, Preview, Revert
from script_editor.app.desk import Desk
from script_editor.app.locks import LockService
from script_editor.app.proposals import ProposalService
from script_editor.app.scope import Approve, Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.domain.ports import Rewriter

_READING = ("list_scripts", "get_script", "preview", "history", "diff")
_WRITING = ("modify_script", "revert")


def tool_names(*, read_only: bool = False) -> tuple[str, ...]:
    """Return the names of the tools that `script_tools` makes, in its order."""
    return _READING if read_only else (*_READING, *_WRITING)


def script_tools(
    scripts: ScriptService,
    proposals: ProposalService,
    locks: LockService,
    rewriter: Rewriter,
    *,
    scope: Scope,
    ledger: Ledger,
    approve: Approve,
    read_only: bool = False,
) -> list[AnyTool]:
    """Return the tools for one request; `read_only` leaves out those that save.

    `approve` is shown what would be saved, and what it saw is what is stored; it answers False for no, or an
    Objection for a no with a reason, which the agent is told.
    """
    desk = Desk(scripts, proposals, locks, rewriter, scope, ledger, approve)
    reading: list[AnyTool] = [
        Tool(
            name="list_scripts",
            description="List scripts with id, title, newest version and spoken time; a query is looked for in their texts too.",
            args=ListScripts,
            run=desk.told(desk.list_scripts),
        ),
        Tool(
            name="get_script",
            description="Read a script as numbered lines, a window at a time.",
            args=GetScript,
            run=desk.told(desk.get_script),
        ),
        Tool(
            name="preview",
            description="Make an edit as a stored proposal; nothing is saved.",
            args=Preview,
            run=desk.told(desk.preview),
            parallel=False,
        ),
        Tool(
            name="history",
            description="List the versions of a script, newest first.",
            args=History,
            run=desk.told(desk.history),
        ),
        Tool(
            name="diff",
            description="Show what changed between two versions of a script.",
            args=Diff,
            run=desk.told(desk.diff),
        ),
    ]
    if read_only:
        return reading
    return [
        *reading,
        Tool(
            name="modify_script",
            description="Edit a script by an instruction and save the result as a new version.",
            args=ModifyScript,
            run=desk.told(desk.modify_script),
            writes=True,
        ),
        Tool(
            name="revert",
            description="Bring an older version's text back as a new version; nothing is lost.",
            args=Revert,
            run=desk.told(desk.revert),
            writes=True,
            exclusive="script_id",
        ),
    ]
