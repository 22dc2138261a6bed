# SPDX-License-Identifier: BSD-2-Clause
"""Tests of a build's output, from a report of nextpnr's shape, and of a cell's block."""

import dataclasses
import json
from pathlib import Path

import msgspec
import pytest

from mcpi.base import yosys
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import ROOT
from mcpi.engines.board import pace
from mcpi.fpga import pace as rates
from mcpi.fpga import place_route
from mcpi.fpga import table as board_table
from mcpi.fpga.nextpnr import Longest
from mcpi.fpga.pace import Pace
from mcpi.machine import boards, profile, reserved_luts

REPORT = json.loads(Path(__file__).with_name("nextpnr_board.json").read_text())
BOARD = msgspec.structs.replace(boards.load("ecpix-5"), vco_mhz=600, clock_divider=12)


def test_parse():
    run = place_route.parse(3, REPORT)
    assert run.clocks[0].path == Longest(
        "node.core.e1.tag (Q)", "node.core.f2.word (DI)", 6.5, 12.0
    )
    assert [(c.name, c.margin) for c in run.clocks] == [
        ("clocks_pll_CLKOS", 4.0),
        ("phy_rxc", 95.0),
    ]
    board = BOARD
    assert run.node(board).achieved == 54.0
    assert run.used["TRELLIS_COMB"] == (26000, 83640)
    assert place_route.parse(3, REPORT, 1000).used["TRELLIS_COMB"] == (25000, 83640)
    other = msgspec.structs.replace(board, clock_divider=10)
    with pytest.raises(RunError, match="no clock of 60.00 MHz"):
        run.node(other)


def _with_clock(run: place_route.Routed, which: int, mhz: float) -> place_route.Routed:
    clocks = list(run.clocks)
    clocks[which] = dataclasses.replace(clocks[which], achieved=mhz)
    return dataclasses.replace(run, clocks=tuple(clocks))


def test_the_fastest_is_so_by_the_nodes_clock():
    first = place_route.parse(1, REPORT)
    other = _with_clock(_with_clock(dataclasses.replace(first, seed=2), 0, 53.9), 1, 200.0)
    assert place_route.fastest([other, first], BOARD).seed == 1


def test_a_clock_that_is_missed_is_named():
    board, run = BOARD, place_route.parse(1, REPORT)
    assert place_route.missed(run, board) is None
    slow = _with_clock(run, 0, board.clock_mhz - 3)
    said = place_route.missed(slow, board).words(board, 2)
    for words in (
        f"{board.clock_mhz:.1f} MHz wanted, seed 1 reaches {board.clock_mhz - 3:.1f}, slack -",
        "node.core.e1.tag (Q) → node.core.f2.word (DI), 18.5 ns",
        "./mcpi board build ecpix-5 --seeds 6",
        f"clock_divider = {board.clock_divider + 1} (",
    ):
        assert words in said, said
    said = place_route.missed(_with_clock(run, 1, 20.0), board).words(board, 1)
    assert "phy_rxc is not met: 25.0 MHz wanted, seed 1 reaches 20.0, slack -10.00 ns" in said
    assert "clock_divider" not in said


@pytest.mark.parametrize(
    "meets, jobs, placed, kept",
    [
        (1, 1, [1], [1]),
        (3, 1, [1, 2, 3], [1, 2, 3]),
        (3, 2, [2, 4], [1, 2, 3]),  # side by side; what is behind the first does not count
        (9, 2, [2, 4, 5], [1, 2, 3, 4, 5]),
    ],
)
def test_seeds_are_tried_until_one_meets_every_clock(
    monkeypatch, tmp_path, meets, jobs, placed, kept
):
    asked, run = [], place_route.parse(1, REPORT)

    def route(netlist, seeds, *_):
        asked.append(seeds)
        slow = _with_clock(run, 0, BOARD.clock_mhz - 3)
        runs = [run if seed >= meets else slow for seed in range(1, seeds + 1)]
        return [dataclasses.replace(r, seed=seed) for seed, r in enumerate(runs, 1)]

    monkeypatch.setattr(place_route, "route", route)
    netlist = place_route.Netlist(BOARD, tmp_path, {}, 0)
    runs = place_route.route_until_met(netlist, jobs, None)
    assert (asked, [run.seed for run in runs]) == (placed, kept)


def test_a_machine_in_real_time_that_was_measured_too_slow(monkeypatch):
    """By the clocks that a tick of a path took: 1.5 are 33 ticks a µs of 50 MHz. One run of two
    that is too slow is enough."""
    real, usual = profile.load("dec3000-35"), profile.load("dec3000-600")
    runs = {"tcp": Pace("TCP STD", 1400, 1000, 1400, 1000)}
    rates.check(BOARD, real, [*runs.values()])
    runs["rpc"] = Pace("RPC STD", 1500, 1000, 1400, 1000)
    rates.check(BOARD, usual, [*runs.values()])
    monkeypatch.setattr(pace, "reference", lambda *given: runs[given[3]])
    assert pace.measured(BOARD, "dec3000-600", {}) == [*runs.values()]
    with pytest.raises(UserError, match=r"dec3000-35: .* = 35 .* holds 33\.3 of this machine"):
        pace.measured(BOARD, "dec3000-35", {})


