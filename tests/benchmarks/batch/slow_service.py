"""A chat service that takes its time: each call waits as long as a real model, and thousands may wait at once.

It carries out an edit of one script in three calls, two for the agent and one for the rewriter, and prints its
port. `GET /stats` tells how many calls there were, how many of them were made before for the same step of the same
script, when the first began and when each edit was over; `GET /reset` forgets that.
"""

import asyncio
import json
import re
import sys
import time
from typing import Any

Json = dict[str, Any]

SCRIPT_ID = re.compile(r"\bvideo_[0-9]{6}\b")
FIRST_SHOWN = re.compile(r"(S1:[0-9a-z]+) \| ([^\n]*)")
DONE = "The first line is shorter now."


class Service:
    """Answers, and remembers when."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.forget()

    def forget(self) -> None:
        self.calls, self.began, self.ended = 0, 0.0, list[float]()
        self.answered = set[tuple[str, str]]()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection until it is closed."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = re.search(rb"(?i)content-length: *([0-9]+)", head)
                body = await reader.readexactly(int(length[1])) if length else b""
                content = json.dumps(await self._answer(head.split(b" ", 2)[1], body)).encode()
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    + f"Content-Length: {len(content)}\r\n\r\n".encode()
                    + content
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, path: bytes, body: bytes) -> Json:
        if path == b"/stats":
            repeated = self.calls - len(self.answered)
            return {"calls": self.calls, "repeated": repeated, "began": self.began, "ended": self.ended}
        if path == b"/reset":
            self.forget()
            return {}
        self.calls += 1
        self.began = self.began or time.monotonic()
        asked = json.loads(body)
        script_id, step = _script(asked), _step(asked)
        self.answered.add((script_id, step))
        message = _message(asked, script_id, step)
        await asyncio.sleep(self.seconds)
        if step == "answer":
            self.ended.append(time.monotonic())
        return _completion(asked, message)


def _script(asked: Json) -> str:
    named = SCRIPT_ID.search(json.dumps(asked["messages"]))
    assert named is not None, "every request names its script, in its text if nowhere else"
    return named[0]


def _step(asked: Json) -> str:
    """Return which of the three calls of an edit it is: "plan", "rewrite" or "answer"."""
    if "response_format" in asked:
        return "rewrite"
    return "answer" if any(message["role"] == "tool" for message in asked["messages"]) else "plan"


def _message(asked: Json, script_id: str, step: str) -> Json:
    """Return the next message of a model."""
    match step:
        case "rewrite":
            return {"role": "assistant", "content": json.dumps(_operations(asked))}
        case "answer":
            return {"role": "assistant", "content": DONE}
        case _:
            return {"role": "assistant", "content": None, "tool_calls": [_tool_call(asked, script_id)]}


def _operations(asked: Json) -> Json:
    shown = FIRST_SHOWN.search(asked["messages"][-1]["content"])
    assert shown is not None, "the rewriter is shown the first line"
    new = shown[2].replace(" really", "") if " really" in shown[2] else f"{shown[2]} really"
    return {"ops": [{"op": "replace", "id": shown[1], "text": new}], "need": None}


def _tool_call(asked: Json, script_id: str) -> Json:
    tools = {tool["function"]["name"] for tool in asked["tools"]}
    name = "modify_script" if "modify_script" in tools else "preview"
    arguments = {"script_id": script_id, "instruction": asked["messages"][-1]["content"]}
    return {
        "id": "call_1",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }


def _completion(asked: Json, message: Json) -> Json:
    finish_reason = "tool_calls" if "tool_calls" in message else "stop"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": asked["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960},
    }


async def main(seconds: float) -> None:
    server = await asyncio.start_server(Service(seconds).serve, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
