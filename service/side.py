"""What is kept beside the matches: the ports that the edge works with, besides the one pipe."""

from dataclasses import dataclass

from service.deployment import Deployment
from service.heartbeat import Heartbeats
from service.hooks import HookBook
from service.keys import KeyRing
from service.live import Tail
from service.progress import Progress
from service.rates import Limiter
from service.tickets import Tickets


@dataclass(frozen=True, slots=True)
class Side:
    """One field a port."""

    keys: KeyRing
    limiter: Limiter
    tickets: Tickets
    tail: Tail
    hooks: HookBook
    deployment: Deployment
    heartbeats: Heartbeats
    progress: Progress
