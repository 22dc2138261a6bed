# SPDX-License-Identifier: BSD-2-Clause
"""Tools of others take what ``./mcpi ip lance`` writes (set-up group ``parts``): FuseSoC, a
compiler of SystemRDL, cocotb's extensions."""

import dataclasses
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


@pytest.mark.parametrize("bus", ["wishbone", "turbochannel"])
def test_a_compiler_of_systemrdl_reads_the_same(bus, tmp_path) -> None:
    """Places, names, accesses and words of all fields: header and page are made of them."""
    from systemrdl import RDLCompiler
    from systemrdl.node import RegNode

    path = tmp_path / "lance.rdl"
    path.write_text(registers.rdl(bus))
    table = registers.read(path.read_text())
    for name, fields, step in (("lance", table.bus, 1), ("lance_csr", table.chip, 2)):
        compiler = RDLCompiler()
        compiler.compile_file(str(path))
        found = [
            registers.Field(
                reg.inst_name.upper(),
                reg.absolute_address // step,
                field.high,
                field.low,
                field.inst_name.removesuffix("_f"),
                access(field),
                " ".join(field.get_property("desc").split()),
            )
            for reg in compiler.elaborate(name).top.children()
            if isinstance(reg, RegNode)
            for field in reg.fields()
        ]
        mine = [dataclasses.replace(f, name=f.name.lower()) for f in fields]
        assert sorted(found, key=str) == sorted(mine, key=str)


def access(field) -> str:
    """Access of a field, in the words of ``registers.Field``."""
    written = field.get_property("onwrite")
    if written:
        return {"woclr": "w1c", "woset": "w1s"}[written.name]
    return field.get_property("sw").name


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
