"""Which scripts one request may read and write: those that the person's own words name or point at.

Text of scripts and words of the model never widen it. An instruction that names ids means only those; one
that names none means what its words point at, by title or content, and one script unless it speaks of several.
"""

import unicodedata
from collections.abc import Sequence
from functools import cached_property

from script_editor.agent.language import Language, language_of
from script_editor.app import desk_refusals as refusals
from script_editor.app.asked import quotations, wants_separate, without_quotations
from script_editor.app.finding import MOST_SEARCHED
from script_editor.app.naming import Named, named_in, names_in
from script_editor.app.pointing import Pointing, is_only_looked_at, pointing
from script_editor.app.ranking import rank_in
from script_editor.app.scope import Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.app.shelf import Shelf, shape_of
from script_editor.domain.script import canonical_id
from script_editor.errors import BadScriptId, ScriptNotFound
from script_editor.patterns import Pattern

MOST_SCRIPTS = 5
"""More scripts than this are not changed by one request that does not name them."""


class Reach:
    """Answers for one request whether a script may be touched; the store is asked only when that is in question."""

    def __init__(self, scripts: ScriptService, scope: Scope, ledger: Ledger):
        self._scripts, self._scope, self._ledger = scripts, scope, ledger
        self._shelf = Shelf(scripts)

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
            and script_id not in self._existing(scope.instruction) | self._left_out
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
        if is_known and not self._existing(self._scope.instruction):
            return script_id
        meant = self.named or self._talked_of
        if script_id in self._left_out:
            raise refusals.left_alone(script_id, self._language)
        if meant:
            if script_id not in meant and not self._is_variant(script_id, meant):
                if not self._points_beyond:
                    raise refusals.not_meant(script_id, meant, self._language)
                self._check_pointed_at(script_id)
            elif script_id == self._scope.script_id and self._describes_another:
                raise refusals.not_meant(script_id, self._pointed_at, self._language)
            return script_id
        self._check_exists()
        self._check_pointed_at(script_id)
        return script_id

    def proposable(self, raw_id: str) -> str:
        """Return the canonical id of a script that an edit may be proposed for, saved or not.

        That is every one that may be changed, and any at all where the words describe one that the program cannot
        tell from titles and texts, such as "the museum guide" of a Chinese script: a proposal lets the person see.

        Raises:
            ScriptNotFound, EditRefused: as `writable`.
        """
        script_id = id_for_model(raw_id)
        if not self._scope.is_one_script and self._is_undecided:
            return self._scripts.info(script_id).id
        return self.writable(raw_id)

    @property
    def _is_undecided(self) -> bool:
        """Whether the words describe a script, and fit none that is there."""
        describes = bool(self._pointing.pointers) and not self._pointing.is_universal
        return describes and not (self.named or self._talked_of or self._pointed_at)

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
            found = set(self._existing(words))  # nothing else is there to be written
        if own is None or own in self._left_out or (found and self._turns_to_another):
            return frozenset(found)
        return frozenset(found | {own})

    @property
    def _turns_to_another(self) -> bool:
        """Whether a turn begins with another script than the chat is about, and says nothing of that one."""
        words = _folded(without_quotations(self._scope.instruction))
        first = min((mention.start for mention in self._spoken(words).mentions), default=len(words))
        return _BEFORE_TOPIC.fullmatch(words[:first]) is not None and _OWN_TOO.search(words) is None

    @cached_property
    def _left_out(self) -> frozenset[str]:
        """The scripts that the words say to leave as they are."""
        words = self._scope.instruction
        out = self._spoken(without_quotations(words)).left_out
        own = self._scope.script_id
        return out | {own} if own is not None and _EXCEPT_THIS.search(_folded(words)) else out

    @property
    def _describes_another(self) -> bool:
        """Whether a turn describes other scripts, and nothing in the one that the chat is about: 防晒那条，开头短一点."""
        if (
            not self._points_beyond
            or _OWN_TOO.search(_folded(self._scope.instruction))
            or not self._pointed_at
        ):
            return False
        return not self._shelf.fits(self._pointing, str(self._scope.script_id))

    @property
    def _points_beyond(self) -> bool:
        """Whether the words of a turn describe other scripts than the one that the chat is about, and name none."""
        if self._existing(self._scope.instruction) or self._scope.script_id is None:
            return False
        return bool(self._pointing.pointers) or self._pointing.is_universal

    @property
    def missing(self) -> str | None:
        """A word of the instruction that looks like the ids in the store, and is none; None when one that exists is named."""
        shapes = {shape_of(id) for id in self._known}
        words = names_in(without_quotations(self._scope.instruction))
        strange = sorted(
            word for word in words - self._known if word[-1:].isdigit() and shape_of(word) in shapes
        )
        return strange[0] if strange and not self._existing(self._scope.instruction) else None

    @cached_property
    def _talked_of(self) -> frozenset[str]:
        """The scripts that the conversation was about last, when the words of this turn point at nothing else."""
        is_new = self._pointing.pointers or self._pointing.is_universal or rank_in(self._scope.instruction)
        if not self._scope.is_chat or is_new or self.missing:
            return frozenset()
        said = [message.content for message in self._scope.past if message.role == "user"]
        # What the person said last, and what the program's record, which comes first, says was done last.
        record = said[0].split("\n") if said and said[0].startswith(_RECORD_STARTS) else []
        spoken = next(
            (found for words in reversed(said[bool(record) :]) if (found := self._spoken_of(words))),
            frozenset(),
        )
        done = next((found for line in reversed(record) if (found := self._existing(line))), frozenset())
        return spoken | done

    def _spoken_of(self, words: str) -> frozenset[str]:
        """Return the scripts that an earlier turn named, or the one that it described: 哪条讲防晒？"""
        found = self._existing(words)
        if found:
            return found
        described = pointing(words)
        fit = self._shelf.fitting(described, words) if described.pointers else []
        return frozenset(fit) if len(fit) == 1 else frozenset()

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(info.id for info in self._scripts.list())

    @property
    def mentioned_scripts(self) -> frozenset[str]:
        """The scripts that the instruction names, whatever it says of them."""
        return self._existing(self._scope.instruction)

    def _existing(self, words: str) -> frozenset[str]:
        """Return the scripts that words name; what stands in quotation marks only when nothing else does."""
        said = self._spoken(without_quotations(words))
        return said.ids or self._spoken(" ".join(quotations(words))).ids

    def _spoken(self, words: str) -> Named:
        return named_in(_folded(words), self._known)

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
    def _pointed_at(self) -> tuple[str, ...]:
        words, rank = self._scope.instruction, rank_in(self._scope.instruction)
        if rank is not None and not self._pointing.pointers:
            return tuple(self._shelf.at_rank(rank, self._left_out))
        fit = self._shelf.fitting(self._pointing, words)
        return tuple(id for id in fit if id not in self._left_out and not is_only_looked_at(words, id))

    def _check_pointed_at(self, script_id: str) -> None:
        if len(self._known) == 1:
            return  # there is no other script that could have been meant
        meant = self._pointed_at
        if self._is_undecided:
            raise refusals.show_first(script_id, self._language)
        if script_id not in meant:
            if len(meant) > 1 and not self._pointing.several:
                raise refusals.which_one(meant, self._language)
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


