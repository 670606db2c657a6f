"""What a command causes in any match; a move is decided by the game."""

from dataclasses import dataclass
from typing import Any, Literal, assert_never

from domain.chance import Chance
from domain.changed import replace
from domain.errors import MatchOver, NotYourTurn, RuleBroken
from domain.game import Edition, Story, Table, check_options, check_seats
from domain.games import AnyGame
from domain.match.actors import HOST, REFEREE, Spectator, read_actor, seat_name
from domain.match.commands import (
    AdmitSpectator,
    CloseIdleMatch,
    CloseMatch,
    CreateMatch,
    IssueInvite,
    LeaveSeat,
    MatchCommand,
    ReinviteSeat,
    ReleaseSeed,
    ResumeSeat,
    RevokeInvite,
    RotateToken,
    ScoreMatch,
    Seat,
    SeatBot,
    StartMatch,
    TakeSeat,
)
from domain.match.commitment import Secrets
from domain.match.events import MatchClosed, MatchCreated, MatchScored, SeedReleased, TokenRotated
from domain.match.invites import admit_spectator, issue_invite, reinvite_seat, resume_seat, revoke_invite
from domain.match.reducer import begin, evolve
from domain.match.seats import leave_seat, seat_bot, start_match, take_seat
from domain.match.start import chance_of, start_if_full
from domain.match.state import Match
from domain.refusals import MatchRefusal

__all__ = ["HOST", "REFEREE", "Premises", "Secrets", "create", "decide", "move", "seat_name"]


@dataclass(frozen=True, slots=True)
class Premises:
    """What a creation is decided from besides its command: the components, secrets, who chose the seed."""

    game: AnyGame
    edition: Edition
    edition_hash: str
    secrets: Secrets
    seed_by: Literal["server", "creator"]


def create(command: CreateMatch, premises: Premises) -> tuple[Any, ...]:
    """The events of the first commit; with no open seat the match starts at once."""
    game, players = premises.game, len(command.seats)
    if (command.game, command.edition) != (game.name, premises.edition.name):
        raise RuleBroken(
            MatchRefusal.OTHER_TABLE, f"This is a match of {game.name}, edition {premises.edition.name}."
        )
    if command.rules_version not in (None, game.rules_version):
        raise RuleBroken(
            MatchRefusal.OTHER_TABLE, f"This match is played with rules version {game.rules_version}."
        )
    check_seats(game, players)
    options = check_options(game, command.options)
    automata = game.automata(Table(players, options))
    created = MatchCreated(
        game=game.name,
        rules_version=game.rules_version,
        edition=premises.edition.name,
        edition_hash=premises.edition_hash,
        options=options,
        seats=(*command.seats, *(Seat("automaton", name) for name in automata)),
        private=command.private,
        seed_by=premises.seed_by,
        seed_commitment=premises.secrets.seed_commitment,
        sealing_commitment=premises.secrets.sealing_commitment,
    )
    story: Story[Match, Any] = Story(begin(game, premises.edition, created), evolve)
    start_if_full(story, premises.secrets.seed)
    return (created, *story.events)


def decide(  # noqa: C901, PLR0912  one arm a command
    match: Match, command: Any, by: str, secrets: Secrets
) -> Story[Match, Any]:
    """What any later command causes: events, and the match after them; RuleBroken."""
    seed = secrets.seed
    if not isinstance(command, MatchCommand):
        return move(match, command, by, chance_of(match, seed))
    story: Story[Match, Any] = Story(match, evolve)
    match command:
        case TakeSeat():
            take_seat(story, command, by, seed)
        case SeatBot():
            seat_bot(story, command, by, seed)
        case StartMatch():
            start_match(story, command, by, seed)
        case AdmitSpectator():
            admit_spectator(story, command, by)
        case ResumeSeat():
            resume_seat(story, command, by)
        case LeaveSeat():
            story.tell(leave_seat(match, command, by))
        case RotateToken():
            story.tell(_rotate(match, by))
        case IssueInvite():
            story.tell(issue_invite(match, command, by))
        case RevokeInvite():
            story.tell(revoke_invite(match, command, by))
        case ReinviteSeat():
            story.tell(reinvite_seat(match, command, by))
        case ScoreMatch():
            story.tell(_score(match, by, secrets))
        case CloseMatch() | CloseIdleMatch():
            story.tell(_close(match, command, by, secrets))
        case ReleaseSeed():
            story.tell(_release(match, by, secrets))
        case _:
            assert_never(command)
    return story


