"""What a command causes in any match; a move is decided by the game.

Who acts is a word: `seat:<number>`, `host` (who created the match), or `referee` (who scores it).
"""

from dataclasses import dataclass
from typing import Any, Literal

from domain.chance import Chance, commitment, mix
from domain.changed import replace
from domain.errors import MatchOver, NotYourTurn, RuleBroken
from domain.game import Edition, Story, Table, check_options, check_seats
from domain.games import AnyGame
from domain.match.commands import CreateMatch, ReleaseSeed, ScoreMatch, Seat, TakeSeat
from domain.match.events import MatchCreated, MatchScored, MatchStarted, SeatTaken, SeedReleased
from domain.match.reducer import begin, evolve
from domain.match.state import Match

HOST, REFEREE = "host", "referee"


def seat_name(seat: int) -> str:
    """How the log names a seat as an actor."""
    return f"seat:{seat}"


@dataclass(frozen=True, slots=True)
class Premises:
    """What a creation is decided from besides its command: the components, and the seed with who chose it."""

    game: AnyGame
    edition: Edition
    edition_hash: str
    seed: bytes
    seed_by: Literal["server", "creator"]


def create(command: CreateMatch, premises: Premises) -> tuple[Any, ...]:
    """The events of the first commit; with no open seat the match starts at once."""
    game, players = premises.game, len(command.seats)
    if (command.game, command.edition) != (game.name, premises.edition.name):
        raise RuleBroken(
            "other_table", f"This table is laid for {game.name}, edition {premises.edition.name}."
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
        commitment=commitment(premises.seed),
    )
    story: Story[Match, Any] = Story(begin(game, premises.edition, created), evolve)
    _start_if_full(story, premises.seed)
    return (created, *story.events)


def decide(match: Match, command: Any, by: str, seed: bytes) -> Story[Match, Any]:
    """What any later command causes: events, and the match after them; RuleBroken. `seed` is the match's."""
    if not isinstance(command, TakeSeat | ScoreMatch | ReleaseSeed):
        return _move(match, command, by, seed)
    story: Story[Match, Any] = Story(match, evolve)
    match command:
        case TakeSeat():
            _take_seat(story, command, by, seed)
        case ScoreMatch():
            story.tell(_score(match, by, seed))
        case ReleaseSeed():
            story.tell(_release(match, by, seed))
    return story


def _move(match: Match, command: Any, by: str, seed: bytes) -> Story[Match, Any]:
    if match.status == "open":
        raise RuleBroken("not_started", "The match starts when every seat is taken.")
    if match.status != "playing":
        raise MatchOver("match_over", "The match is over; no move is left.")
    for seat in match.to_act:
        if by == seat_name(seat):
            told = match.game.story(match.position, command, seat, _chance(match, seed))
            return Story(replace(match, position=told.state), evolve, told.events)
    raise NotYourTurn("not_your_turn", f"The match waits for {', '.join(map(seat_name, match.to_act))}.")


def _take_seat(story: Story[Match, Any], command: TakeSeat, by: str, seed: bytes) -> None:
    if by != seat_name(command.seat):
        raise RuleBroken("own_seat_only", "Who takes a seat acts as that seat.")
    free = [number for number, seat in enumerate(story.state.seats) if seat.name is None]
    if command.seat not in free:
        raise RuleBroken("seat_taken", f"Seat {command.seat} is not open; open: {free or 'none'}.")
    story.tell(SeatTaken(command.seat, command.name, command.entropy))
    _start_if_full(story, seed)


def _start_if_full(story: Story[Match, Any], seed: bytes) -> None:
    if any(seat.name is None for seat in story.state.seats):
        return
    story.tell(MatchStarted())
    match = story.state
    for event in match.game.setup(match.position, _chance(match, seed)):
        story.tell(event)


def _score(match: Match, by: str, seed: bytes) -> MatchScored:
    if by != REFEREE:
        raise RuleBroken("referee_only", "Only the referee scores a match.")
    outcome = match.game.outcome(match.position)
    if match.status != "scoring" or outcome is None:
        raise RuleBroken(
            "not_to_be_scored", f"The match is {match.status}; it is scored once no move is left."
        )
    return MatchScored(
        seats=match.game.score(match.position, None),
        ranking=outcome.ranking,
        winners=outcome.winners,
        result=outcome.result,
        seed=seed.hex() if match.created.seed_by == "server" else None,
    )


def _release(match: Match, by: str, seed: bytes) -> SeedReleased:
    if by != HOST:
        raise RuleBroken("host_only", "Only who created the match may release its seed.")
    if match.status != "finished":
        raise RuleBroken("not_finished", f"The match is {match.status}; a seed is released after its score.")
    if match.seed is not None:
        raise RuleBroken("seed_revealed", "The seed is revealed already.")
    return SeedReleased(seed.hex())


def _chance(match: Match, seed: bytes) -> Chance:
    entropy = {number: seat.entropy for number, seat in enumerate(match.seats) if seat.entropy is not None}
    return Chance(mix(seed, entropy))
