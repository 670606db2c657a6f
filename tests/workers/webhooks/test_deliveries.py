"""Webhooks with real receivers: signed, filtered, tried again, delivered once, and never a secret in them."""

from time import monotonic, sleep
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError
from werkzeug.wrappers import Response

from service.auth import tokens
from service.matches.aggregate import Aggregate
from service.webhooks.model import GRACE_MS, MOST_DELIVERIES, Delivery
from tests.dripping import dripping
from tests.servers import until
from tests.service.http.crawl import forbidden_words
from tests.service.http.table import post
from tests.workers.webhooks.hooked import Hooked
from workers.webhooks import deliveries
from workers.webhooks.retry_policy import HOUR, SCHEDULE


def test_a_receiver_is_told_of_start_turns_and_end_of_a_match_signed_with_its_secret(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key)
    table = hooked.lay()
    table.finish()
    hooked.deliver()
    receiver = hooked.receiver
    receiver.verify(hook["secret"])
    assert {told["data"]["match"] for told in receiver.told} == {table.id}
    assert receiver.types()[0] == "match.started"
    assert receiver.types().count("match.finished") == 1
    assert receiver.types().count("match.turn") > 5
    assert len(set(receiver.ids)) == len(receiver.ids)
    for told in receiver.told:
        seen = hooked.client.get(told["data"]["link"]).json
        assert {name: seen[name] for name in ("version", "status", "to_act")}.items() <= told["data"].items()
    sent = hooked.deliveries(hook, key)
    assert [one["id"] for one in sent] == receiver.ids[::-1]
    assert {(one["status"], one["attempts"], one["response_status"]) for one in sent} == {
        ("delivered", 1, 200)
    }
    assert sent[0]["response"] == "thanks"


