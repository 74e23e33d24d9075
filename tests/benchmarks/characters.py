"""How many characters an edit sends and receives: operations, against a rewrite of the whole, against copied text.

The edits are carried out for real, on a SQLite store, by a model that makes no mistake. Each must save
exactly the text that was wanted, or the benchmark fails, whatever it cost.
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import get_args

from script_editor.app.bootstrap import build_app
from script_editor.app.edit import EditRequest
from script_editor.app.parts import Part
from script_editor.app.requests import Briefs
from script_editor.app.rewriter import apply_reply
from script_editor.domain.duration import estimate
from script_editor.domain.operations import Constraints
from script_editor.domain.segments import NumberedScript
from script_editor.errors import ScriptEditorError
from script_editor.llm.capabilities import Feature
from tests.benchmarks.copied_text import turns
from tests.benchmarks.gold import GoldEdit, GoldModel, gold_edits
from tests.benchmarks.long_scripts import Language, LongScript, long_script
from tests.benchmarks.sizes import Breakdown, Flow, Traffic, broken_down, flow_of, size_of
from tests.support.desk import settings

SCRIPT_ID = "video_001"
MINUTES = (1, 10, 60)
SENT_LIMIT, RECEIVED_LIMIT = 0.10, 0.01
"""What a rewriter may be sent and may answer about one line of the longest script, against a whole rewrite."""

_FORMS: Mapping[str, tuple[Feature, ...]] = {"ours, text": (), "ours, JSON": ("json_schema",)}
_GOAL_EDITS = ("one line, by number", "one line, by its words")


@dataclass(frozen=True, slots=True)
class Ours:
    """One edit carried out in one form; `fault` says what was wrong with its result, "" when nothing was."""

    flow: Flow
    breakdown: Breakdown
    fault: str


def run() -> bool:
    """Print what every edit of every script costs; return whether all results were right and the goals are met."""
    print("characters sent > received by a model (in brackets: estimated tokens)")
    results = [
        _measured(long_script(language, minutes)) for language in get_args(Language) for minutes in MINUTES
    ]
    print(f"\n{'all results are right and the goals met' if all(results) else 'FAILED or MISSED above'}")
    return all(results)


def _measured(script: LongScript) -> bool:
    spoken = estimate(script.text)
    is_as_long = spoken.low <= script.minutes * 60 <= spoken.high
    print(
        f"\n{script.language}, {script.minutes} min: {len(script.lines)} lines, {len(script.text):,} characters, "
        f"said in about {spoken.seconds / 60:.1f} min{'' if is_as_long else ' WRONG LENGTH'}"
    )
    return all([is_as_long, *(_compared(script, edit) for edit in gold_edits(script))])


def _compared(script: LongScript, edit: GoldEdit) -> bool:
    """Carry an edit out in every way and print the table; return whether all went well."""
    gold = script.edited(edit.replacements)
    ours = {name: _ours(name, script, edit, gold, features) for name, features in _FORMS.items()}
    whole, fault = _whole(script, edit, gold, ours["ours, text"].flow)
    copied = _copied(script, edit, gold)
    print(f"  {edit.name} ({edit.instruction})")
    _print_table([*(each.flow for each in ours.values()), whole, copied])
    faults = [
        *(f"{name}: {each.fault}" for name, each in ours.items() if each.fault),
        *([fault] if fault else []),
    ]
    for each in faults:
        print(f"    FAILED {each}")
    met = [
        _ratios(name, each, whole, copied, is_goal=script.minutes == MINUTES[-1] and edit.name in _GOAL_EDITS)
        for name, each in ours.items()
    ]
    return not faults and all(met)


# --- the three ways --------------------------------------------------------------------------


def _ours(name: str, script: LongScript, edit: GoldEdit, gold: str, features: Iterable[Feature]) -> Ours:
    """Carry out an edit as a person's request on a fresh store."""
    model = GoldModel(SCRIPT_ID, edit, gold, features=features)
    with tempfile.TemporaryDirectory() as folder:
        app = build_app(settings(Path(folder) / "bench.db"), model=model)
        try:
            app.scripts.new(SCRIPT_ID, script.text, author="bench")
            request = EditRequest(script_id=SCRIPT_ID, instruction=edit.instruction, author="bench")
            fault = ""
            try:
                app.edit(request, approve=lambda _pending: True)
            except ScriptEditorError as error:
                fault = f"{getattr(error, 'reason', error.code)}: {error} "
            fault += _difference(gold, app.scripts.read(SCRIPT_ID).text)
        finally:
            app.close()
    return Ours(flow_of(name, model.exchanges), broken_down(model.exchanges), fault)


