"""Closing a match that nobody has touched for days: a commit of the referee's that gives the reason."""

from domain.match.actors import REFEREE
from domain.match.commands import CloseIdleMatch
from service.matches.play import Play
from service.matches.requests import Request, StaleVersionError
from service.matches.revision import Revision

DAY_MS = 24 * 60 * 60 * 1000


def close_idle(play: Play, match: str, days: int) -> bool:
    """Close an open or playing match without a commit for so many days; False if somebody has acted.

    The match is loaded before its idle time is read, and closed at that version only: whoever acts in the
    meantime is not interrupted. Repeated, or done by several at once, it happens once.
    """
    loaded = play.load(match)
    idle = play.journal.idle_ms(match)
    if idle is None or idle < days * DAY_MS:
        return False
    request = Request(REFEREE, key=f"{loaded.version}-idle", expected=Revision.of(loaded))
    try:
        play.do(loaded, [CloseIdleMatch(days)], request)
    except StaleVersionError:
        return False
    return True
