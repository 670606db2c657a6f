"""`python player.py URL GAME SEATS`: a whole match on the generated client, and on the stream of its log.

Again and again it is cut off: it forgets all but its tokens and the version it had come to, and takes up the
stream from there. At the end it prints the match, and the versions of all commits that it was told of.
"""

import json
import random
import sys
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from bricabrac_client import AuthenticatedClient, Client
from bricabrac_client.api.commands import send_commands
from bricabrac_client.api.matches import create_match, get_match, list_legal_commands
from bricabrac_client.models import (
    CommandAnswer,
    CreatedDocument,
    CreateMatchRequest,
    LegalPage,
    MatchDocument,
    SeatRequest,
)
from httpx_sse import connect_sse

CUT_OFF = 12  # commits between two losses of memory


@dataclass
class Player:
    """All the seats of one match, and what was heard of it."""

    url: str
    match: str
    tokens: dict[str, str]
    version: int = 0
    heard: list[int] = field(default_factory=list)
    clients: dict[str, AuthenticatedClient] = field(default_factory=dict)

    def client(self, actor: str) -> AuthenticatedClient:
        """The client with the token of an actor, and its connection."""
        made = AuthenticatedClient(self.url, self.tokens[actor])
        return self.clients.setdefault(actor, made)

    def read(self) -> MatchDocument:
        """The match as its host may see it."""
        seen = get_match.sync(self.match, client=self.client("host"))
        assert isinstance(seen, MatchDocument), seen
        return seen

    def follow(self, dice: random.Random) -> bool:
        """Hears what happens since the version that was come to, and acts, until cut off; True at the end."""
        known, http = self.version, self.client("host").get_httpx_client()
        asked = {"Accept": "text/event-stream", "Last-Event-ID": str(known)}
        with connect_sse(http, "GET", f"/v1/matches/{self.match}/log", headers=asked) as stream:
            if stream.response.status_code == HTTPStatus.NO_CONTENT:
                return True
            for event in stream.iter_sse():
                if event.event == "end":
                    return True
                if event.event == "commit":
                    self.version = event.json()["version"]
                    self.heard.append(self.version)
                if self.version >= known + CUT_OFF:
                    return False
                self.act(dice)
        return False

    def act(self, dice: random.Random) -> None:
        """If nothing has happened that was not heard of: something legal, sent with a key of its own."""
        match = self.read()
        ours = [seat for seat in match.to_act if f"seat:{seat}" in self.tokens]
        if match.version != self.version or not ours:
            return
        client = self.client(f"seat:{ours[0]}")
        legal = list_legal_commands.sync(self.match, client=client)
        assert isinstance(legal, LegalPage), legal
        command = choose(legal.commands, dice)
        sent = send_commands.sync(self.match, client=client, body=command, idempotency_key=uuid4().hex)
        assert isinstance(sent, CommandAnswer), sent


def choose(commands: list[Any], dice: random.Random) -> Any:
    """A story if there is one to tell, a card if there is one to take, else whatever comes to mind."""
    wanted = [command for command in commands if command.type_ in ("tell_adventure", "take_card")]
    club = [command for command in commands if getattr(command, "to", None) == "club"]
    return (wanted or club or [dice.choice(commands)])[0]


def sit_down(url: str, game: str, seats: int) -> Player:
    """A new match with all seats taken."""
    body = CreateMatchRequest(game, [SeatRequest(name=f"Player {n}") for n in range(seats)])
    made = create_match.sync(client=Client(url), body=body, idempotency_key=uuid4().hex)
    assert isinstance(made, CreatedDocument), made
    return Player(url, made.match.id, made.tokens.additional_properties)


def play(player: Player) -> Player:
    """To the end, cut off again and again."""
    dice = random.Random(7)
    while not player.follow(dice):
        player = Player(player.url, player.match, player.tokens, player.version, player.heard)
    return player


if __name__ == "__main__":
    finished = play(sit_down(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    print(json.dumps({"match": finished.match, "heard": finished.heard}))
