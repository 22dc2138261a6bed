# SPDX-License-Identifier: BSD-2-Clause
"""Commands of others, in folders outside of the checkout."""

import os
import subprocess
from pathlib import Path

OURS = ("PYTHON", "MCPI_M", "COCOTB")
# Compilers of the environment always name a linker, with which none makes a precompiled header.
MAKE = "VM_PARALLEL_BUILDS=0"


def outside(folder: Path, *words: str) -> str:
    """Return the words of a command in ``folder``, where mCPI is not on Python's path."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
    env |= {"HOME": str(folder), "MAKEFLAGS": MAKE}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout + done.stderr
