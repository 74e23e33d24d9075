"""A batch: one instruction, or one for each, over many scripts, frozen when it is planned.

A batch is planned, then run; it may be paused and resumed as often as needed. Every item is one script, and
ends in one of ENDED with a reason. Items are numbered from 1 and known as `b-…/7`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from script_editor.domain.findings import Finding
from script_editor.domain.script import Provenance, RefusedReply, StepRecord
from script_editor.errors import Language

BatchState = Literal["planned", "running", "paused", "cancelled", "done"]
ItemState = Literal["queued", "running", "done", "unchanged", "conflict", "failed", "dead", "cancelled"]
DIRECT = "direct"
"""The mode of a batch whose items are not planned: the model is asked for each edit at once."""
Target = Literal["propose", "apply"]
"""What becomes of a result: a proposal to be looked at, or a version where all checks are clean."""

Done = Literal["saved", "proposed", "unchanged"]
"""What became of work that need not be done again: its result is the newest text of the script, or waits as a proposal
that still fits, or there was nothing to change in that text."""

SILENT_SECONDS = 60.0
"""A worker that gave no sign of life for so long is gone."""
MAX_HOLD_SECONDS = 300.0
"""Longer than that a service is not left alone without being asked again, whatever it said."""

ENDED: frozenset[ItemState] = frozenset({"done", "unchanged", "conflict", "failed", "dead", "cancelled"})
"""The item needs no more work unless somebody asks for it again."""
SETTLED: frozenset[ItemState] = frozenset({"done", "unchanged"})
"""The item is as it was asked to be."""
OPEN: tuple[ItemState, ...] = ("queued", "running")
"""The item is still to be worked on."""
TROUBLED: frozenset[ItemState] = frozenset({"conflict", "failed", "dead"})
"""A person should look at the item; `batch retry` takes it up again."""


OF_EACH_ROW: Mapping[Language, str] = {"en": "(each script has its own)", "zh": "（每个脚本各有各的指令）"}
"""Stands as the instruction of a batch of which each row has its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is asked of one item besides its instruction, in the words it was given in.

    `target` is a spoken time such as "30s"; `only` the part that may change; `keep` words that must stay.
    They are read again for each run, by the rules of `edit`.
    """

    target: str | None = None
    only: str | None = None
    keep: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Base:
    """The version that an item is planned on, as far as a plan needs it: of 100,000 nothing else is read.

    `file` is the name of the file that it was imported from, "" without one.
    """

    number: int
    format: str
    file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One item as it is planned: what to do to which version.

    `key` names the work, so that none is paid twice: equal keys mean the same script, instruction, wishes, model and
    prompts. `columns` are those of its row that mean nothing to the program, as (name, value), to be given back.
    """

    seq: int
    script_id: str
    base_number: int
    instruction: str
    key: str
    wishes: Wishes = field(default_factory=Wishes)
    columns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What all items of a batch share.

    `instruction` is as it was typed, a template where it names columns. `mode` is DIRECT or the mode of
    the agent. `prompts` is the fingerprint of the prompts.
    """

    instruction: str
    author: str
    model: str
    mode: str
    prompts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a running batch may take, for all workers together; None means no limit.

    Prices are those of a million tokens; `budget` is money, and needs them. `sample` is how many items the run that
    was asked for it ends before the batch pauses; others leave such a batch alone.
    """

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    budget: float | None = None
    price_in: float | None = None
    price_out: float | None = None
    sample: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How often a batch may call its service in a minute, None for no limit; `…_by` is the other batch that is at work
    and was given the limit, "" where it is the batch's own."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    requests_by: str = ""
    tokens_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """One batch as it is stored. `pause_reason` says why it stands still while it is "paused", else "".

    `refused_cost` is what the call was reckoned with that did not fit into the budget, while that is the reason.
    """

    id: str
    state: BatchState
    recipe: Recipe
    target: Target
    bounds: Bounds
    total: int
    created_at: datetime
    updated_at: datetime
    pause_reason: str = ""
    refused_cost: float | None = None


