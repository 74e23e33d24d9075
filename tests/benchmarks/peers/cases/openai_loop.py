"""A loop written by hand over openai's chat completions."""

import json
from collections.abc import Callable

import harness
from openai import OpenAI
from sample import ASK, SYSTEM, Tools, tool_specs


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""
    client, specs = OpenAI(base_url=base_url, api_key="x", max_retries=0), tool_specs()

    def run() -> str:
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": ASK}]
        while True:
            reply = client.chat.completions.create(model="stub", messages=messages, tools=specs)
            message = reply.choices[0].message
            if not message.tool_calls:
                return message.content
            messages.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls:
                told = getattr(tools, call.function.name)(**json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": told})

    return run


if __name__ == "__main__":
    harness.main(setup)
