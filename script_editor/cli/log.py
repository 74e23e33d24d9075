"""`log`, `log show`, `log purge`: what agents did, and what models were sent and answered."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.progress_words import ENDINGS_ZH
from script_editor.cli.questions import confirm
from script_editor.cli.session import Session, global_options, pass_session, write_bytes
from script_editor.errors import Declined

if TYPE_CHECKING:
    from script_editor.app.runlog.folder import LogFile
    from script_editor.app.runs import ListedRun
    from script_editor.domain.script import RunRecord

_WIDE = 120
"""From so many cells on, an instruction stands beside what is known of its run, else below it."""
_MOST_NAMED = 3
"""How many versions or proposals are named; of more the number is told."""
SINCE_HELP = "Only those that began since then: 2026-11-20, monday, 3d."


@click.group(
    invoke_without_command=True,
    epilog="""Examples:

    \b
      script-editor log --script video_001 --since monday
      script-editor log show r-3k7mwq2p
      script-editor log purge --older-than 30d""",
)
@click.option("-n", "limit", type=click.IntRange(1), default=20, show_default=True, help="At most so many.")
@click.option("--script", metavar="ID", help="Only runs about this script.")
@click.option("--since", metavar="WHEN", help=SINCE_HELP)
@global_options
@pass_session
@click.pass_context
def log(ctx: click.Context, session: Session, limit: int, script: str | None, since: str | None) -> None:
    """List the runs of the agent, newest first.

    What a run sent to the model and got back is kept in files of this machine alone, which `log show` reads.
    SCRIPT_EDITOR_LOG=off keeps none.
    """
    if ctx.invoked_subcommand is not None:
        return
    runs = session.app.runs.list(script or None, since=moment_since(since), limit=limit)
    session.result({"runs": [_data(each) for each in runs]}, _listed(runs, session.columns))
    _say_what_next(session, runs, is_filtered=bool(script or since))


def moment_since(raw: str | None) -> "datetime | None":
    """Return the moment that a person names, None when none was named. Raises BadInput."""
    if raw is None:
        return None
    from script_editor.domain.script import utc_now
    from script_editor.domain.since import parse_since

    return parse_since(raw, utc_now().astimezone())


def _listed(runs: "Sequence[ListedRun]", columns: int | None) -> list[str]:
    """Return a line for each run, or two where a line has too few cells for the instruction as well."""
    from script_editor.cli import render

    facts = [_facts(each) for each in runs]
    told = [_came_to(each) for each in runs]
    asked = [f"“{render.one_line(each.run.input, 200)}”" for each in runs]
    if columns is None or columns >= _WIDE:
        beside = zip(told, asked, strict=True)
        return render.table([(*row, *rest) for row, rest in zip(facts, beside, strict=True)], columns)
    said = [f"  {render.one_line('  '.join(pair), columns - 2)}" for pair in zip(told, asked, strict=True)]
    return [line for pair in zip(render.table(facts), said, strict=True) for line in pair]


def _facts(listed: "ListedRun") -> tuple[str, ...]:
    from script_editor.cli import render

    run = listed.run
    return run.id, render.moment(run.started_at), run.mode, run.model, run.script_id or "—", _tokens(run)


def _came_to(listed: "ListedRun") -> str:
    """Return what came of a run by what the store holds, in the language of its instruction."""
    from script_editor.agent.language import language_of

    run = listed.run
    is_chinese = language_of(run.input) == "zh"
    saved = _named([f"{script_id} v{number}" for script_id, number in run.saved], is_chinese=is_chinese)
    proposed = _named(run.proposed, is_chinese=is_chinese)
    parts = [
        (f"已保存 {saved}" if is_chinese else f"saved {saved}") if run.saved else "",
        (f"已提案 {proposed}" if is_chinese else f"proposed {proposed}") if run.proposed else "",
    ]
    told = ("，" if is_chinese else ", ").join(filter(None, parts))
    told = told or ("没有改动" if is_chinese else "nothing changed")
    aside = filter(None, (_stopped(run, is_chinese=is_chinese), _unlogged(listed, is_chinese=is_chinese)))
    return "".join([told, *(f"（{why}）" if is_chinese else f" ({why})" for why in aside)])


def _named(names: "Sequence[str]", *, is_chinese: bool) -> str:
    more = len(names) - _MOST_NAMED
    shown = ("、" if is_chinese else ", ").join(names[:_MOST_NAMED])
    if more <= 0:
        return shown
    return f"{shown} 等 {len(names)} 个" if is_chinese else f"{shown} and {more} more"


def _stopped(run: "RunRecord", *, is_chinese: bool) -> str:
    """Return why a run ended, "" when it ended by itself."""
    if run.stop_reason in ("finished", "returned_directly"):
        return ""
    reason = run.stop_reason or "not_ended"
    return ENDINGS_ZH.get(reason, reason) if is_chinese else reason.replace("_", " ")


def _unlogged(listed: "ListedRun", *, is_chinese: bool) -> str:
    if listed.log:
        return ""
    return "没有日志" if is_chinese else "no log"


def _outcome(run: "RunRecord") -> str:
    if run.saved:
        return "saved"
    return "proposed" if run.proposed else "unchanged"


def _tokens(run: "RunRecord") -> str:
    from script_editor.app.usage import is_partly_reported, is_unreported

    if is_unreported(run):
        return "tokens unknown"
    tokens = f"{run.prompt_tokens:,} + {run.completion_tokens:,}"
    return f"at least {tokens}" if is_partly_reported(run) else tokens


def _data(listed: "ListedRun") -> dict[str, Any]:
    from script_editor.app.usage import is_partly_reported, is_unreported

    run, known = listed.run, not is_unreported(listed.run)
    return {
        "run": run.id,
        "started_at": run.started_at.isoformat(),
        "finished_at": run.finished_at.isoformat() if run.finished_at else None,
        "mode": run.mode,
        "model": run.model,
        "script": run.script_id,
        "chat": run.chat_id,
        "stop_reason": run.stop_reason,
        "outcome": _outcome(run),
        "saved": [{"script": script_id, "version": f"v{number}"} for script_id, number in run.saved],
        "proposals": list(run.proposed),
        "tokens": {"in": run.prompt_tokens, "out": run.completion_tokens} if known else None,
        "tokens_are_complete": known and not is_partly_reported(run),
        "instruction": run.input,
        "error": run.error,
        "log": str(listed.log.path) if listed.log else None,
    }


def _say_what_next(session: Session, runs: "Sequence[ListedRun]", *, is_filtered: bool) -> None:
    first = next((each.run.id for each in runs if each.log), None)
    if first is not None:
        session.say(f"What was sent and answered: script-editor log show {first}")
    elif runs and not session.app.settings.log_runs:
        session.say("Only what the store knows: the log is switched off (SCRIPT_EDITOR_LOG).")
    elif not runs and is_filtered:
        session.say("No run matches. All of them: script-editor log")
    elif not runs:
        session.say("There was no run yet. Begin one: script-editor edit SCRIPT INSTRUCTION")


@log.command(
    epilog="""Examples:

    \b
      script-editor log show r-3k7mwq2p
      script-editor log show r-3k7mwq2p --raw > run.jsonl"""
)
@click.argument("run")
@click.option("--raw", is_flag=True, help="Print the lines of the file as they are.")
@global_options
@pass_session
def show(session: Session, run: str, raw: bool) -> None:
    """Print what one run sent to the model, what came back, and what was done.

    Keys are masked. With --json the lines of the file stand in one object.
    """
    from script_editor.app.runlog.traces import raw_lines, read_trace

    file = session.app.runs.log_of(run)
    if raw and not session.json:
        for row in raw_lines(file.path):
            write_bytes(row + b"\n")
        return
    from script_editor.cli.traces import trace_lines

    trace = read_trace(file.path)
    data = {
        "run": trace.run_id,
        "file": str(file.path),
        "lines": list(trace.lines),
        "unreadable": trace.unreadable,
    }
    session.result(data, () if session.json else trace_lines(trace))
    if trace.unreadable:
        session.warn(
            f"{trace.unreadable} of the lines could not be read: the run was cut off, or the file changed."
        )


@log.command(epilog="Example: script-editor log purge --older-than 30d")
@click.option(
    "--older-than", "age", metavar="SPAN", help="Only logs of runs that began before that: 30d, 2w."
)
@click.option(
    "--all-stores", is_flag=True, help="The logs of every store on this machine, not only of this one."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@global_options
@pass_session
def purge(session: Session, age: str | None, all_stores: bool, yes: bool) -> None:
    """Remove the log files of this store's runs. Scripts, versions and the list of runs stay as they are.

    With --all-stores those of every store go, also of stores that are no more.
    """
    from script_editor.cli import render

    folder = session.app.log
    files = _older(folder.files() if all_stores else session.app.runs.logs(), age)
    others = 0 if all_stores else len(folder.files()) - len(session.app.runs.logs())
    if not files:
        session.result({"removed": 0, "bytes": 0, "kept": 0})
        whose = "" if all_stores else " of this store"
        session.say(f"There is no {'such ' if age else ''}log{whose} in {folder.path}.")
        _say_of_others(session, others)
        return
    whose = "of all stores" if all_stores else "of this store"
    size = _size(sum(file.bytes for file in files))
    what = f"{render.count(len(files), 'log')} {whose} ({size}) in {folder.path}"
    if not yes:
        _confirm(session, what)
    removed = folder.remove(files)
    kept = len(files) - len(removed)
    gone = sum(file.bytes for file in removed)
    session.result(
        {"removed": len(removed), "bytes": gone, "kept": kept},
        [f"Removed {render.count(len(removed), 'log')} {whose} ({_size(gone)})."],
    )
    if kept:
        session.say(f"{render.count(kept, 'log')} stayed: the run goes on, or the file is not yours.")
    _say_of_others(session, others)


def _say_of_others(session: Session, count: int) -> None:
    from script_editor.cli import render

    if count:
        session.say(
            f"Of other stores there {'is' if count == 1 else 'are'} {render.count(count, 'log')}: --all-stores"
        )


def _older(files: "tuple[LogFile, ...]", age: str | None) -> "tuple[LogFile, ...]":
    if age is None:
        return files
    from script_editor.domain.script import utc_now
    from script_editor.domain.since import parse_span

    before = utc_now() - parse_span(age)
    return tuple(file for file in files if file.started < before)


def _confirm(session: Session, what: str) -> None:
    if not session.interactive:
        raise click.UsageError(f"This removes {what}; --yes says that it is meant.")
    if not confirm(f"Remove {what}?", default=False):
        raise Declined("Nothing was removed.")


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.1f} kB"
