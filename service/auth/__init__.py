"""Tokens, API keys and tickets: who a caller is."""
