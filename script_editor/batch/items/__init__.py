"""One item of a batch: the same edit as any other, over what it was planned for, and replayed without loss."""