def test_ticks_a_second_of_both_stacks(tmp_path, monkeypatch):
    runs = [Pace("TCP STD", 125, 100, 180, 150), Pace("RPC STD", 1000, 500, 110, 100)]
    said = (
        "40.0 M ticks/s in TCP STD, 25.0 in RPC STD: 50.0 MHz ÷ 1.250 and 2.000 clocks a tick on "
        "the path, 1.200 and 1.100 in the whole run (in simulation of this board's memory)"
    )
    assert rates.words(BOARD, runs) == said
    assert rates.held(BOARD, runs) == 25

    monkeypatch.setattr(rates, "BUILD", tmp_path)
    kept = tmp_path / "boards" / f"{BOARD.name}-0" / "build.json"
    kept.parent.mkdir(parents=True)
    for mhz, known in ((BOARD.clock_mhz, True), (BOARD.clock_mhz + 1, False)):
        found = {"wanted_mhz": mhz, "paces": [dataclasses.asdict(run) for run in runs]}
        found |= {"machine": "dec3000-600", "settings": {"icache.size": "4KB"}}
        kept.write_text(json.dumps(found))
        built = f"{said}, when it was last built, for dec3000-600, icache.size=4KB"
        assert rates.last(BOARD).startswith(built if known else "ticks/s: not built yet"), mhz


@pytest.mark.long
@pytest.mark.parametrize("name", boards.names())
def test_a_board_holds_what_its_file_says(name):
    """``holds`` is the whole M ticks/s of the slower stack, as measured."""
    board = boards.load(name)
    assert board.holds == int(rates.held(board, pace.measured(board, "dec3000-600", {})))


def test_what_a_build_prints(tmp_path, capsys):
    runs = [place_route.parse(seed, REPORT) for seed in (1, 3)]
    netlist = place_route.Netlist(BOARD, tmp_path, {"core": {"LUT4": 1}}, 0)
    board_table.show(BOARD, netlist, runs, runs[1], tmp_path / "a.bit")
    said = capsys.readouterr().out
    assert "clocks_pll_CLKOS: 50.0 MHz wanted, median 54.0 of 2 seeds (54.0 to 54.0): met" in said
    path = "node.core.e1.tag (Q) → node.core.f2.word (DI), 18.5 ns, 65 % wire"
    assert f"longest path, seed 3: {path}" in said


@pytest.mark.parametrize(
    "cell, block",
    [
        ("area_inner.node.core.dcache.x_LUT4_Z", "core"),
        ("area_inner.node.counters.banks.y", "counters"),
        ("area_inner.node.gate.wanted", "counters"),
        ("area_inner.node.memory.tags.tags.0.0", "b-cache tags"),
        ("area_inner.node.memory.due", "memory system"),
        ("area_inner.map.map.0.0", "page map"),
        ("area_ram.bytes_symbol3.0.1", "board RAM"),
        ("area_inner.gateway.outward.bytes.0.0", "gateway and PHY adapter"),
        ("clocks_pll", "the rest"),
        # Names that SpinalHDL and yosys give them.
        (r"\area_inner.node_1.core.pipeline_1.e1_LUT4_Z", "core"),
        ("area_inner.node_1.counters_1.banks_TRELLIS_FF_Q_3", "counters"),
        ("area_inner.node_1.registers_1_io_control_TRELLIS_FF_Q", "host link, registers, console"),
        ("area_inner.registers_1_io_bus_value_TRELLIS_FF_Q_9", "serial line, board registers"),
        ("area_inner.map_1.map_1.0.0", "page map"),
        ("area_inner.map_1_io_used_TRELLIS_FF_Q_1", "page map"),
        ("area_inner.gateway_counts_sent_TRELLIS_FF_Q", "gateway and PHY adapter"),
        ("area_inner.io_blocks_rsp_payload_TRELLIS_FF_Q_7", "board RAM"),
        ("phy_txd_LUT4_Z", "gateway and PHY adapter"),
    ],
)
def test_blocks(cell, block):
    assert place_route.block_of(cell) == block


def test_every_board_is_described():
    assert {"colorlight-i9", "ecpix-5"} <= set(boards.names())
    for name in boards.names():
        board = boards.load(name)
        assert boards.by_identity(boards.identity(name)) == board
        assert board.clock_mhz >= 25


