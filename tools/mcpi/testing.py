# SPDX-License-Identifier: BSD-2-Clause
"""Elaborate a block and run cocotb tests on it; for ``<room>/test/test_*.py``."""

import os
import subprocess
import sys
from pathlib import Path

from mcpi import machine
from mcpi.paths import BUILD, ROOT


def elaborate(
    block: str, name: str = "dec3000-600", settings: dict[str, str] | None = None
) -> Path:
    """The Verilog of ``block`` for a machine; returns the path of ``<block>.v``.

    The Scala is compiled first if it changed; the output folder is named by the machine's digest.
    """
    resolved = machine.load(name, settings)
    folder = BUILD / "blocks" / f"{block}-{resolved.elaborate_digest}"
    folder.mkdir(parents=True, exist_ok=True)
    description = folder / "machine.json"
    description.write_text(resolved.to_json())
    mill = os.environ.get("MCPI_MILL", "mill")
    command = [mill, "node.runMain", "mcpi.node.Elaborate", block, str(description), str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return folder / f"{block}.v"


def run_cocotb(
    test_file: str, block: str, name: str = "dec3000-600", settings: dict[str, str] | None = None
) -> None:
    """Build ``block`` with Verilator and run the cocotb tests in ``test_file`` (a ``__file__``).

    Use it as ``def test_x(): run_cocotb(__file__, "Block")`` with ``@cocotb.test()`` coroutines in
    the same file. Fails with the reproduce line of every test that failed.
    """
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    verilog = elaborate(block, name, settings)
    path = Path(test_file)
    folder = verilog.parent / path.stem
    runner = get_runner("verilator")
    runner.build(
        sources=[verilog],
        hdl_toplevel=block,
        build_dir=folder,
        always=True,
        timescale=("1ns", "1ps"),
        build_args=["-Wno-fatal", "-Wno-WIDTH", "-O2", "-CFLAGS", "-O1"],
    )
    for folder_of_modules in (str(path.parent), str(ROOT / "tools")):
        if folder_of_modules not in sys.path:  # cocotb hands sys.path on to the simulation
            sys.path.insert(0, folder_of_modules)
    os.environ["MCPI_MACHINE_JSON"] = str(verilog.parent / "machine.json")
    results = runner.test(hdl_toplevel=block, test_module=path.stem, build_dir=folder)
    count, failed = get_results(results)
    assert failed == 0, f"{failed} of {count} failed; again: ./mcpi test -k {path.stem}"
    assert count > 0, f"no cocotb test in {path}"
