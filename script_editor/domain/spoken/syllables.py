"""How many syllables a word in Latin letters has when it is read out: rules, exceptions, letters one by one.

Rules cannot know every word. Held against a pronouncing dictionary, about one running English word in
two hundred comes out wrong, nearly always by one: far less than speakers differ from each other.
"""

import re
from functools import cache, lru_cache

_PARTS = r"[A-Z]+(?![a-zà-öø-ÿ'])|[A-Z]?[a-zà-öø-ÿ']+|[^\W\d_]"
"""The parts of a name in camel case: `OpenAI` is Open + AI, `iPhone` is i + Phone."""

_LONGEST_SPELT = 5
"""Capitals up to here are read letter by letter (GPU); longer ones are taken for a word (UNESCO)."""

_SAID_IN_CAPITALS = """
    aids bert bios covid cuda fema fifa gif imax jpeg json laser lego lidar nafta nasa nato opec oppo pin pisa
    radar ram rem rom sars scuba sim sonar swat toefl uefa unix vivo yaml yolo zip
    all also and are ask bad best big bonus but buy bye call can click come day did dont down easy even ever
    every fact fast find first free from full fun get give go good great had half hard has have he hello help
    her here hey hi him his home hot how huge if in into is its join just keep know last let like live long
    look lot love made make many me mind more most much must my need never new next nice no not note now of off
    oh okay old on once one only open or our out over own part pause play plus ready real really right sale
    same save say see she shop so some soon stop take talk tell than thank that the them then there they thing
    think this three time tip to today too top true try turn two up use very wait want was watch way we well
    were what when where who why will win with word work wow wrong year yes yet you your zero
"""
"""Abbreviations said as words, and words that people put in capitals to stress them."""

_VOWELS = "aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿ"
_HEARD_E = r"(?<![aeiouy])(?<![^aeiouylrw]l)"
"""Before a silent e: a consonant, but not one with an l after it (`little`, `settled`)."""

_MORE = "|".join(
    (
        r"(?<![cstgx])(?<!ll)ia(?!ge)|[ct]ia(?=t)",  # media, associate; not social, brilliant, marriage
        r"(?<![cgnstx])(?<!sh|ll)io|tio$",  # radio; not nation, fashion, million
        r"iu",
        r"(?<![ct])ie(?=n[ct]|ti?)|ciet|\bscie",  # client, society, science
        r"(?<=[aeiouy])[^aeiouyct]+ie(?=r)|(?<=[aeiouy])[^aeiouy]+ie(?=st$|th$)",  # earlier, happiest, twentieth
        r"(?<![gc])(?<!ch)eo(?!p)|(?<=g)eo(?=[gm])",  # video, geography; not people, pigeon
        r"creat(?!ure)|idea|area|reali|theat|korea|linear|\brea(?=c[^h]|ss|rr)",
        r"(?<![gs])ua|uou|u[ei](?=n[ct])|ue(?=[lr])|ruin|fluid|uity|suic",  # situation, fluent, cruel
        r"poe[mt]|\bcoo(?=r?d|per[ae])|chaos|(?<=[mtz])aic|[aeiou]ing",
        r"yone$|\bmc|(?<=[^aeiouy])ying|[ia]sms?$|thms?$",  # trying, tourism, rhythm
    )
)
"""Vowels that stand together and are two syllables, and endings with one that is not written."""

_FIRST_HALVES = (
    "base bike bone cake case cheese code cone cube date else every face fate file fire frame game gate grape"
    " guide here home horse house lake life like line live love mile more name nine note one pace page paste peace"
    " phone pine pipe plate police race safe scene shake shape share shore side smoke snake some space spoke stake"
    " stone store tape there time trade tree tube type voice wave where white wide wire wise"
)
"""Words that end in a silent e and begin a compound, as in `sometimes`."""

_FEWER = "|".join(
    (
        rf"{_HEARD_E}(?<![bct]r)e$",
        rf"{_HEARD_E}(?<![sxzcg])(?<![sc]h)(?<![bct]r)es$",
        rf"{_HEARD_E}(?<![td])ed$",
        rf"{_HEARD_E}e(?=ly$|ments?$|ful|less|ness|some)",
        r"[gq]ues?$|(?<=q)es?$",  # dialogue, unique
        r"(?<=ic)ally$",  # basically
        rf"\b(?:{_FIRST_HALVES.replace(' ', '|')})(?=[^aeiouyr][a-z]{{2}})(?!less|ness|ful|ment|ly|some)",
        r"\bever(?=y)",
    )
)
"""Written vowels that are not heard."""

