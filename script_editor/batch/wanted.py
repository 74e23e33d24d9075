"""What each row of a plan asks for, and of which version: checked one by one, so that a bad row stops no other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from script_editor.batch.columns import SCRIPT, Row
from script_editor.batch.item import demands_of
from script_editor.batch.sources import Rows
from script_editor.batch.template import Template
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Wishes
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import Version, VersionInfo, canonical_id, check_instruction, check_text
from script_editor.domain.segments import NumberedScript
from script_editor.errors import BadInput, ScriptEditorError, ScriptNotFound

_AT_ONCE = 500
_MOST_NEAREST = 3
_MOST_GUESSES = 20
"""For so many unknown ids the nearest ones are looked for; where there are more, the whole file is another store's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a row is not in the plan. `line` is None where the source has no lines."""

    source: str
    line: int | None
    script: str
    message: str
    hint: str = ""

    @property
    def where(self) -> str:
        """The place, such as `jobs.csv, line 9`."""
        return self.source if self.line is None else f"{self.source}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one usable row asks for."""

    row: Row
    script_id: str
    instruction: str
    wishes: Wishes


@dataclass(frozen=True, slots=True)
class Found:
    """What is asked for, and the version that it is asked of: the script's head."""

    wanted: Wanted
    head: VersionInfo


def read(sources: Iterable[Rows], template: Template, common: Wishes) -> Iterator[Wanted | Problem]:
    """Yield what each row asks for, or what is wrong with it; a script that is named twice is asked for once.

    A row's own instruction and wishes come before the common ones.

    Raises:
        BadInput, BadFile: something is wrong with a whole source, or with what is common to all.
    """
    if template.text:
        check_instruction(template.text)
        template.columns()
    _check(common)
    seen: dict[str, Row] = {}
    for rows in sources:
        template.check(rows.columns)
        for row in rows.rows:
            try:
                wanted = _wanted(row, template, common)
                earlier = seen.setdefault(wanted.script_id, row)
                if earlier is not row:
                    raise BadInput(
                        f"{wanted.script_id} is named already ({earlier.where}); the first one counts."
                    )
            except ScriptEditorError as error:
                yield _problem(row, error)
            else:
                yield wanted


def find(
    read: Iterable[Wanted | Problem], *, scripts: ScriptStore, batches: BatchStore
) -> Iterator[Found | Problem]:
    """Yield what is asked for with the version it is asked of, or what is wrong with it; in the same order."""
    guesses = iter(range(_MOST_GUESSES))
    left = iter(read)
    while some := list(islice(left, _AT_ONCE)):
        wanted = [each for each in some if isinstance(each, Wanted)]
        heads = batches.versions_of([each.script_id for each in wanted])
        archived = _archived([each.script_id for each in wanted if each.script_id not in heads], scripts)
        texts = _texts(
            [each for each in wanted if each.wishes.only and each.script_id in heads], scripts, heads
        )
        for each in some:
            if isinstance(each, Problem):
                yield each
            elif each.script_id not in heads:
                yield _missing(each, archived, scripts, guesses)
            else:
                yield _placed(Found(each, heads[each.script_id]), texts.get(each.script_id))


# --- rows ------------------------------------------------------------------------------------


def _wanted(row: Row, template: Template, common: Wishes) -> Wanted:
    if row.fault:
        raise BadInput(f"The row is left out: {row.fault}.")
    own = Template(row.instruction) if row.instruction else template
    wishes = Wishes(
        target=row.target or common.target, only=row.only or common.only, keep=row.keep or common.keep
    )
    if wishes != common:
        _check(wishes)
    instruction = check_instruction(own.filled(row.cells))
    return Wanted(row, canonical_id(row.script), instruction, wishes)


def _check(wishes: Wishes) -> None:
    """Raises BadInput for a target that says no time, and for what no store keeps."""
    demands_of(wishes)
    for said in (wishes.target, wishes.only, *wishes.keep):
        check_text(said or "")


def _problem(row: Row, error: ScriptEditorError) -> Problem:
    script = row.script or row.cells.get(SCRIPT, "")
    return Problem(source=row.source, line=row.line, script=script, message=str(error), hint=error.hint)


# --- scripts ---------------------------------------------------------------------------------


def _archived(script_ids: Sequence[str], scripts: ScriptStore) -> frozenset[str]:
    """Return those of the scripts without an active head that are there all the same."""
    return frozenset(head.script_id for head in scripts.heads(script_ids)) if script_ids else frozenset()


def _missing(
    wanted: Wanted, archived: frozenset[str], scripts: ScriptStore, guesses: Iterator[int]
) -> Problem:
    script_id = wanted.script_id
    if script_id in archived:
        return _problem(wanted.row, BadInput(f"{script_id} is archived."))
    # Each guess is a search among all ids.
    known = None if next(guesses, None) is None else scripts.similar_ids(script_id, limit=_MOST_NEAREST)
    problem = _problem(wanted.row, ScriptNotFound(script_id, known=known))
    if not known:
        return problem
    # A list of problems has no room for hints, and the right id is what helps here.
    message = f"There is no script {script_id!r}; the nearest ids are: {', '.join(known)}."
    return replace(problem, message=message, hint="See which there are: script-editor list")


def _texts(
    wanted: Sequence[Wanted], scripts: ScriptStore, infos: Mapping[str, VersionInfo]
) -> Mapping[str, Version]:
    """Return the texts that a place is named in: no other is read."""
    heads = scripts.heads([each.script_id for each in wanted]) if wanted else ()
    return {
        head.script_id: head
        if head.number == infos[head.script_id].number
        else scripts.version(head.script_id, infos[head.script_id].number)
        for head in heads
    }


def _placed(found: Found, version: Version | None) -> Found | Problem:
    """Return it, or that its place is not in the script; the run would refuse it with the same words."""
    if version is None:
        return found
    wanted = found.wanted
    script = NumberedScript(version.script_id, version.number, version.text)
    try:
        demands_of(wanted.wishes).constraints(script, wanted.instruction)
    except ScriptEditorError as error:
        return _problem(wanted.row, error)
    return found
