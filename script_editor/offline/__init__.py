"""The embedded default: mechanical instructions in Chinese and English, without key or network."""
