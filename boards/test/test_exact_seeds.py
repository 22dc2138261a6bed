# SPDX-License-Identifier: BSD-2-Clause
"""Two whole boards at their pins in exact time, as ``./mcpi board simulate --exact-time`` runs
them, against the simulators, file by file: clocks, phases, the cable's latency and what it loses by
seed.

``MCPI_EXACT_SEEDS`` names the seeds of each stack and variant: 100, the first hundred, or 26-50.
Those that have passed are kept in ``build/exact-seeds/`` and do not run again on the same program
and images, so a test that was interrupted goes on. Without that folder all run again.
"""

import csv
import dataclasses
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mcpi.base.repo import BUILD
from mcpi.build import graph, run_folder
from mcpi.engines import simulate
from mcpi.engines.board import against_exact, cabled, record, session
from mcpi.engines.rtl.substitute import IN_CLOCKS
from mcpi.hdl import cocotb_run
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

SEEDS = os.environ.get("MCPI_EXACT_SEEDS", "1")
CASES = [(stack, variant) for stack in ("tcp", "rpc") for variant in ("std", "all")]
LATENCY_US, LOSS = 100, 0.01


@dataclasses.dataclass(frozen=True)
class Brisk(RunSpec):
    """A run whose guests take each interrupt of their timer for eight. So they wait an eighth as
    long before the first frame and after the last, in which nothing is sent."""

    def boot(self) -> dict[str, int]:
        return super().boot() | {"timer_hz": self.check().parameters["timer.hz"] // 8}


def spec(stack: str, variant: str, **more) -> RunSpec:
    """Two round trips, of which the second is measured. Of the first seeds, which draw the timers'
    first interrupts, 2 is the one whose guests wait least."""
    record = cabled.spec_of("dec3000-600", {}, stack, variant)
    return Brisk(**vars(record) | {"round_trips": 1, "warmup": 1, "seed": 2} | more)


def simulated(record: RunSpec, place: Path) -> Path:
    """Files of a simulator, which measures as a board does if it is mcpi-sim."""
    machine, words = record.check(), []
    built = graph.build(record, machine)
    run_folder.prepare(place, record, machine, built, [run_jobs.Job(1, run_jobs.REAL)])
    if record.engine == RTL:
        words = ["--measure-by-registers"]
        for node in (0, 1):
            last = record.warmup + record.round_trips
            words += ["--node", f"{node}:register.measure_from={record.warmup}"]
            words += ["--node", f"{node}:register.measure_to={last}"]
    phases = run_jobs.phases_of(record.seed, 1, machine)
    words = simulate.command(built.simulator, place, ".", record, phases, words)
    subprocess.run(words, cwd=place, check=True, capture_output=True)
    return place


def on_boards(program: Path, record: RunSpec, place: Path, seed: int, **cable: float) -> Path:
    """Files of two boards."""
    pins, machine = place.with_name(f"{place.name}-pins"), record.check()
    pins.mkdir(parents=True)
    cabled.embed(record, machine, pins)
    arguments = cabled.words(pins, seed, **cable)
    with (pins / "said").open("w") as said:
        child = cabled.started(
            program, pins, arguments, stdin=subprocess.PIPE, stderr=said, text=True
        )
        try:
            ports = tuple(str(pins / f"serial.{n}") for n in (0, 1))
            while "ready" not in (pins / "said").read_text():
                assert child.poll() is None
            record = dataclasses.replace(record, ports=ports)
            run_folder.prepare(
                place, record, machine, graph.build(record), [run_jobs.Job(1, run_jobs.REAL)]
            )
            node = cocotb_run.elaborate("BoardBench").with_name("Node.json")
            (place / "Node.json").write_text(node.read_text())
            phases = run_jobs.phases_of(record.seed, 1, machine)
            session.run(place, ".", record, phases, lambda *_: None)
        finally:
            child.kill()
            child.wait()
    return place


@pytest.fixture(scope="module")
def program() -> Path:
    return cabled.built("dec3000-600", {})


def different(ours: Path, sim: Path) -> list[str]:
    """All counters of both banks but those in clocks, to the tick."""
    both = [json.loads((place / "counters.json").read_text())["nodes"] for place in (ours, sim)]
    return [
        f"node {n} {bank}.{name}: {here[bank][name]}, {value}"
        for n, (here, there) in enumerate(zip(*both, strict=True))
        for bank in ("all", "path")
        for name, value in there[bank].items()
        if name not in IN_CLOCKS and here[bank][name] != value
    ]


def chosen(words: str) -> range:
    """The seeds that ``MCPI_EXACT_SEEDS`` names."""
    first, dash, last = words.rpartition("-")
    return range(int(first) if dash else 1, int(last) + 1)


@pytest.mark.parametrize(
    ("words", "seeds"), [("1", [1]), ("3", [1, 2, 3]), ("26-28", [26, 27, 28]), ("7-7", [7])]
)
def test_seeds_are_named(words, seeds):
    assert [*chosen(words)] == seeds


class Kept:
    """Seeds of a stack and variant that have passed, with the shares of clocks in which client and
    server waited, and the first one's counters."""

    def __init__(self, program: Path, stack: str, variant: str, exact: Path) -> None:
        built = graph.build(spec(stack, variant))
        parts = [program, built.image, built.peer or built.image, built.pal]
        parts += [exact / name for name in against_exact.compared(exact)]
        whole = b"\0".join(part.read_bytes() for part in parts)
        name = f"{stack}-{variant}-{hashlib.sha256(whole).hexdigest()[:16]}"
        self.folder = BUILD / "exact-seeds" / name
        self.one_image = built.peer is None

    def seeds(self) -> set[int]:
        file = self.folder / "passed.csv"
        if not file.exists():
            return set()
        with file.open(newline="") as stream:
            return {int(row[0]) for row in csv.reader(stream)}

    def add(self, seed: int, shares: list[float], ours: Path) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / "counters.json").exists():
            shutil.copy(ours / "counters.json", self.folder)
        with (self.folder / "passed.csv").open("a") as stream:
            stream.write(f"{seed},{shares[0]:.4f},{shares[1]:.4f}\n")


