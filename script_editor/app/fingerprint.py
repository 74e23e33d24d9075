"""A short name for everything that is said to a model: it changes when a prompt, a schema or a tool does."""

import json
from collections.abc import Sequence
from dataclasses import astuple
from hashlib import sha256
from importlib.resources import files

from script_editor.agent.tools import AnyTool, Toolbox
from script_editor.app.operations_schema import EDIT_TOOL, JSON_SCHEMA

_FOLDERS = ("script_editor.app", "script_editor.agent.modes")


def prompts_fingerprint(tools: Sequence[AnyTool]) -> str:
    """Return twelve digits that stand for all prompt files, by their names and bytes, and all schemas.

    `tools` are those of the agent, as it is told of them.
    """
    told = sha256()
    for package in _FOLDERS:
        for file in sorted((files(package) / "prompts").iterdir(), key=lambda file: file.name):
            if file.name.endswith(".txt"):
                told.update(file.name.encode())
                told.update(file.read_bytes())
    specs = [astuple(spec) for spec in (EDIT_TOOL, *Toolbox(tools).specs())]
    told.update(json.dumps([JSON_SCHEMA, specs], ensure_ascii=False, sort_keys=True).encode())
    return told.hexdigest()[:12]
