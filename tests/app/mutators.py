"""Perfect answers of a model to a known edit, and the named ways in which real answers go wrong.

A perfect answer can be written in four syntaxes. A mutator spoils it in one way, or returns None where it
has nothing to take hold of; what must become of the spoilt answer follows from the mutator alone.
"""

import json
import random
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from script_editor.domain.locks import Lock
from script_editor.domain.operations import Scope
from script_editor.domain.replies import Syntax
from script_editor.domain.segments import check_of
from tests.support.scripts import EN, EXTRA, ZH, Language, Line, Script, joined, lines_of

Form = Literal["json", "text", "blocks", "whole"]
FORMS: tuple[Form, ...] = ("json", "text", "blocks", "whole")
SYNTAX: dict[Form, Syntax] = {
    "json": "operations",
    "text": "operations",
    "blocks": "search_replace",
    "whole": "whole",
}
SCRIPT_ID, VERSION = "video_001", 7


# --- an edit with one right result -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edit:
    """One change on segment `number`; `other` is where a move goes, `find` what a substitution looks for."""

    op: Literal[
        "replace",
        "insert_before",
        "insert_after",
        "delete",
        "move_before",
        "move_after",
        "substitute",
        "everywhere",
    ]
    number: int
    text: str = ""
    other: int = 0
    find: str = ""


@dataclass(frozen=True, slots=True)
class Gold:
    """What was asked, and what may come of it: `texts` are all right results, the first the plainest.

    They differ only where two neighbours of a new line end, or are indented, in different ways. `bare_texts`
    lack the white space around a moved line: blocks write it anew from what a model was shown. `spans` are
    the parts of the script that the edit owns, `touched` the segments it names.
    """

    kind: str
    instruction: str
    edits: tuple[Edit, ...]
    texts: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    touched: tuple[int, ...]
    bare_texts: tuple[str, ...] = ()
    scope: Scope = "local"


def result(
    script: Script,
    edits: Sequence[Edit],
    *,
    new_end: str | None = None,
    new_lead: str = "",
    bare: bool = False,
) -> str:
    """Return the script with the edits carried out; `new_end` None ends a new line as its anchor does.

    A `bare` moved line is indented as a new one and has no trailing space.
    """
    lines, spoken = script.lines, script.spoken
    has_final_end = bool(lines[-1].end)
    before: dict[int, list[Line]] = {index: [] for index in range(len(lines))}
    after: dict[int, list[Line]] = {index: [] for index in range(len(lines))}
    own: dict[int, list[Line]] = {index: [line] for index, line in enumerate(lines)}

    def new(at: int, content: str, lead: str = new_lead, trail: str = "") -> Line:
        end = new_end or lines[at].end or lines[at - 1].end
        return Line(lead, content, trail, end)

    for edit in edits:
        at = spoken[edit.number - 1]
        line = lines[at]
        match edit.op:
            case "replace":
                own[at] = [replace(line, content=edit.text)]
            case "substitute":
                own[at] = [replace(line, content=line.content.replace(edit.find, edit.text))]
            case "everywhere":
                for index in spoken:
                    own[index] = [
                        replace(lines[index], content=lines[index].content.replace(edit.find, edit.text))
                    ]
            case "insert_before":
                before[at].append(new(at, edit.text))
            case "insert_after":
                after[at].append(new(at, edit.text))
            case "delete":
                own[at] = []
            case "move_before" | "move_after":
                own[at] = []
                anchor = spoken[edit.other - 1]
                side = before if edit.op == "move_before" else after
                space = {} if bare else {"lead": line.lead, "trail": line.trail}
                side[anchor].append(new(anchor, line.content, **space))
    made = [part for index in range(len(lines)) for part in (*before[index], *own[index], *after[index])]
    if not has_final_end:
        while made and not made[-1].content:
            made.pop()
        made = [
            *(part if part.end else replace(part, end=lines[-2].end) for part in made[:-1]),
            replace(made[-1], end=""),
        ]
    return joined(script.text, made)


def closed_up(script: Script, gold: "Gold", text: str) -> str:
    """Return a right text without the blank lines that a first or last line left at an end when it went.

    A whole script never shows reliably how many there are: what stands around it may have taken them.
    """
    gone = {edit.number for edit in gold.edits if edit.op == "delete" or edit.op.startswith("move")}
    lines = lines_of(text)
    if 1 in gone:
        own = script.spoken[0]
        while len(lines) > own and not any(line.content for line in lines[: own + 1]):
            del lines[own]
    if len(script.spoken) in gone:
        own = len(script.lines) - 1 - script.spoken[-1]
        while len(lines) > own and not any(line.content for line in lines[-own - 1 :]):
            del lines[-own - 1]
    return joined(script.text, lines)


def _spans(script: Script, edits: Sequence[Edit]) -> tuple[tuple[int, int], ...]:
    lines, spoken = script.lines, script.spoken
    starts = [int(script.text.startswith("\ufeff"))]
    for line in lines:
        starts.append(starts[-1] + len(line.raw) + len(line.end))

    def content(at: int) -> tuple[int, int]:
        start = starts[at] + len(lines[at].lead)
        return start, start + len(lines[at].content)

    def gap_before(at: int) -> tuple[int, int]:
        return starts[at] - (len(lines[at - 1].end) if at else 0), starts[at]

    def gap_after(at: int) -> tuple[int, int]:
        return starts[at + 1] - len(lines[at].end), starts[at + 1]

    def gone(at: int) -> tuple[int, int]:
        if at < len(lines) - 1 or lines[at].end:
            return starts[at], starts[at + 1]
        while at and not lines[at - 1].content:
            at -= 1
        return gap_before(at)[0], len(script.text)

    found = []
    for edit in edits:
        at = spoken[edit.number - 1]
        if edit.op in ("replace", "substitute"):
            found.append(content(at))
        elif edit.op == "everywhere":
            found += [content(index) for index in spoken if edit.find in lines[index].content]
        elif edit.op in ("delete", "move_before", "move_after"):
            found.append(gone(at))
        if edit.op in ("insert_before", "insert_after"):
            found.append((gap_before if edit.op == "insert_before" else gap_after)(at))
        elif edit.op in ("move_before", "move_after"):
            found.append((gap_before if edit.op == "move_before" else gap_after)(spoken[edit.other - 1]))
    return tuple(sorted(found))


