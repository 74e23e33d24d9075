"""Every collected mechanical instruction gives exactly its text, or its refusal, on the product's path."""

from typing import Any

import pytest

from script_editor.app.rewriter import checked_text
from script_editor.domain.operations import Constraints
from script_editor.domain.segments import NumberedScript
from script_editor.errors import BeyondOffline, EditRefused
from script_editor.offline.rewriter import OfflineRewriter
from tests.support.cases import load, skip_unknown

REASONS = {"ambiguous_match": "ambiguous", "no_match": "not_found", "unchanged": "nothing_to_do"}
KEYS = {"id", "lang", "script", "instruction", "expect", "why", "source"}


@pytest.mark.parametrize("case", load("offline_edits.jsonl"))
def test_offline_edit(case: dict[str, Any]) -> None:
    expect = case["expect"]
    for unknown in [*(case.keys() - KEYS), *(expect.keys() - {"kind", "text", "reason"})]:
        skip_unknown(unknown)
    if expect["kind"] not in ("saved", "refused"):
        skip_unknown(expect["kind"])

    wanted = expect["text"] if expect["kind"] == "saved" else ("refused", expect["reason"])
    assert wanted == carried_out(case["script"], case["instruction"])


def carried_out(text: str, instruction: str) -> str | tuple[str, str]:
    """Return the text that would be saved, or why not, in the words of the case file."""
    script = NumberedScript("video_001", 1, text)
    try:
        rewrite = OfflineRewriter()(script, instruction, Constraints())
        return checked_text(script, rewrite.plan, instruction=instruction).text
    except BeyondOffline:
        return ("refused", "not_mechanical")
    except EditRefused as refusal:
        return ("refused", REASONS.get(refusal.reason, refusal.reason))
