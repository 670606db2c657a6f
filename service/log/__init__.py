"""The log of a match: its record format, what is sealed in it, its hash chain, its proof."""
