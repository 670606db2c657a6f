"""The rules that can refuse a command, and where each is explained."""

from domain.games import AnyGame, games
from domain.refusals import MatchRefusal
from service.http.protocol.problem_document import Members

COMMON_RULES = "/v1/rules"


def every_rule() -> list[str]:
    """Every rule that can refuse a command: of any match, and of each game in each version of its rules."""
    versions = (rules for game in games().values() for rules in game.versions.values())
    own = (refusal for rules in versions for refusal in rules.refusals)
    return sorted({refusal.value for refusal in (*MatchRefusal, *own)})


def rule_members(code: str, game: AnyGame) -> Members:
    """A rule and the link to its explanation, as a problem carries them.

    The link of a rule that every match shares does not name the game: a caller who may not see a private
    match is refused by such rules only, and must not learn what is played there.
    """
    if code in {*MatchRefusal}:
        return {"rule": code, "rule_url": f"{COMMON_RULES}#{code}"}
    page = f"/v1/games/{game.name}/rules?rules_version={game.rules_version}"
    return {"rule": code, "rule_url": f"{page}#{code}"}
