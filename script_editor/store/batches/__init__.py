"""Batches in the store: each module works in the transaction of the session it is given."""
