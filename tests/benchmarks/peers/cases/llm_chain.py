"""llm: a chain with two tools, from Python."""

from collections.abc import Callable

import harness
from llm.default_plugins.openai_models import Chat
from sample import ASK, SYSTEM, Tools


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""

    def get_script(script_id: int) -> str:
        """Return the text of a script."""
        return tools.get_script(script_id)

    def modify_script(script_id: int, original_text: str, new_text: str) -> str:
        """Replace original_text by new_text in a script."""
        return tools.modify_script(script_id, original_text, new_text)

    model = Chat(model_id="stub", model_name="stub", api_base=base_url, supports_tools=True)
    model.key = "x"
    kit = [get_script, modify_script]
    return lambda: model.chain(ASK, system=SYSTEM, tools=kit, stream=False).text()


if __name__ == "__main__":
    harness.main(setup)
