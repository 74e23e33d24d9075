"""What models say around a result, in English: patterns of whole lines, for `chatter`."""

import re

from script_editor.patterns import Pattern

ACK = (
    r"(?:sure(?: thing)?|certainly|of course|absolutely|ok(?:ay)?|got it|no problem|great|done|all ?right|yes|understood"
    r"|happy to help|glad to help|sounds good|gladly|here you go|will do|definitely|perfect|no worries|thank you|thanks)"
)
SURE = r"(?:sure(?: thing)?|certainly|of course|absolutely|got it|no problem|done|understood|happy to help|will do)"
"""What nobody says to begin a script with."""
_REWRITTEN = (
    r"revised|updated|edited|rewritten|re-written|modified|polished|corrected|improved|refined|shortened|condensed|trimmed"
    r"|translated|adjusted|tweaked|cleaned[- ]up|enhanced|requested|reworked|adapted|proofread|tightened|expanded"
    r"|amended|simplified"
)
_EDIT = rf"(?:{_REWRITTEN}|final|complete|full|new|changed|finished|fixed|funnier|shorter|longer|warmer|punchier|friendlier)"
_WORK = (
    r"(?:scripts?|versions?|text|drafts?|copy|transcript|rewrite|revisions?|edits?|translation|narration|voice-?over|changes?"
    r"|operations?|json|output|result|modifications?|updates?|search/replace blocks?|blocks?)"
)
_HERE = (
    r"(?:here(?:['’]s| is| are|'re| it is| you go)?|below(?: is| are)?|this is|th(?:e|is) following(?: is| are)?|please find"
    r"|find below|see below|that['’]s)"
)

OPENING = Pattern(
    rf"(?:{ACK}[!,.…:; –—-]{{0,4}})?(?:[^:]{{0,60}}?[!.,;–—-] ?)?(?:"
    # Here is the revised script:
    rf"{_HERE}\b[^:]{{0,80}}?\b{_WORK}\b[^:]{{0,80}}[:.]"
    # Revised script:
    rf"|(?:the |your |my )?(?:{_EDIT}[, ]{{1,2}}){{1,3}}(?:[\w-]{{1,20}} ){{0,2}}{_WORK}(?: ?[(–—-][^:]{{0,60}})?"
    r"(?: below| follows| is below| as requested)?:"
    rf"|(?:{_EDIT}|after|new|rewrite|revision|output|result)(?: \([^()]{{0,30}}\))?:)",
    re.IGNORECASE,
)
OF_THE_WORK = Pattern(
    rf"\b(?:scripts?|drafts?|rewrite|revision|edits?|operations?|json|output|result|blocks?"
    rf"|you (?:asked|requested|wanted)|request|{_REWRITTEN})\b",
    re.IGNORECASE,
)
TITLE = Pattern(rf"(?:the )?(?:{_EDIT} ){{1,3}}{_WORK}(?: \([^()]{{0,40}}\))?", re.IGNORECASE)
REPORT = Pattern(
    rf"(?:{ACK}[!,. –—-]{{1,4}})?(?:(?:i|we)(?:['’]ve| have|['’]ll| will)? (?:also |just |now |only |have )?"
    r"(?:update|revise|edit|rewrite|rewritten|rewrote|change|made|make|modif|polish|adjust|tweak|kept|keep|fix|replace|trim"
    r"|shorten|correct|translate|swap|add|remove|tighten|soften)"
    r"|(?:this|these|the|that|both)\b.{0,60}?"
    r"(?:changes?|changed|edit|update|replace|make|keep|set|swap|remove|adds?|deletes?|inserts?)"
    r"|only\b.{0,60}?(?:changed|edited|updated|was)"
    r"|(?:changed|replaced|updated|removed|added|kept|swapped|everything else|all other)\b).{0,180}",
    re.IGNORECASE,
)
ABOUT_THE_WORK = Pattern(
    r"\b(?:script|lines?|version|text|sentences?|paragraph|wording|opening|ending|tone|intro|outro|request(?:ed)?|asked"
    r"|instructions?|edits?|original|rest|else|segments?|S\d+|unchanged|change[sd]?)\b",
    re.IGNORECASE,
)
_CHANGES = (
    r"(?:chang|edit|adjust|revis|tweak|version|modif|rewrit|refin|further|anything else|different (?:style|approach|tone)"
    r"|another (?:take|option|pass)|other (?:lines|parts|options)|works for you|meets? your"
    r"|what you (?:were looking|had in mind|need|wanted)|more (?:concise|casual|formal|playful))"
)
CLOSING = Pattern(
    r"(?:please )?(?:let me know|feel free|just (?:say|tell|ask|let)|if you(?:['’]d| would)?|if (?:this|that|there)"
    r"|would you like|do you want|want me to|should i|shall i|(?:i(?:['’]m| am) |i['’]d be )?(?:more than )?happy to|i can also"
    r"|i could also|i(?:['’]d| would) be|is there anything|do you need|need any|any (?:other|further)"
    rf"|(?:i )?hope (?:this|that|it|the)|does (?:this|that))\b.{{0,160}}?\b{_CHANGES}.{{0,120}}",
    re.IGNORECASE,
)
MAYBE_CLOSING = Pattern(
    r"(?:i )?hope (?:this|that|it) (?:helps|works).{0,30}|(?:please )?(?:let me know|feel free to (?:ask|reach)).{0,60}"
    r"|enjoy[!.]?|you['’]re welcome[!.]?|happy (?:filming|recording|editing)[!.]?|good luck.{0,30}",
    re.IGNORECASE,
)
NOTES = Pattern(
    r"(?:(?:brief |short |quick )?(?:summary|list|explanation|overview|breakdown) of )?(?:the |my |key |main |some )?"
    r"(?:changes?|edits?|revisions?|modifications?|adjustments?|updates?)"
    r"(?: (?:made|summary|log|notes?|applied|i made|explained|include|overview))?\s?(?:[:：].{0,200}|[-–—] .{0,200})"
    r"|(?:summary of (?:the )?)?(?:changes|edits|revisions)(?: (?:made|summary|log|notes))?"
    r"|what(?:['’]s| i| has|) changed[:?]?.{0,100}|change ?log[:：]?.{0,100}"
    r"|(?:editor['’]?s?|revision|edit(?:ing)?) notes?[:：]?.{0,200}"
    r"|(?:total |new |approx(?:imate|\.)? )?(?:word|character) ?count[:：] ?.{0,40}",
    re.IGNORECASE,
)
MAYBE_NOTES = Pattern(
    r"(?:notes?|explanation|rationale|reasoning|p\.?s\.?|n\.?b\.?)[:：](?P<said>.{0,220})", re.IGNORECASE
)
