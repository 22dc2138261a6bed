# SPDX-License-Identifier: BSD-2-Clause
"""A whole board at its pins: serial line bit by bit, MDIO, RGMII looped; by the host's own program.

``BoardBench`` is the ECPIX-5 without PLL and pads; the line has ten clocks a bit. Where the host
waits for seconds, time outs and pauses of the PHY, it is cut short.
"""

import json
import os
from pathlib import Path

import cocotb
import pytest
from boards_support.board_at_pins import CLOCK, Line, Phy, Time, nothing, phy_at
from cocotb.clock import Clock
from cocotb.task import bridge
from cocotb.triggers import Timer

from mcpi.base.file_lock import hold
from mcpi.base.process import heard
from mcpi.build import graph
from mcpi.engines.board import selftest as board_selftest
from mcpi.engines.board.cabled import awake, fill
from mcpi.engines.board.node import BoardNode
from mcpi.engines.rtl.substitute import IN_CLOCKS
from mcpi.firmware import elf
from mcpi.fpga import bram_image
from mcpi.hardware import ethernet_phy
from mcpi.hardware.hostlink import HostLink
from mcpi.hdl import cocotb_run
from mcpi.machine import boards, profile
from mcpi.spec import node_image
from mcpi.spec.run_spec import RTL, RunSpec
from verify.docgen import worked_example

PLACE = "MCPI_BOARD"  # environment variable: the folder with guests
FRAMES = 2
GIVEN = {"pal": "pal.elf", "image": "example.elf", "markers": "markers"}
PAL_BASE = "0xfffffc0000010000"  # where it enters
RECORD = RunSpec(engine=RTL, round_trips=1, warmup=0)
# The PHY brings back what it is sent, a clock of 100 MHz later, and says between frames that there
# is link: 100 Mb/s and full duplex, as at its pins.
BOARD = """
module LoopedBoard (
  input clk /* verilator public_flat_rw */, input reset /* verilator public_flat_rw */,
  input quarter /* verilator public_flat_rw */, input rxd /* verilator public_flat_rw */,
  output txd /* verilator public_flat_rw */, output phyReset /* verilator public_flat_rw */,
  output running /* verilator public_flat_rw */, output failed /* verilator public_flat_rw */,
  output pins_mdc /* verilator public_flat_rw */, output pins_write /* verilator public_flat_rw */,
  output pins_drive /* verilator public_flat_rw */, input pins_read /* verilator public_flat_rw */
);
  wire txc, txCtl;
  wire [3:0] txd4;
  reg rxc = 0, rxCtl = 0;
  reg [3:0] rxd4 = 0;
  always @(posedge quarter) begin
    rxc <= txc;
    rxCtl <= txCtl;
    rxd4 <= txCtl ? txd4 : 4'b1011;
  end
  BoardBench board (
    .clk(clk), .reset(reset), .quarter(quarter), .rxd(rxd), .txd(txd), .phyReset(phyReset),
    .running(running), .failed(failed), .linked(), .rxc(rxc), .rgmii_txc(txc), .rgmii_txCtl(txCtl),
    .rgmii_txd(txd4), .rgmii_rxCtl(rxCtl), .rgmii_rxd(rxd4), .mdio_mdc(pins_mdc),
    .mdio_write(pins_write), .mdio_drive(pins_drive), .mdio_read(pins_read)
  );
endmodule
"""


async def powered(dut) -> tuple[BoardNode, Phy, dict]:
    """The board out of reset, its PHY, and what Node.json says."""
    about = json.loads((Path(os.environ[PLACE]) / "Node.json").read_text())
    pins = phy_at(dut)
    dut.reset.value = 1
    cocotb.start_soon(Clock(dut.clk, CLOCK, unit="ps").start())
    cocotb.start_soon(Clock(dut.quarter, 10_000, unit="ps").start())
    line = Line(dut.rxd, dut.txd)
    await Timer(1, unit="us")
    dut.reset.value = 0
    await Timer(400, unit="us")  # page map and tags are swept
    ethernet_phy.time = board_selftest.time = Time()
    return BoardNode(HostLink(line), about["registers"], about["counters"]), pins, about


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def counters(dut):
    """The guest of the worked example: both banks, read over the line."""
    node, _, about = await powered(dut)
    place, names = Path(os.environ[PLACE]), about["registers"]
    resolved = profile.load("dec3000-600")
    own, pal = (
        elf.read(place / f"{name}.elf", resolved, *kind)
        for name, kind in (("example", ()), ("pal", ("pal",)))
    )
    what = node_image.of_images(resolved, names, RECORD, 0, 1, own, pal)
    for n, (address, action, window) in enumerate(json.loads((place / "marks").read_text())):
        what.registers[names[f"comparator.{n}.address"]] = address & elf.PHYSICAL
        what.registers[names[f"comparator.{n}.action"]] = window << 8 | action

    def host() -> dict:
        node.identify(resolved)
        node.load(what, nothing)
        (place / "sent.json").write_text(json.dumps(node.about))
        node.start()
        while not (status := node.status()).ended:
            assert not status.halted
        assert dut.running.value
        found = node.read_counters(nothing)
        node.stop()
        assert not node.link.read(names["board.embedded"])
        assert not node.link.retries
        return found

    found = await bridge(host)()
    assert not dut.running.value and not dut.failed.value
    (place / "board.json").write_text(json.dumps(found))


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def frames(dut):
    """MDIO, and frames that the machine sends to itself, of which the gateway counts each."""
    node, pins, _ = await powered(dut)
    board, resolved = boards.load("ecpix-5"), profile.load("dec3000-600")
    assert int(dut.phyReset.value)
    source = Path(os.environ[PLACE])

    def host() -> str:
        board_selftest._identity(node, resolved)
        ethernet_phy.loop_back(node.link, node.names, board.phy, mbps=100)
        assert (
            pins.registers[ethernet_phy.CONTROL]
            == ethernet_phy.LOOP_BACK | ethernet_phy.SPEED_100 | ethernet_phy.FULL_DUPLEX
        )
        said = board_selftest._frames(node, resolved, FRAMES, 1, nothing)
        assert not node.link.retries
        return said

    said = await bridge(host)()
    assert not int(dut.phyReset.value)
    (source / "frames.txt").write_text(said)


