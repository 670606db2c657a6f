"""How each worker process starts: its log, its store, its heartbeat."""

import logging
import time

from service.bootstrap import bootstrap
from service.redis_store.client import connect
from service.run.claim import claim_or_exit
from service.settings import settings
from service.store.heartbeat import ALLOWANCE_S, Part, Pulse

RETRY_INTERVAL_S = 1.0


def begin(name: str, allowance_s: float = ALLOWANCE_S) -> Pulse:
    """Wait for the store, make sure that it is ours, and return the heartbeat, to be called in the loop."""
    logging.basicConfig(level=logging.WARNING, format=f"%(asctime)s {name} %(levelname)s %(message)s")
    while not claim_or_exit(settings()):
        time.sleep(RETRY_INTERVAL_S)
    return Pulse(bootstrap(connect(settings().redis_url)).heartbeats, Part(name), allowance_s)
