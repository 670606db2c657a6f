"""Which class of gunicorn's workers serves most commands: the choice in `service/run/gunicorn_conf.py`."""

from itertools import count, islice
from statistics import median

from bench.http import CLIENTS, MATCHES, Window, window
from bench.matches import commands, over
from bench.stage import Stage

CLASSES = {
    "gevent": (),
    "gthread": ("--worker-class", "gthread", "--threads", "4"),
    "sync": ("--worker-class", "sync"),
}


def measure(stage: Stage) -> dict[str, float]:
    """The service under each class in turns, over one store, 16 connections."""
    store = stage.store()
    numbers = {name: count() for name in CLASSES}
    play = over(store)
    served = {name: stage.http("service.wsgi:app", store, 2, *how) for name, how in CLASSES.items()}

    def stretch(name: str) -> Window:
        tasks = commands(play, name, islice(numbers[name], MATCHES[CLIENTS]))
        return window(stage, served[name], tasks, CLIENTS)

    rounds = [{name: stretch(name) for name in CLASSES} for _ in range(1 + stage.times(5))][1:]
    found = {}
    for name in ("gthread", "sync"):
        found[f"worker_class_{name}_over_gevent_c16"] = median(
            each[name].rate / each["gevent"].rate for each in rounds
        )
        found[f"worker_class_{name}_cpu_over_gevent"] = median(
            each[name].cost / each["gevent"].cost for each in rounds
        )
    return found
