"""The floor: a loop over http.client, without any library."""

import http.client
import json
from collections.abc import Callable
from urllib.parse import urlsplit

import harness
from sample import ASK, SYSTEM, Tools, tool_specs


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""
    address, specs = urlsplit(base_url), tool_specs()
    assert address.hostname is not None
    connection = http.client.HTTPConnection(address.hostname, address.port)
    headers = {"Content-Type": "application/json", "Authorization": "Bearer x"}

    def run() -> str:
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": ASK}]
        while True:
            request = {"model": "stub", "messages": messages, "tools": specs}
            content = json.dumps(request, ensure_ascii=False).encode()
            connection.request("POST", f"{address.path}/chat/completions", content, headers)
            message = json.loads(connection.getresponse().read())["choices"][0]["message"]
            if not message.get("tool_calls"):
                return message["content"]
            messages.append(message)
            for call in message["tool_calls"]:
                arguments = json.loads(call["function"]["arguments"])
                told = getattr(tools, call["function"]["name"])(**arguments)
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": told})

    return run


if __name__ == "__main__":
    harness.main(setup)
