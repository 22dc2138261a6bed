# SPDX-License-Identifier: BSD-2-Clause
"""Runs of two nodes on both engines."""

from pathlib import Path

from mcpi.build import graph, models
from sim_support.simulators import build, machine_json, simulate

IDEAL = {"memory.ideal": "on"}
EV4 = {"core.prediction": "ev4", "core.predicted_penalty": "3", "core.mispredict_penalty": "6"}
OFF = {"icache.prefetch": "off", "dcache.enable": "off", "write_buffer.enable": "off"}


def words(stack: str, seed: int, round_trips: int = 3) -> list[str]:
    boot = {"stack": ("tcp", "rpc").index(stack), "round_trips": round_trips, "warmup": 2}
    items = [f"{n}:boot.{key}={value}" for n in (0, 1) for key, value in boot.items()]
    return [*(word for item in items for word in ("--node", item)), "--seed", str(seed), "--spells"]


def images(
    stack: str, variant: str = "std", settings: dict[str, str] | None = None, **more
) -> graph.Built:
    return build(settings, stack=stack, variant=variant, **more)


def both(
    built: graph.Built,
    folder: Path,
    *options: object,
    settings: dict[str, str] | None = None,
    wrong: dict[str, str] | None = None,
    ends: tuple[int, str] = (0, ""),
    items: tuple[str, ...] = (),
) -> tuple[Path, Path]:
    """The folders of RTL and exact engine. `wrong`: what only the engine's machine says; `ends`:
    with which status, and last line."""
    machine = machine_json(folder, settings)
    for name in ("rtl", "exact"):
        program = models.build("mcpi-exact") if name == "exact" else None
        more = [] if "--cold" in options or program else ["--no-lockstep", "--no-oracle"]
        if program and wrong:
            machine = machine_json(folder, (settings or {}) | wrong)
        done = simulate(
            built, folder / name, machine, *options, *more, items=items, program=program
        )
        if not wrong:
            assert done.returncode == ends[0], done.stderr
            assert done.stderr.splitlines()[-1].endswith(ends[1])
    return folder / "rtl", folder / "exact"
