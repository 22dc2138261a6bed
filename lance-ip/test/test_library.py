# SPDX-License-Identifier: BSD-2-Clause
"""The controller as a C library, and what is built on it (docs/reference/lance-library.md)."""

import re
import subprocess
from pathlib import Path

import pytest
from lance_support import library as lance_library

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.hdl import verilator
from mcpi.hdl.cocotb_run import elaborate
from verify.random.build import lance_bench
from verify.random.build import lance_library as build_library


def test_the_example_in_c(tmp_path):
    """The example in C builds against the library as its header says, and both frames pass."""
    shared = build_library({})
    program = tmp_path / "example"
    source = ROOT / "sim" / "lib" / "lance" / "example.c"
    words = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", str(source), "-o", str(program)]
    subprocess.run([*words, str(shared), f"-Wl,-rpath,{shared.parent}"], check=True)
    done = heard([str(program)])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sent 64 bytes, 105.2 us" in done.stdout, done.stdout
    assert "received 64 bytes" in done.stdout, done.stdout


# The chip's input for each value of lance_config, where the names differ.
INPUTS = {name: f"timing_{name}" for name in lance_library.TIMES} | {
    "transmit_threshold": "timing_transmitThreshold",
    "poll_phase": "pollPhase",
    "sqe_test": "heartbeat",
    "half_duplex": "halfDuplex",
    "station": "station",
}


def not_refused(path: Path) -> list[str]:
    """The values that are one too great, and that this library takes."""
    library = lance_library.load(path)
    verilog = elaborate("LanceOnTc").read_text()
    taken = []
    for name, port in INPUTS.items():
        declared = re.search(rf"\binput +wire +(?:\[(\d+):0\])? *io_{port},", verilog)
        assert declared, port
        most = 2 ** (int(declared[1] or 0) + 1) - 1

        def made(value: int, name: str = name) -> lance_library.Chip:
            if name == "station":
                return lance_library.Chip(library, bytearray(64), value.to_bytes(8, "little"))
            return lance_library.Chip(library, bytearray(64), bytes(6), **{name: value})

        made(most).close()
        try:
            made(most + 1).close()
            taken.append(name)
        except ValueError as refused:
            said = f"lance_config.{name} is {most + 1}; the chip takes 0 to {most}."
            assert str(refused) == said
    return taken


def test_what_has_no_room_in_the_chips_inputs_is_refused():
    """The greatest value is taken, the next one is not; the message has name, value and range."""
    outside = {"nibble_ticks", "dma_latency"}  # of the library's own wire and memory
    assert {*INPUTS} | outside == {name for name, _ in lance_library.Config._fields_}
    assert not not_refused(build_library({}))


MUTANTS = [  # of lib/lance/ranges.cpp
    {"title": title, "right": right, "wrong": wrong}
    for title, right, wrong in (
        (
            "a value with a bit too many is taken",
            "(uint64_t{1} << bits) - 1",
            "(uint64_t{2} << bits) - 1",
        ),
        ("a value one too great is taken", "value <= most", "value <= most + 1"),
    )
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant["title"] for mutant in MUTANTS])
def test_a_mistake_in_the_library_is_found(mutant, tmp_path):
    """The objects of the right library, one of them made anew."""
    right, source = build_library({}), ROOT / "sim/lib/lance/ranges.cpp"
    text = source.read_text()
    assert text.count(mutant["right"]) == 1
    wrong = tmp_path / source.name
    wrong.write_text(text.replace(mutant["right"], mutant["wrong"]))
    include = [f"-I{right.parent / 'verilated'}", f"-I{source.parent}", *verilator.include()]
    objects = [*(right.parent / "objects").glob("*.o"), *verilator.shared(verilator.LANCE, 1)]
    objects = [o for o in map(Path, objects) if f"{source.parent.name}-{source.stem}" not in o.name]
    words = ["g++", "-O0", *verilator.cxx(verilator.LANCE), *include, "-fPIC", "-shared", wrong]
    library = tmp_path / right.name
    subprocess.run([*map(str, [*words, *objects]), "-pthread", "-o", library], check=True)
    assert not_refused(library)


def test_the_page_names_functions_that_exist():
    """lance.h describes all functions; the page names the most important."""
    header = (ROOT / "sim/lib/lance/lance.h").read_text()
    page = (ROOT / "docs/reference/lance-library.md").read_text()
    functions = set(re.findall(r"\b(lance_\w+)\(", header))
    named = set(re.findall(r"`(lance_\w+)`", page)) - {"lance_config"}
    assert len(named) > 5 and named <= functions, named - functions


def saturate(settings: dict[str, str], *options: str) -> str:
    machine = elaborate("LanceOnTc", settings=settings).with_name("machine.json")
    words = [lance_bench(settings), "saturate", "--machine", machine, *options]
    done = heard(words)
    print(done.stdout)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nagain: {' '.join(map(str, words))}"
    assert "all delivered or reported" in done.stdout
    return done.stdout


def test_three_stations_share_a_segment(tmp_path):
    """Saturated: 500 frames, each delivered once and unharmed, or reported by its sender.

    What is printed is on the page, but for the seconds that it took.
    """
    path = tmp_path / "wire.pcap"
    said = saturate({}, "--frames", "500", "--pcap", str(path))
    assert " collided 0," not in said, "nothing collided: this is no saturation"
    page = (ROOT / "docs/reference/segment.md").read_text()
    shown = re.search(r"<!-- saturation -->\n```\n(.*?)```", page, re.S)[1]
    assert re.sub(r" in \d+ s$", "", said, flags=re.M) == shown
    assert path.stat().st_size > 500 * 60


@pytest.mark.slow
@pytest.mark.parametrize("cable", ["1000", "4000"])
def test_stations_and_cables(cable):
    saturate({}, "--frames", "300", "--stations", "6", "--cable", cable, "--seed", cable)


@pytest.mark.long
def test_three_stations_saturate_a_segment():
    saturate({}, "--frames", "10000")
