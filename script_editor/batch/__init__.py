"""Many edits at once: planned, run by a durable engine, and never done twice."""
