"""`/edit`: what a person wants to say is written in an editor, and then said."""

import os

import click

from script_editor.cli.chat_place import Place, Told


def drafted(place: Place, words: list[str]) -> Told:
    """Let the person write in their editor, beginning with what they typed already; what was saved there is said.

    Raises UsageError where there is no terminal or no editor was chosen.
    """
    if not place.session.interactive:
        raise click.UsageError("An editor needs a terminal.")
    # Without a choice of the person's, some systems begin a dialogue about which editor to use.
    if not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise click.UsageError(
            "No editor is set. Set EDITOR before you begin, such as: export EDITOR=nano. "
            "Several lines can be typed as well: end all but the last in a \\"
        )
    written = click.edit("".join(f"{word}\n" for word in words), extension=".md")
    if written is None or not written.strip():
        place.session.say("Nothing was written, so nothing is said.")
        return Told()
    said = written.strip()
    place.session.say_lines([f"  {line}" for line in said.split("\n")])
    return Told(instruction=said)
