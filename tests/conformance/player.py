"""`python player.py URL GAME SEATS`: a whole match on the generated client, which is all that it knows.

Again and again it is cut off: it forgets all but its tokens and the version it had come to, and takes up the
log from there. At the end it prints the match, and the versions of all commits that it was told of.
"""

import json
import random
import sys
import time
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from bricabrac_client import AuthenticatedClient, Client
from bricabrac_client.api.commands import send_commands
from bricabrac_client.api.log import read_log
from bricabrac_client.api.matches import create_match, get_match, list_legal_commands
from bricabrac_client.models import (
    CommandAnswer,
    CreatedDocument,
    CreateMatchRequest,
    LegalPage,
    LogPage,
    MatchDocument,
    SeatRequest,
)

CUT_OFF = 12  # commits between two losses of memory
PATIENCE = 60.0  # seconds without news


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

    def follow(self) -> None:
        """What has happened since the version that was come to."""
        page = read_log.sync(self.match, client=self.client("host"), after=self.version)
        assert isinstance(page, LogPage), page
        self.heard += [commit.version for commit in page.items]
        self.version = page.items[-1].version if page.items else self.version

    def act(self, seat: int, dice: random.Random) -> CommandAnswer:
        """Something legal, sent with a key of its own."""
        client = self.client(f"seat:{seat}")
        legal = list_legal_commands.sync(self.match, client=client)
        assert isinstance(legal, LegalPage), legal
        command = choose(legal.commands, dice)
        sent = send_commands.sync(self.match, client=client, body=command, idempotency_key=uuid4().hex)
        assert isinstance(sent, CommandAnswer), sent
        return sent


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
    dice, last, match = random.Random(7), time.monotonic(), player.read()
    while match.status != "finished":
        ours = [seat for seat in match.to_act if f"seat:{seat}" in player.tokens]
        match = player.act(ours[0], dice) if ours else player.read()
        before = player.version
        player.follow()
        if player.version // CUT_OFF > before // CUT_OFF:
            player = Player(player.url, player.match, player.tokens, player.version, player.heard)
        last = time.monotonic() if player.version > before else last
        assert time.monotonic() - last < PATIENCE, "the match does not go on"
        time.sleep(0 if ours else 0.05)
    player.follow()
    return player


if __name__ == "__main__":
    finished = play(sit_down(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    print(json.dumps({"match": finished.match, "heard": finished.heard}))
