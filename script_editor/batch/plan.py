"""A plan: what is to be done to which version of which script, frozen before anything is spent.

What is wrong with the whole of it (a column that is not there, an empty file) is raised and nothing is stored;
what is wrong with one row is a problem of the report, and the other rows are planned.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from script_editor.batch.estimate import SAMPLE, Estimate, estimate, mean_tokens
from script_editor.batch.item import DIRECT
from script_editor.batch.selecting import Selection, selected
from script_editor.batch.sources import Rows, of_ids
from script_editor.batch.template import Template
from script_editor.batch.wanted import Found, Problem, find, read
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Batch, Bounds, Job, Recipe, Target, Wishes
from script_editor.domain.ports import ScriptStore
from script_editor.errors import BadInput

__all__ = ["PlanReport", "PlanRequest", "Problem", "make_plan"]

_OF_EACH_ROW = "(see each item)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What a person wants planned.

    `instruction` is the common one, a template where it names columns; a row's own comes before it. `wishes` are
    common too. With `redo`, work that was done before is planned again. `workers` is for the estimate alone.
    """

    author: str
    instruction: str = ""
    sources: Sequence[Rows] = ()
    selection: Selection | None = None
    wishes: Wishes = field(default_factory=Wishes)
    mode: str = DIRECT
    target: Target = "propose"
    redo: bool = False
    workers: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReport:
    """A plan that was stored, or None when nothing is left to do, with everything that was found.

    `skipped` counts items whose work was done before and whose script has not changed since. `problems` are in the
    order of the rows. `formats` counts the scripts that are planned by their format.
    """

    batch: Batch | None
    problems: tuple[Problem, ...]
    skipped: int
    estimate: Estimate
    formats: Mapping[str, int]


def make_plan(
    request: PlanRequest,
    *,
    scripts: ScriptStore,
    batches: BatchStore,
    model: str,
    prompts: str,
    price_in: float | None = None,
    price_out: float | None = None,
    is_offline: bool = False,
) -> PlanReport:
    """Check a request, store it as a batch, and return what was found.

    Raises:
        BadInput, BadFile: see the module; also when nothing names a script, and when no row can be used.
    """
    template = Template(request.instruction.strip())
    recipe = Recipe(
        instruction=template.text or _OF_EACH_ROW,
        author=request.author,
        model=model,
        mode=request.mode,
        prompts=prompts,
    )
    problems: list[Problem] = []
    jobs: list[tuple[Job, str]] = []
    asked = read(_sources(request, scripts), template, request.wishes)
    for each in find(asked, scripts=scripts, batches=batches):
        if isinstance(each, Problem):
            problems.append(each)
        else:
            jobs.append((_job(each, recipe), each.head.format))
    _check_any(jobs, problems)
    done = frozenset[str]() if request.redo else batches.settled_keys([job.key for job, _ in jobs])
    left = [(job, format) for job, format in jobs if job.key not in done]
    bounds = Bounds(price_in=price_in, price_out=price_out)
    batch = None
    if left:
        numbered = (replace(job, seq=seq) for seq, (job, _) in enumerate(left, 1))
        batch = batches.create_batch(recipe, numbered, target=request.target, bounds=bounds)
    return PlanReport(
        batch=batch,
        problems=tuple(problems),
        skipped=len(jobs) - len(left),
        estimate=_estimate(request, [job for job, _ in left], scripts, bounds, is_offline=is_offline),
        formats=_counted(format for _, format in left),
    )


def _sources(request: PlanRequest, scripts: ScriptStore) -> Iterator[Rows]:
    yield from request.sources
    if request.selection is not None:
        yield of_ids(list(selected(scripts, request.selection)), source="selection")


def _check_any(jobs: Sequence[object], problems: Sequence[Problem]) -> None:
    """Raises BadInput where no row can be used, or there is none."""
    if jobs:
        return
    if problems:
        first = problems[0]
        raise BadInput(f"No row can be used. {first.where}: {first.message}", hint=first.hint)
    raise BadInput(
        "No script is named, and none is like that.", hint="See which there are: script-editor list"
    )


def _job(found: Found, recipe: Recipe) -> Job:
    """Return the job of one item, not yet numbered."""
    wanted, head = found.wanted, found.head
    wishes = wanted.wishes
    work = (
        wanted.script_id, head.content_hash, wanted.instruction, wishes.target, wishes.only, wishes.keep,
        recipe.model, recipe.mode, recipe.prompts,
    )  # fmt: skip
    return Job(
        seq=0,
        script_id=wanted.script_id,
        base_number=head.number,
        instruction=wanted.instruction,
        key=sha256(json.dumps(work, ensure_ascii=False).encode()).hexdigest(),
        wishes=wishes,
    )


def _counted(formats: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for format in formats:
        counts[format] = counts.get(format, 0) + 1
    return counts


def _estimate(
    request: PlanRequest, jobs: Sequence[Job], scripts: ScriptStore, bounds: Bounds, *, is_offline: bool
) -> Estimate:
    some = jobs[:: max(1, len(jobs) // SAMPLE)][:SAMPLE]
    heads = scripts.heads([job.script_id for job in some]) if some else ()
    texts, instructions = (head.text for head in heads), (job.instruction for job in some)
    return estimate(
        mean_tokens(texts) + mean_tokens(instructions),
        len(jobs),
        is_direct=request.mode == DIRECT,
        workers=request.workers,
        price_in=bounds.price_in,
        price_out=bounds.price_out,
        is_offline=is_offline,
    )