def move(match: Match, command: Any, by: str, chance: Chance) -> Story[Match, Any]:
    """What a game's own command causes, drawn from `chance`; RuleBroken."""
    if match.status == "open":
        raise RuleBroken(
            MatchRefusal.NOT_STARTED, "The match has not started. It starts when every seat is taken."
        )
    if match.status != "playing":
        raise MatchOver("The match is over. No moves are left.")
    for seat in match.to_act:
        if by == seat_name(seat) and match.seats[seat].name is not None and seat not in match.away:
            told = match.game.story(match.position, command, seat, chance)
            return Story(replace(match, position=told.state), evolve, told.events, drawn=told.drawn)
    raise NotYourTurn(f"The match waits for {', '.join(map(seat_name, match.to_act))}.")


def _rotate(match: Match, by: str) -> TokenRotated:
    if isinstance(read_actor(by), Spectator) or not match.admits(by):
        raise RuleBroken(MatchRefusal.NO_TOKEN, "Only the host and players can rotate their token.")
    return TokenRotated()


def _score(match: Match, by: str, secrets: Secrets) -> MatchScored:
    if by != REFEREE:
        raise RuleBroken(MatchRefusal.REFEREE_ONLY, "Only the service scores a match.")
    outcome = match.game.outcome(match.position)
    if match.status != "scoring" or outcome is None:
        raise RuleBroken(
            MatchRefusal.NOT_TO_BE_SCORED,
            f"The match is {match.status}. Only a match without moves left can be scored.",
        )
    seed, sealing_key = _revealed_at_the_end(match, secrets)
    return MatchScored(
        seats=match.game.score(match.position, None),
        ranking=outcome.ranking,
        winners=outcome.winners,
        result=outcome.result,
        seed=seed,
        sealing_key=sealing_key,
    )


def _close(match: Match, command: CloseMatch | CloseIdleMatch, by: str, secrets: Secrets) -> MatchClosed:
    if isinstance(command, CloseIdleMatch) and by != REFEREE:
        raise RuleBroken(MatchRefusal.REFEREE_ONLY, "Only the service closes idle matches.")
    if isinstance(command, CloseMatch) and by != HOST:
        raise RuleBroken(MatchRefusal.HOST_ONLY, "Only the host can close the match.")
    if match.status not in ("open", "playing"):
        raise MatchOver("The match is over. It cannot be closed.")
    return MatchClosed(*_revealed_at_the_end(match, secrets))


def _release(match: Match, by: str, secrets: Secrets) -> SeedReleased:
    if by != HOST:
        raise RuleBroken(MatchRefusal.HOST_ONLY, "Only the host can release the seed.")
    if not match.over:
        raise RuleBroken(
            MatchRefusal.NOT_FINISHED, "The match is not over yet. You can release the seed when it is."
        )
    if match.seed is not None:
        raise RuleBroken(MatchRefusal.SEED_REVEALED, "The seed has already been revealed.")
    return SeedReleased(secrets.seed.hex(), secrets.sealing_key.hex())


def _revealed_at_the_end(match: Match, secrets: Secrets) -> tuple[str, str] | tuple[None, None]:
    """Seed and sealing key; neither where other tables may still play a creator's seed."""
    if match.created.seed_by == "creator":
        return None, None
    return secrets.seed.hex(), secrets.sealing_key.hex()
