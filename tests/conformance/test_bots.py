"""The two short bots, as a reader would copy them, finish matches over a network that cuts them off."""

import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from service.log.verify import verify
from tests.conformance.bad_network import bad_network
from tests.conformance.node import ROOT
from tests.e2e.running import Service

BOTS = ROOT / "tests" / "examples"
PYTHON = (sys.executable, BOTS / "bot.py")
NODE = (Path(sys.executable).parent / "node", BOTS / "bot.mjs")
Bot = tuple[str | Path, Path]


def started(bot: Bot, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([*bot, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def table_of(bot: "subprocess.Popen[str]") -> str:
    """The match at which a bot says that it has sat down."""
    assert bot.stdout is not None
    return bot.stdout.readline().rstrip(".\n").rpartition(" ")[2]


@pytest.mark.parametrize("bot", [PYTHON, NODE], ids=["python", "javascript"])
def test_a_bot_finishes_a_solo_match_over_a_bad_network(service: Service, bot: Bot) -> None:
    with bad_network(service.url) as network:
        alone = started(bot, network.url, "whatnot")
        match = table_of(alone)
        assert network_survived(alone)
    assert network.cuts > 0
    check(service, match)


@pytest.mark.parametrize(("first", "second"), [(PYTHON, NODE), (NODE, PYTHON)], ids=["python", "javascript"])
def test_two_bots_finish_a_match_over_a_bad_network(service: Service, first: Bot, second: Bot) -> None:
    with bad_network(service.url) as network:
        creator = started(first, network.url, "drawer", "2")
        match = table_of(creator)
        joiner = started(second, network.url, match)
        assert network_survived(joiner) == network_survived(creator), "both read the same score"
    assert network.cuts > 0
    check(service, match)


def network_survived(bot: "subprocess.Popen[str]") -> object:
    """The score, which a bot reads at the end."""
    said, troubles = bot.communicate(timeout=120)
    assert bot.returncode == 0, troubles
    return orjson.loads(said.splitlines()[-1])


def check(service: Service, match: str) -> None:
    """The match is proved, and nothing in it was done twice."""
    with service.client() as client:
        accept = {"Accept": "application/x-ndjson"}
        lines = client.get(f"/v1/matches/{match}/log", headers=accept).content.splitlines()
    assert verify(lines).complete
    commands = [orjson.loads(line)["command_id"] for line in lines[1:-1]]
    assert len(set(commands)) == len(commands)


@pytest.mark.parametrize("bot", [PYTHON[1], NODE[1]])
def test_a_bot_is_short_enough_to_be_copied(bot: Path) -> None:
    assert len(bot.read_text(encoding="utf-8").splitlines()) <= 60
