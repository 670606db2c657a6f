"""A bot for any game. It needs Python and httpx.

python bot.py URL whatnot 2             creates a match with two seats, one of them ours
python bot.py URL m_kq4jx2w7tq2w5o3z…   sits down at somebody else's
"""

import random
import sys
import time
import uuid
from typing import Any

import httpx

url, game, *seats = sys.argv[1:]
http = httpx.Client(base_url=url, timeout=30)
name = f"Bot {uuid.uuid4().hex[:8]}"  # no two players at a table look alike


def ask(method: str, path: str, **more: Any) -> httpx.Response:
    """Asks until it is answered. A write carries a key: sent twice, it happens once."""
    if method == "POST":
        more["headers"] = {"Idempotency-Key": uuid.uuid4().hex}
    while True:
        try:
            answer = http.request(method, path, **more)
        except httpx.TransportError:
            time.sleep(0.2)
            continue
        if answer.status_code not in (429, 503):
            return answer
        time.sleep(float(answer.headers.get("Retry-After", 1)))


if game.startswith("m_"):
    path, body = f"/v1/matches/{game}/seats", {"name": name}
else:
    others = int(seats[0]) - 1 if seats else 0
    path, body = "/v1/matches", {"game": game, "seats": [{"name": name}] + [{"open": True}] * others}
made = ask("POST", path, json=body).raise_for_status().json()
match, links = made["match"], made["match"]["links"]
seat = next(actor for actor in made["tokens"] if actor.startswith("seat:"))
http.headers["Authorization"] = f"Bearer {made['tokens'][seat]}"
print(f"I am {seat} of {match['id']}.", flush=True)

while match["status"] not in ("finished", "closed"):
    if int(seat.removeprefix("seat:")) in match["to_act"]:
        legal = ask("GET", links["legal"]).json()["commands"]
        if legal:  # whatever is legal is ready to be sent; 409: somebody was quicker, look again
            sent = ask("POST", links["commands"], json=random.choice(legal))
            assert sent.status_code in (201, 409), sent.text
    ask("GET", links["log"], params={"after": match["version"], "wait": 20})  # until there is news
    match = ask("GET", links["self"]).json()
print(ask("GET", links["score"]).text)
