"""How much of a long script an edit shows to a model, and what the run's log tells of that."""

import re
from pathlib import Path

import pytest

from script_editor.llm.scripted import ScriptedModel
from tests.benchmarks.long_scripts import Language, long_script
from tests.support.desk import desk

COUNT, NUMBER = 600, 320
"""How many lines the scripts have, and which of them is edited."""


@pytest.mark.parametrize(
    ("language", "instruction"),
    [
        pytest.param("zh", "第{number}行改得更口语一些", id="by its number, in Chinese"),
        pytest.param("zh", "“{words}”这句改得更口语一些", id="by its words, in Chinese"),
        pytest.param("en", "Make line {number} more conversational", id="by its number, in English"),
        pytest.param("en", 'Make the line "{words}" more conversational', id="by its words, in English"),
    ],
)
def test_an_edit_of_one_named_line_shows_a_small_part_and_the_log_says_which(
    tmp_path: Path, language: Language, instruction: str
) -> None:
    script = long_script(language, 60)
    lines, new = list(script.lines[:COUNT]), script.talked[NUMBER]
    text = "\n".join(lines)
    asked = instruction.format(number=NUMBER, words=lines[NUMBER - 1].rstrip("。."))
    used = desk(
        tmp_path,
        ScriptedModel.call("modify_script", script_id="video_001", instruction=asked),
        f"@@ replace S{NUMBER}\n{new}\n@@ end",
        "OK",
        text=text,
    )

    run_id = used.edit(asked).run_id

    assert "\n".join([*lines[: NUMBER - 1], new, *lines[NUMBER:]]) == used.text()
    _, request, _ = used.model.calls
    assert sum(len(message.content) for message in request.messages) < len(text) / 10
    _, steps = used.app.store.run(run_id)
    logged = [row for step in steps for row in step.log.split("\n") if row.startswith("sent: ")]
    assert [numbers_in_view(request.messages[1].content, lines)] == [numbers_in_log(row) for row in logged]


def numbers_in_view(request: str, lines: list[str]) -> list[int]:
    """Return the numbers of the lines that a request shows, each checked against the script's own line."""
    numbers = []
    at = 1
    for row in request.split("\n"):
        if left_out := re.fullmatch(r"\((?:\d+-)?(\d+)\)", row):
            at = int(left_out[1]) + 1
        elif " | " in row:
            assert lines[at - 1] == row.partition(" | ")[2]
            numbers.append(at)
            at += 1
    return numbers


def numbers_in_log(row: str) -> list[int]:
    """Return the numbers in a row such as `sent: lines 318-322, 359 of 600`."""
    named = row.removeprefix("sent: lines ").removesuffix(f" of {COUNT}").split(", ")
    ends = [[int(end) for end in each.split("-")] for each in named]
    return [number for each in ends for number in range(each[0], each[-1] + 1)]
