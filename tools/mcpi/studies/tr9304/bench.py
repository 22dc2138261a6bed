# SPDX-License-Identifier: BSD-2-Clause
"""What all runs of the study share: where they are, the engine, the images that are built."""

from dataclasses import dataclass
from pathlib import Path

from mcpi.base.process import Stop
from mcpi.build import models
from mcpi.firmware import images
from mcpi.firmware.images import Plan
from mcpi.machine.profile import Machine, load
from mcpi.studies.tr9304.plan import MACHINE, Configuration
from mcpi.studies.tr9304.run import Run
from mcpi.study.plan import Extent


@dataclass
class Bench:
    """What all runs share."""

    extent: Extent
    seed: int
    out: Path
    stop: Stop

    def __post_init__(self) -> None:
        self.engine = models.build("mcpi-exact")

    def runs(self, c: Configuration, boots: int, messages: int) -> list[Run]:
        """Builds their images."""
        machine = load(MACHINE, c.settings)
        how = machine, self.images(c, machine), self.engine, messages
        return [Run(c, *how, self.seed + n) for n in range(boots)]

    def images(self, c: Configuration, machine: Machine) -> tuple[Plan, Plan]:
        """The receiver's, and of a machine that says nothing."""
        stack = f"udprecv-{c.structure}"
        receiver = images.build(images.plan(machine, "std", stack, c.switches))
        return receiver, images.build(images.plan(machine, "std", "hello"))

    def done(self, run: Run) -> dict:
        return run.done(self.out / "runs", self.stop)

    def drops(self, c: Configuration) -> bool:
        """Whether one boot loses a message of it."""
        [run] = self.runs(c, 1, self.extent.round_trips)
        found = self.done(run)
        return found["received"] < found["offered"]
