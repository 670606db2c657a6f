"""HTTP itself: problem documents, entity tags, preferences, content negotiation."""
