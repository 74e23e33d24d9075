"""A model that plans well: it makes the calls it was told to make, with arguments that it finds as a good model would.

From the instruction come ids, numbers and the words to pass on; everything else from what the tools told.
"""

import re
from collections import deque
from collections.abc import Sequence
from typing import Any

from script_editor.llm.chat import Message, Reply, ToolSpec
from script_editor.llm.scripted import ScriptedModel
from tests.support.good_rewriter import GoodRewriter

_SCRIPT_ID = re.compile(r"video_[0-9]+", re.IGNORECASE)
_PATH = re.compile(r"[\w.]*[./\\][\w./\\-]*\w")
_VERSION = re.compile(r"第\s*([0-9]+)\s*版|version ([0-9]+)|\bv([0-9]+)\b")
_ONLY_LOOKED_AT = r"(?:参考|仿照|照着|像|不要动|别动|like|of|as in|from|leave|touch)\s*"
_MEANT = {
    "AI": r"人工智能", "轻盾防晒": r"防晒|带货", "Lumen": r"note app|笔记", "天为什么是蓝的": r"蓝天|晚霞|天空|科普",
    "household budget": r"spreadsheet|预算|记账", "Python": r"编程|代码|coding", "北辰": r"手机|phone", "还没睡": r"夜班|护士|访谈|nurse",
    "WaterBridge": r"charity|donat|募捐|公益", "展厅": r"导览|青铜|museum|字幕", "台南": r"美食|小吃|food", "咖啡馆": r"咖啡|café|cafe|分镜",
}  # fmt: skip
"""What stands in titles, and other words for it."""
_EVERY = re.compile(r"every script|all (?:the )?scripts|每[条个]脚本|所有(?:的)?脚本|每一条")


def ids_in(instruction: str) -> list[str]:
    """Return the scripts that an instruction names, in its order."""
    return list(dict.fromkeys(found.lower() for found in _SCRIPT_ID.findall(instruction)))


def named_versions(instruction: str) -> list[int]:
    """Return the numbers of versions that an instruction names, in its order."""
    return [int("".join(groups)) for groups in _VERSION.findall(instruction)]


