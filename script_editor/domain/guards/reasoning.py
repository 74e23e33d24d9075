"""A model's thinking that got into the text."""

import re
from collections.abc import Iterator

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.suspicion import found_at, suspects
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

_NAMES = (
    r"think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|inner_monologue"
    r"|chain_of_thought"
)
_TAG = Pattern(
    rf"[<\[]/?(?:{_NAMES})[>\]]|<\|(?:channel|thinking|start|message|end)\|?>|◁/?think▷|＜/?think＞",
    re.IGNORECASE,
)
_TAG_FIRST = Pattern(rf"\W{{0,3}}(?:{_TAG.pattern})", re.IGNORECASE)
# Planning aloud about the user and the script; "the user wants a faster app" is speech, so the object is named.
_ALOUD = Pattern(
    r"\W{0,3}(?:(?:okay|ok|alright|hmm|so|well|first|now|right)[,.]? ){0,2}(?:"
    r"the user(?:['’]s)? (?:(?:is )?(?:want(?:s|ed)?|ask(?:s|ed|ing)?|request(?:s|ed|ing)?|would like"
    r"|says?|said|instructs|needs)"
    r" (?:me|us|for (?:a|the|this)|to (?:have|make|change|rewrite|edit|keep|add|remove|shorten)|that"
    r"|the (?:script|line|text|tone|ending|opening|first|last|whole))"
    r"|(?:request|instruction|prompt))"
    r"|(?:i|we)(?:['’]ll| need to| should| must| have to| will) (?:now )?(?:rewrite|edit|change"
    r"|modify|revise|keep|make|shorten|output|return|replace)"
    r" (?:the |this |that |only |just )?(?:script|text|line|segment|s\d|lines|wording|rest|original)"
    r"|let me (?:rewrite|edit|revise|think (?:about (?:how|what|this (?:edit|request))|step by step)"
    r"|analy[sz]e (?:the|this) (?:request|script|instruction)|check the (?:script|instruction"
    r"|constraints)))"
    r"|\W{0,3}(?:(?:好的?|嗯|首先|那么|现在)[，,]?){0,2}(?:用户|使用者)(?:的)?(?:要求|希望|想要?|需要"
    r"|让|請|请|说)(?:我|把|将|在|对|修改|改|只|这|第|语气|脚本|整)"
    r"|\W{0,3}(?:(?:好的?|嗯|首先|那么|现在)[，,]?){0,2}我(?:需要|应该|要|得|来)(?:先)?(?:分析|理解"
    r"|看看|确认)(?:一下)?(?:用户|用戶|这个请求|指令|修改要求|脚本的?要求)",
    re.IGNORECASE,
)


def reasoning(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find tags of a model's thinking, and thinking aloud about the task, that got into the text.

    A script that speaks of such tags may get another line that does, unless that line opens with one.
    """
    speaks_of_tags = _TAG.search(before.text) is not None
    tag = _TAG_FIRST.match if speaks_of_tags else _TAG.search

    def is_thinking(line: str) -> bool:
        return tag(line) is not None or _ALOUD.match(line) is not None

    for segment in suspects(before, after, context, is_thinking):
        yield found_at(segment, "reasoning_leak", "holds the model's thinking", guard="reasoning")
