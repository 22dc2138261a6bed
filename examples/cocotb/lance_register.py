# SPDX-License-Identifier: BSD-2-Clause
"""A register of the Ethernet controller, read and written over its TURBOchannel.

./mcpi cocotb examples/cocotb/lance_register.py --top LanceOnTc
"""

import cocotb

from mcpi.cocotb.lance import Bench

STOP, STRT = 0x0004, 0x0002


@cocotb.test()
async def a_stopped_chip_keeps_the_address_of_its_init_block(dut):
    """CSR1 and CSR2 can be written while STOP is set; CSR2 has eight bits, CSR1 an even address."""
    bench = await Bench.started(dut)
    assert await bench.csr(0) == STOP
    await bench.set_csr(1, 0x1235)
    await bench.set_csr(2, 0x1234)
    csr1, csr2 = await bench.csr(1), await bench.csr(2)
    dut._log.info(f"CSR1 {csr1:04x}, CSR2 {csr2:04x}, at tick {bench.now}")
    assert (csr1, csr2) == (0x1234, 0x0034)
