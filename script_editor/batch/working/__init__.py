"""A process at work on batches: its life, its threads, and what it does for each batch."""
