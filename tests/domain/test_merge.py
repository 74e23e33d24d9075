"""Three texts become one, as git would do it, and byte for byte."""

import os
import random
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.diff import changes
from script_editor.domain.merge import Merged, merge, which_fit
from script_editor.domain.selection import take

SOAK = "SCRIPT_EDITOR_SOAK" in os.environ
CASES = 8000 if SOAK else 250
BASE = "一：开场。\n二：介绍。\n三：故事。\n四：数据。\n五：转折。\n六：结尾。\n"
with_git = pytest.mark.skipif(
    shutil.which("git") is None, reason="git, which this is compared with, is not installed"
)


# --- as git does it --------------------------------------------------------------------------


def git_merge(folder: Path, base: str, ours: str, theirs: str) -> str | None:
    """Return what `git merge-file` makes of three texts, None for a conflict."""
    for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
        (folder / name).write_bytes(text.encode())
    done = subprocess.run(
        ["git", "merge-file", "-p", "ours", "base", "theirs"], cwd=folder, capture_output=True, check=False
    )
    assert 0 <= done.returncode < 128, done.stderr  # the number of conflicts
    return None if done.returncode else done.stdout.decode()


def lines_of(rng: random.Random, words: list[str], kind: str) -> list[str]:
    count = rng.randint(0, 14)
    if kind in ("distinct", "moving"):
        return [f"这是第{number}句。" for number in range(count)]
    lines = [rng.choice(words) for _ in range(count)]
    return [part for line in lines for part in (line, "")] if kind == "blank lines" else lines


def edit(rng: random.Random, lines: list[str], words: list[str], *, move: bool) -> list[str]:
    """Return the lines with a few of them replaced, put in, taken out and, if so wanted, moved."""
    lines = list(lines)
    for _ in range(rng.randint(0, 4)):
        at = rng.randint(0, len(lines))
        match rng.choice(["replace", "insert", "delete", "move" if move else "delete"]):
            case "replace":
                lines[at : at + 1] = [rng.choice(words)]
            case "insert":
                lines[at:at] = [rng.choice(words) for _ in range(rng.randint(1, 2))]
            case "delete":
                del lines[at : at + rng.randint(1, 3)]
            case "move":
                moved = lines[at : at + 2]
                del lines[at : at + 2]
                to = rng.randint(0, len(lines))
                lines[to:to] = moved
    return lines


def counted(text: str, *, blank: bool = True) -> Counter[str]:
    """Return how often each line stands in a text."""
    lines = text.replace("\r\n", "\n").split("\n")[:-1]
    return Counter(line for line in lines if blank or line)


def threes(kind: str) -> Iterator[tuple[str, str, str]]:
    """Yield a base and two edits of it; every text ends with a newline, in LF or CRLF."""
    rng = random.Random(f"{kind}:{random.random() if SOAK else 1}")
    for _ in range(CASES):
        words = [f"词{number}" for number in range({"recurring": 3, "moving": 20}.get(kind, 200))]
        base = lines_of(rng, words, kind)
        move = kind in ("moving", "recurring")
        end = rng.choice(["\n", "\r\n"])
        sides = [base, edit(rng, base, words, move=move), edit(rng, base, words, move=move)]
        base_text, ours, theirs = ("".join(line + end for line in side) for side in sides)
        yield base_text, ours, theirs


@with_git
@pytest.mark.soak
def test_a_merge_is_what_git_makes_of_it(tmp_path: Path) -> None:
    outcomes = set()
    for base, ours, theirs in threes("distinct"):
        merged = merge(base, ours, theirs)

        assert merged.text == git_merge(tmp_path, base, ours, theirs), (base, ours, theirs)
        outcomes.add(merged.text is None)

    assert {True, False} == outcomes


def recurs(text: str) -> bool:
    """Say whether a line that is not blank stands in a text twice."""
    return max(counted(text, blank=False).values(), default=0) > 1


@with_git
@pytest.mark.soak
@pytest.mark.parametrize("kind", ["blank lines", "moving"])
def test_where_no_line_recurs_both_make_the_same_text_or_one_sees_a_conflict(
    tmp_path: Path, kind: str
) -> None:
    """Among blank and moved lines it is open which count as kept, so now and then only one sees a conflict.

    Which one of two equal lines stayed is open as well: there, very rarely, each makes another text.
    """
    one_conflict = two_texts = 0
    for sides in threes(kind):
        merged, expected = merge(*sides).text, git_merge(tmp_path, *sides)

        if None in (merged, expected):
            one_conflict += merged != expected
        elif any(map(recurs, sides)):
            two_texts += merged != expected
        else:
            assert merged == expected, sides

    assert one_conflict < CASES / 50
    assert two_texts <= CASES / 1000


