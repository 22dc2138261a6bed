# SPDX-License-Identifier: BSD-2-Clause
"""Contents put into a routed configuration are those that yosys and nextpnr would have put there.

The same memories twice: with contents from their Verilog on, and empty, numbered, routed and then
filled (mcpi/embed.py).
"""

import json
import random
import re
import shutil
from pathlib import Path

import pytest

from mcpi.base import yosys
from mcpi.base.repo import BUILD
from mcpi.engines.board.cabled import awake, fill
from mcpi.fpga import bram_image
from mcpi.hdl import cocotb_run
from verify.long_tests import sampled

SEED = 1
# A board's page map, and one byte of eight of its RAM; pins are wherever there is room.
SMALL = """
module ram (input clk, input [12:0] at, input put, input [7:0] d, output reg [7:0] q);
  reg [7:0] bytes_symbol0 [0:8191];
  always @(posedge clk) begin
    if (put) bytes_symbol0[at] <= d;
    else q <= bytes_symbol0[at];
  end
endmodule
module map (input clk, input [9:0] at, input put, input [19:0] d, output reg [19:0] q);
  reg [19:0] map_1 [0:1023];
  always @(posedge clk) begin
    if (put) map_1[at] <= d;
    q <= map_1[at];
  end
endmodule
module top (input clk, input [12:0] at, input put, input [19:0] d, output [7:0] a, output [19:0] b);
  ram ram (clk, at, put, d[7:0], a);
  map map (clk, at[9:0], put, d, b);
endmodule
"""
PREFIX = {"BlockRam": "ram", "PageMap": "map"}  # of a memory's name, in a board's netlist


def random_contents() -> bram_image.Contents:
    """RAM and page map of the ECPIX-5."""
    source = random.Random(SEED)
    held = tuple(source.getrandbits(20) for _ in range(1024))
    return bram_image.Contents(source.randbytes(1024 * 256), held, 1024)


@pytest.fixture
def here(request) -> Path:
    """An empty folder of this test's; the tools see nothing of /tmp."""
    folder = BUILD / "embedded" / re.sub(r"\W+", "-", request.node.name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def synthesised(folder: Path, verilog: str, top: str) -> dict:
    """Yosys's netlist, its cells."""
    (folder / "top.v").write_text(verilog)
    script = f"read_verilog top.v; synth_ecp5 -top {top}; write_json netlist.json"
    yosys.run(yosys.YOSYS, ["-q", "-p", script], folder, "yosys.out")
    return json.loads((folder / "netlist.json").read_text())


def shards_of(cell: dict) -> list[int]:
    """Contents of a block RAM, as yosys says."""
    rows = [int(cell["parameters"].get(f"INITVAL_{i:02X}", "0"), 2) for i in range(64)]
    return [row >> 20 * (i // 2) + 9 * (i % 2) & 511 for row in rows for i in range(32)]


PLACES = [("BlockRam", 128), ("PageMap", 2)]


@pytest.mark.parametrize("place", sampled(PLACES, PLACES[1].__eq__), ids=str)
def test_yosys_puts_it_there(place, here):
    """All of a board's memory."""
    top, count = place
    wanted = random_contents()
    fill(wanted, here)
    verilog = awake(cocotb_run.elaborate("Ecpix5").read_text())
    cells = synthesised(here, verilog, top)["modules"][top]["cells"]
    known = bram_image.parts({f"{PREFIX[top]}.{name}": cell for name, cell in cells.items()})
    assert len(known) == count
    for name, part in known.items():
        found = shards_of(cells[name.removeprefix(f"{PREFIX[top]}.")])
        assert found == part.shards(wanted.rows(part)), name


def routed(folder: Path) -> str:
    """nextpnr's configuration of a netlist."""
    words = ["--25k", "--package", "CABGA381", "--json", "netlist.json", "--seed", "1", "-q"]
    words += ["--lpf-allow-unconstrained", "--textcfg", "top.config"]
    yosys.run(yosys.NEXTPNR, words, folder, "nextpnr.out")
    return (folder / "top.config").read_text()


def block_rams(config: str) -> list[list[str]]:
    return sorted(hit[2].split() for hit in bram_image.CONTENTS.finditer(config))


def test_nextpnr_would_have_put_it_there(here):
    wanted = random_contents()
    full, empty = here / "full", here / "empty"
    full.mkdir()
    empty.mkdir()
    fill(wanted, full)
    synthesised(full, awake(SMALL), "top")
    netlist = synthesised(empty, SMALL, "top")
    known = bram_image.number(netlist["modules"]["top"]["cells"])
    (empty / "netlist.json").write_text(json.dumps(netlist))
    found = bram_image.into(routed(empty), known, wanted)
    assert block_rams(found) == block_rams(routed(full))
    assert len(known) == len(block_rams(found)) == 6
    # The bitstream that ecppack makes of it, and what ecpunpack finds in that.
    (empty / "filled.config").write_text(found)
    yosys.run("yowasp-ecppack", ["--compress", "filled.config", "filled.bit"], empty, "pack.out")
    yosys.run("yowasp-ecpunpack", ["filled.bit", "unpacked.config"], empty, "unpack.out")
    assert block_rams((empty / "unpacked.config").read_text()) == block_rams(found)
