"""A plan: what is to be done to which version of which script, frozen before anything is spent.

What is wrong with the whole of it (a column that is not there, an empty file) is raised and nothing is stored;
what is wrong with one row is a problem of the report, and the other rows are planned.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import compress
from pathlib import PurePath

from script_editor import interrupts
from script_editor.agent.language import language_of
from script_editor.batch.planning.columns import SELECTION
from script_editor.batch.planning.estimate import SAMPLE, Estimate, estimate, mean_tokens
from script_editor.batch.planning.selecting import Selection, none_like, selected
from script_editor.batch.planning.sources import Rows, of_ids
from script_editor.batch.planning.template import Template
from script_editor.batch.planning.wanted import Found, Kind, Problem, find, read
from script_editor.batch.terms import DEFAULT_WORKERS
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import (
    DIRECT,
    OF_EACH_ROW,
    Base,
    Batch,
    Bounds,
    Done,
    Job,
    Recipe,
    Target,
    Wishes,
)
from script_editor.domain.ports import ScriptStore
from script_editor.errors import BadRow, Language, NotFound

__all__ = ["PlanReport", "PlanRequest", "Problem", "make_plan"]


class NothingUsable(BadRow):
    """Nothing is planned, for nothing that was named can be used; `problems` says why, in the order of the rows."""

    problems: Sequence[Problem] = ()


class NoScript(NothingUsable, NotFound):
    """Nothing is planned, for no script is like what was named."""

    code = NotFound.code
    exit_code = NotFound.exit_code


Tell = Callable[[int, int], None]
"""Is told how many rows were read, and how many items were stored of as many as can be used, 0 while they are read."""

_NONE: Mapping[Kind | None, tuple[str, str]] = {
    "row": ("No row", "没有一行"),
    "file": ("No file", "没有一个文件"),
    "id": ("No id", "没有一个编号"),
    "script": ("No script", "没有一个脚本"),
    None: ("None of it", "没有一项"),
}
_HEARD = 200
"""So many instructions tell which language a plan is in."""
_SUBTITLES = frozenset({"srt", "vtt", "sbv", "ass"})
_TELL_EACH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What a person wants planned.

    `instruction` is the common one, a template where it names columns; a row's own comes before it. `wishes` are
    common too. With `redo`, work that was done before is planned again. `workers` is for the estimate alone.
    `unreadable` are files of scripts that could not be imported for the plan: they are problems of it.
    """

    author: str
    instruction: str = ""
    sources: Sequence[Rows] = ()
    unreadable: Sequence[Problem] = ()
    selection: Selection | None = None
    wishes: Wishes = field(default_factory=Wishes)
    mode: str = DIRECT
    target: Target = "propose"
    redo: bool = False
    workers: int = DEFAULT_WORKERS


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReport:
    """A plan that was stored, or None when nothing is left to do, with everything that was found.

    `before` counts the items that are left out since their work was done before, by what became of it. `problems`
    are in the order of the rows. `formats` counts the scripts that are planned by their format; a subtitle file is
    one by its name. `language` is that of most instructions.
    """

    batch: Batch | None
    problems: tuple[Problem, ...]
    before: Mapping[Done, int]
    estimate: Estimate
    formats: Mapping[str, int]
    language: Language

    @property
    def skipped(self) -> int:
        """How many items are left out."""
        return sum(self.before.values())


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
    tell: Tell = lambda _read, _stored: None,
) -> PlanReport:
    """Check a request, store it as a batch, and return what was found; `tell` is told how far it is.

    Raises:
        KeyboardInterrupt: the person stopped it; nothing is stored.
        BadInput, BadFile: see the module; also when nothing names a script, and when no row can be used.
    """
    template = Template(request.instruction.strip())
    recipe = Recipe(
        instruction=template.text, author=request.author, model=model, mode=request.mode, prompts=prompts
    )
    found = _checked(request, template, recipe, scripts=scripts, batches=batches, tell=tell)
    jobs = found.jobs
    done: Mapping[str, Done] = {} if request.redo else batches.done_before([job.key for job in jobs])
    is_left = [job.key not in done for job in jobs]
    left = list(compress(jobs, is_left))
    bounds = Bounds(price_in=price_in, price_out=price_out)
    batch = None
    if left:
        named = recipe if template.text else replace(recipe, instruction=OF_EACH_ROW[found.language])
        batch = batches.create_batch(named, _numbered(left, tell), target=request.target, bounds=bounds)
    return PlanReport(
        batch=batch,
        problems=found.problems,
        before=Counter(done[job.key] for job in jobs if job.key in done),
        estimate=_estimate(request, left, scripts, bounds, is_offline=is_offline),
        formats=Counter(compress(found.formats, is_left)),
        language=found.language,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    """What can be done of a request, not yet numbered, and what cannot; `formats` are those of the jobs' texts."""

    jobs: Sequence[Job]
    formats: Sequence[str]
    problems: tuple[Problem, ...]
    language: Language


def _checked(
    request: PlanRequest,
    template: Template,
    recipe: Recipe,
    *,
    scripts: ScriptStore,
    batches: BatchStore,
    tell: Tell,
) -> _Checked:
    """Read what is asked for, and place it. Raises what `make_plan` raises."""
    problems: list[Problem] = [*request.unreadable]
    jobs: list[Job] = []
    formats: list[str] = []
    asked = read(_sources(request, scripts), template, request.wishes)
    for read_so_far, each in enumerate(find(asked, scripts=scripts, batches=batches), 1):
        tell(read_so_far, 0)
        if isinstance(each, Problem):
            problems.append(each)
        else:
            jobs.append(_job(each, recipe))
            formats.append(_format(each.head))
    language = _language(template.text, jobs, problems)
    told = tuple(replace(problem, language=language) for problem in problems)
    _check_any(request, jobs, told)
    return _Checked(jobs=jobs, formats=formats, problems=told, language=language)


def _language(common: str, jobs: Sequence[Job], problems: Sequence[Problem]) -> Language:
    """Return the language of the common instruction, else that of most of the rows' own."""
    if common:
        return language_of(common)
    some = jobs[:: max(1, len(jobs) // _HEARD)][:_HEARD]
    own = [job.instruction for job in some] or [problem.instruction for problem in problems[:_HEARD]]
    heard = Counter(language_of(instruction) for instruction in own if instruction)
    return "zh" if heard["zh"] and heard["zh"] >= heard["en"] else "en"


def _format(head: Base) -> str:
    """Return the format of a text; subtitles are read as plain text, and are known by the name of their file."""
    suffix = PurePath(head.file).suffix.lower().removeprefix(".")
    return suffix if head.format == "text" and suffix in _SUBTITLES else head.format


def _numbered(jobs: Sequence[Job], tell: Tell) -> Iterator[Job]:
    """Yield the jobs with their numbers, while they are stored; a person may stop that as long as not all are."""
    for seq, job in enumerate(jobs, 1):
        if not seq % _TELL_EACH:
            tell(len(jobs), seq)
            with interrupts.let_through():  # a write is finished first, but a plan can be stopped as a whole
                pass
        yield replace(job, seq=seq)


def _sources(request: PlanRequest, scripts: ScriptStore) -> Iterator[Rows]:
    yield from request.sources
    if request.selection is not None:
        yield of_ids(list(selected(scripts, request.selection)), source=SELECTION)


def _check_any(request: PlanRequest, jobs: Sequence[Job], problems: Sequence[Problem]) -> None:
    """Raises NothingUsable where no row can be used, or there is none; NoScript where only the names are wrong."""
    if jobs:
        return
    if not problems:
        raise _nothing(request.selection)
    first = problems[0]
    # One after the other: the error that both share speaks one language at a time.
    en, hint = first.sentence("en"), first.hint_in("en")
    zh, zh_hint = first.sentence("zh"), first.hint_in("zh")
    are_missing = all(isinstance(problem.error, NotFound) for problem in problems)
    what, what_zh = _NONE.get(first.kind if len({each.kind for each in problems}) == 1 else None, _NONE[None])
    error = (NoScript if are_missing else NothingUsable)(
        f"{what} can be used. {en}", f"{what_zh}能用。{zh}", hint=hint, zh_hint=zh_hint
    )
    error.problems = problems
    raise error


def _nothing(selection: Selection | None) -> NothingUsable:
    """Return that no script is named, or none is like what is asked for."""
    hints = {"hint": "See which there are: script-editor list", "zh_hint": "看看有哪些：script-editor list"}
    if selection is None:
        return NothingUsable("No script is named.", "没有写要改哪些脚本。", **hints)
    return NoScript(*none_like(selection), **hints)


def _job(found: Found, recipe: Recipe) -> Job:
    """Return the job of one item, not yet numbered."""
    wanted, head = found.wanted, found.head
    wishes = wanted.wishes
    # Not the version: whether work was done is seen in what became of the script.
    work = (
        wanted.script_id, wanted.instruction, wishes.target, wishes.only, wishes.keep,
        recipe.model, recipe.mode, recipe.prompts,
    )  # fmt: skip
    return Job(
        seq=0,
        script_id=wanted.script_id,
        base_number=head.number,
        instruction=wanted.instruction,
        key=sha256(json.dumps(work, ensure_ascii=False).encode()).hexdigest(),
        wishes=wishes,
        columns=wanted.row.own,
    )


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
