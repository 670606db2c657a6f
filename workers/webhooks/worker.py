"""A process for the webhooks, apart from those for matches: one dispatcher."""

import logging
import signal
import threading

from service.bootstrap import dependencies
from service.store.heartbeat import HOOK_WORKER
from workers.startup import begin
from workers.webhooks.deliveries import account, announce, send
from workers.webhooks.dispatcher import Dispatcher


def dispatcher() -> Dispatcher:
    """The dispatcher of this process."""
    return Dispatcher(dependencies().webhooks, announce, send, account)


def main() -> None:
    """Work until SIGTERM; attempts under way are finished first."""
    pulse = begin(HOOK_WORKER)
    logging.getLogger("requests_hardened").setLevel(logging.ERROR)  # the owner of a webhook is told
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    dispatcher().run(stop, pulse)


if __name__ == "__main__":
    main()
