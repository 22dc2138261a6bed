# SPDX-License-Identifier: BSD-2-Clause
"""The simulator of a translated machine."""

from mcpi.build import graph
from sim_support.simulators import build
from sim_support.translated_cases import MACHINES


def built(name: str) -> graph.Built:
    return build({"core.translation": "tlb"} | MACHINES[name])
