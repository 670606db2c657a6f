"""The public keys of this deployment, where a stranger looks for them."""

from flask import Response

from service.http.judgement.callers import dependencies
from service.http.openapi.blueprint import Blueprint
from service.http.protocol.json_answers import tagged
from service.log.public_keys import WELL_KNOWN, JwkSet, key_set

blueprint = Blueprint("signing_keys", __name__, description="The keys that sign the heads of matches.")
JWK_SET = "application/jwk-set+json"
CACHED = "public, max-age=60"  # a new key is published two minutes before it signs


@blueprint.route(WELL_KNOWN)
@blueprint.operation("readSigningKeys", "store_unavailable", "store_full", headers=["If-None-Match"])
@blueprint.response(200, JwkSet, content_type=JWK_SET)
@blueprint.not_modified()
def read_signing_keys() -> Response:
    """Read the signing keys.

    It is a JWK Set (RFC 7517) with every public key that has signed heads of matches here, old ones too.
    [Verifying](/docs/verifying#signed-heads) explains what a signed head proves.
    """
    response = tagged(key_set(dependencies().signer.public_keys()), CACHED)
    response.content_type = JWK_SET
    return response
