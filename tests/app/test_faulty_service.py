"""Edits through a service that fails in every way there is, on three calls out of ten.

Whatever happens, a run ends with a report or a typed error; what is reported is what is stored, no edit is
stored twice, and the key is written nowhere. `pytest -s` prints what became of the runs and which faults there were.
"""

import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from script_editor.agent.language import Language
from script_editor.agent.modes import MODES
from script_editor.agent.steps import Limits
from script_editor.app.bootstrap import App, build_app
from script_editor.app.edit import EditReport, EditRequest
from script_editor.errors import ScriptEditorError
from script_editor.llm.capabilities import Capabilities
from script_editor.llm.chat import ChatModel, Reply
from script_editor.llm.metered import Metered
from script_editor.llm.openai_chat import OpenAIChat
from tests.app.faults import EDITED, FAULTS, INSTRUCTIONS, TEXTS, FaultyService, answered, healthy
from tests.support.desk import settings
from tests.support.openai_server import Behaviour, OpenAIServer, ReceivedRequest

SOAK = "SCRIPT_EDITOR_SOAK" in os.environ
LANGUAGES: tuple[Language, ...] = ("zh", "en")
ASKED_FOR = ("auto", *MODES)
EACH = 4 if not SOAK else 40
SHARE = 0.3
KEY = "sk-live-0123456789abcdefghij"
CALL_SECONDS = 1.5
"""For one call of the model with its retries; far more than an answer takes, little enough to wait for."""
RUN_SECONDS = 6 * CALL_SECONDS
LATE_SECONDS = 15.0
"""How much later than its deadline a run may end: opening the store and saving count, and machines are busy."""


class Whole:
    """A model of which nobody listens to the text, so that nothing is streamed."""

    def __init__(self, model: ChatModel):
        self._model = Metered(model)

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._model.name

    @property
    def features(self) -> Any:
        """What the model behind it takes."""
        return self._model.features

    def complete(self, messages: Any, **arguments: Any) -> Reply:
        """Pass the request on, without a listener."""
        return self._model.complete(messages, **{**arguments, "on_text": None})


@dataclass
class Bench:
    """A store, a state folder and a way to run one edit against a service."""

    folder: Path
    empty_store: Path

    def edit(
        self,
        service: Callable[[ReceivedRequest], Behaviour],
        language: Language,
        mode: str,
        *,
        streamed: bool,
    ) -> tuple[App, EditReport | ScriptEditorError]:
        """Carry out the edit on a script of its own and return what came of it; the app is open."""
        self.folder.mkdir()
        shutil.copy(self.empty_store, self.folder / "store.db")
        plain = settings(self.folder / "store.db")
        state = {"SCRIPT_EDITOR_STATE": str(self.folder / "state")}
        with OpenAIServer(service) as server, self._connected(server) as model:
            app = build_app(
                replace(plain, log_runs=True, environment=state), model=model if streamed else Whole(model)
            )
            app.scripts.new("video_001", TEXTS[language], author="tester")
            request = EditRequest(
                script_id="video_001", instruction=INSTRUCTIONS[language], author="tester", mode=mode
            )
            try:
                return app, app.edit(
                    request, approve=lambda _pending: True, limits=Limits(max_seconds=RUN_SECONDS)
                )
            except ScriptEditorError as error:
                return app, error

    def _connected(self, server: OpenAIServer) -> OpenAIChat:
        return OpenAIChat(
            "qwen",
            api_key=KEY,
            base_url=server.base_url,
            timeout_seconds=CALL_SECONDS,
            max_retries=3,
            capabilities=Capabilities(self.folder / "state" / "capabilities.json"),
            sleep=lambda _seconds: None,
            jitter=lambda: 1.0,
        )


def assert_sound(app: App, came: EditReport | ScriptEditorError, language: Language) -> str:
    """Check everything that must hold after any run, and return in a word what came of it."""
    versions = list(app.store.history("video_001"))
    texts = [app.store.version("video_001", number).text for number in range(1, len(versions) + 1)]
    run, *others = app.store.runs(script_id="video_001")

    assert not others and run.stop_reason is not None and run.finished_at is not None
    assert run.stop_reason != "crashed"
    assert texts in ([TEXTS[language]], [TEXTS[language], EDITED[language]])
    assert app.store.verify() == ()
    if isinstance(came, ScriptEditorError):
        assert len(texts) == 1 and came.exit_code > 0 and str(came)
        return type(came).__name__
    assert (came.outcome == "saved") == (len(texts) == 2)
    assert (came.version.text if came.version else None) == (texts[1] if len(texts) == 2 else None)
    return came.outcome


def assert_secret(folder: Path) -> None:
    """Check that no file below `folder` holds the key."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"store.db"}
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


@pytest.fixture(scope="module")
def tally() -> Iterator[tuple[Counter[str], Counter[str]]]:
    """What became of the runs, and how often each fault occurred; printed at the end."""
    outcomes, faults = Counter[str](), Counter[str]()
    yield outcomes, faults
    print(f"\n{outcomes.total()} runs: " + ", ".join(f"{what} {n}" for what, n in outcomes.most_common()))
    print(f"{faults.total()} faults: " + ", ".join(f"{what} {n}" for what, n in faults.most_common()))


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", ASKED_FOR)
def test_whatever_fails_a_run_ends_in_a_word_and_nothing_is_told_that_is_not_stored(
    mode: str,
    language: Language,
    tmp_path: Path,
    sqlite_template: Path,
    tally: tuple[Counter[str], Counter[str]],
) -> None:
    outcomes, faults = tally
    rng = Random(f"{mode} {language}")

    for number in range(EACH):
        service = FaultyService(rng, share=SHARE, made=faults)
        began = time.monotonic()
        app, came = Bench(tmp_path / str(number), sqlite_template).edit(
            service, language, mode, streamed=number % 2 == 0
        )

        assert time.monotonic() - began < RUN_SECONDS + LATE_SECONDS
        outcomes[assert_sound(app, came, language)] += 1
        app.close()
        assert_secret(tmp_path / str(number))


@pytest.mark.parametrize("mode", ASKED_FOR)
@pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
def test_without_a_fault_the_edit_is_saved(
    mode: str, streamed: bool, tmp_path: Path, sqlite_template: Path
) -> None:
    for language in LANGUAGES:
        bench = Bench(tmp_path / language, sqlite_template)

        app, came = bench.edit(lambda request: answered(healthy(request)), language, mode, streamed=streamed)

        assert assert_sound(app, came, language) == "saved"
        app.close()


@pytest.mark.soak
@pytest.mark.parametrize("fault", FAULTS)
def test_one_fault_at_any_call_leaves_all_in_order(fault: str, tmp_path: Path, sqlite_template: Path) -> None:
    """The edit takes three calls: what to do, the new text, the last word. Once each by `make soak`, else one of them."""
    rng = Random(fault)
    for at in range(3) if SOAK else [rng.randrange(3)]:
        calls, mode, language = 0, rng.choice(ASKED_FOR), rng.choice(LANGUAGES)

        def service(request: ReceivedRequest, at: int = at) -> Behaviour:
            nonlocal calls
            calls += 1
            answer = healthy(request)
            spoilt = FAULTS[fault](request, answer, rng) if calls == at + 1 else None
            return spoilt or answered(answer)

        app, came = Bench(tmp_path / str(at), sqlite_template).edit(
            service, language, mode, streamed=rng.random() < 0.7
        )

        assert_sound(app, came, language)
        app.close()
        assert_secret(tmp_path / str(at))
