"""Replies as no model should write them: labels, markup, JSON and script text in any mixture, and spoilt real ones."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

Raw = str | dict[str, Any]  # a reply's text, or the assistant message as a service sends it

LABELS = [
    "Action: ", "Action Input: ", "Thought: ", "Final Answer: ", "Observation: ", "AI: ", "Human: ", "Question: ", "User: ",
    "动作：", "动作输入：", "思考：", "最终答案：", "观察：", "返回结果：", "助手：", "用户：", "**Action:** ", "`Action`: ", "Action 1: ",
    "Action: None\n", "Action: Finish[", "Action: get_script Action Input: {", "Thought: Do I need to use a tool? Yes\n",
]  # fmt: skip
MARKUP = [
    "<tool>", "</tool>", "<tool_input>", "</tool_input>", "<final_answer>", "</final_answer>", "<observation>", "</observation>",
    "<tool_call>", "</tool_call>", "<function=revert>", "<parameter=script_id>", "</parameter>", "</function>", "<tools>",
    '<invoke name="history">', '<parameter name="script_id">', "</invoke>", "<function_calls>", "<｜DSML｜invoke name=\"diff\">",
    "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "<｜tool▁call▁end｜>", "<|channel|>analysis<|message|>",
    "<|channel|>commentary to=functions.revert<|message|>", "<|call|>", "<|start|>assistant", "<|end|>", "[TOOL_CALLS]",
    "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "<think>", "</think>", "<reasoning>", "<![CDATA[", "]]>",
    "<script_id>", "</script_id>", "<instruction>", "</instruction>", "&lt;", "&amp;lt;", "&#55296;", "&#x10FFFF;", "[[tool]]", "[[=tool]]",
]  # fmt: skip
TOKENS = [
    "{", "}", "[", "]", "(", ")", "｛", "｝", '"', "'", "“", "”", "‘", "＂", ":", "：", ",", "，", "\\", "\\n", "\\u", "\\ud800", "\n", "\r\n",
    "\r", " ", "\t", "\u3000", "\u200b", "\ufeff", "```", "```json\n", "~~~", "'''json\n", "**", "__", "`", "#", "=", "\x00", "\ud800", "\udfff",
    "\u2028", "\x85", "None", "null", "true", "1", "2.5", "1e999", "-0", "NaN", "9" * 400, "v2", "",
]  # fmt: skip
CALLS = [
    '{"script_id": "a"}', '{"action": "get_script", "action_input": {"script_id": "a"}}', '{"name": "FINISH", "args": "好"}',
    '{"name": "revert", "arguments": {"script_id": "a", "version": 2}}', '{"tool_calls": [{}]}', '{"action": null}', '{"action": "preview", "tool": "diff"}',
    "<tool>list_scripts</tool>", "<tool>history</tool><tool_input>a</tool_input>", "<final_answer>好</final_answer>", "Action: list_scripts\n",
    "Action: history\nAction Input: a\n", "Final Answer: 好\n", "AI: 好\n", "get_script", "modify_script", "history", "script_id", "instruction",
]  # fmt: skip
PROSE = [
    "大家好。",
    "改好了",
    "wait, not yet",
    "旁白：雨停了。",
    "Action",
    "tool",
    "是",
    "否",
    "?",
    "？",
    '文"字',
    "Don't",
    "<b>",
    "a < b & c",
]
POOLS: Sequence[Sequence[str]] = (LABELS, MARKUP, TOKENS, CALLS, PROSE)


def mixture(rng: random.Random) -> str:
    """Return fragments of one to five kinds, in any order."""
    pools = rng.sample(POOLS, rng.randint(1, len(POOLS)))
    return "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(1, 40)))


def unicode_noise(rng: random.Random) -> str:
    """Return characters of any plane, lone surrogates among them."""
    planes = ((0, 0x7F), (0x80, 0xFFFF), (0xD800, 0xDFFF), (0x10000, 0x10FFFF), (0x4E00, 0x9FFF))
    return "".join(chr(rng.randint(*rng.choice(planes))) for _ in range(rng.randint(0, 60)))


def deep(rng: random.Random) -> str:
    """Return one thing inside itself, very often, and sometimes closed again."""
    opening, closing = rng.choice(
        [("[", "]"), ('{"a":', "}"), ("(", ")"), ("<tool>", "</tool>"), ("<think>", "</think>"), ("Action: Finish[", "]"),
         ('{"tool_call": ', "}"), ("<tool_call>", "</tool_call>"), ("```json\n", "\n```"), ("[[", "]]"), ("<a>", "</a>")]
    )  # fmt: skip
    depth = rng.choice([3, 63, 64, 65, 300, 3000])
    return f"{rng.choice(LABELS)}{opening * depth}{rng.choice(CALLS)}{closing * rng.choice([0, depth])}"


def cut(rng: random.Random, text: str) -> str:
    """Return `text` without its end, its beginning or a piece of the middle."""
    begin, end = sorted(rng.randint(0, len(text)) for _ in range(2))
    return rng.choice([text[:end], text[begin:], text[:begin] + text[end:]])


def doubled(rng: random.Random, text: str) -> str:
    """Return `text` with a piece of it said again, somewhere."""
    begin, end = sorted(rng.randint(0, len(text)) for _ in range(2))
    at = rng.randint(0, len(text))
    return text[:at] + text[begin:end] * rng.randint(1, 3) + text[at:]


def shuffled(rng: random.Random, text: str) -> str:
    """Return the lines of `text`, or pieces of it, in another order."""
    pieces = text.split(rng.choice(["\n", " ", '"', "<", ":"]))
    rng.shuffle(pieces)
    return rng.choice(["\n", " ", '"', "<", ":", ""]).join(pieces)


def sprinkled(rng: random.Random, text: str) -> str:
    """Return `text` with fragments put into it."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(rng.choice(POOLS)) + text[at:]
    return text


