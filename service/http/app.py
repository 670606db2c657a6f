"""The app factory: resources, error handlers, request ids."""

import logging
import re
import time
from http import HTTPStatus
from secrets import token_hex
from typing import Any

from flask import Flask, Request, Response, g, request
from flask.sessions import NullSession, SessionInterface, SessionMixin
from werkzeug.middleware.proxy_fix import ProxyFix

from service.dependencies import Dependencies
from service.errors import ServiceError
from service.http.middleware import complete_bodies, overload, rate_limits
from service.http.middleware.access_log import log_request
from service.http.middleware.compression import accepts_gzip, compress, compressible, tag_compressed
from service.http.middleware.contract_guard import check_read
from service.http.openapi.api import Api, OrjsonProvider
from service.http.openapi.blueprint import View
from service.http.openapi.components import ABOUT, describe_components
from service.http.openapi.deprecation import announce_end
from service.http.protocol import integers
from service.http.protocol.common_headers import add_headers, vary
from service.http.protocol.etags import answer_not_modified, tag_representation
from service.http.protocol.problems import Problem
from service.http.protocol.refusals import of_service
from service.http.resources import (
    commands,
    creation,
    feed,
    health,
    invites,
    limits,
    log,
    matches,
    matches_list,
    pages,
    rules,
    seats,
    signing_keys,
    tickets,
    tokens,
    webhook_deliveries,
    webhooks,
)
from service.http.resources import games as catalogue
from service.live.broadcaster import Broadcaster
from service.live.feed_subscription import FeedSubscriptions
from service.live.stream_slots import USUAL, StreamLimits, StreamSlots
from service.settings import settings
from service.store.readiness import Readiness

NO_STORE = "no-store"
LARGEST_BODY = 64 * 1024
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


class NoSessions(SessionInterface):
    """There are no sessions and no cookies: nothing is read before a request and written after it."""

    def open_session(self, _app: Flask, _request: Request) -> SessionMixin:
        """The one session, always empty."""
        return EMPTY

    def is_null_session(self, _session: object) -> bool:
        """It is never to be saved."""
        return True

    def save_session(self, _app: Flask, _session: SessionMixin, _response: Response) -> None:
        """Nothing to save."""


EMPTY = NullSession()


class App(Flask):
    """Flask whose views are plain functions: it need not look, at every call, whether one is a coroutine."""

    def ensure_sync(self, func: View) -> View:
        """The function itself."""
        return func

    def log_exception(self, exc_info: Any) -> None:
        """A fault of ours, under the id that the caller was told; not the path, which is the caller's."""
        route = request.url_rule.rule if request.url_rule else None
        where = f"{request.method} {route}"
        self.logger.error("%s internal_error at %s", g.request_id, where, exc_info=exc_info)


def create_app(dependencies: Dependencies, streams: StreamLimits = USUAL) -> Flask:
    """The WSGI application over the use cases and the ports."""
    app = App("bricabrac", static_folder=None)
    app.session_interface = NoSessions()
    app.json = OrjsonProvider(app)
    app.url_map.merge_slashes = False  # a path is right or 404; nothing is sent elsewhere
    app.config.update(
        CORS_ORIGINS=("*",),
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        PROPAGATE_EXCEPTIONS=False,
        **ABOUT,
    )
    play, live = dependencies.play, Broadcaster(dependencies.tail, dependencies.play)
    app.extensions["dependencies"] = dependencies
    app.extensions["broadcaster"], app.extensions["stream_slots"] = live, StreamSlots(streams)
    app.extensions["readiness"] = Readiness(play.journal, dependencies.heartbeats, dependencies.progress)
    app.extensions["feed_subscriptions"] = FeedSubscriptions(live, dependencies.keys, play)
    app.config["OPEN_CREATION"] = settings().open_creation
    app.config["OPEN_BOT_MATCHES"] = settings().open_bot_matches
    if settings().proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings().proxies)  # type: ignore[method-assign]
    app.before_request(name_request)
    complete_bodies.install(app)
    overload.install(app, settings().requests_per_process)
    integers.install(app)
    app.before_request(check_read)
    app.after_request(complete_response)
    rate_limits.install(app)
    app.register_error_handler(Problem, Problem.response)
    app.register_error_handler(ServiceError, _service_error)
    api = Api(app, describe_components)
    resources = (
        catalogue,
        rules,
        creation,
        matches,
        matches_list,
        seats,
        tokens,
        invites,
        commands,
        log,
        tickets,
        feed,
        webhooks,
        webhook_deliveries,
        limits,
        signing_keys,
        health,
        pages,
    )
    for blueprint in dict.fromkeys(resource.blueprint for resource in resources):  # some files share one
        api.register_blueprint(blueprint)
    pages.register_assets(app)
    return app


def name_request() -> None:
    """Every request has an id: the caller's, if it is a plain word, or one of ours."""
    given = request.headers.get("X-Request-ID")
    g.request_id = given if given and REQUEST_ID.fullmatch(given) else token_hex(8)
    g.began = time.perf_counter()


def complete_response(response: Response) -> Response:
    """The last step of every answer: tags and 304, compression, the headers that all have, the log."""
    read = response.status_code == HTTPStatus.OK and request.method in ("GET", "HEAD")
    if read and response.headers.get("Cache-Control") != NO_STORE:
        _represent(response)
    announce_end(response)
    add_headers(response)
    log_request(response)
    return response


def _represent(response: Response) -> None:
    tag_representation(response)
    packed = compressible(response)
    if packed:
        vary(response, "Accept-Encoding")
    if packed := packed and accepts_gzip():
        tag_compressed(response)
    if not answer_not_modified(response) and packed:
        compress(response)


def _service_error(error: ServiceError) -> Response:
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logging.getLogger("bricabrac").error("%s %s: %s", g.request_id, error.code, error)
    return of_service(error).response()
