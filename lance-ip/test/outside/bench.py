# SPDX-License-Identifier: BSD-2-Clause
"""LANCE-IP in somebody else's bench: the bus and the PHY are cocotbext's, memory and driver are
here. Frames go both ways at once; each arrives whole, or the part says why not."""

import os
import random
import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Timer
from cocotbext.eth import GmiiFrame, MiiSink, MiiSource

FRAMES = int(os.environ.get("FRAMES", "12"))
BASE, INIT, RX, TX, BUFFERS = 0x40000000, 0x100, 0x200, 0x240, 0x1000
ENTRIES, ROOM = 4, 1536
RDP, RAP, STATUS, HIGH = 0, 1, 3, 4
STATION = bytes.fromhex("08002b010203")


class Wishbone:
    """A Wishbone with memory of 64 KB, by cocotbext-wishbone."""

    def __init__(self, dut):
        from cocotbext.wishbone.driver import WBOp, WishboneMaster
        from cocotbext.wishbone.monitor import WishboneSlave

        class Memory(WishboneSlave):
            def _respond(self):
                at = 4 * int(self.bus.adr.value) & 0xFFFF
                if self.bus.stb.value and self.bus.we.value:
                    data = int(self.bus.datwr.value).to_bytes(4, "little")
                    for i in range(4):
                        if int(self.bus.sel.value) >> i & 1:
                            self.content[at + i] = data[i]
                super()._respond()

            def longwords(self):
                while True:
                    at = 4 * int(self.bus.adr.value) & 0xFFFF
                    yield int.from_bytes(self.content[at : at + 4], "little")

        inward = {"cyc": "cyc_i", "stb": "stb_i", "we": "we_i", "adr": "adr_i", "sel": "sel_i"}
        inward |= {"datwr": "dat_i", "datrd": "dat_o", "ack": "ack_o"}
        outward = {"cyc": "cyc_o", "stb": "stb_o", "we": "we_o", "adr": "adr_o", "sel": "sel_o"}
        outward |= {"datwr": "dat_o", "datrd": "dat_i", "ack": "ack_i", "err": "err_i"}
        self.operation = WBOp
        self.master = WishboneMaster(dut, "wbs", dut.clk, timeout=50, signals_dict=inward)
        self.slave = Memory(dut, "wbm", dut.clk, signals_dict=outward)
        self.slave.content = bytearray(0x10000)
        self.slave._datGen = self.slave.longwords()

    async def write(self, register: int, value: int) -> None:
        await self.master.send_cycle([self.operation(register, value)])

    async def read(self, register: int) -> int:
        return int((await self.master.send_cycle([self.operation(register)]))[0].datrd)

    def put(self, at: int, data: bytes) -> None:
        self.slave.content[at : at + len(data)] = data

    def get(self, at: int, size: int) -> bytes:
        return bytes(self.slave.content[at : at + size])


class Axi4:
    """AXI4 with memory of 64 KB, and AXI4-Lite, by cocotbext-axi."""

    def __init__(self, dut):
        from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam

        bus = AxiLiteBus.from_prefix(dut, "s_axi")
        self.master = AxiLiteMaster(bus, dut.clk, dut.reset)
        self.memory = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.reset, size=0x10000)

    async def write(self, register: int, value: int) -> None:
        await self.master.write_dword(4 * register, value)

    async def read(self, register: int) -> int:
        return await self.master.read_dword(4 * register)

    def put(self, at: int, data: bytes) -> None:
        self.memory.write(at, data)

    def get(self, at: int, size: int) -> bytes:
        return self.memory.read(at, size)


