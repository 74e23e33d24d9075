"""Spoilt answers of every named kind: what is wrong is refused, what is right is saved to the byte.

A perfect answer to a known edit of a made script is mutated; the mutator alone says what must come of it.
Whatever is saved, no byte outside the edit may differ. `pytest -s` prints what became of each kind.
"""

import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice, product

import pytest

from script_editor.app.rewriter import apply_reply
from script_editor.errors import EditRefused
from tests.app.mutators import (
    FORMS,
    MUTATORS,
    SCRIPT_ID,
    SYNTAX,
    VERSION,
    Answer,
    Form,
    Mutant,
    golds,
    is_preserved,
)
from tests.support.scripts import KINDS, Kind, Language, script

SOAK = "SCRIPT_EDITOR_SOAK" in os.environ
SEED = os.environ.get("SCRIPT_EDITOR_SOAK_SEED", "")
"""Any word makes other scripts and answers; without one they are the same every time."""
LANGUAGES: tuple[Language, ...] = ("zh", "en")
COUNT = 5_040 if not SOAK else 100_080
EACH = COUNT // (len(FORMS) * len(LANGUAGES) * len(KINDS))
SHOWN = 3

Outcome = tuple[str, str]  # "saved" and the text, "refused" and the reason, or "crashed" and the error
Tally = defaultdict[str, Counter[str]]


@pytest.fixture(scope="module")
def tally() -> Iterator[Tally]:
    """What became of each kind of answer; printed at the end."""
    counts: Tally = defaultdict(Counter)
    yield counts
    print(f"\n{sum(map(Counter.total, counts.values()))} replies")
    for name in MUTATORS:
        row = counts[name]
        refused = ", ".join(f"{what} {n}" for what, n in row.most_common() if not what.startswith("saved"))
        print(
            f"{name:42} saved right {row['saved right']:5} | otherwise {row['saved otherwise']:4} | refused: {refused}"
        )


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMS)
def test_spoilt_answers_are_saved_right_or_not_at_all(
    form: Form, language: Language, kind: Kind, tally: Tally
) -> None:
    rng = random.Random(f"{SEED}{form} {language} {kind}")
    failures: dict[str, list[str]] = defaultdict(list)

    for name, mutant in islice(mutants(rng, form, language, kind), EACH):
        outcome = carried_out(mutant)
        tally[name][_word(mutant, outcome)] += 1
        if not is_right(mutant, outcome):
            failures[name].append(_report(name, mutant, outcome))

    assert not failures, _summary(failures)


def test_every_kind_of_spoilt_answer_occurs() -> None:
    made = {
        name
        for form, language, kind in product(FORMS, LANGUAGES, KINDS)
        for name, _ in islice(mutants(random.Random(form), form, language, kind), 60)
    }

    assert made == set(MUTATORS)


def mutants(rng: random.Random, form: Form, language: Language, kind: Kind) -> Iterator[tuple[str, Mutant]]:
    """Yield mutants without end, all mutators in turn, each on an edit that it fits."""
    made = Counter[str]()
    while True:
        source = script(rng, language, kind)
        answers = [Answer(source, gold, form, with_check=rng.random() < 0.7) for gold in golds(source, rng)]
        for name, mutate in sorted(MUTATORS.items(), key=lambda item: made[item[0]]):
            rng.shuffle(answers)
            mutant = next((m for answer in answers if (m := mutate(answer, rng)) is not None), None)
            if mutant is not None:
                made[name] += 1
                yield name, mutant


def carried_out(mutant: Mutant) -> Outcome:
    answer = mutant.answer
    try:
        text = apply_reply(
            answer.script.text,
            mutant.reply,
            instruction=answer.gold.instruction,
            syntax=SYNTAX[answer.form],
            finish_reason=mutant.finish_reason,
            scope=answer.gold.scope,
            targets=mutant.targets,
            locks=mutant.locks,
            script_id=SCRIPT_ID,
            base_version=VERSION,
            current_version=mutant.current_version,
        )
    except EditRefused as refusal:
        return "refused", refusal.reason
    except Exception as crash:  # so that the reply that did it is shown with the others
        return "crashed", repr(crash)
    return "saved", text


def is_right(mutant: Mutant, outcome: Outcome) -> bool:
    what, value = outcome
    if what != "saved":
        return what == "refused" and value in mutant.reasons
    answer = mutant.answer
    if value in mutant.right_texts:
        return mutant.saved != "never"
    return mutant.saved == "kept" and is_preserved(answer.script.text, value, answer.gold.spans)


def _word(mutant: Mutant, outcome: Outcome) -> str:
    if outcome[0] != "saved":
        return outcome[1]
    return "saved right" if outcome[1] in mutant.right_texts else "saved otherwise"


def _report(name: str, mutant: Mutant, outcome: Outcome) -> str:
    gold, answer = mutant.answer.gold, mutant.answer
    expected = {
        "right": f"saved as {gold.texts[0]!r}",
        "kept": "saved, nothing else touched",
        "never": "refused",
    }[mutant.saved]
    settings = {
        k: v
        for k in ("finish_reason", "targets", "locks", "current_version")
        if (v := getattr(mutant, k)) not in ("stop", (), None)
    }
    return (
        f"text        {answer.script.text!r}\ninstruction {gold.instruction!r} ({gold.kind}, {gold.scope}) {settings or ''}\n"
        f"reply       {mutant.reply!r}\nexpected    {expected} {sorted(mutant.reasons) or ''}\ngot         {outcome}"
    )


def _summary(failures: dict[str, list[str]]) -> str:
    shown = [
        f"--- {name}: {len(found)}\n" + "\n\n".join(sorted(found, key=len)[:SHOWN])
        for name, found in failures.items()
    ]
    return "\n".join([f"{sum(map(len, failures.values()))} answers came out wrong", *shown])
