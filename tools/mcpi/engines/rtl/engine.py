# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``rtl``: ``mcpi-sim`` runs every job of a spec (docs/reference/simulator.md), and
``mcpi-cores`` a node of several cores."""

from mcpi.base.errors import UserError
from mcpi.engines.simulated import Simulated
from mcpi.machine.profile import Machine
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.run_spec import RTL
from mcpi.spec.spec import Spec


class Rtl(Simulated):
    """Verilated machines and the wire."""

    name = RTL

    def check(self, spec: Spec, machine: Machine) -> None:
        super().check(spec, machine)
        if spec.recording:
            raise UserError(
                "engine rtl does not record which blocks its caches miss; leave --engine out. The "
                "exact engine has the same misses, in the same ticks."
            )
        for log in ("evictions", "locks"):
            if isinstance(spec, NodeSpec) and getattr(spec, log):
                raise UserError(f"{spec.title}: engine rtl has no log of {log}; engine exact has.")


ENGINE = Rtl()
