"""The contract of a game: all that everyone else may know of it.

A game is three pure functions (`setup`, `tell`, `evolve`) and a few questions about a state. `tell` may
refuse with `RuleBroken`; `evolve` never does. Seats are numbers from 0; automata (the solo rival) sit behind
the players. A viewer is a seat, or None for a spectator.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from domain.chance import Chance
from domain.errors import MatchOver, NotYourTurn, OptionRefused, RuleBroken, listed
from domain.options import Option, OptionValue, fitting
from domain.refusals import MatchRefusal, Refusal
from domain.rulebook import Rulebook
from domain.score import Outcome, SeatScore

Json: TypeAlias = bool | int | str | Sequence["Json"] | Mapping[str, "Json"] | None
Viewer: TypeAlias = int | None
Row: TypeAlias = Mapping[str, int | str | None]


S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """A named set of components: tables of rows, each with its `source`; compared by identity, read once."""

    name: str
    components: Mapping[str, tuple[Row, ...]]


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays how: the number of player seats (automata not counted) and every option's value."""

    seats: int
    options: Mapping[str, OptionValue]

    def flag(self, option: str) -> bool:
        """The value of an option that is true or false."""
        return self.options[option] is True

    def number(self, option: str) -> int:
        """The value of an option that is an integer."""
        value = self.options[option]
        assert isinstance(value, int), f"{option} is an integer"
        return value

    def word(self, option: str) -> str:
        """The value of an option that is a word."""
        value = self.options[option]
        assert isinstance(value, str), f"{option} is a word"
        return value

    def words(self, option: str) -> tuple[str, ...]:
        """The value of an option that is a list of words."""
        value = self.options[option]
        assert isinstance(value, tuple), f"{option} is a list of words"
        return value


def no_automata(_table: Table) -> tuple[str, ...]:
    """What a game says in which only players play."""
    return ()


def reveals_nothing(_event: Any, _viewer: Viewer) -> bool:
    """What a game says that has no event by which hidden things come to light, draws apart."""
    return False


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class Game(Generic[S, C, E]):
    """A game by one version of its rules: a folder in `domain/games`, or a package, offers it as `GAME`.

    `older` are the same game by its older rules, the newest of them first: a match is played, folded and
    verified for ever by the rules that it was begun with.

    - `automata(table)`: the names of those that play behind the players.
    - `refusals`: every rule of the game's own that can refuse a command; `rules.md` explains each.
    - `endings`: the events of which one ends a match.
    - `results`: the words that an outcome can have for how the match ended, beside None.
    - `box(edition)`: the components, read once; ValueError where a table is wrong.
    - `initial(box, table)`: the table before anything is drawn; refuses options that do not fit the seats.
    - `setup(state, chance)`: the events that lay out the match.
    - `tell(story, command, seat, chance)`: lets happen what a command of a seat that is to act causes, or
      refuses it with RuleBroken.
    - `evolve(state, event)`: the state after an event.
    - `to_act(state)`: the seats that owe a decision now, automata included, rising.
    - `legal(state, seat)`: that seat's commands, lazily, each once, in a pinned order.
    - `outcome(state)`: None until the match is over.
    - `score(state, viewer)`: the score sheets as far as the viewer can know them.
    - `view(state, viewer)`: the state without what the rules hide from the viewer.
    - `imagine(box, view, chance)`: a whole state that looks just like `view` to its viewer (for bots).
    - `reveals(event, viewer)`: whether an event shows the viewer something that was hidden from them until
      then, other than what was drawn.
    """

    name: str
    title: str
    rulebook: Rulebook
    refusals: tuple[Refusal, ...]
    glossary: tuple[Row, ...]
    rules_version: int
    older: "tuple[Game[Any, Any, Any], ...]" = ()
    seats: range
    options: tuple[Option, ...]
    editions: Mapping[str, Edition]
    default_edition: str
    state: type[S]
    commands: tuple[type[C], ...]
    automaton_commands: tuple[type[C], ...] = ()
    events: tuple[type[E], ...]
    endings: tuple[type[E], ...]
    results: tuple[str, ...]
    score_parts: Mapping[str, str]
    automata: Callable[[Table], tuple[str, ...]] = no_automata
    box: Callable[[Edition], Any]
    initial: Callable[[Any, Table], S]
    setup: Callable[[S, Chance], tuple[E, ...]]
    tell: Callable[["Story[S, E]", C, int, Chance], None]
    evolve: Callable[[S, E], S]
    to_act: Callable[[S], tuple[int, ...]]
    legal: Callable[[S, int], Iterator[C]]
    outcome: Callable[[S], Outcome | None]
    score: Callable[[S, Viewer], tuple[SeatScore, ...]]
    view: Callable[[S, Viewer], Mapping[str, Json]]
    imagine: Callable[[Any, Mapping[str, Any], Chance], S]
    reveals: Callable[[E, Viewer], bool] = reveals_nothing

    def __repr__(self) -> str:
        return f"<game {self.name}, rules version {self.rules_version}>"

    @property
    def versions(self) -> "Mapping[int, Game[Any, Any, Any]]":
        """The game by every version of its rules, the newest first."""
        return {rules.rules_version: rules for rules in (self, *self.older)}

    def story(self, state: S, command: C, seat: int, chance: Chance) -> "Story[S, E]":
        """What a command causes: the events, and the state they leave behind; RuleBroken."""
        acting = self.to_act(state)
        if not acting:
            raise MatchOver("The match is over. No moves are left.")
        if seat not in acting:
            raise NotYourTurn(f"The match waits for seat {listed(acting)}.")
        story = Story(state, self.evolve)
        self.tell(story, command, seat, chance)
        story.drawn = chance.drawn
        return story

    def decide(self, state: S, command: C, seat: int, chance: Chance) -> tuple[E, ...]:
        """The events a command causes, or RuleBroken."""
        return self.story(state, command, seat, chance).events


class Story(Generic[S, E]):
    """The events of one decision as they are told, with the state that each leaves behind.

    `drawn` says whether any of it was left to chance.
    """

    def __init__(
        self, state: S, evolve: Callable[[S, E], S], events: Sequence[E] = (), *, drawn: bool = False
    ) -> None:
        self.state = state
        self.drawn = drawn
        self._evolve = evolve
        self._events = list(events)

    def tell(self, event: E) -> None:
        """Let an event happen."""
        self._events.append(event)
        self.state = self._evolve(self.state, event)

    @property
    def events(self) -> tuple[E, ...]:
        """All that was told."""
        return tuple(self._events)


def check_options(game: Game[Any, Any, Any], given: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Every option of the game with its value; RuleBroken names the option that does not fit."""
    known = {option.name: option for option in game.options}
    for name in given:
        if name not in known:
            raise OptionRefused(
                name,
                MatchRefusal.UNKNOWN_OPTION,
                f"{game.name} has no option {name!r}. Its options: {', '.join(sorted(known))}.",
            )
    return {name: fitting(known[name], given.get(name, known[name].default)) for name in sorted(known)}


def check_seats(game: Game[Any, Any, Any], players: int) -> None:
    """RuleBroken where a game is not for so many players."""
    if players not in game.seats:
        raise RuleBroken(
            MatchRefusal.SEATS, f"{game.title} is for {game.seats[0]} to {game.seats[-1]} players."
        )
