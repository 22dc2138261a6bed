# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the sheet through the part's buses: all scenarios (docs/sources/lance.md 5) of which the
part has something, at 10 Mb/s. ``OTHERWISE`` has the others, with the reason.

One row alone: ``ROW="five collisions" ./mcpi python -m pytest
lance-ip/test/parts/test_part_sheet.py``.
"""

import os
import re

import cocotb
import pytest
from cocotb.task import bridge
from lance_support import sheet_init, sheet_receive, sheet_registers, sheet_transmit
from lance_support.axi_bench import AXI4
from lance_support.part_bench import WISHBONE, Part
from lance_support.part_sheet import MHZ, NibbleMii, PartRunner
from lance_support.sheet_row import Row

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import MACHINE, Wanted
from verify.long_tests import sampled

ALL = [*sheet_registers.ROWS, *sheet_init.ROWS, *sheet_transmit.ROWS, *sheet_receive.ROWS]
# Scenarios that no row shows of the part, and why.
OTHERWISE = {
    27: "the part has no window for the heartbeat, and so no CERR",
    42: "gaps in memory are the IOASIC's",
    43: "ROMs are a TURBOchannel's (test_turbochannel.py)",
    44: "the part's own times are in latencies.csv (test_part_latencies.py)",
}
# Rows of the usual run; the others show the same of the bus.
FEW = ("INIT", "a chain of two", "one collision", "more frames than buffers")
BUS, ROW = os.environ.get("MCPI_PART", "wishbone"), os.environ.get("ROW", "")


def scenarios(row: Row) -> set[int]:
    return {int(n) for n in re.findall(r"§5 (\d+)", row.source)}


def rows() -> list[Row]:
    mine = [row for row in ALL if "am7990" in row.chips]
    if ROW not in ("", "few", "all"):
        return [row for row in mine if row.name == ROW]
    shown = [row for row in mine if scenarios(row) - set(OTHERWISE)]
    return [row for row in shown if ROW != "few" or row.name in FEW]


ROWS = rows()


@pytest.mark.parametrize(
    "which", sampled(("wishbone few", "wishbone all", "axi4 all"), lambda w: w.endswith("few"))
)
def test_part_sheet(which, monkeypatch) -> None:
    bus, many = which.split()
    wanted = Wanted(bus, "mii", MHZ, 10)
    monkeypatch.setenv("MCPI_PART", bus)
    monkeypatch.setenv("ROW", ROW or many)
    run_cocotb(__file__, wanted.top, MACHINE, wanted.settings)


def test_each_scenario_has_a_row_or_a_reason() -> None:
    shown = {n for row in ALL if "am7990" in row.chips for n in scenarios(row)}
    assert shown - set(OTHERWISE) == set(range(1, 45)) - set(OTHERWISE)
    assert {row.name for row in ALL} >= set(FEW)


@cocotb.test(timeout_time=2000, timeout_unit="ms")
@cocotb.parametrize(number=list(range(len(ROWS))))
async def row(dut, number):
    bus = AXI4 if BUS == "axi4" else WISHBONE
    runner = PartRunner(Part(dut, 1, NibbleMii, 0, bus, MHZ))
    await runner.begin()
    try:
        await bridge(runner.run)(ROWS[number].steps)
    except AssertionError as error:
        raise AssertionError(f"{ROWS[number].name}: {error}") from None
