"""smolagents: an agent that writes Python which calls the tools."""

from collections.abc import Callable

import harness
import smolagents_tools
from sample import Tools
from smolagents import CodeAgent


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""
    return smolagents_tools.setup(base_url, tools, CodeAgent)


if __name__ == "__main__":
    harness.main(setup)
