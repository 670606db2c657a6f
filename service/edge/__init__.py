"""Below the application: strict requests, deadlines, a cap on what is unfinished."""
