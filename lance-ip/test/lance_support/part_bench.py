# SPDX-License-Identifier: BSD-2-Clause
"""The part on a Wishbone: a processor, memory that checks the rules of the bus, a PHY."""

import random
import zlib
from collections.abc import Callable
from types import SimpleNamespace

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotb.utils import get_sim_time
from cocotbext.eth import GmiiFrame, MiiSink, MiiSource

from lance_support.rmii_bench import Sink, Source

IRQ = 1  # bit of STATUS
RDP, RAP, CONTROL, STATUS, BASE, MDIO, IDENTITY = range(7)
INIT, RX, TX, RX_BUFFER, TX_BUFFER = 0x100, 0x200, 0x240, 0x1000, 0x9000
ENTRIES, ROOM = 4, 1536
OWN, ERR, STP, ENP = 0x8000, 0x4000, 0x0200, 0x0100
HIGH = 0x40  # address bits 31:24 of memory
STATION, OTHER = bytes.fromhex("08002b010203"), bytes.fromhex("08002b0a0b0c")
MERR = 0x0800
UNTOUCHED = 0xA5
PATIENCE_NS = 25_600


class Memory:
    """Memory for the part's DMA. ``fails`` and ``silent``: predicates of an address."""

    def __init__(self, dut, rng: random.Random, slowest: int = 3, mhz: int = 50):
        self.dut, self.rng, self.slowest = dut, rng, slowest
        self.patience = PATIENCE_NS * mhz // 1000  # clocks
        self.bytes = bytearray([UNTOUCHED]) * 0x10000
        self.fails = self.silent = lambda _: False
        self.rests = False  # wait for a request, and not for each clock until it comes
        self.transfers = 0
        self.given_up = 0
        self.start()
        cocotb.start_soon(self.run())

    def word(self, at: int) -> int:
        return int.from_bytes(self.bytes[at : at + 2], "little")

    def set_word(self, at: int, value: int) -> None:
        self.bytes[at : at + 2] = value.to_bytes(2, "little")

    def inside(self, address: int) -> int:
        """The place of a bus address."""
        assert address >> 24 == HIGH, hex(address)
        at = address & 0xFFFFFF
        assert at < len(self.bytes), f"outside memory: {at:x}"
        return at

    def longword(self, at: int) -> int:
        self.transfers += 1
        return int.from_bytes(self.bytes[at : at + 4], "little")

    def store(self, at: int, mask: int, data: int) -> None:
        self.transfers += 1
        for i in range(4):
            if mask >> i & 1:
                self.bytes[at + i] = data >> 8 * i & 0xFF


def slow(us: float | None, piece: Callable[[int], int]) -> Callable[[int], bool]:
    """A predicate for ``silent`` that holds for so long whenever another ``piece`` of the address
    is asked for; None: for good."""
    state = {"piece": None, "until": 0.0}

    def silent(at: int) -> bool:
        if us is None:
            return True
        if state["piece"] != (now := piece(at)):
            state.update(piece=now, until=get_sim_time("us") + us)
        return get_sim_time("us") < state["until"]

    return silent


class WishboneMemory(Memory):
    """A slave of the part's master, with rules: what is asked stands until its answer, and longer
    than 25.6 us nothing is asked."""

    def start(self) -> None:
        d = self.dut
        d.wbm_ack_i.value = d.wbm_err_i.value = d.wbm_dat_i.value = 0

    async def run(self) -> None:
        d, asked, waited, wait = self.dut, None, 0, 0
        while True:
            if self.rests and asked is None and not d.wbm_stb_o.value:
                await RisingEdge(d.wbm_stb_o)
            await RisingEdge(d.clk)
            answered = bool(d.wbm_ack_i.value or d.wbm_err_i.value)
            d.wbm_ack_i.value = d.wbm_err_i.value = 0
            assert d.wbm_stb_o.value == d.wbm_cyc_o.value
            now = None
            if d.wbm_stb_o.value:
                now = tuple(int(d[f"wbm_{n}_o"].value) for n in ("adr", "we", "sel", "dat"))
            if asked and not answered and not d.reset.value:
                if now is None:
                    assert waited >= self.patience - 1, f"given up after {waited} clocks"
                    self.given_up += 1
                else:
                    assert now == asked, "changed before its answer"
            if (
                d.reset.value or answered or now is None
            ):  # of an answered one this is the last clock
                asked, waited = None, 0
                continue
            if asked is None:
                asked, wait = now, self.rng.randint(0, self.slowest)
            waited += 1
            assert waited <= self.patience + 1, "a time-out is overdue"
            assert now[2], "a transfer of no byte"
            at = self.inside(4 * now[0])
            if self.silent(at):
                continue
            if wait:
                wait -= 1
            elif self.fails(at):
                d.wbm_err_i.value = 1
            else:
                d.wbm_ack_i.value = 1
                if now[1]:
                    self.store(at, *now[2:])
                else:
                    d.wbm_dat_i.value = self.longword(at)


