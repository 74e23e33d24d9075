"""The policy of the offline editor, rule by rule, in Chinese and in English."""

import pytest

from tests.offline.editing import AMBIGUOUS, NOT_FOUND, NOTHING_LEFT, NOTHING_TO_DO, outcome, rewrite_text

BLANKS = "甲一。\n\n乙二。\n丙三。\n\n丁四。\n"
PROSE = "One tea.\n\nTwo teas. Then rest.\nThree tea cups.\n\nFour."
CRLF = "甲一。\r\n\r\n乙二。\r\n丙三。\r\n"


# --- 1: lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["第3行", "第三行", "第３行", "行3", "3行", "倒数第2行", "L3", "line 3", "the third line", "line three"],
)
def test_line_numbers_count_lines_that_are_not_blank(name: str) -> None:
    verb = "删掉" if name[0] in "第行3倒" else "delete "

    assert "甲一。\n\n乙二。\n\n丁四。\n" == rewrite_text(BLANKS, verb + name)


@pytest.mark.parametrize("name", ["首行", "第一行", "开头那行", "the first line", "line 1"])
def test_the_first_line_has_names_of_its_own(name: str) -> None:
    assert "\n乙二。\n丙三。\n\n丁四。\n" == rewrite_text(
        BLANKS, f"{'delete ' if name.isascii() else '删掉'}{name}"
    )


def test_the_last_sentence_is_the_last_one_in_the_last_line() -> None:
    assert "A b. C d.\nE f.\n" == rewrite_text("A b. C d.\nE f. G h.\n", "delete the last sentence")
    assert "A b. C d.\n" == rewrite_text("A b. C d.\nE f.\n", "删掉最后一句")


def test_a_sentence_number_is_a_line_only_where_every_line_is_a_sentence() -> None:
    assert "甲一。\n丙三。\n" == rewrite_text("甲一。\n乙二。\n丙三。\n", "删掉第2句")
    assert AMBIGUOUS == outcome("甲一。乙二。\n丙三。\n丁四。\n", "删掉第2句")
    assert "甲一。\n丙三。\n丁四。\n" == rewrite_text("甲一。乙二。\n丙三。\n丁四。\n", "删掉第1行的第二句")


def test_only_lf_and_crlf_end_a_line() -> None:
    assert "A\u2028B\n" == rewrite_text("A\u2028B\nC\n", "delete line 2")


# --- 2: one base -----------------------------------------------------------------------------------


@pytest.mark.parametrize("joint", ["，然后", "；", "，再", "，接着", "并", "。", "\n", "，最后", " 之后再"])
def test_every_part_means_the_script_as_shown(joint: str) -> None:
    assert "甲一。\n\n丙三。\n\n丁：四。\n" == rewrite_text(BLANKS, f"删掉第2行{joint}把第4行改成“丁：四。”")


@pytest.mark.parametrize("joint", [", then ", "; ", " and ", " and then ", ". ", "\n", ", and also "])
def test_english_joints_do_the_same(joint: str) -> None:
    assert "One tea.\n\nThree tea cups.\n\nLast." == rewrite_text(
        PROSE, f"delete line 2{joint}change line 4 to “Last.”"
    )


def test_one_impossible_part_refuses_the_whole() -> None:
    assert NOT_FOUND == outcome(BLANKS, "把甲改成子，然后删掉第9行")
    assert NOT_FOUND == outcome(PROSE, "delete line 1 and replace “coffee” with “milk”")


def test_where_parts_overlap_the_earlier_one_holds() -> None:
    assert "红苹果。\n" == rewrite_text("青苹果。\n", "把青苹果改成红苹果，把苹果改成梨")
    assert NOT_FOUND == outcome("甲一。\n", "把甲改成子，把子改成丑")


def test_parts_that_contradict_each_other_are_refused() -> None:
    assert AMBIGUOUS == outcome(BLANKS, "删掉第2行，再把第2行移到最后")
    assert AMBIGUOUS == outcome(PROSE, "change line 1 to “A.” and change line 1 to “B.”")


# --- 3: replace ------------------------------------------------------------------------------------


def test_replace_means_every_occurrence() -> None:
    assert "水，水，再来水。\n" == rewrite_text("茶，茶，再来茶。\n", "把茶改成水")


def test_a_count_or_a_line_limits_it() -> None:
    assert "水，茶，再来茶。\n" == rewrite_text("茶，茶，再来茶。\n", "把第一个茶改成水")
    assert "tea, tea, more milk.\n" == rewrite_text("tea, tea, more tea.\n", "replace the last tea with milk")
    assert "茶。\n水。\n" == rewrite_text("茶。\n茶。\n", "把第2行的茶改成水")


def test_written_text_is_not_searched_again() -> None:
    assert "乙甲\n" == rewrite_text("甲乙\n", "把“甲”改成“乙”，把“乙”改成“甲”")
    assert "aab\n" == rewrite_text("ab\n", "replace “ab” with “aab”")


def test_latin_text_matches_whole_words_in_their_case() -> None:
    text = "Art is an art. Start smart.\n"

    assert "Art is an craft. Start smart.\n" == rewrite_text(text, "replace art with craft")


