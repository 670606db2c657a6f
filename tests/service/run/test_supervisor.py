"""What `bricabrac serve` does with a process that ends, is silent or was stopped."""

import os
import signal
import sys
from collections.abc import Callable, Iterator

import pytest

from service.run import supervisor
from service.run.supervisor import Child
from tests.servers import lives, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for its children in /proc: Linux only")


@pytest.fixture
def sleeper(monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    monkeypatch.setattr(supervisor, "SILENCE_S", 0.2)
    child = Child("sleeper", ["-c", "import time; time.sleep(600)"], dict(os.environ))
    child.start()
    yield child
    child.stop()


def pid_of(child: Child) -> int:
    assert child.process is not None
    return child.process.pid


def replaced(child: Child, living: Callable[[], set[int] | None]) -> None:
    """Tick until another process runs in place of the present one."""
    before = pid_of(child)

    def is_another() -> bool:
        child.tick(living())
        return pid_of(child) != before

    until(is_another)
    assert not lives(before)


def test_a_child_that_was_heard_and_is_silent_is_ended_and_started_again(sleeper: Child) -> None:
    sleeper.tick({pid_of(sleeper)})
    replaced(sleeper, set)
    assert sleeper.process is not None
    assert sleeper.process.poll() is None


def test_a_child_that_was_stopped_is_replaced_though_nobody_knows_who_lives(sleeper: Child) -> None:
    os.kill(pid_of(sleeper), signal.SIGSTOP)
    replaced(sleeper, lambda: None)


@pytest.mark.parametrize("living", ["its heartbeat", "nothing, for the store is away", "not yet anything"])
def test_a_child_is_left_alone_while_it_is_heard_or_nobody_can_be(sleeper: Child, living: str) -> None:
    pid, looks = pid_of(sleeper), 0
    said = {"its heartbeat": {pid}, "not yet anything": set()}.get(living)
    if living != "not yet anything":
        sleeper.tick({pid})

    def looked_for_a_while() -> bool:
        nonlocal looks
        sleeper.tick(said)
        looks += 1
        return looks > 60  # well over the silence that is endured

    until(looked_for_a_while)
    assert pid_of(sleeper) == pid
    assert lives(pid)


def test_a_store_that_comes_back_does_not_condemn_those_it_has_not_heard_yet(sleeper: Child) -> None:
    pid = pid_of(sleeper)
    sleeper.tick({pid})
    sleeper.tick(set())
    sleeper.tick(None)
    assert sleeper.silent is None
    sleeper.tick({pid})
    assert lives(pid)
