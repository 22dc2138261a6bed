# SPDX-License-Identifier: BSD-2-Clause
"""Can block tests run here? Builds a module that is a wire and starts a cocotb test of it.

``./mcpi doctor`` runs this as a program. The exit status is 0 if the test has passed.
"""

from pathlib import Path

import cocotb
from cocotb.triggers import Timer

from mcpi.base.repo import BUILD
from mcpi.hdl import cocotb_run

VERILOG = "module Wire(input a, output b);\n  assign b = a;\nendmodule\n"


@cocotb.test()
async def test_wire(dut) -> None:
    for level in (0, 1, 0):
        dut.a.value = level
        await Timer(1, "ns")
        assert dut.b.value == level


if __name__ == "__main__":
    verilog = BUILD / "doctor" / "Wire.v"
    verilog.parent.mkdir(parents=True, exist_ok=True)
    verilog.write_text(VERILOG)
    # Files that were built earlier would say nothing of the tools as they are now.
    cocotb_run.simulate(verilog, Path(__file__), anew=True)
