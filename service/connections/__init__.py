"""Below the application: deadlines of connections, strict requests, a cap on what is unfinished."""
