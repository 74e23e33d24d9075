"""The README's sessions are run, and what they show is what the program prints.

`SCRIPT_EDITOR_UPDATE_README=1` writes the real output into the file instead of comparing.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from script_editor.cli.main import COMMANDS, cli

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_STAMP = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?")
_NAMED = re.compile(r"\b[bp]-[0-9a-z]{8}\b")  # what a later command of a session may name
_ID = re.compile(r"\b[bkprs]-[0-9a-z]{8}\b")
_UPDATE = "SCRIPT_EDITOR_UPDATE_README" in os.environ


def sessions(text: str) -> list[list[tuple[str, str]]]:
    """Return each console block as commands with the output shown for them."""
    found = []
    for block in _BLOCK.findall(text):
        parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
        found.append(list(zip(parts[1::2], parts[2::2], strict=True)))
    return found


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("readme")
    keep = {
        k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "SCRIPT_EDITOR_", "MODEL_NAME"))
    }
    shim = folder / "bin" / "script-editor"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m script_editor "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    return {
        **keep,
        "PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SCRIPT_EDITOR_DB": str(folder / "readme.db"),
        "SCRIPT_EDITOR_STATE": str(folder / "state"),
        "SCRIPT_EDITOR_MODEL": "offline",
        "SCRIPT_EDITOR_AUTHOR": "you",
        "COLUMNS": "100",
        "TZ": "UTC",
    }


def test_every_session_shows_what_the_program_prints(environment: dict[str, str], tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    renamed: dict[str, str] = {}
    (tmp_path / "draft.txt").write_text("大家好，我是阿柚。\n今天骑18公里。\n", encoding="utf-8")

    for session in sessions(text):
        for command, shown in session:
            for ours, theirs in renamed.items():
                command = command.replace(ours, theirs)
            done = subprocess.run(
                command, shell=True, cwd=tmp_path, env=environment, encoding="utf-8", check=False,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            renamed.update(zip(_NAMED.findall(shown), _NAMED.findall(done.stdout), strict=False))
            if _UPDATE:
                text = text.replace(f"$ {command}\n{shown}", f"$ {command}\n{done.stdout}", 1)
            else:
                assert neutral(shown) == neutral(done.stdout), command
    if _UPDATE:
        README.write_text(text, encoding="utf-8")


def neutral(output: str) -> str:
    """Return output without what differs from run to run: times and ids."""
    return _ID.sub("id", _STAMP.sub("####-##-##", output))


def test_every_command_has_help_an_example_and_a_place_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for name in COMMANDS:
        result = CliRunner().invoke(cli, [name, "--help"])

        assert result.exit_code == 0
        assert f"`{name}" in text or f"script-editor {name}" in text, f"{name} is not in the README"
        assert "Example" in result.stdout or "Commands:" in result.stdout, name
