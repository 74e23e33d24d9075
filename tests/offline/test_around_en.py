"""Words around a request, in English: courtesy, reasons, doubts and descriptions are no text to write."""

import pytest

from tests.offline.editing import (
    AMBIGUOUS,
    NOT_MECHANICAL,
    after_line,
    in_order,
    outcome,
    swapped,
    with_lines,
    without,
)
from tests.offline.test_phrasings_en import HARBOUR

SPARED = with_lines(HARBOUR, {1: "Good evening, this is the Harbour Report."})
AROUND = [
    ("change ferry to boat thx", swapped(HARBOUR, "ferry", "boat")),
    ("hey, change ferry to boat ok?", swapped(HARBOUR, "ferry", "boat")),
    ("change ferry to boat instead", swapped(HARBOUR, "ferry", "boat")),
    ("change morning to evening not in line 5", SPARED),
    ("change “morning” to “evening” anywhere but in line 5", SPARED),
    ("change morning to evening, never in line 5", SPARED),
    ("change morning to evening at the first occurrence", SPARED),
    ("change ferry to many thanks", AMBIGUOUS),
    ("change ferry to boat too", AMBIGUOUS),
    ("change ferry to boat quickly", AMBIGUOUS),
    ("change ferry to boat i think", AMBIGUOUS),
    ("change ferry to boat because it sails", AMBIGUOUS),
    ("change morning to evening just once", AMBIGUOUS),
    ("change morning to evening in both places", AMBIGUOUS),
    ("change morning to evening except the first", AMBIGUOUS),
    ("change morning to evening everywhere else", AMBIGUOUS),
    ("change morning to evening where needed", AMBIGUOUS),
    ("change ferry to boat rather than ship", AMBIGUOUS),
    ("change morning to evening like in line 5", AMBIGUOUS),
    ("change ferry to boat except where it says pier", AMBIGUOUS),
    ("change morning to evening in line 1 thanks", SPARED),
    ("change from pier to from dock", swapped(HARBOUR, "from pier", "from dock")),
    ("at the end add: Change “ferry” to “boat”; delete line 3.",
     after_line(HARBOUR, 7, "Change “ferry” to “boat”; delete line 3.")),
    ("replace all but the first “morning” with “evening”", NOT_MECHANICAL),
    ("delete all but the last “morning”", NOT_MECHANICAL),
    ("replace every second “is” with “was”", NOT_MECHANICAL),
    ("delete every second line", AMBIGUOUS),
    ("change ferry to boat or ship", NOT_MECHANICAL),
    ("change ferry to either boat or ship", NOT_MECHANICAL),
    ("change “ferry” to a faster kind", NOT_MECHANICAL),
    ("change “ferry” to the opposite", NOT_MECHANICAL),
    ("change ferry to my favourite boat", NOT_MECHANICAL),
    ("change ferry to any boat", NOT_MECHANICAL),
    ("change 6 to double", NOT_MECHANICAL),
    ("change the ferry to the boat", swapped(HARBOUR, "ferry", "boat")),
    ("delete lines containing “sea” and “wind”", NOT_MECHANICAL),
    ("swap “sea” with “sky”", AMBIGUOUS),
    ("at the end add Bye thanks", AMBIGUOUS),
    ("at the end add Goodbye everyone or so", AMBIGUOUS),
    ("add Goodbye everyone twice at the end", AMBIGUOUS),
    ("Change line 3 to Your choice", AMBIGUOUS),
    ("1. Delete line 5.\n2. Change ferry to boat.", without(swapped(HARBOUR, "ferry", "boat"), 5)),
    ("1) Delete line 5.\n2) Change ferry to boat.", without(swapped(HARBOUR, "ferry", "boat"), 5)),
    ("Two edits: delete line 5 and change ferry to boat", without(swapped(HARBOUR, "ferry", "boat"), 5)),
    ("del line 5", without(HARBOUR, 5)),
    ("rm line 5", without(HARBOUR, 5)),
    ("strike line 5", without(HARBOUR, 5)),
    ("line 5 delete", without(HARBOUR, 5)),
    ("delete ln 5", without(HARBOUR, 5)),
    ("delete line 5 thx", without(HARBOUR, 5)),
    ("New line after line 5: Mind the step.", after_line(HARBOUR, 5, "Mind the step.")),
    ("Line 4 should come before line 2", in_order(HARBOUR, 1, 4, 2, 3, 5, 6, 7)),
    ("I'd like you to go through the script and replace “ferry” with “boat”, leaving everything else alone.",
     swapped(HARBOUR, "ferry", "boat")),
    ("it is boat, not ferry", swapped(HARBOUR, "ferry", "boat")),
    ("“boat” should replace “ferry”", swapped(HARBOUR, "ferry", "boat")),
    ("Replace with “boat” the word “ferry”", swapped(HARBOUR, "ferry", "boat")),
    ("in line 2 replace the colon with a period", swapped(HARBOUR, "7:15", "7.15")),
]  # fmt: skip

CANAL = "Um, hi all.\nToday, uh, we ride.\nIt is, you know, flat.\nThat's it, um, for today.\n"
FILLERS = [
    ("Cut out all “uh”s", swapped(CANAL, ", uh,", "")),
    ("Remove the fillers but keep “um”", swapped(swapped(CANAL, ", uh,", ""), ", you know,", "")),
    ("Remove the first “um”", AMBIGUOUS),
    ("Remove the first filler", AMBIGUOUS),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "expected"), FILLERS)
def test_only_the_named_fillers_go(instruction: str, expected: str) -> None:
    assert expected == outcome(CANAL, instruction)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [pytest.param(instruction, expected, id=instruction) for instruction, expected in AROUND],
)
def test_words_around_a_request_are_not_taken_for_text(instruction: str, expected: str) -> None:
    assert expected == outcome(HARBOUR, instruction)


@pytest.mark.parametrize("verb", ["delete", "remove", "drop", "cut", "take out", "get rid of", "please drop"])
def test_every_verb_of_removal_takes_a_place(verb: str) -> None:
    assert outcome("One.\nTwo.\nThree.\n", f"{verb} the last line") == "One.\nTwo.\n"
