"""What a guard says about an edited text, and what it is told to judge it by."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

# Locks make findings, and operations carry locks: at run time this module stands below both.
if TYPE_CHECKING:
    from script_editor.domain.locks import Lock
    from script_editor.domain.operations import Scope

Level = Literal["error", "warning"]

OVERRULABLE = frozenset({"size", "losses", "facts", "markup", "off_target"})
"""Guards whose errors a person may overrule with --force, having seen the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a guard says: `code` is a refusal reason, `segments` are line numbers of the new text.

    `guard` is the name of the guard, such as "facts". `example` is the passage concerned, shortened, and
    `was` what stood there before, where that helps. `advice` is a command that clears the way, with
    {id} for the script's id.
    """

    guard: str
    code: str
    level: Level
    message: str
    segments: tuple[int, ...] = ()
    example: str = ""
    was: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardContext:
    """What the guards may need besides the two texts; `instruction` is the person's own words, never a model's.

    `targets`, `named` and `moved` are line numbers of the text before: those that may change by order, those that
    may by the instruction's own words, and those that the plan carries elsewhere.
    """

    instruction: str
    scope: "Scope" = "local"
    targets: tuple[int, ...] = ()
    named: tuple[int, ...] = ()
    locks: "tuple[Lock, ...]" = ()
    is_literal: bool = False
    moved: tuple[int, ...] = ()


def may_be_overruled(findings: Iterable[Finding]) -> bool:
    """Say whether a person may save all the same: no guard found an error that nobody may overrule."""
    return all(finding.level == "warning" or finding.guard in OVERRULABLE for finding in findings)
