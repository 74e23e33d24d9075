"""Use cases. They know the rules and the order of things, not the screen and not the database."""
