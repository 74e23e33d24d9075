"""A generic tool-using agent: one loop, several modes. It has never heard of a script.

Read executor.py first, then planner.py and tools.py. How a reply is read begins in modes/ and goes
down by way of parsing.py to the scanner and the decoders.
"""
