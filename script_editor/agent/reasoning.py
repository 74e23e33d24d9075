"""A model's private reasoning inside its reply: found and taken away before anything is read as a request."""

import re

from script_editor.patterns import Pattern

_NAMES = r"(?:think|thinking|reasoning)"
_TAG = Pattern(
    rf"^[ \t]*+<(?P<opened>{_NAMES})>|(?:^[ \t]*+</{_NAMES}>|</{_NAMES}>[ \t\r]*+$)",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT_BLOCK = Pattern(rf"\s*+<(?P<opened>{_NAMES})>", re.IGNORECASE)  # right behind another one

_CHANNEL = r"(?:<\|start\|>[^<]*+)?<\|channel\|>\s*+"
_ANALYSIS = Pattern(
    rf"{_CHANNEL}analysis\b(?![^<]*to=)[^<]*+<\|message\|>.*?(?:<\|end\|>|(?=<\|start\|>|<\|channel\|>)|\Z)",
    re.DOTALL,
)
_FINAL = Pattern(rf"{_CHANNEL}final\b[^<]*+(?:<\|constrain\|>[^<]*+)?<\|message\|>")
_ENDS = (
    "<|return|>",
    "<|end|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<｜end▁of▁sentence｜>",
    "</s>",
)


def without_reasoning(text: str) -> str:
    """Return `text` without reasoning blocks.

    A closed block goes; of an opening tag without an end, everything behind it; of a closing tag
    whose opening stood in the prompt, everything before it. An opening tag counts only at the start of
    a line, a lone closing one only at the start or the end of one: elsewhere a tag is something that is
    written about. The channels of the harmony format are read the same way. A token that ends a turn, left
    over at the end, goes too.
    """
    return _without_blocks(_without_channels(_without_end(text)))


def _without_end(text: str) -> str:
    ended = text.rstrip()
    while token := next((token for token in _ENDS if ended.endswith(token)), ""):
        text = ended = ended.removesuffix(token).rstrip()
    return text


def _without_channels(text: str) -> str:
    if "<|channel|>" not in text:
        return text
    return _FINAL.sub("", _ANALYSIS.sub("", text))


def _without_blocks(text: str) -> str:
    kept: list[str] = []
    at = 0
    while tag := (_NEXT_BLOCK.match(text, at) if at else None) or _TAG.search(text, at):
        if tag["opened"] is None:
            kept.clear()
            at = tag.end()
            continue
        kept.append(text[at : tag.start()])
        end = re.compile(f"</{tag['opened']}>", re.IGNORECASE).search(text, tag.end())
        if end is None:
            return "".join(kept)
        at = end.end()
    return "".join([*kept, text[at:]])
