"""What other processes do to one script: functions that a fresh interpreter can import."""

import itertools
import random
import time
from multiprocessing.synchronize import Barrier

from script_editor.app.scripts import ScriptService
from script_editor.errors import StaleHead
from script_editor.store.sql import open_store


def edit_many(url: str, edits: int, retry: bool, barrier: Barrier) -> str:
    """Write `edits` texts of this process's own; return the texts saved and the conflicts met, as lines."""
    me = f"{time.time_ns():x}-{random.randrange(10**9)}"
    conflicts, saved = 0, []
    with open_store(url, create=False) as store:
        service = ScriptService(store)
        barrier.wait()
        for number in range(edits):
            text = f"{me} writes line {number}\n"
            for attempt in itertools.count(1):
                head = service.read("video_001")
                try:
                    service.save("video_001", text, expected_head=head.number, author=me)
                    saved.append(text.strip())
                except StaleHead:
                    conflicts += 1
                    if retry:
                        time.sleep(random.random() * 0.01 * min(attempt, 8))
                        continue
                break
    return "\n".join([str(conflicts), *saved])