def test_the_guide_names_every_board():
    text = (ROOT / "docs" / "how-to" / "boards.md").read_text()
    missing = [name for name in boards.names() if f"`{name}`" not in text]
    assert not missing, f"docs/how-to/boards.md names no {missing}"


def test_slips_in_board_toml(tmp_path):
    text = (boards.BOARDS / "ecpix-5" / "board.toml").read_text()
    file = tmp_path / "board.toml"
    for old, new, message in (
        ("baud =", "bauds =", "unknown field `bauds`"),
        ("speed = 8\n", "", "missing required field `speed`"),
        (
            "clock_divider = 6 ",
            'clock_divider = "8"',
            r"Expected `int`, got `str` - at `\$.clock_divider`",
        ),
        ("clock_divider = 6 ", "clock_divider = 129", r"`int` <= 128 - at `\$.clock_divider`"),
        ("vco_mhz = 550 ", "vco_mhz = 560", r"`int` that's a multiple of 50 - at `\$.vco_mhz`"),
        ('ram = "block"', 'ram = "dram"', "Invalid enum value 'dram'"),
        ("start = []", "start = [[40, 1]]", r"`int` <= 31 - at `\$.phy.start"),
        ("start = []", "start = [[28, 65536]]", r"`int` <= 65535 - at `\$.phy.start"),
        ("title =", "title", "not a TOML file"),
        ("frames = 1024", "frames = 1000", "powers of two are wanted"),
        ("page_bytes = 256", "page_bytes = 32", "pages of 64 bytes or more"),
        ("frames = 1024", "frames = 256", "frames = 256: too few for pages of 256 bytes"),
        ("cores = 512", "cores = 256", "frames_of_cores = 256: too few for pages of 256 bytes"),
        ('ram = "block"', 'ram = "sdram"', "cache_blocks = 0: SDRAM has a cache"),
        ("embed = true", "cache_blocks = 64\nembed = true", "block RAM has no cache"),
        ('ram = "block"', 'ram = "sdram"\ncache_blocks = 48', "a power of two is wanted"),
        ('ram = "block"', 'ram = "sdram"\ncache_blocks = 8', "more than the 8 blocks of a page"),
        ("embed = true", "embed = 1", r"Expected `bool`, got `int` - at `\$.embed`"),
        ('spare = "D"', 'spare = "DC"', "some of ABCD"),
        ("--um5g-85k", "--12k", "tiles are known of 25k, 45k, 85k"),
    ):
        assert old in text
        file.write_text(text.replace(old, new))
        with pytest.raises(UserError, match=message):
            boards.parse("ecpix-5", file)
    with pytest.raises(UserError, match="no board 'ulx3s'. There are: .*ecpix-5"):
        boards.load("ulx3s")


def test_cells_of_kept_modules_count():
    netlist = {
        "modules": {
            "Top": {
                "attributes": {"top": 1},
                "cells": {
                    "area_inner.map_1.x_LUT4_Z": {"type": "LUT4"},
                    "area_inner.gateway.y_buffercc": {"type": "BufferCC"},
                    "area_inner.gateway": {"type": "$scopeinfo"},
                },
            },
            "LUT4": {"attributes": {"whitebox": 1}, "cells": {"z": {"type": "$mux"}}},
            "BufferCC": {
                "attributes": {"keep_hierarchy": "TRUE"},
                "cells": {"a": {"type": "TRELLIS_FF"}, "b": {"type": "TRELLIS_FF"}},
            },
        }
    }
    found = place_route.by_block(netlist, "Top")
    assert found == {"gateway and PHY adapter": {"TRELLIS_FF": 2}, "page map": {"LUT4": 1}}


@pytest.mark.parametrize(
    "device, comb", [("--25k", 24288), ("--45k", 43848), ("--um5g-85k", 83640)]
)
def test_tiles_of_a_device(device, comb):
    """The device has as many LUTs as nextpnr says."""
    assert 8 * len(set(reserved_luts.tiles(device))) == comb


def test_spare_cells_leave_whole_rows():
    netlist = {"modules": {"Top": {"cells": {"x": {}}}}}
    count = reserved_luts.leave(netlist, "Top", "--45k", "CD")
    cells = netlist["modules"]["Top"]["cells"]
    assert (
        len(cells) == count + 1 == 1 + 4 * sum(y % 4 != 0 for _, y in reserved_luts.tiles("--45k"))
    )
    places = {cell["attributes"]["BEL"] for name, cell in cells.items() if name != "x"}
    assert len(places) == count and "X2/Y3/SLICED.K1" in places
    assert not any("/Y8/" in p or "/Y10/" in p or "SLICEA" in p for p in places)
    assert reserved_luts.leave(netlist, "Top", "--45k", "") == 0


@pytest.mark.parametrize("tool", [yosys.YOSYS, yosys.NEXTPNR, "yowasp-ecppack"])
def test_a_package_brings_each_tool(tool):
    assert yosys.version(tool)
