# SPDX-License-Identifier: BSD-2-Clause
"""For which machines a block of the hardware exists, and what it has not."""

from mcpi.base.errors import UserError
from mcpi.machine import caches
from mcpi.machine.profile import Machine

# Machines with TLBs, a write-back D-cache or ways: the blocks that are neither here nor below
# are a node of an FPGA, or are made for one.
SIMULATED = {
    "Node",
    "AlphaLite",
    "AlphaLiteOnFpga",
    "AlphaLiteInRegisters",
    "MemoryBench",
    "CountersSmall",
}
COHERENT = {  # of several cores
    *("CoherentBench", "CoherentCore", "CoherentCounters", "CoherentPacked", "CoherentSmall"),
    *("CoherentNode", "CoherentNodeOnFpga", "CoresInside", "NetlistCores"),
    *("CoherentCoreAlone", "CoherentCountersAlone", "PrivateCacheAlone", "SnoopBusAlone"),
}
GATES = {"NodeInside", "NetlistNode"}  # of a machine with TLBs too (mcpi.engines.rtl.gate_level)
BOARD = "NodeOnBoard"  # stands for all others


def check(block: str, machine: Machine) -> None:
    """UserError for a block that a machine has not."""
    if why := missing(block, machine):
        raise UserError(why)


def missing(block: str, machine: Machine) -> str:
    """Why a machine has not this block, and which machine has; empty: it has it."""
    if block in COHERENT:
        return "" if machine.coherent else _shared(machine)
    if machine.coherent:
        return _private(machine, block not in SIMULATED | GATES)
    if block in SIMULATED:
        return ""
    if machine.parameters["dcache.policy"] == "back":
        return (
            "dcache.policy = back: no node of an FPGA has a write-back D-cache yet; simulated "
            "nodes have."
        )
    if unusual := caches.unusual(machine.parameters):
        return (
            f"{unusual}: the caches of a node of an FPGA are direct-mapped, without victims, so "
            "far; simulated ones need not be."
        )
    if machine.translates and block not in GATES:
        return (
            "core.translation = tlb: no board has a node that translates addresses yet; simulated "
            "ones do, and ./mcpi board netlist simulates its gates."
        )
    return ""


def _shared(machine: Machine) -> str:
    return (
        f"machine {machine.name}: it has no private b-caches. Take one that has, as "
        "challenge-100, or set bcache.private=on."
    )


def _private(machine: Machine, on_board: bool) -> str:
    count = machine.parameters["core.count"]
    said = f"machine {machine.name}: core.count = {count} with bcache.private = on: "
    if not on_board:
        return (
            f"{said}no node on a wire has private b-caches yet; one that runs alone has. Take a "
            "machine of one core, as dec3000-600."
        )
    return (
        f"{said}no board has a node with private b-caches yet. By size two cores fit the ECPIX-5 "
        "with half of its RAM, and one the Colorlight i9 (docs/explanation/synthesis.md, Several "
        "cores). Take a machine of one core, as dec3000-600."
    )
