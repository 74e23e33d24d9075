"""Scripts that an instruction names in the spellings that people use, and those it says to leave alone."""

import pytest

from script_editor.app.hanzi import simplified
from script_editor.app.naming import named_in
from script_editor.app.pointing import pointing
from script_editor.app.ranking import Rank, rank_in

KNOWN = [f"video_{number:03}" for number in range(1, 13)]


def numbers(words: str) -> list[int]:
    return sorted(int(id[-3:]) for id in named_in(words.casefold(), KNOWN).ids)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("把video_001的开头改短", [1]),
        ("Video 001", [1]),
        ("video no. 3's opening", [3]),
        ("videos 1 to 3", [1, 2, 3]),
        ("video_001-video_003", [1, 2, 3]),
        ("video_001~003 的开头", [1, 2, 3]),
        ("video_001 到 video_003", [1, 2, 3]),
        ("video_001/002/004", [1, 2, 4]),
        ("002和012的开头", [2, 12]),
        ("move a line from video_001 to video_003", [1, 3]),
        ("make the video 30 seconds", []),
        ("cut video 3 seconds", []),
        ("video_002 里 3 个卖点", [2]),
        ("00:00:03,150 和 0.05", []),
        ("video_0033", []),
    ],
)
def test_a_script_is_named_in_the_spellings_that_people_use(words: str, named: list[int]) -> None:
    assert numbers(words) == named


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("改 video_002 的开头，video_001 不要动", [2]),
        ("leave video_009 alone, loosen video_003", [3]),
        ("video_009 friendlier, video_003 should stay as is", [9]),
        ("all of video_001 to video_004 except video_002", [1, 3, 4]),
        ("video_001 到 video_004 除了 video_003 开头都短一点", [1, 2, 4]),
        ("改 video_001 和 video_002，video_003、video_004 不要动", [1, 2]),
        ("in every script but video_003", []),
        ("除了 video_001，其他都别动", [1]),
        ("video_009 短一点，别动 video_009 的数字", [9]),
        ("别动型号名 video_007", [7]),
    ],
)
def test_a_script_that_is_to_stay_as_it_is_is_not_named(words: str, named: list[int]) -> None:
    assert numbers(words) == named


def test_a_number_that_two_scripts_could_have_names_neither() -> None:
    assert not named_in("video 1", ["video_1", "video_001"]).ids
    assert named_in("video_1", ["video_1", "video_001"]).ids == {"video_1"}


@pytest.mark.parametrize(
    ("instruction", "rank"),
    [
        ("那条最长的脚本，开头短一点", Rank("longest")),
        ("the shortest one: friendlier", Rank("shortest")),
        ("最近改过的那条开头短一点", Rank("newest")),
        ("第三条脚本的开头", Rank("place", 3)),
        ("最后一条的开头短一点", Rank("place", -1)),
        ("3号脚本", Rank("place", 3)),
        ("the second script", Rank("place", 2)),
        ("删掉第三条建议", None),
        ("最后一句改短", None),
    ],
)
def test_a_script_may_be_meant_by_its_place(instruction: str, rank: Rank | None) -> None:
    assert rank_in(instruction) == rank


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("防晒那条，开头短一点", ["防晒"]),
        ("防晒那条和咖啡馆那条，开头都短一点", ["防晒", "咖啡馆"]),
        ("護士那集開頭短一點", ["护士"]),
        ("make the Lumen one friendlier", ["lumen"]),
        ("哪条讲防晒？", ["防晒"]),
        ("make the opening of that one friendlier", []),
        ("the second line is clunky", []),
    ],
)
def test_a_word_before_the_noun_points_at_a_script(instruction: str, words: list[str]) -> None:
    assert [pointer.words for pointer in pointing(instruction).pointers] == words


def test_two_that_point_apart_speak_of_two_scripts() -> None:
    meant = pointing("防晒那条和咖啡馆那条，开头都短一点")

    assert meant.several
    assert [meant.means(title, "") for title in ("轻盾防晒", "小咖啡馆", "导览")] == [True, True, False]


def test_characters_are_folded_one_by_one() -> None:
    text = "護士那集，這條螢幕影片先別動 abc"

    assert simplified(text) == "护士那集，这条荧幕影片先别动 abc"
    assert len(simplified(text)) == len(text)


@pytest.mark.parametrize("piece", ["a-", "video ", "video_001,", "除了", "那条", "the x one ", " ", "0"])
def test_long_words_are_read_in_linear_time(piece: str) -> None:
    long = piece * (20_000 // len(piece))

    named_in(long, KNOWN)
    rank_in(long)
    pointing(long)
