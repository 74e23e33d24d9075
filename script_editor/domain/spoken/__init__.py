"""What of a script is heard, and in how many syllables; `domain.duration` makes seconds of it."""
