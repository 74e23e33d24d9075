"""Which reading of a part holds: the one, and only one, that the script bears out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from script_editor.domain.edits import resolve
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import apply
from script_editor.errors import BeyondOffline, EditRefused
from script_editor.offline import absences, doubts, refusals
from script_editor.offline.compose import compose
from script_editor.offline.effects import Effects
from script_editor.offline.grammar import TIERS_PER_RANK
from script_editor.offline.line_effects import line_effects
from script_editor.offline.lines import Lines, excluding
from script_editor.offline.requests import (
    EVERY,
    Beyond,
    BlankLines,
    CutFillers,
    DeleteLines,
    ExchangeTexts,
    InsertInline,
    InsertLines,
    KeepLines,
    MoveLines,
    Narrow,
    Nothing,
    Part,
    ReplaceText,
    Request,
    RewriteLines,
    Scope,
    ShiftLines,
    SwapLines,
    Unclear,
)
from script_editor.offline.text_effects import text_effects
from script_editor.offline.wording import Language, pattern

_Scoped = ReplaceText | CutFillers | ExchangeTexts
_Refusal = EditRefused | BeyondOffline

_PLAIN_TIER = 1
_OWN_VERB = r"(?:\W*(?:然后|接着|再|并|同时|另外|最后|以及|还有|也|请|把|将|用|以|全|所有|每|第|删|去|替|改|换)|[a-z]+ )"
"""What a part opens with that stands by itself; 第4行的X换成Y、A换成B goes on in line 4."""


def decide(parts: Sequence[Part], script: NumberedScript, language: Language) -> tuple[Effects, ...]:
    """Return what each part does, limits merged into the part they belong to.

    Raises:
        EditRefused, BeyondOffline: the first part that cannot be done decides; nothing is done by halves.
    """
    topic: Lines | None = None
    lines_before: Lines | None = None
    found: list[Effects] = []
    for part in _merged(parts):
        topic = part.topic or (topic if _may_inherit(part) else None)
        goes_on = pattern(_OWN_VERB).match(part.phrase.folded) is None
        if topic is None and (goes_on or part.is_listed):
            topic = lines_before if _may_inherit(part) else None
        lines_before = _lines_of(part)
        if topic is not None and part.topic is None and part.is_listed and goes_on:
            found.append(_effects(_narrowed(part, Narrow(scope=Scope(topic))), script, language))
        elif topic is not None and part.topic is None:
            found.append(_with_topic(part, topic, script, language))
        else:
            found.append(_effects(part, script, language))
    return tuple(found)


def _effects(part: Part, script: NumberedScript, language: Language) -> Effects:
    """Return what a part does by the readings of its lowest tier that can be carried out."""
    refused: list[tuple[int, _Refusal]] = []
    for tier in sorted({reading.tier for reading in part.readings}):
        done: list[Effects] = []
        for reading in part.readings:
            if reading.tier != tier:
                continue
            try:
                done.append(_carry_out(reading.request, script, language))
            except (EditRefused, BeyondOffline) as refusal:
                refused.append((tier, refusal))
        if len(done) > 1 and len({_result(effects, script, language) for effects in done}) > 1:
            raise doubts.several_readings(language, part.phrase.literal)
        if done:
            return done[0]
    shown = _telling(refused)
    raise shown.complete() if isinstance(shown, absences.Absent) else shown


def _telling(refused: Sequence[tuple[int, _Refusal]]) -> _Refusal:
    """Return the refusal that says most.

    That is one of the reading that is rid of connectives and not far-fetched; best that nothing
    would change, then anything but a missing text, then the missing text with least around it.
    """
    last_rank = max(tier for tier, _ in refused) // TIERS_PER_RANK
    candidates = [refusal for tier, refusal in refused if tier // TIERS_PER_RANK == last_rank]
    plain = [refusal for tier, refusal in refused if 0 <= tier - last_rank * TIERS_PER_RANK <= _PLAIN_TIER]
    candidates = plain or candidates
    for refusal in candidates:
        if isinstance(refusal, EditRefused) and refusal.reason == "unchanged":
            return refusal
    absent = [refusal for refusal in candidates if isinstance(refusal, absences.Absent)]
    if len(absent) == len(candidates):
        return min(absent, key=lambda refusal: len(refusal.text))
    return next(refusal for refusal in candidates if not isinstance(refusal, absences.Absent))


def _result(effects: Effects, script: NumberedScript, language: Language) -> str:
    """Return the text that a reading gives, to compare it with those of other readings."""
    try:
        return apply(script.text, resolve(script, compose((effects,), script, language)))
    except EditRefused as refused:
        if refused.reason == "unchanged":
            return script.text
        raise


def _carry_out(request: Request, script: NumberedScript, language: Language) -> Effects:
    match request:
        case ReplaceText() | ExchangeTexts() | CutFillers() | RewriteLines() | InsertInline():
            return text_effects(request, script, language)
        case (
            DeleteLines()
            | KeepLines()
            | InsertLines()
            | MoveLines()
            | ShiftLines()
            | SwapLines()
            | BlankLines()
        ):
            return line_effects(request, script, language)
        case Unclear():
            raise _unclear(request, language)
        case Beyond(words=words):
            raise refusals.beyond(language, words)
        case Nothing() | Narrow():
            return Effects()
        case _:
            assert_never(request)


def _unclear(request: Unclear, language: Language) -> EditRefused:
    match request.lacks:
        case "target":
            return doubts.no_target(language, request.words)
        case "text":
            return doubts.no_text(language, request.words)
        case "place":
            return doubts.no_place(language, request.words)
        case "certainty":
            return doubts.uncertain_text(language, request.words)
        case "reading":
            return doubts.several_readings(language, request.words)
        case _:
            assert_never(request.lacks)


# --- limits and topics ---------------------------------------------------------------------------


def _merged(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return the parts with each limit, such as 只改第一个, put into the part it limits."""
    merged: list[Part] = []
    for part in parts:
        narrow = part.readings[0].request
        if isinstance(narrow, Narrow) and merged:
            merged[-1] = _narrowed(merged[-1], narrow)
        elif merged and _says_which_fillers(merged[-1], part):
            merged[-1] = part
        else:
            merged.append(part)
    return tuple(merged)