class WishboneProcessor:
    """Accesses of the registers."""

    def __init__(self, dut):
        self.dut = dut
        for name in ("cyc", "stb", "we", "adr", "sel", "dat"):
            dut[f"wbs_{name}_i"].value = 0

    async def access(self, register: int, data: int | None, mask: int) -> int:
        d = self.dut
        await RisingEdge(d.clk)
        d.wbs_cyc_i.value = d.wbs_stb_i.value = 1
        d.wbs_adr_i.value, d.wbs_sel_i.value = register, mask
        d.wbs_we_i.value, d.wbs_dat_i.value = data is not None, data or 0
        clocks = 0
        while True:
            await RisingEdge(d.clk)
            if d.wbs_ack_o.value:
                break
            clocks += 1
            assert clocks < 3, "no answer to the processor"
        d.wbs_cyc_i.value = d.wbs_stb_i.value = 0
        read = int(d.wbs_dat_o.value)
        await RisingEdge(d.clk)
        assert not d.wbs_ack_o.value, "an answer too many"
        return read


WISHBONE = WishboneMemory, WishboneProcessor


class Mii:
    """A PHY at MII; its clocks are a little off ``clock_ns``, which is 40 at 100 Mb/s."""

    def __init__(self, dut, rng: random.Random, clock_ns: float = 40):
        self.dut, self.clocks = dut, []
        for clock in (dut.mii_tx_clk, dut.mii_rx_clk):
            ps = round(clock_ns * 1000 * (1 + rng.uniform(-1e-4, 1e-4)) / 2) * 2
            self.clocks.append(cocotb.start_soon(Clock(clock, ps, unit="ps").start()))
        dut.mii_crs.value = dut.mii_col.value = dut.mii_rx_er.value = 0
        self.sink = MiiSink(dut.mii_txd, None, dut.mii_tx_en, dut.mii_tx_clk)
        self.source = MiiSource(dut.mii_rxd, dut.mii_rx_er, dut.mii_rx_dv, dut.mii_rx_clk)

    def heard(self) -> bytes | None:
        """The next frame of the part that has ended, with its FCS."""
        if self.sink.empty():
            return None
        return bytes(self.sink.recv_nowait().get_payload(strip_fcs=False))


class Rmii:
    """A PHY at RMII at 100 Mb/s."""

    def __init__(self, dut, rng: random.Random):
        pins = SimpleNamespace(
            refClock=dut.rmii_ref_clk,
            pins_crsDv=dut.rmii_crs_dv,
            pins_rxd=dut.rmii_rxd,
            pins_rxEr=dut.rmii_rx_er,
            pins_txEn=dut.rmii_tx_en,
            pins_txd=dut.rmii_txd,
        )
        ps = round(20000 * (1 + rng.uniform(-1e-4, 1e-4)) / 2) * 2
        self.clocks = [cocotb.start_soon(Clock(dut.rmii_ref_clk, ps, unit="ps").start())]
        self.source, self.sink = Source(pins, rng, 1), Sink(pins, 1, whole=False)

    def heard(self) -> bytes | None:
        return self.sink.frames.pop(0) if self.sink.frames else None


