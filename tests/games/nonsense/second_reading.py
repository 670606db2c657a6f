"""An independent second reading of Stuff and Nonsense: a referee who reads a match as a text with a grammar.

Seats count from 0 in turn order, cards are ids, places are shop ids, "market", "club". A ring lists the shops
clockwise, first the professor's. A record is what chance or a player decided, in order; it may stop anywhere:
    match   = dealt (by seat from 0, one each), eight times laid, turns
    turn    = moved (to the old place when staying), debts, action, refills
    action  = at a shop with cards: took or passed; at an empty shop: no fact; at the market: traded, drew;
              at the club: told and, unless it won, debts, rolled, drew if the hand is empty
    refills = refilled, debts, for each card the board lacks (not once the match is over)
    debts   = paid by each who owes, in any order: the card discarded, or no card for points
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

Rows = Iterable[Mapping[str, object]]
Ring = Sequence[str]
Standing = tuple[int, str, list[int], dict[str, int], set[int]]
HOW_MANY_CARDS = {"moved": {0}, "passed": {0}, "rolled": {0}, "paid": {0, 1}, "told": {1, 2, 3, 4, 5, 6}}


class Fact(NamedTuple):
    """A word of the grammar, and as much of the rest as it needs: `to` is a place or a destination."""

    what: str
    seat: int = -1
    cards: tuple[int, ...] = ()
    to: str = ""
    face: int = 0


class Table:
    """What the box prints, from rows keyed like the component tables, numbers as int or text."""

    def __init__(self, cards: Rows, destinations: Rows, shops: Rows) -> None:
        by_id = {int(str(row["id"])): row for row in cards}
        dials = {str(row["destination"]): row for row in destinations}
        self.kind = {card: str(row["type"]) for card, row in by_id.items()}
        self.arrow = {card: int(str(row["arrow"])) for card, row in by_id.items()}
        self.worth = {(card, name): int(str(row[name])) for card, row in by_id.items() for name in dials}
        self.minimum = {name: int(str(row["minimum_cards"])) for name, row in dials.items()}
        self.stops = {name: list(map(int, str(row["stops"]).split())) for name, row in dials.items()}
        self.start = {name: int(str(row["start"])) for name, row in dials.items()}
        self.by_face = {int(str(row["die_face"])): name for name, row in dials.items()}
        self.shop_of = {str(row["card_type"]): str(row["shop"]) for row in shops}


def adventure_error(table: Table, destination: str, hand: Iterable[int], cards: Sequence[int]) -> str | None:
    """None for a valid adventure, else what is wrong with it in a word (Scoring an Adventure, N9)."""
    wrongs = {
        "destination": destination not in table.minimum,
        "hand": not set(cards) <= set(hand),
        "types": len({table.kind.get(card) for card in cards}) < len(cards),
        "worthless": any(table.worth.get((card, destination), 0) < 1 for card in cards),
        "few": len(cards) < table.minimum.get(destination, 0),
    }
    return next((word for word, wrong in wrongs.items() if wrong), None)


def adventure_score(table: Table, destination: str, cards: Iterable[int], bonus: int) -> int:
    """The values of the cards at the destination, and the bonus before it drops (N9)."""
    return bonus + sum(table.worth[card, destination] for card in cards)


def legal_moves(table: Table, at: str, hand: Collection[int], ring: Ring) -> set[str]:
    """Where a player may be after the move step, the present place included if it may be kept (N6 to N8)."""
    rim = {shop for pair in zip(ring, [*ring[1:], ring[0]], strict=True) if at in pair for shop in pair}
    useful = {(place, table.kind[c]) for c in hand for place in table.minimum if table.worth[c, place] >= 1}
    tale = any(sum(there == place for there, _ in useful) >= few for place, few in table.minimum.items())
    return (rim or set(ring)) | ({"market"} if hand else set()) | ({"club"} if tale else set())


class Dials:
    """The bonus cards, each showing one of its stops in `now` (After the Adventure 2 and 3, N10)."""

    def __init__(self, table: Table) -> None:
        self.table, self.now = table, dict(table.start)

    def told(self, destination: str) -> None:
        """Turn one stop down, or not at all from the lowest."""
        now = self.now[destination]
        self.now[destination] = max((s for s in self.table.stops[destination] if s < now), default=now)

    def rolled(self, face: int, destination_just_told: str) -> None:
        """Turn the rolled dial one stop up, or not at all: from the highest, for a 1 or the one just told."""
        if face != 1 and (name := self.table.by_face[face]) != destination_just_told:
            now = self.now[name]
            self.now[name] = min((s for s in self.table.stops[name] if s > now), default=now)


class Professor:
    """Professor Elemental; the ring turns under him, so that its first shop is always his (N5)."""

    def __init__(self, ring: Ring) -> None:
        self.ring = list(ring)

    def step(self, places: Sequence[str]) -> set[int]:
        """Walk to the next shop clockwise; the seats entered there, given every seat's place (N4, N11)."""
        self.ring = [*self.ring[1:], self.ring[0]]
        return {seat for seat, place in enumerate(places) if place == self.ring[0]}


