"""Tickets for streams: how an EventSource in a browser, which cannot send a token, authenticates."""

from typing import Annotated, TypedDict

from flask import Response

from service.auth.tickets import LIFETIME_S, Ticket, new_ticket
from service.clock import iso
from service.http.judgement.callers import (
    actor,
    api_key,
    dependencies,
    find,
    play,
    required_actor,
    shown_digest,
)
from service.http.judgement.sent import sent
from service.http.middleware.rate_limits import admit
from service.http.openapi.blueprint import Blueprint
from service.http.protocol.json_answers import json_response
from service.http.streaming.stream_viewer import needed_key

blueprint = Blueprint("tickets", __name__, url_prefix="/v1", description="Tickets for streams.")
FEED = "/v1/feed"


class TicketDocument(TypedDict):
    """A ticket."""

    ticket: Annotated[str, "Send it as `?ticket=`, once."]
    expires_at: str


@blueprint.route("/matches/<match_id>/tickets", methods=["POST"])
@blueprint.operation(
    "issueTicket", "store_full", headers=["Authorization"], security=[{"seatToken": []}, {"apiKey": []}]
)
@blueprint.response(201, TicketDocument)
def issue_ticket(match_id: str) -> Response:
    """Get a ticket for a stream of the log.

    It opens one stream within 60 seconds, with your rights. Send it as `?ticket=` instead of the token.
    """
    loaded = find(match_id)
    key = api_key()
    who = required_actor(loaded) if key is None else actor(loaded)
    admit()
    sent().nothing()
    return _issued(f"/v1/matches/{match_id}/log", who or "", shown_digest())


@blueprint.route("/feed/tickets", methods=["POST"])
@blueprint.operation("issueFeedTicket", "store_full", headers=["Authorization"], security=[{"apiKey": []}])
@blueprint.response(201, TicketDocument)
def issue_feed_ticket() -> Response:
    """Get a ticket for a stream of the feed.

    It opens one stream within 60 seconds, with the rights of your API key.
    """
    holder = needed_key()
    admit()
    sent().nothing()
    return _issued(FEED, "", holder)


def _issued(place: str, who: str, holder: str) -> Response:
    shown = new_ticket(dependencies().tickets, Ticket(place, who, holder))
    until = iso(play().clock() + LIFETIME_S * 1000)
    document: TicketDocument = {"ticket": shown, "expires_at": until}
    return json_response(document, 201, {"Cache-Control": "no-store"})
