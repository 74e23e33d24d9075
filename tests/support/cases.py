"""Case files: one JSON object a line, from tests/cases or from the folder in SCRIPT_EDITOR_CASES."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

OWN = Path(__file__).parent.parent / "cases"
FOLDER = Path(os.environ.get("SCRIPT_EDITOR_CASES", OWN))
IS_OWN = FOLDER.resolve() == OWN.resolve()


def load(name: str) -> list[Any]:
    """Return the cases of a file as pytest parameters, named by their ids; none when another folder lacks it."""
    path = FOLDER / name
    if not path.exists() and not IS_OWN:
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    return [pytest.param(row, id=row["id"]) for row in rows]


def skip_unknown(word: str) -> None:
    """Skip a case that uses a word this test does not know; in our own folder that is a failure."""
    assert not IS_OWN, f"the case file uses {word!r}, which this test does not know"
    pytest.skip(word)
