"""The scripts of the store as an instruction can point at them: by words of title and text, or by a place among all."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from script_editor.app.asked import plain, quotations
from script_editor.app.finding import MOST_SEARCHED
from script_editor.app.pointing import Pointing, telling_words
from script_editor.app.ranking import Rank
from script_editor.app.scripts import ScriptService
from script_editor.domain.duration import estimate
from script_editor.domain.script import ScriptInfo


@dataclass(frozen=True, slots=True)
class Candidate:
    """A script, its title with its id and its newest text in searchable form, and its spoken time."""

    script_id: str
    title: str
    text: str
    seconds: float


class Shelf:
    """Reads the scripts once, when something is first pointed at."""

    def __init__(self, scripts: ScriptService):
        self._scripts = scripts

    @cached_property
    def _infos(self) -> tuple[ScriptInfo, ...]:
        return tuple(self._scripts.list(limit=MOST_SEARCHED))

    @cached_property
    def _all(self) -> tuple[Candidate, ...]:
        texts = {head.script_id: head.text for head in self._scripts.heads(self._infos)}
        return tuple(_candidate(info, texts[info.id]) for info in self._infos if info.id in texts)

    def fits(self, meant: Pointing, script_id: str) -> bool:
        """Say whether one script may be what words speak of."""
        return any(one.script_id == script_id and meant.means(one.title, one.text) for one in self._all)

    def fitting(self, meant: Pointing, instruction: str) -> list[str]:
        """Return the scripts that words speak of; only the closest where they speak of one."""
        fit = [one for part in meant.each() for one in self._fitting(part, instruction)]
        return list(dict.fromkeys(one.script_id for one in fit))

    def _fitting(self, meant: Pointing, instruction: str) -> list[Candidate]:
        fit = [one for one in self._all if meant.means(one.title, one.text)]
        if meant.is_universal and not meant.pointers:
            quoted = [plain(words) for words in quotations(instruction)]
            return [one for one in fit if any(words in one.text for words in quoted)] or fit
        return _closest(fit, meant) if not meant.several and len(fit) > 1 else fit

    def at_rank(self, rank: Rank, left_out: Collection[str]) -> list[str]:
        """Return the script at a place among all but those left out; two, when its number and its place differ."""
        infos = [info for info in self._infos if info.id not in left_out]
        if rank.by == "newest":
            newest = max((info.updated_at for info in infos), default=None)
            return [info.id for info in infos if info.updated_at == newest]
        if rank.by == "place":
            counted = [info.id for info in infos if number_of(info.id) == rank.place]
            return list(
                dict.fromkeys([*_at_place(infos, rank.place), *(counted if len(counted) == 1 else [])])
            )
        spoken = {one.script_id: one.seconds for one in self._all if one.script_id not in left_out}
        wanted = (max if rank.by == "longest" else min)(spoken.values(), default=0.0)
        return [id for id, seconds in spoken.items() if seconds == wanted]


def _candidate(info: ScriptInfo, text: str) -> Candidate:
    return Candidate(info.id, plain(f"{info.id} {info.title}"), plain(text), estimate(text).seconds)


def _at_place(infos: list[ScriptInfo], place: int) -> list[str]:
    if place == -1:
        return [infos[-1].id] if infos else []
    return [infos[place - 1].id] if 0 < place <= len(infos) else []


def _closest(fit: list[Candidate], meant: Pointing) -> list[Candidate]:
    """Return the scripts that most of the words fit; a title counts more than a text."""
    words = [word for pointer in meant.pointers for word in (pointer.words, *telling_words(pointer.words))]
    words = words or list(meant.words)

    def weight(one: Candidate) -> tuple[int, int]:
        return (
            sum(len(word) for word in words if word in one.title),
            0 if meant.pointers else sum(len(word) for word in words if word in one.text),
        )

    best = max(map(weight, fit))
    return [one for one in fit if weight(one) == best]


def number_of(script_id: str) -> int | None:
    """Return the number that an id ends in."""
    digits = script_id[len(shape_of(script_id)) :]
    return int(digits) if digits else None


def shape_of(script_id: str) -> str:
    """Return an id without the digits at its end: what ids that are counted on have in common."""
    return script_id.rstrip("0123456789")
