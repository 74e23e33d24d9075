"""Batches as a front end has them: the whole program over a store, offline or with a service on this machine."""

import json
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from script_editor.app.bootstrap import App, build_app
from script_editor.batch.planning.plan import PlanRequest
from script_editor.batch.planning.sources import of_ids
from script_editor.batch.progress import Event, ItemEnded
from script_editor.batch.service import BatchService, HowToRun
from script_editor.config import Settings
from script_editor.domain.batches import Target, Wishes
from tests.support.openai_server import Behaviour, Exchange, ReceivedRequest, completion

HANG_SECONDS = 60.0
USED = (100, 20)
"""What each call of the service takes."""

NO_WISHES = Wishes()
_ROOT = Path(__file__).parent.parent.parent
_NAMED = re.compile(r"AI 第([0-9]+)集")
_LINE = re.compile(r"(S1:[0-9a-z]+) \| ([^\n]*)")


def text_of(number: int) -> str:
    """Return a script that says which one it is, so that the service knows for whom it works."""
    return f"AI 第{number}集开始了。\n今天我们来聊一聊。\n下次再见。\n"


@dataclass
class Service:
    """A model that puts an `opening` before the first line in one call, and counts the calls of each script.

    Each call takes `used` tokens. `behave` may answer otherwise, and `hold` keeps all answers back while it is not set.
    """

    behave: Callable[[int, int], Behaviour | None] = lambda _number, _call: None
    opening: str = "嗨！"
    used: tuple[int, int] = USED
    calls: Counter[int] = field(default_factory=Counter)
    hold: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.hold.set()

    def __call__(self, request: ReceivedRequest) -> Behaviour:
        """Choose the answer to a request."""
        text = json.dumps(request.body["messages"], ensure_ascii=False)
        found = _NAMED.search(text)
        assert found is not None, text
        number = int(found[1])
        with self._lock:
            self.calls[number] += 1
            call = self.calls[number]
        answer = self.behave(number, call) or self._edit(request.body)

        def behave(exchange: Exchange) -> None:
            self.hold.wait(HANG_SECONDS)
            answer(exchange)

        return behave

    def _edit(self, body: dict[str, Any]) -> Behaviour:
        line = _LINE.search("\n".join(message["content"] for message in body["messages"][1:]))
        assert line is not None, body["messages"]
        operations = {
            "ops": [{"op": "replace", "id": line[1], "text": f"{self.opening}{line[2]}"}],
            "need": None,
        }
        return completion(json.dumps(operations, ensure_ascii=False), usage=self.used)


@dataclass
class Desk:
    """A store with scripts `v1` to `vN`, and the program over it."""

    url: str
    base_url: str | None = None
    prices: tuple[float, float] | None = (1_000_000.0, 1_000_000.0)  # a token costs one
    max_output_tokens: int | None = 40
    apps: list[App] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        environment = (
            {}
            if self.base_url is None
            else {"OPENAI_API_KEY": "sk-0123456789", "OPENAI_BASE_URL": self.base_url, "MODEL_NAME": "m"}
        )
        return Settings(
            database=self.url,
            database_origin="test",
            author="tester",
            model="offline" if self.base_url is None else None,
            price_in=self.prices[0] if self.prices else None,
            price_out=self.prices[1] if self.prices else None,
            max_output_tokens=self.max_output_tokens,
            environment=environment,
        )

    def new_app(self) -> App:
        """Return the program once more, with connections of its own."""
        app = build_app(self.settings)
        self.apps.append(app)
        return app

    @property
    def app(self) -> App:
        """The program as most of a test uses it."""
        return self.apps[0] if self.apps else self.new_app()

    def close(self) -> None:
        """Close every program."""
        for app in self.apps:
            app.close()

    @property
    def batches(self) -> BatchService:
        return self.app.batches

    def fill(self, count: int) -> list[str]:
        """Make scripts, and return their ids."""
        ids = [f"v{number}" for number in range(1, count + 1)]
        for number, script_id in enumerate(ids, 1):
            self.app.scripts.new(script_id, text_of(number), author="tester")
        return ids

    def plan(
        self,
        ids: Sequence[str],
        *,
        instruction: str = "把“AI”改成“人工智能”",
        target: Target = "propose",
        wishes: Wishes = NO_WISHES,
    ) -> str:
        """Plan the same for scripts, and return the batch."""
        request = PlanRequest(
            author="tester", instruction=instruction, sources=[of_ids(ids)], target=target, wishes=wishes
        )
        batch = self.batches.plan(request).batch
        assert batch is not None
        return batch.id

    def run(
        self, batch_id: str, *, is_stopping: Callable[[], bool] = lambda: False, **how: Any
    ) -> list[Event]:
        """Run a batch to its last event."""
        return list(self.batches.run(batch_id, HowToRun(workers=4, **how), is_stopping=is_stopping))

    def resume(self, batch_id: str, **how: Any) -> list[Event]:
        """Resume a batch to its last event."""
        return list(self.batches.resume(batch_id, HowToRun(workers=4, **how), is_stopping=lambda: False))

    def retry(self, batch_id: str, **how: Any) -> list[Event]:
        """Try again what went wrong, to the last event."""
        return list(self.batches.retry(batch_id, HowToRun(workers=4, **how), is_stopping=lambda: False))

    def states(self, batch_id: str) -> dict[str, int]:
        """Return how many items are in each state that some are in."""
        return {state: count for state, count in self.batches.status(batch_id).counts.items() if count}

    def elsewhere(self, verb: str, batch_id: str) -> "subprocess.Popen[str]":
        """Do something with a batch in a process of its own, which an engine of its own needs."""
        order = json.dumps([self.url, self.base_url, verb, batch_id])
        command = [sys.executable, "-m", "tests.batch.service_desk", order]
        return subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True)


def ended(events: Iterable[Event]) -> list[str]:
    """Return the scripts whose items ended, in any order."""
    return sorted(event.item.job.script_id for event in events if isinstance(event, ItemEnded))


def main(order: str) -> None:
    """Do what another process ordered, and print what ended here or how the batch stands."""
    url, base_url, verb, batch_id = json.loads(order)
    desk = Desk(url, base_url)
    match verb:
        case "cancel":
            print(desk.batches.cancel(batch_id).batch.state, flush=True)
        case "run" | "resume":
            begin = desk.batches.run if verb == "run" else desk.batches.resume
            for event in begin(batch_id, HowToRun(workers=2), is_stopping=lambda: False):
                print(type(event).__name__, flush=True)
        case "work":
            for _ in desk.batches.work(workers=2, is_stopping=lambda: False):
                pass
    desk.app.close()


if __name__ == "__main__":
    main(sys.argv[1])
