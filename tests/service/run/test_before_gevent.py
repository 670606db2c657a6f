"""What gunicorn loads before gevent has patched the standard library waits for nothing."""

import os
import subprocess
import sys

# A module that binds `Lock` then has that of the operating system: a greenlet that waits for it stops all.
NATIVE = """
import sys, threading, _thread
kinds = [threading.Lock, threading.RLock, threading.Event, threading.Condition, threading.Semaphore]
import service.run.gunicorn_conf
print([
    f"{name}.{word}"
    for name, module in sorted(sys.modules.items())
    if name.partition(".")[0] in ("service", "domain")
    for word, value in vars(module).items()
    if any(value is kind or (isinstance(kind, type) and isinstance(value, kind)) for kind in kinds)
])
"""


def test_no_module_of_ours_binds_a_lock_before_gevent_patches_it() -> None:
    given = os.environ | {"LIMIT_READS": "400/day"}  # a setting that is checked as soon as it is read
    command = [sys.executable, "-c", NATIVE]
    done = subprocess.run(command, env=given, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
