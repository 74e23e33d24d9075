"""Files that are named with --glob: found, told apart by the scripts they become, and imported for a plan."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from script_editor.cli.batch.naming import Asked
from script_editor.cli.session import Session
from script_editor.errors import BadFile, BadScriptId, ScriptEditorError, SetupError

if TYPE_CHECKING:
    from script_editor.app.files import ImportOutcome
    from script_editor.batch.planning.wanted import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Importing:
    """What became of the files: the scripts by the path of their file, what is wrong with the others, and how many
    became what."""

    scripts: Mapping[str, str]
    problems: "tuple[Problem, ...]"
    outcomes: "Counter[ImportOutcome]"


def imported(session: Session, asked: Asked) -> Importing:
    """Import what --glob names. Of several files that would be one script the first is imported, the others are problems.

    Raises:
        BadFile: a pattern means no file.
        SetupError: the store cannot be used; what was imported before stays.
    """
    from script_editor.app.files import import_path
    from script_editor.batch.planning.wanted import Problem

    matching = [path for pattern in asked.glob for path in _matching(pattern)]
    paths, problems = _distinct(matching)
    scripts: dict[str, str] = {}
    outcomes: Counter[ImportOutcome] = Counter()
    for path in paths:
        try:
            imported = import_path(
                session.app.scripts, path, author=session.app.settings.author, encoding=asked.encoding,
                on_conflict=asked.on_conflict, knows_older=True,
            )  # fmt: skip
        except SetupError:  # nothing is wrong with the file
            raise
        except ScriptEditorError as error:
            problems.append(Problem(source=str(path), line=None, script=path.stem, error=error))
            continue
        session.detail(f"{path}: {imported.version.reference}, {imported.outcome}")
        scripts[str(path)] = imported.version.script_id
        outcomes[imported.outcome] += 1
    order = {str(path): place for place, path in enumerate(matching)}
    problems.sort(key=lambda problem: order[problem.source])
    return Importing(scripts=scripts, problems=tuple(problems), outcomes=outcomes)


def _distinct(paths: list[Path]) -> "tuple[list[Path], list[Problem]]":
    """Return the files that become scripts of their own, and what is wrong with those whose script another file is.

    All of this is known by their names, before anything is written over anything.
    """
    from script_editor.batch.planning.wanted import Problem, named_twice
    from script_editor.domain.script import canonical_id

    first: dict[str, Path] = {}
    problems: list[Problem] = []
    for path in dict.fromkeys(paths):
        id = str(path)
        with suppress(BadScriptId):  # the import tells
            id = canonical_id(path.stem)
        earlier = first.setdefault(id, path)
        if earlier is path or _is_same(earlier, path):
            continue
        error = named_twice(id, str(earlier), None)
        problems.append(Problem(source=str(path), line=None, script=id, error=error))
    return list(first.values()), problems


def _is_same(one: Path, other: Path) -> bool:
    """Say whether two paths are one file, as a relative and an absolute one can be."""
    with suppress(OSError):
        return one.samefile(other)
    return False


def _matching(pattern: str) -> list[Path]:
    """Return the files that a pattern means, in order; hidden ones are left out. Raises BadFile when there is none."""
    given = Path(pattern)
    root, parts = (Path(given.anchor), given.parts[1:]) if given.anchor else (Path(), given.parts)
    try:
        # Of a folder alone there is nothing to look for, and pathlib would stumble over it.
        found = sorted(root.glob(str(Path(*parts)))) if parts else []
        files = [path for path in found if path.is_file() and not path.name.startswith(".")]
    except (ValueError, NotImplementedError, OSError) as error:
        raise BadFile(f"--glob {pattern}: {error}.", zh=f"--glob {pattern}：{error}。") from error
    if not files:
        raise BadFile(
            f"There is no file like {pattern}.", hint="Quote the pattern, such as --glob 'drafts/*.txt'.",
            zh=f"没有像 {pattern} 这样的文件。", zh_hint="请用引号括住，例如 --glob 'drafts/*.txt'。",
        )  # fmt: skip
    return files