def test_chinese_text_matches_anywhere() -> None:
    assert "水壶在水几上\n" == rewrite_text("茶壶在茶几上\n", "把茶改成水")


@pytest.mark.parametrize(
    "instruction",
    [
        "把茶改成水", "茶→水", "用水代替茶", "以水取代茶", "茶用水代替",
        "substitute 水 for 茶", "use 水 instead of 茶", "swap 茶 for 水", "replace 茶 with 水",
    ],
)  # fmt: skip
def test_direction_words_differ(instruction: str) -> None:
    assert "一杯水\n" == rewrite_text("一杯茶\n", instruction)


# --- 4: numbers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["1500元", "80.5分", "共13,000人", "12:30", "25", "3000", "v2"])
@pytest.mark.parametrize("number", ["500", "80", "3,000", "30", "2", "300"])
def test_a_number_is_not_found_inside_a_longer_one(text: str, number: str) -> None:
    assert NOT_FOUND == outcome(f"{text}\n", f"把{number}改成7")


def test_a_number_is_found_beside_marks_and_words() -> None:
    assert "花了9元，$9，9。\n" == rewrite_text("花了80元，$80，80。\n", "把80改成9")


# --- 5: quotation marks ----------------------------------------------------------------------------


@pytest.mark.parametrize("marks", ["“”", "「」", "『』", "《》", "«»", '""', "''", "‘’"])
def test_quotation_marks_delimit_and_are_no_part_of_the_text(marks: str) -> None:
    old, new = f"{marks[0]}茶{marks[1]}", f"{marks[0]}水{marks[1]}"

    assert "一杯水\n" == rewrite_text("一杯茶\n", f"把{old}改成{new}")
    assert "a cup of 水\n" == rewrite_text("a cup of 茶\n", f"replace {old} with {new}")


def test_label_brackets_stay_part_of_the_text() -> None:
    assert "【片尾】片头\n" == rewrite_text("【片头】片头\n", "把【片头】改成【片尾】")


def test_an_apostrophe_opens_no_quotation() -> None:
    assert "It isn't.\n" == rewrite_text("It wasn't.\n", "replace wasn't with isn't")


def test_without_quotation_marks_there_must_be_one_way_to_read_the_words() -> None:
    assert "milk and tea\n" == rewrite_text("coffee and tea\n", "change coffee to milk")
    assert AMBIGUOUS == outcome("coffee with milk\n", "replace coffee with milk with tea with tea")


def test_after_a_colon_the_rest_is_the_text() -> None:
    assert "甲：乙，再说：丙；丁。\n" == rewrite_text("旧。\n", "第1行改成：甲：乙，再说：丙；丁。")
    assert "Old.\nSay: “go”, then stop.\n" == rewrite_text("Old.\n", "At the end add: Say: “go”, then stop.")


# --- 6: delete -------------------------------------------------------------------------------------


def test_a_line_goes_with_its_line_end_and_blank_lines_stay() -> None:
    assert "甲一。\n\n\n丁四。\n" == rewrite_text(BLANKS, "删掉第2行和第3行")


def test_a_paragraph_goes_with_the_blank_lines_after_it_the_last_with_those_before() -> None:
    assert "甲一。\n\n丁四。\n" == rewrite_text(BLANKS, "删掉第二段")
    assert "甲一。\n\n乙二。\n丙三。\n" == rewrite_text(BLANKS, "删掉最后一段")
    assert "甲一。\n" == rewrite_text(BLANKS, "删掉最后两段")


def test_lines_containing_a_text_means_all_of_them() -> None:
    assert "\n\nFour." == rewrite_text(PROSE, "delete all lines containing “tea” or “teas”")


def test_a_line_left_empty_by_a_deletion_goes() -> None:
    assert "甲一。\n\n乙二。\n\n丁四。\n" == rewrite_text(BLANKS, "删掉“丙三。”")
    assert "甲一。\n\n乙二。\n\n丁四。\n" == rewrite_text(BLANKS, "删掉“丙三”")


def test_nothing_may_be_left_of_a_script() -> None:
    assert NOTHING_LEFT == outcome("甲一。\n", "删掉第1行")


# --- 7: insert -------------------------------------------------------------------------------------


def test_after_a_line_is_before_a_blank_line_that_follows_and_before_it_is_after_one() -> None:
    assert "甲一。\n新。\n\n乙二。\n丙三。\n\n丁四。\n" == rewrite_text(BLANKS, "在第1行后面加一行“新。”")
    assert "甲一。\n\n新。\n乙二。\n丙三。\n\n丁四。\n" == rewrite_text(BLANKS, "在第2行前面加一行“新。”")


def test_the_end_is_after_the_last_line_that_is_not_blank() -> None:
    assert "甲。\n乙\n\n" == rewrite_text("甲。\n\n", "结尾加一行“乙”")


def test_new_text_is_a_line_of_its_own_exactly_as_given_without_indent() -> None:
    assert "  甲。\n乙 \n" == rewrite_text("  甲。\n", "结尾加一行“乙 ”")


