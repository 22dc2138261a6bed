# SPDX-License-Identifier: BSD-2-Clause
"""What a build prints, from a report of nextpnr's shape; which block a cell belongs to."""

import dataclasses

import pytest

from mcpi import board_build, boards, spare, yowasp
from mcpi.errors import RunError, UserError

REPORT = {
    "fmax": {
        "$glbnet$clocks_pll_CLKOS": {"constraint": 50.0, "achieved": 54.0},
        "$glbnet$phy_rxc$TRELLIS_IO_IN": {"constraint": 25.0, "achieved": 120.0},
    },
    "utilization": {"TRELLIS_COMB": {"used": 26000, "available": 83640}},
    "critical_paths": [
        {
            "from": "posedge $glbnet$clocks_pll_CLKOS",
            "to": "posedge $glbnet$clocks_pll_CLKOS",
            "path": [
                {
                    "type": "clk-to-q",
                    "delay": 0.5,
                    "from": {"cell": "area_inner.node.core.e1.tag_TRELLIS_FF_Q_3", "port": "CLK"},
                    "to": {"cell": "area_inner.node.core.e1.tag_TRELLIS_FF_Q_3", "port": "Q"},
                },
                {
                    "type": "routing",
                    "delay": 12.0,
                    "from": {"cell": "area_inner.node.core.e1.tag_TRELLIS_FF_Q_3", "port": "Q"},
                    "to": {"cell": "x_LUT4_Z", "port": "A"},
                },
                {
                    "type": "setup",
                    "delay": 6.0,
                    "from": {"cell": "x_LUT4_Z", "port": "F"},
                    "to": {"cell": "area_inner.node.core.f2.word_TRELLIS_FF_Q_31", "port": "DI"},
                },
            ],
        }
    ],
    "mcpi_seconds": 130.2,
}


def test_parse():
    run = board_build.parse(3, REPORT)
    assert run.path == ("node.core.e1.tag", "node.core.f2.word", 6.5, 12.0)
    assert [(c.name, c.margin) for c in run.clocks] == [
        ("clocks_pll_CLKOS", 4.0),
        ("phy_rxc", 95.0),
    ]
    board = boards.load("ecpix-5")
    assert run.node(board).achieved == 54.0
    assert run.used["TRELLIS_COMB"] == (26000, 83640)
    assert board_build.parse(3, REPORT, 1000).used["TRELLIS_COMB"] == (25000, 83640)
    other = dataclasses.replace(board, clock_mhz=60)
    with pytest.raises(RunError, match="no clock of 60 MHz"):
        run.node(other)


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
        # As SpinalHDL and yosys name them.
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
    assert board_build.block_of(cell) == block


def test_every_board_is_described():
    assert boards.names() == ["colorlight-i9", "ecpix-5"]
    for name in boards.names():
        board = boards.load(name)
        assert boards.by_identity(boards.identity(name)) == board
        assert board.clock_mhz >= 50


def test_slips_in_board_toml(tmp_path):
    text = (boards.BOARDS / "ecpix-5" / "board.toml").read_text()
    file = tmp_path / "board.toml"
    for old, new, message in (
        ("baud =", "bauds =", "baud is missing"),
        ("clock_mhz = 50", 'clock_mhz = "50"', "int is wanted"),
        ("start = []", "start = [[40, 1]]", "register below 32"),
        ('spare = "CD"', 'spare = "DC"', "some of the slices ABCD"),
        ("--um5g-85k", "--12k", "tiles are known of 25k, 45k, 85k"),
    ):
        assert old in text
        file.write_text(text.replace(old, new))
        with pytest.raises(UserError, match=message):
            boards.parse("ecpix-5", file)
    with pytest.raises(UserError, match="There are: colorlight-i9, ecpix-5"):
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
    found = board_build.by_block(netlist, "Top")
    assert found == {"gateway and PHY adapter": {"TRELLIS_FF": 2}, "page map": {"LUT4": 1}}


@pytest.mark.parametrize(
    "device, comb", [("--25k", 24288), ("--45k", 43848), ("--um5g-85k", 83640)]
)
def test_tiles_of_a_device(device, comb):
    """As many LUTs as nextpnr says the device has."""
    assert 8 * len(set(spare.tiles(device))) == comb


def test_spare_cells_leave_whole_rows():
    netlist = {"modules": {"Top": {"cells": {"x": {}}}}}
    count = spare.leave(netlist, "Top", "--45k", "CD")
    cells = netlist["modules"]["Top"]["cells"]
    assert len(cells) == count + 1 == 1 + 4 * sum(y % 4 != 0 for _, y in spare.tiles("--45k"))
    places = {cell["attributes"]["BEL"] for name, cell in cells.items() if name != "x"}
    assert len(places) == count and "X2/Y3/SLICED.K1" in places
    assert not any("/Y8/" in p or "/Y10/" in p or "SLICEA" in p for p in places)
    assert spare.leave(netlist, "Top", "--45k", "") == 0


@pytest.mark.parametrize("tool", [yowasp.YOSYS, yowasp.NEXTPNR, "yowasp-ecppack"])
def test_a_package_brings_each_tool(tool):
    assert yowasp.version(tool)
