"""The whole product from Python: an edit of a stored script, by a model that is asked for the new lines as well."""

from collections.abc import Callable

import harness
from sample import ASK, DONE, Tools

from script_editor.app.bootstrap import build_app
from script_editor.app.edit import EditRequest
from script_editor.config import load_settings


def setup(_base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit; address and store are in the environment, as a user sets them."""
    app = build_app(load_settings())
    request = EditRequest(script_id="video_001", instruction=ASK.replace(" 1", ""), author="bench")

    def run() -> str:
        report = app.edit(request, approve=lambda _pending: True)
        tools.edits += report.outcome == "saved"
        return report.answer if report.answer == DONE else f"it said {report.answer!r}"

    return run


if __name__ == "__main__":
    harness.main(setup)
