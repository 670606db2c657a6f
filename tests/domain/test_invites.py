"""Invites to a private match: who may come, how often, and that nobody comes without."""

from typing import Any

import pytest

from domain.errors import MatchOver, RuleBroken
from domain.match.commands import (
    AdmitSpectator,
    CloseMatch,
    IssueInvite,
    LeaveSeat,
    ReinviteSeat,
    ResumeSeat,
    RevokeInvite,
    RotateToken,
    SeatBot,
    TakeSeat,
)
from domain.match.events import (
    InviteIssued,
    InviteRevoked,
    InviteUsed,
    MatchStarted,
    SeatReinvited,
    SeatResumed,
    SeatTaken,
    SpectatorAdmitted,
)
from domain.match.rules import HOST, decide
from domain.match.state import Match
from tests.domain.table import SECRETS, after, laid

ONE, TWO = "1" * 64, "2" * 64


def told(match: Match, command: Any, by: str) -> tuple[Any, ...]:
    return decide(match, command, by, SECRETS).events


def code_of(match: Match, command: Any, by: str) -> str:
    with pytest.raises(RuleBroken) as refusal:
        decide(match, command, by, SECRETS)
    assert refusal.value.sentence.endswith(".")
    return refusal.value.code


def invited(*invites: IssueInvite, names: tuple[str | None, ...] = ("Ann", None, None)) -> Match:
    return after(laid(*names, private=True), *((invite, HOST) for invite in invites))


def test_invites_are_numbered_in_the_order_of_issue() -> None:
    match = laid("Ann", None, private=True)
    assert told(match, IssueInvite(ONE, "seat"), HOST) == (InviteIssued(1, ONE, "seat", None),)
    match = after(match, (IssueInvite(ONE, "seat"), HOST), (RevokeInvite(1), HOST))
    assert told(match, IssueInvite(TWO, "spectator"), HOST) == (InviteIssued(2, TWO, "spectator", None),)


def test_a_seat_of_a_private_match_is_taken_with_an_invite_once() -> None:
    match = invited(IssueInvite(ONE, "seat"))
    assert code_of(match, TakeSeat(1, "Bob"), "seat:1") == "invite_required"
    assert code_of(match, TakeSeat(1, "Bob", invite=TWO), "seat:1") == "invite_unknown"
    taking = TakeSeat(1, "Bob", invite=ONE)
    assert told(match, taking, "seat:1") == (InviteUsed(1), SeatTaken(1, "Bob", None))
    taken = after(match, (taking, "seat:1"))
    assert code_of(taken, TakeSeat(2, "Cy", invite=ONE), "seat:2") == "invite_unknown"
    full = after(taken, (IssueInvite(TWO, "seat"), HOST))
    events = told(full, TakeSeat(2, "Cy", invite=TWO), "seat:2")
    assert events[:3] == (InviteUsed(2), SeatTaken(2, "Cy", None), MatchStarted())


def test_an_invite_to_one_seat_is_good_for_no_other() -> None:
    match = invited(IssueInvite(ONE, "seat", 2))
    assert code_of(match, TakeSeat(1, "Bob", invite=ONE), "seat:1") == "invite_for_other_seat"
    assert after(match, (TakeSeat(2, "Bob", invite=ONE), "seat:2")).seats[2].name == "Bob"


def test_a_seat_that_was_left_in_a_private_match_needs_an_invite_too() -> None:
    match = after(laid("Ann", "Bob", private=True), (LeaveSeat(1), "seat:1"))
    assert code_of(match, TakeSeat(1, "Eve"), "seat:1") == "invite_required"
    again = after(match, (IssueInvite(ONE, "seat"), HOST), (TakeSeat(1, "Eve", invite=ONE), "seat:1"))
    assert again.seats[1].name == "Eve"


def test_the_host_gives_an_open_seat_of_a_private_match_to_a_bot_without_an_invite() -> None:
    match = after(invited(names=("Ann", None)), (SeatBot(1, "random"), HOST))
    assert match.status == "playing"


