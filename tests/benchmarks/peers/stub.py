"""A chat service that answers at once with the next of three steps: read the script, edit it, say so.

It serves chat completions, whole and streamed, and prints its port. What an agent understands is the first
part of the path: `tools` calls of the service, `react` text with labels, `code` blocks of Python, and
`product` the tools of script-editor, with a rewriter that is asked for operations on the lines.
"""

import json
import re
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from sample import ASK, DONE, NEW_FIRST, READ_MARK, SAVED_MARK, SCRIPT

Json = dict[str, Any]

FIRST = SCRIPT.split("\n")[0]
EDIT = {"script_id": 1, "original_text": SCRIPT, "new_text": SCRIPT.replace(FIRST, NEW_FIRST)}
FIRST_SHOWN = re.compile(r"(S1:[0-9a-z]+) \| ([^\n]*)")


class Answer(NamedTuple):
    """Text, or a call of a tool."""

    text: str | None
    tool: str = ""
    arguments: Mapping[str, object] | None = None


def answer_to(style: str, body: Json) -> Answer:
    """Return what comes next; how far the agent is can be seen from what it sends."""
    if style == "product":
        return _to_product(body)
    sent = json.dumps(body["messages"])
    step = 2 if SAVED_MARK in sent else 1 if READ_MARK in sent else 0
    match style:
        case "tools":
            return _calls(body)[step]
        case "react":
            return Answer(_REACT[step])
        case _:
            return Answer(_CODE[step])


def _calls(body: Json) -> Sequence[Answer]:
    # One library ends its run with a call as well.
    ends_by_call = '"final_answer"' in json.dumps(body.get("tools", []))
    end = Answer(None, "final_answer", {"answer": DONE}) if ends_by_call else Answer(DONE)
    return [Answer(None, "get_script", {"script_id": 1}), Answer(None, "modify_script", EDIT), end]


_REACT = (
    'Thought: I should read the script first.\nAction: get_script\nAction Input: {"script_id": 1}',
    f"Thought: now I edit it.\nAction: modify_script\nAction Input: {json.dumps(EDIT)}",
    f"Thought: I now know the final answer.\nFinal Answer: {DONE}",
)
_CODE = (
    "Thought: read it.\n<code>\nprint(get_script(script_id=1))\n</code>",
    f"Thought: edit it.\n<code>\nprint(modify_script(**{EDIT!r}))\n</code>",
    f"Thought: finish.\n<code>\nfinal_answer({DONE!r})\n</code>",
)


def _to_product(body: Json) -> Answer:
    """Return the next step of an edit of `video_001`; its first line changes to and fro, so that each run edits."""
    if "response_format" in body:
        shown = FIRST_SHOWN.search(body["messages"][-1]["content"])
        assert shown is not None, "the rewriter is shown the first line"
        new = FIRST if shown[2] == NEW_FIRST else NEW_FIRST
        return Answer(json.dumps({"ops": [{"op": "replace", "id": shown[1], "text": new}], "need": None}))
    calls = [
        Answer(None, "get_script", {"script_id": "video_001"}),
        Answer(None, "modify_script", {"script_id": "video_001", "instruction": ASK.replace(" 1", "")}),
        Answer(DONE),
    ]
    return calls[sum(message["role"] == "tool" for message in body["messages"])]


def completion(body: Json, answer: Answer) -> Json:
    """Return a whole chat completion."""
    message: Json = {"role": "assistant", "content": answer.text}
    if answer.tool:
        function = {"name": answer.tool, "arguments": json.dumps(answer.arguments)}
        message["tool_calls"] = [{"id": f"call_{answer.tool}", "type": "function", "function": function}]
    finish_reason = "tool_calls" if answer.tool else "stop"
    choice = {"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", "stub"),
        "choices": [choice],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def events(whole: Json) -> str:
    """Return a completion as a stream: everything in one piece, the finish reason, the usage, the end."""
    message, finish_reason = whole["choices"][0]["message"], whole["choices"][0]["finish_reason"]
    delta = {**message, "content": message["content"] or ""}
    if "tool_calls" in message:
        delta["tool_calls"] = [{**call, "index": place} for place, call in enumerate(message["tool_calls"])]
    head = {**whole, "object": "chat.completion.chunk", "usage": None}
    chunks = [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish_reason}]},
        {**head, "choices": [], "usage": whole["usage"]},
    ]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


class Handler(BaseHTTPRequestHandler):
    """One connection, kept open."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        whole = completion(body, answer_to(self.path.split("/")[1], body))
        if body.get("stream"):
            self._send(events(whole), "text/event-stream")
        else:
            self._send(json.dumps(whole), "application/json")

    def _send(self, text: str, content_type: str) -> None:
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