def _difference(wanted: str, got: str) -> str:
    """Return "" for the same bytes, else how many lines differ, and the first of them."""
    if wanted.encode() == got.encode():
        return ""
    rows = zip_longest(wanted.split("\n"), got.split("\n"))
    wrong = [(line, got, wanted) for line, (wanted, got) in enumerate(rows, 1) if wanted != got]
    line, is_there, should_be = wrong[0]
    return f"{len(wrong)} lines are not as wanted; physical line {line} reads {is_there!r} instead of {should_be!r}"


def _whole(script: LongScript, edit: GoldEdit, gold: str, planned: Flow) -> tuple[Flow, str]:
    """Return what a whole rewrite with our prompts costs, under the same agent, and what is wrong with its result."""
    numbered = NumberedScript(SCRIPT_ID, 1, script.text)
    part = Part(kind="whole", editable=tuple(segment.number for segment in numbered.segments))
    request = Briefs(numbered, edit.instruction, Constraints()).request(part, "whole")
    flow = Flow(
        name="whole rewrite",
        rewriter=Traffic(size_of(*(message.content for message in request)), size_of(gold)),
        envelopes=planned.planning_envelopes,
        planner=planned.planner,
        planning_envelopes=planned.planning_envelopes,
        calls=3,
    )
    try:
        made = apply_reply(script.text, gold, instruction=edit.instruction, syntax="whole", scope="global")
    except ScriptEditorError as error:
        return flow, f"whole rewrite: {getattr(error, 'reason', error.code)}: {error}"
    different = _difference(gold, made)
    return flow, f"whole rewrite: {different}" if different else ""


def _copied(script: LongScript, edit: GoldEdit, gold: str) -> Flow:
    """Return what the flow costs in which the agent copies the script into its call."""
    made = list(turns(SCRIPT_ID, script.text, edit.instruction, gold))
    planner, tool = Traffic(), Traffic()
    for turn in made:
        traffic = Traffic(size_of(turn.sent), size_of(turn.received))
        planner, tool = (planner + traffic, tool) if turn.is_planning else (planner, tool + traffic)
    return Flow(name="copied text", rewriter=tool, planner=planner, calls=len(made))


# --- what is printed -------------------------------------------------------------------------


def _print_table(flows: Sequence[Flow]) -> None:
    head = ("", "rewriter", "envelopes", "planner", "whole run", "calls")
    rows = [
        (each.name, *map(str, (each.rewriter, each.envelopes, each.planner, each.run, each.calls)))
        for each in flows
    ]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        print("    " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _ratios(name: str, ours: Ours, whole: Flow, copied: Flow, *, is_goal: bool) -> bool:
    """Print our shares of what the other ways cost; return whether the goal is met, if there is one."""
    sent, received = ours.flow.rewriter.shares_of(whole.rewriter)
    run_sent, run_received = ours.flow.run.shares_of(copied.run)
    print(
        f"    {name}: {sent:.2%} > {received:.2%} of the whole rewrite (rewriter); "
        f"{run_sent:.2%} > {run_received:.2%} of copied text (whole run)"
    )
    if not is_goal:
        return True
    is_met = sent <= SENT_LIMIT and received <= RECEIVED_LIMIT
    verdict = "met" if is_met else "MISSED"
    print(f"      goal {SENT_LIMIT:.0%} > {RECEIVED_LIMIT:.0%} {verdict}; sent are {ours.breakdown}")
    return is_met
