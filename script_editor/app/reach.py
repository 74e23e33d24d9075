"""Which scripts one request may read and write: those that the person's own words name or point at.

Text of scripts and words of the model never widen it. An instruction that names ids means only those; one
that names none means what its words point at, by title or content, and one script unless it speaks of several.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from script_editor.agent.language import Language, language_of
from script_editor.app import desk_refusals as refusals
from script_editor.app.asked import plain, quotations, wants_separate, without_quotations
from script_editor.app.pointing import Pointing, is_only_looked_at, pointing
from script_editor.app.scope import Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.domain.references import Reference, Selector
from script_editor.domain.script import canonical_id
from script_editor.errors import BadScriptId, ScriptNotFound

MOST_SCRIPTS = 5
"""More scripts than this are not changed by one request that does not name them."""

MOST_SEARCHED = 500
"""So many scripts are looked through for words, in the order of their ids."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A script with its title and newest text in searchable form."""

    script_id: str
    title: str
    text: str


class Reach:
    """Answers for one request whether a script may be touched; the store is asked only when that is in question."""

    def __init__(self, scripts: ScriptService, scope: Scope, ledger: Ledger):
        self._scripts, self._scope, self._ledger = scripts, scope, ledger

    def readable(self, raw_id: str) -> str:
        """Return the canonical id of a script that may be read.

        Raises:
            ScriptNotFound: it cannot be an id.
            EditRefused: the request is about another script and does not name this one.
        """
        script_id = id_for_model(raw_id)
        scope = self._scope
        if (
            scope.is_one_script
            and script_id != scope.script_id
            and script_id not in names_in(scope.instruction)
        ):
            raise refusals.outside(script_id, str(scope.script_id))
        return script_id

    def writable(self, raw_id: str, proposal_id: str | None = None) -> str:
        """Return the canonical id of a script that may be changed.

        With `proposal_id` a stored proposal is to be saved: one that this run made or the conversation speaks
        of is meant, whatever script it is for, unless the words name another.

        Raises:
            ScriptNotFound: there is no such script; names near ids.
            EditRefused: the person's words do not mean it, or mean more scripts than one request may change.
        """
        script_id = id_for_model(raw_id)
        if self._scope.is_one_script:
            if script_id != self._scope.script_id:
                raise refusals.outside(script_id, str(self._scope.script_id))
            return script_id
        script_id = self._scripts.info(script_id).id
        is_known = proposal_id is not None and bool(self.mentioned([proposal_id]))
        meant = self.named or (frozenset() if is_known else self._talked_of)
        if is_known and not meant:
            return script_id
        if meant:
            if script_id not in meant and not self._is_variant(script_id, meant):
                raise refusals.not_meant(script_id, meant, self._language)
            return script_id
        self._check_exists()
        self._check_pointed_at(script_id)
        return script_id

    def _is_variant(self, script_id: str, meant: frozenset[str]) -> bool:
        """Say whether a script is the variant in another language that is to be written beside one that is meant."""
        name, dot, _ = script_id.partition(".")
        return bool(dot) and name in meant and wants_separate(self._scope.instruction)

    def mentioned(self, proposal_ids: Sequence[str]) -> list[str]:
        """Return those of some proposals that this run made, or that the conversation or the instruction speaks of."""
        made = {review.proposal.id for review in self._ledger.reviews}
        texts = [self._scope.instruction, *(message.content for message in self._scope.past)]
        return [id for id in proposal_ids if id in made or any(id in text for text in texts)]

    # --- named -------------------------------------------------------------------------------

    @cached_property
    def named(self) -> frozenset[str]:
        """The scripts that may be written because they are named, or the one the chat is about."""
        own, words = self._scope.script_id, self._scope.instruction
        found = {id for id in self._existing(words) if not is_only_looked_at(words, id)}
        if not found and own is None and not self._pointing.pointers:
            found = self._existing(words)  # nothing else is there to be written
        return frozenset(found if own is None else found | {own})

    @property
    def missing(self) -> str | None:
        """A word of the instruction that looks like the ids in the store, and is none; None when one that exists is named."""
        shapes = {_shape(id) for id in self._known}
        words = names_in(without_quotations(self._scope.instruction))
        strange = sorted(
            word for word in words - self._known if word[-1:].isdigit() and _shape(word) in shapes
        )
        return strange[0] if strange and not self._existing(self._scope.instruction) else None

    @cached_property
    def _talked_of(self) -> frozenset[str]:
        """The scripts that the conversation was about last, when the words of this turn point at nothing else."""
        if not self._scope.is_chat or self._pointing.pointers or self.missing:
            return frozenset()
        said = [message.content for message in self._scope.past if message.role == "user"]
        # What the person said last, and what the program's record, which comes first, says was done last.
        spoken = next((found for words in reversed(said[1:]) if (found := self._existing(words))), set())
        record = reversed(said[0].split("\n")) if said else ()
        done = next((found for line in record if (found := self._existing(line))), set())
        return frozenset(spoken | done)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(info.id for info in self._scripts.list())

    def _existing(self, words: str) -> set[str]:
        """Return the scripts that words name; what stands in quotation marks only when nothing else does."""
        return self._spoken(without_quotations(words)) or self._spoken(" ".join(quotations(words)))

    def _spoken(self, words: str) -> set[str]:
        folded = words.casefold()
        han = {id for id in self._known if _HAN.search(id) and id in folded}
        longest = {id for id in han if not any(id != other and id in other for other in han)}
        return (names_in(words) & self._known) | longest

    def _check_exists(self) -> None:
        if self.missing is not None:
            self._scripts.info(self.missing)  # raises, and names what is near

    @property
    def _language(self) -> Language:
        return language_of(self._scope.instruction)

    # --- pointed at --------------------------------------------------------------------------

    @cached_property
    def _pointing(self) -> Pointing:
        return pointing(self._scope.instruction)

    @cached_property
    def shelf(self) -> tuple[Candidate, ...]:
        """The scripts that are looked through, at most MOST_SEARCHED."""
        return tuple(
            Candidate(
                info.id, plain(info.title), plain(self._scripts.read(Reference(info.id, Selector())).text)
            )
            for info in self._scripts.list(limit=MOST_SEARCHED)
        )

    @cached_property
    def _pointed_at(self) -> tuple[str, ...]:
        fit = [one for one in self.shelf if self._pointing.means(f"{one.script_id} {one.title}", one.text)]
        if self._pointing.is_universal and not self._pointing.pointers:
            quoted = [plain(words) for words in quotations(self._scope.instruction)]
            fit = [one for one in fit if any(words in one.text for words in quoted)] or fit
        elif not self._pointing.several and len(fit) > 1:
            fit = self._closest(fit)
        looked_at = {
            one.script_id for one in fit if is_only_looked_at(self._scope.instruction, one.script_id)
        }
        return tuple(one.script_id for one in fit if one.script_id not in looked_at)

    def _closest(self, fit: list[Candidate]) -> list[Candidate]:
        """Return the scripts that most of the words fit; a title counts more than a text."""
        words = [pointer.words for pointer in self._pointing.pointers] or list(self._pointing.words)

        def weight(one: Candidate) -> tuple[int, int]:
            return (
                sum(len(word) for word in words if word in one.title),
                0 if self._pointing.pointers else sum(len(word) for word in words if word in one.text),
            )

        best = max(map(weight, fit))
        return [one for one in fit if weight(one) == best]

    def _check_pointed_at(self, script_id: str) -> None:
        if len(self._known) == 1:
            return  # there is no other script that could have been meant
        meant = self._pointed_at
        if script_id not in meant:
            raise refusals.not_meant(script_id, meant, self._language)
        if self._pointing.several:
            if len(meant) > MOST_SCRIPTS:
                raise refusals.too_many(
                    len(meant), MOST_SCRIPTS, self._language, at_least=len(self._known) > MOST_SEARCHED
                )
        elif len(meant) > 1:
            raise refusals.which_one(meant, self._language)


