"""Entity tags: which version an answer shows, and which of that version's representations it is.

A tag begins with a version and the first digits of its commit's hash, which tell it from the same version of
a history that the store has lost: `"v7-5f0c…"`. A read adds a fingerprint of what was answered,
`"v7-5f0c…-9a31…"`: two seats see different things at one version, and a browser that holds the tag of the one
sends it when it asks as the other (Chromium does so where `Vary` differs); "not modified" would then show a
seat the other's table. `If-Match` looks at version and hash only; `"v7"`, without hash and fingerprint, names
the version.
"""

import re
from hashlib import sha256

from flask import Response, request

from service.matches.revision import Revision

CODED = r"([-.:;]+(gzip|br|zstd|deflate))"  # what compression, ours or a proxy's, appends to a tag
VERSION_TAG = rf'(W/)?"v([0-9]{{1,15}})(?:-([0-9a-f]{{16}}))?(-[0-9a-f]{{16}})?{CODED}*"'
TAG = re.compile(VERSION_TAG)
PLAIN = re.compile(r'"v[0-9]{1,15}-[0-9a-f]{16}"')
LISTED = re.compile(r'"([\x21\x23-\x7e]*)"')
CODING = re.compile(CODED + "+$")
DROPPED = ("Content-Type", "Content-Length", "Content-Disposition")


def version_tag(revision: Revision) -> str:
    """The tag of a version of a match."""
    return f'"v{revision}"'


def tagged_revision(tag: str) -> Revision | None:
    """The version that a tag names; None where it is no tag of ours."""
    found = TAG.fullmatch(tag)
    return None if found is None else Revision(int(found[2]), found[3] or "")


def after_query(revision: Revision) -> str:
    """The part of a query that continues after a version, in the same history."""
    history = f"&after_hash={revision.hash}" if revision.hash else ""
    return f"after={revision.version}{history}"


def content_tag(body: bytes) -> str:
    """The tag of what has no version: a fingerprint."""
    return f'"{_fingerprint(body)}"'


def tag_representation(response: Response) -> None:
    """A read that is tagged with a version is tagged with what it shows of it as well."""
    tag = response.headers.get("ETag")
    if tag is None or not PLAIN.fullmatch(tag):
        return
    shown = _stands_for(response) if response.is_streamed else response.get_data()
    response.headers["ETag"] = f'{tag[:-1]}-{_fingerprint(shown)}"'


def answer_not_modified(response: Response) -> bool:
    """Make the answer a 304 if the caller has it; what it says of itself and of caching stays."""
    given, tag = request.headers.get("If-None-Match"), response.headers.get("ETag")
    if given is None or tag is None or not _names(given, CODING.sub("", tag[1:-1])):
        return False
    response.status_code = 304
    response.response = []
    for name in DROPPED:
        response.headers.pop(name, None)
    return True


def _stands_for(response: Response) -> bytes:
    """What a body that is still to be streamed varies by."""
    return f"{response.mimetype} {request.headers.get('Authorization')}".encode()


def _fingerprint(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def _names(given: str, tag: str) -> bool:
    """Whether a list of tags has this one, weak or strong, coded or not, or its version."""
    version, _, rest = tag.partition("-")
    known = (tag, version, f"{version}-{rest.partition('-')[0]}")
    return given.strip() == "*" or any(CODING.sub("", listed) in known for listed in LISTED.findall(given))
