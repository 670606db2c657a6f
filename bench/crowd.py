"""Whether a command costs more in a store with 100,000 matches than in one with 100.

The crowd are copies, made by the server, of all keys of one created match under other ids; each has its
place in the public list and its entry in the feed, as if it had been appended.
"""

from hashlib import sha256
from itertools import count, islice
from statistics import median
from typing import Any

from bench.growth import cost
from bench.matches import SEATS, commands, lay, over
from bench.stage import Stage
from service.redis_store.client import connect
from service.redis_store.key_names import Keys
from service.run.embedded import EmbeddedServer
from service.store.journal import place_of

MANY, FEW = 100_000, 100
PIPELINED = 1000  # matches
MATCHES = 4  # played in one window
PARTITIONS = 64
BASE32 = str.maketrans("0189", "ghij")


def measure(stage: Stage) -> dict[str, float]:
    """The same commands in both stores, in turns; a quick run is content with a tenth of the crowd."""
    stores = {size: stage.store() for size in (FEW, MANY // 10 if stage.quick else MANY)}
    for size, store in stores.items():
        fill(store, size)
    served = {size: stage.http("service.wsgi:app", store, 1) for size, store in stores.items()}
    plays = {size: over(store) for size, store in stores.items()}
    numbers = {size: count(1) for size in stores}
    few, many = stores

    def window(size: int) -> float:
        tasks = commands(plays[size], "crowd", islice(numbers[size], MATCHES))
        return cost(stage, served[size], stores[size], tasks)

    rounds = range(1 + stage.times(11))  # the first is to get warm
    costs = [{size: window(size) for size in ((few, many) if n % 2 else (many, few))} for n in rounds]
    return {"command_cost_100000_over_100_matches": median(each[many] / each[few] for each in costs[1:])}


def fill(store: EmbeddedServer, matches: int) -> None:
    """Put so many matches into a store."""
    client: Any = connect(store.url)
    created = lay(over(store), SEATS, 0, "crowd").result.loaded.id
    kept = list(client.scan_iter(f"*:m:{created}:*"))
    for first in range(1, matches, PIPELINED):
        with client.pipeline(transaction=False) as pipe:
            for number in range(first, min(first + PIPELINED, matches)):
                _copy(pipe, created, kept, number)
            pipe.execute()


def _copy(pipe: Any, created: str, kept: list[bytes], number: int) -> None:
    keys, match = Keys(PARTITIONS), match_id(f"{number}")
    for key in kept:
        pipe.copy(key, keys.of_match(match, key.decode().partition(f"{created}:")[2]))
    pipe.xadd(keys.shared(match, "feed"), {"match": match, "version": 1, "calls": "", "seen_by": "*"})
    row, prefixes = f"{place_of(match, number)}/whatnot/open", ("//", "whatnot//", "/open/", "whatnot/open/")
    pipe.zadd(keys.shared(match, "public"), {prefix + row: 0 for prefix in prefixes})
    pipe.zadd(keys.shared(match, "idle"), {match: number})


def match_id(name: str) -> str:
    """An id as matches have them."""
    return "m_" + sha256(name.encode()).hexdigest()[:26].translate(BASE32)
