"""The same engine, with calls written as text with labels."""

from collections.abc import Callable

import engine_tools
import harness
from sample import Tools


def setup(base_url: str, tools: Tools) -> Callable[[], str]:
    """Return what carries out one edit."""
    return engine_tools.setup(base_url, tools, "react")


if __name__ == "__main__":
    harness.main(setup)
