# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``exact``: ``mcpi-exact`` runs every job of a spec (docs/explanation/exact-engine.md)."""

from mcpi.base.errors import UserError
from mcpi.engines.simulated import Simulated
from mcpi.machine.profile import Machine
from mcpi.spec.run_spec import EXACT
from mcpi.spec.spec import Spec

LEAST_POLL = 50_000  # ns; sim/exact/node/node.cpp


class Exact(Simulated):
    """Two machines and the wire, executed; it does what engine ``rtl`` does, or refuses it."""

    name = EXACT

    def check(self, spec: Spec, machine: Machine) -> None:
        super().check(spec, machine)
        if spec.recording and machine.parameters["memory.ideal"]:
            raise UserError(
                "memory.ideal = on: each block comes in the tick that wants it, and no recording "
                "follows it. A profile without a report, and --report mix, want none."
            )
        if not machine.coherent and machine.parameters["lance.poll_ns"] < LEAST_POLL:
            raise UserError(
                f"lance.poll_ns {machine.parameters['lance.poll_ns']}: the exact engine wants "
                f"{LEAST_POLL} or more; use --engine rtl."
            )


ENGINE = Exact()
