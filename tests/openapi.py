"""`python -m tests.openapi openapi.yaml` writes the description of the API; `--check` finds drift.

It describes the games that come with the service, whatever else is installed where this runs.
"""

import sys
from pathlib import Path

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.http.resources.health import openapi_yaml
from service.matches.play import Play
from service.redis_store.client import connect
from service.store.memory_journal import MemoryJournal
from tests.installed import only_ours


def written() -> str:
    """The description that the code gives."""
    dependencies = bootstrap(connect("redis://127.0.0.1"), play=Play(MemoryJournal()))
    with only_ours(), create_app(dependencies).app_context():
        return openapi_yaml()


def main(*words: str) -> int:
    """Write the file, or compare it."""
    file = Path(words[-1])
    if "--check" not in words:
        file.write_text(written(), encoding="utf-8")
        return 0
    if file.read_text(encoding="utf-8") == written():
        return 0
    print(f"{file} has drifted from the code: run `make openapi`.")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