def passes(program: Path, kept: Kept, exact: Path, ours: Path, case: tuple[str, str, int]) -> None:
    """Run a seed, whose files must be engine exact's, and whose counters those of other seeds."""
    stack, variant, seed = case
    on_boards(program, spec(stack, variant), ours, seed, latency_us=LATENCY_US, loss=LOSS)
    about = json.loads((ours / "boards.json").read_text())["boards"]
    nodes = json.loads((ours / "counters.json").read_text())["nodes"]
    shares, host = (
        [one[name] / node["all"]["clocks"] for one, node in zip(about, nodes, strict=True)]
        for name in ("waits", "host_waits")
    )
    assert all((ours / name).is_file() for name in record.FILES)
    found = [*against_exact.differences(ours, exact).items()]
    found += different(ours, kept.folder) if kept.seeds() else []
    said = f"{stack} {variant} seed {seed}: {len(found)} differ; waits {shares}, host {host}"
    print(said, flush=True)
    assert not found, (seed, found[:5])
    assert [bool(one["embedded"]) for one in about] == [True, kept.one_image], about
    kept.add(seed, shares, ours)


@pytest.mark.long
@pytest.mark.parametrize(("stack", "variant"), CASES)
def test_every_seed_is_engine_exacts(tmp_path, program, stack, variant):
    exact = simulated(spec(stack, variant, engine=EXACT), tmp_path / "exact")
    kept = Kept(program, stack, variant, exact)
    print(f"{stack} {variant}: {len(kept.seeds())} seeds have passed before", flush=True)
    for seed in sorted({*chosen(SEEDS)} - kept.seeds()):
        passes(program, kept, exact, tmp_path / f"boards{seed}", (stack, variant, seed))


@pytest.mark.long
@pytest.mark.parametrize(("stack", "variant"), CASES)
def test_counters_are_the_rtls(tmp_path, program, stack, variant):
    """Outside of the paths too. All seeds have the same counters, so a seed stands for all."""
    exact = simulated(spec(stack, variant, engine=EXACT), tmp_path / "exact")
    kept = Kept(program, stack, variant, exact)
    if not kept.seeds():
        passes(program, kept, exact, tmp_path / "boards", (stack, variant, 1))
    sim = simulated(spec(stack, variant, engine=RTL), tmp_path / "sim")
    assert not different(kept.folder, sim)