def test_a_receiver_that_fails_and_then_takes_it_gets_it_once_under_the_same_id(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    hooked.receiver.answers += [Response("at lunch", 500), Response("", 503), Response("", 302)]
    hooked.lay()
    hooked.deliver()
    (kept,) = hooked.deliveries(hook, key)
    assert (kept["status"], kept["attempts"], kept["response_status"]) == ("pending", 1, 500)
    assert kept["response"] == "at lunch"
    assert kept["next_attempt_at"] > kept["attempted_at"]
    hooked.deliver()
    assert len(hooked.receiver.got) == 1, "it is not due yet"
    for _ in range(5):
        hooked.deliver(later=HOUR)
    receiver = hooked.receiver
    assert len(receiver.got) == 4, "once it is taken it is not sent again"
    assert set(receiver.ids) == {kept["id"]}
    assert len({body for _, body in receiver.got}) == 1
    receiver.verify(hook["secret"])
    assert hooked.deliveries(hook, key)[0]["status"] == "delivered"


def test_of_what_was_not_asked_for_nothing_is_sent(hooked: Hooked) -> None:
    key = hooked.key()
    hooked.register(key, events=["match.finished"])
    hooked.lay().finish()
    hooked.deliver()
    assert hooked.receiver.types() == ["match.finished"]


def test_a_key_hears_of_one_match_or_of_all_that_it_may_see(hooked: Hooked) -> None:
    first, second = hooked.lay(), hooked.lay(private=True)
    hooked.deliver()
    for who, match, heard in (
        (hooked.key(), None, {first.id}),
        (hooked.key(), first.id, {first.id}),
        (hooked.key("webhooks", "read-all"), None, {first.id, second.id}),
        (hooked.key("webhooks", "read-all"), second.id, {second.id}),
    ):
        hook = hooked.register(who, **({} if match is None else {"match": match}))
        for table in (first, second) * 8:
            table.step()
        hooked.deliver()
        assert {told["data"]["match"] for told in hooked.receiver.told} == heard
        hooked.receiver.got.clear()
        assert hooked.client.delete(f"/v1/webhooks/{hook['id']}", headers=who).status_code == 204


@pytest.mark.parametrize("actor", ["seat:0", "seat:1", "host"])
def test_a_token_hears_of_its_own_match_private_or_not(hooked: Hooked, actor: str) -> None:
    table, other = hooked.lay(private=True), hooked.lay()
    hooked.deliver()
    hooked.register(table.bearer(actor), match=table.id)
    table.finish()
    other.finish()
    hooked.deliver()
    assert {told["data"]["match"] for told in hooked.receiver.told} == {table.id}
    assert hooked.receiver.types()[-1] == "match.finished"


@pytest.mark.parametrize("times", [2, 5])
def test_a_commit_announced_again_is_one_delivery(hooked: Hooked, times: int) -> None:
    key = hooked.key()
    hook = hooked.register(key)
    table = hooked.lay()
    hooked.deliver()
    before = len(hooked.receiver.got)
    assert before == 2
    for _ in range(times):
        deliveries.announce(table.id, 1)
        hooked.deliver(later=HOUR)
    for one in hooked.deliveries(hook, key):
        assert not deliveries.deliver_webhook(one["id"], 1), "an attempt is made once"
        assert not deliveries.deliver_webhook(one["id"], 2)
    assert len(hooked.receiver.got) == before


def test_an_attempt_that_was_made_is_not_made_again_while_the_next_is_not_due(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    hooked.receiver.answers.append(Response("", 500))
    hooked.lay()
    hooked.deliver()
    (kept,) = hooked.deliveries(hook, key)
    hooked.side.webhooks.resume(hook["id"])
    assert not deliveries.deliver_webhook(kept["id"], 1)
    assert not deliveries.deliver_webhook(kept["id"], 3)
    assert len(hooked.receiver.got) == 1
    assert deliveries.deliver_webhook(kept["id"], 2)


def test_while_a_secret_is_replaced_both_verify_and_after_a_day_only_the_new_one(
    hooked: Hooked, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = hooked.key()
    hook = hooked.register(key)
    turned = hooked.act(hook, "rotate", key)
    assert turned["secret"] != hook["secret"]
    hooked.act(hook, "ping", key)
    hooked.deliver()
    ((headers, body),) = hooked.receiver.got
    assert len(headers["webhook-signature"].split()) == 2
    for secret in (hook["secret"], turned["secret"]):
        assert Webhook(secret).verify(body, headers)["type"] == "ping"
    kept = hooked.side.webhooks.find(hook["id"])
    assert kept.signing(kept.created + GRACE_MS + HOUR) == [turned["secret"]]
    with pytest.raises(WebhookVerificationError):
        hooked.receiver.verify("whsec_" + "A" * 44)


def test_a_receiver_that_is_gone_is_left_alone_until_it_is_enabled_again(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    hooked.receiver.answers.append(Response("", 410))
    hooked.lay()
    hooked.deliver()
    shown = hooked.read(hook, key)
    assert (shown["enabled"], shown["disabled_because"]) == (False, "The receiver answered 410 Gone.")
    hooked.lay()
    hooked.deliver(later=100 * HOUR)
    assert len(hooked.receiver.got) == 1
    refused = hooked.client.post(f"/v1/webhooks/{hook['id']}/ping", headers=key)
    assert (refused.status_code, refused.json["code"]) == (409, "webhook_disabled")
    enabled = hooked.client.patch(f"/v1/webhooks/{hook['id']}", json={"enabled": True}, headers=key)
    assert (enabled.json["enabled"], enabled.json["disabled_because"]) == (True, None)
    hooked.lay()
    hooked.deliver()
    assert len(hooked.receiver.got) == 2


def test_a_receiver_that_never_takes_it_is_given_up_after_days_and_what_waits_with_it(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    hooked.receiver.answers += [Response("", 500)] * 30
    hooked.lay()
    for _ in SCHEDULE[:-2]:
        hooked.deliver(later=40 * HOUR)
    hooked.lay()
    for _ in range(4):  # each asks it once: it is left alone for a while after each failure
        hooked.deliver(later=40 * HOUR)
    shown = hooked.read(hook, key)
    assert shown["disabled_because"] == "10 attempts at one delivery failed."
    younger, older = hooked.deliveries(hook, key)
    assert (older["status"], older["attempts"]) == ("failed", 10)
    assert (younger["status"], younger["response"]) == ("failed", "The webhook is disabled.")
    assert younger["next_attempt_at"] is None


def test_a_delivery_is_sent_again_when_its_owner_asks_whatever_became_of_it(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    hooked.lay()
    hooked.deliver()
    (sent,) = hooked.deliveries(hook, key)
    hooked.receiver.answers.append(Response("", 500))
    again = hooked.act(hook, f"deliveries/{sent['id']}/redeliver", key)
    assert (again["status"], again["attempts"]) == ("pending", 1)
    hooked.deliver()
    hooked.deliver(later=HOUR)
    (sent,) = hooked.deliveries(hook, key)
    assert (sent["status"], sent["attempts"]) == ("delivered", 3)
    assert hooked.receiver.ids == [sent["id"]] * 3


def test_a_ping_says_which_webhook_is_tested_and_a_repeated_request_is_one_ping(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key, events=["match.finished"])
    repeated = key | {"Idempotency-Key": "one"}
    first, second = (hooked.act(hook, "ping", repeated) for _ in range(2))
    assert first["id"] == second["id"]
    hooked.deliver()
    (told,) = hooked.receiver.told
    assert (told["type"], told["data"]) == ("ping", {"webhook": hook["id"]})


def test_what_a_receiver_answers_is_kept_in_part_only(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key)
    hooked.receiver.answers.append(Response(b"\xff\x00" + b"x" * 1_000_000, 200))
    hooked.act(hook, "ping", key)
    hooked.deliver()
    (sent,) = hooked.deliveries(hook, key)
    assert sent["status"] == "delivered"
    assert len(sent["response"]) == 200


def test_a_revoked_key_is_told_nothing_more(hooked: Hooked) -> None:
    gone, kept = hooked.key(), hooked.key()
    hook = hooked.register(gone)
    hooked.register(kept, events=["match.finished"])
    table = hooked.lay()
    hooked.receiver.answers.append(Response("", 500))
    hooked.deliver()
    assert len(hooked.receiver.got) == 1
    keys = hooked.side.keys
    keys.revoke(keys.find(tokens.digest(gone["Authorization"].split()[1])).id)
    hooked.deliver(later=HOUR)
    table.finish()
    hooked.deliver(later=100 * HOUR)
    assert hooked.receiver.types()[1:] == ["match.finished"], "the other key still is"
    assert hooked.side.webhooks.find(hook["id"]) is None


@pytest.mark.parametrize("new", ["", "0" * 64])
def test_a_token_that_is_of_nobody_any_more_is_told_nothing_more(hooked: Hooked, new: str) -> None:
    table = hooked.lay()
    hooked.deliver()
    hook = hooked.register(table.bearer("host"), match=table.id)
    hooked.act(hook, "ping", table.bearer("host"))
    hooked.deliver()
    head = hooked.play.journal.keys.of_match(table.id, "head")  # type: ignore[attr-defined]
    hooked.store.hset(head, "token:host", new) if new else hooked.store.hdel(head, "token:host")
    table.finish()
    hooked.deliver(later=100 * HOUR)
    assert hooked.receiver.types() == ["ping"]
    assert hooked.side.webhooks.find(hook["id"]) is None


@pytest.mark.parametrize(("game", "seats"), [("whatnot", 3), ("nonsense", 2), ("drawer", 2)])
def test_nothing_that_the_rules_hide_and_no_token_is_ever_sent(hooked: Hooked, game: str, seats: int) -> None:
    table = hooked.lay(seats, game=game)
    hooked.register(table.bearer("seat:1"), match=table.id)
    words = set(table.tokens.values())
    while not (loaded := hooked.play.load(table.id)).state.over:
        words |= forbidden(hooked, table, loaded)
        table.step()
    hooked.deliver()
    assert {"match.turn", "match.finished"} <= {*hooked.receiver.types()}
    for told, (headers, body) in zip(hooked.receiver.told, hooked.receiver.got, strict=True):
        assert not [word for word in words if word in body + str(headers)]
        assert told["data"].keys() <= {"match", "version", "status", "to_act", "seats", "link"}


def forbidden(hooked: Hooked, table: Any, loaded: Aggregate) -> set[str]:
    """What a spectator must not be shown at this version."""
    newest = hooked.play.journal.read(table.id, loaded.version - 1, loaded.version)
    return forbidden_words(table, None, loaded, newest)


def test_of_a_match_that_nobody_watches_nothing_is_owed(hooked: Hooked) -> None:
    watched = hooked.lay()
    hooked.register(watched.bearer("host"), match=watched.id)
    hooked.lay().step()
    hooked.relay.relay(hooked.relay.feed.new(0.05))
    due = hooked.store.zrange("{hooks}:due", 0, -1)
    assert {member.decode().split("/")[0] for member in due} == {watched.id}


def test_a_webhook_with_too_many_deliveries_waiting_is_disabled_and_says_so(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key)
    for number in range(MOST_DELIVERIES):
        waiting = Delivery(f"{hook['id']}-w-{number}", hook["id"], "ping", "{}", number)
        assert hooked.side.webhooks.deliver(waiting, 10**15) == "added"
    hooked.lay()
    hooked.deliver()
    assert hooked.read(hook, key)["disabled_because"] == "Too many deliveries were waiting."
    assert hooked.receiver.got == []


def test_a_slow_receiver_is_waited_for_a_few_seconds(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key)
    hooked.receiver.server.expect_request("/slow").respond_with_handler(
        lambda _: until(lambda: bool(hooked.deliveries(hook, key)[0]["attempts"])) or Response("late")
    )
    slow = hooked.receiver.url.replace("/told", "/slow")
    hooked.client.patch(f"/v1/webhooks/{hook['id']}", json={"url": slow}, headers=key)
    hooked.act(hook, "ping", key)
    hooked.deliver()
    (sent,) = hooked.deliveries(hook, key)
    assert (sent["status"], sent["response"]) == ("failed", "There was no complete answer in time.")


@pytest.mark.parametrize(
    ("begins", "status", "response"),
    [
        (b"HTTP/1.1 2", "failed", "There was no complete answer in time."),
        (b"HTTP/1.1 200 OK\r\nX-Slow: ", "delivered", ""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "delivered", "zzz"),
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 100000\r\n\r\n", "failed", "zzz"),
    ],
    ids=["status", "head", "body", "refusal"],
)
def test_a_receiver_that_answers_letter_by_letter_is_cut_off_and_what_its_status_said_counts(
    hooked: Hooked, monkeypatch: pytest.MonkeyPatch, begins: bytes, status: str, response: str
) -> None:
    monkeypatch.setattr("workers.webhooks.sender.DEADLINE_S", 1.0)
    key = hooked.key()
    hook = hooked.register(key)
    with dripping(begins) as slow:
        hooked.client.patch(f"/v1/webhooks/{hook['id']}", json={"url": slow.url}, headers=key)
        hooked.act(hook, "ping", key)
        began = monotonic()
        hooked.work()
        assert monotonic() - began < 20, "it would drip for ever"
        until(lambda: slow.open == 0)
    (sent,) = hooked.deliveries(hook, key)
    assert sent["status"] == status
    assert sent["attempts"] == 1
    assert sent["response"].startswith(response)


def test_registering_twice_with_one_key_is_one_webhook_that_tells_once(hooked: Hooked) -> None:
    key = hooked.key()
    repeated = key | {"Idempotency-Key": "register-once"}
    body = {"url": hooked.receiver.url, "events": ["match.started"]}
    first, second = (post(hooked.client, "/v1/webhooks", body, repeated) for _ in range(2))
    assert first.data == second.data
    hooked.lay()
    hooked.deliver()
    assert len(hooked.receiver.got) == 1


def test_a_receiver_that_is_down_is_asked_once_however_much_waits_for_it(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key)
    hooked.receiver.answers.append(Response("", 500))
    hooked.lay().finish()
    hooked.deliver()
    assert len(hooked.receiver.got) == 1
    waiting = hooked.deliveries(hook, key)
    assert {one["status"] for one in waiting} == {"pending"}
    assert sum(one["attempts"] for one in waiting) == 1
    hooked.deliver(later=HOUR)
    hooked.deliver(later=HOUR)
    assert {one["status"] for one in hooked.deliveries(hook, key)} == {"delivered"}
    assert len(hooked.receiver.got) == len(waiting) + 1
    assert sorted(set(hooked.receiver.ids)) == sorted(one["id"] for one in waiting)


def test_a_receiver_that_is_down_keeps_nobody_else_waiting(hooked: Hooked) -> None:
    down, up = hooked.key(), hooked.key()
    hook = hooked.register(down)
    hooked.client.patch(f"/v1/webhooks/{hook['id']}", json={"url": "http://localhost:1/"}, headers=down)
    hooked.register(up)
    hooked.lay().finish()
    hooked.deliver()
    assert hooked.receiver.types()[-1] == "match.finished"
    assert sum(one["attempts"] for one in hooked.deliveries(hook, down)) == 1


def test_an_owner_whose_receivers_are_slow_waits_himself_and_nobody_else(
    hooked: Hooked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.webhooks.deliveries.SLOW_MS", 0)
    monkeypatch.setattr("workers.webhooks.deliveries.SHARE", 3000)  # a minute for each 20 ms
    hooked.receiver.server.expect_request("/slow").respond_with_handler(lambda _: sleep(0.02) or Response(""))
    url = hooked.receiver.url.replace("/told", "/slow")
    slow, other = hooked.key(), hooked.key()
    pinged = [(hooked.register(key, url=url), key) for key in (slow, slow, slow, other)]
    for hook, key in pinged:
        hooked.act(hook, "ping", key)
    hooked.deliver()
    attempts = [hooked.deliveries(hook, key)[0]["attempts"] for hook, key in pinged]
    assert (sum(attempts[:3]), attempts[3]) == (1, 1)
    for _ in pinged:
        hooked.deliver(later=HOUR)
    assert [hooked.deliveries(hook, key)[0]["status"] for hook, key in pinged] == ["delivered"] * 4


def test_a_receiver_that_took_nothing_for_days_is_disabled_though_much_waits(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key)
    hooked.receiver.answers += [Response("", 500)] * 20
    hooked.lay().finish()
    hooked.deliver()
    for _ in range(9):
        hooked.store.hset(f"{{hooks}}:pause:{hook['id']}", "since", 0)  # as if that had been long ago
        assert hooked.read(hook, key)["enabled"]
        hooked.deliver(later=40 * HOUR)
    assert hooked.read(hook, key)["disabled_because"] == "The receiver has accepted nothing for 90 hours."


def test_enabling_a_webhook_ends_its_pause(hooked: Hooked) -> None:
    key = hooked.key()
    hook = hooked.register(key, events=["match.started"])
    hooked.receiver.answers.append(Response("", 500))
    hooked.lay()
    hooked.deliver()
    hooked.act(hook, "ping", key)
    hooked.deliver()
    assert len(hooked.receiver.got) == 1
    hooked.client.patch(f"/v1/webhooks/{hook['id']}", json={"enabled": True}, headers=key)
    hooked.act(hook, "ping", key)
    hooked.deliver()
    assert len(hooked.receiver.got) == 2
