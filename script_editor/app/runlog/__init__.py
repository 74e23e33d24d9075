"""Every run as a file of JSON lines in the state folder: written while it goes on, read, listed and removed.

It is evidence and nothing depends on it: what cannot be written is not written, and no edit fails for it.
`lines` makes values of what happened, `writing` appends them without keys, `folder` says which
files there are and removes old ones, `traces` reads one back.
"""
