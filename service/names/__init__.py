"""Names that people give themselves and their keys: what must be seen of them, and which look alike."""