class Driver:
    """Rings of four descriptors each way."""

    def __init__(self, bus):
        self.bus, self.sent, self.received = bus, 0, 0

    async def csr(self, number: int, value: int) -> None:
        await self.bus.write(RAP, number)
        await self.bus.write(RDP, value)

    def give(self, at: int, buffer: int, size: int, flags: int) -> None:
        words = (buffer & 0xFFFF, flags, -size & 0xFFFF, 0)
        self.bus.put(at, b"".join(word.to_bytes(2, "little") for word in words))

    def mine(self, at: int) -> bool:
        return not self.bus.get(at + 3, 1)[0] & 0x80

    async def start(self) -> None:
        words = (0, RX, 2 << 13, TX, 2 << 13)
        block = [word.to_bytes(2, "little") for word in words]
        self.bus.put(INIT, block[0] + STATION + bytes(8) + b"".join(block[1:]))
        for i in range(ENTRIES):
            self.give(RX + 8 * i, BUFFERS + ROOM * i, ROOM, 0x8000)
            self.give(TX + 8 * i, 0, 0, 0)
        await self.bus.write(HIGH, BASE)
        for number, value in ((0, 4), (1, INIT), (2, 0), (3, 0), (0, 1)):
            await self.csr(number, value)
        while not await self.bus.read(RDP) & 0x0100:
            pass
        await self.bus.write(RDP, 0x0142)

    async def send(self, frame: bytes) -> None:
        i = self.sent % ENTRIES
        while not self.mine(TX + 8 * i):
            await Timer(2, unit="us")
        buffer = BUFFERS + ROOM * (ENTRIES + i)
        self.bus.put(buffer, frame)
        self.give(TX + 8 * i, buffer, len(frame), 0x8300)
        self.sent += 1
        await self.bus.write(RDP, 0x0048)

    async def receive(self) -> bytes:
        i = self.received % ENTRIES
        while not self.mine(RX + 8 * i):
            await Timer(2, unit="us")
        flags, size = self.bus.get(RX + 8 * i + 3, 1)[0], self.bus.get(RX + 8 * i + 6, 2)
        assert flags == 0x03, f"RMD1 {flags:02x}00"
        frame = self.bus.get(BUFFERS + ROOM * i, int.from_bytes(size, "little"))
        self.give(RX + 8 * i, BUFFERS + ROOM * i, ROOM, 0x8000)
        self.received += 1
        return frame


def framed(frame: bytes) -> bytes:
    return frame + zlib.crc32(frame).to_bytes(4, "little")


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def frames_of_all_sizes(dut):
    rng = random.Random(56)
    for clock, ns in ((dut.clk, 20), (dut.mii_tx_clk, 40), (dut.mii_rx_clk, 40)):
        cocotb.start_soon(Clock(clock, ns, unit="ns").start())
    for pin in (dut.mii_crs, dut.mii_col, dut.mii_rx_er, dut.phy_mdio_i):
        pin.value = 0
    sink = MiiSink(dut.mii_txd, None, dut.mii_tx_en, dut.mii_tx_clk)
    source = MiiSource(dut.mii_rxd, dut.mii_rx_er, dut.mii_rx_dv, dut.mii_rx_clk)
    bus = Wishbone(dut) if hasattr(dut, "wbm_stb_o") else Axi4(dut)
    dut.reset.value = 1
    await ClockCycles(dut.clk, 20)
    dut.reset.value = 0
    await ClockCycles(dut.clk, 20)
    driver = Driver(bus)
    await driver.start()

    def frames():
        return [STATION + rng.randbytes(rng.randint(54, 1508)) for _ in range(FRAMES)]

    out, back = frames(), frames()

    async def wire():
        for frame in back:
            await source.send(GmiiFrame.from_raw_payload(framed(frame)))

    async def listen():
        for frame in back:
            assert await driver.receive() == framed(frame)

    cocotb.start_soon(wire())
    listens = cocotb.start_soon(listen())
    for frame in out:
        await driver.send(frame)
    for frame in out:
        assert bytes((await sink.recv()).get_payload(strip_fcs=False)) == framed(frame)
    await listens
    assert not await bus.read(STATUS) & 0x3C
    dut._log.info(f"{FRAMES} frames each way")
