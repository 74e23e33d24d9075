"""Which queue items wait in, and which workers take from it: those of the same batch, model and address.

Each batch has a queue of its own, so that nobody who runs one of them works on, and pays for, another one. The queue
of a worker that takes items of every batch is written with ALL in the place of the batch. A worker says which it
takes from in its name, so that others can tell who will go on with a batch.
"""

import os
import socket
import uuid
from hashlib import sha256

ALL = "*"
"""In the place of a batch: every one."""
_MOST_HOST = 26
"""A host's name may be twice as long, and the name of a worker has to fit its column."""


def queue_of(address: str, model: str) -> str:
    """Return the queues of what is to be done with a model at an address, those of ALL batches."""
    return f"{_model_part(model)}-{_mark(address)}.{ALL}"


def of_batch(queue: str, batch_id: str) -> str:
    """Return the queue of one batch among those of ALL; any other queue is itself."""
    return queue.replace(ALL, batch_id)


def new_worker_id(queue: str = "") -> str:
    """Return a name that no process ever had, so that nobody's work is taken for its own; it ends in the queue that
    the process takes from, if it does."""
    name = f"{socket.gethostname()[:_MOST_HOST]}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    return f"{name}@{queue}" if queue else name


def is_bound_to(worker_id: str, batch_id: str) -> bool:
    """Say whether a worker takes items of this batch alone: it was begun to run it."""
    return _batch_part(_queue_part(worker_id)) == batch_id


def serves(worker_id: str, queue: str) -> bool:
    """Say whether a worker takes from the queue of a batch."""
    own = _queue_part(worker_id)
    return of_batch(own, _batch_part(queue)) == queue


def serves_model(worker_id: str, model: str, batch_id: str) -> bool:
    """Say whether a worker takes what is to be done with a model, at whatever address, in a batch."""
    own = _queue_part(worker_id)
    return own.startswith(f"{_model_part(model)}-") and _batch_part(own) in (batch_id, ALL)


def is_same_work(queue: str, other: str) -> bool:
    """Say whether what waits in one queue can be done by those that take from another: it is of the same batch, to be
    done with the same model."""
    return _batch_part(queue) == _batch_part(other) and _kind(queue) == _kind(other)


def _queue_part(worker_id: str) -> str:
    return worker_id.rpartition("@")[2]


def _batch_part(queue: str) -> str:
    return queue.partition(".")[2]


def _kind(queue: str) -> str:
    return queue.partition(".")[0].rpartition("-")[0]


def _model_part(model: str) -> str:
    return f"edits-{_mark(model)}"


def _mark(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]
