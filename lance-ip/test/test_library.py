# SPDX-License-Identifier: BSD-2-Clause
"""The controller as a C library, and what is built on it (docs/lance-library.md)."""

import re
import subprocess

import pytest

from mcpi.paths import ROOT
from mcpi.randomtest.build import lance_bench, lance_library
from mcpi.testing import elaborate


def test_the_example_in_c(tmp_path):
    """sim/lance/example.c builds against the library as its header says, and both frames pass."""
    shared = lance_library({})
    program = tmp_path / "example"
    source = ROOT / "sim" / "lance" / "example.c"
    words = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", str(source), "-o", str(program)]
    subprocess.run([*words, str(shared), f"-Wl,-rpath,{shared.parent}"], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sent 64 bytes, 105.2 us" in done.stdout, done.stdout
    assert "received 64 bytes" in done.stdout, done.stdout


def test_the_page_names_every_function():
    header = (ROOT / "sim/lance/lance.h").read_text()
    page = (ROOT / "docs/lance-library.md").read_text()
    functions = set(re.findall(r"\b(lance_\w+)\(", header)) - {"lance_dma"}
    missing = {name for name in functions if f"`{name}`" not in page}
    assert len(functions) > 15 and not missing, missing


def saturate(settings: dict[str, str], *options: str) -> str:
    machine = elaborate("LanceOnTc", settings=settings).with_name("machine.json")
    words = [lance_bench(settings), "saturate", "--machine", machine, *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nagain: {' '.join(map(str, words))}"
    assert "all delivered or reported" in done.stdout
    return done.stdout


def test_three_stations_share_a_segment(tmp_path):
    """Saturated: 500 frames, each delivered once and unharmed, or reported by its sender."""
    path = tmp_path / "wire.pcap"
    said = saturate({}, "--frames", "500", "--pcap", str(path))
    assert " collided 0," not in said, "nothing collided: this is no saturation"
    assert path.stat().st_size > 500 * 60


@pytest.mark.slow
@pytest.mark.parametrize("cable", ["1000", "4000"])
def test_stations_and_cables(cable):
    saturate({}, "--frames", "300", "--stations", "6", "--cable", cable, "--seed", cable)


@pytest.mark.long
def test_three_stations_saturate_a_segment():
    saturate({}, "--frames", "10000")
