"""There and back: an edit and its inverse, undo and revert return every byte of the sample scripts.

What small damage each edit does would add up over many; here twenty edits in a row may do none.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from script_editor.app.proposals import ProposalService
from script_editor.app.rewriter import apply_reply
from script_editor.app.scripts import ScriptService
from script_editor.app.seeds import load_seeds
from script_editor.domain.references import Selector
from script_editor.domain.script import Provenance, Version
from script_editor.store.sql import SqlScriptStore, open_store
from tests.app.mutators import FORMS, SYNTAX, Answer, Edit, Form, Gold, result
from tests.support.scripts import EXTRA, Language, Script

SEEDS = Path(__file__).parent.parent.parent / "seeds"
NAMES = sorted(path.name for path in SEEDS.iterdir() if path.is_dir())
EDITS = 20
ENGLISH = frozenset({"video_003", "video_005", "video_009"})
STORED: dict[str, Callable[[str], str]] = {
    "as they are": str,
    "CRLF, BOM, no final newline": lambda text: "\ufeff" + text.rstrip("\n").replace("\n", "\r\n"),
}

WORDS: Mapping[Language, tuple[tuple[str, str], ...]] = {
    "zh": (("我们", "咱们"), ("大家", "各位"), ("现在", "眼下"), ("就是", "正是"), ("但", "可"), ("所以", "因此"), ("很", "挺"), ("也", "都"), ("這", "那"), ("我們", "咱們"), ("再", "又"), ("会", "能"), ("是", "就是"), ("的", "那个")),
    "en": ((" just ", " only "), (" and ", " plus "), (" you ", " you all "), (" so ", " thus "), (" the ", " that "), (" we ", " we all "), (" is ", " really is "), (" it ", " this "), (" to ", " right to ")),
}  # fmt: skip
ASKED: Mapping[Language, Mapping[str, str]] = {
    "zh": {"substitute": "第{n}行的“{find}”换成“{text}”", "insert_after": "在第{n}行后面加一句：{text}", "delete": "删掉第{n}行", "move_after": "把第{n}行移到第{other}行后面"},
    "en": {"substitute": 'In line {n}, change "{find}" to "{text}".', "insert_after": "After line {n}, add: {text}", "delete": "Delete line {n}.", "move_after": "Move line {n} to after line {other}."},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """Edits that one reply makes, and the instruction that asks for them."""

    instruction: str
    edits: tuple[Edit, ...]


def step(language: Language, *edits: Edit) -> Step:
    """Return the edits with an instruction that asks for each of them."""
    asked = [
        ASKED[language][edit.op].format(
            n=edit.number, other=edit.other, find=edit.find.strip(), text=edit.text.strip()
        )
        for edit in edits
    ]
    return Step(("；" if language == "zh" else " ").join(asked), edits)


def there_and_back(script: Script, rng: random.Random) -> Iterator[tuple[Step, Step]]:
    """Yield edits without end, each with the edit that takes it back."""
    kinds = [words, words_in_three_lines, line_and_gone, gone_and_line, moved_and_back]
    while True:
        for kind in rng.sample(kinds, len(kinds)):
            pair = kind(script, rng)
            if pair is not None:
                yield pair


def exchange(script: Script, number: int) -> tuple[Edit, Edit] | None:
    """Return a word of a line exchanged for another, and back; None when no known word stands there once."""
    content = script.content(number)
    for find, text in WORDS[script.language]:
        there = content.replace(find, text)
        if content.count(find) == 1 and there.count(text) == 1 and "-->" not in content:
            return Edit("substitute", number, text, find=find), Edit("substitute", number, find, find=text)
    return None


def words(script: Script, rng: random.Random) -> tuple[Step, Step] | None:
    return some_words(script, rng, 1)


def words_in_three_lines(script: Script, rng: random.Random) -> tuple[Step, Step] | None:
    return some_words(script, rng, 3)


def some_words(script: Script, rng: random.Random, count: int) -> tuple[Step, Step] | None:
    pairs = [pair for n in range(1, len(script.spoken) + 1) if (pair := exchange(script, n)) is not None]
    if len(pairs) < count:
        return None
    chosen = sorted(rng.sample(pairs, count), key=lambda pair: pair[0].number)
    there, back = zip(*chosen, strict=True)
    return step(script.language, *there), step(script.language, *back)


def line_and_gone(script: Script, rng: random.Random) -> tuple[Step, Step] | None:
    n = rng.choice(plain_lines(script))
    new = EXTRA[script.language][0]
    return step(script.language, Edit("insert_after", n, new)), step(script.language, Edit("delete", n + 1))


def gone_and_line(script: Script, rng: random.Random) -> tuple[Step, Step] | None:
    n = rng.choice([0, *followers(script)])
    if not n:
        return None
    return step(script.language, Edit("delete", n)), step(
        script.language, Edit("insert_after", n - 1, script.content(n))
    )


def moved_and_back(script: Script, rng: random.Random) -> tuple[Step, Step] | None:
    """A later line goes forward, so that the place it came from keeps its neighbour."""
    n = rng.choice([0, *followers(script)])
    earlier = [m for m in plain_lines(script) if m < n - 2]
    if not earlier or script.kind == "subtitles":
        return None
    m = rng.choice(earlier)
    return step(script.language, Edit("move_after", n, other=m)), step(
        script.language, Edit("move_after", m + 1, other=n)
    )


def plain_lines(script: Script) -> list[int]:
    """Return the lines that carry no structure: no headings, cues, numbers or times."""
    return [
        n
        for n in range(1, len(script.spoken) + 1)
        if not script.content(n).startswith(("#", "[", "（", "镜号"))
        and "-->" not in script.content(n)
        and not script.content(n).isdigit()
    ]


def followers(script: Script) -> list[int]:
    """Return the plain lines directly below another plain one, which no other line equals."""
    plain, contents = set(plain_lines(script)), [script.content(n) for n in range(1, len(script.spoken) + 1)]
    return [
        n
        for n in sorted(plain)
        if n - 1 in plain
        and script.spoken[n - 1] == script.spoken[n - 2] + 1
        and contents.count(script.content(n)) == 1
    ]


def carried_out(script: Script, asked: Step, form: Form) -> str | None:
    """Return the text that a perfect reply makes; None when the syntax cannot say it without doubt."""
    answer = Answer(script, Gold("", asked.instruction, asked.edits, (), (), ()), form)
    reply = answer.reply()
    if reply is None:
        return None
    return apply_reply(
        script.text, reply, instruction=asked.instruction, syntax=SYNTAX[form], script_id="video_001"
    )


def made(name: str, text: str) -> Script:
    """Return a sample as a script whose lines can be edited."""
    return Script(
        "en" if name in ENGLISH else "zh", "subtitles" if name == "video_010" else "narration", text, {}
    )


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The newest text of every sample, as the store keeps it."""
    with open_store(str(tmp_path_factory.mktemp("samples") / "store.db"), create=True) as store:
        list(load_seeds(store, SEEDS))
        return {name: store.head(name).text for name in NAMES}


