"""A generic tool-using agent: one loop, several modes. It has never heard of a script."""
