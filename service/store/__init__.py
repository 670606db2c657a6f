"""The journal of the matches: a port, and what is behind it: Redis, or memory. Knows no Flask."""
