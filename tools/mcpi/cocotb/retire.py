# SPDX-License-Identifier: BSD-2-Clause
"""The retire port: what each instruction did, in program order (docs/reference/contracts.md)."""

from dataclasses import dataclass


@dataclass
class Retired:
    """A retired instruction, or a trap (``trap`` is its vector)."""

    pc: int
    instruction: int = 0
    register: int | None = None
    value: int = 0
    store: bool | None = None  # no memory access: None
    address: int = 0
    store_data: int = 0
    trap: int | None = None
    i_miss: bool = False
    d_miss: bool = False


def at(dut, prefix: str = "retire") -> list[Retired]:
    """Retirements of this tick, in order: nothing, an instruction, a trap, or an instruction and a
    trap."""
    found = []
    if int(getattr(dut, f"{prefix}_retired_valid").value):
        found.append(_retired(dut, f"{prefix}_retired_payload_"))
    if int(getattr(dut, f"{prefix}_trapped_valid").value):
        trapped = f"{prefix}_trapped_payload_"
        pc = int(getattr(dut, f"{trapped}exceptionAddress").value)
        found.append(Retired(pc, trap=int(getattr(dut, f"{trapped}vector").value)))
    return found


def _retired(dut, prefix: str) -> Retired:
    def get(name: str) -> int:
        return int(getattr(dut, prefix + name).value)

    r = Retired(get("pc"), get("instruction"))
    if get("writes"):
        r.register, r.value = get("register"), get("value")
    if get("memory"):
        r.store, r.address = bool(get("store")), get("address")
        r.store_data = get("storeData")
    r.i_miss, r.d_miss = bool(get("iMiss")), bool(get("dMiss"))
    return r
