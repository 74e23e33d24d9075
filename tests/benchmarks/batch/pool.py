"""A program that edits every script of its store in the plainest way: `pool.py INSTRUCTION THREADS`.

A pool of threads calls `edit_script` for each and saves; the settings come from the environment.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from script_editor.app.bootstrap import build_app
from script_editor.app.edit import EditRequest
from script_editor.config import load_settings


def main(instruction: str, threads: int) -> None:
    """Edit all scripts, so many at a time. Raises AssertionError where one was not saved."""
    app = build_app(load_settings())

    def edited(script_id: str) -> str:
        request = EditRequest(script_id=script_id, instruction=instruction, author="bench", mode="tools")
        return app.edit(request, approve=lambda _pending: True).outcome

    ids = [info.id for info in app.store.scripts()]
    with ThreadPoolExecutor(threads) as pool:
        assert {"saved"} == set(pool.map(edited, ids))
    app.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
