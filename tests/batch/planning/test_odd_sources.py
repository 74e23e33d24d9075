"""Sources with a first line that nothing begins with."""

import pytest

from script_editor.batch.planning.sources import form_of, of_text
from script_editor.errors import BadFile
from tests.support.command import Command

LONG = "x" * 200_000


@pytest.mark.parametrize(
    "text", [LONG, f"\n\n{LONG}", f"script,{LONG}\nv1,1\n"], ids=["id", "third line", "header"]
)
def test_a_first_line_without_end_is_told_with_its_number(text: str) -> None:
    number = 3 if text.startswith("\n") else 1

    with pytest.raises(BadFile, match=f"^list, line {number}, cannot be read"):
        form_of(text, name="list")
    with pytest.raises(BadFile, match=f"^list, line {number}, cannot be read"):
        of_text(text, name="list", form="csv")


@pytest.mark.parametrize("options", [["-"], ["--csv", "-"]], ids=["seen from the text", "csv"])
def test_the_command_says_so_and_leaves_no_plan(command: Command, options: list[str]) -> None:
    result = command("batch", "plan", *options, "--do", "改短一点", input=LONG)

    assert result.exit_code == 2
    assert "stdin 第 1 行读不出来：有一格太长。" in result.stderr
    assert LONG not in result.stderr
    assert command("batch", "list", "--json").stdout.count("b-") == 0


@pytest.fixture
def command(tmp_path) -> Command:
    made = Command(tmp_path / "store.db")
    made("new", "v1", input="x\n")
    return made
