# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi ip lance``: what it refuses, and that others' tools take its files."""

import itertools
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tools_support.command import mcpi

from mcpi.base import yosys
from mcpi.base.errors import UserError
from mcpi.base.repo import BUILD
from mcpi.hdl import cocotb_run
from mcpi.parts import lance
from verify.long_tests import sampled

USUAL = {
    ("wishbone", "mii"),
    ("axi4", "rgmii"),
    ("turbochannel", "rmii"),
}  # the other pairs show the same
PAIRS = sampled(itertools.product(lance.BUSES, lance.PHYS), lambda pair: pair in USUAL)
WAIVERS = lance.SHIPPED / "lance.vlt"
MOST_WAIVERS = 10
SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=all"


@pytest.fixture(scope="module", params=PAIRS, ids="-".join)
def part(request, tmp_path_factory) -> tuple[lance.Wanted, Path]:
    """A part, and the folder with its files."""
    place = tmp_path_factory.mktemp("part") / "lance"
    wanted = lance.Wanted(*request.param)
    lance.write(wanted, place)
    return wanted, place


def lint(folder: Path, top: str, *waivers: str) -> str:
    words = [
        "verilator",
        "--lint-only",
        "--quiet",
        "-Wall",
        "--top-module",
        top,
        *waivers,
        f"{top}.v",
    ]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_verilator_says_nothing(part) -> None:
    wanted, folder = part
    assert "lint_off" not in (folder / f"{wanted.top}.v").read_text()
    assert lint(folder, wanted.top, "lance.vlt") == ""


def test_yosys_says_nothing(part) -> None:
    wanted, folder = part
    place = BUILD / "ip"
    place.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(folder / f"{wanted.top}.v", place / f"{wanted.top}.v")
    script = f"read_verilog {wanted.top}.v; hierarchy -check -top {wanted.top}; proc; check -assert"
    said = yosys.run(yosys.YOSYS, ["-q", "-p", script], place, f"{wanted.top}.log")
    assert said == ""


def test_a_fault_is_seen_in_spite_of_the_waivers(part, tmp_path) -> None:
    wanted, folder = part
    shutil.copytree(folder, tmp_path / "faulty")
    path = tmp_path / "faulty" / f"{wanted.top}.v"
    fault = r"wire [1:0] wide = 3'd5;\n  assign \1 = "
    text = re.sub(r"assign (irq|tc_int_o) = ", fault, path.read_text(), count=1)
    path.write_text(text)
    assert "WIDTHTRUNC" in lint(path.parent, wanted.top, "lance.vlt")


def test_each_waiver_has_a_reason_and_is_needed(part) -> None:
    wanted, folder = part
    lines = WAIVERS.read_text().splitlines()
    rules = [re.search(r"-rule (\w+)", line)[1] for line in lines if line.startswith("lint_off")]
    assert 0 < len(rules) <= MOST_WAIVERS
    for before, line in itertools.pairwise(lines):
        assert not line.startswith("lint_off") or before.startswith(("// ", "lint_off"))
    assert set(re.findall(r"%Warning-(\w+)", lint(folder, wanted.top))) == set(rules)


def test_nothing_of_virtual_time_is_outside(part) -> None:
    wanted, folder = part
    head = re.search(
        rf"module {wanted.top} \((.*?)\);", (folder / f"{wanted.top}.v").read_text(), re.S
    )
    ports = re.findall(r"(\w+),?\n", head[1])
    assert len(ports) > 18 and not [
        p for p in ports if re.search("tick|skip|next|strobe|_timing", p)
    ]
    named = re.findall(r"get_ports (\w+)", (folder / "lance.sdc").read_text())
    assert {"clk", *lance.CLOCKS[wanted.phy]} == set(named) <= set(ports)


def test_the_core_file_names_the_files(part) -> None:
    wanted, folder = part
    core = (folder / lance.MARK).read_text()
    assert core.startswith("CAPI=2:\n") and f"toplevel: {wanted.top}" in core
    named = set(re.findall(r"- ([\w.]+): \{file_type", core))
    assert named == {p.name for p in folder.iterdir()} - {lance.MARK, "README.md"}


def test_the_data_sheet_says_first_what_the_phy_cannot(part) -> None:
    wanted, folder = part
    page = (folder / "README.md").read_text()
    line = page.splitlines()[2]
    assert line.startswith("Full duplex only" if wanted.phy == "rgmii" else "Full and half duplex")
    assert {"axi4": "m_axi_*", "wishbone": "wbm_*", "turbochannel": "tc_*"}[wanted.bus] in page