def is_preserved(original: str, outcome: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Say whether everything outside the spans stands in `outcome`, byte for byte and in order."""
    pieces = []
    done = 0
    for start, end in spans:
        pieces.append(original[done:start])
        done = max(done, end)
    first, middle, last = pieces[0], pieces[1:], original[done:]
    if not outcome.startswith(first) or not outcome.endswith(last) or len(outcome) < len(first) + len(last):
        return False
    at, limit = len(first), len(outcome) - len(last)
    for piece in middle:
        at = outcome.find(piece, at, limit)
        if at < 0:
            return False
        at += len(piece)
    return True


# --- edits to ask for ------------------------------------------------------------------------

_REWORD: Mapping[Language, tuple[str, ...]] = {
    "zh": ("第{n}行更口语一点", "把第{n}行改得自然一些，意思别变", "润色一下第{n}行", "第{n}句换个更亲切的说法", "把第{n}行改成：{text}"),
    "en": ("Make line {n} more casual.", "Rephrase line {n} but keep the meaning.", "Line {n} should sound friendlier.", "Polish line {n} a little.", "Change line {n} to: {text}"),
}  # fmt: skip
_ASK: Mapping[str, Mapping[Language, str]] = {
    "three lines": {"zh": "第{n}行更口语一点，其他不动", "en": "Make lines {n} more casual, nothing else."},
    "insert after": {"zh": "在第{n}行后面加一句：{text}", "en": "After line {n}, add: {text}"},
    "insert before": {"zh": "在第{n}行前面加一句：{text}", "en": "Before line {n}, insert this: {text}"},
    "delete": {"zh": "删掉第{n}行", "en": "Delete line {n}."},
    "move before": {"zh": "把第{n}行挪到第{other}行前面", "en": "Move line {n} before line {other}."},
    "move after": {"zh": "把第{n}行移到第{other}行后面", "en": "Move line {n} to after line {other}."},
    "substitute": {"zh": "第{n}行的“{find}”换成“{text}”", "en": 'In line {n}, change "{find}" to "{text}".'},
    "everywhere": {"zh": "把所有“{find}”都换成“{text}”", "en": 'Replace every "{find}" with "{text}".'},
    "overall": {
        "zh": "整体更口语一点，意思别变",
        "en": "Make the whole script a bit more casual, keep the meaning.",
    },
}


def golds(script: Script, rng: random.Random) -> Iterator[Gold]:
    """Yield one edit of each kind that the script can take."""
    numbers = sorted(script.said)
    reworded = {n: script.prefix(n) + script.said[n].reworded for n in numbers}
    n = rng.choice(numbers)
    ask = rng.choice(_REWORD[script.language]).format(n=n, text=reworded[n])
    yield _gold(script, "replace", (Edit("replace", n, reworded[n]),), ask)
    three = _three(script, rng, numbers)
    edits = tuple(Edit("replace", n, reworded[n]) for n in three)
    yield _asked(
        script, "three lines", edits, n=("、" if script.language == "zh" else ", ").join(map(str, three))
    )
    n = rng.choice([n for n in numbers if script.content(n).count(script.said[n].find) == 1])
    said = script.said[n]
    yield _asked(script, "substitute", (Edit("substitute", n, said.replacement, find=said.find),))
    yield from _everywhere(script, rng)
    some = tuple(n for n in numbers if rng.random() < 0.6) or (numbers[0],)
    yield replace(
        _asked(script, "overall", tuple(Edit("replace", n, reworded[n]) for n in some)), scope="global"
    )
    if script.kind == "subtitles":
        return  # a cue is three lines; taking one of them out is no edit anyone asks for
    n, new = rng.choice(numbers), rng.choice(EXTRA[script.language])
    if script.kind == "dialogue":
        new = script.prefix(n) + new
    if script.kind != "stamped":
        yield _asked(script, "insert after", (Edit("insert_after", n, new),))
        yield _asked(script, "insert before", (Edit("insert_before", n, new),))
    unique = [n for n in numbers if [script.content(m) for m in numbers].count(script.content(n)) == 1]
    n = rng.choice(unique)
    yield _asked(script, "delete", (Edit("delete", n),))
    others = [m for m in numbers if abs(m - n) > 2]
    if others and script.kind != "stamped":
        side = rng.choice(["before", "after"])
        yield _asked(
            script,
            f"move {side}",
            (Edit("move_before" if side == "before" else "move_after", n, other=rng.choice(others)),),
        )


def _three(script: Script, rng: random.Random, numbers: Sequence[int]) -> list[int]:
    if rng.random() < 0.5:
        return sorted(rng.sample(numbers, 3))
    first = rng.randrange(len(numbers) - 2)
    return list(numbers[first : first + 3])


def _everywhere(script: Script, rng: random.Random) -> Iterator[Gold]:
    words = (
        [("今天", "今晚"), ("我们", "咱们"), ("这个", "那个")]
        if script.language == "zh"
        else [("today", "tonight"), ("old", "ancient"), ("window", "curtain")]
    )
    found = [
        (a, b)
        for a, b in words
        if 1 < script.text.count(a) == sum(script.content(n).count(a) for n in script.said)
    ]
    if found:
        find, text = rng.choice(found)
        first = next(n for n in sorted(script.said) if find in script.content(n))
        yield _asked(script, "everywhere", (Edit("everywhere", first, text, find=find),))


def _asked(script: Script, kind: str, edits: tuple[Edit, ...], **words: object) -> Gold:
    first = edits[0]
    known = {"n": first.number, "other": first.other, "text": first.text, "find": first.find, **words}
    return _gold(script, kind, edits, _ASK[kind][script.language].format(**known))


def _gold(script: Script, kind: str, edits: tuple[Edit, ...], instruction: str) -> Gold:
    lines, first = script.lines, edits[0]
    at = script.spoken[(first.other or first.number) - 1]
    near = {line.end for line in lines[max(0, at - 1) : at + 2] if line.end}
    leads = dict.fromkeys(["", lines[at].lead])
    forms: list[dict[str, Any]] = [
        {"new_end": end, "new_lead": lead} for end in (None, *sorted(near)) for lead in leads
    ]
    texts = dict.fromkeys(result(script, edits, **form) for form in forms)
    bare = dict.fromkeys(result(script, edits, bare=True, **form) for form in forms)
    touched = {n for edit in edits for n in (edit.number, edit.other) if n}
    if kind == "everywhere":
        touched |= {n for n in script.said if first.find in script.content(n)}
    spans = _spans(script, edits)
    return Gold(kind, instruction, edits, tuple(texts), spans, tuple(sorted(touched)), bare_texts=tuple(bare))


# --- writing an answer -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """A perfect answer: `reply()` writes it, or the same with other edits, in its syntax."""

    script: Script
    gold: Gold
    form: Form
    with_check: bool = True

    @property
    def language(self) -> Language:
        return self.script.language

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.gold.edits

    @property
    def right_texts(self) -> tuple[str, ...]:
        """All texts that the answer may make of the script."""
        match self.form:
            case "blocks":
                return self.gold.texts + self.gold.bare_texts
            case "whole":
                return self.gold.texts + tuple(
                    closed_up(self.script, self.gold, text) for text in self.gold.texts
                )
        return self.gold.texts

    def id(self, number: int) -> str:
        """Return the id of a segment as the view shows it, or without its check."""
        return f"S{number}" + (f":{check_of(self.script.content(number))}" if self.with_check else "")

    def reply(self, edits: Sequence[Edit] | None = None) -> str | None:
        """Return the answer with `edits`; None when this syntax cannot say them without doubt."""
        edits = self.edits if edits is None else edits
        match self.form:
            case "json":
                return as_json([json_op(self, edit) for edit in edits])
            case "text":
                return "\n".join([*(text_op(self, edit) for edit in edits), "@@ end"])
            case "blocks":
                made = blocks(self.script, edits)
                return None if made is None else written(made)
            case "whole":
                return result(self.script, edits)

    def other_lines(self) -> list[int]:
        """Return the lines with speech that the edit does not touch."""
        return [n for n in sorted(self.script.said) if n not in self.gold.touched]


def as_json(ops: Sequence[Mapping[str, Any]], **envelope: Any) -> str:
    """Return operations as the JSON object that a model sends."""
    return json.dumps({**envelope, "ops": ops}, ensure_ascii=False)


def json_op(answer: Answer, edit: Edit) -> dict[str, Any]:
    id = answer.id(edit.number)
    match edit.op:
        case "delete":
            return {"op": "delete", "id": id}
        case "move_before" | "move_after":
            return {"op": "move", "id": id, edit.op.removeprefix("move_"): answer.id(edit.other)}
        case "substitute":
            return {"op": "substitute", "id": id, "find": edit.find, "replace": edit.text}
        case "everywhere":
            return {"op": "substitute", "find": edit.find, "replace": edit.text, "all": True}
    return {"op": edit.op, "id": id, "text": edit.text}


def text_op(answer: Answer, edit: Edit) -> str:
    id = answer.id(edit.number)
    content = re.sub(r"^@@", r"\\@@", edit.text, flags=re.MULTILINE)
    match edit.op:
        case "delete":
            return f"@@ delete {id}"
        case "move_before" | "move_after":
            return f"@@ move {id} {edit.op.removeprefix('move_')} {answer.id(edit.other)}"
        case "substitute":
            return f"@@ substitute {id}\n{edit.find}\n@@ with\n{content}"
        case "everywhere":
            return f"@@ substitute all\n{edit.find}\n@@ with\n{content}"
    return f"@@ {edit.op} {id}\n{content}"


Block = tuple[str, str]


def block(search: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{search}\n=======\n{new}{chr(10) if new else ''}>>>>>>> REPLACE"


def written(made: Sequence[Block]) -> str:
    return "\n".join(block(*each) for each in made)


_DIVIDER = re.compile(r"^\s*(?:<{5,}|={5,}|>{5,})", re.MULTILINE)


def blocks(script: Script, edits: Sequence[Edit]) -> list[Block] | None:
    """Return search/replace blocks, each with as many neighbouring lines as make it the only match."""
    made: list[Block] = []
    if len(edits) > 1 and all(edit.op == "replace" for edit in edits):
        first, last = edits[0].number, edits[-1].number
        if last - first == len(edits) - 1:
            made = [_joint_block(script, edits)]
    for edit in edits if not made else ():
        for number, new in _block_lines(script, edit):
            found = _unique_block(script, number, new, taken={e.number for e in edits} - {number})
            if found is None:
                return None
            made.append(found)
    if any(_DIVIDER.search(part) for each in made for part in each) or not all(
        _is_unique(script, s) for s, _ in made
    ):
        return None
    return made


def _joint_block(script: Script, edits: Sequence[Edit]) -> Block:
    lines, spoken = script.lines, script.spoken
    first, last = spoken[edits[0].number - 1], spoken[edits[-1].number - 1]
    new = {spoken[edit.number - 1]: edit.text for edit in edits}
    return (
        "\n".join(line.raw for line in lines[first : last + 1]),
        "\n".join(
            lines[at].lead + new[at] + lines[at].trail if at in new else lines[at].raw
            for at in range(first, last + 1)
        ),
    )


def _block_lines(script: Script, edit: Edit) -> Iterator[tuple[int, list[str]]]:
    """Yield segments with the lines that are to stand there instead."""
    content = script.content(edit.number)
    match edit.op:
        case "replace":
            yield edit.number, [edit.text]
        case "substitute":
            yield edit.number, [content.replace(edit.find, edit.text)]
        case "everywhere":
            for n in sorted(script.said):
                if edit.find in script.content(n):
                    yield n, [script.content(n).replace(edit.find, edit.text)]
        case "insert_before":
            yield edit.number, [edit.text, content]
        case "insert_after":
            yield edit.number, [content, edit.text]
        case "delete":
            yield edit.number, []
        case "move_before" | "move_after":
            there = script.content(edit.other)
            yield edit.number, []
            yield edit.other, [content, there] if edit.op == "move_before" else [there, content]


def _unique_block(script: Script, number: int, new: list[str], *, taken: Collection[int]) -> Block | None:
    """Return a block over the line, widened by its neighbours until it matches once; a deletion always shows one."""
    lines, spoken = script.lines, script.spoken
    at = spoken[number - 1]
    numbers = {index: n + 1 for n, index in enumerate(spoken)}
    first = last = at
    while True:
        search = [line.content if index == at else line.raw for index, line in enumerate(lines)][
            first : last + 1
        ]
        written = search[: at - first] + new + search[at - first + 1 :]
        if _is_unique(script, "\n".join(search)) and any(written):
            return "\n".join(search), "\n".join(written)
        widened = [
            index
            for index in (first - 1, last + 1)
            if 0 <= index < len(lines) and numbers.get(index) not in taken
        ]
        if not widened:
            return None
        first, last = min(first, widened[0]), max(last, widened[0])


def _is_unique(script: Script, search: str) -> bool:
    return _bare(script.text).count(_bare(search)) == 1


def _bare(text: str) -> str:
    """Return a text without everything that any reader might overlook."""
    return re.sub(r"[\s\ufeff]+|[“”\"‘’']", "", unicodedata.normalize("NFKC", text)).casefold()


# --- what must become of an answer -----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A reply and what may come of it.

    `saved` says whether the right text, or also another with all bytes outside the edit as they were, or
    nothing may be saved; `reasons` are the refusals that are right. `also` are texts that are right as well,
    since the spoilt reply does not show any more which of them is meant.
    """

    answer: Answer
    reply: str
    saved: Literal["right", "kept", "never"]
    reasons: frozenset[str] = frozenset()
    finish_reason: str = "stop"
    targets: tuple[int, ...] = ()
    locks: tuple[Lock, ...] = ()
    current_version: int | None = None
    also: tuple[str, ...] = ()
    note: str = field(default="", compare=False)

    @property
    def right_texts(self) -> tuple[str, ...]:
        """All texts that may come of the reply and are right."""
        return self.answer.right_texts + self.also


Mutator = Callable[[Answer, random.Random], Mutant | None]
MUTATORS: dict[str, Mutator] = {}


def mutator(make: Mutator) -> Mutator:
    """Enter a mutator into the list, under its name in words."""
    MUTATORS[make.__name__.strip("_").replace("_", " ")] = make
    return make


def _right(answer: Answer, reply: str | None, *reasons: str, **more: Any) -> Mutant | None:
    """The right text is saved; with `reasons`, a refusal for one of them is right as well."""
    return (
        reply
        if reply is None
        else Mutant(answer=answer, reply=reply, saved="right", reasons=frozenset(reasons), **more)
    )


def _kept(answer: Answer, reply: str | None, *reasons: str, **more: Any) -> Mutant | None:
    """Something is saved, with every byte outside the edit as it was; or refused for one of `reasons`."""
    return (
        reply
        if reply is None
        else Mutant(answer=answer, reply=reply, saved="kept", reasons=frozenset(reasons), **more)
    )


def _refused(answer: Answer, reply: str | None, *reasons: str, **more: Any) -> Mutant | None:
    """Nothing is saved, for one of `reasons`."""
    return (
        reply
        if reply is None
        else Mutant(answer=answer, reply=reply, saved="never", reasons=frozenset(reasons), **more)
    )


def _is_ops(answer: Answer) -> bool:
    return answer.form in ("json", "text")


# --- wrappers --------------------------------------------------------------------------------

_PREAMBLES: Mapping[Language, tuple[str, ...]] = {
    "zh": ("好的！以下是修改后的脚本：\n\n", "以下是按您的要求调整后的版本：\n", "好的，已为您修改完成，内容如下：\n\n", "没问题，这是改好的脚本：\n"),
    "en": ("Sure! Here is the revised script:\n\n", "Here's the updated version:\n", "Certainly! Below is the edited text:\n\n", "Of course. Here is your script with the changes:\n"),
}  # fmt: skip
_SIGN_OFFS: Mapping[Language, tuple[str, ...]] = {
    "zh": ("\n\n希望这个版本您满意，如需进一步修改请告诉我！", "\n\n如果还需要调整，随时告诉我。"),
    "en": ("\n\nLet me know if you'd like any further changes!", "\n\nI hope this version works for you. Feel free to ask for other edits."),
}  # fmt: skip
_NOTES: Mapping[Language, tuple[str, ...]] = {
    "zh": ("\n\n---\n修改说明：\n1. 按要求调整了措辞。\n2. 其余内容未动。\n", "\n\n***\n**改动说明**\n- 语气更自然\n- 其他保持原样\n"),
    "en": ("\n\n---\nChanges made:\n- Adjusted the wording as requested.\n- Everything else is unchanged.\n", "\n\n***\n**Notes:** I kept the rest of the script as it was.\n"),
}  # fmt: skip
_THOUGHTS: Mapping[Language, tuple[str, ...]] = {
    "zh": ("用户想改一处，其他不动。", "好的，先看原文。\n@@ replace S1\n草稿\n@@ end\n不对，再想想。", '也许可以写 {"ops": []}？\n不行。'),
    "en": ("The user wants one change, the rest stays.", "Draft:\n<<<<<<< SEARCH\nfoo\n=======\nbar\n>>>>>>> REPLACE\nNo, once more.", 'Maybe {"ops": []}?\nNo.'),
}  # fmt: skip


@mutator
def as_it_is(answer: Answer, rng: random.Random) -> Mutant | None:
    return _right(answer, answer.reply())


@mutator
def fence(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    word = {"json": "json", "text": "", "blocks": "", "whole": rng.choice(["", "text", "markdown", "txt"])}[
        answer.form
    ]
    mark = rng.choice(["```", "~~~", "````"])
    return _right(
        answer, reply and f"{mark}{word}\n{reply.rstrip(chr(10))}\n{mark}{rng.choice(['', chr(10)])}"
    )


@mutator
def preamble(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    return _right(
        answer,
        reply and rng.choice(_PREAMBLES[answer.language]) + reply.removeprefix("\ufeff"),
        *_unread(answer),
    )


@mutator
def fence_after_a_preamble(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    if reply is None or "```" in reply:
        return None
    return _right(answer, f"{rng.choice(_PREAMBLES[answer.language])}```\n{reply}\n```", *_unread(answer))


@mutator
def sign_off(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    return _right(
        answer, reply and reply.rstrip("\r\n") + rng.choice(_SIGN_OFFS[answer.language]), *_unread(answer)
    )


@mutator
def notes_after_a_rule(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    return _right(
        answer, reply and reply.rstrip("\r\n") + rng.choice(_NOTES[answer.language]), *_unread(answer)
    )


@mutator
def preamble_and_sign_off(answer: Answer, rng: random.Random) -> Mutant | None:
    reply, language = answer.reply(), answer.language
    wrapped = reply and rng.choice(_PREAMBLES[language]) + reply.strip("\ufeff\r\n") + rng.choice(
        _SIGN_OFFS[language]
    )
    return _right(answer, wrapped, *_unread(answer))


def _unread(answer: Answer) -> tuple[str, ...]:
    """Talk around operations makes them unreadable, and a model can send them again; around a text it is taken off."""
    return ("malformed",) if answer.form != "whole" else ("commentary",)


@mutator
def closed_think_block(answer: Answer, rng: random.Random) -> Mutant | None:
    reply, tag = answer.reply(), rng.choice(["think", "thinking", "reasoning"])
    return _right(answer, reply and f"<{tag}>\n{rng.choice(_THOUGHTS[answer.language])}\n</{tag}>\n\n{reply}")


@mutator
def think_block_that_the_prompt_opened(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    if reply is None or "<think>" in reply:
        return None
    return _right(answer, f"{_THOUGHTS[answer.language][0]}\n</think>\n\n{reply}", "reasoning_leak")


@mutator
def open_think_tag(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    return _refused(answer, reply and f"<think>{_THOUGHTS[answer.language][0]}\n{reply}", "reasoning_leak")


@mutator
def quotes_around_everything(answer: Answer, rng: random.Random) -> Mutant | None:
    reply, quotes = answer.reply(), rng.choice(["“”", '""', "「」"])
    if answer.form != "whole" or reply is None:
        return None
    quoted = quotes[0] + reply.strip("\ufeff\r\n") + quotes[1]
    # A mark that is taken for the author's keeps what opens the first line from being seen there.
    return _right(answer, quoted, "off_target", "commentary", "structure_lost")


# --- cut off ---------------------------------------------------------------------------------


@mutator
def cut_by_the_length_limit(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    if reply is None:
        return None
    cut = rng.choice([len(reply), rng.randint(0, len(reply))])
    return _refused(answer, reply[:cut], "truncated", finish_reason=rng.choice(["length", "length", ""]))


@mutator
def stopped_by_the_filter(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    return _refused(
        answer,
        reply and reply[: rng.randint(0, len(reply))],
        "content_filter",
        finish_reason="content_filter",
    )


@mutator
def cut_that_claims_to_be_complete(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    if reply is None or answer.form == "whole":
        return None
    body = reply.rstrip()
    if answer.form == "blocks":  # between two blocks nobody could see that one is missing
        starts = [match.start() for match in re.finditer(r"<<<<<<< SEARCH", body)]
        start = rng.choice(starts)
        return _refused(
            answer,
            body[: rng.randint(start + 1, body.index(">>>>>>>", start))],
            "truncated",
            "malformed",
            "empty",
            "no_match",
        )
    cut = body[: rng.randint(1, len(body) - 1)]
    return (
        _right(answer, cut, "truncated", "malformed", "empty")
        if answer.form == "json"
        else _refused(answer, cut, "truncated", "malformed")
    )


@mutator
def script_cut_that_claims_to_be_complete(answer: Answer, rng: random.Random) -> Mutant | None:
    """At least a third of the script is missing; which edits were done before does not matter."""
    if answer.form != "whole":
        return None
    reply = answer.reply() or ""
    cut = reply[: rng.randint(1, len(reply) * 2 // 3)]
    return _refused(answer, cut, *_LOST)


_LOST = (
    "truncated",
    "content_lost",
    "too_different",
    "structure_lost",
    "placeholder_lost",
    "off_target",
    "facts_changed",
    "unchanged",
    "empty",
)


# --- other bytes for the same text -----------------------------------------------------------


def _flattened(answer: Answer, flatten: Callable[[str], str], **more: Any) -> Mutant | None:
    reply = answer.reply()
    if reply is None:
        return None
    flat = flatten(reply)
    if flat == reply:
        return None
    is_within = any(
        flatten(edit.text) != edit.text or flatten(edit.find) != edit.find for edit in answer.edits
    )
    reasons = (
        ("off_target",) if answer.form == "whole" else ("ambiguous_match",) if answer.form == "blocks" else ()
    )
    moved = answer.form == "blocks" and answer.gold.kind.startswith(
        "move"
    )  # a moved line is written out again
    return (_kept if is_within or moved else _right)(answer, flat, *reasons, **more)


@mutator
def letters_made_half_width(answer: Answer, rng: random.Random) -> Mutant | None:
    return _flattened(
        answer, lambda text: re.sub(r"[Ａ-Ｚａ-ｚ０-９]", lambda m: chr(ord(m[0]) - 0xFEE0), text)
    )


@mutator
def punctuation_made_half_width(answer: Answer, rng: random.Random) -> Mutant | None:
    return _flattened(answer, lambda text: text.translate(str.maketrans("，？！：；（）", ",?!:;()")))


@mutator
def quotes_made_straight(answer: Answer, rng: random.Random) -> Mutant | None:
    if answer.form == "json":
        return None  # straight quotes would have to be escaped
    return _flattened(answer, lambda text: text.translate(str.maketrans("“”‘’", "\"\"''")))


@mutator
def quotes_made_curly(answer: Answer, rng: random.Random) -> Mutant | None:
    if answer.form == "json":
        return None
    return _flattened(answer, lambda text: re.sub(r'"([^"\n]*)"', r"“\1”", text).replace("'", "’"))


@mutator
def no_break_spaces_made_plain(answer: Answer, rng: random.Random) -> Mutant | None:
    return _flattened(answer, lambda text: text.replace("\u00a0", " "))


@mutator
def letters_composed(answer: Answer, rng: random.Random) -> Mutant | None:
    return _flattened(answer, lambda text: unicodedata.normalize("NFC", text))


@mutator
def letters_decomposed(answer: Answer, rng: random.Random) -> Mutant | None:
    return _flattened(answer, lambda text: unicodedata.normalize("NFD", text))


@mutator
def indents_and_trailing_space_lost(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    stripped = reply and re.sub(r"(?m)^[ \t　]+|[ \t　]+(?=\r?$)", "", reply)
    return _right(answer, stripped, "ambiguous_match") if stripped != reply else None


@mutator
def spaces_between_chinese_and_latin(answer: Answer, rng: random.Random) -> Mutant | None:
    if answer.language == "en":
        return None

    def spaced(text: str) -> str:
        return re.sub(
            r"(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9Ａ-Ｚ{])|(?<=[A-Za-z0-9Ａ-Ｚ}])(?=[\u4e00-\u9fff])", " ", text
        )

    return _flattened(answer, spaced)


@mutator
def blank_lines_lost(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    if answer.form != "whole" or reply is None or answer.script.kind == "subtitles":
        return None
    if answer.gold.kind.startswith(("insert", "move")):
        return None  # nobody could say on which side of a blank line the new line belongs
    bare = re.sub(r"(?<=\n)[ \t　]*\r?\n", "", reply)
    if bare.strip() == reply.strip():
        return None
    return _right(answer, bare, "off_target", "structure_lost", also=tuple(_with_one_gap(answer)))


def _with_one_gap(answer: Answer) -> Iterator[str]:
    """Yield what stays of the script when a line goes with the blank lines on one of its sides."""
    lines, edit = answer.script.lines, answer.edits[0]
    if edit.op != "delete":
        return
    at = answer.script.spoken[edit.number - 1]
    first, last = at, at
    while first and not lines[first - 1].content:
        first -= 1
    while last < len(lines) - 1 and not lines[last + 1].content:
        last += 1
    yield joined(answer.script.text, [*lines[:first], *lines[at + 1 :]])
    yield joined(answer.script.text, [*lines[:at], *lines[last + 1 :]])


@mutator
def other_line_ends(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    plain = reply and reply.replace("\r\n", "\n")
    return _right(answer, rng.choice([plain, plain.replace("\n", "\r\n")]) if plain else plain)


@mutator
def final_newline_lost_or_added(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    return _right(answer, reply and reply.rstrip("\r\n") + rng.choice(["", "\n", "\n\n", "  \n"]))


@mutator
def byte_order_mark_lost_or_added(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    return _right(answer, reply and (reply[1:] if reply.startswith("\ufeff") else "\ufeff" + reply))


@mutator
def everything_escaped(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    if answer.form != "json" or reply is None:
        return None
    return _right(answer, json.dumps(json.loads(reply), ensure_ascii=True, indent=rng.choice([None, 2])))


@mutator
def trailing_comma(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    return _right(answer, reply.replace("}]}", "},]}")) if answer.form == "json" and reply else None


# --- wrong place -----------------------------------------------------------------------------


@mutator
def repeated_anchor(answer: Answer, rng: random.Random) -> Mutant | None:
    edit = answer.edits[0]
    if not _is_ops(answer) or not edit.op.startswith("insert"):
        return None
    anchor = answer.script.content(edit.number)
    pair = (anchor, edit.text) if edit.op == "insert_after" else (edit.text, anchor)
    return _right(answer, answer.reply([replace(edit, text="\n".join(pair))]), "duplicated")


@mutator
def view_prefix(answer: Answer, rng: random.Random) -> Mutant | None:
    script, style = answer.script, rng.choice(["S{n}:{check} | ", "S{n} | "])

    def shown(number: int, text: str) -> str:
        return style.format(n=number, check=check_of(script.content(number))) + text

    if _is_ops(answer):
        if not all(edit.op == "replace" for edit in answer.edits):
            return None
        return _right(
            answer, answer.reply([replace(edit, text=shown(edit.number, edit.text)) for edit in answer.edits])
        )
    if answer.form != "whole" or not all(
        edit.op in ("replace", "substitute", "everywhere") for edit in answer.edits
    ):
        return None
    lines, number = [], 0
    for raw in (answer.reply() or "").removeprefix("\ufeff").split("\n"):
        number += bool(raw.strip())
        lines.append(shown(number, raw) if raw.strip() else raw)
    return _right(answer, "\n".join(lines), "commentary", "malformed")


def _is_elsewhere(answer: Answer, number: int, step: int) -> bool:
    """Say whether the segment `step` further on exists and has another check."""
    other = number + step
    if not 1 <= other <= len(answer.script.spoken):
        return False
    return check_of(answer.script.content(other)) != check_of(answer.script.content(number))


@mutator
def number_off_by_one(answer: Answer, rng: random.Random) -> Mutant | None:
    edit, step = answer.edits[0], rng.choice([-1, 1])
    reply = answer.reply()
    if (
        not _is_ops(answer)
        or edit.op == "everywhere"
        or not _is_elsewhere(answer, edit.number, step)
        or reply is None
    ):
        return None
    script, wrong = answer.script, f"S{edit.number + step}"
    if not answer.with_check:
        if answer.form != "json":
            return None
        op = {**json_op(answer, edit), "id": wrong, "was": script.content(edit.number)[:6]}
        if script.content(edit.number + step).startswith(str(op["was"])):
            return None
        return _refused(answer, as_json([op]), "no_match", "stale")
    right = answer.id(edit.number)
    return _refused(answer, reply.replace(right, wrong + right[right.index(":") :]), "no_match")


@mutator
def wrong_check(answer: Answer, rng: random.Random) -> Mutant | None:
    edit, reply = answer.edits[-1], answer.reply()
    if not _is_ops(answer) or edit.op == "everywhere" or not answer.with_check or reply is None:
        return None
    right = answer.id(edit.number)
    wrong = rng.choice([c for c in ("2a", "zz", "k7", "9c") if not right.endswith(c)])
    return _refused(answer, reply.replace(right, f"S{edit.number}:{wrong}"), "no_match")


@mutator
def line_that_does_not_exist(answer: Answer, rng: random.Random) -> Mutant | None:
    if not _is_ops(answer):
        return None
    number = rng.choice([0, len(answer.script.spoken) + 1, 999])
    stray = {"op": "replace", "id": f"S{number}", "text": EXTRA[answer.language][0]}
    if answer.form == "json":
        return _refused(
            answer,
            as_json([*(json_op(answer, edit) for edit in answer.edits), stray]),
            "no_match",
            "malformed",
        )
    ops = [text_op(answer, edit) for edit in answer.edits]
    return _refused(
        answer,
        "\n".join([*ops, f"@@ replace S{number}", str(stray["text"]), "@@ end"]),
        "no_match",
        "malformed",
    )


def _slip(text: str) -> str | None:
    """Return a text with one word other than it is, or None."""
    for word, other in (
        ("我", "她"),
        ("一", "两"),
        ("的", "之"),
        (" the ", " that "),
        (" a ", " one "),
        (" for ", " with "),
        (" and ", " but "),
    ):
        if word in text:
            return text.replace(word, other)
    return None


@mutator
def misquoted_search(answer: Answer, rng: random.Random) -> Mutant | None:
    """The slip is in the replacement too: what is near must not be taken for it."""
    if answer.form == "blocks":
        made = blocks(answer.script, answer.edits)
        if made is None or any(
            (slipped := _slip(search)) is None or _bare(slipped) in _bare(answer.script.text)
            for search, _ in made[-1:]
        ):
            return None
        search, new = made[-1]
        return _refused(
            answer,
            written([*made[:-1], (_slip(search) or "", _slip(new) or new)]),
            "no_match",
        )
    edit = answer.edits[0]
    if edit.op != "substitute" or answer.form == "whole":
        return None
    return _refused(
        answer,
        answer.reply(
            [replace(edit, find=edit.find + "儿呢" if answer.language == "zh" else edit.find + "ish")]
        ),
        "no_match",
    )


@mutator
def same_thing_twice(answer: Answer, rng: random.Random) -> Mutant | None:
    reasons = ("conflict", "malformed", "duplicated", "no_match", "ambiguous_match")
    if answer.form == "blocks":
        made = blocks(answer.script, answer.edits)
        return None if made is None else _right(answer, written([*made, made[0]]), *reasons)
    return (
        _right(answer, answer.reply([*answer.edits, answer.edits[0]]), *reasons) if _is_ops(answer) else None
    )


@mutator
def one_stale_operation_in_a_good_batch(answer: Answer, rng: random.Random) -> Mutant | None:
    others = answer.other_lines()
    if not others or answer.form == "whole":
        return None
    n = rng.choice(others)
    text = answer.script.prefix(n) + answer.script.said[n].reworded
    if answer.form == "json":
        stray = {
            "op": "replace",
            "id": f"S{n}:{'zz' if not answer.id(n).endswith('zz') else 'yy'}",
            "text": text,
        }
        ops = [*(json_op(answer, edit) for edit in answer.edits), stray]
        rng.shuffle(ops)
        return _refused(answer, as_json(ops), "no_match")
    if answer.form == "text":
        stale = f"@@ substitute S{n}\n{EXTRA[answer.language][0]}\n@@ with\n{text}"
        return _refused(
            answer,
            "\n".join([stale, *(text_op(answer, edit) for edit in answer.edits), "@@ end"]),
            "no_match",
        )
    made = blocks(answer.script, answer.edits)
    return (
        None
        if made is None
        else _refused(answer, written([*made, (EXTRA[answer.language][0], text)]), "no_match")
    )


@mutator
def empty_search(answer: Answer, rng: random.Random) -> Mutant | None:
    new = EXTRA[answer.language][0]
    if answer.form == "blocks":
        made = blocks(answer.script, answer.edits)
        stray = f"<<<<<<< SEARCH\n=======\n{new}\n>>>>>>> REPLACE"
        return (
            None
            if made is None
            else _refused(
                answer,
                f"{written(made)}\n{stray}",
                "empty_search",
                "malformed",
                "no_match",
            )
        )
    if answer.form != "json":
        return None
    return _refused(
        answer,
        as_json([{"op": "substitute", "find": "", "replace": new, "all": True}]),
        "empty_search",
        "malformed",
    )


@mutator
def another_script(answer: Answer, rng: random.Random) -> Mutant | None:
    if answer.form != "json":
        return None
    ops = [json_op(answer, edit) for edit in answer.edits]
    name = rng.choice(["script_id", "script_id", "video_id"])
    return _refused(
        answer,
        as_json(ops, **{name: "video_009"}),
        "wrong_target",
        *(("malformed",) if name == "video_id" else ()),
    )


@mutator
def version_that_is_gone(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    if answer.form == "json" and rng.random() < 0.5:
        return _refused(
            answer,
            as_json(
                [json_op(answer, edit) for edit in answer.edits],
                script_id=SCRIPT_ID,
                base_version=VERSION - 1,
            ),
            "stale",
        )
    return _refused(answer, reply, "stale", current_version=VERSION + 1)


@mutator
def envelope_that_is_right(answer: Answer, rng: random.Random) -> Mutant | None:
    if answer.form != "json":
        return None
    ops = [json_op(answer, edit) for edit in answer.edits]
    return _right(
        answer,
        as_json(
            ops,
            script_id=SCRIPT_ID,
            base_version=VERSION,
            scope="local",
            targets=[f"S{n}" for n in answer.gold.touched],
        ),
    )


# --- left out --------------------------------------------------------------------------------

ELISIONS: Mapping[Language, tuple[str, ...]] = {
    "zh": (
        "（其余内容保持不变）", "……（以下同原文）", "（此处省略若干行）", "[后面的内容不变]", "...其余部分省略...", "（剩余部分与原稿一致）",
        "……后续内容同上……", "【中间部分保持原样】", "（下文不变，略）", "# 其他行不变", "（略）", "此后各行照旧，不再重复。",
    ),
    "en": (
        "(rest of the script unchanged)", "... remaining lines stay the same ...", "[The rest remains as is]", "(same as before)",
        "// ... existing lines ...", "[... unchanged ...]", "<!-- rest of the script here -->", "(continue with the original from here)",
        "... (lines 4-9 omitted for brevity)", "*The rest of the text is unchanged.*", "[Previous content continues]", "{remaining script as above}",
    ),
}  # fmt: skip


@mutator
def elision(answer: Answer, rng: random.Random) -> Mutant | None:
    """Lines are left out of a script, or all of a line out of an operation, with a word in their place."""
    mark = rng.choice(ELISIONS[answer.language])
    if answer.form == "whole":
        return _refused(answer, _with_gap(answer, mark, rng), *_ELIDED, note=mark)
    edit = answer.edits[-1]
    if edit.op not in ("replace", "insert_after", "insert_before"):
        return None
    return _refused(
        answer, answer.reply([*answer.edits[:-1], replace(edit, text=mark)]), "elision", note=mark
    )


@mutator
def lone_dots(answer: Answer, rng: random.Random) -> Mutant | None:
    dots = "……" if answer.language == "zh" else "..."
    if answer.form != "whole" or any(_DOTS.fullmatch(line.content) for line in answer.script.lines):
        return None  # the author's own dots: nobody could say that these are not they
    reply = _with_gap(answer, dots, rng)
    is_nothing_else = reply is not None and not re.search(r"\w", reply)
    return _refused(answer, reply, *_ELIDED, *(("empty",) if is_nothing_else else ()))


_DOTS = re.compile(r"[.…]+")
_ELIDED = ("elision", "content_lost", "truncated")


def _with_gap(answer: Answer, mark: str, rng: random.Random) -> str | None:
    """Return the answer with at least two, and up to all, of the lines that no edit touches taken out in one place."""
    runs: list[list[int]] = [[]]
    for n in range(1, len(answer.script.spoken) + 1):
        if n in answer.gold.touched:
            runs.append([])
        else:
            runs[-1].append(n)
    run = max(runs, key=len)
    if len(run) < 2:
        return None
    start = rng.randint(0, len(run) - 2)
    gone = run[start:] if rng.random() < 0.7 else run[start : start + 2]
    edits = [*answer.edits, Edit("replace", gone[0], mark), *(Edit("delete", n) for n in gone[1:])]
    return result(answer.script, edits)


# --- structure and facts ---------------------------------------------------------------------


@mutator
def label_or_time_removed(answer: Answer, rng: random.Random) -> Mutant | None:
    script = answer.script
    if script.kind not in ("dialogue", "stamped") or not all(edit.op == "replace" for edit in answer.edits):
        return None
    bare = [replace(edit, text=edit.text.removeprefix(script.prefix(edit.number))) for edit in answer.edits]
    return _right(answer, answer.reply(bare), "structure_lost")


@mutator
def every_label_or_time_removed(answer: Answer, rng: random.Random) -> Mutant | None:
    script = answer.script
    if script.kind not in ("dialogue", "stamped") or answer.form != "whole":
        return None
    rest = [Edit("replace", n, script.said[n].text) for n in answer.other_lines()]
    own = [replace(edit, text=edit.text.removeprefix(script.prefix(edit.number))) for edit in answer.edits]
    return _right(answer, result(script, [*own, *rest]), "structure_lost")


@mutator
def subtitle_removed(answer: Answer, rng: random.Random) -> Mutant | None:
    script, others = answer.script, answer.other_lines()
    if script.kind != "subtitles" or not others:
        return None
    n = rng.choice(others)
    reasons = ("structure_lost", "content_lost", "off_target")
    if answer.form == "whole":
        return _right(
            answer, result(script, [*answer.edits, *(Edit("delete", k) for k in (n - 2, n - 1, n))]), *reasons
        )
    return (
        _refused(
            answer, answer.reply([*answer.edits, *(Edit("delete", k) for k in (n - 2, n - 1, n))]), *reasons
        )
        if _is_ops(answer)
        else None
    )


_MARK = re.compile(r"\{\{[^}]*\}\}|\[(?:停顿|BEAT|SFX[^\]]*)\] ?|（音效[^）]*）")


@mutator
def placeholder_or_cue_removed(answer: Answer, rng: random.Random) -> Mutant | None:
    """In a line that is edited, or in one that is not."""
    script = answer.script
    if script.kind != "template":
        return None
    reasons = ("structure_lost", "placeholder_lost", "off_target")
    marked = [edit for edit in answer.edits if edit.op == "replace" and _MARK.search(edit.text)]
    if marked:
        spoilt = [
            replace(edit, text=_MARK.sub("", edit.text, count=1)) if edit in marked else edit
            for edit in answer.edits
        ]
        return _refused(answer, answer.reply(spoilt), *reasons)
    others = [n for n in answer.other_lines() if _MARK.search(script.content(n))]
    if not others:
        return None
    stray = Edit("replace", rng.choice(others), "")
    stray = replace(stray, text=_MARK.sub("", script.content(stray.number), count=1).strip())
    return (_right if answer.form == "whole" else _refused)(
        answer, answer.reply([*answer.edits, stray]), *reasons
    )


_FIGURE = re.compile(r"\d+|(?<=[^一])[三五六](?=分钟|公里|天内|次)|\b(?:two|ten|seven)\b(?= inches| days)")


def _other_figure(match: re.Match[str]) -> str:
    return str(int(match[0]) + 3) if match[0].isdigit() else "八" if match[0] in "三五六" else "twelve"


@mutator
def one_number_changed_off_target(answer: Answer, rng: random.Random) -> Mutant | None:
    script = answer.script
    others = [n for n in answer.other_lines() if _FIGURE.search(script.said[n].text)]
    if not others:
        return None
    n = rng.choice(others)
    stray = Edit("replace", n, script.prefix(n) + _FIGURE.sub(_other_figure, script.said[n].text, count=1))
    reply = answer.reply([*answer.edits, stray])
    return (_right if answer.form == "whole" else _refused)(answer, reply, "facts_changed", "off_target")


@mutator
def one_number_changed_on_target(answer: Answer, rng: random.Random) -> Mutant | None:
    script = answer.script
    figured = [
        edit
        for edit in answer.edits
        if edit.op == "replace" and _FIGURE.search(script.said[edit.number].reworded)
    ]
    if not figured:
        return None
    spoilt = []
    for edit in answer.edits:
        said = script.said[edit.number].reworded
        spoilt.append(
            replace(edit, text=script.prefix(edit.number) + _FIGURE.sub(_other_figure, said, count=1))
            if edit in figured
            else edit
        )
    return _refused(answer, answer.reply(spoilt), "facts_changed")


# --- more than was asked ---------------------------------------------------------------------


@mutator
def polish_of_other_lines(answer: Answer, rng: random.Random) -> Mutant | None:
    """The person named the lines that may change."""
    others = answer.other_lines()
    if not others or answer.gold.scope == "global" or answer.gold.kind.startswith(("move", "insert")):
        return None
    some = rng.sample(others, min(len(others), rng.randint(1, 3)))
    strays = [Edit("replace", n, answer.script.prefix(n) + answer.script.said[n].reworded) for n in some]
    make = _right if answer.form == "whole" else _refused
    return make(answer, answer.reply([*answer.edits, *strays]), "off_target", targets=answer.gold.touched)


@mutator
def lines_that_may_change_are_named(answer: Answer, rng: random.Random) -> Mutant | None:
    if answer.gold.scope == "global" or (
        answer.gold.kind.startswith(("move", "insert")) and not _is_ops(answer)
    ):
        return None
    return _right(answer, answer.reply(), targets=answer.gold.touched)


def _lock(script: Script, number: int) -> Lock:
    content = script.content(number)
    times = sum(line.content == content for line in script.lines)
    return Lock(kind="segment", text=content, occurrences=times)


@mutator
def locked_line_touched(answer: Answer, rng: random.Random) -> Mutant | None:
    others = answer.other_lines()
    edit = answer.edits[0]
    if rng.random() < 0.5 and edit.op in (
        "replace",
        "delete",
        "substitute",
        "everywhere",
        "move_before",
        "move_after",
    ):
        return _refused(answer, answer.reply(), "locked_changed", locks=(_lock(answer.script, edit.number),))
    if not others:
        return None
    n = rng.choice(others)
    stray = Edit("replace", n, answer.script.prefix(n) + answer.script.said[n].reworded)
    make = _right if answer.form == "whole" else _refused
    return make(
        answer,
        answer.reply([*answer.edits, stray]),
        "locked_changed",
        "off_target",
        locks=(_lock(answer.script, n),),
    )


@mutator
def locked_line_beside(answer: Answer, rng: random.Random) -> Mutant | None:
    edited = {answer.script.content(n) for n in answer.gold.touched}
    others = [n for n in answer.other_lines() if answer.script.content(n) not in edited]
    return (
        _right(answer, answer.reply(), locks=(_lock(answer.script, rng.choice(others)),)) if others else None
    )


@mutator
def markdown_added(answer: Answer, rng: random.Random) -> Mutant | None:
    """A whole line is made bold, a heading or a bullet, where the script has no such thing."""
    script, mark = answer.script, rng.choice(["**{}**", "## {}", "- {}", "__{}__"])
    if script.kind == "markdown" or "```" in script.text:
        return None
    if answer.form == "whole" and (others := answer.other_lines()) and rng.random() < 0.5:
        n = rng.choice(others)
        return _right(
            answer,
            result(script, [*answer.edits, Edit("replace", n, mark.format(script.content(n)))]),
            "markdown_added",
            "off_target",
            "structure_lost",
        )
    if answer.edits[0].op != "replace":
        return None
    spoilt = [replace(edit, text=mark.format(edit.text)) for edit in answer.edits]
    return _right(answer, answer.reply(spoilt), "markdown_added", "structure_lost", note=mark)


_VERSIONS: Mapping[Language, tuple[tuple[str, str], ...]] = {
    "zh": (
        ("版本一：", "版本二："),
        ("选项A：", "选项B："),
        ("【方案1】", "【方案2】"),
        ("原文：", "修改后："),
    ),
    "en": (
        ("Option A:", "Option B:"),
        ("Version 1:", "Version 2:"),
        ("**Option 1**", "**Option 2**"),
        ("Original:", "Revised:"),
    ),
}


@mutator
def two_versions(answer: Answer, rng: random.Random) -> Mutant | None:
    first, second = rng.choice(_VERSIONS[answer.language])
    script = answer.script
    if answer.form == "whole":
        base = script.text if first in ("原文：", "Original:") else result(script, answer.edits[:1])
        reply = f"{first}\n{base.strip(chr(0xFEFF) + chr(10))}\n\n{second}\n{(answer.reply() or '').strip(chr(0xFEFF))}"
        return _refused(answer, reply, "commentary", "too_different", "duplicated", "markdown_added")
    edit = answer.edits[0]
    if len(answer.edits) > 1 or edit.op != "replace":
        return None
    return _refused(
        answer,
        answer.reply([replace(edit, text=f"{first} {script.content(edit.number)}\n{second} {edit.text}")]),
        "commentary",
        "too_different",
        "duplicated",
        "structure_lost",
        "markdown_added",
    )


@mutator
def script_twice(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = answer.reply()
    if answer.form != "whole" or reply is None:
        return None
    twice = reply.rstrip("\r\n") + rng.choice(["\n", "\n\n"]) + reply.removeprefix("\ufeff")
    # A line of the script that looks like a protocol or an omission is then there once too often, and what
    # the edit takes away on purpose is missing from a text that is no longer what was asked for.
    gone = any(edit.op == "delete" and "{{" in answer.script.content(edit.number) for edit in answer.edits)
    return _refused(
        answer,
        twice,
        *("duplicated", "too_different", "structure_lost", "malformed", "elision"),
        *(("placeholder_lost",) if gone else ()),
    )


# --- something else --------------------------------------------------------------------------


@mutator
def translation(answer: Answer, rng: random.Random) -> Mutant | None:
    script, other = answer.script, EN if answer.language == "zh" else ZH
    reasons = ("language_changed", "too_different")
    if answer.form == "whole":
        foreign = [Edit("replace", n, script.prefix(n) + rng.choice(other).text) for n in script.said]
        return _refused(
            answer,
            result(script, foreign),
            *reasons,
            "structure_lost",
            "facts_changed",
            "placeholder_lost",
            "content_lost",
            "off_target",
        )
    if not all(edit.op == "replace" and not _is_mixed(answer, edit.number) for edit in answer.edits):
        return None
    foreign = [
        replace(edit, text=script.prefix(edit.number) + rng.choice(other).text) for edit in answer.edits
    ]
    return _refused(
        answer, answer.reply(foreign), *reasons, "facts_changed", "placeholder_lost", "structure_lost"
    )


def _is_mixed(answer: Answer, number: int) -> bool:
    """Say whether a Chinese sentence has foreign words in it: then nobody can tell the language of its line."""
    return (
        answer.language == "zh"
        and re.search(r"[A-Za-zＡ-Ｚ]{2}", answer.script.said[number].text) is not None
    )


_SIMPLE = "这们个为说讲时间会来对开关还过没后样点话让实现发长经频记简单价钱东车门问题听见观欢请谢给带练习电脑图书写页锅鸡汤热凉块两张线红绿蓝岁饭种树风云鱼场边钟转颜换应该难别声问变儿旧办么选设栏着笔厨节报优码资复齐显后乐贵达响买却榆结实给带气岁鲜单"
_TRADITIONAL = "這們個為說講時間會來對開關還過沒後樣點話讓實現發長經頻記簡單價錢東車門問題聽見觀歡請謝給帶練習電腦圖書寫頁鍋雞湯熱涼塊兩張線紅綠藍歲飯種樹風雲魚場邊鐘轉顏換應該難別聲問變兒舊辦麼選設欄著筆廚節報優碼資復齊顯後樂貴達響買卻榆結實給帶氣歲鮮單"
_CONVERT = str.maketrans(_SIMPLE, _TRADITIONAL)


@mutator
def traditional_for_simplified(answer: Answer, rng: random.Random) -> Mutant | None:
    if answer.language == "en" or not all(edit.op == "replace" for edit in answer.edits):
        return None
    script = answer.script
    converted = [
        replace(edit, text=script.prefix(edit.number) + script.said[edit.number].reworded.translate(_CONVERT))
        for edit in answer.edits
    ]
    changed = [
        sum(a != b for a, b in zip(new.text, old.text, strict=True))
        for new, old in zip(converted, answer.edits, strict=True)
    ]
    if min(changed) < 4:
        return None
    if answer.form == "whole":
        converted += [
            Edit("replace", n, script.prefix(n) + script.said[n].text.translate(_CONVERT))
            for n in answer.other_lines()
        ]
    return _refused(
        answer, answer.reply(converted), "language_changed", "structure_lost", "placeholder_lost"
    )  # among it may be a cue


REFUSALS: Mapping[Language, tuple[str, ...]] = {
    "zh": ("抱歉，我无法完成这个请求。", "很抱歉，作为一个人工智能助手，我不能修改这段内容。如果你有其他需要，请告诉我。", "对不起，我不能提供这样的修改。", "由于内容政策限制，我无法处理该请求。"),
    "en": ("I'm sorry, but I can't help with that request.", "I cannot assist with this.", "As an AI language model, I'm unable to edit this script.", "Sorry, I can't comply with that request."),
}  # fmt: skip


@mutator
def refusal(answer: Answer, rng: random.Random) -> Mutant | None:
    said = rng.choice(REFUSALS[rng.choice(["zh", "en"])])
    return _refused(answer, said, "refusal", *(() if answer.form == "whole" else ("malformed",)), note=said)


@mutator
def refusal_as_the_new_line(answer: Answer, rng: random.Random) -> Mutant | None:
    edit = answer.edits[0]
    if not _is_ops(answer) or edit.op != "replace":
        return None
    said = rng.choice(REFUSALS[answer.language])
    return _refused(
        answer,
        answer.reply([replace(edit, text=said), *answer.edits[1:]]),
        "refusal",
        "structure_lost",
        note=said,
    )


_ANSWERS: Mapping[Language, tuple[str, ...]] = {
    "zh": ("我建议把这一行写得更短，再加一个具体的例子，这样观众更容易记住。", "番茄富含维生素C和番茄红素，做熟以后更容易吸收，每天吃一两个就够了。", "已经改好了，请查看。"),
    "en": ("I would suggest making that line shorter and adding a concrete example, so that people remember it.", "A plant usually turns yellow because of overwatering, poor drainage, or a lack of nitrogen.", "Done! The line has been updated."),
}  # fmt: skip


@mutator
def answer_instead_of_an_edit(answer: Answer, rng: random.Random) -> Mutant | None:
    said = rng.choice(_ANSWERS[answer.language])
    reasons = (
        ("malformed",) if answer.form != "whole" else ("too_different", "commentary", "malformed", *_LOST)
    )
    return _refused(answer, said, *reasons, note=said)


@mutator
def nothing(answer: Answer, rng: random.Random) -> Mutant | None:
    reply = rng.choice(["", " \n\n", "\u200b\n", "```\n```", "\ufeff", "\r\n\r\n", "　　"])
    return _refused(answer, reply, "empty", *(("malformed",) if "`" in reply else ()))


@mutator
def empty_operations(answer: Answer, rng: random.Random) -> Mutant | None:
    if not _is_ops(answer):
        return None
    if rng.random() < 0.5:
        return _refused(
            answer, '{"ops": []}' if answer.form == "json" else "@@ end", "unchanged", "empty", "malformed"
        )
    emptied = [
        replace(edit, text=rng.choice(["", " ", "\u200b"]))
        for edit in answer.edits
        if edit.op in ("replace", "insert_after")
    ]
    return _refused(answer, answer.reply(emptied), "empty", "malformed") if emptied else None


@mutator
def nothing_changed(answer: Answer, rng: random.Random) -> Mutant | None:
    same = [
        Edit("replace", n, answer.script.content(n)) for n in answer.gold.touched if n in answer.script.said
    ]
    return _refused(answer, answer.reply(same), "unchanged")
