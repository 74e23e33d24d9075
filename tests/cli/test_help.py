"""What --help says of each command: what it does, beginning with a verb, and at the end an example that runs."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from script_editor.cli.main import COMMANDS, cli
from tests.support.command import Command


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for sub in command.commands.values():
            yield from leaves(sub, f"{name} {sub.name}")


def every_command() -> dict[str, click.Command]:
    context = click.Context(cli)
    found = ((name, cli.get_command(context, name)) for name in COMMANDS)
    return {name: leaf for top, command in found if command for name, leaf in leaves(command, top)}


EVERY = every_command()
ABOUT_PAGES = ("The", "A", "An", "This", "It", "For")


@pytest.mark.parametrize("name", EVERY)
def test_help_says_what_a_command_does_and_ends_with_an_example(name: str, tmp_path: Path) -> None:
    done = Command(tmp_path / "store.db")(*name.split(), "--help")

    assert done.exit_code == 0
    assert (EVERY[name].help or "").split()[0] not in ABOUT_PAGES
    last = done.stdout.rstrip().splitlines()[-1]
    assert f"script-editor {name.split()[0]}" in last
