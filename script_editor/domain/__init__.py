"""Values and rules of scripts and edits. Nothing here reads a file, a store or a network."""
