"""Matches whose people come and go at random: seats left, taken over, given to bots, tokens rotated."""

import random
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from domain.match.actors import HOST, seat_name, spectator_name
from domain.match.commands import (
    AdmitSpectator,
    IssueInvite,
    LeaveSeat,
    RevokeInvite,
    RotateToken,
    SeatBot,
    TakeSeat,
)
from domain.match.state import Match
from service.matches.aggregate import Aggregate
from service.matches.play import Play
from service.matches.requests import Request
from tests.service.log.tables import move

RESTLESS = 0.15  # of the steps


def restless(play: Play, loaded: Aggregate, whims: random.Random) -> Iterator[Aggregate]:
    """The match at every further version until its score is written; bots look at no more than they get."""
    while not loaded.state.over:
        match = loaded.state
        if match.status == "playing" and whims.random() < RESTLESS:
            by, command = whims.choice(_whims(match, whims))
            loaded = play.do(loaded, [command], Request(by)).loaded
        elif match.due_task:
            assert play.run(loaded.id, loaded.version, match.due_task, _bot(match, whims))
            loaded = play.peek(loaded.id)
        elif (empty := set(match.to_act) & set(match.free)) and len(empty) == len(match.to_act):
            loaded = _taken_over(play, loaded, empty.pop(), whims)
        else:
            loaded = _moved(play, loaded, whims)
        yield loaded


def _bot(match: Match, whims: random.Random) -> Any:
    """A bot that sees to it that it gets its own view, and chooses any of its commands."""

    def choose(bot: str, view: Mapping[str, Any], legal: Iterator[Any]) -> Any:
        seat = next(seat for seat in match.to_act if match.seats[seat].kind != "human")
        assert bot == match.seats[seat].name == "random"
        assert view == match.game.view(match.position, seat)
        return whims.choice(list(islice(legal, 50)))

    return choose


def _moved(play: Play, loaded: Aggregate, whims: random.Random) -> Aggregate:
    match = loaded.state
    if set(match.to_act) & set(match.free):
        seat = whims.choice([seat for seat in match.to_act if seat not in match.free])
        command = whims.choice(list(islice(match.game.legal(match.position, seat), 50)))
        return play.do(loaded, [command], Request(seat_name(seat))).loaded
    return move(play, loaded, whims).loaded


def _taken_over(play: Play, loaded: Aggregate, seat: int, whims: random.Random) -> Aggregate:
    if whims.random() < 0.5:
        return play.do(loaded, [SeatBot(seat, "random")], Request(HOST)).loaded
    digest = None
    if loaded.state.created.private:
        digest = f"{whims.randrange(10**9)}"
        loaded = play.do(loaded, [IssueInvite(digest, "seat")], Request(HOST)).loaded
    taking = TakeSeat(seat, f"Another {seat}", invite=digest)  # like nobody else at the table
    return play.do(loaded, [taking], Request(seat_name(seat))).loaded


def _whims(match: Match, whims: random.Random) -> list[tuple[str, Any]]:
    """What somebody may do to the table now."""
    found: list[tuple[str, Any]] = [(HOST, RotateToken())]
    for number, seat in enumerate(match.seats):
        if seat.kind == "human" and seat.name is not None:
            found += [(seat_name(number), LeaveSeat(number)), (seat_name(number), RotateToken())]
        if seat.kind == "human" and sum(each.kind == "bot" for each in match.seats) < 2:
            found.append((HOST, SeatBot(number, "random")))
    if match.created.private:
        found.append((HOST, IssueInvite(f"{whims.randrange(10**9)}", whims.choice(["seat", "spectator"]))))
        for invite in match.invites:
            found.append((HOST, RevokeInvite(invite.number)))
            if invite.to == "spectator":
                found.append((spectator_name(invite.number), AdmitSpectator(invite.digest)))
    return found
