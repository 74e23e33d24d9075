"""What locks hold, judged on the result of an edit."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.findings import Finding
from script_editor.domain.locks import Lock, keep, marked, missing, violations
from script_editor.domain.segments import NumberedScript
from script_editor.domain.speakers import speaker_lines, speakers

AI = (
    "大家好，欢迎来到我的频道。\n今天我们要聊一聊人工智能的发展历程。\n人工智能从20世纪50年代开始发展，\n"
    "经历了几次寒冬和复兴。\n现在我们正处于AI的黄金时代。\n喜欢的话点个关注，我们明天见。\n"
)
LINES = AI.splitlines()
TALK = (
    "HOST: Good evening and welcome.\nGUEST: Thanks, I brought a radio.\nHOST: Does it turn on?\n"
    "GUEST: It hums.\nHOST: Then let's open it up.\n"
)
LAST = Lock(kind="segment", text=LINES[5])
THIRD = Lock(kind="segment", text=LINES[2])
GROUP = Lock(kind="segment", text=f"{LINES[2]}\n{LINES[3]}")
GUEST = Lock(kind="speaker", text="GUEST")


def script(text: str) -> NumberedScript:
    return NumberedScript("video_001", 1, text)


def broken(before: str, after: str, *locks: Lock, moved: tuple[int, ...] = ()) -> list[Finding]:
    return list(violations(script(before), script(after), locks, moved=moved))


def lines(*numbers: int | str, end: str = "\n") -> str:
    """Return a text of the lines of AI with these numbers, and of new lines."""
    return "".join((LINES[n - 1] if isinstance(n, int) else n) + end for n in numbers)


@pytest.mark.parametrize(
    ("after", "lock"),
    [
        (lines(1, "新的一句。", 3, 4, 5, 6), THIRD),
        (lines(1, 2, "新的一句。", 3, "再来一句。", 4, 5, 6), THIRD),
        (lines("新的一句。", 1, 2, 3, 4, 5, 6, "又一句。"), LAST),
        (lines(1, 2, 3, "改过的第四句。", 5, 6), THIRD),
        (lines(3, 6), THIRD),
        (lines(6, 1, 2, 3, 4, 5), THIRD),
        (lines(1, 2, 4, 5, 6, 3, 3), Lock(kind="segment", text=LINES[1])),
        (lines(1, 2, 3, 4, 5, 6, end="\r\n"), THIRD),
        (lines(1, 2, 3, 4, 5, 6).replace(LINES[2], "  " + LINES[2] + "  "), THIRD),
        (lines(1, 2, 3, 4, 5, 6).replace("\n", "\n\n"), GROUP),
        (lines(1, 2, "新的一句。", 3, 4, "再来一句。", 5, 6), GROUP),
        (lines(1, 2, 3, 4, 3, 5, 6), THIRD),
    ],
    ids=["line before edited", "lines inserted beside", "lines at both ends", "line after edited", "others deleted", "another line moved past",
         "other lines moved past", "other line ends", "indented", "blank lines between all", "beside a group", "a copy added"],
)  # fmt: skip
def test_what_leaves_a_locked_line_alone_is_fine(after: str, lock: Lock):
    assert [] == broken(AI, after, lock)


@pytest.mark.parametrize(
    ("after", "lock", "where", "now"),
    [
        (lines(1, 2, "人工智能从1950年代开始发展，", 4, 5, 6), THIRD, (3,), "人工智能从1950年代开始发展，"),
        (lines(1, 2, LINES[2].replace("，", ","), 4, 5, 6), THIRD, (3,), LINES[2].replace("，", ",")),
        (lines("新。", 1, 2, "人工智能从1950年代开始发展，", 4, 5, 6), THIRD, (4,), "人工智能从1950年代开始发展，"),
        (lines(1, 2, 4, 5, 6), THIRD, (3,), ""),
        (lines(1, 2, 3, 4, 5), LAST, (5,), ""),
        (lines(1, 2, LINES[2] + LINES[3], 5, 6), THIRD, (3,), LINES[2] + LINES[3]),
        (lines(1, 2, 4, 5, 3, 6), THIRD, (5,), ""),
        (lines(6, 1, 2, 3, 4, 5), LAST, (1,), ""),
        (lines(1, 2, 3, 4, 6, 5), LAST, (5,), ""),
        (lines(1, 2, 3, "插在中间。", 4, 5, 6), GROUP, (4,), "插在中间。"),
        (lines(1, 2, 3, 5, 4, 6), GROUP, (4,), LINES[4]),
        (lines(1, 2, 3, 5, 6), GROUP, (4,), ""),
        (lines(3, 4, 1, 2, 5, 6), Lock(kind="segment", text=f"{LINES[0]}\n{LINES[1]}"), (3,), ""),
    ],
    ids=["edited", "folded", "edited below a new line", "deleted", "deleted at the end", "merged with the next", "moved down", "moved to the top",
         "swapped with its neighbour", "inserted inside a group", "group taken apart", "half of a group deleted", "group moved"],
)  # fmt: skip
def test_a_locked_line_that_changed_went_or_moved_is_one_error(
    after: str, lock: Lock, where: tuple[int, ...], now: str
):
    (found,) = broken(AI, after, lock)

    assert ("locked", "locked_changed", "error") == (found.guard, found.code, found.level)
    assert lock.text == found.was
    assert where == found.segments
    assert now == found.example


def test_the_message_quotes_the_locked_line_and_says_where():
    (found,) = broken(AI, lines(1, 2, "人工智能从1950年代开始发展，", 4, 5, 6), THIRD)

    assert f'Line 3 is locked; this edit changes it. Locked is: "{LINES[2]}".' == found.message


def test_each_broken_lock_is_found_once_and_in_order():
    found = broken(AI, lines(1, 2, "改。", 4, 5), LAST, THIRD, GROUP)

    assert [LAST.text, THIRD.text, GROUP.text] == [finding.was for finding in found]


def test_locked_lines_must_keep_their_order_among_each_other():
    locks = [Lock(kind="segment", text=line) for line in (LINES[0], LINES[5])]

    found = broken(AI, lines(6, 2, 3, 4, 5, 1), *locks)

    assert [LINES[0], LINES[5]] == [finding.was for finding in found]


def test_moving_an_unlocked_line_past_a_locked_one_is_fine_when_it_is_known_who_moved():
    swapped = lines(1, 2, 3, 4, 6, 5)

    assert [LAST.text] == [finding.was for finding in broken(AI, swapped, LAST)]
    assert [] == broken(AI, swapped, LAST, moved=(5,))
    assert [LAST.text] == [finding.was for finding in broken(AI, swapped, LAST, moved=(6,))]


def test_a_line_that_was_locked_twice_must_stand_there_twice():
    chorus = "la la\none\nla la\ntwo\n"
    both = Lock(kind="segment", text="la la", occurrences=2)
    one = Lock(kind="segment", text="la la")

    assert ["la la"] == [found.was for found in broken(chorus, "la la\none\ntwo\n", both)]
    assert [] == broken(chorus, "la la\none\ntwo\n", one)
    assert ["la la"] == [found.was for found in broken(chorus, "one\ntwo\n", one)]
    assert ["la la"] == [found.was for found in broken(chorus, "la la\nla la\none\ntwo\n", both)]


def test_a_lock_whose_text_was_gone_before_blocks_nothing():
    absent = [
        Lock(kind="segment", text="不在这里。"),
        Lock(kind="phrase", text="轻盾", occurrences=4),
        Lock(kind="speaker", text="HOST"),
    ]

    assert [] == broken(AI, lines(1, 2), *absent)
    assert tuple(absent) == missing(AI, absent)


@pytest.mark.parametrize(
    ("phrase", "before", "after", "is_kept"),
    [
        ("轻盾", "这支轻盾，就是轻盾。", "就这支轻盾。", False),
        ("轻盾", "这支轻盾。", "轻盾，就这一支轻盾。", True),
        ("轻盾", "这支轻盾。", "这支极盾。", False),
        ("89元", "到手89元。", "今天只要89元。", True),
        ("89元", "到手89元。", "到手189元。", False),
        ("12", "12 cups", "120 cups", False),
        ("12", "12 cups", "112 cups", False),
        ("12", "12 cups", "12.5 cups", False),
        ("12", "12 cups", "12,000 cups", False),
        ("12", "12 cups", "We have 12.", True),
        ("12", "12 cups", "12, maybe 13", True),
        ("$35", "costs $35 now", "costs $350 now", False),
        ("三分钟", "煮三分钟。", "煮十三分钟。", False),
        ("二十", "二十块。", "二十三块。", False),
        ("art", "art is long", "smart is long", False),
        ("Lumen", "Lumen links", "Lumens link", False),
        ("Lumen", "Lumen links", "Lumen's links", True),
        ("AI", "我们的AI时代", "我们的AIGC时代", False),
        ("AI", "我们的AI时代", "欢迎来到AI时代", True),
        ("iPhone", "an iPhone", "an iphone", False),
        ("“黄金时代”", "“黄金时代”", '"黄金时代"', False),
        ("PA++++", "SPF50+，PA++++。", "PA++++，SPF50+。", True),
        ("https://a.cn/x", "见 https://a.cn/x 。", "见 https://a.cn/xy 。", False),
    ],
)
def test_a_locked_phrase_must_stand_there_as_often_and_as_itself(
    phrase: str, before: str, after: str, is_kept: bool
):
    (lock,), _ = keep(before, [phrase])

    assert is_kept == (broken(before + "\n", after + "\n", lock) == [])
    assert is_kept == (missing(after, [lock]) == ())


def test_a_lost_phrase_is_shown_where_it_stood():
    before = "军训七天，我靠轻盾没晒黑。\n室友追着问。\n喏，就这支轻盾。\n"
    (lock,), _ = keep(before, ["轻盾"])

    (found,) = broken(before, "军训七天，我靠极盾没晒黑。\n室友追着问。\n喏，就这支极盾。\n", lock)

    assert (1, 3) == found.segments
    assert "军训七天，我靠极盾没晒黑。" == found.example
    assert "轻盾" == found.was
    assert '"轻盾" is locked, and the edit would take it away.' == found.message


def test_a_phrase_may_move_to_another_line():
    lock = Lock(kind="phrase", text="轻盾")

    assert [] == broken("这支轻盾。\n很好。\n", "这支防晒。\n轻盾很好。\n", lock)


@pytest.mark.parametrize(
    ("after", "is_kept"),
    [
        (TALK.replace("Does it turn on?", "Is it dead?"), True),
        (TALK + "HOST: Bye.\n", True),
        (TALK.replace("HOST: Does it turn on?\n", ""), True),
        (TALK.replace("It hums.", "It buzzes."), False),
        (TALK.replace("GUEST: It hums.\n", ""), False),
        (TALK.replace("GUEST: It hums.", "JOE: It hums."), False),
        (TALK + "GUEST: Bye.\n", False),
        (TALK.replace("GUEST: It hums.\nHOST: Then let's open it up.\n", "HOST: Then let's open it up.\nGUEST: It hums.\n"), False),
    ],
    ids=["other edited", "other added", "other deleted", "edited", "deleted", "given to another", "words put in the mouth", "moved"],
)  # fmt: skip
def test_a_locked_speaker_says_the_same_lines_in_the_same_places(after: str, is_kept: bool):
    found = broken(TALK, after, GUEST)

    assert is_kept == (found == [])
    assert all(
        finding.code == "locked_changed" and "All lines of GUEST are locked" in finding.message
        for finding in found
    )


def test_a_changed_line_of_a_locked_speaker_is_shown():
    (found,) = broken(TALK, "HOST: Hm.\n" + TALK.replace("It hums.", "It buzzes."), GUEST)

    assert ((5,), "GUEST: It buzzes.", "GUEST: It hums.") == (found.segments, found.example, found.was)


def test_marked_are_whole_lines_and_not_the_lines_of_phrases():
    talk = script(TALK)

    assert frozenset({2, 4, 5}) == marked(
        talk, [GUEST, Lock(kind="segment", text="HOST: Then let's open it up.")]
    )
    assert frozenset() == marked(talk, [Lock(kind="phrase", text="radio")])
    assert frozenset({3, 4}) == marked(script(AI), [GROUP])


def test_keep_locks_a_word_as_the_text_has_it_and_tells_which_it_has_not():
    locks, absent = keep("An iPhone，一台 iPhone。\n到手89元。\n", ["iphone", "89元", "Pixel", "iPhone"])

    assert (
        Lock(kind="phrase", text="iPhone", occurrences=2),
        Lock(kind="phrase", text="89元"),
    ) == locks
    assert ("Pixel",) == absent


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("HOST: Hi.\nGUEST: Hi.\nHOST: Bye.\n", "host", (1, 3)),
        ("主持人：你好。\n嘉宾：你好。\n主持人（笑）：再见。\n", "主持人", (1, 3)),
        ("[00:15] HOST: Hi.\n00:20 HOST: Hm.\n[00:25 - 00:30] GUEST: Bye.\n", "HOST", (1, 2)),
        ("**HOST:** Hi.\n**Guest**: Hm.\n", "Host", (1,)),
        ("**HOST:** Hi.\n**Guest**: Hm.\n", "guest", (2,)),
        ("【主持人】你好。\n【嘉宾】你好。\n", "主持人", (1,)),
        ("HOST\nGood evening.\nWelcome.\n\nThe lights go on.\n\nGUEST\nHi.\n", "Host", (1, 2, 3)),
        ("HOST:\nGood evening.\n\nGUEST:\nHi.\n", "GUEST", (3, 4)),
        ("DR. CHEN: Hi.\n", "Dr. Chen", (1,)),
        ("注意：先关火。\n", "HOST", ()),
        ("The host: a portrait\n", "host", ()),
        ("See https://host: it works\n", "host", ()),
    ],
)  # fmt: skip
def test_a_speakers_lines_are_those_with_the_label(text: str, name: str, expected: tuple[int, ...]):
    assert expected == speaker_lines(script(text), name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TALK, ("HOST", "GUEST")),
        ("小颜：你好。\n阿禾：你好。\n小颜：再见。\n阿禾：再见。\n", ("小颜", "阿禾")),
        ("注意：先关火。\n然后出锅。\n", ()),
        ("Here's the thing: it works.\nOne more thing: it's free.\n", ()),
        ("旁白：很久以前。\n", ("旁白",)),
        ("Hook:\nHi.\n", ()),
    ],
)
def test_speakers_are_labels_that_show_that_they_are(text: str, expected: tuple[str, ...]):
    assert expected == speakers(script(text))


WORDS = st.sampled_from(
    ["早上好。", "到手89元。", "one two", "[PAUSE]", "la la", "再见。", "HOST: hi", "# Hook"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=12)


@given(
    before=TEXTS,
    added=st.lists(st.tuples(st.integers(0, 12), st.text("xyz", min_size=1, max_size=3)), max_size=5),
    data=st.data(),
)
def test_inserting_lines_never_breaks_the_lock_of_one_line(
    before: list[str], added: list[tuple[int, str]], data: st.DataObject
):
    locked = data.draw(st.sampled_from(before))
    after = list(before)
    for index, line in added:
        after.insert(index, line)
    lock = Lock(kind="segment", text=locked, occurrences=before.count(locked))

    assert [] == broken("\n".join(before), "\n".join(after), lock)
    assert () == missing("\n".join(after), [lock])


@given(before=TEXTS, data=st.data())
def test_deleting_or_editing_a_locked_line_always_breaks_its_lock(before: list[str], data: st.DataObject):
    index = data.draw(st.integers(0, len(before) - 1))
    lock = Lock(kind="segment", text=before[index], occurrences=before.count(before[index]))
    new = data.draw(st.sampled_from([[], [before[index] + "!"], ["other"]]))

    found = broken("\n".join(before), "\n".join([*before[:index], *new, *before[index + 1 :]]), lock)

    assert [lock.text] == [finding.was for finding in found]


@given(before=TEXTS, after=TEXTS, data=st.data())
def test_any_two_texts_are_compared_and_every_finding_points_into_the_new_one(
    before: list[str], after: list[str], data: st.DataObject
):
    kind = data.draw(st.sampled_from(["segment", "phrase", "speaker"]))
    lock = Lock(kind=kind, text=data.draw(st.sampled_from([*before, "HOST", "la"])))
    count = len(script("\n".join(after)).segments)

    for found in broken("\n".join(before), "\n".join(after), lock):
        assert all(1 <= number <= count for number in found.segments)


def test_long_texts_are_compared_in_no_time():
    before = "".join(f"第{n}句，{n % 7}号。\n[PAUSE]\n" for n in range(1500))
    after = "".join(f"第{n}句，改过。\n[PAUSE]\n" for n in range(1500))
    locks = (
        Lock(kind="segment", text="[PAUSE]", occurrences=1500),
        Lock(kind="segment", text="第7句，0号。"),
    )
    started = time.perf_counter()

    found = broken(before, after, *locks)

    assert ["第7句，0号。"] == [finding.was for finding in found]
    assert time.perf_counter() - started < 8.0
