"""What each row of a plan asks for, and of which version: checked one by one, so that a bad row stops no other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import PurePath
from typing import Literal

from script_editor.app.kept import check_kept
from script_editor.batch.items.item import demands_of
from script_editor.batch.planning.columns import ARGUMENTS, SCRIPT, SELECTION, Row, place
from script_editor.batch.planning.sources import Rows, in_both
from script_editor.batch.planning.template import Template
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Base, Wishes
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import Version, canonical_id, check_instruction, check_text
from script_editor.domain.segments import NumberedScript
from script_editor.errors import (
    BadRow,
    Language,
    NotFound,
    ScriptArchived,
    ScriptEditorError,
    ScriptNotFound,
)

Kind = Literal["row", "file", "id", "script"]
"""What a person named that is left out: a row of a list, a file of scripts, an id, or a script that was chosen."""
_KINDS: Mapping[str, Kind] = {ARGUMENTS: "id", SELECTION: "script"}

_AT_ONCE = 500
_MOST_NEAREST = 3
_NEAR = 0.7
"""From so alike on, an id is told as near: another number of the same kind is, another word is not."""
_SAY = "Write one into the row, or give one for all with --do."
_SAY_ZH = "请在这一行写上，或者用 --do 写一条共用的。"
_MOST_GUESSES = 20
"""For so many unknown ids the nearest ones are looked for; where there are more, the whole file is another store's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a row is not in the plan. `line` is None where the source has no lines; `instruction` is its own, if any."""

    source: str
    line: int | None
    script: str
    error: ScriptEditorError
    instruction: str = ""
    language: Language = "en"

    @property
    def kind(self) -> Kind:
        """What it is that is left out."""
        if self.line is not None:
            return "row"
        return _KINDS.get(self.source, "file")

    @property
    def where(self) -> str:
        """The place, such as `jobs.csv, line 9`."""
        return place(self.source, self.line, self.language)

    @property
    def message(self) -> str:
        """What is wrong with it."""
        return self.told(self.language)

    @property
    def hint(self) -> str:
        """What can be done about it, "" for nothing."""
        return self.hint_in(self.language)

    def sentence(self, language: Language) -> str:
        """Return where it is and what is wrong with it, with the script where nothing else in it names that."""
        colon = "：" if language == "zh" else ": "
        where, message = place(self.source, self.line, language), self.told(language)
        if self.kind == "file":  # what is wrong with a file names it, mostly without its folders
            for name in (self.source, PurePath(self.source).name):
                if message.startswith(name):
                    return f"{self.source}{message.removeprefix(name)}"
        is_named = not self.script or self.script in message or self.script in where
        return f"{where}{colon}{message}" if is_named else f"{where}{colon}{self.script}{colon}{message}"

    def told(self, language: Language) -> str:
        """Return what is wrong with it, in a language where it is known in both."""
        self.error.language = language if self.error.is_bilingual else self.error.language
        return str(self.error)

    def hint_in(self, language: Language) -> str:
        """Return what can be done about it; see `told`."""
        self.error.language = language if self.error.is_bilingual else self.error.language
        return self.error.hint


