"""Public keys as others write and read them: JWK, JWK Set, PEM."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.log.public_keys import PublicKey, key_set, read_keys

X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"  # RFC 8037, A.2
THUMBPRINT = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"  # A.3
JWK = {"kty": "OKP", "crv": "Ed25519", "x": X}
EC = {"kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"}


def pem(key: Any) -> bytes:
    written: bytes = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return written


def test_a_keys_id_is_its_thumbprint_whatever_is_said_of_it() -> None:
    for jwk in (JWK, JWK | {"kid": "another"}):
        (key,) = read_keys(json.dumps(jwk).encode()).values()
        assert key.id == THUMBPRINT


def test_a_set_comes_back_with_its_periods_in_seconds() -> None:
    first, second = PublicKey(bytes(31) + b"\1", 1_000, 5_000), PublicKey(bytes(31) + b"\2", 5_000)
    written = key_set([first, second])
    assert [(jwk.get("nbf"), jwk.get("exp")) for jwk in written["keys"]] == [(1, 5), (5, None)]
    assert read_keys(json.dumps(written).encode()) == {first.id: first, second.id: second}


def test_keys_of_other_kinds_are_passed_over_and_pem_is_read() -> None:
    assert [*read_keys(json.dumps({"keys": [EC, JWK]}).encode())] == [THUMBPRINT]
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    (key,) = read_keys(b"\n" + pem(private)).values()
    assert key == PublicKey(private.public_key().public_bytes_raw())


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{}",
        b'{"keys": 1}',
        b'{"keys": [1]}',
        b'{"keys": []}',
        b"\xff",
        b"-----BEGIN PUBLIC KEY-----",
        pem(derive_private_key(7, SECP256R1())),
        json.dumps(EC).encode(),
        json.dumps(JWK | {"x": X[:-2]}).encode(),
        json.dumps(JWK | {"x": 7}).encode(),
        json.dumps(JWK | {"nbf": "1"}).encode(),
        json.dumps(JWK | {"exp": True}).encode(),
    ],
    ids=range(14),
)
def test_what_has_no_ed25519_key_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError):
        read_keys(text)
