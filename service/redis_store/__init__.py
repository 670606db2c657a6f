"""Every port in Redis, Valkey or a Redis Cluster."""