class RowMissing(BadRow, NotFound):
    """A row names a script that is not there; of `known`, ids that exist, those are told that look like it."""

    code = ScriptNotFound.code
    exit_code = NotFound.exit_code

    def __init__(self, script_id: str, known: Sequence[str]):
        nearest = [
            id for id in known if SequenceMatcher(None, script_id, id, autojunk=False).ratio() >= _NEAR
        ]
        # A list of problems has no room for hints, and the right id is what helps here.
        near = f"; the nearest ids are: {', '.join(nearest)}" if nearest else ""
        zh_near = f"；最接近的是：{'、'.join(nearest)}" if nearest else ""
        super().__init__(
            f"There is no script {script_id!r}{near}.",
            f"找不到脚本 {script_id}{zh_near}。",
            hint="See which there are: script-editor list",
            zh_hint="看看有哪些：script-editor list",
        )


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
    head: Base


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
    seen: dict[str, tuple[str, int | None]] = {}  # where; the rows themselves are let go
    for rows in sources:
        template.check(rows.columns)
        for row in rows.rows:
            try:
                wanted = _wanted(row, template, common)
                if earlier := seen.get(wanted.script_id):
                    raise named_twice(wanted.script_id, *earlier)
                seen[wanted.script_id] = (row.source, row.line)
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
        heads = batches.bases([each.script_id for each in wanted])
        archived = _archived([each.script_id for each in wanted if each.script_id not in heads], scripts)
        texts = _texts(
            [each for each in wanted if _is_about_its_text(each.wishes) and each.script_id in heads],
            scripts, heads,
        )  # fmt: skip
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
        raise _left_out(row.fault)
    own = Template(row.instruction) if row.instruction else template
    wishes = Wishes(
        target=row.target or common.target, only=row.only or common.only, keep=row.keep or common.keep
    )
    if wishes != common:
        _check(wishes)
    filled = own.filled(row.cells)
    if not filled.strip():
        raise BadRow("The instruction is empty.", "没有写指令。", hint=_SAY, zh_hint=_SAY_ZH)
    instruction = check_instruction(filled)
    return Wanted(row, canonical_id(row.script), instruction, wishes)


def named_twice(script_id: str, source: str, line: int | None) -> BadRow:
    """Return that a script was named before, where it was."""
    return BadRow(
        f"{script_id} is named already ({place(source, line)}); the first one counts.",
        f"{script_id} 前面已经写过（{place(source, line, 'zh')}），以第一次为准。",
    )


def _left_out(fault: BadRow) -> BadRow:
    en, zh = in_both(fault)
    return BadRow(f"The row is left out: {en}.", f"这一行{zh}，没有算进去。")


def _check(wishes: Wishes) -> None:
    """Raises BadInput for a target that says no time, and for what no store keeps."""
    demands_of(wishes)
    for wish in (wishes.target, wishes.only, *wishes.keep):
        check_text(wish or "")


def _problem(row: Row, error: ScriptEditorError) -> Problem:
    script = row.script or row.cells.get(SCRIPT, "")
    return Problem(source=row.source, line=row.line, script=script, error=error, instruction=row.instruction)


# --- scripts ---------------------------------------------------------------------------------


def _archived(script_ids: Sequence[str], scripts: ScriptStore) -> frozenset[str]:
    """Return those of the scripts without an active head that are there all the same."""
    return frozenset(head.script_id for head in scripts.heads(script_ids)) if script_ids else frozenset()


def _missing(
    wanted: Wanted, archived: frozenset[str], scripts: ScriptStore, guesses: Iterator[int]
) -> Problem:
    script_id = wanted.script_id
    if script_id in archived:
        return _problem(wanted.row, ScriptArchived(script_id))
    # Each guess is a search among all ids.
    known = () if next(guesses, None) is None else scripts.similar_ids(script_id, limit=_MOST_NEAREST)
    return _problem(wanted.row, RowMissing(script_id, known))


def _texts(
    wanted: Sequence[Wanted], scripts: ScriptStore, bases: Mapping[str, Base]
) -> Mapping[str, Version]:
    """Return the texts that a place or a word to keep is looked for in: no other is read."""
    heads = scripts.heads([each.script_id for each in wanted]) if wanted else ()
    return {
        head.script_id: head
        if head.number == bases[head.script_id].number
        else scripts.version(head.script_id, bases[head.script_id].number)
        for head in heads
    }


def _is_about_its_text(wishes: Wishes) -> bool:
    """Whether only the text of a script can tell if they can be fulfilled."""
    return bool(wishes.only or wishes.keep)


def _placed(found: Found, version: Version | None) -> Found | Problem:
    """Return it, or that its place or a word to keep is not in the script; an edit refuses it in the same words."""
    if version is None:
        return found
    wanted = found.wanted
    script = NumberedScript(version.script_id, version.number, version.text)
    try:
        demands_of(wanted.wishes).constraints(script, wanted.instruction)
        check_kept(script, wanted.wishes.keep)
    except ScriptEditorError as error:
        return _problem(wanted.row, error)
    return found