def ids_named(scripts: ScriptService, instruction: str) -> tuple[str, ...]:
    """Return the ids of the scripts that an instruction names, in their order in the store."""
    reach = Reach(scripts, Scope(None, instruction, author=""), Ledger())
    return tuple(sorted(reach.mentioned_scripts))


def id_for_model(raw_id: str) -> str:
    """Return a canonical id. Raises ScriptNotFound, which the model can repair, for what cannot be one."""
    try:
        return canonical_id(raw_id)
    except BadScriptId as error:
        raise ScriptNotFound(raw_id, known=None) from error


_RECORD_STARTS = (
    "〔程序记录〕",
    "[Program record]",
)  # as `agent.memory` begins it; nothing a person says does
_BEFORE_TOPIC = Pattern(
    r"(?:\W|请|帮我|麻烦|你|先|再|现在|接着|然后|把|将|给|去|改一?下?|换到|in|on|for|now|please|then|next|go to|edit"
    r"|make|shorten|rewrite|fix"
    r"|change|the (?:opening|ending|hook|intro|title)s? of)*"
)
_OWN_TOO = Pattern(
    r"这|本脚本|当前|也|还|都|那样|那种|一样|照|像|参考|搬|拿|用到|过来|\b(?:both|this|also|here|current|too|same|like|its)\b"
)
_EXCEPT_THIS = Pattern(
    r"除了?(?:这|本|当前)[个條条]?(?:脚本|以外|之外|外|的话)*(?=[，,\s])|(?:这|本)[个條条](?:脚本)?(?:除外|不要动"
    r"|别动)|\bexcept this(?: one)?\b|\bother than this\b"
)


def _folded(words: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", words).casefold().split())
