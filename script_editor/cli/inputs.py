"""What commands are given: texts from arguments, files or stdin, and the options for running the agent."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from script_editor.errors import BadFile

if TYPE_CHECKING:
    from script_editor.domain.script import FileForm

STDIN = "-"
MODES = ("auto", "tools", "react", "json", "conversational", "functions", "xml")

Decorator = Callable[
    [Callable[..., Any]], Callable[..., Any]
]  # commands are made of functions of every shape

mode_option: Decorator = click.option(
    "--mode", type=click.Choice(MODES), default="auto", show_default=True,
    help="How the agent talks to the model; auto: tools where the service has them.",
)  # fmt: skip
instruction_file_option: Decorator = click.option(
    "-i", "--instruction-file", metavar="FILE|-", help="Read the instruction from a file or stdin."
)
max_steps_option: Decorator = click.option(
    "--max-steps", type=click.IntRange(1, 100), default=8, show_default=True, metavar="N",
    help="Stop after so many turns with tool calls.",
)  # fmt: skip


def stdin_bytes() -> bytes:
    """Return everything on stdin.

    Raises UsageError when stdin is a terminal: nothing would come, and the program would seem to hang.
    """
    if sys.stdin.isatty():
        raise click.UsageError("A text is expected on stdin, such as: cat draft.txt | script-editor …")
    return sys.stdin.buffer.read()


def read_stdin(encoding: str | None) -> "tuple[str, FileForm]":
    """Return the text on stdin and how it was written. Raises BadFile, UsageError."""
    from script_editor.app.files import decoded

    return decoded(stdin_bytes(), name="stdin", encoding=encoding)


def read_file(path: str, encoding: str | None) -> "tuple[str, FileForm]":
    """Return the text of a file, or of stdin for "-". Raises BadFile, UsageError."""
    from script_editor.app.files import decoded

    if path == STDIN:
        return read_stdin(encoding)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or 'cannot be read'}.") from error
    return decoded(data, name=Path(path).name, encoding=encoding)


def instruction_from(
    words: tuple[str, ...],
    file: str | None,
    *,
    stdin_taken: bool = False,
    example: str = "edit video_001 把“AI”改成“人工智能”",
) -> str:
    """Return the instruction given as words (joined by spaces) or in a file.

    Raises UsageError when both or neither are given, or when stdin would have to serve twice; `example`
    shows what a right one looks like.
    """
    if words and file:
        raise click.UsageError("Give the instruction as words or with -i, not both.")
    if file == STDIN and stdin_taken:
        raise click.UsageError("Stdin already holds the script: put the instruction in a file, or type it.")
    if file:
        return read_file(file, None)[0]
    if not words:
        raise click.UsageError(f"Say what you want, such as: script-editor {example}")
    return " ".join(words)


def without_version(script: str) -> str:
    """Return the id of a script to work on. Raises UsageError when it names a version as well."""
    id, at, version = script.partition("@")
    if at:
        back = f"script-editor revert {id} {version or 'vN'}"
        raise click.UsageError(f"An edit works on the newest version; to go back first: {back}")
    return id


def plain_number(raw: str, script: str) -> int:
    """Return the number of `v3` or `3`; anything else that names a version is refused here."""
    from script_editor.domain.references import Selector, parse_version
    from script_editor.domain.script import canonical_id
    from script_editor.errors import BadReference

    script_id = canonical_id(script)
    selector = parse_version(raw, script_id)
    if selector.number is None or selector != Selector(number=selector.number):
        raise BadReference(raw, script_id=script_id)
    return selector.number