def test_there_are_twelve_samples(samples: dict[str, str]) -> None:
    assert len(samples) == 12 and all(samples.values())


@pytest.mark.parametrize("stored", STORED)
@pytest.mark.parametrize("name", NAMES)
def test_an_edit_and_its_inverse_return_every_byte(name: str, stored: str, samples: dict[str, str]) -> None:
    script, rng = made(name, STORED[stored](samples[name])), random.Random(f"{name} {stored}")

    done = 0
    for forward, backward in there_and_back(script, rng):
        form, back_form = FORMS[done % 4], FORMS[(done + done // 4) % 4]
        there = carried_out(script, forward, form)
        back = None if there is None else carried_out(made(name, there), backward, back_form)
        if back is None:
            continue

        assert there == result(script, forward.edits), (form, forward)
        assert back == script.text, (form, back_form, forward, backward)
        done += 1
        if done == EDITS:
            break


@pytest.mark.parametrize("name", NAMES)
def test_undo_revert_and_the_inverse_edit_return_every_byte(
    name: str, sqlite_url: str, samples: dict[str, str]
) -> None:
    script, rng = made(name, samples[name]), random.Random(name)
    with open_store(sqlite_url, create=False) as store:
        scripts = ScriptService(store)
        scripts.new(name, script.text, author="tester")
        edits = there_and_back(script, rng)

        for number in range(EDITS):
            forward, backward = next(edits)
            there = carried_out(script, forward, FORMS[number % 2])
            assert there is not None
            saved = accepted(store, scripts.read(name), there, forward)
            undone = scripts.undo(name, author="tester").version
            again = scripts.revert(name, Selector(number=saved.number), author="tester").version
            back = carried_out(made(name, again.text), backward, FORMS[(number + 1) % 2])
            assert back is not None
            accepted(store, again, back, backward)

            assert (saved.text, undone.text, again.text) == (there, script.text, there)
            assert scripts.read(name).text == script.text
        assert store.verify() == ()


def accepted(store: SqlScriptStore, base: Version, text: str, asked: Step) -> Version:
    """Propose a text and accept it whole."""
    proposals = ProposalService(store)
    review = proposals.propose(
        base, text, provenance=Provenance(author="tester", instruction=asked.instruction)
    )
    return proposals.accept(review.proposal.id, decided_by="tester")
