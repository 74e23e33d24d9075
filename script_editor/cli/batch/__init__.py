"""The commands of `batch`."""
