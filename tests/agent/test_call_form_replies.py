"""What holds for a call holds in every form that models give it, in every mode."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from script_editor.agent.modes import MODES
from tests.agent.fakes import Told, assert_read, call, refused

Write = Callable[[str, Mapping[str, object]], str]

TEA = {"script_id": "tea-ad"}
EDIT = {"script_id": "tea-ad", "instruction": "更短"}
READ = call("get_script", **TEA)
WRITE = call("modify_script", **EDIT)


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def tagged(opening: str, ending: str, before: str, after: str) -> Write:
    """A form whose arguments have tags of their own; `%s` in the tags stands for the tool or the argument."""
    key, value_end = opening.split("|")[1], ending.split("|")[0]

    def write(tool: str, arguments: Mapping[str, object]) -> str:
        values = "".join(f"{key % name}{value}{value_end}\n" for name, value in arguments.items())
        return f"{before}{opening.split('|')[0] % tool}\n{values}{ending.split('|')[1]}{after}"

    return write


MARKUP: dict[str, Write] = {
    "tool_call": lambda tool, args: f"<tool_call>\n{dump({'name': tool, 'arguments': args})}\n</tool_call>",
    "tools": lambda tool, args: f"<tools>{dump({'name': tool, 'arguments': args})}</tools>",
    "function with an object": lambda tool, args: f"<function={tool}>{dump(args)}</function>",
    "function with parameters": tagged(
        "<function=%s>|<parameter=%s>\n", "\n</parameter>|</function>", "<tool_call>\n", "\n</tool_call>"
    ),
    "invoke": tagged(
        '<invoke name="%s">|<parameter name="%s">',
        "</parameter>|</invoke>",
        "<function_calls>\n",
        "\n</function_calls>",
    ),
    "invoke with a prefix": tagged(
        '<invoke name="%s">|<parameter name="%s">',
        "</parameter>|</invoke>",
        "<minimax:tool_call>\n",
        "\n</minimax:tool_call>",
    ),
    "DSML": tagged(
        '<｜DSML｜invoke name="%s">|<｜DSML｜parameter name="%s" string="true">',
        "</｜DSML｜parameter>|</｜DSML｜invoke>",
        "<｜DSML｜function_calls>\n",
        "\n</｜DSML｜function_calls>",
    ),
    "keys and values": tagged(
        "%s|<arg_key>%s</arg_key>\n<arg_value>", "</arg_value>|</tool_call>", "<tool_call>", ""
    ),
    "tokens": lambda tool, args: (
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{tool}\n```json\n{dump(args)}\n```"
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "channels": lambda tool, args: (
        f"<|channel|>commentary to=functions.{tool} <|constrain|>json<|message|>{dump(args)}<|call|>"
    ),
}
OBJECTS: dict[str, Write] = {
    "bare": lambda tool, args: dump({"name": tool, "arguments": args}),
    "fenced": lambda tool, args: f"```json\n{dump({'action': tool, 'action_input': args})}\n```",
    "list": lambda tool, args: dump([{"name": tool, "arguments": args}]),
}
FORMS = {**MARKUP, **OBJECTS}

IN_EVERY_FORM: dict[str, tuple[Callable[[Write], str], Told]] = {
    "a read": (lambda write: write("get_script", TEA), READ),
    "a write": (lambda write: write("modify_script", EDIT), WRITE),
    "with windows line ends": (lambda write: write("get_script", TEA).replace("\n", "\r\n"), READ),
    "behind reasoning about another": (
        lambda write: (
            f"<think>\n{write('revert', {**TEA, 'version': 1})}\n</think>\n{write('get_script', TEA)}"
        ),
        READ,
    ),
    "twice": (lambda write: f"{write('modify_script', EDIT)}\n{write('modify_script', EDIT)}", WRITE),
    "a version as people see it": (
        lambda write: write("revert", {**TEA, "version": "v2"}),
        call("revert", script_id="tea-ad", version=2),
    ),
    "quotation marks and tags in a value": (
        lambda write: write("modify_script", {**TEA, "instruction": "说“好”，「茶」 & <b>x</b> 3<5"}),
        call("modify_script", script_id="tea-ad", instruction="说“好”，「茶」 & <b>x</b> 3<5"),
    ),
    "an unknown tool": (
        lambda write: write("edit_script", TEA),
        refused("edit_script", "get_script", "modify_script"),
    ),
    "a missing argument": (
        lambda write: write("modify_script", TEA),
        refused("modify_script", "script_id", "instruction"),
    ),
    "an unknown argument": (
        lambda write: write("modify_script", {**EDIT, "tone": "x"}),
        refused("modify_script", "tone"),
    ),
    "a version that is none": (
        lambda write: write("revert", {**TEA, "version": "上一版"}),
        refused("revert", "version"),
    ),
}
IN_MARKUP: dict[str, tuple[Callable[[Write], str], Told]] = {
    "a write behind a preamble": (lambda write: f"好的，我来：\n\n{write('modify_script', EDIT)}", WRITE),
    "a read before prose": (lambda write: f"{write('get_script', TEA)}\n等结果。", READ),
    "a write before prose": (
        lambda write: f"{write('modify_script', EDIT)}\n改好了。",
        refused("modify_script"),
    ),
}


def in_mode(mode: str, text: str) -> str | dict[str, Any]:
    return {"role": "assistant", "content": text} if mode in ("functions", "tools") else text


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("reply", "expected"), IN_EVERY_FORM.values(), ids=IN_EVERY_FORM)
def test_every_form_of_a_call_is_read_alike(
    reply: Callable[[Write], str], expected: Told, form: str, mode: str
) -> None:
    assert_read(mode, in_mode(mode, reply(FORMS[form])), expected)


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("form", MARKUP)
@pytest.mark.parametrize(("reply", "expected"), IN_MARKUP.values(), ids=IN_MARKUP)
def test_markup_among_prose_is_a_call(
    reply: Callable[[Write], str], expected: Told, form: str, mode: str
) -> None:
    assert_read(mode, in_mode(mode, reply(MARKUP[form])), expected)


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("form", FORMS)
def test_of_a_cut_reply_a_read_runs_and_a_write_does_not(form: str, mode: str) -> None:
    write = FORMS[form]

    assert_read(mode, in_mode(mode, write("get_script", TEA)), READ, finish_reason="length")
    assert_read(mode, in_mode(mode, write("modify_script", EDIT)), refused("length"), finish_reason="length")


@pytest.mark.parametrize("mode", sorted(MODES.keys() - {"tools"}))
@pytest.mark.parametrize("form", FORMS)
def test_two_different_calls_without_a_result_between_are_refused(form: str, mode: str) -> None:
    write = FORMS[form]
    both = f"{write('get_script', TEA)}\n{write('modify_script', EDIT)}"

    assert_read(mode, in_mode(mode, both), refused("get_script", "modify_script"))


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("form", OBJECTS)
def test_a_key_given_twice_is_named_with_its_tool(form: str, mode: str) -> None:
    twice = OBJECTS[form]("modify_script", EDIT).replace("更短", '短", "instruction": "长')

    assert_read(mode, in_mode(mode, twice), refused("modify_script", "instruction", "JSON"))


FINISHES = {
    "react": ("Final Answer: ", ""),
    "json": ("Final Answer: ", ""),
    "conversational": ("AI: ", ""),
    "xml": ("<final_answer>", "</final_answer>"),
}


@pytest.mark.parametrize("mode", FINISHES)
@pytest.mark.parametrize("form", FORMS)
def test_a_call_beside_an_answer_or_on_lines_of_its_own_in_one_is_refused(form: str, mode: str) -> None:
    (opening, ending), name = FINISHES[mode], FINISHES[mode][0].strip(" <>:")
    wanted = FORMS[form]("get_script", TEA)

    for raw in (
        f"{opening}好。\n{wanted}\n{ending}",
        f"{opening}好。{ending}\n{wanted}",
        f"{wanted}\n{opening}好。{ending}",
    ):
        assert_read(mode, raw, refused(name))


@pytest.mark.parametrize("mode", FINISHES)
@pytest.mark.parametrize("form", MARKUP)
@pytest.mark.parametrize("marks", ["“”", "``", "  "], ids=["quotation marks", "backticks", "no marks"])
def test_markup_in_a_sentence_of_an_answer_is_text(marks: str, form: str, mode: str) -> None:
    opening, ending = FINISHES[mode]
    wanted = MARKUP[form]("get_script", TEA).replace("\n", "")
    sentence = f"可以写成{marks[0]}{wanted}{marks[1]}来读取脚本。"

    assert_read(mode, f"{opening}{sentence}{ending}", sentence)
