"""`replay`: old replies read again by the parsers of today."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.log import SINCE_HELP, moment_since
from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.errors import BadFile

if TYPE_CHECKING:
    from script_editor.app.replay import Difference, Replayed
    from script_editor.app.runlog.traces import Trace


@click.command(
    epilog="""Examples:

    \b
      script-editor replay --since 30d
      script-editor replay r-3k7mwq2p
      script-editor replay run.jsonl"""
)
@click.argument("runs", nargs=-1, metavar="[RUN|FILE]...")
@click.option("--since", metavar="WHEN", help=SINCE_HELP)
@global_options
@pass_session
def replay(session: Session, runs: tuple[str, ...], since: str | None) -> int:
    """Read the logged replies of models again, and show where today's program reads them differently.

    Nothing is run, asked or saved. RUN is an id of `log`, FILE a log; without either all logs are read.
    Exit code 1 says that something differs.
    """
    from script_editor.cli import render

    if runs and since:
        raise click.UsageError("Name runs, or give --since, not both.")
    replayed = session.app.replay(list(_traces(session, runs, since)))
    lines = [line for difference in replayed.differences for line in _difference_lines(difference)]
    replies = f"{replayed.replies:,} {'reply' if replayed.replies == 1 else 'replies'}"
    differences = render.count(len(replayed.differences), "difference")
    lines.append(f"{differences} in {replies} of {render.count(replayed.runs, 'run')}.")
    session.result(_data(replayed), lines)
    _say_what_was_left(session, replayed)
    return 1 if replayed.differences else 0


def _traces(session: Session, runs: tuple[str, ...], since: str | None) -> "Iterator[Trace]":
    """Yield the logs that are meant; of all logs, one that cannot be read is only warned of."""
    from script_editor.app.runlog.traces import read_trace

    for run in runs:
        is_file = run.endswith(".jsonl") or Path(run).is_file()
        yield read_trace(Path(run) if is_file else session.app.runs.log_of(run).path)
    if runs:
        return
    moment = moment_since(since)
    for file in session.app.log.files():
        if moment is None or file.started >= moment:
            try:
                yield read_trace(file.path)
            except BadFile as error:
                session.warn(str(error))


def _difference_lines(difference: "Difference") -> Iterator[str]:
    step = "" if difference.step is None else f", request {difference.step}"
    yield printable(f"{difference.run_id}{step}, {difference.what}")
    yield printable(f"  was: {difference.was}", keep="")
    yield printable(f"  is:  {difference.now}", keep="")


def _data(replayed: "Replayed") -> dict[str, Any]:
    return {
        "runs": replayed.runs,
        "replies": replayed.replies,
        "differences": [
            {"run": each.run_id, "request": each.step, "what": each.what, "was": each.was, "is": each.now}
            for each in replayed.differences
        ],
        "skipped": [
            {"run": each.run_id, "request": each.step, "reason": each.reason} for each in replayed.skipped
        ],
    }


def _say_what_was_left(session: Session, replayed: "Replayed") -> None:
    if not replayed.runs:
        session.say("There is no log to read again. What runs there were: script-editor log")
    for reason, count in Counter(each.reason for each in replayed.skipped).most_common():
        session.say(f"Not read again ({count}): {reason}.")
