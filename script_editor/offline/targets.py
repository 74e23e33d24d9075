"""Reading what a part wants changed: 第3行里所有的“番茄”, every "cup" in line 3, 最后一行.

The noun phrase is peeled; what is left is a quotation, a named mark, or plain words. Each state on
the way is a candidate, because plain words such as 所有人 may be the text itself. Which candidate
holds is decided against the script.
"""

import re
from dataclasses import dataclass

from script_editor.offline.clauses import goes_on
from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.lines import Lines, excluding
from script_editor.offline.marks import mark_named
from script_editor.offline.numerals import EN_ORDINAL
from script_editor.offline.peels import State, states
from script_editor.offline.pronouns import counts_units, is_pronoun
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import ANYWHERE, EVERY, Emoji, Needle, Scope, Which
from script_editor.offline.wording import Phrase, pattern

_QUOTE_LIST = rf"{TOKENS}(?:\s*(?:、|,|和|与|跟|及|以及|还有|或者?|/|and|or|&|, ?and|, ?or)?\s*{TOKENS})*"
_EMOJI = r"(?:the )?(?:emojis?|表情符号|表情包?|颜文字|emoji表情)(?:符号)?"
_EXCEPTING = (
    rf"(?:(?:all|every|each|any|both)(?: of (?:them|the \w+))? (?:but|except|save|other than)\b|(?:every|each) "
    rf"(?:other|nth|few|{EN_ORDINAL})\b|每隔|隔[一1]?[个行句])"
)
"""What takes some out of all; only lines can be counted like this, and those are read as a whole."""

_LIST_JOINT = r"、|和|与|,\s*(?:and|or)\b|,|\band\b"
_MIN_PIECE = re.compile(r"[\u3400-\u9fff]{2,}|[^\u3400-\u9fff]+|.*\d.*")


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be changed: whole lines, or needles within a scope. `tier` as in Reading.

    `words` are the plain words that needles were read from, None for quotations and marks;
    `lost_article` and `is_named` say what was peeled off them.
    """

    needles: tuple[Needle, ...] = ()
    lines: Lines | None = None
    which: Which = EVERY
    scope: Scope = ANYWHERE
    tier: int = 0
    words: Phrase | None = None
    lost_article: bool = False
    is_named: bool = False

    @property
    def is_pronoun(self) -> bool:
        """Whether the words only point at something or count units; 它这个字 and `the word it` name a word."""
        if self.words is None or self.is_named:
            return False
        return is_pronoun(self.words) or (self.which != EVERY and counts_units(self.words))

    @property
    def is_quoted(self) -> bool:
        """Whether the needles stood in quotation marks or are named marks."""
        return self.words is None


def read_targets(phrase: Phrase) -> tuple[Target, ...]:
    """Return the candidates for what `phrase` means, most literal first; none when it names nothing."""
    targets: list[Target] = []
    for state in states(phrase):
        final = _final(state)
        if final is not None:
            return (final,)
        if state.phrase and not state.phrase.holds_quotation and not goes_on(state.phrase.folded):
            targets += _open(state)
        if pattern(_EXCEPTING).match(state.phrase.folded):
            break
    return tuple(targets)


def scoped_phrases(phrase: Phrase) -> tuple[tuple[Phrase, Scope], ...]:
    """Return the noun phrase as it is peeled, with the scope that was peeled off so far."""
    return tuple((state.phrase, state.scope) for state in states(phrase) if state.which == EVERY)


def _final(state: State) -> Target | None:
    """Return the target when nothing can be peeled any more: whole lines, quotations, emoji."""
    phrase = state.phrase
    if not phrase:
        return None
    if pattern(_QUOTE_LIST).fullmatch(phrase.folded):
        return Target(tuple(dict.fromkeys(phrase.quoted())), which=state.which, scope=state.scope)
    if pattern(_EMOJI).fullmatch(phrase.folded):
        return Target((Emoji(),), which=state.which, scope=state.scope)
    lines = whole_lines(phrase)
    if lines is None or state.which != EVERY or state.scope.lines is not None:
        return None
    return Target(lines=excluding(lines, state.scope.but) if state.scope.but else lines)


def _open(state: State) -> list[Target]:
    """Return the candidates in plain words: a named mark, a list of texts, the words themselves."""
    phrase, found = state.phrase, []
    mark = mark_named(phrase.folded)
    if mark is not None:
        found.append(Target((mark,), which=state.which, scope=state.scope))
    pieces = _pieces(phrase)
    if pieces:
        found.append(Target(pieces, which=state.which, scope=state.scope, tier=state.tier + 2, words=phrase))
    found.append(
        Target(
            (phrase.literal,),
            which=state.which,
            scope=state.scope,
            tier=state.tier + (mark is not None),
            words=phrase,
            lost_article=state.lost_article,
            is_named=state.is_named,
        )
    )
    return found


def _pieces(phrase: Phrase) -> tuple[str, ...]:
    """Return the texts of a list without quotation marks, such as 盐巴和白糖; none when it is no list.

    A single Chinese character is no piece: 共和国 is a word.
    """
    pieces = [piece.strip() for piece in re.split(_LIST_JOINT, phrase.text)]
    is_list = len(pieces) > 1 and all(_MIN_PIECE.fullmatch(piece) for piece in pieces)
    return tuple(dict.fromkeys(pieces)) if is_list else ()
