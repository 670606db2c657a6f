"""One running service a test process, without limits: what is tried here is not whether it can be flooded."""

from collections.abc import Iterator
from dataclasses import fields

import pytest

from service.embedded import EmbeddedServer
from service.settings import Settings
from tests.e2e.running import Service, running


@pytest.fixture(scope="session")
def service(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Everything real, over the server of this test process."""
    unlimited = {each.name.upper(): "" for each in fields(Settings) if each.name.startswith("limit_")}
    with running(tmp_path_factory.mktemp("service"), REDIS_URL=server.url, **unlimited) as started:
        yield started
