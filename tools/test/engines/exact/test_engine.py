# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``exact``: the same folder as engine ``rtl``, built of less, or a refusal by name."""

import resource
import shutil
import subprocess
from pathlib import Path

import pytest
from tools_support.command import mcpi

from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import FIRMWARE
from mcpi.build import graph, models, run_folder
from mcpi.engines import base as engines
from mcpi.engines import simulate
from mcpi.results import folders
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

SHORT = ["--round-trips", "3", "--warmup", "2"]


def ran(engine: str, place: Path, *words: str) -> Path:
    done = mcpi("run", "--engine", engine, *SHORT, *words, "--out", str(place / engine))
    assert done.returncode == 0, done.stderr
    return place / engine


def long(*words: str):
    return pytest.param(list(words), marks=pytest.mark.long)


@pytest.mark.parametrize(
    "words",
    [
        long("--cold", "--trace", "client", "--tick-log", "client"),
        long("--cold", "--tick-log", "client", "--set", "memory.ideal=on"),
        long(*"--stack rpc --variant all --samples 2 --seed 3".split()),
        [
            "--loss",
            "0.05",
            "--wire",
            "client:corrupt=0.05",
            "--variant",
            "clo",
            "--layout",
            "micro",
        ],
        long(*"--duplication 0.1 --reordering 0.1 --delay 0.2 --delay-us 400 --seed 5".split()),
    ],
    ids=["cold", "ideal", "samples", "loss", "disorder"],
)
def test_the_folder_is_that_of_the_rtl(words, tmp_path):
    """``result.json`` too."""
    rtl, exact = (ran(engine, tmp_path, *words) for engine in (RTL, EXACT))
    assert (rtl / "result.json").exists() and not folders.differences(rtl, exact)


def test_it_needs_no_hardware(monkeypatch, tmp_path):
    """Neither Java nor Verilator, and nothing of the RTL is built."""
    for name in ("_elaborate", "verilator"):
        monkeypatch.setattr(graph, name, None)
    there = shutil.which
    absent = graph.FOR_RTL
    monkeypatch.setattr(shutil, "which", lambda name: None if name in absent else there(name))
    spec = RunSpec(engine=EXACT, settings={"icache.size": "16KB"})
    machine = engines.judged(spec)
    built = graph.build(spec, machine)
    assert built.simulator == models.PLACE / "mcpi-exact" and built.node_json is None
    with pytest.raises(UserError, match="verilator is missing"):
        graph.check_tools(RTL)


def test_it_starts_at_once(tmp_path):
    """A tenth of a second of a processor, with both images read."""
    spec = RunSpec(engine=EXACT)
    machine = engines.judged(spec)
    with Bar() as bar:
        built = run_folder.build(tmp_path / "run", spec, machine, bar)
    words = simulate.command(built.simulator, tmp_path / "run", ".", spec, [1, 1], [])
    words[words.index("--max-ticks") + 1] = "1"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=tmp_path / "run", capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 1 and "gave up at tick" in done.stderr
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.1


def test_what_it_cannot_do_is_refused_before_anything_is_built(monkeypatch):
    monkeypatch.setattr(graph, "build_all", None)
    with pytest.raises(UserError, match="lance.poll_ns 49999.*--engine rtl"):
        engines.judged(RunSpec(engine=EXACT, settings={"lance.poll_ns": "49999"}))


MACHINE = 'extends = "dec3000-600"\n[memory]\nread_ticks = 999\n'
SLIPS = {
    "broken ELF": (["--image", "broken.elf"], "broken.elf"),
    "no ELF": (["--image", "none.elf"], "none.elf"),
    "range": (["--set", "memory.read_ticks=999"], "memory.read_ticks"),
    "machine": (["--machine", "own.toml"], "memory.read_ticks"),
    "hole": (["--set", "icache.size=7KB"], "not a power of two"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_as_for_the_rtl(slip, tmp_path):
    (tmp_path / "broken.elf").write_bytes(b"\x7fELF and no more")
    (tmp_path / "own.toml").write_text(MACHINE)
    words, said = SLIPS[slip]
    words = [str(tmp_path / word) if "." in word[-5:] else word for word in words]
    content = [mcpi("run", "--engine", engine, *SHORT, *words) for engine in (RTL, EXACT)]
    assert [done.returncode for done in content] == [2, 2], content[0].stderr
    assert content[0].stderr == content[1].stderr and said in content[0].stderr


NOWHERE = "int main(void) { return *(volatile int *)0xfffffc00fff00000; }\n"
FAULTS = str(FIRMWARE / "test" / "programs" / "faults.c")
FAILS = {  # what is said first; a load that failed has any value, so its registers are left out
    "unaligned": ([FAULTS, "--define", "FAULT=2"], "an unaligned access"),
    "goes on": ([FAULTS, "--define", "FAULT=4", "--max-ticks", "2000000"], "gave up at tick"),
    "says 3": ([FAULTS, "--define", "FAULT=6"], "the program ended with exit code 3"),
    "asks nowhere": (["nowhere.c"], "a read of address 0xfffffc00fff00000, where no memory is"),
}


@pytest.mark.parametrize("name", FAILS)
def test_a_program_fails_as_on_the_rtl(name, tmp_path):
    """Status, and every line that says why: where it was, who called, registers."""
    (tmp_path / "nowhere.c").write_text(NOWHERE)
    given, said = FAILS[name]
    words = [str(tmp_path / word) if word == "nowhere.c" else word for word in given]
    content = []
    for engine in (RTL, EXACT):
        out = str(tmp_path / engine)
        done = mcpi("exec", "--engine", engine, *words, "--out", out, limit=600)
        assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
        why, _, again = done.stderr.partition("mcpi: ")[2].replace(out, "out").rpartition("again: ")
        assert why.startswith(said), why
        assert ("--engine rtl" in again) == (engine == RTL), again
        content.append((done.stdout, why.partition("registers:")[0] if given[0] != FAULTS else why))
    assert content[0] == content[1]
