# SPDX-License-Identifier: BSD-2-Clause
"""libFuzzer on the protocols (fuzzing.md): 2500 runs, 600,000 with ./mcpi test --all
(hours; build/fuzz/long/log says how far it is); and a machine that lives through all inputs.

By number of runs, not by time: what comes out does not depend on the machine's speed. (libFuzzer
reads its corpus again every second unless it is told not to.)
MCPI_FUZZ_RUNS and MCPI_FUZZ_SEED change how many and which.
"""

import itertools
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from firmware_support.fuzz_coverage import Covered, by_protocol, measure, show
from firmware_support.host_build import (
    ROOT,
    fuzz_replay,
    fuzz_replay_bsd,
    fuzz_replay_fast,
    fuzz_replay_net2,
    libfuzzer,
    run,
)

from mcpi.base.process import heard
from mcpi.base.repo import BUILD

RUNS = {"short": 2500, "long": 600_000}
# Percent of lines and of branches that a run and its seeds must reach; 2500 runs give 2 to 4 more.
# VNET has a way without ARP, which this graph never takes; no frame goes to all stations and to us
# alone (ip_broadcast_by_ethernet_alone does).
FLOOR = {
    "arp": (86, 73),
    "bid": (85, 64),
    "bidctl": (82, 69),
    "blast": (87, 74),
    "chan": (82, 63),
    "eth": (83, 65),
    "fragment": (87, 79),
    "icmp": (86, 66),
    "ip": (90, 74),
    "keepalive": (89, 66),
    "mselect": (78, 71),
    "tcp": (81, 68),
    "udp": (92, 75),
    "vchan": (84, 72),
    "vnet": (62, 43),
}
PARALLEL = {"fddi", "mpdriver"}  # of graphs that no fuzzed machine has; test_smp.py has theirs
# Inputs to the machine that lives on, and how much must have happened: fuzzing.md.
LIVE = {"short": {"tcp": 4000, "rpc": 1500}, "long": {"tcp": 300_000, "rpc": 100_000}}
LARGEST = 2 + 48 * 16  # a program: fuzz/fuzz.h


def environment() -> dict[str, str]:
    """Leaks are looked for by patient programs, not at every exit."""
    return {**os.environ, "ASAN_OPTIONS": "leak_check_at_exit=0"}


def grow(folder: Path, runs: int, seed: int) -> str:
    """Run it; what it counted. A finding fails, with the line that shows it again."""
    shutil.rmtree(folder, ignore_errors=True)
    for place in ("corpus", "seeds"):
        (folder / place).mkdir(parents=True)
    run([fuzz_replay(), "--seeds", folder / "seeds"])
    words = [
        libfuzzer(),
        f"-runs={runs}",
        f"-seed={seed}",
        f"-max_len={LARGEST}",
        "-timeout=120",
        "-detect_leaks=0",
        "-reload=0",
    ]
    words += [f"-artifact_prefix={folder}/", "-print_final_stats=1", folder / "corpus"]
    words = [str(w) for w in [*words, folder / "seeds"]]
    with (folder / "log").open("w") as log:
        done = subprocess.run(words, stdout=log, stderr=log, env=environment(), check=False)
    output = (folder / "log").read_text()
    if done.returncode:
        found = next(folder.glob("crash-*"), None) or next(folder.glob("timeout-*"), "?")
        again = f"again: {fuzz_replay().relative_to(ROOT)} --once {found}"
        said = [x for x in output.splitlines() if not re.match(r"#\d+\s|INFO", x)]
        raise AssertionError("\n".join([*said[:60], again]))
    return output


def below(protocol: str, covered: Covered) -> bool:
    lines, branches = FLOOR[protocol]
    few = 100 * covered.lines_run < lines * covered.lines
    return few or 100 * covered.branches_taken < branches * covered.branches


@pytest.mark.parametrize("length", ["short", pytest.param("long", marks=pytest.mark.long)])
def test_fuzz(length: str) -> None:
    runs = int(os.environ.get("MCPI_FUZZ_RUNS", RUNS[length]))
    seed = int(os.environ.get("MCPI_FUZZ_SEED", "1"))
    folder = BUILD / "fuzz" / length
    fuzz_replay()  # what a finding is shown with
    said = grow(folder, runs, seed)
    executed = int(re.search(r"number_of_executed_units: (\d+)", said)[1])
    kept = int(re.search(r"new_units_added:\s+(\d+)", said)[1])
    print(f"{executed} executions, seed {seed}, {kept} inputs kept, no finding")
    assert executed >= runs and kept > min(runs, 1000) / 20
    files = measure([p for part in ("corpus", "seeds") for p in sorted((folder / part).iterdir())])
    show(files)
    protocols = by_protocol(files)
    assert protocols.keys() - PARALLEL == FLOOR.keys()
    short = [f"{name}: {protocols[name]}" for name in FLOOR if below(name, protocols[name])]
    assert not short, f"below {FLOOR}: {short}"


def empty_bins(said: str) -> list[str]:
    """Free choices of the generator that were never taken (fuzz/bins.h)."""
    bins = dict(re.findall(r"^bin (.+) (\d+)$", said, re.M))
    assert bins, "no bin is printed"
    return [name for name, hits in bins.items() if not int(hits)]


VERSIONS = {"general": fuzz_replay, "fast": fuzz_replay_fast, "net2": fuzz_replay_net2}
VERSIONS |= {"bsd": fuzz_replay_bsd}
RUN_VERSIONS = [*itertools.product(["tcp", "rpc"], ["general", "fast"])]
RUN_VERSIONS += [("tcp", "net2"), ("tcp", "bsd")]


@pytest.mark.parametrize("length", ["short", pytest.param("long", marks=pytest.mark.long)])
@pytest.mark.parametrize("stack, version", RUN_VERSIONS)
def test_living_machine(stack: str, version: str, length: str) -> None:
    """A machine lives through all inputs; its invariants are checked after each event. `fast`: with
    the fast paths; `net2`: with the two switches of Net/2; `bsd`: the production stack. No bin of a
    long run is empty."""
    replay = VERSIONS[version]
    inputs = int(os.environ.get("MCPI_FUZZ_RUNS", LIVE[length][stack]))
    seed = os.environ.get("MCPI_FUZZ_SEED", "1")
    words = [str(w) for w in (replay(), "--live", stack, seed, inputs)]
    done = heard(words, env=environment())
    again = f"in {Path(words[0]).relative_to(ROOT).parent}"
    assert done.returncode == 0, f"{done.stderr}{done.stdout}{again}"
    print(done.stdout, end="")
    empty = empty_bins(done.stdout)
    assert length == "short" or not empty, f"never chosen: {empty}"
    _, connections, at_a_time, calls, _ = (
        int(n) for n in re.findall(r"(\d+) (?:segments|connections|at|calls|executed)", done.stdout)
    )
    if stack == "tcp":
        assert connections > inputs / 10 and at_a_time >= 40
    else:
        assert calls > inputs / 20


def test_seeds_on_the_production_stack(tmp_path: Path) -> None:
    """Every seed, and so every old finding; with TCP's ones each allocation fails in its turn."""
    run([fuzz_replay_bsd(), "--seeds", tmp_path])
    seeds = sorted(tmp_path.iterdir())
    run([fuzz_replay_bsd(), "--replay", *seeds], env=environment())
    tcp = [p for p in seeds if p.read_bytes()[0] % 6 < 3]
    assert len(tcp) > 10
    run([fuzz_replay_bsd(), "--refuse", *tcp], env=environment())
