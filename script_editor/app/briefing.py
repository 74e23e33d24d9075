"""What the agent is told of its work before a run: which scripts there are to touch, what day it is, how to answer."""

from collections.abc import Sequence
from datetime import datetime

from script_editor.agent.language import Language, language_of
from script_editor.app.observations import local, zone_name
from script_editor.app.requests import prompt

_MOST_NAMED = 40
_WEEKDAYS_ZH = "一二三四五六日"
_WEEKDAYS_EN = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def briefing(
    script_id: str | None,
    instruction: str,
    *,
    asked_at: datetime,
    is_chat: bool = False,
    named: Sequence[str] = (),
) -> str:
    """Return the text of the application for the system message, in the language of the instruction.

    With a script it is about that one; in a chat the person may turn to others by naming them. `asked_at` is what
    it calls now: a run that is gone through again is asked the same. `named` are the ids that the instruction
    names, as the store knows them.
    """
    language = language_of(instruction)
    if script_id is None:
        about = prompt("briefing_store", language)
    else:
        about = prompt("briefing", language).format(script_id=script_id)
        about += _OTHERS[language] if is_chat else ""
    return f"{about}{_named(named, language)}{_now(asked_at, language)}\n"


_OTHERS: dict[Language, str] = {
    "zh": "- 别的脚本可以读；只有用户点名时才能改。用户要采用之前的预览时，用 modify_script 并填写它的 proposal_id。\n",
    "en": "- Other scripts may be read, and changed only when the user names them. When the user wants an earlier preview "
    "saved, call modify_script with its proposal_id.\n",
}


def _named(ids: Sequence[str], language: Language) -> str:
    """Return which words of the request are ids, "" when none are or too many to be listed."""
    if not 0 < len(ids) <= _MOST_NAMED:
        return ""
    if language == "zh":
        return f"- 用户的话里出现的脚本编号：{'、'.join(ids)}\n"
    return f"- Ids of scripts in the request: {', '.join(ids)}\n"


def _now(asked_at: datetime, language: Language) -> str:
    """Return day, time and zone of the user, for words such as "since Monday" and 昨天下午."""
    now = local(asked_at)
    zone = zone_name(now)
    if language == "zh":
        return f"- 现在是 {now:%Y-%m-%d %H:%M}，星期{_WEEKDAYS_ZH[now.weekday()]}，时区 {zone}。"
    return f"- It is now {_WEEKDAYS_EN[now.weekday()]}, {now:%Y-%m-%d %H:%M}, time zone {zone}."
