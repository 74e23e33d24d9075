"""Words that point at something without naming it: 它, 那一行, that line, the second one, everything else."""

from script_editor.offline.occurrence_phrases import EN_BEFORE, ZH_BEFORE
from script_editor.offline.wording import Phrase, pattern

_PRONOUNS = (
    r"(?:它|它们|他|她|这个?|那个?|这一?[行句段处]|那一?[行句段处]|这里|那里|这些|那些"
    r"|此[行句处]|该[行句]|[上下前后]一?[行句个段]|[上下前后]面那?一?[行句个段]"
    r"|刚才那?一?[行句个处]|前者|后者|这一?个|那一?个|这边|那边|这些行|那些行|这几[行句]"
    r"|那几[行句]|这(?:个词|句话|个字|段话)|那(?:个词|句话|个字|段话)|某一?[行句]|[这那该此](?:一?个|些|几个)?(?:数字|数|名字|地名|人名|名称|单词|词语|时间|日期|价格|地方|标题)"
    r"|其中一?[行句个]|(?:其他|其它|其余|剩下|余下|别)的?(?:行|句子|内容|部分|地方|东西)?"
    r"|一[行句个]|[两三四五几][行句]|几个字|行|句|句子|词|字|个)"
    r"|(?:(?:all )?(?:of )?(?:it|its|that|this|them|those|these|they|the|the same|one|ones"
    r"|one of them|both|both of them|the other|the others|another)"
    r"|(?:that|this|those|these|the|a|one|some|any|one of the|some of the|the other|the next"
    r"|the previous|another|the same|two|three|a few|several|a couple of|the above"
    r"|the following) "
    r"(?:one|ones|line|lines|sentence|sentences|word|words|part|bit|paragraph|phrase|row"
    r"|text)(?: (?:above|below|there|here))?|line|lines|word|words|sentence|text|there|here"
    r"|every (?:other|second|third|nth|few) (?:line|word|sentence|paragraph)s?)"
)
_COUNTABLE = (
    r"(?:汉字|单词|词语|词组|短语|字母|数字|标点|标点符号|符号|字符|英文|空格|words?|letters?"
    r"|characters?|numbers?|digits?|symbols?|punctuation marks?|phrases?|thing)(?: of.*)?"
)


def is_pronoun(phrase: Phrase) -> bool:
    """Say whether words only point at something."""
    if pattern(_PRONOUNS).fullmatch(phrase.folded):
        return True
    counted = pattern(ZH_BEFORE).fullmatch(phrase.folded)
    if counted and not counted["zh_count"]:
        return True
    return pattern(rf"(?:the )?(?:{EN_BEFORE.rstrip()})(?: ones?)?").fullmatch(phrase.folded) is not None


def counts_units(phrase: Phrase) -> bool:
    """Say whether words after a count name a unit, as in `the last word of line 3`, and no text."""
    return pattern(_COUNTABLE).fullmatch(phrase.folded) is not None
