"""Questions to a person on a terminal: that they are answered after they were seen, and which words are an answer.

Keys pressed while the model was at work are no answer to what was not on the screen yet, and Enter agrees only to
a question as it is first shown: behind an answer that was not understood it may be meant for something else.
"""

import re
import sys
import unicodedata
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import click

from script_editor.errors import Language

Key = Literal["y", "n", "h", "r"]

_KEYS: Mapping[Key, str] = {
    "y": "y yes yeah yep ok okay sure 是 是的 好 好的 好吧 好啊 好呀 行 可以 可以的 要 对 对的 嗯 保存 存 同意 确定 确认 没问题",
    "n": "n no nope q quit cancel 否 不 不要 不行 不用 不用了 不可以 不好 不是 不对 不了 别 不保存 不存 别保存 先不 算了 取消",
    "h": "h hunks",
    "r": "r retry again 重来 再来 重试",
}
_WORDS: Mapping[str, Key] = {
    **{word: key for key, words in _KEYS.items() for word in words.split()},
    "yes please": "y", "yes, please": "y", "no thanks": "n", "no, thanks": "n", "no thank you": "n",
}  # fmt: skip
_LEAVING = frozenset({"q", "quit", "cancel"})
"""These say no, but no reason follows them."""
_WITH_REASON = re.compile(
    r"(?P<word>[a-z]+(?=[^\x00-\x7f])"
    r"|(?:[a-z]+|不保存|不可以|不用了?|不[好是对了存]|别保存?|先不|算了|取消|[否不重再][要行来试]?)"
    r"(?=[\s,，、:：;；.。!！-]))"
    r"[\s,，、:：;；.。!！-]*(?P<reason>.*\S)",
    re.IGNORECASE | re.DOTALL,
)
"""A no, or another try, and why: "n too long", "no, too long", "n太长了", "不行，太长了"."""
_AGAIN: Mapping[Language, str] = {
    "zh": "没有看懂这个回答，什么也没有做。",
    "en": "That answer was not understood, and nothing was done.",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person typed: a key, and with n and r perhaps a reason."""

    key: Key
    reason: str = ""


def read_line(question: str, *, suffix: str = ": ") -> str:
    """Show a question and return what is typed behind it, "" for Enter alone.

    Raises click.Abort when the person leaves by Ctrl-C or Ctrl-D.
    """
    forget_typed()
    typed: str = click.prompt(question, default="", show_default=False, prompt_suffix=suffix, err=True)
    return typed


def forget_typed() -> None:
    """Throw away what was typed on the terminal of stdin and not read yet; elsewhere nothing is lost."""
    # What stdin is not, or is no more, has nothing waiting; not every system has such terminals.
    with suppress(ImportError, OSError, ValueError):
        import termios

        if sys.stdin.isatty():
            with suppress(termios.error):
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def confirm(question: str, *, default: bool, language: Language = "en") -> bool:
    """Ask something to be answered by yes or no; Enter alone means `default`."""
    first, again = ("[Y/n]", "[y/n]") if default else ("[y/N]", "[y/N]")
    shown = f"{question} {first}", f"{question} {again}"
    return choose(shown, "yn", default="y" if default else "n", language=language).key == "y"


def choose(
    shown: tuple[str, str],
    keys: Collection[str],
    *,
    default: Key | None,
    help: str = "",
    with_reason: bool = False,
    language: Language = "en",
) -> Answer:
    """Ask until there is an answer that is one of `keys`.

    `shown` is the question the first time, and again; `help` says more than fits into it. Enter means `default`, but
    a yes only the first time; with None it is no answer at all.
    """
    suffix = "：" if language == "zh" else ": "
    answer = _of_keys(read_line(shown[0], suffix=suffix), keys, with_reason=with_reason, empty=default)
    empty = None if default == "y" else default
    while answer is None:
        click.echo(_AGAIN[language], err=True)
        if help:
            click.echo(help, err=True)
        answer = _of_keys(read_line(shown[1], suffix=suffix), keys, with_reason=with_reason, empty=empty)
    return answer


def _of_keys(raw: str, keys: Collection[str], *, with_reason: bool, empty: Key | None) -> Answer | None:
    if not raw.strip():
        return Answer(empty) if empty else None
    answer = read_answer(raw)
    if answer is None or answer.key not in keys:
        return None
    return answer if with_reason else Answer(answer.key)


def read_answer(raw: str) -> Answer | None:
    """Return what was typed as an answer, None when it is none."""
    typed = raw.strip()
    if key := _WORDS.get(_folded(typed)):
        return Answer(key)
    said = _WITH_REASON.fullmatch(typed)
    word = said["word"].lower() if said else ""
    key = _WORDS.get(word) if word not in _LEAVING else None
    return Answer(key, said["reason"].strip()) if said and key in ("n", "r") else None


def _folded(typed: str) -> str:
    """Return a typed word without width, case and a full stop behind it."""
    return " ".join(unicodedata.normalize("NFKC", typed).lower().rstrip(".。!~～").split())
