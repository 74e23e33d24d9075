"""Edit spoken video scripts from plain instructions; keep every version.

Importing this package does nothing else: every command loads only what it needs.
"""

__version__ = "0.1.0"
