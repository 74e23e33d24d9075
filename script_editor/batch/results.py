"""What came of a batch: told as rows, saved where nothing speaks against it, and taken back."""

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Literal

from script_editor.agent.language import language_of
from script_editor.app.services import Services
from script_editor.app.timing import spoken
from script_editor.batch.calls.reckoning import cost_of
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Batch, Item, ItemState
from script_editor.domain.ports import ScriptStore
from script_editor.domain.references import Selector
from script_editor.domain.refusals import finding_sentence
from script_editor.domain.script import Proposal, Version
from script_editor.errors import (
    EditRefused,
    Overtaken,
    ProposalClosed,
    ScriptArchived,
    ScriptEditorError,
    StaleHead,
)

_BEGIN_A_FORMULA = frozenset("=+-@\t\r\n")

_FREE = "offline"
"""The embedded model: what it does costs nothing, whatever prices are set."""

WhyLeft = Literal["no_result", "checks", "warned", "moved", "decided", "archived", "refused", "already"]
"""Why an item was left alone: it made nothing to take, a guard spoke against it, a guard only warned, somebody wrote a
version since, somebody closed the proposal, the script is archived, a lock or another rule refused it, it is done
already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What `apply` did with one item: `version` is what it saved, or what was saved before where `left` is "already".

    `why` is a sentence, "" where the reason says all.
    """

    item: Item
    version: int | None = None
    left: WhyLeft | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverted:
    """What `revert` did with one item: `version` is what brought the old text back; see `Saved`."""

    item: Item
    version: int | None = None
    left: WhyLeft | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """One item as it is exported. Seconds are spoken time; what is not known or not there is None.

    `warnings` are what the checks said of its proposal, `columns` those of its row that only its author knows.
    """

    batch: str
    seq: int
    script: str
    state: ItemState
    instruction: str
    base: str
    version: str | None
    proposal: str | None
    attempt: int
    run: str | None
    seconds_before: float | None
    seconds_after: float | None
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    warnings: tuple[str, ...]
    error_type: str
    error: str
    columns: Mapping[str, str]


# --- telling ---------------------------------------------------------------------------------


def rows(batch: Batch, items: Iterable[Item], store: ScriptStore) -> Iterator[ResultRow]:
    """Yield a row for each item."""
    return (_row(batch, item, store) for item in items)


def as_json_lines(rows: Iterable[ResultRow]) -> Iterator[str]:
    """Yield one JSON object a line, each with its line end."""
    return (f"{json.dumps(asdict(row), ensure_ascii=False)}\n" for row in rows)


