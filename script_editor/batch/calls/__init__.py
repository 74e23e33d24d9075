"""The model calls of a batch: when one may be made, what it takes, and what its failure means for the others."""
