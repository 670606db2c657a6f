"""What all processes of a deployment agree on is written by the first and read by the rest."""

import pytest

from service.redis_store.deployment import RedisDeployment
from service.redis_store.journal import RedisJournal
from service.store.deployment import OtherPartitionsError


def test_all_processes_share_one_secret(journal: RedisJournal) -> None:
    first, second = RedisDeployment(journal.client), RedisDeployment(journal.client)
    assert first.secret() == second.secret() == first.secret()
    assert len(first.secret()) == 32


def test_another_number_of_partitions_is_refused(journal: RedisJournal) -> None:
    RedisDeployment(journal.client).claim(64)
    RedisDeployment(journal.client).claim(64)
    with pytest.raises(OtherPartitionsError, match="PARTITIONS=64"):
        RedisDeployment(journal.client).claim(32)