class Change(NamedTuple):
    """When an item came to the state that it is in; small, since there may be very many."""

    seq: int
    attempt: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item as it is stored.

    `worker_id` is who runs it, or took it over from a worker that is gone and has queued it again, None for neither.
    `attempt` counts from 1 and grows by `batch retry`; `crashes` counts the workers that died over it. `error_type`
    and `error` are why it is not SETTLED. `result_number` is the version it was saved as, `proposal_id` the
    proposal it is kept as; `run_id` is the run that made it. Token counts are None when nobody reported them.
    `warnings` are what the checks said of the proposal of an item that is "done"; known where items are read, not
    where one is written.
    """

    batch_id: str
    job: Job
    state: ItemState
    attempt: int
    crashes: int
    updated_at: datetime
    worker_id: str | None = None
    error_type: str = ""
    error: str = ""
    hint: str = ""
    result_number: int | None = None
    proposal_id: str | None = None
    run_id: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        """The item's name, such as `b-x7k2m9qp/7`."""
        return f"{self.batch_id}/{self.job.seq}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Where a batch stands: how many items are in each state, and what all of them took.

    `in_flight` is the estimated money of the calls that are being made now; `spent` what the finished ones
    cost, also of items that are not over. `reckoned` is that part of it which stands for calls of which nobody told what
    they took, since their answers were lost: they are counted with what they may take at most, `untold` is how many they
    are, and their tokens are not among the others. All three sums are None without prices. `unpriced` are those of the
    tokens that were taken before prices were known, and are in no sum.
    """

    batch: Batch
    counts: Mapping[ItemState, int]
    prompt_tokens: int = 0
    completion_tokens: int = 0
    spent: float | None = None
    in_flight: float | None = None
    reckoned: float | None = None
    untold: int = 0
    unpriced: int = 0

    @property
    def is_over_budget(self) -> bool:
        """Whether the finished calls cost more than the batch was given."""
        budget = self.batch.bounds.budget
        return budget is not None and self.spent is not None and self.spent > budget * (1 + 1e-9)

    def count(self, *states: ItemState) -> int:
        """Return how many items are in any of these states."""
        return sum(self.counts.get(state, 0) for state in states)

    @property
    def ended(self) -> int:
        """How many items are over."""
        return self.count(*ENDED)

    @property
    def left(self) -> int:
        """How many items wait or run."""
        return self.count(*OPEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeable:
    """What can still be done with the results of a batch.

    `clean` and `warned` say that there are open proposals over scripts that have not moved since, of which no check
    warned and some did; `saved` that versions of it are the newest of their scripts, so that they can be taken back.
    """

    clean: bool = False
    warned: bool = False
    saved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What became of the results of a batch, as it is now; each number is a part of the items that are "done".

    `saved` are versions, at once or as a proposal later, whose change still stands: the script's text comes from it,
    also where somebody edited it further. `reverted` are versions whose change does not, whoever took it back (`batch
    revert`, undo, revert, the old text by hand), and whatever was written over the old text since. What is put back by
    redo, revert or hand is saved again. `warned` ended with warnings of a check.

    An item that failed or is a conflict counts as that alone, whatever a person does with the proposal that it left.
    """

    saved: int = 0
    reverted: int = 0
    warned: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTaken:
    """The run of an item, told at its end: what `start_run`, `record_step`, `record_refusal` and `finish_run` would keep."""

    id: str
    mode: str
    model: str
    input: str
    started_at: datetime
    stop_reason: str
    output: str | None = None
    error: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usage_known: bool = True
    steps: tuple[StepRecord, ...] = ()
    refusals: tuple[RefusedReply, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The text that an item came to, over the version it was planned for.

    `proposal_id` is what it was called while it was made, so what the run and its errors say of it. It is kept
    under that id, unless another proposal has it.
    """

    text: str
    provenance: Provenance
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    proposal_id: str | None = None

    @property
    def is_clean(self) -> bool:
        """Whether it may be saved without anybody looking: no guard said anything, not even a warning."""
        return not self.findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What one attempt at an item came to; the last transaction writes it.

    With `made`, the state is "done", or "failed" when what was made is kept as a proposal that nobody may save
    as it stands (a missed time, half an edit). `language` is that of the instruction: what the last transaction has
    to add is told in it.
    """

    state: ItemState
    error_type: str = ""
    error: str = ""
    hint: str = ""
    made: Made | None = None
    run: RunTaken | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    notes: tuple[str, ...] = ()
    language: Language = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A process that works on batches; `beat` is the last sign of life, by the clock of the store."""

    id: str
    host: str
    pid: int
    started_at: datetime
    beat: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """The right to make one model call now. `tokens` and `cost` are what it was reckoned with until it is settled.

    One that is not counted, since nothing is bounded and nothing has a price, is not kept: there is nothing to settle.
    """

    id: str
    tokens: int
    cost: float
    is_counted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """No permit yet: `seconds` until it is worth asking again, and for what: requests, tokens, a service that asked
    everyone to wait, or money. For money 0 seconds mean that the budget is used up; more, that calls which are being
    made now may turn out to cost less than they were reckoned with."""

    seconds: float
    reason: Literal["requests", "tokens", "service", "budget"]