def test_a_revoked_invite_is_good_for_nothing() -> None:
    match = invited(IssueInvite(ONE, "seat"), IssueInvite(TWO, "spectator"))
    assert told(match, RevokeInvite(1), HOST) == (InviteRevoked(1),)
    revoked = after(match, (RevokeInvite(1), HOST), (RevokeInvite(2), HOST))
    assert code_of(revoked, TakeSeat(1, "Bob", invite=ONE), "seat:1") == "invite_unknown"
    assert code_of(revoked, AdmitSpectator(TWO), "spectator:2") == "invite_unknown"
    for number in (0, 1, 2, 3):
        assert code_of(revoked, RevokeInvite(number), HOST) == "invite_unknown"


def test_a_spectator_comes_with_an_invite_to_look_on_and_goes_when_it_is_revoked() -> None:
    match = invited(IssueInvite(ONE, "seat"), IssueInvite(TWO, "spectator"))
    assert code_of(match, AdmitSpectator(ONE), "spectator:1") == "invite_unknown"
    assert code_of(match, TakeSeat(1, "Eve", invite=TWO), "seat:1") == "invite_unknown"
    assert code_of(match, AdmitSpectator(TWO), "spectator:1") == "own_invite_only"
    assert told(match, AdmitSpectator(TWO), "spectator:2") == (InviteUsed(2), SpectatorAdmitted(2))
    looking = after(match, (AdmitSpectator(TWO), "spectator:2"))
    assert (looking.admits("spectator:2"), looking.admits("spectator:1")) == (True, False)
    assert code_of(looking, AdmitSpectator(TWO), "spectator:2") == "invite_unknown"
    assert not after(looking, (RevokeInvite(2), HOST)).admits("spectator:2")


def test_a_used_invite_to_a_seat_cannot_be_revoked_for_the_seat_has_its_own_way_out() -> None:
    match = after(invited(IssueInvite(ONE, "seat")), (TakeSeat(1, "Bob", invite=ONE), "seat:1"))
    assert code_of(match, RevokeInvite(1), HOST) == "invite_unknown"


def test_only_the_host_invites_and_only_to_what_there_is() -> None:
    match = invited(IssueInvite(ONE, "seat"))
    for by in ("seat:0", "spectator:1", "referee"):
        assert code_of(match, IssueInvite(TWO, "seat"), by) == "host_only"
        assert code_of(match, RevokeInvite(1), by) == "host_only"
    assert code_of(match, IssueInvite(ONE, "spectator"), HOST) == "invite_known"
    assert code_of(match, IssueInvite(TWO, "seat", 3), HOST) == "no_such_seat"
    assert code_of(match, IssueInvite(TWO, "spectator", 1), HOST) == "no_such_seat"
    assert code_of(laid("Ann", None), IssueInvite(TWO, "seat"), HOST) == "not_private"


def test_a_public_match_knows_no_invites() -> None:
    assert code_of(laid("Ann", None), TakeSeat(1, "Bob", invite=ONE), "seat:1") == "invite_unknown"
    assert code_of(laid("Ann", None), AdmitSpectator(ONE), "spectator:1") == "invite_unknown"


def test_after_the_end_one_is_invited_to_look_on_only() -> None:
    match = after(invited(), (CloseMatch(), HOST))
    with pytest.raises(MatchOver):
        decide(match, IssueInvite(ONE, "seat"), HOST, SECRETS)
    assert after(
        match, (IssueInvite(ONE, "spectator"), HOST), (AdmitSpectator(ONE), "spectator:1")
    ).spectators


def handed_back(*names: str | None) -> Match:
    """Seat 1 handed back to its player, who has not returned yet."""
    return after(laid(*names), (ReinviteSeat(1, ONE), HOST))


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("Ann", "Bob", None)], ids=["playing", "open"])
def test_a_seat_handed_back_waits_for_its_player_and_nobody_acts_for_it(
    names: tuple[str | None, ...],
) -> None:
    match = laid(*names)
    assert told(match, ReinviteSeat(1, ONE), HOST) == (SeatReinvited(1, 1, ONE),)
    away = handed_back(*names)
    assert (away.seats, away.status, away.to_act) == (match.seats, match.status, match.to_act)
    assert (away.admits("seat:0"), away.admits("seat:1")) == (True, False)
    assert code_of(away, LeaveSeat(1), "seat:1") == "own_seat_only"
    assert code_of(away, RotateToken(), "seat:1") == "no_token"
    assert told(away, ResumeSeat(1, ONE), "seat:1") == (InviteUsed(1), SeatResumed(1))
    back = after(away, (ResumeSeat(1, ONE), "seat:1"))
    assert (back.admits("seat:1"), back.seats, back.invites) == (True, match.seats, ())
    assert code_of(back, ResumeSeat(1, ONE), "seat:1") == "invite_unknown"


