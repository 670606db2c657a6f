"""A private key that is given: in PEM (PKCS 8, as OpenSSL writes it), or the path of such a file."""

from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

PEM = "-----BEGIN"


def read_private_key(given: str) -> bytes:
    """Its 32 bytes; ValueError with a sentence that says nothing of the key."""
    try:
        text = given.strip().encode() if given.strip().startswith(PEM) else Path(given).read_bytes()
        key = load_pem_private_key(text, password=None)
    except OSError as refused:
        raise ValueError(f"the file cannot be read: {refused.strerror}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):  # a TypeError: it is encrypted
        raise ValueError("neither a private key in PEM without a password, nor the path of one") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError("this is not an Ed25519 key")
    return key.private_bytes_raw()
