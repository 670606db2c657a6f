"""Pages for people: templates, their scripts and styles, and what they say of problems."""
