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


class UnknownEdition(Exception):
    """A log names components that this installation does not have."""