def as_csv(rows: Iterable[ResultRow], columns: Sequence[str] = ()) -> Iterator[str]:
    """Yield a line of names, then one for each row, with line ends as RFC 4180 has them; None is an empty cell.

    Behind the program's own come `columns`, of each row's author; one that is called as another is gets "own " in
    front. A text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    ours = [field.name for field in fields(ResultRow) if field.name != "columns"]
    yield _csv_line([*ours, *(_cell(f"own {name}" if name in ours else name) for name in columns)])
    for row in rows:
        cells = [_cell(_plain(getattr(row, name))) for name in ours]
        yield _csv_line([*cells, *(_cell(row.columns.get(name)) for name in columns)])


def _plain(value: object) -> object:
    return "; ".join(value) if isinstance(value, tuple) else value


def _csv_line(cells: list[object]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow(cells)
    return written.getvalue()


def _cell(value: object) -> object:
    # Spreadsheets take a full-width sign as they take the other one.
    is_formula = isinstance(value, str) and unicodedata.normalize("NFKC", value[:1]) in _BEGIN_A_FORMULA
    return f"'{value}" if is_formula else value


def _row(batch: Batch, item: Item, store: ScriptStore) -> ResultRow:
    proposal = None if item.proposal_id is None else store.proposal(item.proposal_id)
    number = _number_made(item, proposal)
    base = store.version(item.job.script_id, item.job.base_number)
    after = proposal.text if proposal is not None else None
    if after is None and number is not None:
        after = store.version(item.job.script_id, number).text
    sent, received = item.prompt_tokens, item.completion_tokens
    language = language_of(item.job.instruction)
    return ResultRow(
        batch=item.batch_id,
        seq=item.job.seq,
        script=item.job.script_id,
        state=item.state,
        instruction=item.job.instruction,
        base=f"v{item.job.base_number}",
        version=None if number is None else f"v{number}",
        proposal=item.proposal_id,
        attempt=item.attempt,
        run=item.run_id,
        seconds_before=_seconds(base.text),
        seconds_after=None if after is None else _seconds(after),
        tokens_in=sent,
        tokens_out=received,
        cost=_cost(batch, sent, received),
        warnings=tuple(finding_sentence(warning, language) for warning in item.warnings),
        error_type=item.error_type,
        error=item.error,
        columns=dict(item.job.columns),
    )


def _cost(batch: Batch, sent: int | None, received: int | None) -> float | None:
    if batch.recipe.model == _FREE:
        return 0.0
    return None if sent is None or received is None else cost_of(sent, received, batch.bounds)


def _seconds(text: str) -> float:
    return round(spoken(text).seconds, 1)


def _number_made(item: Item, proposal: Proposal | None) -> int | None:
    """Return the version that came of an item, at its end or when its proposal was accepted."""
    if item.result_number is not None:
        return item.result_number
    return None if proposal is None else proposal.accepted_number


# --- taking ----------------------------------------------------------------------------------


def saved(item: Item, services: Services, batches: BatchStore, *, author: str, only_clean: bool) -> Saved:
    """Save what came of an item if it is an open proposal that nothing speaks against; say why otherwise.

    With `only_clean` a warning speaks against it as well as an error. An item whose script moved since becomes a
    conflict, so that it can be tried again over the script as it is now.
    """
    if item.result_number is not None:
        return Saved(item=item, version=item.result_number, left="already")
    if item.proposal_id is None:
        return Saved(item=item, left="no_result", why=item.error)
    proposal = services.store.proposal(item.proposal_id)
    if proposal.status != "pending":
        was_saved = proposal.accepted_number is not None
        return Saved(
            item=item, version=proposal.accepted_number, left="already" if was_saved else "decided",
            why=proposal.reason or "",
        )  # fmt: skip
    if (against := _against(item, proposal, only_clean=only_clean)) is not None:
        return against
    try:
        version = services.proposals.accept(proposal.id, decided_by=author)
    except StaleHead as error:
        return _overtaken(item, error, batches)
    except ScriptEditorError as error:
        return Saved(item=item, left=_reason(error), why=_said(error, item))
    return Saved(item=item, version=version.number)


def _against(item: Item, proposal: Proposal, *, only_clean: bool) -> Saved | None:
    """Return what the checks say against saving, errors before warnings; None for nothing."""
    language = language_of(item.job.instruction)
    errors = [finding for finding in proposal.findings if finding.level == "error"]
    if item.state == "failed" or errors:
        why = item.error or finding_sentence(errors[0], language)
        return Saved(item=item, left="checks", why=why)
    if only_clean and proposal.findings:
        return Saved(item=item, left="warned", why=finding_sentence(proposal.findings[0], language))
    return None


def _overtaken(item: Item, error: StaleHead, batches: BatchStore) -> Saved:
    overtaken = Overtaken(
        error.script_id, expected=item.job.base_number, actual=error.actual, batch_id=item.batch_id
    )
    why = _said(overtaken, item)
    batches.overtake(item.batch_id, item.job.seq, error=why, hint=overtaken.hint)
    return Saved(item=item, left="moved", why=why)


def _said(error: ScriptEditorError, item: Item) -> str:
    """Return an error in the language of the instruction, where it knows both."""
    if error.is_bilingual:
        error.language = language_of(item.job.instruction)
    return str(error)


def _reason(error: ScriptEditorError) -> WhyLeft:
    match error:
        case StaleHead():
            return "moved"
        case ProposalClosed():
            return "decided"
        case ScriptArchived():
            return "archived"
        case EditRefused():
            return "refused"
        case _:
            raise error


# --- taking back -----------------------------------------------------------------------------


def brought_back(item: Item, services: Services, *, author: str) -> Reverted:
    """Bring a script back to the text before this item's version if that is its newest; say why otherwise."""
    proposal = None if item.proposal_id is None else services.store.proposal(item.proposal_id)
    number = _number_made(item, proposal)
    if number is None:
        return Reverted(item=item, left="no_result")
    script_id = item.job.script_id
    made = services.store.version(script_id, number)
    assert made.parent_number is not None, "a batch never makes the first version of a script"
    head = services.store.head(script_id)
    if head.number != number:
        return _left(item, made, head)
    try:
        restored = services.scripts.revert(
            script_id,
            Selector(number=made.parent_number),
            author=author,
            expected_head=number,
            message=f"batch revert {item.batch_id}",
        )
    except ScriptEditorError as error:
        return Reverted(item=item, left=_reason(error), why=_said(error, item))
    return Reverted(item=item, version=restored.version.number)


def _left(item: Item, made: Version, head: Version) -> Reverted:
    """Say why a script that moved is left: it was brought back before, or somebody wrote a version."""
    was_back = head.number == made.number + 1 and head.source in ("revert", "undo")
    if was_back and head.restored_number == made.parent_number:
        return Reverted(item=item, version=head.number, left="already")
    is_chinese = language_of(item.job.instruction) == "zh"
    now = f"现在是 v{head.number}。" if is_chinese else f"{made.script_id} is at v{head.number} by now."
    return Reverted(item=item, left="moved", why=now)
