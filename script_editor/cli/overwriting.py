"""Before a file is written over that holds something else: a question, or a refusal where nobody can be asked."""

from collections.abc import Sequence
from pathlib import Path

import click

from script_editor.cli.printable import printable
from script_editor.cli.questions import confirm
from script_editor.cli.session import Session
from script_editor.errors import Declined


def ask_to_overwrite(session: Session, lost: Sequence[Path]) -> None:
    """Ask whether files that would be lost may go, and return if so, or if there are none.

    Raises UsageError where nobody can be asked, Declined at a no.
    """
    if not lost:
        return
    is_chinese = session.language == "zh"
    what = _what_zh(lost) if is_chinese else _what(lost)
    if not session.interactive:
        raise click.UsageError(
            f"{what}，所以什么都没有写；确实要覆盖，请加 --overwrite。"
            if is_chinese
            else f"{what}, so nothing was written; --overwrite says that it is meant."
        )
    question = f"{what}。覆盖吗？" if is_chinese else f"{what}. Overwrite?"
    if not confirm(question, default=False, language=session.language):
        raise Declined("什么都没有写。" if is_chinese else "Nothing was written.")


def _what(lost: Sequence[Path]) -> str:
    more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
    return (
        f"{printable(str(lost[0]))}{more} {'hold' if more else 'holds'} something else than what is exported"
    )


def _what_zh(lost: Sequence[Path]) -> str:
    more = f" 等 {len(lost)} 个文件" if len(lost) > 1 else " "
    return f"{printable(str(lost[0]))}{more}里是别的内容"
