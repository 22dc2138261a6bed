# SPDX-License-Identifier: BSD-2-Clause
"""Random user programs on translated machines."""

from pathlib import Path

from mcpi.build import graph, models
from mcpi.firmware import images
from mcpi.machine import profile
from sim_support.simulators import build, run
from sim_support.translated_programs import Program

SMALL = {"tlb.data_entries": "4", "tlb.instruction_entries": "4"}
FOUR_KB = {"tlb.page": "4KB", "dcache.size": "4KB"}
MACHINES = {
    "usual": {},
    "small": SMALL,
    "floor": SMALL | {"tlb.refill_floor": "170"},
    "portable": {"tlb.refill": "portable", "tlb.refill_floor": "88"},
    "4 KB": FOUR_KB | SMALL | {"tlb.replacement": "round_robin"},
    "portable, 4 KB": FOUR_KB | SMALL | {"tlb.refill": "portable"},
    "no spaces": {"tlb.asn": "off"},
    "no hints": SMALL | {"tlb.granularity": "off"},
    "large I-cache": {"icache.size": "64KB", "cache.block": "64B", "tlb.asn": "off"},
    "no I-cache": SMALL | {"icache.enable": "off"},
    "predicts": SMALL | {"core.prediction": "ev4"},
}


class Case:
    """A random program on a machine, and PALcode for it."""

    written_by = Program

    def __init__(self, seed: int, name: str, folder: Path) -> None:
        self.folder, self.seed, self.name = folder, seed, name
        machine = profile.load("dec3000-600", {"core.translation": "tlb"} | MACHINES[name])
        self.json = folder / "machine.json"
        self.json.write_text(machine.to_json())
        self.pal = images.build(images.plan(machine, "std", "hello")).pal
        self.program = self.written_by(seed, machine)
        self.elf = self.program.build(folder)
        self.refill = machine.parameters["tlb.refill"]
        self.floor = machine.parameters["tlb.refill_floor"]
        ev4 = machine.parameters["core.prediction"] == "ev4"
        key = "core.mispredict_penalty" if ev4 else "core.taken_penalty"
        self.penalty = machine.parameters[key]

    def on_model(self) -> list[str]:
        """Output of the program on the instruction-set model."""
        words = ["--machine", self.json, "--pal", self.pal, self.elf]
        return run(models.build("mcpi-isa"), *words, text=True).stdout.split()

    def on_engine(self, program: Path, **more) -> tuple[list[str], Path]:
        """On the exact engine; and its log of ticks."""
        log = self.folder / "ticks.csv"
        words = ["--machine", self.json, "--pal", self.pal, "--image", self.elf]
        words += ["--phase", 5000, "--tick-log", log]
        return run(program, *words, text=True, **more).stdout.split(), log

    def different(self, said: list[str]) -> str:
        """The first trap that is not as the page tables say."""
        wanted = self.program.wanted
        for n in range(0, len(wanted), 5):
            if said[n : n + 5] != wanted[n : n + 5]:
                return f"seed {self.seed}, {self.name}, trap {n // 5}: {said[n : n + 5]}"
        return "" if len(said) == len(wanted) else "more than there should be"


def built(name: str) -> graph.Built:
    """The simulator of one of ``MACHINES``."""
    return build({"core.translation": "tlb"} | MACHINES[name])
