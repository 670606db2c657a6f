"""The public keys of a deployment at their well-known place."""

import json

from flask.testing import FlaskClient

from service.auth.signing_keys import make_key
from service.clock import now
from service.log.public_keys import read_keys
from service.redis_store.journal import RedisJournal
from service.redis_store.signing_keys import PRIVATE, RedisSigningKeys

WELL_KNOWN = "/.well-known/bricabrac-keys"


def test_the_keys_are_a_jwk_set_that_anybody_may_keep_for_a_minute(client: FlaskClient) -> None:
    answer = client.get(WELL_KNOWN)
    assert (answer.status_code, answer.mimetype) == (200, "application/jwk-set+json")
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    (jwk,) = json.loads(answer.data)["keys"]
    assert jwk.keys() == {"kty", "crv", "x", "kid", "use", "nbf"}
    assert [*read_keys(answer.data)] == [jwk["kid"]]
    again = client.get(WELL_KNOWN, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert client.get("/").json["links"]["signing_keys"] == WELL_KNOWN


def test_old_keys_stay_and_the_private_part_of_none_is_shown(
    client: FlaskClient, journal: RedisJournal
) -> None:
    keys = RedisSigningKeys(journal.client)
    made = make_key(keys, (), now())
    assert made is not None
    make_key(keys, [made], now())
    answer = client.get(WELL_KNOWN)
    first, second = json.loads(answer.data)["keys"]
    assert (first["kid"], first["exp"]) == (made.id, second["nbf"])
    assert "exp" not in second
    for name in keys.client.keys(PRIVATE + "*"):
        assert keys.client.get(name).decode() not in answer.text
