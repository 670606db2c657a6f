"""What the edge and the workers work with: the use cases and every port, made in `service.bootstrap`."""

from dataclasses import dataclass

from service.auth.api_keys import ApiKeys
from service.auth.signing_keys import Signer
from service.auth.tickets import Tickets
from service.live.broadcaster import FeedReader
from service.matches.play import Play
from service.rate_limits.limiter import Limiter
from service.store.deployment import Deployment
from service.store.heartbeat import Heartbeats
from service.store.progress import Progress
from service.webhooks.port import Webhooks


@dataclass(frozen=True, slots=True)
class Dependencies:
    """One field a port; `play`, the one pipe; and who signs."""

    play: Play
    keys: ApiKeys
    limiter: Limiter
    tickets: Tickets
    tail: FeedReader
    webhooks: Webhooks
    deployment: Deployment
    signer: Signer
    heartbeats: Heartbeats
    progress: Progress
