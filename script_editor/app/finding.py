"""Finding scripts by what is known of them: id, title, or words of their newest text."""

from collections.abc import Iterator
from dataclasses import dataclass

from script_editor.app.asked import plain
from script_editor.app.pointing import has_word, telling_words
from script_editor.app.scripts import ScriptService
from script_editor.domain.script import ScriptInfo, Version
from script_editor.domain.segments import NumberedScript, Segment

MOST_SEARCHED = 500
"""So many newest texts are looked through in one search, in the order of the ids."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A script that was found, its newest text, and the first line that the words stand in, if one was searched for."""

    info: ScriptInfo
    head: Version
    line: Segment | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave, by id. `is_partial` says that there were more texts than are looked through."""

    hits: tuple[Hit, ...]
    is_partial: bool = False


def find_scripts(scripts: ScriptService, query: str) -> Found:
    """Return the scripts whose id, title or newest text holds `query`.

    Only where none does: those that hold all its words, and where none does either, those that hold one.
    """
    shelf, named = scripts.list(limit=MOST_SEARCHED + 1), scripts.list(query)
    by_name, searched = {info.id for info in named}, shelf[:MOST_SEARCHED]
    # What is not looked through is found by its name all the same.
    late = [info for info in named if info.id > searched[-1].id] if len(shelf) > MOST_SEARCHED else []
    heads = {head.script_id: head for head in scripts.heads([*searched, *late])}
    phrase, words = plain(query), _words(query)
    ranked = [
        (rank, hit)
        for info in searched
        if info.id in heads
        for rank, hit in _ranked(info, heads[info.id], phrase, words, is_named=info.id in by_name)
    ]
    best = max((rank for rank, _ in ranked), default=0)
    hits = [hit for rank, hit in ranked if rank == best]
    hits.extend(Hit(info, heads[info.id]) for info in late if info.id in heads)
    return Found(tuple(hits), len(shelf) > MOST_SEARCHED)


def _words(query: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*plain(query).split(" "), *telling_words(query)]))


def _ranked(
    info: ScriptInfo, head: Version, phrase: str, words: tuple[str, ...], *, is_named: bool
) -> Iterator[tuple[int, Hit]]:
    """Yield a script with how well it fits: 3 by name or the whole query, 2 by all words, 1 by one."""
    text = plain(head.text)
    whole = f"{info.id} {plain(info.title)} {text}"
    if is_named or has_word(whole, phrase):
        yield 3, Hit(info, head, _line(head, (phrase,)))
    elif all(has_word(whole, word) for word in phrase.split(" ")):
        yield 2, Hit(info, head, _line(head, words))
    elif any(has_word(whole, word) for word in telling_words(phrase)):
        yield 1, Hit(info, head, _line(head, telling_words(phrase)))


def _line(head: Version, words: tuple[str, ...]) -> Segment | None:
    """Return the first line that holds the first of the words that stands anywhere."""
    segments = NumberedScript(head.script_id, head.number, head.text).segments
    shown = [(segment, plain(segment.content)) for segment in segments]
    return next((segment for word in words for segment, text in shown if has_word(text, word)), None)
