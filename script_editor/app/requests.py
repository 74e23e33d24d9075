"""What a model is told when it edits: the request, and what was wrong with its reply."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from script_editor.agent.language import Language, language_of
from script_editor.app.parts import Part, shown
from script_editor.app.timing import Timing, spoken
from script_editor.domain.locks import marked
from script_editor.domain.operations import Constraints
from script_editor.domain.refusals import for_model
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.llm.chat import Message
from script_editor.patterns import Pattern

Form = Literal["json", "text", "whole"]


@cache
def prompt(name: str, language: Language) -> str:
    """Return one of the prompt files, in the language asked for."""
    return (files("script_editor.app") / "prompts" / f"{name}.{language}.txt").read_text(encoding="utf-8")


def _fenced(text: str) -> str:
    """Return a text between marks that do not occur in it, so that no line of it can stand outside."""
    size = 3
    while "<" * size in text or ">" * size in text:
        size += 1
    return "\n".join(("<" * size, text.removesuffix("\n"), ">" * size))


@dataclass(frozen=True, slots=True)
class Briefs:
    """Makes the messages of one request, in the language of its instruction."""

    script: NumberedScript
    instruction: str
    constraints: Constraints

    @property
    def asked(self) -> str:
        """The person's own words, by which a reply is judged."""
        return self.constraints.asked or self.instruction

    @property
    def language(self) -> Language:
        """The language of the prompts and of the feedback."""
        return language_of(self.instruction)

    def request(self, part: Part, form: Form, timing: Timing | None = None) -> tuple[Message, Message]:
        """Return the system message and the request about a part; `timing` says how long the part is and should be."""
        script = self.script
        body = _fenced(script.text) if form == "whole" else shown(script, part, self.constraints.locks)
        asked = self._say("修改要求", "Request")
        head = f"script {script.script_id} v{script.version}"
        if part.count > 1:
            head += self._say(
                f"（第 {part.number}/{part.count} 部分，其余部分另行处理；这里没有要改的就不给操作）",
                f" (part {part.number} of {part.count}; the others are handled separately;"
                " if nothing here needs to change, give no operations)",
            )
        rows = [head, body, "", f"{asked}: {self.instruction}"]
        if form == "whole":
            rows += self._lines_that_stay(part)
        rows += self._demands(timing, is_everything=len(part.editable) == len(script.segments))
        return (
            Message(
                role="system",
                content=f"{prompt('rewrite', self.language)}\n{prompt(f'form_{form}', self.language)}",
            ),
            Message(role="user", content="\n".join(rows)),
        )

    def _lines_that_stay(self, part: Part) -> list[str]:
        """Return what the numbered view would mark: the lines that may not change, or those alone that may."""
        script = self.script
        every = range(1, len(script.segments) + 1)
        locked = marked(script, self.constraints.locks)
        fixed = [number for number in every if number in locked]
        rows = []
        if len(part.editable) < len(every):
            rows.append(self._say("只有这些行可以改:", "Only these lines may change:"))
            rows += [script.segments[number - 1].content for number in part.editable if number not in locked]
        elif fixed:
            rows.append(self._say("这些行不能改:", "These lines must not change:"))
            rows += [script.segments[number - 1].content for number in fixed]
        return rows

    def _demands(self, timing: Timing | None, *, is_everything: bool) -> list[str]:
        rows = []
        constraints = self.constraints
        kept = [lock.text for lock in constraints.locks if lock.kind == "phrase"]
        if kept:
            rows.append(
                self._say("必须原样保留: " + "、".join(kept), "Keep word for word: " + "; ".join(kept))
            )
        if timing is not None:
            rows.append(self._time_asked(timing, is_everything=is_everything))
        if constraints.avoid:
            rows.append(
                self._say(
                    "之前已有下面的写法（[-] 后面是删掉的），这次要明显不同；它们只供对照:",
                    "This was written before ([-] marks what was deleted); write it clearly differently now."
                    " It is for comparison only:",
                )
            )
            rows += (f"> {line}" for passage in constraints.avoid for line in passage.split("\n"))
        return rows

    def _time_asked(self, timing: Timing, *, is_everything: bool) -> str:
        zh, en = self._wanted(timing)
        what = (
            self._say("整篇", "the script")
            if is_everything
            else self._say("可以改的这些行", "what you may change")
        )
        # A time that is right already, and a limit that is kept, ask for neither more nor less.
        size = "" if timing.is_met else self._say(f"（{self._size(timing)}）", f" ({self._size(timing)})")
        if not timing.is_reachable:
            zh, en, size = "短很多，请尽量压短", "be a lot shorter, as short as it can", ""
        return self._say(
            f"时长: {what}现在念出来约 {timing.before:.0f} 秒，改后要{zh}{size}。",
            f"Time: {what} takes about {timing.before:.0f} s when spoken; afterwards it should {en}{size}.",
        )

    def _wanted(self, timing: Timing) -> tuple[str, str]:
        """Return the time that is wanted, as a person says it in Chinese and in English."""
        seconds = f"{timing.wanted:.0f}"
        match timing.bound:
            case "at_most":
                return f"不超过 {seconds} 秒", f"take at most {seconds} s"
            case "at_least":
                return f"不少于 {seconds} 秒", f"take at least {seconds} s"
            case "about":
                return f"约 {seconds} 秒", f"take about {seconds} s"

    def _size(self, timing: Timing) -> str:
        """Return by how much the text has to shrink or grow, in characters or words."""
        seconds = timing.excess
        syllables = abs(seconds) * self._syllables_a_second()
        if self._is_han():
            amount = f"{syllables:.0f}"
            return self._say(
                f"约{'删' if seconds > 0 else '增'} {amount} 字",
                f"about {amount} characters {'fewer' if seconds > 0 else 'more'}",
            )
        amount = f"{syllables / 1.5:.0f}"
        return self._say(
            f"约{'删' if seconds > 0 else '增'} {amount} 个词",
            f"about {amount} words {'fewer' if seconds > 0 else 'more'}",
        )

    def _syllables_a_second(self) -> float:
        whole = spoken(self.script.text)
        return whole.syllables / whole.seconds if whole.seconds else 4.0

    def _is_han(self) -> bool:
        return language_of(self.script.text) == "zh"

    def correction(self, refusal: EditRefused) -> Message:
        """Return what the model gets to mend its reply: the fault, where it is, and what to send."""
        return Message(role="user", content=for_model(refusal, self.language))

    def time_missed(self, reply: str, timing: Timing, *, as_whole: bool = False) -> tuple[Message, Message]:
        """Return the reply and the measured difference, to be answered anew: with all operations, or the whole text."""
        zh, en = self._wanted(timing)
        again = (
            self._say("请重新输出整篇。", "Send the whole script again.")
            if as_whole
            else self._say(
                "请仍以上面的原文为基础，重新给出全部操作。",
                "Send all operations again, still against the lines above.",
            )
        )
        said = self._say(
            f"按程序估算，改后这部分约 {timing.after:.0f} 秒，要的是{zh}，"
            f"相差 {timing.excess:+.0f} 秒（{self._size(timing)}）。{again}",
            f"Measured, this part now takes about {timing.after:.0f} s; it should {en} "
            f"({timing.excess:+.0f} s: {self._size(timing)}). {again}",
        )
        return Message(role="assistant", content=reply), Message(role="user", content=said)

    def foreign_lines_left_out(self) -> str:
        """Return the note for the person about a chunk whose reply named lines of others as well."""
        return self._say(
            "模型在一部分里还改了别的部分的行，那些改动没有采用。",
            "In one part the model changed lines of others as well; those changes were left out.",
        )

    def _say(self, zh: str, en: str) -> str:
        return zh if self.language == "zh" else en


_NEED_ROW = Pattern(r"^[ \t]*@@\s*need\b[^\n]*$", re.IGNORECASE | re.MULTILINE)
_NEED_FIELD = Pattern(r'(?<!\\)"need"\s*:\s*"more"', re.IGNORECASE)
_OPERATION = Pattern(r'^[ \t]*@@\s*(?!need\b|end\b)[a-z_]+|"ops"\s*:\s*\[\s*\{', re.IGNORECASE | re.MULTILINE)


class Need(NamedTuple):
    """Whether a reply asks to see more of the script; `is_all` says that it does nothing else.

    `rest` is the reply without that, for a reader of operations.
    """

    is_there: bool
    is_all: bool
    rest: str


def more_is_needed(reply: str) -> Need:
    """Return whether a reply asks to see more of the script, in either form, by itself or beside operations."""
    is_there = bool(_NEED_ROW.search(reply) or _NEED_FIELD.search(reply))
    is_all = is_there and not _OPERATION.search(reply)
    return Need(is_there, is_all, _NEED_ROW.sub("", reply) if is_there else reply)
