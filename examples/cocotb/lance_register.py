# SPDX-License-Identifier: BSD-2-Clause
"""A register of the Ethernet controller, read and written over its TURBOchannel.

./mcpi cocotb examples/cocotb/lance_register.py --top LanceOnTc
"""

import cocotb

from mcpi.cocotb.lance import Bench
from mcpi.cocotb.lance_driver import Driver

STOP, STRT = 0x0004, 0x0002  # of CSR0


@cocotb.test()
async def csr1_can_be_reached_only_while_the_chip_is_stopped(dut):
    """Running, it ignores a write and reads as zero (docs/sources/lance.md 1)."""
    bench = await Bench.started(dut)
    await Driver(bench).attach()  # the IOASIC lets the chip out of its reset
    assert await bench.csr(0) == STOP
    await bench.set_csr(1, 0xABCC)
    assert await bench.csr(1) == 0xABCC
    await bench.set_csr(0, STRT)
    await bench.set_csr(1, 0x1234)
    assert await bench.csr(1) == 0
    await bench.set_csr(0, STOP)
    csr1 = await bench.csr(1)
    dut._log.info(f"CSR1 is {csr1:04x} at tick {bench.now}")
    assert csr1 == 0xABCC
