# SPDX-License-Identifier: BSD-2-Clause
"""Tools of others take what ``./mcpi ip lance`` writes (set-up group ``parts``): FuseSoC, a
compiler of SystemRDL, cocotb's extensions."""

import re
import shutil
import sys

import pytest
from tools_support.outside import outside

from mcpi.base import environment
from mcpi.base.repo import ROOT
from mcpi.parts import lance, registers

pytestmark = pytest.mark.long
BENCH = ROOT / "lance-ip" / "test" / "outside" / "bench.py"
RUN = """
from cocotb_tools.runner import get_runner
runner = get_runner("verilator")
runner.build(sources=["part/{top}.v"], hdl_toplevel="{top}", build_args=["-Wno-fatal"])
runner.test(hdl_toplevel="{top}", test_module="bench")
"""


RV32I = ("-mcpu=generic_rv32", "-mno-relax")
C = ("-Os", "-ffreestanding", "-nostdlib", "-fno-sanitize=all", "-Wall", "-Wextra", "-Ipart")


@pytest.fixture(autouse=True)
def tools() -> None:
    environment.want_group("parts")


@pytest.mark.parametrize("target", ["lint", "sim"])
@pytest.mark.parametrize(
    ("bus", "phy"), [("wishbone", "rmii"), ("axi4", "rgmii"), ("turbochannel", "mii")]
)
def test_fusesoc_in_an_empty_folder(bus, phy, target, tmp_path) -> None:
    lance.write(lance.Wanted(bus, phy), tmp_path / "part")
    (tmp_path / "empty").mkdir()
    words = ("fusesoc", "--cores-root", "../part", "run", "--target", target, "mcpi:ip:lance")
    said = outside(tmp_path / "empty", *words)
    assert target == "lint" or "PASS: a frame of 60 bytes" in said, said
    assert "%Warning" not in said or target == "sim", said


def test_systemrdl_has_each_field(tmp_path) -> None:
    from systemrdl import RDLCompiler
    from systemrdl.node import RegNode

    lance.write(lance.Wanted("wishbone", "mii"), tmp_path / "part")
    table = registers.read()
    for name, fields, step in (("lance", table.bus, 1), ("lance_csr", table.chip, 2)):
        compiler = RDLCompiler()
        compiler.compile_file(str(tmp_path / "part" / "lance.rdl"))
        found = {
            (reg.inst_name, reg.absolute_address, field.inst_name, field.high, field.low)
            for reg in compiler.elaborate(name).top.children()
            if isinstance(reg, RegNode)
            for field in reg.fields()
        }
        assert found == {
            (f.register.lower(), step * f.offset, f"{f.name.lower()}_f", f.high, f.low)
            for f in fields
        }


@pytest.mark.parametrize("bus", ["wishbone", "axi4"])
def test_a_bench_of_cocotbext_alone(bus, tmp_path) -> None:
    wanted = lance.Wanted(bus, "mii")
    lance.write(wanted, tmp_path / "part")
    text = BENCH.read_text()
    assert "mcpi" not in text and "lance_support" not in text
    (tmp_path / "bench.py").write_text(text)
    (tmp_path / "run.py").write_text(RUN.format(top=wanted.top))
    said = outside(tmp_path, sys.executable, "run.py")
    assert "12 frames each way" in said and "FAIL=0" in said, said[-4000:]


def test_a_litex_soc_answers_pings(tmp_path) -> None:
    """A RISC-V with a driver of C; frames of all sizes, of which none is lost unreported."""
    lance.write(lance.Wanted("wishbone", "mii", clock=100), tmp_path / "part")
    example = ROOT / "examples" / "litex"
    shutil.copytree(example, tmp_path, dirs_exist_ok=True)
    zig = [sys.executable, "-m", "ziglang"]
    cc = [*zig, "cc", "-target", "riscv32-freestanding-none", *RV32I, *C]
    outside(tmp_path, *cc, "-T", "rom.ld", "main.c", "lance_driver.c", "-o", "rom.elf")
    outside(tmp_path, *zig, "objcopy", "-O", "binary", "rom.elf", "rom.bin")
    said = outside(tmp_path, sys.executable, "soc.py", "rom.bin")
    files = ["soc.v", "part/LanceWishboneMii.v", *re.findall(r"^file (.*)$", said, re.M)]
    how = ["--cc", "--exe", "--build", "-j", "2", "-O3", "-Wno-fatal", "--top-module", "soc"]
    outside(tmp_path, "verilator", *how, *files, "bench.cpp", "-CFLAGS", "-O2 -std=c++17")
    said = outside(tmp_path, "obj_dir/Vsoc", "10000")
    assert said in (example / "README.md").read_text() and said.endswith("PASS\n"), said
