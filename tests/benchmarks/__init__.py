"""Measurements of speed and size; ratios against something else in the same run, never absolute times."""
