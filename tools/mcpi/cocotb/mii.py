# SPDX-License-Identifier: BSD-2-Clause
"""Frames at an MII in virtual time, by cocotbext-eth: the wire's end of a Node or a LanceOnTc."""

import logging
import warnings
import zlib

from cocotb.triggers import FallingEdge
from cocotbext.eth import GmiiFrame, MiiSink, MiiSource

NIBBLE = 70  # ticks at 10 Mb/s
PINS = "txStrobe txEn txEr txd rxStrobe rxDv rxEr rxd crs col".split()


class Mii:
    """``await send(frame)`` to the controller, ``await receive()`` what it sends.

    The MII's clocks are strobes of one tick (docs/reference/phy.md), and are the clocks of
    cocotbext-eth's source and sink here. ``source`` and ``sink`` may be used directly, as for a
    frame with RX_ER: ``GmiiFrame.error``.
    """

    def __init__(self, dut, prefix: str = "io_mii"):
        self.dut = dut
        pin = {n: getattr(dut, f"{prefix}_{n}") for n in PINS}
        for name in ("rxStrobe", "crs", "col"):
            pin[name].value = 0
        self._strobe = pin["rxStrobe"]
        for data in (pin["rxd"], pin["txd"]):  # they introduce themselves, and log every frame
            logging.getLogger(f"cocotb.{data._path}").setLevel(logging.WARNING)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            self.source = MiiSource(pin["rxd"], pin["rxEr"], pin["rxDv"], pin["rxStrobe"])
        self.sink = MiiSink(pin["txd"], pin["txEr"], pin["txEn"], pin["txStrobe"])

    async def send(self, frame: bytes) -> None:
        """A frame without FCS, from the destination's address on; returns after its last bit and
        the gap that follows it."""
        framed = GmiiFrame.from_payload(frame, min_len=0)
        await self.source.send(framed)
        to_go = NIBBLE
        while not self.source.idle():
            await FallingEdge(self.dut.clk)
            self._strobe.value = 0
            if not int(self.dut.io_tick.value):
                continue
            to_go -= 1
            if to_go == 0:  # the clock's second half: the edge that ends the tick sees it
                self._strobe.value, to_go = 1, NIBBLE
        await FallingEdge(self.dut.clk)
        self._strobe.value = 0

    async def receive(self) -> bytes:
        """The next frame that the controller sends, without FCS; AssertionError if its FCS is
        wrong."""
        data = bytes((await self.sink.recv()).get_payload(strip_fcs=False))
        assert zlib.crc32(data[:-4]).to_bytes(4, "little") == data[-4:], "FCS"
        return data[:-4]
