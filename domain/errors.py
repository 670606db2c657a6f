"""What a rule says when it refuses a command: a stable code and a sentence on what would be allowed."""


class RuleBroken(Exception):
    """A command that the rules refuse; nothing has happened."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class NotYourTurn(RuleBroken):
    """The seat has nothing to decide now."""


class MatchOver(RuleBroken):
    """No move is left in this match."""


class ReachesPastChance(RuleBroken):
    """A command of a batch that comes after one whose outcome its sender could not foresee."""

    def __init__(self) -> None:
        super().__init__(
            "batch_reaches_past_chance",
            "The command before this one draws, reveals something, or lets somebody else act. Send the batch "
            "up to there; then send the rest, once you know what came of it.",
        )


class PersonRequired(RuleBroken):
    """A match that bots alone would play, where the operator allows none of that."""

    def __init__(self) -> None:
        super().__init__(
            "person_required",
            "Bots alone would play this match: keep a seat for a person, or create it with an API key.",
        )


class NotInstalled(Exception):
    """A log names what this installation does not have: it may be right, but cannot be read here."""


class UnknownGame(NotInstalled):
    """A log is of a game that is not installed."""


class UnknownRulesVersion(NotInstalled):
    """A log was begun by a version of the rules that is not installed."""


class UnknownEdition(NotInstalled):
    """A log names components that this installation does not have."""
