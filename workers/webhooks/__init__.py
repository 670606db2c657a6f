"""Webhooks: what happened is told, and delivered, by processes of their own."""