def test_no_move_is_made_for_a_seat_whose_player_is_away() -> None:
    match = laid("Ann", "Bob")
    (seat,) = match.to_act
    by, move = f"seat:{seat}", next(match.game.legal(match.position, seat))
    away = after(match, (ReinviteSeat(seat, ONE), HOST))
    assert code_of(away, move, by) == "not_your_turn"
    assert told(after(away, (ResumeSeat(seat, ONE), by)), move, by) == told(match, move, by)


def test_an_invite_back_is_good_for_its_own_seat_only_and_for_nothing_else() -> None:
    away = handed_back("Ann", "Bob", None)
    assert code_of(away, ResumeSeat(0, ONE), "seat:0") == "invite_for_other_seat"
    assert code_of(away, ResumeSeat(1, ONE), "seat:0") == "own_seat_only"
    assert code_of(away, ResumeSeat(1, TWO), "seat:1") == "invite_unknown"
    assert code_of(away, TakeSeat(2, "Eve", invite=ONE), "seat:2") == "invite_unknown"
    assert code_of(away, AdmitSpectator(ONE), "spectator:1") == "invite_unknown"


def test_no_other_invite_lets_anybody_take_the_seat_of_a_player_who_is_away() -> None:
    match = invited(IssueInvite(ONE, "seat", 1), names=("Ann", "Bob"))
    away = after(match, (ReinviteSeat(1, TWO), HOST))
    assert code_of(away, TakeSeat(1, "Eve", invite=ONE), "seat:1") == "seat_taken"
    assert code_of(away, ResumeSeat(1, ONE), "seat:1") == "invite_unknown"


def test_a_second_invite_back_ends_the_first_and_one_that_is_revoked_leaves_the_seat_waiting() -> None:
    twice = after(handed_back("Ann", "Bob"), (ReinviteSeat(1, TWO), HOST))
    assert [(each.number, each.digest) for each in twice.invites] == [(2, TWO)]
    assert code_of(twice, ResumeSeat(1, ONE), "seat:1") == "invite_unknown"
    revoked = after(twice, (RevokeInvite(2), HOST))
    assert code_of(revoked, ResumeSeat(1, TWO), "seat:1") == "invite_unknown"
    assert not revoked.admits("seat:1")
    again = after(revoked, (ReinviteSeat(1, ONE), HOST), (ResumeSeat(1, ONE), "seat:1"))
    assert again.admits("seat:1")


def test_a_bot_in_the_place_of_a_player_who_is_away_ends_the_invite_back() -> None:
    bot = after(handed_back("Ann", "Bob"), (SeatBot(1, "random"), HOST))
    assert (bot.invites, bot.away) == ((), frozenset())
    assert code_of(bot, ResumeSeat(1, ONE), "seat:1") == "invite_unknown"


def test_only_the_host_hands_back_a_seat_and_only_one_that_a_player_holds() -> None:
    match = after(laid("Ann", "Bob", "Cy", None), (SeatBot(2, "random"), HOST))
    for by in ("seat:0", "seat:1", "spectator:1", "referee"):
        assert code_of(match, ReinviteSeat(1, ONE), by) == "host_only"
    for seat in (2, 3, 4, 10**9):
        assert code_of(match, ReinviteSeat(seat, ONE), HOST) == "no_player_seated"
    assert code_of(laid("Ann"), ReinviteSeat(1, ONE), HOST) == "no_player_seated", "it is the rival's"
    left = after(laid("Ann", "Bob"), (LeaveSeat(1), "seat:1"))
    assert code_of(left, ReinviteSeat(1, ONE), HOST) == "no_player_seated"
    assert code_of(handed_back("Ann", "Bob"), ReinviteSeat(0, ONE), HOST) == "invite_known"


def test_no_seat_is_handed_back_or_resumed_after_the_end() -> None:
    away = after(handed_back("Ann", "Bob"), (CloseMatch(), HOST))
    for command, by in ((ReinviteSeat(0, TWO), HOST), (ResumeSeat(1, ONE), "seat:1")):
        with pytest.raises(MatchOver):
            decide(away, command, by, SECRETS)
