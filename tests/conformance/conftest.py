"""One running service a test process, without limits: what is tried here is not whether it can be flooded."""

from collections.abc import Iterator
from dataclasses import fields

import pytest

from service.run.embedded import EmbeddedServer
from service.settings import Settings
from tests.e2e.running import Service, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A server of its own: the jobs of other tests are not for this service's workers."""
    with EmbeddedServer(tmp_path_factory.mktemp("conformance")) as started:
        yield started


@pytest.fixture(scope="session")
def service(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Everything real."""
    unlimited = {each.name.upper(): "" for each in fields(Settings) if each.name.startswith("limit_")}
    with running(tmp_path_factory.mktemp("service"), REDIS_URL=server.url, **unlimited) as started:
        yield started
