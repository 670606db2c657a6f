"""The refusals: every rule that can refuse a command has its code here or in the enumeration of a game.

Callers of the API build on the codes, so they do not change. `rules.md` explains each under a heading.
"""

from enum import StrEnum


class Refusal(StrEnum):
    """A rule that can refuse a command, by its code; the enumeration of a game is a subclass of this."""


class MatchRefusal(Refusal):
    """The rules of every match, whatever its game."""

    NOT_YOUR_TURN = "not_your_turn"
    MATCH_OVER = "match_over"
    NOT_STARTED = "not_started"
    OUT_OF_BOUNDS = "out_of_bounds"
    SEATS = "seats"
    UNKNOWN_OPTION = "unknown_option"
    OPTION_TYPE = "option_type"
    OPTION_CHOICE = "option_choice"
    OPTION_RANGE = "option_range"
    OPTION_LENGTH = "option_length"
    OTHER_TABLE = "other_table"
    SEAT_TAKEN = "seat_taken"
    NAME_TAKEN = "name_taken"
    OWN_SEAT_ONLY = "own_seat_only"
    TOO_LATE_FOR_ENTROPY = "too_late_for_entropy"
    HOST_ONLY = "host_only"
    NO_PLAYERS_SEAT = "no_players_seat"
    NOT_OPEN = "not_open"
    NO_TOKEN = "no_token"  # noqa: S105  a code, no secret
    NOT_FINISHED = "not_finished"
    SEED_REVEALED = "seed_revealed"
    REFEREE_ONLY = "referee_only"
    NOT_TO_BE_SCORED = "not_to_be_scored"
    NO_PLAYER_SEATED = "no_player_seated"
    NOT_PRIVATE = "not_private"
    NO_SUCH_SEAT = "no_such_seat"
    INVITE_KNOWN = "invite_known"
    INVITE_UNKNOWN = "invite_unknown"
    OWN_INVITE_ONLY = "own_invite_only"
    INVITE_REQUIRED = "invite_required"
    INVITE_FOR_OTHER_SEAT = "invite_for_other_seat"
    BATCH_REACHES_PAST_CHANCE = "batch_reaches_past_chance"
    PERSON_REQUIRED = "person_required"
