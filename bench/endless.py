"""The service with one game more, which has no end: importing this adds it to the games of the process.

The games are found as the modules of the package `domain.games`, and a package may lie in more than one
folder: the bench adds one of its own, before anybody has looked. Nothing is replaced, and the service that
is measured with real games never imports this.
"""

from pathlib import Path

from flask import Flask

import domain.games

domain.games.__path__.append(str(Path(__file__).with_name("games")))


def create_app() -> Flask:
    """What gunicorn serves."""
    from service.wsgi import app

    return app