_EXCEPTIONS = {
    word: count
    for count, words in {
        1: """aisle aisles drawer drawers hm hmm hmmm isle isles juan lb lbs liu mhm mm mmm ms ng priest priests
        psst pst queue queues seoul sh shh st""",
        2: """acne acre acres alfred andre argue argues ariel av ave bracelet bryan bryant business cafe cashier
        catholic catholics chile chloe chocolate choir cleveland coleman colonel creature creatures
        crooked dante dr dryer duo eu evening evenings eyebrow eyebrows flyer flyers forecast
        forecasts foremost forest forests genius genre genres giant giants gimme hatred hereby
        hundred hundreds iceland iq jaime jared jesse joel joey jorge jr kobe leonard limestone lion
        lions louis louise luis lyon maybe minecraft monte mr mrs naive naked nike noah noel ok
        pierre pigeon premier premiere princeton ninety thereby thereof warehouse farewell comeback
        forehead cement rely riot rugged ryan sacred salesman savior soldier soldiers someone
        sovereign sr tumblr tv ui uk uv vineyard vs wednesday whereby wholesale wicked wifi wyatt
        zoe""",
        3: """abc albeit alien aliens alliance andrea anime api atheist battalion behavior behaviors behaviour
        behaviours berkeley beforehand businesses businessman businessmen ceo cereal cia civilian
        civilians cpu convenience convenient diego dna element elements everyday everyone familiar
        fbi finale firefighter firefighters forever genuine gpu heroic heroin heroine homeowner
        homeowners hiv ideal ideals imagery infrared italian italians karate likelihood
        linkedin loneliness mercedes mosaic museum museums nausea nuclear nucleus oasis parliament
        pavilion peculiar pdf ratio ratios recipe recipes reunion rosemary scientist scientists
        seattle sierra sophomore sovereignty sql takeover theorem tokyo tuition usa usb valuable
        vegetable vegetables vienna vip whatever whenever wherever whoever however""",
        4: """catastrophe coalition coincidence diabetes decorative emotionally etc european europeans geology
        initiative initiatives intuition intuitive invaluable nevertheless petroleum scientific
        societal unfamiliar whatsoever""",
        5: "aluminium inconvenience laboratory laboratories parliamentary radioactive sociology",
        6: "mediterranean",
    }.items()
    for word in words.split()
}
"""Words that the rules below get wrong, abbreviations in small letters, and names."""


def syllables(word: str, *, shouted: bool = False) -> int:
    """Return the syllables of one word in Latin letters, apostrophes included; 0 when it has no letter.

    Capitals of up to five letters are spelt (GPU is 3, W alone 3) unless they are said as a word (NASA).
    `shouted` says that the whole line stands in capitals, which then mean no abbreviation.
    """
    return _cached(word.replace("’", "'"), shouted)


def spelt(letters: str) -> int:
    """Return the syllables of letters said one by one; W has three."""
    return sum(3 if letter in "wW" else 1 for letter in letters if letter.isalpha())


@cache
def _said_in_capitals() -> frozenset[str]:
    return frozenset(_SAID_IN_CAPITALS.split())


@lru_cache(maxsize=4096)
def _cached(word: str, shouted: bool) -> int:
    if word.islower() or shouted:
        return _of_lower(word.lower())
    word = re.sub(r"(?<=[A-Z]{2})'?s$", "", word)  # PCs
    return sum(_of_part(part) for part in re.findall(_PARTS, word))


def _of_part(part: str) -> int:
    lower = part.lower()
    if not part.isupper() or len(part) > _LONGEST_SPELT or lower in _said_in_capitals():
        return _of_lower(lower)
    return spelt(part)


def _of_lower(word: str) -> int:
    word = re.sub(r"(?<![sxz])(?<![cs]h)(?<![cgsz]e)'s$", "", word)  # the cat's, but not the boss's
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    bare = re.sub(r"\by|(?<=[aeou])y(?=[aeiou])", "j", word.replace("'", "").replace("qu", "q"))
    count = len(re.findall(f"[{_VOWELS}]+", bare))
    if not count:
        return spelt(word)
    count += len(re.findall(_MORE, bare)) - len(re.findall(_FEWER, bare))
    if re.search(r"[ds]n't$|[^aeiouy]'(?:ll|ve|d)$", word):
        count += 1
    return max(count, 1)
