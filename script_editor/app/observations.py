"""What a tool tells the agent: compact rows, script text always behind a segment id."""

from collections.abc import Sequence
from datetime import datetime

from script_editor.app.asked import Rate
from script_editor.app.finding import Hit
from script_editor.app.notes import note_sentence
from script_editor.app.scope import Pending
from script_editor.domain.diff import Change
from script_editor.domain.duration import estimate
from script_editor.domain.locks import Lock
from script_editor.domain.refusals import finding_sentence
from script_editor.domain.script import ScriptInfo, VersionInfo
from script_editor.errors import Language

NORMAL_RATES = {"words": 163, "characters": 249}
"""How much is said in a minute at the normal pace; see `domain.duration.PACES`."""
_SHOWN_CHANGES = 12
_SHOWN_CHARS = 160


def change_rows(
    changes: Sequence[Change], limit: int = _SHOWN_CHANGES, *, language: Language = "en"
) -> list[str]:
    """Return changes as compact rows, `- S2 | old` and `+ S2 | new`, with a note where some are left out."""
    rows: list[str] = []
    for change in changes[:limit]:
        if change.kind == "space":
            rows.append(f"~ {change.note}")
            continue
        if change.before_line is not None:
            rows.append(f"- S{change.before_line} | {_short(change.before)}")
        if change.after_line is not None:
            rows.append(f"+ S{change.after_line} | {_short(change.after)}")
    if len(changes) > limit:
        more = len(changes) - limit
        rows.append(f"（另有 {more} 处改动）" if language == "zh" else f"({more} more changes)")
    return rows


def told(pending: Pending, language: Language = "en") -> str:
    """Return how much an edit changes, and what it does to the spoken time."""
    before, after = estimate(pending.base.text).seconds, estimate(pending.after).seconds
    if language == "zh":
        return f"{len(pending.changes)} 处改动，原来约 {before:.0f} 秒，改后约 {after:.0f} 秒"
    return f"{change_count(pending.changes)}, about {before:.0f} s before, {after:.0f} s after"


def rows(pending: Pending, language: Language = "en") -> list[str]:
    """Return notes, findings and changes as rows, in the language of the request."""
    return [
        *(note_sentence(note, language) for note in pending.notes),
        *(f"! {finding_sentence(finding, language)}" for finding in pending.findings),
        *change_rows(pending.changes, language=language),
    ]


def history_head(info: ScriptInfo, now: datetime, language: Language) -> str:
    """Return what stands above a history: how many versions there are, and what the times in it mean."""
    zone, changed = zone_name(now), info.head_number - 1
    if language == "zh":
        return f"{info.id}：共 {info.head_number} 个版本，改过 {changed} 次；时间为本地时间（{zone}）"
    times = f"{changed} time{'' if changed == 1 else 's'}"
    return f"{info.id}: v1 to v{info.head_number}, changed {times}; times are local ({zone})"


def history_row(version: VersionInfo, change_count: int | None) -> str:
    """Return one version as a row."""
    when = f"{local(version.created_at):%Y-%m-%d %H:%M %a}"
    source = f"{version.source} of v{version.restored_number}" if version.restored_number else version.source
    why = version.provenance.instruction or version.provenance.message
    count = "" if change_count is None else f" | {change_count} change{'' if change_count == 1 else 's'}"
    who = version.provenance.author
    return f"v{version.number} | {when} | {source}{count} | {who} | {_short(' '.join(why.split()))}"


def script_rows(hit: Hit, proposal_ids: Sequence[str], language: Language) -> str:
    """Return a script as a row, with the line that was found below it."""
    info, seconds = hit.info, estimate(hit.head.text).seconds
    time = f"约 {seconds:.0f} 秒" if language == "zh" else f"about {seconds:.0f} s"
    kept = f" | proposal {proposal_ids[0]} not saved" if proposal_ids else ""
    row = f"- {info.id} | {info.title or '(no title)'} | v{info.head_number} | {time}{kept}"
    return row if hit.line is None else f"{row}\n  S{hit.line.number} | {_short(hit.line.content)}"


def partly_searched(count: int, language: Language) -> str:
    """Return what is told when there are more scripts than were looked through."""
    if language == "zh":
        return f"只查找了前 {count} 个脚本的正文；其余只按编号和标题查找。"
    return f"Only the texts of the first {count} scripts were searched, the others by id and title."


def spoken_row(text: str, rate: Rate | None, language: Language) -> str:
    """Return how long a whole text takes to say, and at the rate that the person named."""
    normal = estimate(text)
    named = "" if rate is None else _at_rate(text, rate, language)
    if language == "zh":
        return f"整篇口播约 {normal.seconds:.0f} 秒（正常语速，{normal.low:.0f}–{normal.high:.0f} 秒）{named}"
    return f"all of it: about {normal.seconds:.0f} s spoken (normal pace, {normal.low:.0f} to {normal.high:.0f} s){named}"


def _at_rate(text: str, rate: Rate, language: Language) -> str:
    seconds = estimate(text, pace=NORMAL_RATES[rate.unit] / rate.per_minute).seconds
    if language == "zh":
        unit = "字" if rate.unit == "characters" else "词"
        return f"；按每分钟 {rate.per_minute} {unit}约 {seconds:.0f} 秒"
    return f"; about {seconds:.0f} s at {rate.per_minute} {rate.unit} a minute"


def zone_name(when: datetime) -> str:
    """Return the zone of the user at a time, such as UTC+08:00."""
    offset = f"{local(when):%z}"
    return f"UTC{offset[:3]}:{offset[3:5]}"


def local(when: datetime) -> datetime:
    """Return a time in the zone of the user."""
    return when.astimezone()


def broken_notes(locks: Sequence[Lock], language: Language = "en") -> list[str]:
    """Return what a person is told about locks that an older text does not hold."""
    if language == "zh":
        return [
            f"“{lock.text}”的台词已锁定，而这一版里的不一样。"
            if lock.kind == "speaker"
            else f"这一版里没有锁定的文字“{lock.text}”。"
            for lock in locks
        ]
    return [
        f"Lines of {lock.text} are locked, and differ in it."
        if lock.kind == "speaker"
        else f"The locked text {lock.text!r} is not in it."
        for lock in locks
    ]


def change_count(changes: Sequence[Change]) -> str:
    """Return a number of changes with its noun."""
    return f"{len(changes)} change{'' if len(changes) == 1 else 's'}"


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
