"""What is kept beside the log is never older than the state it is held with, whoever reads and writes."""

import pytest

from domain.match.commands import LeaveSeat, RotateToken
from domain.match.rules import HOST
from service.log.record import Entry
from service.matches.play import Play
from service.matches.requests import Request, TokenRevokedError
from service.store.journal import Head
from service.store.memory_journal import MemoryJournal
from tests.service.log.tables import choices, lay, move


class Interleaved(MemoryJournal):
    """A journal whose reader reads the head, is overtaken by a writer, and then reads the log."""

    def __init__(self) -> None:
        super().__init__()
        self.overtaking: list[Play] = []

    def catch_up(self, match: str, after: int, count: int = 500) -> tuple[Head, list[Entry]]:
        head = self.head(match)
        while self.overtaking:
            writer = self.overtaking.pop()
            writer.do(writer.load(match), [RotateToken()], Request("seat:0", fields={"token:seat:0": "new"}))
        return head, self.read(match, after, count=count)


def test_a_token_that_is_rotated_between_reading_head_and_log_is_seen_to_be() -> None:
    journal = Interleaved()
    play, writer = Play(journal), Play(journal)
    match = lay(play, 2).id
    journal.overtaking.append(writer)
    loaded = play.load(match)
    assert (loaded.version, loaded.fields["token:seat:0"]) == (2, "new")


def test_a_writer_who_was_behind_learns_which_tokens_are_good_with_the_commits_he_lacks() -> None:
    one = Play(MemoryJournal())
    other, first = Play(one.journal), lay(one, 2)
    stale = other.load(first.id)
    by, command = choices(first)[0]
    asked = Request(by, token=first.fields[f"token:{by}"])
    one.do(first, [RotateToken()], Request(by, fields={f"token:{by}": "new"}))
    with pytest.raises(TokenRevokedError):
        other.do(stale, [command], asked)
    assert other.peek(first.id).fields[f"token:{by}"] == "new"
    assert other.do(stale, [command], Request(by, token="new")).loaded.version == 3


def test_a_batch_by_a_revoked_token_is_refused_whole() -> None:
    play = Play(MemoryJournal())
    loaded = lay(play, 2)
    token = loaded.fields["token:seat:0"]
    left = play.do(loaded, [LeaveSeat(0)], Request("seat:0", token=token)).loaded
    assert "token:seat:0" not in left.fields
    assert "token:seat:0" not in play.journal.head(loaded.id).fields
    for base in (loaded, left):
        with pytest.raises(TokenRevokedError):
            play.do(base, [RotateToken(), RotateToken()], Request("seat:0", token=token))
    assert play.load(loaded.id).version == 2


def test_an_answer_is_kept_for_a_token_as_long_as_it_is_good() -> None:
    play = Play(MemoryJournal())
    loaded = lay(play, 2)
    by, command = choices(loaded)[0]
    asked = Request(by, "key", token=loaded.fields[f"token:{by}"])
    done = play.do(loaded, [command], asked)
    assert play.known(loaded.id, asked) is not None
    assert play.do(done.loaded, [command], asked).replayed
    play.do(done.loaded, [RotateToken()], Request(by, fields={f"token:{by}": "new"}))
    with pytest.raises(TokenRevokedError):
        play.known(loaded.id, asked)
    with pytest.raises(TokenRevokedError):
        play.do(loaded, [command], asked)


def test_jobs_need_no_token() -> None:
    play = Play(MemoryJournal())
    loaded = lay(play, 1)
    assert play.run(loaded.id, 1, "take_turn")
    assert move(play, play.load(loaded.id)).loaded.version == 3
    assert play.do(play.load(loaded.id), [RotateToken()], Request(HOST)).loaded.version == 4
