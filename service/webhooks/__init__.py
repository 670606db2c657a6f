"""Webhooks: who is told what, where, and how far it has come."""
