"""What commit 1 says of the two secrets, to the byte."""

from hashlib import sha256

import pytest

from domain.match.commitment import Secrets

SEED, KEY = bytes(range(32)), bytes(range(32, 64))


def test_the_commitments_are_sha_256_of_the_sealing_key_and_of_both_secrets() -> None:
    secrets = Secrets(SEED, KEY)
    assert secrets.sealing_commitment == sha256(KEY).hexdigest()
    assert secrets.seed_commitment == sha256(KEY + SEED).hexdigest()
    assert secrets.seed_commitment == "84e4bd6ca2af96412fdc62fe44d4e9709cdc31933081a62486a48a154b582d53"


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_both_have_32_bytes_so_that_one_commitment_means_one_seed(length: int) -> None:
    for seed, key in ((bytes(length), KEY), (SEED, bytes(length))):
        with pytest.raises(ValueError, match="32 bytes"):
            Secrets(seed, key)


def test_printing_them_tells_nothing() -> None:
    assert repr(Secrets(SEED, KEY)) == "Secrets()"
