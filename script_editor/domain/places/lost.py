"""Words that name a place which a script does not have, or not under that name.

Such a place may be anywhere, so lines that were found for the rest of the request are only a part of what was named.
"""

from collections.abc import Iterator

from script_editor.domain.counting import EN, EN_ORDINAL, ZH
from script_editor.domain.places.content_words import is_telling, place_part
from script_editor.domain.places.wholeness import QUOTED, Clause
from script_editor.patterns import Pattern

_COUNTED = Pattern(
    rf"第\s*{ZH}\s*(?!个(?:字|词|逗号|句号|标点|数字|人))(?:个|点|步|张|处|站|关|问|题|件|组|页|轮|块|项)"
    r"[\u3400-\u9fff]{0,2}"
    r"|\b(?:step|tip|point|example|slide|page|shot|item|bullet|question|verse|frame|take|panel)s? "
    rf"(?:number |no\.? ?|#)?{EN}\b"
    rf"|\b{EN_ORDINAL} (?:steps?|tips?|points?|examples?|slides?|pages?|shots?|items?|bullets?|questions?|verses?|frames?"
    r"|jokes?|stor(?:y|ies)|takeaways?|reasons?)\b"
)
_SHOWN_BEHIND = Pattern(
    r"\s*(?:的?[这那]?一?(?:句|行|段|条|处|节|部分)|[那这]里|之?前面?|之?后面?|(?:line|sentence|part|bit)\b)"
)
_SHOWN_BEFORE = Pattern(
    r"\b(?:lines?|sentences?|parts?|bits?|paragraphs?|passages?|after|before|where|that says?|says|saying|starting with"
    r"|beginning with|ending in|and|plus|也|和|与|跟|及|以及|还有)\s*$|[和与跟及、]\s*$"
)
_NAMED = Pattern(
    r"(?P<zh>[\u3400-\u9fff]{2,12}?)(?:的?[那这]一?(?:句|段|行|处|条|里|部分|块)|部分|段落|环节|板块)"
    r"|\bthe (?P<en>(?:[\w'-]+ ){1,4}?)(?:part|section|bit|paragraph|scene|passage|line|sentence|segment|block|story|joke"
    r"|anecdote)\b"
    r"|\b(?:part|section|bit|paragraph|scene|passage|line|sentence|story|joke) (?:about|on|where|with|that|which)"
    r" (?P<about>[^,、]{1,60})"
)
_NEAR = 40
_PIECES = Pattern(r"[、,]|\b(?:and|plus|also)\b|&|以及|还有|[和与跟及]")


def counted_things(clause: Clause, taken: list[range]) -> Iterator[str]:
    """Yield what a clause counts that is no line or section: 第三点, step 4, the second example."""
    for match in _COUNTED.finditer(place_part(clause.text)):
        if not any(match.start() in span for span in taken):
            yield match[0].strip()


def pointed_passages(clause: Clause) -> Iterator[str]:
    """Yield the quoted passages that the words around them call a place: “…”那句, the line "…"."""
    pieces = clause.text.split(QUOTED)
    for index, passage in enumerate(clause.quoted):
        before, behind = pieces[index][-_NEAR:], pieces[index + 1][:_NEAR]
        if _SHOWN_BEHIND.match(behind) or _SHOWN_BEFORE.search(before):
            yield passage


def named_pieces(clause: Clause) -> Iterator[str]:
    """Yield the parts of a clause that name a passage by words of their own: 讲水泵的那段, the pump part."""
    for piece in _PIECES.split(place_part(clause.text)):
        match = _NAMED.search(piece)
        words = match and (match["zh"] or match["en"] or match["about"])
        if words and QUOTED not in piece and is_telling(words):
            yield piece
