# SPDX-License-Identifier: BSD-2-Clause
"""Input of a node before it runs: the bytes of its RAM and its host registers.

The simulator does the same in C++ (sim/rtl/node_init.cpp, sim/base/bootparams.cpp); that both
give the same counters is tested (tools/test/engines/board/test_engine.py).
"""

import struct
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.firmware import elf
from mcpi.machine.profile import Machine
from mcpi.spec.run_spec import RunSpec

BOOT_MAGIC = 0x6D43_5049_626F_6F74  # "mCPIboot"
MASK = (1 << 64) - 1
TIMER, WIRE, POLL = 0, 2, 4  # which phase is drawn from a seed
SIMULATORS_SEED = 1  # of phases that no sample changes: mcpi-sim's default


@dataclass(frozen=True)
class Load:
    """Bytes for RAM, those of the images and those of the boot block, and what host registers must
    hold before ``run``."""

    images: list[tuple[int, bytes]]
    boot: tuple[int, bytes]
    registers: dict[int, int]


def phase_from_seed(seed: int, which: int, limit: int) -> int:
    """SplitMix64 of seed and index, below ``limit``."""
    z = (seed * 0x9E3779B97F4A7C15 + which * 0xD1B54A32D192ED03 + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return (z ^ z >> 31) % limit


def station_address(node: int) -> int:
    """08:00:2b:00:00:01 and :02, first wire byte lowest."""
    return 0x0000_002B_0008 | (node + 1) << 40


def ip_address(node: int) -> int:
    """10.0.0.1 and .2, first byte highest."""
    return 0x0A00_0001 + node


def written(node: int) -> tuple[str, str]:
    """IP and station address as people write them."""
    ip, station = ip_address(node).to_bytes(4, "big"), station_address(node).to_bytes(6, "little")
    return ".".join(map(str, ip)), station.hex(":")


def boot_block(machine: Machine, spec: RunSpec, node: int) -> tuple[int, bytes]:
    """Address and bytes of the boot-parameter block (docs/reference/contracts.md 7)."""
    peer = node ^ 1
    fields = {
        "magic": BOOT_MAGIC,
        "version": 1,
        "role": node,
        "mac": station_address(node),
        "peer_mac": station_address(peer),
        "ip": ip_address(node),
        "peer_ip": ip_address(peer),
        "netmask": 0xFFFF_FF00,
        "ram_bytes": machine.parameters["memory.size"],
        "ticks_per_us": machine.parameters["clock.ticks_per_us"],
        "timer_hz": machine.parameters["timer.hz"],
    } | spec.boot()
    layout = machine.memory_map["boot_block"]
    block = bytearray(8 + max(row["offset"] for row in layout.values()))
    for name, row in layout.items():
        struct.pack_into("<Q", block, row["offset"], fields[name])
    return machine.memory_map["ram"]["boot"]["base"], bytes(block)


def parameter(machine: Machine, key: str) -> int:
    """A run-time parameter as its host register holds it."""
    value = machine.parameters[key]
    if key in machine.choices:
        return machine.choices[key].index(value)
    return machine.ticks(key) if key.endswith("_ns") else int(value)


def load(
    machine: Machine,
    names: dict[str, int],
    spec: RunSpec,
    node: int,
    phase: int,
    place: Path,
    events: bool = False,
) -> Load:
    """For node ``node``: files of ``place``, registers by the names of Node.json (``names``).
    ``events``: comparators watch events too."""
    pal = elf.read(place / "pal.elf", machine, "pal")
    own = image(machine, node, place)
    return of_images(machine, names, spec, node, phase, own, pal, events)


def image(machine: Machine, node: int, place: Path) -> elf.Image:
    """The image of node ``node``."""
    peer = place / "peer.elf"
    return elf.read(peer if node and peer.exists() else place / "image.elf", machine)


def of_images(
    machine: Machine,
    names: dict[str, int],
    spec: RunSpec,
    node: int,
    phase: int,
    own: elf.Image,
    pal: elf.Image,
    events: bool = False,
) -> Load:
    """The same of images that have been read."""
    registers = {key: parameter(machine, key) for key in machine.registers}
    registers |= {
        "timer_phase": phase,
        "lance_poll_phase": phase_from_seed(
            SIMULATORS_SEED, POLL + node, machine.ticks("lance.poll_ns")
        ),
        "node_number": node,
        "code_window": machine.memory_map["ram"]["image"]["base"],
        "station_address": station_address(node),
        "lance_heartbeat": 1,
        "autosnapshot": 0,
        "cold_number": 0,
        "measure_from": spec.warmup,
        "measure_to": spec.warmup + spec.round_trips,
    }
    registers |= _comparators(own.watched() if events else own.comparators())
    if missing := sorted(set(registers) - set(names)):
        raise UserError(f"Node.json has no register {missing[0]}; it is another version's.")
    return Load(
        segments(pal, own),
        boot_block(machine, spec, node),
        {names[name]: value for name, value in registers.items()},
    )


def segments(*images: elf.Image) -> list[tuple[int, bytes]]:
    """Address and bytes of all that has any; what must be zero behind it, start-up clears."""
    return [(s.address, s.data) for i in images for s in i.segments if s.data]


def _comparators(markers: list[elf.Marker]) -> dict[str, int]:
    """Registers of the comparators; those that are left over are off."""
    found = {}
    for n in range(elf.COMPARATORS):
        marker = markers[n] if n < len(markers) else elf.Marker(0, 0, 0)
        found[f"comparator.{n}.address"] = marker.address & elf.PHYSICAL
        window = 0 if marker.action == elf.EVENT else marker.window
        found[f"comparator.{n}.action"] = window << 8 | marker.action
    return found
