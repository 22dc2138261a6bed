# SPDX-License-Identifier: BSD-2-Clause
"""The controller as C libraries that ``make install`` takes: Verilated, and the exact engine's."""

import shutil
from pathlib import Path

from mcpi.base import staging
from mcpi.base.errors import RunError
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.hdl import cocotb_run, verilator

SHIPPED = ROOT / "lance-ip" / "parts" / "library"
SOURCES = ROOT / "sim" / "lib" / "lance"
MARK = "lance.pc"  # a folder with it is one that the command made


def write(out: Path, chip: str = "am7990") -> list[Path]:
    """Build both libraries, and write them with all that goes with them into ``out``."""
    staging.check(out, mark=MARK)
    try:
        verilog = cocotb_run.elaborate("LanceOnTc", settings={"lance.chip": chip})
    except RuntimeError as error:
        raise RunError(str(error)) from None
    with staging.staged(out, mark=MARK) as stage:
        files = [verilator.build(verilog, verilator.LANCE), models.build("liblance-exact.so")]
        files += [SOURCES / "lance.h", SOURCES / "example.c", *SHIPPED.iterdir()]
        for path in files:
            shutil.copy(path, stage / path.name)
        text = (SOURCES / "exact" / "exact.h").read_text()
        (stage / "lance-exact.h").write_text(text.replace('"lib/lance/lance.h"', '"lance.h"'))
        names = sorted(path.name for path in stage.iterdir())
    return [out / name for name in names]
