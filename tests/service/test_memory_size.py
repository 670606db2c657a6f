"""The ceiling of the embedded server's memory, as it is set and as it is met."""

from pathlib import Path

import pytest
from environs import EnvError

from service import memory_size
from service.memory_size import available, size_of
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal
from service.run.embedded import embedded
from service.settings import settings
from service.store.journal import Accepted, StoreFullError
from tests.service.redis_store.appends import appending


def test_a_size_is_a_number_of_bytes_or_a_share_of_what_there_is() -> None:
    assert size_of("20000000") == 20_000_000
    assert size_of("512MB") == 512 << 20
    assert size_of("2gb") == 2 << 30
    assert size_of("50%") == available() // 2


@pytest.mark.parametrize("notation", ["", "half", "0%", "101%", "1mb", "-5", "1.5gb", "٣gb", "5 %"])
def test_what_is_no_size_is_refused_with_how_to_write_it(
    notation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match=r"50%|100%|16mb"):
        size_of(notation)
    monkeypatch.setenv("STORE_MEMORY", notation)
    settings.cache_clear()
    with pytest.raises(EnvError, match="STORE_MEMORY"):
        settings()
    monkeypatch.undo()
    settings.cache_clear()


def test_a_container_that_may_use_less_than_the_machine_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory_size, "LIMITS", (tmp_path / "none", limit))
    machine = available()
    limit.write_text("max\n")
    assert available() == machine
    limit.write_text(f"{1 << 28}\n")
    assert available() == 1 << 28


def fill(journal: RedisJournal) -> None:
    for number in range(1000):
        journal.append(appending(f"m_{number}", tag="x" * 100_000))


def test_a_server_at_its_ceiling_refuses_commits_and_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORE_MEMORY", "16mb")
    monkeypatch.setenv("DATA", str(tmp_path))
    settings.cache_clear()
    with embedded(settings()) as server:
        journal = RedisJournal(connect(server.url))
        assert journal.append(appending("m_first")) == Accepted()
        with pytest.raises(StoreFullError):
            fill(journal)
        assert journal.head("m_first").version == 1
        assert journal.listing(None, 5) is not None
    monkeypatch.undo()
    settings.cache_clear()
