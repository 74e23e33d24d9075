"""What a model is told when it edits: the request, and what was wrong with its reply."""

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from script_editor.agent.language import Language, language_of
from script_editor.app.parts import Part, shown
from script_editor.app.timing import Timing
from script_editor.domain.duration import estimate
from script_editor.domain.operations import Constraints
from script_editor.domain.refusals import for_model
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.llm.chat import Message

Form = Literal["json", "text", "whole"]


def prompt(name: str, language: Language) -> str:
    """Return one of the prompt files, in the language asked for."""
    return (files("script_editor.app") / "prompts" / f"{name}.{language}.txt").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Briefs:
    """Makes the messages of one request, in the language of its instruction."""

    script: NumberedScript
    instruction: str
    constraints: Constraints

    @property
    def language(self) -> Language:
        """The language of the prompts and of the feedback."""
        return language_of(self.instruction)

    def request(self, part: Part, form: Form, timing: Timing | None = None) -> tuple[Message, Message]:
        """Return the system message and the request about a part; `timing` says how long the part is and should be."""
        script = self.script
        body = (
            f"<<<\n{script.text.removesuffix(chr(10))}\n>>>"
            if form == "whole"
            else shown(script, part, self.constraints.locks)
        )
        asked = self._say("修改要求", "Request")
        head = f"script {script.script_id} v{script.version}"
        if part.count > 1:
            head += self._say(
                f"（第 {part.number}/{part.count} 部分）", f" (part {part.number} of {part.count})"
            )
        rows = [head, body, "", f"{asked}: {self.instruction}", *self._demands(timing)]
        return (
            Message(
                role="system",
                content=f"{prompt('rewrite', self.language)}\n{prompt(f'form_{form}', self.language)}",
            ),
            Message(role="user", content="\n".join(rows)),
        )

    def _demands(self, timing: Timing | None) -> list[str]:
        rows = []
        constraints = self.constraints
        kept = [lock.text for lock in constraints.locks if lock.kind == "phrase"]
        if kept:
            rows.append(
                self._say("必须原样保留: " + "、".join(kept), "Keep word for word: " + "; ".join(kept))
            )
        if timing is not None:
            rows.append(self._time_asked(timing))
        if constraints.avoid:
            rows.append(self._say("写法要与下面这些明显不同:", "Write it clearly differently from these:"))
            rows += constraints.avoid
        return rows

    def _time_asked(self, timing: Timing) -> str:
        wanted = timing.target.wanted_seconds(timing.before)
        size = self._size(timing)
        return self._say(
            f"时长: 这部分现在约 {timing.before:.0f} 秒，要改到约 {wanted:.0f} 秒（{size}）。",
            f"Time: this part takes about {timing.before:.0f} s now and should take about {wanted:.0f} s ({size}).",
        )

    def _size(self, timing: Timing) -> str:
        """Return by how much the text has to shrink or grow, in characters or words."""
        seconds = timing.excess
        syllables = abs(seconds) * self._syllables_a_second()
        if self._is_han():
            verb = "删" if seconds > 0 else "增"
            return f"约{verb} {syllables:.0f} 字"
        verb = "about {:.0f} words fewer" if seconds > 0 else "about {:.0f} words more"
        return verb.format(syllables / 1.5)

    def _syllables_a_second(self) -> float:
        spoken = estimate(self.script.text)
        return spoken.syllables / spoken.seconds if spoken.seconds else 4.0

    def _is_han(self) -> bool:
        return language_of(self.script.text) == "zh"

    def correction(self, refusal: EditRefused) -> Message:
        """Return what the model gets to mend its reply: the fault, where it is, and what to send."""
        return Message(role="user", content=for_model(refusal, self.language))

    def time_missed(self, reply: str, timing: Timing) -> tuple[Message, Message]:
        """Return the reply and the measured difference, to be answered with all operations anew."""
        wanted = timing.target.wanted_seconds(timing.before)
        said = self._say(
            f"按程序估算，改后这部分约 {timing.after:.0f} 秒，目标约 {wanted:.0f} 秒，"
            f"相差 {timing.excess:+.0f} 秒（{self._size(timing)}）。"
            "请仍以上面的原文为基础，重新给出全部操作。",
            f"Measured, this part now takes about {timing.after:.0f} s; about {wanted:.0f} s were asked for "
            f"({timing.excess:+.0f} s: {self._size(timing)}). Send all operations again, still against the lines above.",
        )
        return Message(role="assistant", content=reply), Message(role="user", content=said)

    def _say(self, zh: str, en: str) -> str:
        return zh if self.language == "zh" else en


_NEEDS_MORE = re.compile(
    r"\s*(?:`{3,}\w*\s*)?(?:@@\s*need\b[^\n]*(?:\s*@@\s*end)?|\{[^{}]*\"need\"\s*:\s*\"[^\"{}]*\"[^{}]*\})\s*(?:`{3,}\s*)?",
    re.IGNORECASE,
)


def asks_for_more(reply: str) -> bool:
    """Say whether a reply changes nothing and asks to see more of the script, in either form."""
    return len(reply) < 200 and _NEEDS_MORE.fullmatch(reply) is not None
