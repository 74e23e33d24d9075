"""The form of the files, as whoever writes them and whoever reads them must agree on it."""

from typing import Any

FORMAT = 1
"""Raised when an older program could no longer read what is written."""

Line = dict[str, Any]  # JSON values
