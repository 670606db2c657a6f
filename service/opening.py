"""What every process does before it works on the store: it makes sure that it reads it as it was written."""

import logging
import sys
from contextlib import closing

from service.deployment import Deployment, OtherPartitionsError
from service.settings import Settings, settings
from service.store.journal import OutcomeUnknownError, StoreUnavailableError
from service.store.redis_address import StoreAddressError, read
from service.store.redis_client import connect, reading
from service.store.redis_deployment import RedisDeployment

log = logging.getLogger("bricabrac")


def claim_or_exit(set_up: Settings) -> bool:
    """Exit with one sentence and status 1 if the store is not ours to use; False if it does not answer."""
    try:
        read("REDIS_URL", set_up.redis_url)
        with reading():  # a cluster is connected to at once
            client = connect(set_up.redis_url)
        with closing(client):
            RedisDeployment(client).claim(set_up.partitions)
    except (OtherPartitionsError, StoreAddressError) as why:
        sys.exit(str(why))
    except (StoreUnavailableError, OutcomeUnknownError) as lost:
        log.warning("Waiting for the store: %s", lost)
        return False
    return True


class Gate:
    """Lets nothing to the store before PARTITIONS is known to be right."""

    def __init__(self, deployment: Deployment, partitions: int) -> None:
        self.deployment, self.partitions = deployment, partitions
        self._open = False

    def check(self) -> None:
        """StoreUnavailableError while it is not known to be right."""
        if self._open:
            return
        try:
            self.deployment.claim(self.partitions)
        except OtherPartitionsError as why:
            raise StoreUnavailableError(str(why)) from why
        except OutcomeUnknownError as lost:
            raise StoreUnavailableError(str(lost)) from lost
        self._open = True


if __name__ == "__main__":
    claim_or_exit(settings())