class Part:
    """The part with its processor, its memory and its PHY."""

    def __init__(
        self, dut, seed: int, phy: type = Mii, slowest: int = 3, bus=WISHBONE, mhz: int = 50
    ):
        self.dut, self.rng = dut, random.Random(seed)
        cocotb.start_soon(Clock(dut.clk, 1000 // mhz, unit="ns").start())
        dut.phy_mdio_i.value = 1
        self.phy = phy(dut, self.rng)
        memory, processor = bus
        self.memory = memory(dut, self.rng, slowest, mhz)
        self.processor = processor(dut)
        self.irq = dut.irq
        self.next_tx = self.next_rx = 0

    async def reset(self) -> None:
        self.dut.reset.value = 1
        await Timer(400, unit="ns")
        await RisingEdge(self.dut.clk)
        self.dut.reset.value = 0
        await Timer(400, unit="ns")

    async def access(self, register: int, data: int | None = None, mask: int = 15) -> int:
        return await self.processor.access(register, data, mask)

    async def csr(self, number: int, data: int | None = None) -> int:
        await self.access(RAP, number)
        return await self.access(RDP, data)

    async def until(self, bits: int, us: int = 500) -> int:
        """CSR0 when one of ``bits`` is set."""
        for _ in range(us * 5):
            if (value := await self.csr(0)) & bits:
                return value
            await Timer(120, unit="ns")
        raise AssertionError(f"CSR0 {value:04x}: no {bits:04x} in {us} us")

    def write_block(self, mode: int = 0) -> None:
        words = [mode, *(int.from_bytes(STATION[i : i + 2], "little") for i in (0, 2, 4))]
        words += [0, 0, 0, 0, RX, 2 << 13, TX, 2 << 13]
        for i, word in enumerate(words):
            self.memory.set_word(INIT + 2 * i, word)
        for i in range(ENTRIES):
            self.give(RX + 8 * i, RX_BUFFER + ROOM * i + 1, ROOM - 8, OWN)
            self.give(TX + 8 * i, 0, 0, 0)
        self.next_tx = self.next_rx = 0

    def give(self, descriptor: int, buffer: int, size: int, flags: int) -> None:
        for i, word in ((0, buffer & 0xFFFF), (2, -size & 0xFFFF), (3, 0), (1, flags)):
            self.memory.set_word(descriptor + 2 * i, word)

    async def start(self, mode: int = 0, half: bool = False) -> None:
        """Init block and rings; CSR0 is 01F3 afterwards, less what is off."""
        self.write_block(mode)
        await self.access(CONTROL, half)
        await self.access(BASE, HIGH << 24)
        await self.csr(0, 0x0004)
        for number, value in ((1, INIT), (2, 0), (3, 0)):
            await self.csr(number, value)
        await self.csr(0, 0x0001)
        await self.until(0x0900)
        await self.csr(0, 0x0142)

    async def send(self, data: bytes) -> int:
        """Give a frame to the chip, which starts at an odd address; returns its descriptor."""
        descriptor = TX + 8 * (self.next_tx % ENTRIES)
        buffer = TX_BUFFER + ROOM * (self.next_tx % ENTRIES) + self.next_tx % 4
        self.memory.bytes[buffer : buffer + len(data)] = data
        self.give(descriptor, buffer, len(data), OWN | STP | ENP)
        self.next_tx += 1
        await self.csr(0, 0x0048)
        return descriptor

    async def given_back(self, descriptor: int, us: int = 500) -> int:
        for _ in range(us * 2):
            if not (flags := self.memory.word(descriptor + 2)) & OWN:
                return flags
            await Timer(500, unit="ns")
        raise AssertionError(f"descriptor {descriptor:x} is still the chip's")

    async def sent(self, data: bytes) -> int:
        """Send and see it on the wire; returns TMD1."""
        flags = await self.given_back(await self.send(data))
        wire = await self.from_wire()
        assert wire == framed(data), (wire.hex(), data.hex())
        return flags

    async def from_wire(self) -> bytes:
        """The next frame that has left, with its FCS."""
        for _ in range(1000):
            if (wire := self.phy.heard()) is not None:
                return wire
            await Timer(200, unit="ns")
        raise AssertionError("no frame on the wire")

    def frame(self, size: int) -> bytes:
        """A frame for the part, of anything."""
        return STATION + OTHER + self.rng.randbytes(size - 12)

    def left_alone(self) -> None:
        """Nothing outside the init block, the rings and the buffers was written."""
        sizes = {INIT: 24, RX: 8 * ENTRIES, TX: 8 * ENTRIES}
        sizes |= {RX_BUFFER: ROOM * ENTRIES, TX_BUFFER: ROOM * ENTRIES}
        end = 0
        for at, size in [*sorted(sizes.items()), (len(self.memory.bytes), 0)]:
            assert set(self.memory.bytes[end:at]) <= {UNTOUCHED}, f"written below {at:x}"
            end = at + size

    async def recovers(self) -> None:
        """After MERR: STOP, and all works again, the memory too."""
        self.left_alone()
        self.memory.fails = self.memory.silent = lambda _: False
        assert await self.csr(0) & 0x0830 == 0x0800, "MERR; receiver and transmitter are off"
        await self.csr(0, 0x0004)
        while await self.access(STATUS) & 2:
            pass
        await self.access(STATUS, 0x3C)
        received = TX_BUFFER - RX_BUFFER
        self.memory.bytes[RX_BUFFER:TX_BUFFER] = bytes([UNTOUCHED]) * received
        while self.phy.heard():
            pass
        await self.start()
        data = self.frame(100)
        assert await self.sent(data) == STP | ENP
        await self.put(data)
        assert await self.got() == data
        assert await self.access(STATUS) & ~(IRQ | 2) == 0

    async def answers_registers(self) -> None:
        """Identity, the write rules of CSR0, bytes that a write does not select."""
        await self.reset()
        assert await self.access(IDENTITY) == 0x7990_1000 | 1 << 11 | 50
        assert await self.csr(0) == 0x0004
        await self.csr(1, 0x1234)
        await self.access(0, 0xFFFF, mask=0b1100)
        assert await self.csr(1) == 0x1234
        await self.access(CONTROL, 3)
        assert await self.access(CONTROL) == 3 and not self.dut.phy_reset_n.value

    async def finds_memory_broken(self, silent: bool, place: str) -> None:
        """An error, or no answer, in the init block, a ring or a buffer: MERR and a report."""

        def broken(at):
            return {
                "init": at == 0x110,
                "ring": TX <= at < TX + 8,
                "send": at >= TX_BUFFER,
                "receive": RX_BUFFER + 16 <= at < TX_BUFFER,
            }[place]

        await self.reset()
        name = "silent" if silent else "fails"
        if place == "init":
            setattr(self.memory, name, broken)
        await self.start()
        setattr(self.memory, name, broken)
        data = self.frame(100)
        if place in ("ring", "send"):
            await self.send(data)
        if place == "receive":
            await self.put(data)
        await self.until(MERR)
        await Timer(30, unit="us")
        assert await self.access(STATUS) & ~(IRQ | 2) == (8 if silent else 4)

    async def put(self, data: bytes) -> None:
        await self.phy.source.send(GmiiFrame.from_raw_payload(framed(data)))

    async def got(self) -> bytes:
        """The next received frame, without FCS; its buffer's rest is untouched."""
        i = self.next_rx % ENTRIES
        descriptor, buffer = RX + 8 * i, RX_BUFFER + ROOM * i + 1
        flags = await self.given_back(descriptor)
        assert flags & 0xFF00 == STP | ENP, f"{flags:04x}"
        size = self.memory.word(descriptor + 6)
        whole = bytes(self.memory.bytes[buffer : buffer + size])
        after = self.memory.bytes[buffer + size : buffer + ROOM]
        assert set(after) == {UNTOUCHED} and self.memory.bytes[buffer - 1] == UNTOUCHED
        assert whole == framed(whole[:-4])
        self.memory.bytes[buffer : buffer + size] = bytes([UNTOUCHED]) * size
        self.give(descriptor, buffer, ROOM - 8, OWN)
        self.next_rx += 1
        return whole[:-4]


def framed(data: bytes) -> bytes:
    return data + zlib.crc32(data).to_bytes(4, "little")
