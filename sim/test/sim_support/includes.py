# SPDX-License-Identifier: BSD-2-Clause
"""Files of sim/ and their includes."""

import re
from pathlib import Path

from sim_support.simulators import SIM

INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
GENERATED = re.compile(r"V[A-Z]\w*\.h|verilated\.h|machines/\w+\.h")


def includes() -> dict[Path, set[Path]]:
    """By file, below sim/; generated headers and the debugger's guest programs are left out."""
    found = {}
    for path in sorted(p for p in SIM.rglob("*") if p.suffix in (".c", ".cpp", ".h")):
        if path.suffix == ".c" and SIM / "test" in path.parents:
            continue  # Guest program: its includes are firmware's.
        file = path.relative_to(SIM)
        names = [n for n in INCLUDE.findall(path.read_text()) if not GENERATED.fullmatch(n)]
        places = [next(p for p in (path.parent / n, SIM / n) if p.exists()) for n in names]
        found[file] = {place.relative_to(SIM) for place in places}
    return found
