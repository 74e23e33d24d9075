"""Files and scripts: bytes or text in, values out, and back. No I/O here."""
