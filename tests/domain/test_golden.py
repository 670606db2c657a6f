"""Golden matches: stored history is folded as ever, and the same commands are decided as ever.

A twin names them: `GOLDEN` has the recipes, `VARIANTS` what has to be among the recorded tables besides what
`tests/demanded.py` demands of every game. A game without golden matches fails.
"""

from pathlib import Path
from typing import Any

import orjson
import pytest

from domain.games import AnyGame, games, rules_of
from domain.match.events import MatchScored
from domain.match.reducer import fold
from domain.stored import stored_as
from service.log.codec import read_created
from service.log.edition import edition_of
from service.log.record import put
from service.log.verify import verify
from service.matches.aggregate import read_event
from tests.demanded import Shown, missing
from tests.golden import SUFFIX, path_of, played, read, recipes
from tests.playing import twin_of


def rules_of_log(path: Path) -> AnyGame:
    """The game by the rules that a log was begun with."""
    created = read_created(orjson.loads(read(path)[1])["events"][0])
    return rules_of(created.game, created.rules_version)


GOLDEN = [
    pytest.param(rules_of_log(path), path, id=f"{game.name}-{path.name.removesuffix(SUFFIX)}")
    for game in games().values()
    for path in sorted(path_of(game, "").parent.glob("*" + SUFFIX))
]
GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())


def events_of(game: AnyGame, path: Path) -> list[Any]:
    """All that happened in a golden match, with what was sealed in its place."""
    events = []
    for line in read(path)[1:]:
        record = orjson.loads(line)
        for pointer, opened in record.get("opened", {}).items():
            put(record, pointer, opened["value"])
        events += [read_event(game, raw) for raw in record["events"]]
    return events


@pytest.mark.parametrize(("game", "path"), GOLDEN)
def test_a_golden_log_is_proved_in_full_draws_and_decisions_included(game: AnyGame, path: Path) -> None:
    log = read(path)
    verdict = verify(log)
    assert (verdict.game, verdict.complete, verdict.commits) == (game.name, True, len(log) - 1)


@pytest.mark.parametrize(("game", "path"), GOLDEN)
def test_folding_a_golden_log_gives_the_score_that_it_states(game: AnyGame, path: Path) -> None:
    events = events_of(game, path)
    (scored,) = [event for event in events if isinstance(event, MatchScored)]
    match = fold(game, edition_of(orjson.loads(read(path)[0])["edition"]), events)
    outcome = game.outcome(match.position)
    assert outcome is not None
    assert game.score(match.position, None) == scored.seats
    assert (outcome.ranking, outcome.winners, outcome.result) == (
        scored.ranking,
        scored.winners,
        scored.result,
    )


@pytest.mark.parametrize(("game", "path"), GOLDEN)
def test_playing_the_recipe_again_writes_the_same_log_byte_for_byte(game: AnyGame, path: Path) -> None:
    assert played(game, path.name.removesuffix(SUFFIX)) == read(path)


@GAMES
def test_every_recipe_is_recorded_and_every_golden_log_has_its_recipe(game: AnyGame) -> None:
    assert {path.name for _, path in _of(game)} == {name + SUFFIX for name in recipes(game)}


@GAMES
def test_every_variant_and_every_way_to_end_has_a_golden_match_by_every_version_of_the_rules(
    game: AnyGame,
) -> None:
    for rules in game.versions.values():
        kept = [shown(rules, path) for found, path in _of(game) if found is rules]
        lacking = missing(rules, kept, twin_of(game).VARIANTS)
        assert not lacking, (
            f"No golden match of {game.name} by rules version {rules.rules_version} shows: "
            f"{'; '.join(lacking)}. Add recipes to GOLDEN in its twin; python -m tests.golden records them."
        )


@GAMES
def test_a_game_without_golden_matches_lacks_everything(game: AnyGame) -> None:
    lacking = missing(game, [], twin_of(game).VARIANTS)
    assert {f"the result {result}" for result in game.results} < {*lacking}
    assert {f"an end by {stored_as(kind).name}" for kind in game.endings} < {*lacking}
    assert {f"seats={game.seats[0]}", f"seats={game.seats[-1]}"} <= {*lacking}
    for option in game.options:
        assert sum(name.startswith((f"{option.name}=", f"{option.name} ")) for name in lacking) > 1


@GAMES
def test_what_only_one_golden_match_shows_is_missed_without_it(game: AnyGame) -> None:
    kept = [shown(rules, path) for rules, path in _of(game) if rules is game]
    assert any(missing(game, [other for other in kept if other is not one]) for one in kept)


def shown(game: AnyGame, path: Path) -> Shown:
    """What a golden log shows."""
    created, *events = events_of(game, path)
    (scored,) = [event for event in events if isinstance(event, MatchScored)]
    seats = sum(seat.kind == "human" for seat in created.seats)
    return Shown(seats, created.options, scored.result, frozenset(map(type, events)))


def _of(game: AnyGame) -> list[tuple[AnyGame, Path]]:
    return [param.values for param in GOLDEN if param.values[0].name == game.name]
