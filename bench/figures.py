"""Every figure there is, by the bench that measures it: what it says, and its goal where it has one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A key of the results; a goal is a bound on one side."""

    key: str
    says: str
    least: float | None = None
    most: float | None = None

    @property
    def goal(self) -> str:
        """The goal in signs, or nothing."""
        if self.least is not None:
            return f"≥ {self.least:g}"
        return "" if self.most is None else f"≤ {self.most:g}"

    def met(self, value: float) -> bool | None:
        """Whether the value reaches the goal; None where there is none."""
        if self.least is not None:
            return value >= self.least
        return None if self.most is None else value <= self.most


FIGURES: dict[str, tuple[Figure, ...]] = {
    "http": (
        Figure("http_commands_over_bare_append_c1", "commands/s, 1 connection"),
        Figure("http_commands_over_bare_append_c16", "commands/s, 16 connections", least=0.75),
        Figure("http_cpu_over_bare_append", "workers' processor time a request, 16 connections", most=1.4),
        Figure("http_p99_over_bare_append_c16", "99th percentile of the answer times"),
        Figure("http_commands_over_null_c1", "commands/s over a POST that stores nothing"),
        Figure("http_commands_over_null_c16", "the same, 16 connections"),
        Figure("http_cpu_over_null", "processor time over a POST that stores nothing"),
        Figure("http_p99_over_null_c16", "99th percentile over a POST that stores nothing"),
        Figure("http_commands_apart_over_bare_append_c16", "commands/s, every seat on its own connection"),
        Figure("http_cpu_apart_over_bare_append", "processor time, every seat on its own connection"),
    ),
    "streams": (
        Figure("sse_delivery_500_p50_over_command", "command to its event at 500 subscribers, median"),
        Figure("sse_delivery_500_p99_over_command", "the same, 99th percentile"),
        Figure("sse_delivery_2000_p50_over_command", "command to its event at 2,000 subscribers, median"),
        Figure("sse_delivery_2000_p99_over_command", "the same, 99th percentile"),
        Figure("http_p99_2000_streams_over_none", "99th percentile with 2,000 idle streams open", most=1.5),
        Figure("http_commands_2000_streams_over_none", "commands/s with 2,000 idle streams open"),
    ),
    "growth": (
        Figure("command_cost_10000_over_10_commits", "cost of a command in a long match", most=1.1),
        Figure("cold_load_10000_over_10_commits", "loading a long match from its snapshot"),
    ),
    "crowd": (Figure("command_cost_100000_over_100_matches", "cost of a command in a full store", most=1.1),),
    "burst": (
        Figure("burst_1000_last_over_closed_loop", "1,000 requests at once, over the same in 16 lanes"),
        Figure("burst_1000_refused", "of 1,000 requests at once, those not given", most=0),
    ),
    "reads": (
        Figure("lobby_page_store_commands", "commands for the open of 3,000 matches", most=128),
        Figure("lobby_page_store_commands_3000_over_30", "the same, over those in a small store", most=1.25),
        Figure("feed_poll_store_commands", "commands for a poll of 1 past 3,000 hidden commits", most=12),
        Figure(
            "feed_poll_store_commands_3000_over_30", "the same, over those past a few; 1 to 3 trips", most=2
        ),
        Figure("feed_follower_store_commands", "commands for a commit that one follower gets", most=12),
        Figure("feed_followers_store_commands_20_over_1", "the same for 20 followers", most=1.5),
    ),
    "folding": (
        Figure("cold_fold_events_per_s", "events folded in a second of processor time"),
        Figure("simulate_matches_per_s", "Whatnot for 4, matches in a second of processor time"),
        Figure("rss_growth_1000_replays_mb", "memory kept after folding a match 1,000 times", most=1.0),
    ),
    "space": (Figure("store_bytes_finished_match_4_seats", "bytes in the store for a match of Whatnot"),),
    "rival": (
        Figure("rival_latency_over_rq_start_p50", "human's commit to rival's commit, median", most=1.5),
        Figure("rival_latency_over_rq_start_p99", "human's commit to rival's commit, 99th", most=1.5),
        Figure("rq_simple_over_fork_start", "start of a job, simple worker over forking worker"),
    ),
    "floods": (
        Figure("rival_latency_200_bot_matches_over_none_p50", "a rival beside 200 matches of bots, median"),
        Figure("rival_latency_200_bot_matches_over_none_p99", "the same, 99th percentile"),
        Figure("webhook_commits_told_per_s", "commits/s told to a receiver 20 ms away", least=65),
        Figure("webhook_backlog_s_over_burst_s", "how long a burst of commits is told after it has ended"),
    ),
    "worker_classes": (
        Figure("worker_class_gthread_over_gevent_c16", "commands/s, 4 threads a worker"),
        Figure("worker_class_sync_over_gevent_c16", "commands/s, one request a worker at a time"),
        Figure("worker_class_gthread_cpu_over_gevent", "processor time a command, 4 threads a worker"),
        Figure("worker_class_sync_cpu_over_gevent", "processor time a command, one at a time"),
    ),
}
