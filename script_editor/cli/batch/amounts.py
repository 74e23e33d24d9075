"""Amounts that are given on the command line: how much a batch may take, with "none" for any amount."""

import math
from typing import Any

import click

MOST_PER_MINUTE = 1_000_000_000
"""More than any service allows, and less than a column holds."""
MOST_MONEY = 1e12


class PerMinute(click.IntRange):
    """A number of a minute, or "none" for any."""

    name = "number"

    def __init__(self) -> None:
        super().__init__(1, MOST_PER_MINUTE)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or "none"."""
        return "none" if value == "none" else super().convert(value, param, ctx)


class Money(click.FloatRange):
    """An amount of money above 0, or "none" for any amount."""

    name = "money"

    def __init__(self) -> None:
        super().__init__(0, MOST_MONEY, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the amount, or "none"."""
        if value == "none":
            return "none"
        amount = super().convert(value, param, ctx)
        if math.isnan(amount):  # which is in no range, and out of none
            self.fail(f"{value!r} is not an amount.", param, ctx)
        return amount