def check_named(scripts: ScriptService, instruction: str) -> None:
    """Raises ScriptNotFound, with near ids, when an instruction names a script that is not there, and none that is."""
    missing = Reach(scripts, Scope(None, instruction, author=""), Ledger()).missing
    if missing is not None:
        scripts.info(missing)


def id_for_model(raw_id: str) -> str:
    """Return a canonical id. Raises ScriptNotFound, which the model can repair, for what cannot be one."""
    try:
        return canonical_id(raw_id)
    except BadScriptId as error:
        raise ScriptNotFound(raw_id, known=None) from error


_HAN = re.compile(r"[\u3400-\u9fff]{2}")
# Words of any script between spaces, and Latin ids that Chinese text surrounds without one.
_NAMES = (re.compile(r"[\w-]+(?:\.[\w-]+)?"), re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z-]+)?"))


def names_in(instruction: str) -> set[str]:
    """Return the words of an instruction that could be ids, in their canonical spelling; `a` is not in "make"."""
    names = set()
    for word in {word for pattern in _NAMES for word in pattern.findall(instruction)}:
        with suppress(BadScriptId):
            names.add(canonical_id(word))
    return names


def _shape(script_id: str) -> str:
    """Return an id without the digits at its end: what ids that are counted on have in common."""
    return script_id.rstrip("0123456789")
