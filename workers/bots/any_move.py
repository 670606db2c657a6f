"""The bot `random`: any legal command is as good as another."""

from collections.abc import Iterator, Mapping
from itertools import islice
from secrets import choice
from typing import Any

CHOICES = 200  # it looks at the first so many


def choose(_view: Mapping[str, Any], legal: Iterator[Any]) -> Any:
    """One of the first 200 legal commands, each as likely."""
    return choice(list(islice(legal, CHOICES)))
