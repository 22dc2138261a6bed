# SPDX-License-Identifier: BSD-2-Clause
"""Devices at the pins of ``BoardBench``: its serial line as a port of the host's, its PHY's
registers, and time as the simulation has it, for programs that wait.
"""

import cocotb
from cocotb.task import resume
from cocotb.triggers import Event, FallingEdge, First, Timer
from lance_support.phy import Phy

from mcpi.hardware import ethernet_phy
from mcpi.machine import boards

MHZ = boards.load("ecpix-5").clock_mhz
BIT = round(1e7 / MHZ)  # ps, of the host; the board's is half a percent longer
NOMINAL = 2 * round(5e5 / MHZ)  # ps, a clock, of two halves
CLOCK = 2 * round(5.025e5 / MHZ)  # ps, of a bad quartz
LONGEST = 0.002  # s, of any wait of the host


class Line:
    """The pins of the serial line as a port of the host's; used in a thread of its own."""

    def __init__(self, rxd, txd, path: str = "pins") -> None:
        self.path, self.rxd, self.txd = path, rxd, txd
        self.got, self.more = bytearray(), Event()
        rxd.value = 1
        cocotb.start_soon(self._listen())

    async def _listen(self) -> None:
        while True:
            await FallingEdge(self.txd)
            await Timer(BIT // 2, unit="ps")
            byte = 0
            for n in range(8):
                await Timer(BIT, unit="ps")
                byte |= int(self.txd.value) << n
            await Timer(BIT, unit="ps")
            assert int(self.txd.value), "no stop bit"
            self.got.append(byte)
            self.more.set()

    async def _send(self, data: bytes) -> None:
        for byte in data:
            for bit in (0, *(byte >> n & 1 for n in range(8)), 1):
                self.rxd.value = bit
                await Timer(BIT, unit="ps")

    async def _take(self, count: int, seconds: float) -> bytes:
        end = now() + min(seconds, LONGEST)
        while len(self.got) < count and now() < end:
            self.more.clear()
            await First(self.more.wait(), Timer(max(round((end - now()) * 1e9), 1), unit="ns"))
        found = bytes(self.got[:count])
        del self.got[:count]
        return found

    def write(self, data: bytes) -> None:
        resume(self._send)(data)

    def read(self, count: int, timeout: float) -> bytes:
        return resume(self._take)(count, timeout)

    def close(self) -> None:
        pass


IDENTITY = [0x0022, 0x1622]  # a KSZ9031's


def phy_at(pins) -> Phy:
    """The PHY of the ECPIX-5 behind ``pins_mdc``, ``pins_write``, ``pins_drive``, ``pins_read``."""
    found = Phy(pins, address=boards.load("ecpix-5").phy.address)
    found.registers[ethernet_phy.IDENTITY : ethernet_phy.IDENTITY + 2] = IDENTITY
    return found


def now() -> float:
    """Seconds."""
    return cocotb.utils.get_sim_time("ns") * 1e-9


class Time:
    """In the place of the module ``time``: no pause is longer than ``longest`` seconds."""

    monotonic = staticmethod(now)

    def __init__(self, longest: float = 5e-4) -> None:
        self.longest = longest

    def sleep(self, seconds: float) -> None:
        async def pass_by() -> None:
            await Timer(round(min(seconds, self.longest) * 1e9), unit="ns")

        resume(pass_by)()


def nothing(*_) -> None:
    """In the place of a progress bar."""