@pytest.mark.parametrize("mbps", [10, 100])
@pytest.mark.parametrize("bus", lance.BUSES)
def test_each_bus_has_all_that_the_data_sheet_says(bus, mbps) -> None:
    words = lance.measured(bus, mbps)
    rows = [line.strip("| ").split(" | ") for line in words["SIZES"].splitlines()[2:]]
    families = {(row[0], row[1]): row[-1] for row in rows}
    assert families["mii", "ECP5"].isdecimal() and {row[0] for row in rows} <= set(lance.PHYS)
    assert len(words["LATENCIES"].splitlines()) == 3
    assert {line.split(" | ")[1] for line in words["RATES"].splitlines()[2:]} == {"64", "1518"}


def test_the_header_compiles_and_has_the_bits(part, tmp_path) -> None:
    wanted, folder = part
    source = tmp_path / "a.c"
    own = "LANCE_RAP == 4 && LANCE_BASE_BASE == 0xff000000"
    if wanted.bus == "turbochannel":
        own = "LANCE_RAP == 0x100004"
    bits = "LANCE_CSR0_IDON == 0x100 && LANCE_CSR0_TXON == 16 && LANCE_CSR2 == 2"
    source.write_text(f'#include "lance.h"\n_Static_assert({bits} && {own}, "bits");\n')
    words = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{folder}"]
    assert subprocess.run([*words, source]).returncode == 0


@pytest.mark.long
@pytest.mark.parametrize(("mbps", "clock"), [(100, 50), (10, 20)])
@pytest.mark.parametrize("phy", lance.PHYS)
@pytest.mark.parametrize("bus", lance.BUSES)
def test_the_bench_that_goes_with_it_passes(bus, phy, mbps, clock, tmp_path) -> None:
    """Do as ``fusesoc run --target sim``."""
    bench_passes(lance.Wanted(bus, phy, clock, mbps), tmp_path / "part")


@pytest.mark.long
@pytest.mark.parametrize("bus", lance.BUSES)
def test_the_bench_passes_with_sanitizers(bus, tmp_path) -> None:
    bench_passes(lance.Wanted(bus, "mii"), tmp_path / "part", SANITIZE)


def bench_passes(wanted: lance.Wanted, folder: Path, flags: str = "") -> None:
    lance.write(wanted, folder)
    how = ["--timing", "-Wno-fatal", "-CFLAGS", f"-std=gnu++20 {flags}", "-LDFLAGS", flags]
    how += ["--top-module", "lance_tb", "lance_tb.v", f"{wanted.top}.v"]
    words = ["verilator", "--binary", "--quiet", *how]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["obj_dir/Vlance_tb"], cwd=folder, capture_output=True, text=True)
    assert "PASS: a frame of 60 bytes" in done.stdout, done.stdout
    assert not done.stderr, done.stderr


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"bus": "wishbon"}, "are wishbone, axi4, turbochannel. Did you mean wishbone?"),
        ({"phy": "gmii"}, "--phy gmii: there are mii, rmii, rgmii."),
        ({"mbps": 1000}, "--mbps 1000: 10 or 100 is wanted."),
        ({"clock": 48}, "Take a multiple of 25 MHz from 50 to 1000."),
        ({"clock": 25}, "from 50"),
        ({"mbps": 10, "clock": 12}, "a multiple of 5 MHz from 10"),
        ({"chip": "pcnet"}, "--chip pcnet: there are am7990, c-lance."),
    ],
)
def test_what_is_refused_is_refused_before_anything_is_built(wrong, said, monkeypatch, tmp_path):
    monkeypatch.setattr(cocotb_run, "elaborate", lambda *_: pytest.fail("something is built"))
    wanted = lance.Wanted(**{"bus": "wishbone", "phy": "mii", **wrong})
    with pytest.raises(UserError, match=re.escape(said)):
        lance.write(wanted, tmp_path / "x")
    assert not list(tmp_path.iterdir())


def test_a_folder_of_others_is_left_alone(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(cocotb_run, "elaborate", lambda *_: pytest.fail("something is built"))
    wanted = lance.Wanted("wishbone", "mii")
    (tmp_path / "mine").write_text("x")
    with pytest.raises(UserError, match="is there already"):
        lance.write(wanted, tmp_path)
    with pytest.raises(UserError, match=r"--out .*mine.*: Not a directory"):
        lance.write(wanted, tmp_path / "mine" / "x")
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_the_command_prints_the_files_and_may_be_repeated(tmp_path) -> None:
    place = tmp_path / "lance"
    words = ("ip", "lance", "--bus", "wishbone", "--phy", "mii", "--out", str(place))
    for _ in range(2):
        done = mcpi(*words)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == [str(p) for p in sorted(place.iterdir())]
    done = mcpi(*words[:3], "wishbome", *words[4:])
    assert done.returncode == 2 and "--bus wishbome" in done.stderr
