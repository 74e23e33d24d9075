"""What came of a batch, told as rows: for spreadsheets and for programs."""

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from script_editor.agent.language import language_of
from script_editor.app.timing import spoken
from script_editor.batch.calls.reckoning import cost_of
from script_editor.domain.batches import Batch, Item, ItemState
from script_editor.domain.ports import ScriptStore
from script_editor.domain.refusals import finding_sentence
from script_editor.domain.script import Proposal

_BEGIN_A_FORMULA = frozenset("=+-@\t\r\n")

_FREE = "offline"
"""The embedded model: what it does costs nothing, whatever prices are set."""


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


def rows(batch: Batch, items: Iterable[Item], store: ScriptStore) -> Iterator[ResultRow]:
    """Yield a row for each item."""
    return (_row(batch, item, store) for item in items)


def as_json_lines(rows: Iterable[ResultRow]) -> Iterator[str]:
    """Yield one JSON object a line, each with its line end."""
    return (f"{json.dumps(asdict(row), ensure_ascii=False)}\n" for row in rows)


def as_csv(rows: Iterable[ResultRow], columns: Sequence[str] = ()) -> Iterator[str]:
    """Yield a line of names, then one for each row, with line ends as RFC 4180 has them; None is an empty cell.

    Behind the program's own come `columns`, of each row's author; one that is called as one of the program's gets
    "own " in front, as often as no other is called so. A text that a spreadsheet would take for a formula begins with
    an apostrophe.
    """
    ours = [field.name for field in fields(ResultRow) if field.name != "columns"]
    yield _csv_line([*ours, *map(_cell, _names_beside(ours, columns))])
    for row in rows:
        cells = [_cell(_plain(getattr(row, name))) for name in ours]
        yield _csv_line([*cells, *(_cell(row.columns.get(name)) for name in columns)])


def _names_beside(ours: Sequence[str], columns: Sequence[str]) -> list[str]:
    taken, names = {*ours, *columns}, []
    for name in columns:
        if name in ours:
            while name in taken:
                name = f"own {name}"
            taken.add(name)
        names.append(name)
    return names


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
    number = number_made(item, proposal)
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


def number_made(item: Item, proposal: Proposal | None) -> int | None:
    """Return the version that came of an item, at its end or when its proposal was accepted."""
    if item.result_number is not None:
        return item.result_number
    return None if proposal is None else proposal.accepted_number
