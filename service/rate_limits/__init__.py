"""How much a caller may ask for."""
