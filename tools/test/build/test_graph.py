# SPDX-License-Identifier: BSD-2-Clause
"""The build graph's executor and its lock: what runs, what does not, and what ^C leaves behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from mcpi.base import ninja
from mcpi.base.errors import RunError
from mcpi.base.file_lock import hold
from mcpi.base.ninja import Edge
from mcpi.base.process import heard
from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.firmware import images
from mcpi.hdl import verilator
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec


def build(folder: Path, edges: list[Edge]) -> list[str]:
    """Run the graph; returns the labels of the steps that were executed."""
    ninja.write(folder / "build.ninja", edges)
    seen: list[str] = []
    ninja.run(folder / "build.ninja", 2, lambda done, all_, label: seen.append(label))
    return seen


def copy_edge(folder: Path) -> Edge:
    return Edge("copy", ["cp", folder / "a", folder / "b"], [folder / "b"], [folder / "a"])


def test_a_step_runs_once_and_again_when_its_input_or_command_changes(tmp_path):
    (tmp_path / "a").write_text("1")
    edge = copy_edge(tmp_path)
    assert build(tmp_path, [edge]) == ["copy"]
    assert build(tmp_path, [edge]) == []
    (tmp_path / "a").write_text("2")
    os.utime(tmp_path / "a", ns=(time.time_ns() + 10**9,) * 2)
    assert build(tmp_path, [edge]) == ["copy"]
    assert (tmp_path / "b").read_text() == "2"
    other = Edge("copy -p", ["cp", "-p", *edge.command[1:]], edge.outputs, edge.inputs)
    assert build(tmp_path, [other]) == ["copy -p"]


def test_another_graph_in_between_does_not_make_a_step_stale(tmp_path):
    (tmp_path / "a").write_text("1")
    other = Edge("touch", ["touch", tmp_path / "c"], [tmp_path / "c"])
    assert build(tmp_path, [copy_edge(tmp_path)]) == ["copy"]
    assert build(tmp_path, [other]) == ["touch"]
    assert build(tmp_path, [copy_edge(tmp_path)]) == []


def test_a_header_named_in_a_depfile_counts_as_input(tmp_path):
    (tmp_path / "x.h").write_text("int a;")
    (tmp_path / "x.c").write_text('#include "x.h"\n')
    out, dep = tmp_path / "x.o", tmp_path / "x.d"
    command = ["g++", "-MMD", "-MF", dep, "-c", tmp_path / "x.c", "-o", out]
    edge = Edge("compile", command, [out], [tmp_path / "x.c"], dep)
    assert build(tmp_path, [edge]) == ["compile"]
    assert build(tmp_path, [edge]) == []
    os.utime(tmp_path / "x.h", ns=(time.time_ns() + 10**9,) * 2)
    assert build(tmp_path, [edge]) == ["compile"]


def test_a_failing_step_shows_its_command_and_what_it_said(tmp_path):
    (tmp_path / "x.c").write_text("int f( { return 1; }\n")
    edge = Edge("compile x", ["g++", "-c", tmp_path / "x.c", "-o", "x.o"], [tmp_path / "x.o"])
    with pytest.raises(RunError) as error:
        build(tmp_path, [edge])
    said = str(error.value)
    assert said.startswith("building failed: compile x")
    assert "error" in said
    assert f"the command was: g++ -c {tmp_path / 'x.c'}" in said
    assert len(said.splitlines()) < 50


def test_what_a_program_says_need_not_be_utf_8():
    """Test with bytes like a comment in Latin-1, which a compiler quotes."""
    assert heard(["printf", r"a \374 b"]).stdout == r"a \xfc b"


@pytest.mark.parametrize("unseen", [False, True])
def test_interrupt_in_the_middle_leaves_a_build_that_goes_on(tmp_path, unseen):
    """^C while a step writes its output: the half is gone, the next start makes the whole.

    Also when it is ``unseen``: noted just before a read of ninja's output, which it does not end.
    """
    half = "echo half > {0}; touch {1}; sleep 30; echo whole > {0}"
    out, begun = tmp_path / "out", tmp_path / "begun"
    program = (
        "import sys, threading, time, _thread\nfrom pathlib import Path\n"
        "from mcpi.base import ninja\nfrom mcpi.base.ninja import Edge\n"
        f"edge = Edge('slow', {half.format(out, begun)!r}, [Path({str(out)!r})])\n"
        f"ninja.write(Path({str(tmp_path / 'build.ninja')!r}), [edge])\n"
        "def interrupt():\n"
        f"    while not Path({str(begun)!r}).exists(): time.sleep(0.05)\n"
        "    _thread.interrupt_main()\n"
        f"if {unseen}: threading.Thread(target=interrupt).start()\n"
        f"try: ninja.run(Path({str(tmp_path / 'build.ninja')!r}), 2, lambda *a: None)\n"
        "except KeyboardInterrupt: sys.exit(130)\n"
    )
    # A shell starts its background jobs with SIGINT ignored, and children inherit that.
    child = subprocess.Popen([sys.executable, "-c", program], preexec_fn=_heed_interrupts)
    deadline = time.monotonic() + 20
    while not begun.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    if not unseen:
        child.send_signal(signal.SIGINT)
    assert child.wait(25) == 130
    assert not out.exists()
    quick = Edge("slow", f"echo whole > {out}", [out])
    assert build(tmp_path, [quick]) == ["slow"]
    assert out.read_text() == "whole\n"


LOCKER = """
import sys, time
from pathlib import Path
from mcpi.base.file_lock import hold
with hold(Path(sys.argv[1]), "builds"):
    print("have it", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def locker(path: Path, seconds: float) -> subprocess.Popen:
    words = [sys.executable, "-c", LOCKER, str(path), str(seconds)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_second_start_waits_and_names_the_first(tmp_path):
    path = tmp_path / "build.lock"
    first = locker(path, 1.5)
    assert first.stdout.readline() == "have it\n"
    begin = time.monotonic()
    second = locker(path, 0)
    out, err = second.communicate(timeout=20)
    assert out == "have it\n"
    assert f"another mcpi builds (pid {first.pid}), waiting" in err
    assert time.monotonic() - begin > 1
    first.communicate()


def test_a_killed_holder_leaves_no_lock(tmp_path):
    path = tmp_path / "build.lock"
    first = locker(path, 60)
    first.stdout.readline()
    first.kill()
    first.communicate()
    begin = time.monotonic()
    with hold(path, "builds"):
        assert time.monotonic() - begin < 1


@pytest.mark.parametrize(
    ("settings", "engine", "there", "said"),
    [
        ({"icache.size": "16KB", "memory.read_ticks": "24"}, "rtl", False, 1),
        ({"memory.read_ticks": "24"}, "rtl", False, 0),
        ({"icache.size": "16KB"}, "rtl", True, 0),
        ({"icache.size": "16KB"}, "board", False, 0),
    ],
)
def test_a_run_that_builds_a_simulator_says_so_once(
    tmp_path, monkeypatch, capsys, settings, engine, there, said
):
    verilog = tmp_path / "Node.v"
    if there:
        verilog.touch()
    made = SimpleNamespace(folder=tmp_path, image=tmp_path / "image.elf", pal=tmp_path / "pal.elf")
    monkeypatch.setattr(graph, "BUILD", tmp_path)
    monkeypatch.setattr(graph, "_all_plans", lambda records, *_: [(made, made)] * len(records))
    monkeypatch.setattr(graph, "_elaborate", lambda _: (verilog, []))
    monkeypatch.setattr(images, "BUILD", tmp_path)
    monkeypatch.setattr(images, "build_all", lambda *_: None)
    for name in ("_run", "_simulators", "check_tools"):
        monkeypatch.setattr(graph, name, lambda *_: {})
    one = RunSpec(settings=settings, engine=engine)
    with Bar() as bar:
        graph.build_all([one, one], [one.check()] * 2, bar)
    text = capsys.readouterr().err
    assert text.count("shapes the Verilog") == said
    assert ("icache.size=16KB shapes" in text) == bool(said) and "read_ticks=24" not in text


@pytest.mark.parametrize(
    ("machine", "settings", "round_trips", "program"),
    [
        ("dec3000-600", {}, 1, verilator.NODE),
        ("dec3000-600", {"memory.read_ticks": "60"}, 1, verilator.NODE),
        ("dec3000-600", {"icache.size": "4KB"}, 100, verilator.QUICK),
        ("dec3000-600", {"icache.size": "4KB"}, 10_000, verilator.NODE),
        ("challenge-100", {}, 1, verilator.CORES),
    ],
    ids=["usual", "the same Verilog", "short", "long", "several cores"],
)
def test_a_short_run_has_the_simulator_that_compiles_soon(
    machine, settings, round_trips, program
) -> None:
    spec = RunSpec(machine=machine, settings=settings, round_trips=round_trips)
    trips = graph._round_trips([spec])
    assert graph._program(profile.load(machine, settings), trips) == program
