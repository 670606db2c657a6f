"""What a finished match of four takes in the store.

Counted is MEMORY USAGE, key and all, of every key there is in a store that holds finished matches and
nothing else, divided by their number: the log (about two thirds) and the head; the answer kept with every
Idempotency-Key (a quarter, gone after 24 hours); its entries in the feed (trimmed after an hour); its place
in the public list. All matches lie in one partition, so that the overhead of feed and list is shared as in a
store that is full.
"""

from typing import Any

import orjson

from bench.matches import SEATS, lay, script
from bench.stage import Stage
from domain.match.rules import seat_name
from service.bootstrap import bootstrap
from service.http.app import create_app
from service.matches.play import Play
from service.redis_store.client import connect
from service.redis_store.journal import RedisJournal

MATCHES = 12


def measure(stage: Stage) -> dict[str, float]:
    """Whole matches through the application, and the size of what is stored then."""
    client: Any = connect(stage.store().url)
    play, matches = Play(RedisJournal(client, partitions=1)), stage.times(MATCHES)
    for number in range(matches):
        play_whole(play, number)
    sizes = [client.memory_usage(key, samples=0) for key in client.scan_iter(count=1000)]
    return {"store_bytes_finished_match_4_seats": sum(sizes) / matches}


def play_whole(play: Any, number: int) -> None:
    """One match, by requests as clients send them."""
    app = create_app(bootstrap(play.journal.client, play=play))
    client, seated = app.test_client(), lay(play, SEATS, number)
    match = seated.result.loaded.id
    for n, step in enumerate(script(SEATS, number), start=1):
        if step.job:
            play.run(match, n, step.job)
            continue
        token = seated.tokens[seat_name(step.seat)]
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"{match}-{n}"}
        answer = client.post(
            f"/v1/matches/{match}/commands", data=step.body, headers=headers, content_type="application/json"
        )
        assert answer.status_code == 201, answer.text
    assert orjson.loads(client.get(f"/v1/matches/{match}").data)["status"] == "finished"
