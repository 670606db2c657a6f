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


class NotInstalled(Exception):
    """A log names what this installation does not have: it may be right, but cannot be read here."""


class UnknownGame(NotInstalled):
    """A log is of a game that is not installed."""


class UnknownRulesVersion(NotInstalled):
    """A log was begun by a version of the rules that is not installed."""


class UnknownEdition(NotInstalled):
    """A log names components that this installation does not have."""
