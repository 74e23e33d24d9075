"""Every collected reply of a model gives exactly the text that may be saved, or is refused with its reason."""

from typing import Any

import pytest

from script_editor.app.rewriter import apply_reply
from script_editor.domain.locks import Lock
from script_editor.domain.segments import NumberedScript
from script_editor.errors import REASONS, EditRefused
from tests.support.cases import load, skip_unknown

SYNTAX = {"segment_ops": "operations", "search_replace": "search_replace", "whole": "whole"}
KEYS = {
    "id", "lang", "format", "script", "instruction", "model_output", "finish_reason", "expect", "why", "source",
    "scope", "targets", "locked", "base_version", "current_version", "video_id",
}  # fmt: skip


@pytest.mark.parametrize("case", load("edit_cases.jsonl"))
def test_edit_case(case: dict[str, Any]) -> None:
    expect = case["expect"]
    for unknown in [*(case.keys() - KEYS), *(expect.keys() - {"kind", "text", "reason", "also_ok"})]:
        skip_unknown(unknown)
    for word in [case["format"]] if case["format"] not in SYNTAX else []:
        skip_unknown(word)
    refusals = {expect.get("reason"), *expect.get("also_ok", ())} - {None}
    for unknown in refusals - set(REASONS):
        skip_unknown(unknown)

    outcome = carried_out(case)

    if expect["kind"] == "saved":
        assert outcome == expect["text"] or outcome in [("refused", reason) for reason in refusals]
    elif expect["kind"] == "rejected":
        assert outcome in [("refused", reason) for reason in refusals]
    else:
        skip_unknown(expect["kind"])


def carried_out(case: dict[str, Any]) -> str | tuple[str, str]:
    """Return the text that would be saved, or why not."""
    base = case.get("base_version", 1)
    script = NumberedScript(case.get("video_id", "video_001"), base, case["script"])
    locked = [script.resolve_reference(id).content for id in case.get("locked", ())]
    try:
        return apply_reply(
            case["script"],
            case["model_output"],
            instruction=case["instruction"],
            syntax=SYNTAX[case["format"]],
            finish_reason=case["finish_reason"],
            scope=case.get("scope", "local"),
            targets=[script.resolve_reference(id).number for id in case.get("targets", ())],
            locks=[Lock(kind="segment", text=line, occurrences=_times(script, line)) for line in set(locked)],
            script_id=script.script_id,
            base_version=base,
            current_version=case.get("current_version"),
        )
    except EditRefused as refusal:
        return ("refused", refusal.reason)


def _times(script: NumberedScript, line: str) -> int:
    return sum(segment.content == line for segment in script.segments)
