"""What services were found to refuse, remembered by address and model, so that it is asked for once only.

The memory may be kept in a small JSON file. It is a convenience: where the file cannot be read or
written it holds for this process, and where two processes write at once one entry may be lost, to be
learnt again at the price of one request. It holds no key and no address that could hide one.
"""

import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, Protocol, cast, get_args, runtime_checkable

Feature = Literal[
    "json_schema",
    "json_object",
    "tools",
    "functions",  # tools in the older form
    "tool_choice",
    "strict",  # the strict reading of a schema
    "stream",
    "whole",  # an answer in one piece; refused by models that only stream
    "stream_options",
    "max_tokens",  # the older name of the cap; `max_completion_tokens` is sent in its place
    "temperature",
    "stop",
    "system",  # a system message; its words open the user's first one instead
    "repeated_roles",  # two messages of one speaker in a row; they are made one
    "parallel_calls",  # several calls in one message of the past; they are sent one by one
    "message_fields",  # what a service added to its own replies, such as reasoning; it is left out
]
"""A part of a request that some services refuse."""

FEATURES: frozenset[Feature] = frozenset(get_args(Feature))
OPTIONAL: frozenset[Feature] = FEATURES - {"json_schema", "json_object", "tools", "functions", "tool_choice"}
"""Those without which a request still means the same; the others change what comes back."""

TRY_AGAIN_AFTER = timedelta(days=7)
"""Services learn: after this long a refusal is forgotten."""

_MAX_FILE_BYTES = 1_000_000
_Entry = tuple[str, str, str]  # address, model, feature


@runtime_checkable
class Capable(Protocol):
    """A ChatModel that can say what it may be asked for."""

    @property
    def features(self) -> frozenset[Feature]:
        """What a request to it may hold, as far as is known now."""


def features_of(model: object) -> frozenset[Feature]:
    """Return what a ChatModel may be asked for; nothing, for one that does not say."""
    return model.features if isinstance(model, Capable) else frozenset()


class Capabilities:
    """Remembers refusals, in a file if `path` is given. Safe to share between threads.

    The file is read at the first question. Each new refusal is written at once, together with what other
    processes wrote meanwhile. A broken file counts as empty and is replaced at the next refusal.
    """

    def __init__(self, path: Path | None = None, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        self._path, self._now = path, now
        self._lock = threading.Lock()
        self._refused_at: dict[_Entry, datetime] | None = None

    def refused(self, address: str, model: str) -> frozenset[Feature]:
        """Return what the model at `address` refused within TRY_AGAIN_AFTER."""
        with self._lock:
            fresh = self._fresh(self._known())
        return frozenset(feature for feature in FEATURES if (address, model, feature) in fresh)

    def remember(self, address: str, model: str, feature: Feature) -> None:
        """Note that the model at `address` refused `feature` just now. `address` must hold no secret."""
        with self._lock:
            known = self._known()
            known[address, model, feature] = self._now()
            if self._path is not None:
                with suppress(OSError):  # a folder that cannot be written: this process still knows
                    known = _merged(_read(self._path), known)
                    _write(self._path, self._fresh(known))
            self._refused_at = known

    def _known(self) -> dict[_Entry, datetime]:
        if self._refused_at is None:
            self._refused_at = {}
            if self._path is not None:
                with suppress(OSError):
                    self._refused_at = _read(self._path)
        return self._refused_at

    def _fresh(self, refused_at: Mapping[_Entry, datetime]) -> dict[_Entry, datetime]:
        """Return what still counts; a moment in the future was noted by a clock that was wrong."""
        now = self._now()
        return {entry: at for entry, at in refused_at.items() if timedelta() <= now - at < TRY_AGAIN_AFTER}


def _merged(one: Mapping[_Entry, datetime], other: Mapping[_Entry, datetime]) -> dict[_Entry, datetime]:
    return {entry: max(each[entry] for each in (one, other) if entry in each) for entry in {**one, **other}}


# --- the file: {"refused": {address: {model: {feature: moment}}}} ----------------------------


def _read(path: Path) -> dict[_Entry, datetime]:
    """Return what the file holds; nothing, if it is not there or is not such a file."""
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            return {}
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        return {}
    return dict(_entries(content))


def _entries(content: object) -> Iterator[tuple[_Entry, datetime]]:
    """Yield what is readable in a file's content, which anyone may have changed."""
    for address, models in _items(_items_of(content, "refused")):
        for model, features in _items(models):
            for feature, moment in _items(features):
                with suppress(ValueError, TypeError):
                    at = datetime.fromisoformat(cast(str, moment))
                    yield (address, model, feature), at if at.tzinfo else at.replace(tzinfo=UTC)


def _items(value: object) -> Iterator[tuple[str, object]]:
    yield from value.items() if isinstance(value, dict) else ()


def _items_of(content: object, key: str) -> object:
    return content.get(key) if isinstance(content, dict) else None


def _write(path: Path, refused_at: Mapping[_Entry, datetime]) -> None:
    """Put the file in place in one step, so that no reader ever sees half of it; only its owner may read it."""
    tree: dict[str, dict[str, dict[str, str]]] = {}
    for (address, model, feature), at in sorted(refused_at.items()):
        tree.setdefault(address, {}).setdefault(model, {})[feature] = at.isoformat(timespec="seconds")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"refused": tree}, file, ensure_ascii=False, indent=1)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
