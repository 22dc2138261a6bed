# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi run --live``: what the simulators tell on the way is what they counted, and changes
nothing; a screen on a terminal, lines without one."""

import json
import os
import pty
import re
import subprocess
import sys

import pytest
from rich.console import Console
from tools_support.command import mcpi

from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.build import run_folder
from mcpi.engines import base as engines
from mcpi.engines import simulate
from mcpi.results import folders, live
from mcpi.results.summary import OWNERS
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

TRIPS = {EXACT: 1500, RTL: 25}  # some tellings, 0.4 s apart


def ran(engine: str, place, watch=None):
    spec = RunSpec(engine=engine, round_trips=TRIPS[engine], warmup=2, lockstep=False)
    machine = engines.judged(spec)
    with Bar() as bar:
        built = run_folder.build(place, spec, machine, bar)
    simulate.simulate(built.simulator, place, ".", spec, [5000, 9000], [], watch=watch)
    return place


@pytest.mark.parametrize("engine", [EXACT, RTL])
def test_what_is_told_is_what_was_counted(engine, tmp_path):
    """At the end it is the run's result; before, whole counters of an earlier tick."""
    content = []
    seen = ran(engine, tmp_path / "seen", content.append)
    nodes = json.loads((seen / "counters.json").read_text())["nodes"]
    about = json.loads((seen / "run.json").read_text())
    last = content[-1]
    assert last["nodes"] == [node["all"] for node in nodes]
    assert last["tick"] == about["ticks"] and last["frames"] == about["frames"]
    assert len(content) > 1
    for before, after in zip(content, content[1:]):
        assert before["tick"] <= after["tick"]
        for one, other in zip(before["nodes"], after["nodes"]):
            assert sum(one[f"owner.{owner}"] for owner in OWNERS) == one["ticks"]
            assert one["ticks"] <= other["ticks"]
    for n in (0, 1):
        assert any(0 < t["nodes"][n]["ticks"] < last["nodes"][n]["ticks"] for t in content)
    unseen = ran(engine, tmp_path / "unseen")
    assert "--live" not in (unseen / "command.txt").read_text()
    for place in (seen, unseen):
        (place / "command.txt").unlink()
        (place / "stderr.txt").unlink()
    assert not folders.differences(seen, unseen)


@pytest.mark.parametrize("engine", [EXACT, RTL])
def test_it_is_refused_where_the_copy_is_wanted(engine, tmp_path):
    spec = RunSpec(engine=engine)
    with Bar() as bar:
        built = run_folder.build(tmp_path / "run", spec, engines.judged(spec), bar)
    words = simulate.command(built.simulator, tmp_path / "run", ".", spec, [1, 1], [])
    done = subprocess.run(
        [*words, "--live", "--cold"], cwd=tmp_path / "run", capture_output=True, text=True
    )
    assert done.returncode == 2 and "--live: a look at the counters" in done.stderr


def test_lines_without_a_terminal(tmp_path):
    words = f"--engine exact --round-trips 40 --live --json --out {tmp_path / 'run'}"
    done = mcpi("run", *words.split())
    assert done.returncode == 0 and json.loads(done.stdout)["schema"] == 2
    # On a slow machine the look before the last one is at the end too.
    *_, last = re.findall(
        r"^live .*, 61 round trips, [0-9]+ frames\n(.*)\n(.*)\n", done.stderr, re.M
    )
    for side, line in zip(("client", "server"), last):
        assert re.match(rf"  {side} +idle 7\d\.\d %, issue \d\.\d %, ", line)
        assert "hits I 8" in line and ", b " in line
    assert "\033" not in done.stderr


def test_a_screen_on_a_terminal(tmp_path):
    """It is drawn while the run goes on, and gone at its end; the table of the run stays."""
    ours, theirs = pty.openpty()
    words = f"run --engine exact --round-trips 600 --live --out {tmp_path / 'run'}"
    env = {**os.environ, "PYTHONPATH": "tools:.", "COLUMNS": "100", "LINES": "60", "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "mcpi", *words.split()],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    ) as child:
        os.close(theirs)
        shown = b""
        while True:
            try:
                some = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not some:
                break
            shown += some
        printed = child.stdout.read()
    os.close(ours)
    assert child.returncode == 0 and "who owns the ticks" in printed
    text = re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", shown.decode())
    for words in ("round trips, ", "client", "server", "idle", "I-cache hits", "b-cache hits"):
        assert words in text
    assert len(set(re.findall(r"([0-9.]+) M ticks, [0-9]+ round trips", text))) > 1, "it moves"
    # The frame is cleared: the cursor goes up over it, erasing each line.
    assert b"\033[1A\033[2K" in shown[-4000:]


def node(**counts: int) -> dict[str, int]:
    zero = dict.fromkeys([f"owner.{owner}" for owner in OWNERS], 0)
    caches = {f"{c}.{what}": 0 for c in live.CACHES.values() for what in ("accesses", "misses")}
    return zero | caches | {"ticks": sum(counts.values())} | {
        f"owner.{owner}": ticks for owner, ticks in counts.items()
    }  # fmt: skip


def test_figures_of_a_screen():
    client = node(idle=750, issue=200, d_miss=50)
    client |= {"dcache.accesses": 40, "dcache.misses": 10}
    content = {"tick": 1_250_000, "round_trips": 3, "frames": 9, "nodes": [client, node()]}
    page = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    page.print(live.table(content))
    rows = {line.split()[0]: line.split() for line in page.export_text().splitlines() if line}
    assert rows["1.2"][1:4] == ["M", "ticks,", "3"]
    assert rows["idle"][1:5] == ["750", "75.0", "0", "-"] and "multiply" not in rows
    assert rows["D-cache"] == ["D-cache", "hits", "75.0", "-"]
    assert live.lines(content) == [
        "live 1.2 M ticks, 3 round trips, 9 frames",
        "  client idle 75.0 %, issue 20.0 %, d_miss 5.0 %; hits I - %, D 75.0 %, b - %",
        "  server counts nothing",
    ]
