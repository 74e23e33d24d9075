"""One edit from start to finish, with the offline model and a store of its own that is thrown away.

Usage: python try.py PATH_TO_SCRIPT_EDITOR. Exits with 1 when anything is not as it must be. Uses the
standard library only, because it runs in the installation that it tries.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

INSTRUCTION = "把“黄金时代”改成“快车道”，然后删掉第3行"


def main(program: str) -> int:
    program = str(Path(program).absolute())
    with tempfile.TemporaryDirectory(prefix="script-editor-try-") as folder:
        desk = Desk(program, Path(folder))
        desk.run("seeds", "load", show=False)
        first = desk.run("show", "video_001")
        desk.run("edit", "video_001", INSTRUCTION, "--yes")
        second = desk.run("show", "video_001", show=False)
        desk.run("history", "video_001")
        desk.run("diff", "video_001", "v1", "v2")
        desk.run("revert", "video_001", "v1")
        third = desk.run("show", "video_001", show=False)
    if second == first or "快车道".encode() not in second:
        return fail("the edit did not change the script")
    if third != first:
        return fail("the revert did not bring version 1 back byte for byte")
    print("\nChecked: after the revert the text is byte-identical to version 1.")
    print("This used a temporary store and the offline model. To go on with a store of your own:\n")
    shown = os.path.relpath(program) if Path(program).is_relative_to(Path.cwd()) else program
    print(f"  {shown} seeds load")
    print(f"  {shown} edit video_001 把“频道”改成“直播间”\n")
    print(
        "For edits that need a writer (改得更轻松幽默一些), set OPENAI_API_KEY and MODEL_NAME; see README.md."
    )
    return 0


class Desk:
    """Runs commands on one temporary store, with no model settings of the person around."""

    def __init__(self, program: str, folder: Path):
        self._program = program
        self._options = ["--db", str(folder / "try.db"), "--model", "offline"]
        ours = {"SCRIPT_EDITOR_", "OPENAI_", "MODEL_NAME"}
        self._environment = {
            k: v for k, v in os.environ.items() if not any(k.startswith(name) for name in ours)
        }

    def run(self, *arguments: str, show: bool = True) -> bytes:
        """Run a command, with its line above it when it is shown; return what it printed."""
        if show:
            print("$ script-editor", *arguments, flush=True)
        done = subprocess.run(
            [self._program, *self._options, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if show else subprocess.PIPE,
            env=self._environment,
            check=False,
        )
        if done.returncode != 0:
            print((done.stderr or done.stdout).decode("utf-8"), file=sys.stderr)
            sys.exit(fail(f"script-editor {shlex.join(arguments)} ended with {done.returncode}"))
        if show:
            print(done.stdout.decode("utf-8"), flush=True)
        return done.stdout


def fail(why: str) -> int:
    print(f"FAILED: {why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1]))