class GoodAgent:
    """A ChatModel that makes the calls of `plan` one by one, edits as it is asked, and then answers.

    `current` is the script that the conversation is about, for an instruction that names none. `rewriter` says
    what it did to which lines, `restored` is a passage of an older version that it brought back, if it did.
    """

    name = "good"
    features: frozenset[Any] = frozenset()

    def __init__(self, instruction: str, plan: Sequence[str], *, current: str = ""):
        self._instruction, self._left, self._made = instruction, deque(plan), list[str]()
        self._ids = ids_in(instruction)
        if list(plan).count("modify_script") == 1:  # what is only looked at is read before what is changed
            self._ids.sort(key=lambda id: not re.search(_ONLY_LOOKED_AT + id, instruction, re.IGNORECASE))
        self._ids = self._ids or ([current] if current else _PATH.findall(instruction))
        self._gets = list(plan).count("get_script")
        self._read: list[str] = []
        self._told = ""
        self.plan = list(plan)
        self.restored = ""
        self.rewriter = GoodRewriter()
        self.calls = 0

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        **_how: object,
    ) -> Reply:
        """See ChatModel.complete."""
        self.calls += 1
        if not tools:
            return Reply(text=self.rewriter.reply(messages))
        self._told = messages[-1].content if messages[-1].role == "tool" else ""
        if self._made and self._made[-1] == "list_scripts":
            self._choose()
        if not self._left:
            return Reply(text=self._answer())
        tool = self._left.popleft()
        arguments = getattr(self, f"_{tool}")(messages)
        self._made.append(tool)
        return ScriptedModel.call(tool, **arguments)

    def _answer(self) -> str:
        is_zh = re.search(r"[\u4e00-\u9fff]", self._instruction)
        if self._made:
            return "查看过了，结果如上。" if is_zh else "That is what the tools told."
        return (
            "请说明是哪个脚本、想怎么改？" if is_zh else "Which script, and what should be better about it?"
        )

    # --- what to call with -------------------------------------------------------------------

    def _list_scripts(self, _messages: Sequence[Message]) -> dict[str, object]:
        name = re.search(
            r"mentions? (?:the )?[\"“]?([A-Z]\w+(?: [A-Z]\w+)*)|(?:提到|含有|出现)[了过]?[“「\"]?([\w ]+?)[”」\"的]",
            self._instruction,
        )
        return {"query": name[1] or name[2]} if name else {}

    def _choose(self) -> None:
        """Take the script whose row says most of what the instruction says; all of them, where all are meant."""
        rows = [row for row in self._told.split("\n") if row.startswith("- ")]
        said = self._instruction
        said += " ".join(title for title, words in _MEANT.items() if re.search(words, said))
        if _EVERY.search(said) and not self._ids:
            self._ids = [row[2:].split(" | ")[0] for row in rows]
            self._left = deque(list(self._left) * len(rows))
            self.plan = [*self._made, *self._left]
            self._gets = len(rows)
            return
        best = max(rows, key=lambda row: _likeness(row.split(" | ")[1], said), default="")
        self._ids = self._ids or [best[2:].split(" | ")[0]]

    def _get_script(self, _messages: Sequence[Message]) -> dict[str, object]:
        place = len(self._read)
        script_id = self._ids[min(place, len(self._ids) - 1)]
        self._read.append(script_id)
        if self._is_old_version(place):
            return {"script_id": script_id, "version": (named_versions(self._instruction) or [1])[0]}
        return {"script_id": script_id}

    def _is_old_version(self, place: int) -> bool:
        """Whether this reading is of an older text: one script that is read again is read as it was first."""
        return len(self._ids) == 1 and place < self._gets - 1

    def _target(self) -> str:
        return self._read[-1] if self._read else self._ids[0]

    def _modify_script(self, messages: Sequence[Message]) -> dict[str, object]:
        arguments: dict[str, object] = {"script_id": self._target(), "instruction": self._instruction}
        proposal = re.search(r"\bp-[0-9a-z]+", "\n".join(message.content for message in messages))
        if not self._read and proposal:
            arguments["proposal_id"] = proposal[0]
            if re.search(r"first paragraph|第一段|first (?:line|change)", self._instruction):
                arguments["targets"] = list(range(1, 6))  # what a first paragraph is at most
        elif self._gets > 1 and len(self._ids) == 1:
            arguments["instruction"] = f"{self._instruction}\n{self._old_passage(messages)}"
        return arguments

    def _old_passage(self, messages: Sequence[Message]) -> str:
        """Return the lines of the older text that are to come back, for the rewriter, who does not see them."""
        told = next(
            message.content for message in messages if message.role == "tool" and "lines" in message.content
        )
        rows = [row.split(" | ", 1)[1] for row in told.split("\n") if re.match(r"S[0-9]+:", row)]
        is_end = re.search(r"old ending|结尾|ending from", self._instruction)
        spoken = [row for row in rows if not row.startswith("#")]
        self.restored = spoken[-1] if is_end else spoken[0]
        return f"“{self.restored}”"

    def _preview(self, _messages: Sequence[Message]) -> dict[str, object]:
        return {"script_id": self._target(), "instruction": self._instruction}

    def _history(self, _messages: Sequence[Message]) -> dict[str, object]:
        return {"script_id": self._ids[0]}

    def _versions_told(self, messages: Sequence[Message]) -> list[int]:
        told = "\n".join(message.content for message in messages if message.role == "tool")
        return sorted(
            {int(number) for number in re.findall(r"^v([0-9]+)\b", told, re.MULTILINE)}, reverse=True
        )

    def _diff(self, messages: Sequence[Message]) -> dict[str, object]:
        named = sorted(named_versions(self._instruction))
        told = self._versions_told(messages)
        first, last = (named[0], named[-1]) if len(named) > 1 else (told[1], told[0])
        return {"script_id": self._ids[0], "from_version": first, "to_version": last}

    def _revert(self, messages: Sequence[Message]) -> dict[str, object]:
        named, told = named_versions(self._instruction), self._versions_told(messages)
        back = re.search(r"last (two|three|[0-9]+)|(两|三|[0-9]+)\s*[次步]", self._instruction)
        words = {"two": 2, "three": 3, "两": 2, "三": 3}
        steps = 1 if back is None else words.get(back[1] or back[2]) or int(back[1] or back[2])
        return {"script_id": self._ids[0], "version": named[0] if named else told[0] - steps}


def _likeness(title: str, said: str) -> int:
    pairs = {title[place : place + 2] for place in range(len(title) - 1)}
    return sum(pair.isalpha() and pair in said for pair in pairs)
