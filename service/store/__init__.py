"""What has to be stored: the ports and their errors, and a journal in memory. Knows no Redis."""
