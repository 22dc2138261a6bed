#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Savings of each step of version FAST (docs/explanation/fastpath.md), one after the other.

PYTHONPATH=tools python3 bench/fast_steps.py [tcp|rpc]

Ticks of one invocation of the client's path by owner; T_p of both ends and the round trip (T_e) in
µs; ticks of a round trip in which each machine is not idle, interrupts included (busy). On the
exact engine.
"""

import json
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from mcpi import api

SWITCHES = ("XK_FAST_IN", "XK_FAST_OUT", "XK_FAST_USER", "XK_FAST_RING")
STACKS = {"tcp": SWITCHES, "rpc": (*SWITCHES, "XK_FAST_TIMER")}
OWNERS = {
    "issue": ("issue",),
    "I-cache": ("i_demand", "i_stream", "refill_restart"),
    "taken": ("taken_bubble",),
    "data": ("load_use", "d_miss", "memory_port", "write_buffer_full"),
}
TITLES = (*OWNERS, "other", "ticks", "T_p", "server", "T_e", "busy", "busy")
TIMES = ("T_p", "server", "T_e")
WIDTHS = (7, 8, 7, 7, 7, 8, 6, 8, 7, 8, 8)


def rows(stack: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Variant and definitions; a switch that the stack does not have is off in none."""
    switches = STACKS[stack]
    steps = {
        f"+ {switch}": ("flat", tuple(f"{off}=0" for off in switches[n:]))
        for n, switch in enumerate(switches, 1)
    }
    return {"ALL": ("all", ()), "OUT": ("out", ()), **steps, "cloned: FAST": ("fast", ())}


def figures(result: dict) -> list[float]:
    path, server = (result["steady"][side] for side in ("client", "server"))
    trips = result["round_trip"]["round_trips"]
    owned = [sum(path["owners"][o] for o in names) for names in OWNERS.values()]
    ticks = [*owned, path["ticks"] - sum(owned), path["ticks"]]
    times = [path["time_us"], server["time_us"], result["round_trip"]["mean_us"]]
    nodes = [result["nodes"][side] for side in ("client", "server")]
    return [*ticks, *times, *((n["ticks"] - n["idle"]) / trips for n in nodes)]


def cells(row: list[float]) -> list[str]:
    return [f"{n:,.1f}" if title in TIMES else f"{n:,.0f}" for title, n in zip(TITLES, row)]


def line(title: str, row: Iterable[str]) -> str:
    return f"{title:14}" + "".join(f"{c:>{w}}" for c, w in zip(row, WIDTHS, strict=True))


def measured(stack: str, variant: str, defines: tuple[str, ...]) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "run"
        # RPC's server is the version's own, and has all its steps.
        peer = variant if stack == "rpc" else ""
        words = {"stack": stack, "variant": variant, "peer_variant": peer, "defines": defines}
        api.run(**words, engine="exact", out=place)
        return figures(json.loads((place / "result.json").read_text()))


def main() -> None:
    words = sys.argv[1:]
    stack = next(iter(words), "tcp")
    if stack not in STACKS:
        raise SystemExit(f"no stack {stack}: {' or '.join(STACKS)}")
    print(line("", TITLES))
    for title, what in rows(stack).items():
        print(line(title, cells(measured(stack, *what))), flush=True)


if __name__ == "__main__":
    main()