def _says_which_fillers(part: Part, following: Part) -> bool:
    """Say whether a part only says which fillers the part before meant: 去掉口头禅，只去掉嗯."""
    is_limit = pattern(r"(?:但是?|不过)?(?:只|仅)|(?:but )?(?:only|just)\b").match(following.phrase.folded)
    both = (*part.readings, *following.readings)
    return is_limit is not None and all(isinstance(reading.request, CutFillers) for reading in both)


def _narrowed(part: Part, narrow: Narrow) -> Part:
    readings = tuple(
        replace(reading, request=_limit(reading.request, narrow, part.phrase.literal))
        for reading in part.readings
    )
    return replace(part, readings=readings)


def _limit(request: Request, narrow: Narrow, words: str) -> Request:
    match request:
        case ReplaceText(which=which, scope=scope):
            if narrow.which != EVERY and which != EVERY:
                return Unclear("reading", words)
            chosen = which if narrow.which == EVERY else narrow.which
            return replace(request, which=chosen, scope=_joined(scope, narrow.scope))
        case CutFillers(scope=scope) | ExchangeTexts(scope=scope):
            return replace(request, scope=_joined(scope, narrow.scope))
        case DeleteLines(lines=lines) if narrow.scope.but is not None:
            return DeleteLines(excluding(lines, narrow.scope.but))
        case _:
            return (
                request if narrow == Narrow(scope=Scope(but=narrow.scope.but)) else Unclear("reading", words)
            )


def _joined(scope: Scope, limit: Scope) -> Scope:
    """Join the lines a part names with those of its limit: `in line 2 and in line 4`."""
    lines = scope.lines or limit.lines
    if scope.lines is not None and limit.lines is not None and scope.lines.unit == limit.lines.unit:
        lines = replace(scope.lines, picks=scope.lines.picks + limit.lines.picks)
    return Scope(lines, scope.but or limit.but, scope.edge)


def _lines_of(part: Part) -> Lines | None:
    """Return the lines that the replacement of a part is limited to, if one of its readings has a limit."""
    scopes = [reading.request.scope for reading in part.readings if isinstance(reading.request, ReplaceText)]
    return next((scope.lines for scope in scopes if scope.lines is not None), None)


def _may_inherit(part: Part) -> bool:
    """Say whether every reading could also be limited to the lines that an earlier part opened with."""
    return all(
        isinstance(reading.request, _Scoped) and reading.request.scope.lines is None
        for reading in part.readings
    )


def _with_topic(part: Part, topic: Lines, script: NumberedScript, language: Language) -> Effects:
    """Read a part after `in line 3, …`: whether that line is still meant must not matter."""
    narrowed = _narrowed(part, Narrow(scope=Scope(topic)))
    try:
        inside = _effects(narrowed, script, language)
    except EditRefused:
        return _effects(part, script, language)
    anywhere = _effects(part, script, language)
    if _result(inside, script, language) != _result(anywhere, script, language):
        raise doubts.several_readings(language, part.phrase.literal)
    return inside
