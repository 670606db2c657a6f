"""Answers that go on: event streams, lines of JSON, long polls."""
