"""Commits as they happen: one reader of the feed in each process, its channels and subscriptions."""
