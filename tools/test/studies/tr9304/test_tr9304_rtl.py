# SPDX-License-Identifier: BSD-2-Clause
"""Acceptance (h): runs of the study on the RTL. Every file is the exact engine's, and the oracle
predicts the TLBs, the write-back D-cache and the ticks that the core waits for DMA."""

import dataclasses
import json
from pathlib import Path

import pytest

from mcpi import api
from mcpi.base.errors import RunError
from mcpi.base.progress import Silent
from mcpi.batch.plan import Experiment, Wanted
from mcpi.build import run_folder
from mcpi.engines import simulate, simulated
from mcpi.results import folders
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import EXACT, RTL
from mcpi.studies.tr9304 import plan

PAIRS = {e.part[1]: e for e in plan.pairs(Wanted(), plan.QUICK)}


def on(e: Experiment, engine: str) -> Experiment:
    return dataclasses.replace(e, spec=dataclasses.replace(e.spec, engine=engine))


@pytest.mark.long  # of short runs test_write_back and test_translation_rtl say the same
@pytest.mark.parametrize("structure", plan.SYSTEMS)
def test_engine_rtl_and_oracle_agree(structure: str, tmp_path: Path) -> None:
    for engine in (EXACT, RTL):
        api.perform(on(PAIRS[f"{structure}-0"], engine).spec, tmp_path / engine, Silent())
    said = (tmp_path / RTL / "stderr.txt").read_text()
    assert said.count("comparisons, no difference") == 2
    assert not folders.differences(tmp_path / EXACT, tmp_path / RTL, below=False)
    counted = json.loads((tmp_path / RTL / "counters.json").read_text())["nodes"][0]["all"]
    if structure in ("bsd", "mach"):  # whose copies meet DMA in a run as short as this one
        assert counted["bus.core_waits_dma"] and counted["dcache.dirty_misses"]


@pytest.mark.long
def test_a_machine_whose_dma_is_slower_is_found(tmp_path: Path) -> None:
    """The oracle believes the machine file; the hardware has a longer transaction."""
    e = on(PAIRS["bsd-0"], RTL)
    built = run_folder.build(tmp_path, e.spec, e.machine, Silent())
    request = simulated.request(e.spec, run_jobs.jobs(e.spec)[0], e.machine, tmp_path)
    request[2].extend(["--node", "0:register.bcache.dma_ticks=14"])
    with pytest.raises(RunError, match="oracle: node 0: the counters are not what they should be"):
        simulate.simulate(built.simulator, tmp_path, ".", *request)
    assert "\n  bus.core_waits_dma (all): " in (tmp_path / "stderr.txt").read_text()