def nested(rng: random.Random, text: str) -> str:
    """Return `text` as a part of another reply."""
    quoted = json.dumps(text, ensure_ascii=False)
    return rng.choice(
        [
            f"<think>{text}</think>{text}",
            f"Thought: {text}\nAction: preview\nAction Input: {{\"script_id\": \"a\", \"instruction\": {quoted}}}",
            f'{{"action": "preview", "action_input": {{"script_id": "a", "instruction": {quoted}}}}}',
            f"<tool>preview</tool><tool_input><script_id>a</script_id><instruction>{text}</instruction></tool_input>",
            f"Final Answer: {text}", f"<final_answer>{text}</final_answer>", f"AI: {text}", f"```\n{text}\n```", quoted,
        ]
    )  # fmt: skip


SPOILERS: Sequence[Callable[[random.Random, str], str]] = (cut, doubled, shuffled, sprinkled, nested)


def spoilt(rng: random.Random, text: str) -> str:
    """Return `text` spoilt one to three times."""
    for _ in range(rng.randint(1, 3)):
        text = rng.choice(SPOILERS)(rng, text)
    return text


def nasty_text(rng: random.Random, real: Sequence[str]) -> str:
    """Return the text of a reply, made up or made of one of the `real` ones."""
    kind = rng.random()
    if kind < 0.45:
        return spoilt(rng, rng.choice(real))
    if kind < 0.8:
        return mixture(rng)
    return unicode_noise(rng) if kind < 0.9 else deep(rng)


def nasty_message(rng: random.Random, real: Sequence[str]) -> dict[str, Any]:
    """Return an assistant message with anything in its fields."""
    message: dict[str, Any] = {"role": "assistant", "content": rng.choice([None, "", nasty_text(rng, real)])}
    if rng.random() < 0.6:
        message["tool_calls"] = [_entry(rng, real) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.4:
        message["function_call"] = rng.choice([_function(rng, real), _anything(rng, real)])
    if rng.random() < 0.2:
        field = rng.choice(["content", "refusal", "tool_calls", "reasoning_content"])
        message[field] = _anything(rng, real)
    return message


def _entry(rng: random.Random, real: Sequence[str]) -> Any:
    if rng.random() < 0.1:
        return _anything(rng, real)
    return {"id": rng.choice(["a", "", None, 5]), "type": "function", "function": _function(rng, real)}


def _function(rng: random.Random, real: Sequence[str]) -> dict[str, Any]:
    names = [
        "history",
        "revert",
        "modify_script",
        "multi_tool_use.parallel",
        "finish",
        "",
        None,
        rng.choice(CALLS),
    ]
    return {
        "name": rng.choice(names),
        "arguments": rng.choice([rng.choice(CALLS), nasty_text(rng, real), _anything(rng, real)]),
    }


def _anything(rng: random.Random, real: Sequence[str]) -> Any:
    plain = [
        None,
        True,
        0,
        2,
        2.5,
        float("inf"),
        float("nan"),
        -(10**30),
        b"x",
        rng.choice(CALLS),
        nasty_text(rng, real),
    ]
    if rng.random() < 0.6:
        return rng.choice(plain)
    if rng.random() < 0.5:
        return [_anything(rng, real) for _ in range(rng.randint(0, 2))]
    keys = [
        "type",
        "text",
        "refusal",
        "name",
        "arguments",
        "script_id",
        "tool_uses",
        "recipient_name",
        rng.choice(CALLS),
    ]
    return {rng.choice(keys): _anything(rng, real) for _ in range(rng.randint(0, 2))}


def nasty_reply(rng: random.Random, real: Sequence[str]) -> Raw:
    """Return a reply of either shape."""
    return nasty_text(rng, real) if rng.random() < 0.7 else nasty_message(rng, real)
