# SPDX-License-Identifier: BSD-2-Clause
"""Two whole boards at their pins in exact time, as ``./mcpi board simulate --exact-time`` runs
them, against the simulators, file by file: clocks, phases, the cable's latency and what it loses by
seed.

``MCPI_EXACT_SEEDS`` is how many seeds each stack and variant has; 100 take some hours. A seed that
has passed is noted in ``build/exact-seeds/`` and does not run again on the same program, images and
simulators' counters, so a test that was interrupted goes on.
"""

import csv
import dataclasses
import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest

from mcpi.api import first_light
from mcpi.base.repo import BUILD
from mcpi.build import graph, run_folder
from mcpi.engines import simulate
from mcpi.engines.board import cabled, record, session
from mcpi.engines.rtl.substitute import IN_CLOCKS
from mcpi.hdl import cocotb_run
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

SEEDS = int(os.environ.get("MCPI_EXACT_SEEDS", "1"))
CASES = [(stack, variant) for stack in ("tcp", "rpc") for variant in ("std", "all")]
LATENCY_US, LOSS = 100, 0.01


def spec(stack: str, variant: str, **more) -> RunSpec:
    record = cabled.spec_of("dec3000-600", {}, stack, variant)
    return dataclasses.replace(record, round_trips=2, warmup=1, **more)


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


def notes(program: Path, stack: str, variant: str, references: list[Path]) -> Path:
    """The file of the seeds that have passed: a line for each, with the shares of clocks in which
    client and server waited."""
    built = graph.build(spec(stack, variant))
    parts = [program, built.image, built.pal, *(place / "counters.json" for place in references)]
    digest = hashlib.sha256(b"\0".join(part.read_bytes() for part in parts)).hexdigest()[:16]
    return BUILD / "exact-seeds" / f"{stack}-{variant}-{digest}.csv"


def noted(file: Path) -> set[int]:
    """The seeds in it."""
    if not file.exists():
        return set()
    with file.open(newline="") as stream:
        return {int(row[0]) for row in csv.reader(stream)}


@pytest.mark.long
@pytest.mark.parametrize(("stack", "variant"), CASES)
def test_every_seed_is_the_simulators(tmp_path, program, stack, variant):
    sim = simulated(spec(stack, variant, engine=RTL), tmp_path / "sim")
    exact = simulated(spec(stack, variant, engine=EXACT), tmp_path / "exact")
    file = notes(program, stack, variant, [sim, exact])
    file.parent.mkdir(parents=True, exist_ok=True)
    there, one_image = noted(file), graph.build(spec(stack, variant)).peer is None
    print(f"{stack} {variant}: {len(there)} seeds have passed before", flush=True)
    for seed in [seed for seed in range(1, SEEDS + 1) if seed not in there]:
        ours = on_boards(
            program,
            spec(stack, variant),
            tmp_path / f"boards{seed}",
            seed,
            latency_us=LATENCY_US,
            loss=LOSS,
        )
        about = json.loads((ours / "boards.json").read_text())["boards"]
        clocks = [
            node["all"]["clocks"]
            for node in json.loads((ours / "counters.json").read_text())["nodes"]
        ]
        shares, host = (
            [one[name] / of for one, of in zip(about, clocks, strict=True)]
            for name in ("waits", "host_waits")
        )
        assert all((ours / name).is_file() for name in record.FILES)
        found = different(ours, sim) + first_light.differences(ours, exact)
        said = f"{stack} {variant} seed {seed}: {len(found)} differ; waits {shares}, host {host}"
        print(said, flush=True)
        assert not found, (seed, found[:5])
        assert [bool(one["embedded"]) for one in about] == [True, one_image], about
        with file.open("a") as stream:
            stream.write(f"{seed},{shares[0]:.4f},{shares[1]:.4f}\n")
