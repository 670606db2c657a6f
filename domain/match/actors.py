"""Who acts, as a word: `seat:<n>`, `host` (who created the match), `spectator:<n>`, or `referee`."""

HOST, REFEREE = "host", "referee"


def seat_name(seat: int) -> str:
    """How the log names a seat as an actor."""
    return f"seat:{seat}"


def spectator_name(invite: int) -> str:
    """How the log names the spectator who came with this invite."""
    return f"spectator:{invite}"
