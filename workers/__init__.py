"""Everything that happens later: the relay from the feed to RQ, and the jobs."""
