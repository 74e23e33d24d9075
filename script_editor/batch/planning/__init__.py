"""Makes plans: what is asked for, of which versions, and what it will about take."""
