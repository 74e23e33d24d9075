"""What the words of a request let a tool save: a new edit, a stored proposal, an older text; and how often.

Each check raises EditRefused with what to do instead. A model that misreads a question, a "not yet" or a "no"
meets them here; what is only proposed passes.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from script_editor.agent.language import Language, language_of
from script_editor.app import desk_refusals as refusals
from script_editor.app.asked import (
    forbids_saving,
    saves_allowed,
    steps_back,
    takes_proposal,
    wants_separate,
)
from script_editor.app.proposals import ProposalService
from script_editor.app.reach import Reach
from script_editor.app.scope import Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.app.verdicts import declines, takes_bare, wants_another_edit
from script_editor.app.wishes import (
    goes_back,
    is_step_back,
    only_asks,
    only_goes_back,
    versions_named,
    wants_deletion,
)
from script_editor.patterns import Pattern


class Permits:
    """Answers for one request; the words are read once."""

    def __init__(
        self, scripts: ScriptService, proposals: ProposalService, reach: Reach, scope: Scope, ledger: Ledger
    ):
        self._scripts, self._proposals, self._reach = scripts, proposals, reach
        self._scope, self._ledger = scope, ledger

    @property
    def _words(self) -> str:
        return self._scope.instruction

    @property
    def _language(self) -> Language:
        return language_of(self._words)

    @cached_property
    def _only_asks(self) -> bool:
        return only_asks(self._words)

    @cached_property
    def _is_taken(self) -> bool:
        return takes_proposal(self._words, in_conversation=bool(self._scope.past))

    def check_count(self, script_id: str) -> None:
        """Raises EditRefused when the request has saved as many versions of a script as its words ask for."""
        saved = self._ledger.saved_by_script.get(script_id, [])
        if len(saved) >= saves_allowed(self._words):
            raise refusals.saved_already(saved[-1], self._language)

    def check_edit(self, script_id: str) -> None:
        """Raises EditRefused unless the person wants a new edit saved.

        They may want to see it first, or to know something, or a script of its own, or a stored proposal.
        """
        self._check_wants_a_save(script_id)
        if wants_separate(self._words) and "." not in script_id:
            raise refusals.separate(script_id, self._language)
        if self._is_taken and not wants_another_edit(self._words):
            stored = [one.id for one in self._proposals.open(script_id)]
            raise refusals.proposal_meant(script_id, self._reach.mentioned(stored) or stored, self._language)
        if only_goes_back(self._words):
            raise refusals.only_back(script_id, self._language)

    def check_take(self, script_id: str, proposal_id: str) -> None:
        """Raises EditRefused unless the person wants this stored proposal saved; one that this run made is an edit."""
        self._check_wants_a_save(script_id)
        if any(review.proposal.id == proposal_id for review in self._ledger.reviews):
            return
        is_named = proposal_id in self._words
        if declines(self._words):
            raise refusals.not_taken(proposal_id, self._language)
        if not (is_named or self._is_taken) and (
            not self._reach.mentioned([proposal_id]) or wants_another_edit(self._words)
        ):
            raise refusals.not_taken(proposal_id, self._language)
        if not is_named and takes_bare(self._words):
            self._check_is_the_last(script_id, proposal_id)

    def _check_is_the_last(self, script_id: str, proposal_id: str) -> None:
        """Raises EditRefused when "use it" would save another proposal than the one that was spoken of last."""
        past = "\n".join(message.content for message in self._scope.past)
        spoken: Sequence[str] = sorted(
            (one.id for one in self._proposals.open() if one.id in past), key=past.rfind, reverse=True
        )
        if proposal_id in spoken and proposal_id != spoken[0]:
            raise refusals.proposal_meant(script_id, spoken[:1], self._language)

    def check_revert(self, script_id: str, number: int) -> None:
        """Raises EditRefused unless the person wants an older text back, and this version where the words say which."""
        self._check_wants_a_save(script_id)
        if not goes_back(self._words):
            raise refusals.no_way_back(script_id, self._language)
        named = versions_named(self._words)
        if named and number not in named and is_bare_return(self._words):
            raise refusals.other_version(script_id, named, self._language)
        if not named and is_step_back(self._words):
            wanted = self._steps_back(script_id)
            if wanted and number not in wanted:
                raise refusals.other_version(script_id, wanted, self._language)

    def _steps_back(self, script_id: str) -> set[int]:
        """Return the versions that so many steps back lead to, or one step forward again."""
        track = self._scripts.track(script_id)
        back = {track.back(step) for step in range(1, steps_back(self._words) + 1)}
        return {number for number in (*back, track.forward()) if number is not None}

    def _check_wants_a_save(self, script_id: str) -> None:
        if wants_deletion(self._words, (script_id,)):
            raise refusals.no_deletion(script_id, self._language)
        if forbids_saving(self._words):
            raise refusals.look_first(self._language)
        if self._only_asks:
            raise refusals.only_asked(self._language)


_MORE_THAN_A_RETURN = Pattern(r"之前|以前|前一|后一|上一|\b(?:before|after|previous|prior)\b", re.IGNORECASE)


def is_bare_return(instruction: str) -> bool:
    """Say whether a version that is named is itself the one to return to, not the one before or after it."""
    return _MORE_THAN_A_RETURN.search(instruction) is None
