"""The options of a match over HTTP: lists among them, which older rules have as one string."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.matches.play import Play
from tests.service.http.table import lay, named, post, problem

CARDS = ["E1", "M3", "H2", "E4"]


def chosen(**body: Any) -> dict[str, Any]:
    return {"game": "drawer", "seats": named("Ann"), **body}


def test_the_catalogue_states_what_is_in_a_list_and_how_long_it_is(client: FlaskClient) -> None:
    (cards,) = [each for each in client.get("/v1/games/drawer").json["options"] if each["name"] == "cards"]
    assert (cards["default"], cards["min_items"], cards["max_items"]) == ([], 4, 4)
    assert set(CARDS) < set(cards["choices"])
    assert len(cards["choices"]) == 24
    old = client.get("/v1/games/drawer?rules_version=1").json["options"]
    assert [each["default"] for each in old if each["name"] == "cards"] == [""]


def test_a_list_of_words_is_an_option_and_stands_in_the_match_and_its_log(
    client: FlaskClient, play: Play
) -> None:
    table = lay(client, play, 1, game="drawer", options={"goals": "chosen", "cards": CARDS})
    match = table.get().json
    assert match["options"]["cards"] == CARDS
    assert list(match["position"]["goals"].values()) == CARDS
    first = table.get("/log").json["items"][0]
    assert first["command"]["options"]["cards"] == first["events"][0]["options"]["cards"] == CARDS
    assert lay(client, play, 1, game="drawer").get().json["options"]["cards"] == []


def test_older_rules_take_the_cards_as_one_string(client: FlaskClient, play: Play) -> None:
    options = {"goals": "chosen", "cards": ",".join(CARDS)}
    match = lay(client, play, 1, game="drawer", options=options, rules_version=1).get().json
    assert (match["rules_version"], match["options"]["cards"]) == (1, ",".join(CARDS))
    assert list(match["position"]["goals"].values()) == CARDS


@pytest.mark.parametrize(
    ("cards", "rule", "pointer"),
    [
        (",".join(CARDS), "option_type", "/options/cards"),
        (4, "option_type", "/options/cards"),
        (CARDS[:3], "option_length", "/options/cards"),
        ([*CARDS, "E5"], "option_length", "/options/cards"),
        ([*CARDS[:3], "E9"], "option_choice", "/options/cards"),
        (
            [*CARDS[:3], CARDS[0]],
            "not_four_cards",
            "/options",
        ),  # neither of the two would do without the other
        ([], "not_four_cards", "/options/goals"),
    ],
)
def test_a_list_that_does_not_fit_is_refused_by_the_rule_it_breaks(
    client: FlaskClient, cards: Any, rule: str, pointer: str
) -> None:
    asked = chosen(options={"goals": "chosen", "cards": cards})
    refused = problem(post(client, "/v1/matches", asked), 422, "validation_error")
    assert (refused["rule"], refused["errors"][0]["pointer"]) == (rule, pointer)


@pytest.mark.parametrize("cards", [["E1", 2], [["E1"]], [None], {"A": "E1"}, None, 1.5])
def test_what_is_no_value_of_any_option_is_refused_where_it_stands(client: FlaskClient, cards: Any) -> None:
    refused = problem(post(client, "/v1/matches", chosen(options={"cards": cards})), 422, "validation_error")
    assert [error["pointer"] for error in refused["errors"]] == ["/options/cards"]
