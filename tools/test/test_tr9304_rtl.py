# SPDX-License-Identifier: BSD-2-Clause
"""Acceptance (h): runs of the study on the RTL. Every file is the exact engine's, and the oracle
predicts the TLBs, the write-back D-cache and the ticks that the core waits for DMA."""

import json
import subprocess
from pathlib import Path

import pytest

from mcpi.base.process import Stop
from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.machine.profile import load
from mcpi.results import folders
from mcpi.spec.run_spec import RTL, RunSpec
from mcpi.studies.tr9304 import on_rtl, plan
from mcpi.studies.tr9304.bench import Bench
from mcpi.studies.tr9304.plan import SMALL, Configuration
from mcpi.studies.tr9304.run import Run


def runs(structure: str, folder: Path) -> dict[str, Run]:
    bench = Bench(plan.QUICK, 1, folder, Stop())
    simulator = graph.simulator(
        RunSpec(machine=plan.MACHINE, engine=RTL), load(plan.MACHINE), Bar()
    )
    return on_rtl.pair(bench, Configuration(structure, SMALL), *simulator)


def finished(run: Run, folder: Path, *more: str) -> subprocess.CompletedProcess:
    return subprocess.run([*run.prepare(folder), *more], capture_output=True, text=True)


@pytest.mark.long  # of short runs test_write_back and test_translation_rtl say the same
@pytest.mark.parametrize("structure", plan.SYSTEMS)
def test_engine_rtl_and_oracle_agree(structure: str, tmp_path: Path) -> None:
    for where, run in runs(structure, tmp_path).items():
        done = finished(run, tmp_path / where)
        assert done.returncode == 0, done.stderr[-3000:]
    assert done.stderr.count("comparisons, no difference") == 2
    assert not folders.differences(tmp_path / "exact", tmp_path / "rtl", below=False)
    counted = json.loads((tmp_path / "rtl" / "counters.json").read_text())["nodes"][0]["all"]
    if structure in ("bsd", "mach"):  # whose copies meet DMA in a run as short as this one
        assert counted["bus.core_waits_dma"] and counted["dcache.dirty_misses"]


@pytest.mark.long
def test_a_machine_whose_dma_is_slower_is_found(tmp_path: Path) -> None:
    """The oracle believes the machine file; the hardware has a longer transaction."""
    run = runs("bsd", tmp_path)["rtl"]
    done = finished(run, tmp_path / "rtl", "--node", "0:register.bcache.dma_ticks=14")
    assert done.returncode == 1
    assert "oracle: node 0: the counters are not what they should be" in done.stderr
    assert "\n  bus.core_waits_dma (all): " in done.stderr
