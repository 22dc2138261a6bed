# SPDX-License-Identifier: BSD-2-Clause
"""``cocotbext-mcpi``: drivers of ``mcpi.cocotb`` as a package of their own, with the Verilog."""

import shutil
from pathlib import Path

from mcpi.base import staging
from mcpi.base.errors import RunError
from mcpi.base.repo import ROOT
from mcpi.hdl import cocotb_run

SHIPPED = ROOT / "lance-ip" / "parts" / "drivers"
SOURCES = ROOT / "tools" / "mcpi" / "cocotb"
MODULES = ("bus", "host_link", "lance", "lance_driver", "mii")
MARK = "pyproject.toml"  # a folder with it is one that the command made


def write(out: Path) -> list[Path]:
    """Write the package's source into ``out``, for ``pip install``; returns the files."""
    staging.check(out, mark=MARK)
    try:
        verilog = cocotb_run.elaborate("LanceOnTc")
    except RuntimeError as error:
        raise RunError(str(error)) from None
    with staging.staged(out, mark=MARK) as stage:
        package = stage / "cocotbext" / "mcpi"
        package.mkdir(parents=True)
        for name in (MARK, "README.md"):
            shutil.copy(SHIPPED / name, stage / name)
        shutil.copy(SHIPPED / "__init__.py.template", package / "__init__.py")
        shutil.copy(verilog, package / "LanceOnTc.v")
        shutil.copy(verilog.with_name("machine.json"), package / "machine.json")
        for name in MODULES:
            text = (SOURCES / f"{name}.py").read_text()
            (package / f"{name}.py").write_text(text.replace("mcpi.cocotb", "cocotbext.mcpi"))
        names = sorted(path.relative_to(stage) for path in stage.rglob("*") if path.is_file())
    return [out / name for name in names]
