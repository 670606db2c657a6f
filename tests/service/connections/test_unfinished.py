"""The cap on unfinished requests: of an address, of the process, and none of a proxy's own."""

from dataclasses import dataclass

from service.connections.unfinished import Unfinished


@dataclass(eq=False)
class Owed:
    """A connection that says whether it was cut."""

    since: float
    was_cut: bool = False

    def cut(self) -> None:
        self.was_cut = True


def test_the_oldest_of_the_address_gives_way_at_its_cap() -> None:
    unfinished = Unfinished(per_address=2, per_process=100)
    mine, others = [Owed(since) for since in (2, 1, 3)], [Owed(0), Owed(0)]
    for line in others:
        unfinished.add(line, "address:2")
    for line in mine:
        unfinished.add(line, "address:1")
    assert [line.was_cut for line in mine] == [False, True, False]
    assert not any(line.was_cut for line in others)
    assert len(unfinished) == 4


def test_the_oldest_of_all_gives_way_where_the_process_is_full_and_a_proxy_has_no_cap_of_its_own() -> None:
    unfinished = Unfinished(per_address=1, per_process=3)
    lines = [Owed(since) for since in range(4)]
    for line in lines[:3]:
        unfinished.add(line, None)
    assert not any(line.was_cut for line in lines)
    unfinished.add(lines[3], "address:1")
    assert [line.was_cut for line in lines] == [True, False, False, False]


def test_who_is_done_owes_nothing_and_who_begins_again_is_counted_once() -> None:
    unfinished = Unfinished(per_address=1, per_process=3)
    first, second = Owed(0), Owed(1)
    for _ in range(3):
        unfinished.add(first, "address:1")
    unfinished.remove(first)
    unfinished.remove(first)
    unfinished.add(second, "address:1")
    assert not first.was_cut
    assert len(unfinished) == 1
