"""What the model is told when its reply cannot be used: one table of sentences, Chinese and English.

Whatever finds a problem names its code and its facts; only here do they become sentences. Tool names,
arguments and labels stay as they are in both languages, because the model must write them so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from script_editor.agent.language import Language
from script_editor.agent.steps import Malformed

_CUT_REASONS = frozenset({"length", "content_filter"})


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a reply. `code` is a key of the table; `facts` fill its sentences."""

    code: str
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BadArgument:
    """What is wrong with one argument: a key of _ARGUMENTS, and the service's own words if it has any."""

    key: str
    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a format calls its parts: what asks for a tool, what holds its arguments, and what opens the answer."""

    step: str = "Action"
    input: str = "Action Input"
    answer: str = "Final Answer"


class Unreadable(Exception):
    """Raised while a reply is read, when nothing of it may be run; never leaves the agent package."""

    def __init__(self, *problems: Problem):
        super().__init__(*(problem.code for problem in problems))
        self.problems = problems


def unreadable(code: str, **facts: str) -> Unreadable:
    """Return the exception for one problem."""
    return Unreadable(Problem(code, facts))


def is_cut(finish_reason: str) -> bool:
    """Whether the service stopped the reply before the model had ended it."""
    return finish_reason in _CUT_REASONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What sentences to the model are made with.

    `signatures` holds the call of each tool, `form` is the format's reminder, and `terms` are its words.
    """

    language: Language = "en"
    signatures: Mapping[str, str] = field(default_factory=dict)
    form: str = ""
    terms: Terms = field(default_factory=Terms)

    def malformed(
        self, problems: Sequence[Problem], *, finish_reason: str = "stop", raw: str = ""
    ) -> Malformed:
        """Return the outcome that tells the model of all `problems` at once; the code is the first one's."""
        if is_cut(finish_reason) and all(problem.code != "cut" for problem in problems):
            problems = [Problem("cut", {"reason": finish_reason}), *problems]
        sentences = [self._sentences(problem) for problem in problems]
        return Malformed(
            code=problems[0].code,
            message="\n".join(dict.fromkeys(message for message, _ in sentences)),
            hint="\n".join(dict.fromkeys(hint for _, hint in sentences if hint)),
            raw=raw,
        )

    def _sentences(self, problem: Problem) -> tuple[str, str]:
        tool = problem.facts.get("tool", "")
        facts = {
            "tools": ", ".join(self.signatures),
            "form": self.form,
            "step": self.terms.step,
            "input": self.terms.input,
            "answer": self.terms.answer,
            "signature": self.signatures.get(tool, tool),
            **problem.facts,
        }
        message, hint = _SENTENCES[problem.code][self.language]
        return message.format_map(facts), hint.format_map(facts)


def bad_arguments(tool: str, where: str, found: Sequence[BadArgument]) -> Problem:
    """Return the problem of a call whose arguments do not fit its tool; both languages are worded here."""
    facts = {"tool": tool, "where": where}
    for language, words in _ARGUMENTS.items():
        facts[f"found_{language}"] = "; ".join(
            f"{bad.key}: {words.get(bad.kind, '{detail}').format(detail=bad.detail)}" for bad in found
        )
    return Problem("bad_arguments", facts)


_ARGUMENTS: dict[Language, dict[str, str]] = {
    "en": {
        "missing": "missing",
        "unknown": "there is no such argument; it was not ignored",
        "blank": "must not be blank",
        "version": "must be a version number such as 2",
        "whole_number": "must be a whole number",
    },
    "zh": {
        "missing": "缺少这个参数",
        "unknown": "没有这个参数，不能忽略它",
        "blank": "不能为空",
        "version": "必须是版本号数字，例如 2",
        "whole_number": "必须是整数",
    },
}

