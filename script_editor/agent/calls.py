"""A call as a model asked for it, before anything about it is believed; and the names that are no tools."""

import re
from dataclasses import dataclass

from script_editor.patterns import Pattern

_CHANNEL = Pattern(r"<[|｜].*", re.DOTALL)  # `history<|channel|>commentary`
_NAMESPACE = Pattern(r"^(?:functions?|tools?)[.:/]", re.IGNORECASE)
_INDEX = Pattern(r":\d+$")  # `functions.history:0`
_QUOTES = " \t\r\n`*\"'“”‘’＂＇「」『』"
_NOTHING = Pattern(r"(?:none|null|nil|n/?a|无|沒有|没有|空)?[.。]?", re.IGNORECASE)
_NO_TOOL = Pattern(
    r"(?:none|null|nil|n/?a|no\s+(?:tool|action)s?|无|没有|不需要|无需)(?!\w)[^\n]*|无需(?:调用)?工具|不需要(?:调用)?工具",
    re.IGNORECASE,
)
_FINISH_NAMES = frozenset({"finalanswer", "finish", "最终答案", "最终回答"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedCall:
    """One call of a reply. `arguments` is a decoded JSON value, or text still to be read, or None.

    `where` is what the arguments are called in the format at hand, for the feedback. `prose` is text
    that stood around the arguments: harmless before a read, but it may take a write back. `complete`
    is False when the arguments run up to the very end of the reply and nothing shows that they ended.
    """

    name: str
    arguments: object = None
    call_id: str = ""
    where: str = "arguments"
    prose: str = ""
    complete: bool = True


def canonical(name: str) -> str:
    """Return `name` without what models put around and into tool names: quotes, case, hyphens, a namespace."""
    name = _CHANNEL.sub("", name).strip(_QUOTES)
    name = _INDEX.sub("", _NAMESPACE.sub("", name)).strip(_QUOTES)
    return re.sub(r"[\s-]+", "_", name).casefold()


def is_finish(name: str) -> bool:
    """Whether `name` is the end of the run spelled as if it were a tool: Final Answer, FINISH, 最终答案."""
    return canonical(name).replace("_", "") in _FINISH_NAMES


def is_no_tool(name: str) -> bool:
    """Whether `name` says that no tool is wanted, with or without a remark: None, 无, N/A (direct reply)."""
    return _NO_TOOL.fullmatch(name.strip(_QUOTES)) is not None


def is_nothing(text: str) -> bool:
    """Whether `text`, given as arguments, means that there are none."""
    return _NOTHING.fullmatch(text.strip(_QUOTES)) is not None
