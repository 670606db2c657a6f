"""A bot for any game. It needs Python 3.11 or newer, and no package.

python bot.py URL whatnot 2             creates a match with two seats, one of them ours
python bot.py URL m_kq4jx2w7tq2w5o3z…   takes a seat in somebody else's
"""

import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

url, game, *seats = sys.argv[1:]
name = f"Bot {uuid.uuid4().hex[:8]}"  # no two players at a table look alike
headers = {"Content-Type": "application/json"}


def ask(path: str, body: Any = None) -> Any:
    """Ask until there is an answer. A write carries a key: sent twice, it happens once."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, headers | {"Idempotency-Key": uuid.uuid4().hex})
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code == 409:  # somebody was quicker: look again
                return None
            if refused.code not in (429, 503):
                raise SystemExit(refused.read().decode()) from None
            time.sleep(float(refused.headers.get("Retry-After", 1)))
        except (OSError, http.client.HTTPException, ValueError):  # no answer, or half of one
            time.sleep(0.2)


if game.startswith("m_"):
    made = ask(f"/v1/matches/{game}/seats", {"name": name})
else:
    others = int(seats[0]) - 1 if seats else 0
    made = ask("/v1/matches", {"game": game, "seats": [{"name": name}] + [{"open": True}] * others})
match, links = made["match"], made["match"]["links"]
seat = next(actor for actor in made["tokens"] if actor.startswith("seat:"))
headers["Authorization"] = f"Bearer {made['tokens'][seat]}"
print(f"I am {seat} of {match['id']}.", flush=True)

while match["status"] not in ("finished", "closed"):
    match = ask(
        f"{links['legal']}?wait=20"
    )  # answers when it is our turn; whatever is legal is ready to send
    if match["commands"]:
        ask(links["commands"], random.choice(match["commands"]))
print(json.dumps(ask(links["score"])))
