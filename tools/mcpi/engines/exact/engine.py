# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``exact``: ``mcpi-exact`` runs every job of a spec (docs/explanation/exact-engine.md)."""

from mcpi.base.errors import UserError
from mcpi.engines.simulated import Simulated
from mcpi.machine.profile import Machine
from mcpi.spec.run_spec import EXACT, RunSpec


class Exact(Simulated):
    """Two machines and the wire, executed; it does what engine ``rtl`` does, or refuses it."""

    name = EXACT

    def check(self, spec: RunSpec, machine: Machine) -> None:
        for option, given in (("--cold", spec.cold), ("--tick-log", spec.tick_log)):
            if given and machine.parameters["memory.ideal"]:
                raise UserError(
                    f"{option}: the exact engine does not have it with memory.ideal; use "
                    "--engine rtl."
                )


ENGINE = Exact()
