"""Talking to chat models. Knows nothing of scripts or agents."""