@with_git
@pytest.mark.soak
def test_texts_of_three_lines_that_recur_everywhere_are_mostly_merged_as_git_does(tmp_path: Path) -> None:
    differently = sum(
        merge(base, ours, theirs).text != git_merge(tmp_path, base, ours, theirs)
        for base, ours, theirs in threes("recurring")
    )

    assert differently < CASES / 10


@with_git
@pytest.mark.soak
def test_a_last_line_without_an_end_makes_fewer_conflicts_and_no_other_texts(tmp_path: Path) -> None:
    """git takes a final newline for a part of the last line; here it is merged apart."""
    rng = random.Random(1)
    fewer = 0
    for sides in threes("distinct"):
        base, ours, theirs = (text.rstrip("\r\n") if rng.random() < 0.5 else text for text in sides)
        merged, expected = merge(base, ours, theirs).text, git_merge(tmp_path, base, ours, theirs)

        if expected is not None:
            assert merged == expected, (base, ours, theirs)
        fewer += merged is not None and expected is None

    assert fewer


# --- what holds for all texts ----------------------------------------------------------------

UGLY = st.text(alphabet="ab中\n\n\r\ufeff", max_size=25)


@given(UGLY, UGLY)
def test_what_only_one_side_changed_is_taken_exactly(base: str, changed: str) -> None:
    assert Merged(changed) == merge(base, base, changed) == merge(base, changed, base)


@given(UGLY, UGLY)
def test_what_both_sides_changed_alike_is_taken_once(base: str, changed: str) -> None:
    assert Merged(changed) == merge(base, changed, changed)


@given(UGLY, UGLY, UGLY)
def test_both_sides_are_equal_partners(base: str, ours: str, theirs: str) -> None:
    there, back = merge(base, ours, theirs), merge(base, theirs, ours)

    assert there.text == back.text
    assert (there.text is None) == bool(there.conflicts)
    assert [(c.base, c.ours, c.theirs) for c in there.conflicts] == [
        (c.base, c.theirs, c.ours) for c in back.conflicts
    ]


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["distinct", "blank lines", "moving", "recurring"])
def test_no_line_is_lost_or_made_up_however_lines_are_matched(kind: str) -> None:
    """Which one of several equal lines stayed may be open; what a side wrote, and what both kept, is not."""
    for sides in threes(kind):
        text = merge(*sides).text
        if text is None:
            continue

        base, ours, theirs = map(counted, sides)
        merged = counted(text)
        for line in merged | ours | theirs:
            found = merged[line]
            assert found <= ours[line] + theirs[line], (line, sides)
            if line not in base:
                assert found >= max(ours[line], theirs[line]), (line, sides)
            elif base[line] == 1:
                assert found >= min(ours[line], theirs[line]), (line, sides)


def test_changes_in_different_places_come_together() -> None:
    ours, theirs = BASE.replace("开场", "开头"), BASE.replace("数据", "数字") + "七：彩蛋。\n"

    merged = merge(BASE, ours, theirs)

    assert Merged(theirs.replace("开场", "开头")) == merged


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        pytest.param("a\nb\nc", "A\nb\nc", "a\nb\nc\n", "A\nb\nc\n", id="a final newline that came"),
        pytest.param("a\nb\nc\n", "a\nb\nC\n", "a\nb\nc", "a\nb\nC", id="one that went beside an edit"),
        pytest.param("a\nb", "a\nb\nc", "A\nb", "A\nb\nc", id="a line added after one without an end"),
        pytest.param(
            "a\r\nb\r\nc", "a\r\nb\r\nC", "A\r\nb\r\nc", "A\r\nb\r\nC", id="CRLF without a final one"
        ),
        pytest.param(
            "\ufeffa\nb\nc\n", "\ufeffa\nb\nC\n", "a\nb\nc\n", "a\nb\nC\n", id="a byte order mark that went"
        ),
        pytest.param("a\n", "\ufeffa\n", "A\n", "\ufeffA\n", id="one that came above an edit"),
        pytest.param("a\nb\nc\nd\n", "a\r\nb\nc\nd\n", "a\nb\nc\nD\n", "a\r\nb\nc\nD\n", id="one line end"),
        pytest.param("", "a\n", "", "a\n", id="an empty base"),
        pytest.param("a\n", "", "a\n", "", id="all of it gone"),
        pytest.param("a\n", "", "a", "", id="all of it gone, and its final newline"),
    ],
)
def test_every_byte_comes_from_one_of_the_texts(base: str, ours: str, theirs: str, expected: str) -> None:
    assert Merged(expected) == merge(base, ours, theirs) == merge(base, theirs, ours)


def test_a_conflict_names_the_lines_of_each_text() -> None:
    base = "一\n\n二\n三\n四\n"
    ours, theirs = "零\n一\n\n二号\n三\n四\n", "一\n\n二儿\n三\n四！\n"

    (conflict,) = merge(base, ours, theirs).conflicts

    assert ("二\n", "二号\n", "二儿\n") == (conflict.base, conflict.ours, conflict.theirs)
    assert ((2,), (3,), (2,)) == (conflict.base_lines, conflict.ours_lines, conflict.theirs_lines)


