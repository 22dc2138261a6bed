# SPDX-License-Identifier: BSD-2-Clause
"""Verilated machines in the real GDB, forward: what it finds is what it finds on the exact engine,
and the way back is refused in words."""

import dataclasses
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sim_support.debugging import checks, gdb, number, prepared

from mcpi.base.errors import UserError
from mcpi.engines.debugging import Prepared
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RTL

PROGRAM = ProgramSpec((str(checks.PROGRAM),), engine=RTL)
STACK = dataclasses.replace(checks.STACK, engine=RTL)
FILES = ("counters.json", "events.csv", "stamps.csv", "wire.pcap", "console.0.txt")
NO_WAY_BACK = "time does not go back here; --engine exact has the same ticks"
BUFFER = 0xFFFFFC0000020240  # of the client's frame, in docs/how-to/debug.md


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return prepared(PROGRAM, tmp_path_factory.mktemp("rtl") / "run")


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    return prepared(STACK, tmp_path_factory.mktemp("rtl") / "stack")


@pytest.fixture(scope="module")
def exact(tmp_path_factory):
    """The stack on the exact engine."""
    return prepared(checks.STACK, tmp_path_factory.mktemp("exact") / "stack")


def undisturbed(run: Prepared, place: Path) -> Path:
    """Folder of the same run without a debugger."""
    shutil.copytree(run.place, place)
    words = [str(run.server), *run.words]
    subprocess.run(words, cwd=place, capture_output=True, check=True)
    return place


@pytest.mark.parametrize("check", checks.ON_RTL, ids=lambda check: check.__name__)
def test_forward(check, run):
    check(run)


def test_instructions_are_those_of_the_exact_engine(run, tmp_path):
    steps = "stepi\nprint/x $pc\nprint/x $sp\nprint/x $t0\n" * 40
    same = prepared(dataclasses.replace(PROGRAM, engine="exact"), tmp_path / "exact")
    assert gdb(run, steps) == gdb(same, steps)


def test_a_program_that_was_debugged_leaves_the_files_of_a_run(run, tmp_path):
    """It has gone tick by tick, and its owners were asked for on the way."""
    place = undisturbed(run, tmp_path / "plain")
    gdb(run, "break spoil\ncontinue\nstepi\nwatch -location table[5]\ncontinue\nmonitor owners\n"
        "delete\ngoto +5000\ncontinue\ncontinue")  # fmt: skip
    for name in FILES:
        assert (run.place / name).read_bytes() == (place / name).read_bytes(), name


def test_counters_that_are_read_on_the_way_count_on(run, tmp_path):
    """The hardware's clocks in which the host reads are counted, and nothing else is another."""
    place = undisturbed(run, tmp_path / "plain")
    said = gdb(run, "monitor counters\ncontinue")
    assert re.search(r"^icache.accesses +\d+", said[0], re.M), said[0]
    read, plain = (json.loads((p / "counters.json").read_text()) for p in (run.place, place))
    for node, others in enumerate([{"clocks", "withheld"}, set()]):
        one, same = read["nodes"][node], plain["nodes"][node]
        assert {name for name, n in one["all"].items() if same["all"][name] != n} == others, node
        assert one["path"] == same["path"], node  # which began later


def test_what_dma_wrote_is_read(stack, exact):
    """Frames in the buffers of both machines, and descriptors that program and controller share."""
    asked = checks.TO_CLIENT + f"x/40xg {BUFFER}\ninferior 2\nx/40xg {BUFFER}\nmonitor wire"
    rtl, ours = gdb(stack, asked), gdb(exact, asked)
    assert rtl[3] == ours[3] and rtl[5] == ours[5]
    assert len(set(ours[3].split())) > 20
    frames = [text[6].split(": ")[1:] for text in (rtl, ours)]
    assert frames[0] == frames[1]


def test_a_controller_that_writes_is_named(stack):
    asked = f"watch -location *(long *){BUFFER + 32}\ncontinue"
    said = gdb(stack, f"inferior 1\n{asked}")
    assert "the network controller of node 0 wrote it (DMA)" in said[2], said


def test_a_stack_that_was_debugged_leaves_the_files_of_a_run(stack, tmp_path):
    place = undisturbed(stack, tmp_path / "plain")
    gdb(stack, checks.TO_CLIENT + "monitor owners\ndelete\ncontinue")
    for name in FILES:
        assert (stack.place / name).read_bytes() == (place / name).read_bytes(), name


def test_either_machine_stops(stack, exact):
    asked = "break lance_interrupt\n" + "continue\n" * 6
    rtl, ours = (
        re.findall(r"Thread (.).1 hit", "".join(gdb(run, asked))) for run in (stack, exact)
    )
    assert rtl == ours and len(rtl) == 6 and {*rtl} == {"1", "2"}


@pytest.mark.parametrize("words", ["reverse-continue", "reverse-stepi", "goto 40", "goto -1"])
def test_the_way_back_is_refused(words, run):
    said = gdb(run, f"monitor tick\n{words}\nmonitor tick\nstepi\nmonitor tick")
    assert NO_WAY_BACK in said[1] and said[0] == said[2]
    assert number(said[4]) > number(said[2])


@pytest.mark.parametrize("word", ["why", "caches", "rings"])
def test_what_the_rtl_does_not_show_is_refused(word, run):
    [said] = gdb(run, f"monitor {word}")
    assert said.startswith(f"monitor {word}: the RTL does not show its caches") and "exact" in said


def test_several_cores_are_refused_before_anything_is_built(tmp_path):
    spec = dataclasses.replace(checks.FOUR, engine=RTL)
    with pytest.raises(UserError, match="the cores of one machine on the exact engine alone"):
        prepared(spec, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_it_opens_where_a_program_fails(tmp_path):
    """Before the call of PALcode that ends the program."""
    source = tmp_path / "fails.c"
    source.write_text("int main(void) { return 3; }\n")
    spec = ProgramSpec((str(source),), engine=RTL)
    said = gdb(
        prepared(spec, tmp_path / "run", at_failure=True), "backtrace\nmonitor tick\nx/i $pc"
    )
    assert "_start () at" in said[0] and 1000 < number(said[1]) < 12000, said
    assert "call_pal" in said[2] or "callsys" in said[2] or "cserve" in said[2].lower(), said


def test_of_two_programs_the_first_that_fails_is_shown(tmp_path):
    spec = dataclasses.replace(checks.FAILING, engine=RTL)
    said = gdb(prepared(spec, tmp_path / "run", at_failure=True), "info threads\nbacktrace")
    assert re.search(r"^\* 2\.1 ", said[0], re.M) and "_start" in said[1], said


def test_a_run_that_ends_well_is_said_to(tmp_path):
    whole = prepared(PROGRAM, tmp_path / "run", at_failure=True)
    gdb(whole, "monitor tick")
    assert "mcpi: nothing has failed." in (whole.place / "gdb.txt").read_text()
