"""What can be proved of a log without its rules: the shape of its lines, its chain, what is opened."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from service.log.canonical import check_values
from service.log.record import FORMAT, GENESIS, hash_of, seal_of
from service.strict_json import read_json

Record = dict[str, Any]
AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
HEX_64 = re.compile(r"[0-9a-f]{64}")  # a hash, a salt
COMMIT = {
    "format", "match", "version", "at", "by", "command", "command_id", "events", "sealed", "previous", "hash",
}  # fmt: skip


class FlawError(Exception):
    """What is wrong with a log, and at which version (0 is the header)."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(f"version {version}: {reason}")
        self.version, self.reason = version, reason


def parse(lines: Iterable[bytes]) -> list[Record]:
    """The objects of the lines, the header first; FlawError names a line that is not an object."""
    records: list[Record] = []
    for number, line in enumerate(line for line in lines if line.strip()):
        try:
            record = read_json(line)
            check_values(record)
        except ValueError as flaw:
            raise FlawError(number, f"the line is not a record: {flaw}") from flaw
        if not isinstance(record, dict):
            raise FlawError(number, "the line is not an object")
        records.append(record)
    return records or [{}]


def check_chain(records: Sequence[Record], match: str, previous: str = GENESIS, after: int = 0) -> None:
    """Every commit has the next version, the match's id, the hash of the one before, and its own hash."""
    for version, record in enumerate(records, start=after + 1):
        if record.get("version") != version or record.get("match") != match or record.get("format") != FORMAT:
            raise FlawError(version, f"here stands version {record.get('version')} of {record.get('match')}")
        if record.get("previous") != previous:
            raise FlawError(version, "previous is not the hash of the commit before")
        if record.get("hash") != hash_of(record):
            raise FlawError(version, "hash is not that of the record")
        previous = record["hash"]


def check_shape(record: Record) -> None:
    """A commit has its own fields and no others, and whatever is opened in it is what was sealed."""
    version = record["version"]
    if record.keys() - {"opened"} != COMMIT:
        raise FlawError(
            version, f"missing or not a commit's: {sorted(COMMIT ^ (record.keys() - {'opened'}))}"
        )
    if type(version) is not int:  # true is 1
        raise FlawError(version, "version is a number")
    if not (AT.fullmatch(record["at"]) and isinstance(record["command_id"], str)):
        raise FlawError(version, "at is a time in UTC to the millisecond, command_id a word")
    if not isinstance(record["sealed"], dict) or not isinstance(record.get("opened", {}), dict):
        raise FlawError(version, "sealed and opened are objects")
    if "opened" in record and not record["opened"]:
        raise FlawError(version, "opened is left out where nothing is")
    for pointer, opened in record.get("opened", {}).items():
        if not isinstance(opened, dict) or opened.keys() != {"salt", "value"}:
            raise FlawError(version, f"what is opened at {pointer} has a salt and a value, not {opened}")
        if not HEX_64.fullmatch(opened["salt"]):
            raise FlawError(version, f"the salt of {pointer} is not 64 hex digits in lower case")
        if record["sealed"].get(pointer) != seal_of(opened["salt"], opened["value"]):
            raise FlawError(version, f"what is opened at {pointer} is not what was sealed")
