"""What every process does before it works on the store: it makes sure that it reads it as it was written."""

import logging
import sys
from contextlib import closing

from service.auth.signing_keys import Signer
from service.redis_store.address import StoreAddressError, read
from service.redis_store.client import connect
from service.redis_store.deployment import RedisDeployment
from service.redis_store.replies import reading
from service.redis_store.signing_keys import RedisSigningKeys
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


def publish_key(set_up: Settings) -> None:
    """Make the key with which heads are signed, or add the one that is given, before it is first needed."""
    try:
        with closing(connect(set_up.redis_url)) as client:
            Signer(RedisSigningKeys(client), set_up.signing_key).public_keys()
    except StoreUnavailableError as lost:
        log.warning("No signing key was made: %s", lost)  # it is, when it is needed


if __name__ == "__main__":
    if claim_or_exit(settings()):
        publish_key(settings())
