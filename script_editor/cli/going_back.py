"""`revert`, `undo`, `redo`: going back and forward. Every one of them appends a version."""

from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.inputs import plain_number
from script_editor.cli.session import Session, global_options, pass_session

if TYPE_CHECKING:
    from script_editor.app.scripts import Restored
    from script_editor.domain.script import VersionInfo


@click.command(epilog="Example: script-editor revert video_001 v1")
@click.argument("script")
@click.argument("version")
@click.option("--message", metavar="TEXT", default="", help="A note kept with the new version.")
@click.option("--expect-head", metavar="vN", help="Refuse when the newest version is another one.")
@global_options
@pass_session
def revert(session: Session, script: str, version: str, message: str, expect_head: str | None) -> None:
    """Bring an older text back as a new version.

    Every version stays in the history.
    """
    from script_editor.domain.references import parse_version
    from script_editor.domain.script import canonical_id

    script = canonical_id(script)
    expected = plain_number(expect_head, script) if expect_head else None
    restored = session.app.scripts.revert(
        script,
        parse_version(version, script),
        author=session.app.settings.author,
        expected_head=expected,
        message=message,
    )
    made, old = restored.version, restored.restored
    _warn_of_broken_locks(session, restored)
    session.result(
        _restored_data(restored),
        [f"{made.script_id} v{made.number} = text of v{old.number} (v{made.number - 1} stays in the history). "
         "Compared: identical."],
    )  # fmt: skip
    session.say(f"Undo: script-editor undo {made.script_id}")


@click.command(epilog="Example: script-editor undo video_003 -n 2")
@click.argument("script")
@click.option("-n", "steps", type=click.IntRange(1), default=1, show_default=True, help="So many changes.")
@global_options
@pass_session
def undo(session: Session, script: str, steps: int) -> None:
    """Take the newest changes of SCRIPT back.

    Nothing is lost; redo brings them again.
    """
    restored = session.app.scripts.undo(script, author=session.app.settings.author, steps=steps)
    _tell_step(session, restored, "Undid", "redo")


@click.command(epilog="Example: script-editor redo video_003")
@click.argument("script")
@click.option("-n", "steps", type=click.IntRange(1), default=1, show_default=True, help="So many changes.")
@global_options
@pass_session
def redo(session: Session, script: str, steps: int) -> None:
    """Put undone changes of SCRIPT back."""
    restored = session.app.scripts.redo(script, author=session.app.settings.author, steps=steps)
    _tell_step(session, restored, "Redid", "undo")


def _tell_step(session: Session, restored: "Restored", did: str, other: str) -> None:
    from script_editor.cli import render

    made = restored.version
    named = ", ".join(f"v{v.number} {_named(v)}" for v in restored.undone)
    count = render.count(len(restored.undone), "change")
    _warn_of_broken_locks(session, restored)
    session.result(
        _restored_data(restored),
        [f"{did} {count} of {made.script_id}: {named}. Now v{made.number} = text of v{restored.restored.number}, "
         "compared: identical."],
    )  # fmt: skip
    steps = f" -n {len(restored.undone)}" if len(restored.undone) > 1 else ""
    session.say(f"{other.capitalize()}: script-editor {other} {made.script_id}{steps}")


def _named(version: "VersionInfo") -> str:
    """Return what a version was about in a few words, in quotes where they are a person's."""
    from script_editor.cli import render

    told = render.reason(version)
    return f"“{render.one_line(told, 40)}”" if told else render.came_from(version)


def _warn_of_broken_locks(session: Session, restored: "Restored") -> None:
    """Warn of locks whose text the older version does not have; they hold all the same."""
    from script_editor.cli import render

    number = restored.restored.number
    for lock in restored.broken_locks:
        if lock.kind == "speaker" and _speaks(restored, lock.text):
            session.warn(
                f"The locked {render.lock_name(lock)} ({lock.id}) has other lines in v{number} than before. "
                "They are locked as they stand there."
            )
        else:
            session.warn(
                f"v{number} lacks what is locked: {render.lock_name(lock)} ({lock.id}). "
                "It stays locked for when it is there again."
            )


def _speaks(restored: "Restored", name: str) -> bool:
    """Say whether a speaker has lines in the text that came back."""
    from script_editor.domain.segments import NumberedScript
    from script_editor.domain.speakers import speaker_lines

    made = restored.version
    return bool(speaker_lines(NumberedScript(made.script_id, made.number, made.text), name))


def _restored_data(restored: "Restored") -> dict[str, Any]:
    from script_editor.cli import render

    return {
        **render.version_data(restored.version),
        "changes": len(restored.changes),
        "identical": True,
        "undone": [f"v{version.number}" for version in restored.undone],
        "broken_locks": [render.lock_data(lock) for lock in restored.broken_locks],
    }
