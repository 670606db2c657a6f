"""What the API promises, and its description: schemas of requests and responses, security, headers."""
