"""The command line: parse, call one use case, render. The only home of click."""
