# SPDX-License-Identifier: BSD-2-Clause
"""A board on a cable with an ordinary host: ``board attach`` at the pins of ``BoardBench``, frames
of scapy through cocotbext-eth's RGMII at 10 Mb/s.
"""

import json
import os
from pathlib import Path

import cocotb
import pytest
from boards_support.board_at_pins import CLOCK, Line, Time, nothing, phy_at
from cocotb.clock import Clock
from cocotb.task import bridge
from cocotb.triggers import Timer
from cocotbext.eth import GmiiFrame, RgmiiSink, RgmiiSource
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Packet, Raw

from mcpi.build import graph
from mcpi.engines.board import attach as board_attach
from mcpi.engines.board.cabled import awake, fill
from mcpi.engines.board.node import BoardNode
from mcpi.firmware import elf, interop
from mcpi.firmware import images as firmware
from mcpi.fpga import bram_image
from mcpi.hardware import ethernet_phy
from mcpi.hardware.hostlink import HostLink
from mcpi.hdl import cocotb_run
from mcpi.machine import boards, profile
from mcpi.spec import node_image

PLACE = "MCPI_BOARD"  # environment variable: the folder with the images
(BOARD, BOARD_MAC), (HOST, _) = node_image.written(1), node_image.written(0)
HOST_MAC = "02:00:00:00:00:01"
WAIT = 5e-3  # s, for an answer
BOOT = 0.2  # s, at most
QUOTE = b"Every cycle has an owner.\r\n"
PORTS = {
    "input": ("clk", "reset", "quarter", "rxd", "rxc", "rxCtl", "[3:0] rxd4", "pins_read"),
    "output": (
        *("txd", "running", "failed", "linked", "txc", "txCtl", "[3:0] txd4"),
        *("pins_mdc", "pins_write", "pins_drive"),
    ),
}
SERVING = """
  BoardBench board (
    .clk(clk), .reset(reset), .quarter(quarter), .rxd(rxd), .txd(txd), .phyReset(),
    .running(running), .failed(failed), .linked(linked), .rxc(rxc), .rgmii_txc(txc),
    .rgmii_txCtl(txCtl), .rgmii_txd(txd4), .rgmii_rxCtl(rxCtl), .rgmii_rxd(rxd4),
    .mdio_mdc(pins_mdc), .mdio_write(pins_write), .mdio_drive(pins_drive), .mdio_read(pins_read)
  );
"""


def serving() -> str:
    """The module ``ServingBoard``."""
    public = "/* verilator public_flat_rw */"
    ports = ",\n  ".join(f"{way} {n} {public}" for way, names in PORTS.items() for n in names)
    return f"\nmodule ServingBoard (\n  {ports}\n);{SERVING}endmodule\n"


class Host:
    """An ordinary host at the other end: it answers who asks for its address."""

    def __init__(self, dut) -> None:
        cocotb.start_soon(Clock(dut.rxc, 400_010, unit="ps").start())
        self.source = RgmiiSource(dut.rxd4, dut.rxCtl, dut.rxc)
        self.sink = RgmiiSink(dut.txd4, dut.txCtl, dut.txc)
        self.source.mii_mode = self.sink.mii_mode = True
        self.heard: list[Packet] = []
        cocotb.start_soon(self._listen())

    async def send(self, packet: Packet) -> None:
        await self.source.send(GmiiFrame.from_payload(bytes(packet)))

    async def _listen(self) -> None:
        while True:
            frame = await self.sink.recv()
            assert frame.check_fcs()
            packet = Ether(bytes(frame.get_payload()))
            asked = packet.getlayer(ARP)
            if asked and asked.op == 1 and asked.pdst == HOST:
                answer = ARP(op=2, hwsrc=HOST_MAC, psrc=HOST, hwdst=asked.hwsrc, pdst=asked.psrc)
                await self.send(Ether(src=HOST_MAC, dst=asked.hwsrc) / answer)
            else:
                self.heard.append(packet)

    async def next(self, seconds: float = WAIT) -> Packet:
        for _ in range(round(seconds / 2e-5)):
            if self.heard:
                return self.heard.pop(0)
            await Timer(20, unit="us")
        raise TimeoutError

    async def ask(self, packet: Packet, seconds: float = WAIT) -> Packet:
        await self.send(Ether(src=HOST_MAC, dst=BOARD_MAC) / packet)
        return await self.next(seconds)

    async def find(self) -> Packet:
        """By ARP, again and again as the board starts up; it announces itself, too."""
        question = Ether(src=HOST_MAC, dst="ff:ff:ff:ff:ff:ff")
        question /= ARP(op=1, hwsrc=HOST_MAC, psrc=HOST, pdst=BOARD)
        for _ in range(round(BOOT / WAIT)):
            await self.send(question)
            try:
                while True:
                    if (heard := await self.next()).getlayer(ARP).op == 2:
                        return heard
            except TimeoutError:
                continue
        raise AssertionError(f"nobody has {BOARD}")


