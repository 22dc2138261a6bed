# SPDX-License-Identifier: BSD-2-Clause
"""Two whole boards at their pins, with a cable between them: RTL, in place of hardware.

``./mcpi board simulate --exact-time`` runs them as ``mcpi-cable`` (``sim/rtl/cable/``). The seed
chooses clocks within 100 ppm, their phases, the cable's latency each way and what it loses.
"""

import random
import re
import subprocess
from pathlib import Path

from mcpi.base import staging
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.firmware import elf
from mcpi.fpga import bram_image
from mcpi.hdl import cocotb_run, verilator
from mcpi.machine import boards
from mcpi.machine.profile import Machine
from mcpi.spec import node_image
from mcpi.spec.run_spec import BOARD, RunSpec

SIDES = ("client", "server")
PPM = 100  # by which a clock may be off, as a quartz is
LONGEST_US = 160  # latency of the cable, at most: its delay line has 2^14 places of 10 ns
FS_PER_US = 10**9
_MEMORIES = re.compile(r"^ *(?:\(\*.*\*\) )?reg .*\b(bytes_symbol\d+|map_1) \[.*\];$", re.M)
PINS = {
    "input": ("clk", "reset", "quarter", "rxd", "read", "lose", "[13:0] delay"),
    "output": ("txd", "phyReset", "running", "failed", "linked", "mdc", "write", "drive"),
}
# A frame of one board reaches the other `delay` clocks of 10 ns later, with the sender's clock, or
# is lost if it begins while `lose`. `shown`: what its PHY shows between frames.
_SIDE = """
  wire SIDE_txc, SIDE_txCtl;
  wire [3:0] SIDE_txd4;
  reg [5:0] SIDE_line [0:16383];
  reg [5:0] SIDE_out = 0;
  reg [13:0] SIDE_at = 0;
  reg SIDE_before = 0, SIDE_lost = 0;
  wire SIDE_losing = SIDE_before ? SIDE_lost : SIDE_lose;
  always @(posedge SIDE_quarter) begin
    SIDE_at <= SIDE_at + 14'd1;
    SIDE_before <= SIDE_txCtl;
    SIDE_lost <= SIDE_losing;
    SIDE_line[SIDE_at] <= {SIDE_txd4, SIDE_txCtl && !SIDE_losing, SIDE_txc};
    SIDE_out <= SIDE_line[SIDE_at - SIDE_delay];
  end
  assign PEER_rxc = SIDE_out[0];
  assign PEER_rxCtl = SIDE_out[1];
  assign PEER_rxd4 = PEER_rxCtl ? SIDE_out[5:2] : PEER_shown;
  BoardBench SIDE (
    .clk(SIDE_clk), .reset(SIDE_reset), .quarter(SIDE_quarter), .rxd(SIDE_rxd), .txd(SIDE_txd),
    .phyReset(SIDE_phyReset), .running(SIDE_running), .failed(SIDE_failed), .linked(SIDE_linked),
    .rxc(SIDE_rxc), .rgmii_txc(SIDE_txc), .rgmii_txCtl(SIDE_txCtl), .rgmii_txd(SIDE_txd4),
    .rgmii_rxCtl(SIDE_rxCtl), .rgmii_rxd(SIDE_rxd4), .mdio_mdc(SIDE_mdc),
    .mdio_write(SIDE_write), .mdio_drive(SIDE_drive), .mdio_read(SIDE_read)
  );
"""


def cabled(public: str = "") -> str:
    """The module ``CabledBoards``; ``public``: a comment that lets cocotb see its ports."""
    ports = [f"input [3:0] {side}_shown {public}" for side in SIDES]
    ports += [f"output {side}_{n} {public}" for side in SIDES for n in ("rxc", "rxCtl")]
    ports += [f"output [3:0] {side}_rxd4 {public}" for side in SIDES]
    for way, names in PINS.items():
        for name in names:
            width, _, name = name.rpartition(" ")
            ports += [f"{way} {width} {side}_{name} {public}" for side in SIDES]
    both = [_SIDE.replace("SIDE", a).replace("PEER", b) for a, b in (SIDES, SIDES[::-1])]
    declared = ",\n  ".join(ports)
    return f"\nmodule CabledBoards (\n  {declared}\n);{''.join(both)}endmodule\n"


def awake(verilog: str, prefix: str = "") -> str:
    """``verilog`` whose RAM and page map hold from the start what ``fill`` left at ``prefix``, as
    if they had come with the bitstream."""
    return _MEMORIES.sub(rf'\g<0>\n  initial $readmemh("{prefix}\1.hex", \1);', verilog)


def fill(wanted: bram_image.Contents, folder: Path) -> None:
    for lane in (*range(bram_image.BLOCK), None):
        rows = wanted.rows(bram_image.Part(lane, 0, 0))
        file = folder / ("map_1.hex" if lane is None else f"bytes_symbol{lane}.hex")
        file.write_text("".join(f"{row:x}\n" for row in rows))


def built(machine: str, settings: dict[str, str]) -> Path:
    """The program ``mcpi-cable`` of two such machines; minutes, once."""
    graph.check_tools()
    with Bar() as bar:
        with bar.task("elaborate", 1):
            source = cocotb_run.elaborate("BoardBench", machine, settings)
        verilog = source.parent / "simulated" / "CabledBoards.v"
        if not verilog.exists():
            graph.write(verilog, awake(source.read_text()) + cabled())
        with bar.task("two boards at their pins") as update:
            return verilator.build(verilog, verilator.CABLE, progress=update)


def embed(record: RunSpec, machine: Machine, place: Path) -> None:
    """Write what RAM holds when the boards wake: the firmware of ``record``."""
    made, board = graph.build(record, machine), boards.load("ecpix-5")
    images = elf.read(made.pal, machine, "pal"), elf.read(made.image, machine)
    wanted = bram_image.contents(node_image.segments(*images), board.frames, board.page_bytes)
    fill(wanted, place)


def words(place: Path, seed: int, latency_us: float, loss: float) -> list[str]:
    """Arguments of ``mcpi-cable``."""
    source, board = random.Random(seed), boards.load("ecpix-5")
    found = [str(place), str(board.phy.address), str(seed), str(loss)]
    for _ in SIDES:
        for mhz in (board.clock_mhz, 100):
            half = FS_PER_US / mhz / 2 * (1 + source.uniform(-PPM, PPM) * 1e-6)
            found += [str(round(half)), str(round(source.random() * 2 * half))]
        found.append(str(3 + round(source.random() * latency_us * 100)))
    return found


def started(program: Path, place: Path, arguments: list[str], **how) -> subprocess.Popen:
    """The two boards, at ``serial.0`` and ``serial.1`` of ``place``."""
    return subprocess.Popen([str(program), *arguments], cwd=place, **how)


def simulate(record: RunSpec, out: Path, seed: int, latency_us: float, loss: float) -> None:
    """The command: both boards until standard input ends."""
    machine = record.check()
    place = out.resolve()
    with staging.refused(place):
        place.mkdir(parents=True, exist_ok=True)
    program = built(record.machine, record.settings)
    embed(record, machine, place)
    code = started(program, place, words(place, seed, latency_us, loss)).wait()
    if code:
        raise RunError(f"the simulator ended with status {code}")


def spec_of(machine: str, settings: dict[str, str], stack: str, variant: str) -> RunSpec:
    """Return the spec whose image both boards wake with, so both sides have this variant."""
    return RunSpec(
        machine=machine,
        settings=settings,
        engine=BOARD,
        stack=stack,
        variant=variant,
        peer_variant=variant,
        lockstep=False,
    )
