"""The labels of the text formats (Thought, Action, Observation …) as models really write them.

A label stands at the start of a line: English or Chinese, any case, a half or full width colon,
bold or in backticks, numbered, with an underscore or without the space. Anywhere else the same
words are text, with one exception: `Action: <tool> Action Input: {` on one line.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from script_editor.patterns import Pattern

LabelKind = Literal["input", "action", "thought", "observation", "final", "turn", "assistant"]

_WORDS: dict[LabelKind, str] = {
    "input": r"action[ _]*+input|(?:动作|行动)[ _]*+输入",
    "action": r"action|动作|行动",
    "thought": r"thought|思考|想法",
    "observation": r"observation|观察(?:结果)?|返回结果",
    "final": r"final[ _]*+answer|最终(?:答案|回答)",
    "turn": r"question|human|user|用户",
    "assistant": r"ai|助手",
}
_WORD = "|".join(f"(?P<{kind}>{words})" for kind, words in _WORDS.items())
_NUMBER = r"[ \t_]*+(?:\#?[0-9]{1,3}|[(（\[][0-9]{1,3}[)）\]])?[ \t]*+"
_MARK = r"\*\*|__|[*`]"
_INDENT = r"^[ \t\u3000\u200b\ufeff]*+(?:\#{1,6}[ \t]*+)?"
_LABEL = Pattern(
    rf"{_INDENT}(?P<mark>{_MARK})?(?:{_WORD}){_NUMBER}(?P<close>{_MARK})?[ \t]*+[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR = Pattern(
    rf"(?<![\w\"'“‘「『《`(（])(?:{_WORDS['action']}){_NUMBER}[:：][ \t]*+(?P<name>[\w.`*-]++(?: [\w.`*-]++){{0,2}}?)"
    rf"[ \t]++(?:{_WORDS['input']}){_NUMBER}[:：][ \t]*+(?=[{{｛])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Label:
    """A label and where it stands: `start` before all of it, `end` behind the colon and its marks.

    `mark` is the bold or code mark that was opened before the label and not closed behind it.
    """

    kind: LabelKind
    start: int
    end: int
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """`Action: <tool> Action Input: {` on one line; `end` stands before the brace."""

    name: str
    start: int
    end: int


def find_label(text: str, at: int, kinds: Collection[LabelKind]) -> Label | None:
    """Return the first label of one of `kinds` that starts at or behind `at`."""
    while match := _LABEL.search(text, at):
        kind = next(kind for kind in get_args(LabelKind) if match[kind] is not None)
        if kind in kinds:
            return _label(text, kind, match)
        at = match.end()
    return None


def _label(text: str, kind: LabelKind, match: re.Match[str]) -> Label:
    mark, end = match["mark"] or "", match.end()
    if mark and match["close"]:
        mark = ""
    elif mark and text.startswith(mark, end):
        mark, end = "", end + len(mark)
    return Label(kind, match.start(), end, mark)


def find_pair(text: str, at: int, end: int | None = None) -> Pair | None:
    """Return the first one-line pair that starts at or behind `at`, and before `end` if that is given."""
    match = _PAIR.search(text, at, len(text) if end is None else end)
    return Pair(match["name"], match.start(), match.end()) if match else None
