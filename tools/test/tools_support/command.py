# SPDX-License-Identifier: BSD-2-Clause
"""Start ``python -m mcpi`` as ``./mcpi`` does."""

import os
import subprocess
import sys

from mcpi.base.process import heard
from mcpi.base.repo import PYTHONPATH, ROOT


def mcpi(*words: str, limit: int = 120, **environment: str) -> subprocess.CompletedProcess:
    """Exit status and output of a command, which has ``limit`` seconds. ``environment`` is laid
    over ours."""
    env = {**os.environ, "PYTHONPATH": PYTHONPATH, "NO_COLOR": "1", "COLUMNS": "120"}
    env |= environment
    return heard([sys.executable, "-m", "mcpi", *words], env=env, cwd=ROOT, timeout=limit)


def refused(*words: str) -> str:
    """Standard error of a command that ends as a user's slip does."""
    done = mcpi(*words)
    assert done.returncode == 2, done.stderr
    return done.stderr