def test_a_conflict_where_lines_are_gone_names_the_one_before() -> None:
    (conflict,) = merge("一\n二\n三\n", "一\n三\n", "一\n二！\n三\n").conflicts

    assert ((2,), (1,), (2,)) == (conflict.base_lines, conflict.ours_lines, conflict.theirs_lines)


def test_a_refrain_that_was_repeated_stands_after_the_first_one() -> None:
    """It could have been put in before it as well, and would then meet the edit of its first line."""
    ours, theirs = "副歌\n合唱\n副歌\n合唱\n结尾\n", "副歌！\n合唱\n结尾\n"

    assert Merged("副歌！\n合唱\n副歌\n合唱\n结尾\n") == merge("副歌\n合唱\n结尾\n", ours, theirs)


def test_blank_lines_keep_edits_apart_however_many_there_are() -> None:
    lines = [f"第{number}段。" for number in range(60)]
    ours = [line + "（甲）" if number % 2 else line for number, line in enumerate(lines)]
    theirs = [line if number % 2 else line + "（乙）" for number, line in enumerate(lines)]
    both = [line + ("（甲）" if number % 2 else "（乙）") for number, line in enumerate(lines)]
    base, head, other, expected = ("\n\n".join(text) for text in (lines, ours, theirs, both))

    assert Merged(expected) == merge(base, head, other)


def test_neighbouring_lines_are_in_conflict_as_in_git() -> None:
    assert merge("一\n二\n三\n", "一！\n二\n三\n", "一\n二！\n三\n").text is None


# --- which changes fit -----------------------------------------------------------------------


def test_changes_away_from_what_moved_fit() -> None:
    head = BASE.replace("故事", "案例")
    proposal = BASE.replace("开场", "开头").replace("故事", "段子").replace("结尾", "收尾")

    assert ((1, 3), (2,)) == which_fit(BASE, head, proposal)


def test_each_change_of_a_rewritten_block_is_judged_alone() -> None:
    head = BASE.replace("故事", "案例")
    proposal = BASE.replace("。", "！")

    assert ((1, 5, 6), (2, 3, 4)) == which_fit(BASE, head, proposal)


def test_a_change_that_was_made_there_too_fits() -> None:
    head = BASE.replace("故事", "案例")

    assert ((1, 2), ()) == which_fit(BASE, head, head.replace("结尾", "收尾"))


def test_the_ends_of_a_text_always_fit() -> None:
    assert ((2, 3), (1,)) == which_fit("a\nb\n", "A\nb\n", "\ufeffaa\nb")


def test_nothing_fits_a_text_written_anew() -> None:
    fitting, others = which_fit(BASE, "全新的文字。\n", BASE.replace("。", "！"))

    assert ((), (1, 2, 3, 4, 5, 6)) == (fitting, others)


@given(UGLY, UGLY, UGLY)
def test_what_fits_can_always_be_merged(base: str, head: str, proposal: str) -> None:
    fitting, others = which_fit(base, head, proposal)

    assert sorted([*fitting, *others]) == [change.id for change in changes(base, proposal)]
    assert merge(base, head, take(base, proposal, fitting)).text is not None


@pytest.mark.parametrize("kind", ["distinct", "blank lines", "moving", "recurring"])
def test_all_changes_fit_exactly_when_the_merge_is_clean(kind: str) -> None:
    for base, head, proposal in threes(kind):
        fitting, others = which_fit(base, head, proposal)

        assert (others == ()) == (merge(base, head, proposal).text is not None), (base, head, proposal)
        assert merge(base, head, take(base, proposal, fitting)).text is not None


# --- time ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "gap", ["\n", "\n\n", "\n\n\n", "\n甲：\n"], ids=["dense", "spaced", "spaced wide", "with a label"]
)
def test_a_long_script_is_merged_and_judged_quickly(gap: str) -> None:
    lines = [f"这是第{number}行，内容各不相同{number * 7919 % 1000}。" for number in range(2000)]
    ours = [line.replace("内容", "文字") if number % 20 == 0 else line for number, line in enumerate(lines)]
    theirs = [line.replace("内容", "说法") if number % 7 == 3 else line for number, line in enumerate(lines)]
    base, head, proposal = (gap.join(text) + "\n" for text in (lines, ours, theirs))

    started = time.process_time()
    merge(base, head, proposal)
    which_fit(base, head, proposal)

    assert time.process_time() - started < 20


@pytest.mark.parametrize(("ours", "theirs"), [("a", "a\n"), ("a\n", "a")])
def test_a_final_newline_that_one_side_gave_stays_over_an_empty_base(ours: str, theirs: str) -> None:
    assert merge("", ours, theirs).text == "a\n"
