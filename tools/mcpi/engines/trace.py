# SPDX-License-Identifier: BSD-2-Clause
"""A short run whose client path is traced, by instruction and by tick; kept until it is stale.

Engine ``exact`` runs it, or ``rtl`` where the machine is none of its.
"""

import hashlib
import shutil
from contextlib import nullcontext
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.file_lock import hold
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import graph, run_folder
from mcpi.engines import base as engines
from mcpi.engines import simulate
from mcpi.machine.profile import load
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

WARMUP = 20  # round trips, so that connection, caches and pools are as they stay
TRACED = 4


def spec(
    stack: str,
    variant: str,
    machine: str,
    settings: dict[str, str],
    server: bool = False,
    layout: str = RunSpec.layout,
    round_trips: int = TRACED,
    defines: tuple[str, ...] = (),
) -> RunSpec:
    """The spec of the run behind a trace."""
    return RunSpec(
        engine=_engine(machine, settings),
        machine=machine,
        settings=settings,
        stack=stack,
        variant=variant,
        layout=layout,
        warmup=WARMUP,
        round_trips=round_trips,
        peer_variant=variant if server else "",
        defines=defines,
    )


def _engine(machine: str, settings: dict[str, str]) -> str:
    """The exact engine, unless it has not what this machine has: both leave the same trace."""
    try:
        engines.of(EXACT).check(RunSpec(), load(machine, settings))
    except UserError:
        return RTL
    return EXACT


def traced(
    stack: str,
    variant: str,
    machine: str,
    settings: dict[str, str],
    server: bool = False,
    bar: Bar | None = None,
    layout: str = RunSpec.layout,
    round_trips: int = TRACED,
    defines: tuple[str, ...] = (),
) -> Path:
    """A folder with ``trace.csv`` and ``ticks.csv`` (simulator.md) of the client, ``image.elf``
    and, for variants that clone, ``image.json``. Only what is not there yet is simulated.
    ``server``: the server's trace and image instead, both machines of this variant.
    """
    wanted = spec(stack, variant, machine, settings, server, layout, round_trips, defines)
    resolved = engines.judged(wanted)
    with nullcontext(bar) if bar else Bar() as bar:
        built = graph.build(wanted, resolved, bar)
        parts = [built.image.read_bytes(), (built.peer or built.image).read_bytes()]
        parts += [resolved.to_json().encode(), built.simulator.read_bytes()]
        name = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
        side = "-server" if server else ""
        more = "" if round_trips == TRACED else f"-{round_trips}"
        place = BUILD / "traces" / f"{wanted.title}{side}{more}-{name}"
        with hold(place.with_suffix(".lock"), f"traces {wanted.title}"):
            if all((place / name).exists() for name in ("trace.csv", "ticks.csv")):
                return place
            shutil.rmtree(place, ignore_errors=True)
            stage = place.with_suffix(".new")
            shutil.rmtree(stage, ignore_errors=True)
            run_folder.prepare(stage, wanted, resolved, built)
            phases = run_jobs.phases_of(wanted.seed, 1, resolved)
            node = str(int(server))
            options = ["--trace", node, "--tick-log", node, "--no-oracle"]
            with bar.task(f"trace of {stack} {variant}", wanted.steps) as update:
                words = (built.simulator, stage, ".", wanted, phases, options)
                simulate.simulate(*words, update=update)
            if server and built.peer:
                shutil.copyfile(built.peer, stage / "image.elf")
            stage.rename(place)
    return place