_SENTENCES: dict[str, dict[Language, tuple[str, str]]] = {
    "empty": {
        "en": ("Your reply was empty.", "{form}\nTools: {tools}."),
        "zh": ("你的回复是空的。", "{form}\n可用工具：{tools}。"),
    },
    "only_reasoning": {
        "en": (
            "Your reply held reasoning and nothing else; nothing in it was carried out.",
            "{form}\nTools: {tools}.",
        ),
        "zh": ("你的回复只有思考过程，其中的内容都没有执行。", "{form}\n可用工具：{tools}。"),
    },
    "no_label": {
        "en": (
            "Your reply does not follow the format: it has neither {step} nor {answer}.",
            "{form}\nTools: {tools}.",
        ),
        "zh": ("你的回复不符合格式：既没有 {step}，也没有 {answer}。", "{form}\n可用工具：{tools}。"),
    },
    "no_tool": {
        "en": ("{said!r} behind {step} is no tool, and there is no {answer}.", "{form}\nTools: {tools}."),
        "zh": ("{step} 后面写的 {said!r} 不是工具，也没有 {answer}。", "{form}\n可用工具：{tools}。"),
    },
    "missing_action": {
        "en": ("There is {input} without {step} before it.", "{form}\nTools: {tools}."),
        "zh": ("有 {input}，但前面没有 {step}。", "{form}\n可用工具：{tools}。"),
    },
    "missing_name": {
        "en": ("The call names no tool behind {step}.", "{form}\nTools: {tools}."),
        "zh": ("{step} 后面没有写工具名。", "{form}\n可用工具：{tools}。"),
    },
    "empty_answer": {
        "en": ("The answer behind {answer} is empty.", "{form}"),
        "zh": ("{answer} 后面没有内容。", "{form}"),
    },
    "unknown_tool": {
        "en": ("There is no tool {name!r}.", "Use exactly one of these names: {tools}."),
        "zh": ("没有名为 {name!r} 的工具。", "只能用这些名称：{tools}。"),
    },
    "bad_json": {
        "en": (
            "Not valid JSON in the {where} of {tool}: {why_en}",
            'Write one complete JSON object for {signature}; a quotation mark inside a text is \\".',
        ),
        "zh": (
            "{tool} 的 {where} 不是合法的 JSON：{why_zh}",
            '请为 {signature} 写一个完整的 JSON 对象；文本里的英文引号写成 \\"。',
        ),
    },
    "not_an_object": {
        "en": ("The {where} of {tool} must be one JSON object.", "Call it so: {signature}"),
        "zh": ("{tool} 的 {where} 必须是一个 JSON 对象。", "调用形式：{signature}"),
    },
    "two_arguments": {
        "en": (
            "{tool} was given two different {where}; neither was used.",
            "One object for {signature} per call.",
        ),
        "zh": ("给 {tool} 写了两份不同的 {where}，都没有采用。", "每次调用只写一个对象：{signature}"),
    },
    "bad_arguments": {
        "en": ("The {where} of {tool} cannot be used: {found_en}.", "Call it so: {signature}"),
        "zh": ("{tool} 的 {where} 有问题：{found_zh}。", "调用形式：{signature}"),
    },
    "prose": {
        "en": (
            "{tool} makes changes, and there is other text around its {where}: {excerpt!r}. Nothing was run.",
            "To run it, repeat the call {signature} with nothing behind it; if you have changed your mind, do not call it.",
        ),
        "zh": (
            "{tool} 会修改内容，而它的 {where} 前后还有别的文字：{excerpt!r}。没有执行。",
            "要执行就重发调用 {signature}，后面不要再写别的；如果改了主意，就不要调用它。",
        ),
    },
    "several_steps": {
        "en": (
            "Your reply has several different steps ({names}) with no result between them. None was run.",
            "Give one step, then wait for its result.",
        ),
        "zh": (
            "一次回复里有几个不同的步骤（{names}），中间没有结果，都没有执行。",
            "一次只给一个步骤，然后等待结果。",
        ),
    },
    "step_and_answer": {
        "en": (
            "Your reply has both {step} ({names}) and {answer}; that step has not run yet.",
            "Give only the step and wait for its result, or only {answer}.",
        ),
        "zh": (
            "你的回复里同时有 {step}（{names}）和 {answer}，而这一步还没有执行。",
            "只给步骤并等待结果，或者只给 {answer}。",
        ),
    },
    "several_answers": {
        "en": ("Your reply has several different answers behind {answer}.", "{form}"),
        "zh": ("一次回复里有几个不同的 {answer}。", "{form}"),
    },
    "call_in_text": {
        "en": ("A call of {names} stands among other text; it was not run.", "{form}"),
        "zh": ("{names} 的调用混在别的文字中间，没有执行。", "{form}"),
    },
    "bad_call": {
        "en": ("A call in your reply is empty or incomplete; it was not run.", "{form}\nTools: {tools}."),
        "zh": ("回复里的调用是空的或不完整，没有执行。", "{form}\n可用工具：{tools}。"),
    },
    "bad_call_json": {
        "en": (
            "The JSON of a call in your reply is broken or incomplete: {why_en} It was not run.",
            "{form}\nTools: {tools}.",
        ),
        "zh": ("回复里的调用不是完整合法的 JSON，没有执行：{why_zh}", "{form}\n可用工具：{tools}。"),
    },
    "two_names": {
        "en": ("One call names different tools: {names}.", "Name one tool per call. Tools: {tools}."),
        "zh": ("同一个调用写了不同的工具名：{names}。", "每个调用只写一个工具名。可用工具：{tools}。"),
    },
    "unknown_keys": {
        "en": ("The call of {tool} has keys that mean nothing here: {keys}.", "{form}\nTools: {tools}."),
        "zh": ("{tool} 的调用里有无法识别的键：{keys}。", "{form}\n可用工具：{tools}。"),
    },
    "clash": {
        "en": (
            "{first} and {second} in one reply both write to {value!r}; neither was run.",
            "Call one, look at its result, then the other.",
        ),
        "zh": (
            "同一次回复里 {first} 和 {second} 都要写 {value!r}，都没有执行。",
            "先调用一个，看到结果后再调用另一个。",
        ),
    },
    "cut": {
        "en": (
            "The reply was cut off (finish_reason: {reason}); nothing of it was carried out.",
            "Keep it shorter. {form}\nTools: {tools}.",
        ),
        "zh": (
            "回复被截断了（finish_reason: {reason}），其中的内容都没有执行。",
            "请写短一些。{form}\n可用工具：{tools}。",
        ),
    },
}
