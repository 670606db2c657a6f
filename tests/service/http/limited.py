"""Limits for an application under test, by a clock that stands still until the test moves it."""

from dataclasses import dataclass, replace

from flask import Flask

from service.rate_limits.limiter import Limiter
from service.rate_limits.policy import Policy
from service.redis_store.counters import RedisCounters

NOON = 1_796_040_000_000  # a full minute, in milliseconds since 1970
WINDOW = 60


@dataclass
class Watch:
    """A clock that a test sets, in milliseconds."""

    moment: int = NOON

    def __call__(self) -> int:
        return self.moment


def limit(app: Flask, **quotas: int) -> Watch:
    """From now on the application admits so many requests a minute by each policy that is named."""
    dependencies, watch = app.extensions["dependencies"], Watch()
    policies = {name: Policy(name, quota, WINDOW) for name, quota in quotas.items()}
    limiter = Limiter(RedisCounters(dependencies.keys.client), policies, watch)
    app.extensions["dependencies"] = replace(dependencies, limiter=limiter)
    return watch
