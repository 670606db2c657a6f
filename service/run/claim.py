"""What every process does before it works on the store: it makes sure that it reads it as it was written."""

import logging
import sys
from contextlib import closing

from service.redis_store.address import StoreAddressError, read
from service.redis_store.client import connect
from service.redis_store.deployment import RedisDeployment
from service.redis_store.replies import reading
from service.settings import Settings, settings
from service.store.deployment import OtherPartitionsError
from service.store.journal import OutcomeUnknownError, StoreUnavailableError

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


if __name__ == "__main__":
    claim_or_exit(settings())
