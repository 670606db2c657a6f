"""Commits as they happen: one reader of the feed in a process, its channels, and who follows them."""
