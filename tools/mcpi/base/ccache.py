# SPDX-License-Identifier: BSD-2-Clause
"""ccache, if it is there: how it is called, and what makes two checkouts share what it has."""

import os
import shutil
from functools import cache

from mcpi.base.repo import ROOT

# Names below the checkout count as relative ones, and the folder of the compiler does not count.
# The compiler is a script that set-up writes: what is in it counts, not when it was written.
_SHARED = {"CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1", "CCACHE_COMPILERCHECK": "content"}


@cache
def words() -> tuple[str, ...]:
    """Words that go before a compiler's command: ``ccache``, if it is installed."""
    return ("ccache",) if shutil.which("ccache") else ()


def environment() -> dict[str, str]:
    """The environment of a build; what the user has set stays."""
    return {**_SHARED, **os.environ}
