"""Which scripts of the store a plan is about, chosen by what they are like."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from script_editor.domain.duration import estimate
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import ScriptInfo, Version
from script_editor.domain.spoken.words import UNKNOWN_LANGUAGE, language_of_text

_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a script must be like; all of it. `pattern` is one of ids, with `*` and `?`; seconds are spoken time.

    `language` is a code such as "zh"; a script of which none was stored is taken by what it is written in, and
    "und" means just those. `words` must all occur, as they are written.
    """

    pattern: str = "*"
    language: str | None = None
    longer_than: float | None = None
    shorter_than: float | None = None
    words: tuple[str, ...] = ()

    @property
    def needs_texts(self) -> bool:
        """Whether every script has to be read to be judged."""
        return bool(self.words) or self.longer_than is not None or self.shorter_than is not None


def selected(scripts: ScriptStore, selection: Selection) -> Iterator[str]:
    """Yield the ids of the scripts that are meant, in order; archived ones are left out.

    Texts are read only where something about them is asked.
    """
    meant = [info for info in scripts.scripts() if _is_named(info.id, selection) and _may_be(info, selection)]
    for start in range(0, len(meant), _AT_ONCE):
        some = meant[start : start + _AT_ONCE]
        unread = [info.id for info in some if selection.needs_texts or _is_unsure(info, selection)]
        heads = {head.script_id: head for head in scripts.heads(unread)} if unread else {}
        yield from (info.id for info in some if _is_like(info, heads.get(info.id), selection))


def none_like(selection: Selection) -> tuple[str, str]:
    """Return that no script is like what a selection asks for, in English and in Chinese."""
    en, zh = [], []
    if selection.pattern != "*":
        en.append(f"has an id like {selection.pattern!r}")
        zh.append(f"编号像“{selection.pattern}”")
    if selection.language is not None:
        en.append(f"is in the language {selection.language!r}")
        zh.append(f"语言是 {selection.language}")
    if selection.longer_than is not None:
        en.append(f"takes longer than {selection.longer_than:g} s")
        zh.append(f"长于 {selection.longer_than:g} 秒")
    if selection.shorter_than is not None:
        en.append(f"takes less than {selection.shorter_than:g} s")
        zh.append(f"短于 {selection.shorter_than:g} 秒")
    for word in selection.words:
        en.append(f"has {word!r} in its text")
        zh.append(f"文中有“{word}”")
    if not en:
        return "There is no script in the store.", "库里还没有脚本。"
    return f"No script {' and '.join(en)}.", f"没有{'、'.join(zh)}的脚本。"


def _is_named(script_id: str, selection: Selection) -> bool:
    # As `canonical_id` spells the ids.
    return fnmatchcase(script_id, unicodedata.normalize("NFKC", selection.pattern).strip().lower())


def _may_be(info: ScriptInfo, selection: Selection) -> bool:
    if selection.language is None:
        return True
    wanted, stored = selection.language.casefold(), info.language.casefold()
    return stored == wanted or stored.startswith(f"{wanted}-") or _is_unsure(info, selection)


def _is_unsure(info: ScriptInfo, selection: Selection) -> bool:
    """Whether only the text can tell if a script is in the language that is wanted."""
    wanted = selection.language
    return (
        wanted is not None
        and wanted.casefold() != UNKNOWN_LANGUAGE
        and info.language.casefold() == UNKNOWN_LANGUAGE
    )


def _is_like(info: ScriptInfo, head: Version | None, selection: Selection) -> bool:
    if head is None:  # either nothing is asked of it, or it is gone by now, which the plan will tell
        return True
    if _is_unsure(info, selection) and not _is_written_in(head.text, (selection.language or "").casefold()):
        return False
    if not all(word in head.text for word in selection.words):
        return False
    if selection.longer_than is None and selection.shorter_than is None:
        return True
    seconds = estimate(head.text).seconds
    longer, shorter = selection.longer_than, selection.shorter_than
    return (longer is None or seconds > longer) and (shorter is None or seconds < shorter)


def _is_written_in(text: str, language: str) -> bool:
    return language == language_of_text(text)
