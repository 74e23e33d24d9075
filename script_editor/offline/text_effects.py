"""What requests about text do to the script: replace, exchange, cut fillers, rewrite, add inside a line."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import assert_never

from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.offline import doubts, refusals, sayings
from script_editor.offline.effects import Change, Effects
from script_editor.offline.fillers import EN_FILLERS, ZH_FILLERS, cut_fillers, in_both_scripts, stands_free
from script_editor.offline.hits import Hit, find_hits, scope_stretches, shown_needle
from script_editor.offline.lines import stretches
from script_editor.offline.marks import Mark, Width, written
from script_editor.offline.occurrences import occurrences, tidied
from script_editor.offline.requests import (
    EVERY,
    CutFillers,
    ExchangeTexts,
    InsertInline,
    ReplaceText,
    RewriteLines,
)
from script_editor.offline.values import value_meant
from script_editor.offline.wording import Language

TextRequest = ReplaceText | ExchangeTexts | CutFillers | RewriteLines | InsertInline

_HAN_START = "\u2e80"


def text_effects(request: TextRequest, script: NumberedScript, language: Language) -> Effects:
    """Return what a request does.

    Raises:
        EditRefused: no_match, ambiguous_match or unchanged; nothing is decided by similarity.
        BeyondOffline: the words to look for do not occur and rather describe a quality.
    """
    match request:
        case ReplaceText():
            return _replace(request, script, language)
        case ExchangeTexts():
            return _exchange(request, script, language)
        case CutFillers():
            return _cut_fillers(request, script, language)
        case RewriteLines():
            return _rewrite(request, script, language)
        case InsertInline():
            return _insert(request, script, language)
        case _:
            assert_never(request)


# --- replace and exchange ------------------------------------------------------------------------


def _replace(request: ReplaceText, script: NumberedScript, language: Language) -> Effects:
    changes: list[Change] = []
    notes: list[str] = []
    for index, needle in enumerate(request.needles):
        new = request.new[index] if len(request.new) > 1 else request.new[0]
        try:
            hits = find_hits(needle, request.which, request.scope, script, language)
        except EditRefused as refused:
            if request.beyond_if_absent and refused.reason == "no_match":
                raise refusals.beyond(language, shown_needle(needle)) from refused
            raise
        if not request.is_quoted and isinstance(needle, str) and isinstance(new, str) and new:
            _check_meant(needle, new, hits, script, language)
        changes += [_change(hit, new, script) for hit in hits]
        notes.append(_note(shown_needle(needle), len(hits), new == "", language))
    return Effects(changes=tuple(changes), notes=tuple(notes))


def _check_meant(
    needle: str, new: str, hits: Sequence[Hit], script: NumberedScript, language: Language
) -> None:
    if value := value_meant(needle, new, hits, script):
        raise doubts.noun_or_value(language, needle, value, new)


def _change(hit: Hit, new: str | Mark, script: NumberedScript) -> Change:
    content = script.segment(hit.number).content
    if new == "":
        start, end = tidied(content, (hit.start, hit.end))
        return Change(hit.number, start, end, "")
    text = new if isinstance(new, str) else written(new, hit.mark, default=_width_of(content))
    return Change(hit.number, hit.start, hit.end, text)


def _note(what: str, count: int, deletes: bool, language: Language) -> str:
    shown = sayings.shown(what)
    if language == "zh":
        return f"{'删除' if deletes else '替换'}了 {count} 处“{shown}”。"
    times = "1 occurrence" if count == 1 else f"{count} occurrences"
    return f'{"Deleted" if deletes else "Replaced"} {times} of "{shown}".'


def _width_of(content: str) -> Width:
    """Return the width that marks have in a line: full where it is written in Chinese."""
    return "full" if any(char >= _HAN_START for char in content) else "half"


def _exchange(request: ExchangeTexts, script: NumberedScript, language: Language) -> Effects:
    pairs = ((request.first, request.second), (request.second, request.first))
    both = tuple(
        _replace(ReplaceText((old,), (new,), scope=request.scope), script, language) for old, new in pairs
    )
    return Effects(changes=both[0].changes + both[1].changes, notes=both[0].notes + both[1].notes)


# --- fillers -------------------------------------------------------------------------------------


def _cut_fillers(request: CutFillers, script: NumberedScript, language: Language) -> Effects:
    if not request.is_sure:
        literal = _unless_fillers(request, script, language)
        if literal is not None:
            return literal
    words = in_both_scripts(request.words) or (*ZH_FILLERS, *EN_FILLERS)
    changes: list[Change] = []
    total = 0
    for number in dict.fromkeys(area.number for area in scope_stretches(request.scope, script, language)):
        content = script.segment(number).content
        shorter, count = cut_fillers(content, words)
        changes += _differences(number, content, shorter)
        total += count
    if not total and request.is_pointing:
        raise doubts.no_target(language, request.words[0])
    if not total:
        raise refusals.no_fillers(language)
    zh, en = f"删掉了 {total} 个语气词。", f"Removed {total} filler{'s' if total > 1 else ''}."
    return Effects(changes=tuple(changes), notes=(zh if language == "zh" else en,))


def _unless_fillers(request: CutFillers, script: NumberedScript, language: Language) -> Effects | None:
    """Take quoted words literally when none of them stands free; refuse when some do and some do not."""
    free, used = 0, ""
    for area in scope_stretches(request.scope, script, language):
        content = script.segment(area.number).content
        for word in request.words:
            for start, end in occurrences(content, word):
                is_free = stands_free(content, start, end)
                free += is_free
                used = used or ("" if is_free else word)
    if free and used:
        raise doubts.in_use_too(language, used)
    if free:
        return None
    return _replace(ReplaceText(request.words, ("",), EVERY, request.scope), script, language)


def _differences(number: int, old: str, new: str) -> list[Change]:
    """Return the changes that turn `old` into `new`, so that other parts may change the rest of the line."""
    opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [Change(number, i1, i2, new[j1:j2]) for tag, i1, i2, j1, j2 in opcodes if tag != "equal"]


# --- rewrite and add -----------------------------------------------------------------------------


def _rewrite(request: RewriteLines, script: NumberedScript, language: Language) -> Effects:
    found = stretches(request.lines, script, language)
    if len(found) != 1 and not request.lines.each:
        raise doubts.one_line_wanted(language, [stretch.number for stretch in found])
    whole = tuple((stretch.number, request.text) for stretch in found if stretch.is_whole)
    inner = tuple(
        Change(stretch.number, stretch.start, stretch.end, request.text)
        for stretch in found
        if not stretch.is_whole
    )
    return Effects(rewritten=whole, changes=inner)


def _insert(request: InsertInline, script: NumberedScript, language: Language) -> Effects:
    found = stretches(request.place.lines, script, language)
    changes = []
    for stretch in found:
        content = script.segment(stretch.number).content
        text = (
            request.text
            if isinstance(request.text, str)
            else written(request.text, None, default=_width_of(content))
        )
        at = stretch.end if request.place.edge == "end" else stretch.start
        changes.append(Change(stretch.number, at, at, _spaced(content[:at], text, content[at:])))
    return Effects(changes=tuple(changes))


def _spaced(before: str, text: str, after: str) -> str:
    """Return `text` with the spaces that words of an alphabet need on both sides."""
    left = before[-1:].isascii() and before[-1:].strip() and text[:1].isascii() and text[:1].isalnum()
    right = text[-1:].isascii() and text[-1:].strip() and after[:1].isascii() and after[:1].isalnum()
    return f"{' ' if left else ''}{text}{' ' if right else ''}"
