"""Signs that plain words go on with another request, and so are not all text."""

from script_editor.offline.wording import pattern

_CLAUSE_MARK = r"[,;]|[。!?](?=\s*\S)|\.\s"
_SECOND_REQUEST = (
    r"(?:改|换|替换|变)(?:成|为)|并且|然后|同时|顺便|接着|并(?=[润检修删改加换写翻调优缩扩补])"
    r"|再(?=[把给帮检改删加换写润])|还要|(?:以及|还有|和|跟)(?=[删把移插交去])"
    r"|第\s*[\d一二两三四五六七八九十]+\s*[行句段]|\blines? \d"
    r"|\b(?:and|then|but)(?: (?:then|also|please))? (?:fix|make|rewrite|check|improve|shorten"
    r"|keep|add|remove|delete|polish|translate|correct|tidy|clean|let|give|turn|ensure|tell|see"
    r"|do|leave|move|swap"
    r"|replace|change|insert|put|proofread|simplify|adjust|expand|explain|cut|trim|format"
    r"|highlight|mention|include|use|write|show|undo|save|don't|not)\b"
)
_NEXT_CLAUSE = (
    r"[,;。.!?]\s*(?:然后|再|并|接着|同时|顺便|另外|此外|还有|其他|其余|别的|只|仅|请|但|不过|把|将"
    r"|删|最后|(?:then|and|also|but|please|only|just|keep|leave|next|finally)\b)"
)
_OPENS_ON = r"(?:然后|接着|并且|同时|(?:and|then|also|but)\b)"


def holds_clause(folded: str) -> bool:
    """Say whether words hold more than one clause, or the words of a request."""
    return pattern(rf"{_CLAUSE_MARK}|{_SECOND_REQUEST}").search(folded) is not None


def goes_on(folded: str) -> bool:
    """Say whether another request begins in words, or right with them."""
    return pattern(rf"^{_OPENS_ON}|{_NEXT_CLAUSE}").search(folded) is not None