def body(packet: Packet, size: int) -> bytes:
    """Body of an answer; short frames are padded."""
    return bytes(packet.payload)[:size]


@cocotb.test(timeout_time=1, timeout_unit="sec")
async def serve(dut):
    place = Path(os.environ[PLACE])
    about = json.loads((place / "Node.json").read_text())
    there = phy_at(dut)
    there.registers[ethernet_phy.STATUS] = ethernet_phy.LINK | ethernet_phy.NEGOTIATED
    there.registers[ethernet_phy.PARTNER] = 0x1E1
    dut.reset.value = 1
    cocotb.start_soon(Clock(dut.clk, CLOCK, unit="ps").start())
    cocotb.start_soon(Clock(dut.quarter, 10_000, unit="ps").start())
    node = BoardNode(HostLink(Line(dut.rxd, dut.txd)), about["registers"], [])
    host = Host(dut)
    await Timer(1, unit="us")
    dut.reset.value = 0
    await Timer(400, unit="us")
    ethernet_phy.time = board_attach.time = Time()
    resolved = profile.load("dec3000-600")
    images = place / "image.elf", place / "pal.elf"
    await bridge(board_attach.start)(node, resolved, *images, nothing)
    assert node.about["embedded"]

    found = await host.find()
    assert (found[ARP].op, found[ARP].psrc, found[ARP].hwsrc) == (2, BOARD, BOARD_MAC)
    await Timer(2, unit="ms")
    host.heard.clear()  # answers to questions that waited in the board while it started
    ip = IP(src=HOST, dst=BOARD)
    for size in (0, 56, 1472):
        data = bytes(n % 251 for n in range(size))
        answer = await host.ask(ip / ICMP(id=7, seq=size) / Raw(data), 50e-3)
        assert (answer[IP].src, answer[ICMP].type, answer[ICMP].seq) == (BOARD, 0, size)
        assert body(answer[ICMP], size) == data
    answer = await host.ask(ip / UDP(sport=4000, dport=7) / Raw(b"the same back"))
    assert (answer[UDP].sport, answer[UDP].dport) == (7, 4000)
    assert body(answer[UDP], 13) == b"the same back"

    ports = {"sport": 4001, "dport": 17}
    answer = await host.ask(ip / TCP(**ports, seq=1000, flags="S"))
    assert (answer[TCP].flags, answer[TCP].ack) == ("SA", 1001)
    agreed = TCP(**ports, seq=1001, ack=answer[TCP].seq + 1, flags="A")
    answer = await host.ask(ip / agreed)
    while answer[IP].len == 40:  # its window grows
        answer = await host.next()
    assert body(answer[TCP], len(QUOTE)) == QUOTE

    counts = await bridge(board_attach.serve)(node, 1e-3)
    (place / "counts.json").write_text(json.dumps(counts))
    assert not int(dut.failed.value)


@pytest.mark.long
def test_an_ordinary_host_finds_pings_and_asks(tmp_path):
    source, board = cocotb_run.elaborate("BoardBench"), boards.load("ecpix-5")
    below = source.parent / "serving"
    graph.write(below / "ServingBoard.v", awake(source.read_text(), f"{below}/") + serving())
    graph.write(below / "machine.json", source.with_name("machine.json").read_text())
    resolved = profile.load("dec3000-600")
    built = firmware.build(interop.plan(resolved))
    for name, file in (("image", built.image), ("pal", built.pal)):
        (tmp_path / f"{name}.elf").write_bytes(file.read_bytes())
    (tmp_path / "Node.json").write_text(source.with_name("Node.json").read_text())
    images = elf.read(built.image, resolved), elf.read(built.pal, resolved, "pal")
    fill(bram_image.contents(node_image.segments(*images), board.frames, board.page_bytes), below)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(PLACE, str(tmp_path))
        cocotb_run.simulate(below / "ServingBoard.v", Path(__file__), "serve", named=False)
    counts = json.loads((tmp_path / "counts.json").read_text())
    assert counts["sent"] >= 7 and counts["received"] >= 7
    assert not counts["receive_errors"] + counts["send_dropped"] + counts["receive_dropped"]
