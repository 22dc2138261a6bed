# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``rtl``: ``mcpi-sim`` runs every job of a spec (docs/reference/simulator.md)."""

from mcpi.engines.simulated import Simulated
from mcpi.machine.profile import Machine
from mcpi.spec.run_spec import RTL, RunSpec


class Rtl(Simulated):
    """Two Verilated machines and the wire."""

    name = RTL

    def check(self, spec: RunSpec, machine: Machine) -> None:
        machine.check_pair()


ENGINE = Rtl()