def test_a_new_line_gets_the_line_end_of_its_neighbour() -> None:
    assert "甲一。\r\n新\r\n\r\n乙二。\r\n丙三。\r\n" == rewrite_text(CRLF, "第1行后面插入“新”")


# --- 8 and 9: order, final newline -----------------------------------------------------------------


def test_moves_and_swaps_carry_the_text_and_leave_blank_lines() -> None:
    assert "丁四。\n\n乙二。\n丙三。\n\n甲一。\n" == rewrite_text(BLANKS, "交换第1行和第4行")
    assert "甲一。\n丙三。\n\n乙二。\n\n丁四。\n" == rewrite_text(BLANKS, "把第3行移到第1行后面")


@pytest.mark.parametrize(
    "instruction",
    [
        "删掉第2行",
        "结尾加一行“丁”",
        "交换第1行和第2行",
        "第2行移到最前面",
        "把乙改成子",
        "第2行改成“子”",
        "末行末尾加“子”",
    ],
)
def test_a_script_without_a_final_newline_stays_without_one(instruction: str) -> None:
    assert not rewrite_text("甲\n乙", instruction).endswith("\n")
    assert rewrite_text("甲\n乙\n", instruction).endswith("\n")


# --- 10: fillers -----------------------------------------------------------------------------------


def test_chinese_fillers_go_with_the_mark_after_them_when_they_stand_free() -> None:
    text = "嗯，大家好，那个，今天，就是说，聊聊那个花盆，呃……开始。\n他嗯了一声。\n"

    assert "大家好，今天，聊聊那个花盆，开始。\n他嗯了一声。\n" == rewrite_text(text, "去掉口头禅")


def test_english_fillers_go_with_both_commas_or_give_their_capital_to_the_next_word() -> None:
    text = "Um, hi. It is, you know, late, uh, very late.\nDo you know why? Uh, um, no.\n"

    assert "Hi. It is late very late.\nDo you know why? No.\n" == rewrite_text(
        text, "remove the filler words"
    )


def test_only_the_named_fillers_go() -> None:
    assert "那个，好。\n" == rewrite_text("嗯，那个，好。\n", "删掉语气词“嗯”")
    assert "Uh hi.\n" == rewrite_text("Uh, um, hi.\n", "remove the filler um")


def test_a_quoted_filler_that_is_also_in_use_must_be_made_clear() -> None:
    assert AMBIGUOUS == outcome("嗯，好。\n他嗯了一声。\n", "删掉“嗯”")
    assert "好。\n他嗯了一声。\n" == rewrite_text("嗯，好。\n他嗯了一声。\n", "删掉“嗯，”")


def test_a_question_keeps_its_mark_when_the_filler_before_it_goes() -> None:
    assert "很简单？\n" == rewrite_text("很简单，对吧？\n", "去掉语气词")


# --- 11 and 12: bytes, refusals --------------------------------------------------------------------


def test_bytes_outside_the_edit_stay() -> None:
    text = "\ufeff  甲１，🌿 \r\n\r\n乙\u3000。\t\r\n丙"

    assert "\ufeff  子１，🌿 \r\n\r\n乙\u3000。\t\r\n丙" == rewrite_text(text, "把甲改成子")


def test_equal_results_are_nothing_to_do() -> None:
    assert NOTHING_TO_DO == outcome("甲\n甲\n", "交换第1行和第2行")
    assert NOTHING_TO_DO == outcome("甲\n乙\n", "第1行改成“甲”")


def test_one_anchor_that_fits_several_lines_is_ambiguous() -> None:
    assert AMBIGUOUS == outcome("茶一\n茶二\n", "在有“茶”的那行后面加一行“水”")
    assert "茶一\n水\n茶二\n水\n" == rewrite_text("茶一\n茶二\n", "在每个有“茶”的行后面加一行“水”")


def test_two_new_texts_for_one_place_contradict_each_other() -> None:
    assert AMBIGUOUS == outcome("从西门走。\n", "把西门改成东门，再把西门改成北门")


def test_blank_lines_can_be_dropped_and_put_in() -> None:
    assert "甲一。\n乙二。\n丙三。\n丁四。\n" == rewrite_text(BLANKS, "删掉所有空行")
    assert "丁四。\n乙二。\n丙三。\n甲一。\n" == rewrite_text(BLANKS, "交换第1行和第4行，再删掉空行")
    assert "One tea.\n\nTwo teas. Then rest.\n\nThree tea cups.\n\nFour." == rewrite_text(
        PROSE, "insert a blank line after line 2"
    )
    assert NOTHING_TO_DO == outcome("甲\n乙\n", "删掉空行")


def test_a_line_moved_before_new_text_is_asked_for_stands_before_it() -> None:
    assert "乙\n甲\n丙\n" == rewrite_text("甲\n乙\n", "第1行移到最后，结尾再加一行“丙”")
    assert "乙\n丙\n甲\n" == rewrite_text("甲\n乙\n", "结尾加一行“丙”，第1行移到最后")
