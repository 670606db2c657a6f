"""Child processes that die with us, and that a terminal's Ctrl-C does not reach: we stop them in order.

A fresh interpreter becomes the program: Python code between fork and exec (preexec_fn) can deadlock when we
have threads. It forgets our blocked signals, which would leave the program deaf to SIGTERM, and asks Linux
for SIGKILL when we die; if we died before it asked, it has another parent by now and gives up.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

PR_SET_PDEATHSIG = 1
BECOME = f"""
import ctypes, os, signal, sys
parent, *command = sys.argv[1:]
signal.pthread_sigmask(signal.SIG_SETMASK, [])
if sys.platform == "linux":
    ctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit("The parent died before its child started.")
os.execv(command[0], command)
"""


def die_with_parent() -> None:
    """For a process that was forked, not started here: ask Linux for SIGKILL when its parent dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(command: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
    """Start a program by its absolute path, in a session of its own; `how` as for Popen.

    Call it from a thread that outlives the child: what Linux takes for a parent's death is the end of the
    thread that started it.
    """
    become = [sys.executable, "-I", "-S", "-c", BECOME, str(os.getpid())]
    return subprocess.Popen([*become, *command], stdin=subprocess.DEVNULL, start_new_session=True, **how)
