"""Runs the command line in this process, through click's own test runner."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from script_editor.cli.main import cli


@dataclass(frozen=True)
class Ran:
    """What one command did."""

    exit_code: int
    stdout: str
    stderr: str
    stdout_bytes: bytes

    @property
    def json(self) -> Any:
        """The one JSON object that was printed."""
        lines = self.stdout.splitlines()
        assert len(lines) == 1, self.stdout
        return json.loads(lines[0])

    @property
    def data(self) -> Any:
        """The result inside it."""
        assert self.json["ok"], self.stdout
        return self.json["data"]


@dataclass(frozen=True)
class Command:
    """`command("show", "video_001")` on one store, with the offline model and no settings from outside."""

    database: Path | str

    def _state_folder(self) -> str:
        """Return a folder beside the store, so that no test writes into the user's own."""
        is_file = "://" not in str(self.database)
        return (
            str(Path(self.database).parent / "state") if is_file else "/dev/null/state"
        )  # cannot be written

    def __call__(
        self, *arguments: str, input: str | bytes | None = None, model: str | None = "offline", **env: str
    ) -> Ran:
        options = ["--db", str(self.database), *(["--model", model] if model else [])]
        clean = dict.fromkeys(
            ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MODEL_NAME", "SCRIPT_EDITOR_DB", "SCRIPT_EDITOR_MODEL",
             "SCRIPT_EDITOR_API_KEY", "SCRIPT_EDITOR_BASE_URL"),
        )  # fmt: skip
        own = {"SCRIPT_EDITOR_AUTHOR": "tester", "SCRIPT_EDITOR_STATE": self._state_folder()}
        result = CliRunner().invoke(cli, [*options, *arguments], input=input, env={**clean, **own, **env})
        return Ran(result.exit_code, result.stdout, result.stderr, result.stdout_bytes)