class Reading:
    """A record read to its end; `before[n]`: turn, professor, scores, dials, owing, when fact n was due."""

    def __init__(
        self, record: Iterable[Fact], table: Table, *, ring: Ring, seats: int, first: int, stall: int = 200
    ) -> None:
        self.facts, self.dials, self.professor, self.seat = iter(record), Dials(table), Professor(ring), first
        self.table, self.ring, self.places, self.stall, self.quiet = table, ring, ["club"] * seats, stall, 0
        self.scores, self.hands = [0] * seats, [set[int]() for _ in range(seats)]
        self.deck, self.discards, self.board = set(table.kind), set[int](), set[int]()
        self.owing, self.winners, self.before = set[int](), set[int](), list[Standing]()
        with suppress(StopIteration):
            for seat in range(seats):
                self.hands[seat].add(self.draw("dealt", {seat}))
            while len(self.board) < 8:
                self.board.add(self.draw("laid"))
            while not self.winners:
                self.turn()
                self.seat = self.seat if self.winners else (self.seat + 1) % seats
        assert next(self.facts, None) is None, "a fact after the end of the match"

    def next(self, what: str, seats: Collection[int] = (-1,)) -> Fact:
        """The fact that must come next, one of these words by one of these seats."""
        standing = self.seat, self.professor.ring[0], [*self.scores], {**self.dials.now}, {*self.owing}
        self.before.append(standing)
        fact = next(self.facts)
        many = len(fact.cards) in HOW_MANY_CARDS.get(fact.what, {1})
        assert all((many, fact.what in what.split(), fact.seat in seats)), f"not {what} by {seats}: {fact}"
        return fact

    def draw(self, what: str, seats: Collection[int] = (-1,)) -> int:
        """A card off the deck, into which the discards go when it is empty (Emptying the Deck, N12)."""
        (card,) = self.next(what, seats).cards
        self.deck, self.discards = (self.deck, self.discards) if self.deck else (self.discards, set())
        self.deck.remove(card)
        return card

    def drop(self, fact: Fact, points: int) -> None:
        """Discard the cards of a fact and score its points, which may be less than nothing."""
        assert self.hands[fact.seat].issuperset(fact.cards), f"not all in hand: {fact}"
        self.hands[fact.seat] -= set(fact.cards)
        self.discards |= set(fact.cards)
        self.scores[fact.seat] += points

    def settle(self, met: Iterable[int]) -> None:
        """Nothing goes on until everyone who met the professor and has cards has paid (N4)."""
        self.owing = {seat for seat in met if self.hands[seat]}
        while self.owing:
            paid = self.next("paid", self.owing)
            self.drop(paid, 0 if paid.cards else -len(self.hands[paid.seat]))
            self.owing.remove(paid.seat)

    def turn(self) -> None:
        """Move, penalty, action, and the board back to eight (On Each Turn, N3, N11, N14)."""
        seat, at = self.seat, self.places[self.seat]
        self.places[seat] = to = self.next("moved", {seat}).to
        assert to in legal_moves(self.table, at, self.hands[seat], self.ring), f"from {at} to {to}"
        self.settle({seat} if at != to == self.professor.ring[0] else ())
        {"market": self.market, "club": self.club}.get(to, self.shop)(seat, self.hands[seat])
        self.quiet = 0 if to == "club" else self.quiet + 1
        if self.quiet and self.quiet == self.stall:
            self.winners = {s for s, score in enumerate(self.scores) if score == max(self.scores)}
        while not self.winners and len(self.board) < 8 and self.deck | self.discards:
            self.board.add(card := self.draw("refilled"))
            if self.table.arrow[card] >= len(self.scores):
                self.settle(self.professor.step(self.places))

    def shop(self, seat: int, hand: set[int]) -> None:
        """Take one card lying there, or none (At a Shop, N6)."""
        lying = {c for c in self.board if self.table.shop_of[self.table.kind[c]] == self.places[seat]}
        taken = set(self.next("took passed", {seat}).cards) if lying else set()
        assert taken <= lying, f"{taken} is not in this shop"
        self.board -= taken
        hand.update(taken)

    def market(self, seat: int, hand: set[int]) -> None:
        """Discard a card, then draw one (At the Market, N7)."""
        self.drop(self.next("traded", {seat}), 0)
        hand.add(self.draw("drew", {seat}))

    def club(self, seat: int, hand: set[int]) -> None:
        """Tell an adventure; win, or go through the steps after it (After the Adventure, N8 to N10)."""
        told = self.next("told", {seat})
        assert adventure_error(self.table, told.to, hand, told.cards) is None, f"{told}"
        self.drop(told, adventure_score(self.table, told.to, told.cards, self.dials.now[told.to]))
        if self.scores[seat] >= {2: 80, 3: 60, 4: 50}.get(len(self.scores), 40):
            self.winners = {seat}
            return
        self.settle(self.professor.step(self.places))
        self.dials.told(told.to)
        self.dials.rolled(self.next("rolled").face, told.to)
        if not hand:
            hand.add(self.draw("drew", {seat}))


read_tables, replay = Table, Reading
