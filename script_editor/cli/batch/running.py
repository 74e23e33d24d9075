"""`batch run`, `resume`, `retry`, `worker`: working on what was planned."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from script_editor.batch.terms import DEFAULT_WORKERS
from script_editor.cli.batch.amounts import Money, PerMinute
from script_editor.cli.inputs import Decorator
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.domain.batches import TROUBLED
from script_editor.errors.endings import INTERRUPTED

if TYPE_CHECKING:
    from script_editor.batch.progress import Event
    from script_editor.batch.service import HowToRun, Verb
    from script_editor.domain.batches import BatchState, ItemState, Tally

_RUNNING: "tuple[BatchState, ...]" = ("running",)
MOST_ITEMS = 1_000_000_000
_LOOK_SECONDS = 2.0
"""How often an idle worker looks whether there is anything to do."""

workers_option: Decorator = click.option(
    "--workers", type=click.IntRange(1, 256), default=DEFAULT_WORKERS, show_default=True, metavar="N",
    help="Edit so many scripts at the same time.",
)  # fmt: skip


def _run_options(*, of_old: bool) -> Decorator:
    """Return the options of a run; `of_old` says that the batch has usually begun, and goes on as it was begun."""
    usual = "as the batch was run before" if of_old else "as proposals, or as the batch was run before"
    options = (
        workers_option,
        click.option("--sample", type=click.IntRange(1, MOST_ITEMS), metavar="N", help="Pause after so many."),
        click.option("--rpm", type=PerMinute(), metavar="N",
                     help="At most so many requests a minute, all workers and batches of the model together. "
                     "\"none\" lifts the limit."),
        click.option("--tpm", type=PerMinute(), metavar="N",
                     help="At most so many tokens a minute, all workers and batches of the model together. "
                     "\"none\" lifts the limit."),
        click.option("--budget", type=Money(), metavar="MONEY",
                     help="Spend no more than this on the batch; needs prices. \"none\" lifts the limit."),
        click.option("--apply/--propose", "applies", default=None,
                     help="Save results that no check spoke against, or keep all as proposals. "
                     f"Without either: {usual}."),
        click.option("--detach", is_flag=True, help="Go on in the background, and return at once."),
        click.option("--yes", "-y", is_flag=True, help="Do not ask, whatever it will about cost."),
    )  # fmt: skip

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


@click.command(
    epilog="""Examples:

    \b
      script-editor batch run b-x7k2m9qp --sample 2
      script-editor batch run b-x7k2m9qp --workers 32 --tpm 200000 --budget 5
      script-editor batch run b-x7k2m9qp --apply --yes --detach"""
)
@click.argument("plan", metavar="PLAN")
@_run_options(of_old=False)
@global_options
@pass_session
def run(session: Session, /, plan: str, **options: Any) -> int:
    """Run a PLAN, all of it or what is left of it.

    Ctrl-C takes no more items and waits for those that run; a second one leaves at once. Neither loses anything:
    `resume` goes on. Several processes may run one plan and share its work.

    The exit code is 10 when the batch ended or was cancelled with items that were not done, 8 when the budget is used up.
    With --json each event is a line, and the last line is the result.
    """
    return _start(session, "run", plan, options)


@click.command(
    epilog="""Examples:

    \b
      script-editor batch resume b-x7k2m9qp
      script-editor batch resume b-x7k2m9qp --budget 10"""
)
@click.argument("batch", metavar="BATCH")
@_run_options(of_old=True)
@global_options
@pass_session
def resume(session: Session, /, batch: str, **options: Any) -> int:
    """Go on with a BATCH that was paused, interrupted or cancelled.

    What is done stays done, and an item that was under way goes on after its last finished call of the model.
    """
    return _start(session, "resume", batch, options)


@click.command(
    epilog="""Examples:

    \b
      script-editor batch retry b-x7k2m9qp
      script-editor batch retry b-x7k2m9qp --failed
      script-editor batch retry b-x7k2m9qp --only conflict"""
)
@click.argument("batch", metavar="BATCH")
@click.option("--failed", is_flag=True, help="Only those that failed: the same as --only failed.")
@click.option("--only", type=click.Choice(sorted(TROUBLED)), multiple=True, help="Only those that ended so.")
@_run_options(of_old=True)
@global_options
@pass_session
def retry(session: Session, /, batch: str, failed: bool, only: tuple[Any, ...], **options: Any) -> int:
    """Try again what went wrong in a BATCH: failed, conflict, dead.

    A script that somebody edited meanwhile is taken up as it is now. What was cancelled or waits goes on as well.
    """
    asked: tuple[ItemState, ...] = ("failed", *only) if failed else only
    tally = session.app.batches.status(batch)
    if not tally.count(*(asked or TROUBLED)):
        return _nothing_to_retry(session, tally)
    return _start(session, "retry", batch, options, only=asked)


def _nothing_to_retry(session: Session, tally: "Tally") -> int:
    from script_editor.cli.batch import sentences
    from script_editor.cli.batch.standing import standing, tell_result, tell_steps
    from script_editor.cli.batch.telling import speak

    language = speak(session, tally.batch.id)
    stands = standing(session, tally.batch.id, language, tally=tally)
    tell_result(session, stands)
    session.say(sentences.nothing_to_retry(language))
    tell_steps(session, stands)
    return 0


def _start(
    session: Session,
    verb: "Verb",
    batch_id: str,
    options: dict[str, Any],
    *,
    only: "tuple[ItemState, ...]" = (),
) -> int:
    """Run, resume or retry a batch here, or let a process of its own do it; return the exit code."""
    from script_editor.cli.batch.permission import check_cost
    from script_editor.cli.batch.spending import tell_limits_of_others
    from script_editor.cli.batch.telling import speak

    detaches, yes = options.pop("detach"), options.pop("yes")
    how = _how(options)
    speak(session, batch_id)
    session.take_model(session.app.batches.status(batch_id).batch.recipe.model)
    session.say_if_offline()
    if not yes:
        check_cost(session, verb, batch_id, how, states=only or TROUBLED if verb == "retry" else ())
    tell_limits_of_others(session, batch_id, how)
    if detaches:
        session.app.batches.begin(verb, batch_id, how, states=only or None)
        return _detach(session, batch_id, options)
    service = session.app.batches
    match verb:
        case "run":
            return _work_on(session, batch_id, lambda stop: service.run(batch_id, how, is_stopping=stop))
        case "resume":
            return _work_on(session, batch_id, lambda stop: service.resume(batch_id, how, is_stopping=stop))
        case _:
            return _work_on(
                session,
                batch_id,
                lambda stop: service.retry(batch_id, how, is_stopping=stop, states=only or None),
            )


def _how(options: dict[str, Any]) -> "HowToRun":
    from script_editor.batch.service import HowToRun

    applies = options["applies"]
    return HowToRun(
        workers=options["workers"],
        target=None if applies is None else "apply" if applies else "propose",
        requests_per_minute=options["rpm"],
        tokens_per_minute=options["tpm"],
        budget=options["budget"],
        sample=options["sample"],
    )


def _work_on(
    session: Session, batch_id: str, begin: "Callable[[Callable[[], bool]], Generator[Event]]"
) -> int:
    """Draw what happens until the batch stands still, and tell how it ended; return the exit code."""
    from script_editor.cli.batch import hints
    from script_editor.cli.batch.following import follow
    from script_editor.cli.batch.stopping import presses

    is_silent = session.quiet or session.json
    last_words = "" if is_silent else session.as_here(hints.go_on(batch_id, session.language))
    with presses(last_words, drawn_rows=lambda: session.drawn_rows) as told:
        try:
            # Closed at once, also where drawing fails: the batch is put in order before anything else happens.
            with closing(begin(lambda: told.is_stopping)) as events:
                return follow(session, batch_id, events)
        finally:
            session.leaves_at_once = told.is_stopping or session.app.batches.is_busy


def _detach(session: Session, batch_id: str, options: dict[str, Any]) -> int:
    """Go on in the background with a batch that runs from now on, and say how to watch it."""
    from script_editor.cli.batch.detaching import detach

    try:
        # Never by `resume`: whoever cancels the batch in this moment does so for good.
        pid, log = detach(session, batch_id, ["batch", "run", batch_id, *_arguments(options)])
    except BaseException:
        session.app.batches.stand_down(batch_id)
        raise
    zh = session.language == "zh"
    line = (
        f"{batch_id} 在后台运行（进程 {pid}）。"
        if zh
        else f"{batch_id} goes on in the background (process {pid})."
    )
    session.result({"batch": batch_id, "pid": pid, "log": str(log)}, [batch_id if session.quiet else line])
    watch, output = ("查看进度", "输出") if zh else ("Watch it", "What it says")
    colon = "：" if zh else ": "
    session.say(f"{watch}{colon}script-editor batch watch {batch_id}     {output}{colon}{log}")
    return 0


def _arguments(options: dict[str, Any]) -> list[str]:
    """Return options as they are typed, without those that were not given."""
    applies = options["applies"]
    named = {f"--{name}": options[name] for name in ("workers", "sample", "rpm", "tpm", "budget")}
    given = [part for name, value in named.items() if value is not None for part in (name, str(value))]
    return [*given, *([] if applies is None else ["--apply" if applies else "--propose"]), "--yes"]


# --- a worker for every batch ----------------------------------------------------------------


@click.command(
    epilog="""Examples:

    \b
      script-editor batch worker --db postgresql://me@db.example/scripts --workers 32
      script-editor batch worker --until-idle"""
)
@workers_option
@click.option("--until-idle", is_flag=True, help="End when no running batch has anything left to do.")
@global_options
@pass_session
def worker(session: Session, workers: int, until_idle: bool) -> int:
    """Work on every batch that is running.

    On this machine, or on any other with the same PostgreSQL address. It takes
    items that were planned for the model of this process. Ctrl-C and SIGTERM end it in order.
    """
    from script_editor.cli.batch import sentences
    from script_editor.cli.batch.following import attend
    from script_editor.cli.batch.stopping import presses
    from script_editor.cli.batch.telling import speak_of

    language = speak_of(session, (tally.batch for tally in session.app.batches.list(states=_RUNNING)))
    session.say_if_offline()
    session.say(sentences.working(session.app.model.name, language))
    idle = _Idle(session)
    with presses() as told:

        def is_stopping() -> bool:
            return told.is_stopping or (until_idle and idle.is_so())

        try:
            with closing(session.app.batches.work(workers=workers, is_stopping=is_stopping)) as events:
                ended = attend(session, events)
        finally:
            session.leaves_at_once = told.is_stopping or session.app.batches.is_busy
    session.result({"items": ended}, [sentences.worked(ended, language)])
    return INTERRUPTED if told.is_stopping else 0


class _Idle:
    """Whether nothing is left to do for this process; looked up now and then, however often it is asked."""

    def __init__(self, session: Session):
        self._session, self._model = session, session.app.model.name
        self._next, self._last = 0.0, False

    def is_so(self) -> bool:
        """Say whether no batch runs with this model; one whose items are all over is about to be done."""
        if time.monotonic() >= self._next:
            from script_editor.batch.working.attending import is_for_workers  # late: only a worker asks

            found = self._session.app.batches.list(states=_RUNNING)
            self._last = not any(is_for_workers(each.batch, self._model) for each in found)
            self._next = time.monotonic() + _LOOK_SECONDS
        return self._last