@pytest.fixture(scope="module")
def board() -> Path:
    """Its Verilog with a PHY around it; memories hold what ``write`` leaves beside it."""
    source = cocotb_run.elaborate("BoardBench")
    folder = source.parent / "looped"
    graph.write(folder / "LoopedBoard.v", awake(source.read_text(), f"{folder}/") + BOARD)
    graph.write(folder / "machine.json", source.with_name("machine.json").read_text())
    graph.write(folder / "Node.json", source.with_name("Node.json").read_text())
    return folder / "LoopedBoard.v"


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """The folder with guests, and where in the example the window opens, begins anew, closes."""
    folder = tmp_path_factory.mktemp("board")
    worked_example.link("pal", PAL_BASE, folder)
    at = worked_example.symbols(worked_example.link("example", worked_example.IMAGE_BASE, folder))
    marks = [(at["open"], 1, 1), (at["open"], 5, 1), (at["close"], 2, 1)]
    (folder / "marks").write_text(json.dumps(marks))
    return folder


def run(board: Path, place: Path, coroutine: str, segments: list | None = None) -> None:
    """``segments``: what the board wakes with; else rubbish without a record."""
    size = boards.load("ecpix-5").frames, boards.load("ecpix-5").page_bytes
    held = (0xFFFFF, 0) * (size[0] // 2)  # every second frame has the record's number
    rubbish = bram_image.Contents(b"\xa5" * size[0] * size[1], held, 0)
    # The file that its RAM wakes with lies next to the Verilog, where two workers would meet.
    environment = pytest.MonkeyPatch.context()
    with hold(board.with_suffix(".lock"), "simulates a board"), environment as patch:
        fill(bram_image.contents(segments, *size) if segments else rubbish, board.parent)
        patch.setenv(PLACE, str(place))
        (place / "Node.json").write_text(board.with_name("Node.json").read_text())
        cocotb_run.simulate(board, Path(__file__), coroutine, named=False)


def simulated(place: Path) -> dict:
    """The same on ``mcpi-sim``: node 0's counters."""
    built = graph.build(RECORD)
    (place / "machine.json").write_text(RECORD.check().to_json())
    marks = json.loads((place / "marks").read_text())
    (place / "markers").write_text("".join(f"{at:#x},{does},{w}\n" for at, does, w in marks))
    words = [
        built.simulator,
        "run",
        "--out",
        place,
        "--machine",
        place / "machine.json",
        "--no-skip",
    ]
    words += ["--node-json", built.node_json, "--max-ticks", "1000000", "--measure-by-registers"]
    items = [f"{name}={place / file}" for name, file in GIVEN.items()]
    items += ["phase=1", "register.measure_from=0", "register.measure_to=1"]
    for node in (0, 1):
        for item in items:
            words += ["--node", f"{node}:{item}"]
    done = heard(words)
    assert not done.returncode, done.stderr
    return json.loads((place / "counters.json").read_text())["nodes"][0]


def measured(board: Path, place: Path, segments: list | None = None) -> tuple[dict, dict]:
    """The example's counters on the board but those in clocks, and how it was loaded."""
    run(board, place, "counters", segments)
    return timeless(json.loads((place / "board.json").read_text())), json.loads(
        (place / "sent.json").read_text()
    )


def timeless(counters: dict) -> dict:
    return {
        bank: {name: value for name, value in found.items() if name not in IN_CLOCKS}
        for bank, found in counters.items()
    }


@pytest.fixture(scope="module")
def wanted(place) -> dict:
    """The simulator's counters."""
    return timeless(simulated(place))


def test_every_counter_is_the_simulators(board, place, wanted):
    found, loaded = measured(board, place)
    assert found == wanted
    assert found["path"]["invocations"] == 1 and found["path"]["instructions"] == 20
    assert not loaded["embedded"]


@pytest.mark.parametrize("stale", [False, True])
def test_firmware_that_came_with_the_bitstream(board, place, wanted, stale):
    """RAM and page map hold it when the board wakes: the host sends the boot block alone, or, if it
    is not what this run wants, everything; the counters are the same."""
    resolved = profile.load("dec3000-600")
    images = [elf.read(place / "pal.elf", resolved, "pal")]
    images += [] if stale else [elf.read(place / "example.elf", resolved)]
    found, loaded = measured(board, place, node_image.segments(*images))
    assert found == wanted
    assert loaded["embedded"] is not stale
    boot = len(node_image.boot_block(resolved, RECORD, 0)[1])
    assert loaded["sent_bytes"] > boot if stale else loaded["sent_bytes"] == boot


@pytest.mark.long
def test_frames_come_back(board, place):
    board_selftest.guest(profile.load("dec3000-600"))
    run(board, place, "frames")
    assert f"sent {FRAMES}, received {FRAMES}" in (place / "frames.txt").read_text()
