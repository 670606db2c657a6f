"""What the OpenAPI description says of the API as a whole, and the components that no view brings with it."""

from typing import Any

from apispec import APISpec

from domain.games import games
from domain.match.commands import HOST_COMMANDS
from service.http.openapi.command_schemas import LONGEST_BATCH, command_schemas
from service.http.openapi.security import SCHEMES
from service.http.openapi.webhook_schemas import describe_messages
from service.http.protocol.rule_links import every_rule
from service.log.codec import type_name

DESCRIPTION = """\
Bricabrac hosts three tabletop games. A match is a log of commits: each command you send either becomes the
next commit, or is refused and changes nothing.

To play, create a match (`createMatch`) and keep its tokens. List your legal commands (`listLegalCommands`)
and send one of them (`sendCommands`), until `status` is `finished`. Then read the score (`getScore`). Send an
`Idempotency-Key` with every write that takes one, so that you can retry it safely.
"""
RULE = """\
The rule that refused a command. The rules of each game (`readRules`), and those of every match
(`readCommonRules`), explain it under a heading of the same name. A later release may add rules.
"""
ABOUT: dict[str, Any] = {
    "API_TITLE": "Bricabrac",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.1",
    "API_SPEC_OPTIONS": {
        "info": {
            "summary": "Hosts three tabletop games over HTTP.",
            "description": DESCRIPTION,
            "contact": {"name": "The operator of this service"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The service that this description comes from."}],
    },
}


def describe_components(spec: APISpec) -> None:
    """Who may call, the commands, the rules that may refuse them, and the messages to webhooks."""
    for name, scheme in SCHEMES.items():
        spec.components.security_scheme(name, scheme)
    _describe_commands(spec)
    spec.components.schema("Rule", {"type": "string", "description": RULE, "enum": every_rule()})
    describe_messages(spec)


def _describe_commands(spec: APISpec) -> None:
    """The commands of each game as a discriminated union, and `Commands`: one of them, or a list."""
    unions, of_hosts = [], [type_name(kind) for kind in HOST_COMMANDS]
    for game in games().values():
        written = {}
        for name, schema in command_schemas(game).items():
            component = f"{game.name}.{name}"
            if name not in of_hosts:
                spec.components.schema(component, {"description": schema.__doc__}, schema=schema)
                written[name] = {"$ref": f"#/components/schemas/{component}"}
        union = f"{game.name}.command"
        mapping = {name: ref["$ref"] for name, ref in written.items()}
        spec.components.schema(
            union,
            {"oneOf": list(written.values()), "discriminator": {"propertyName": "type", "mapping": mapping}},
        )
        unions.append({"$ref": f"#/components/schemas/{union}"})
    schemas = command_schemas(next(iter(games().values())))
    for name in of_hosts:
        component = f"match.{name}"
        spec.components.schema(component, {"description": schemas[name].__doc__}, schema=schemas[name])
        unions.append({"$ref": f"#/components/schemas/{component}"})
    one = {"anyOf": unions}
    spec.components.schema("Command", one)
    command = {"$ref": "#/components/schemas/Command"}
    many = {"type": "array", "items": command, "minItems": 1, "maxItems": LONGEST_BATCH}
    spec.components.schema("CommandList", many)
    spec.components.schema("Commands", {"anyOf": [command, {"$ref": "#/components/schemas/CommandList"}]})
