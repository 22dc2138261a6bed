# SPDX-License-Identifier: BSD-2-Clause
"""A program in the real GDB, forward and backward: places, values, ticks, who evicted whom."""

import csv
import dataclasses
import json
import re
import shlex
import subprocess

import pytest
from sim_support.debugging import LONGEST, checks, gdb, number, prepared

from mcpi.api import single_run
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.spec.program_spec import ProgramSpec

PROGRAM = checks.PROGRAM


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return prepared(ProgramSpec((str(PROGRAM),)), tmp_path_factory.mktemp("debug") / "run")


@pytest.mark.parametrize("check", checks.ALL, ids=lambda check: check.__name__)
def test_the_debugger(check, run, tmp_path):
    own = check in checks.PROGRAMS
    check(prepared(checks.spec_of(check), tmp_path / "run") if own else run)


def test_instructions_are_those_of_the_tick_log(run, tmp_path):
    """GDB steps as many times as the log has rows in which an instruction issued."""
    spec = ProgramSpec((str(PROGRAM),), tick_log="client")
    place, _ = single_run.perform(spec, tmp_path / "logged")
    with (place / "ticks.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["owner"] == "issue"][:40]
    said = gdb(run, "stepi\nprint/x $pc\nmonitor tick\n" * 30)
    pcs = [int(answer.split()[-1], 16) & (1 << 34) - 1 for answer in said[1::3]]
    ticks = [number(answer) for answer in said[2::3]]
    first = next(n for n, row in enumerate(rows) if int(row["tick"]) + 1 == ticks[0])
    assert ticks == [int(row["tick"]) + 1 for row in rows[first : first + 30]]
    assert pcs == [int(row["pc"], 16) for row in rows[first + 1 : first + 31]]


def test_a_run_that_was_debugged_leaves_the_same_bytes(run, tmp_path):
    """It was stopped, and went back and forth, before it ended."""
    place, _ = single_run.perform(ProgramSpec((str(PROGRAM),)), tmp_path / "plain")
    gdb(run, "break spoil\ncontinue\nreverse-stepi\nmonitor goto 70001\ncontinue\ncontinue")
    for name in ("counters.json", "events.csv", "stamps.csv", "wire.pcap", "console.0.txt"):
        assert (run.place / name).read_bytes() == (place / name).read_bytes(), name


def test_what_goes_out_of_bounds_stops_there_and_goes_back(tmp_path):
    source = tmp_path / "wild.c"
    source.write_text("int main(void)\n{\n\t*(volatile int *)8 = 1;\n\treturn 0;\n}\n")
    said = gdb(
        prepared(ProgramSpec((str(source),)), tmp_path / "run"),
        "continue\nreverse-stepi\nx/i $pc\ncontinue",
    )
    assert "out of bounds: write at pc" in said[0] and "SIGSEGV" in said[0]
    assert "stl\t" in said[2] and "SIGSEGV" in said[3]


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("#include <assert.h>\nint main(int n, char **v) { assert(n == 5); (void)v; return 0; }",
         "main (n=<optimized out>, v=<optimized out>) at"),
        ("int main(int n, char **v) { (void)v; return 5 / (n - 1); }", "__divl () at"),
        ("int main(void) { return 3; }", "_start () at"),
        ("int main(void) { return *(volatile int *)8; }", "main () at"),
        ("int main(void) { return 0; }", ""),
    ],
)  # fmt: skip
def test_it_opens_where_a_program_fails(text, there, tmp_path):
    source = tmp_path / "fails.c"
    source.write_text(text + "\n")
    run = prepared(ProgramSpec((str(source),)), tmp_path / "run", at_failure=True)
    said = gdb(run, "backtrace\nreverse-stepi\nmonitor tick")
    printed = (run.place / "gdb.txt").read_text()
    assert there in said[0] and "Hit beginning" not in printed.partition(">>>")[0]
    assert ("mcpi: nothing has failed." in printed) == (not there)
    assert 1000 < number(said[2]) < 12000


def test_an_editor_starts_gdb_as_its_files_say(tmp_path):
    """The commands of launch.json and tasks.json, by GDB's machine interface as an editor speaks
    it."""
    folder = ROOT / "examples/debug"
    [task] = json.loads((folder / "tasks.json").read_text())["tasks"]
    [launch] = json.loads((folder / "launch.json").read_text())["configurations"]
    assert launch["preLaunchTask"] == task["label"]
    place = tmp_path / "editor"

    def own(text):
        there = text.replace("${workspaceFolder}/build/editor", str(place))
        return there.replace("build/editor", str(place)).replace("${file}", str(PROGRAM))

    words = shlex.split(own(task["command"]))
    begun = re.compile(task["problemMatcher"]["background"]["endsPattern"])
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert any(begun.match(line) for line in server.stdout)
        setup = [own(one["text"]) for one in launch["customLaunchSetupCommands"]]
        mi = [f'-interpreter-exec console "{one}"' for one in setup]
        mi += ["-break-insert spoil", "-exec-continue", "-stack-list-arguments 1"]
        program = [launch["miDebuggerPath"], "-q", "--interpreter=mi", own(launch["program"])]
        with subprocess.Popen(program, stdin=-1, stdout=-1, text=True) as editor:
            said = ""
            for line in mi:
                editor.stdin.write(f"{line}\n")
                editor.stdin.flush()
                wanted = "*stopped" if "continue" in line or "source" in line else "^done"
                for answer in editor.stdout:
                    said += answer
                    if answer.startswith(wanted):
                        break
            editor.stdin.close()
        assert server.wait(timeout=LONGEST) == 0
    assert 'reason="breakpoint-hit"' in said and 'func="spoil"' in said, said
    assert '{name="at",value="5"}' in said, said


def test_ctrl_c_stops_a_loop_without_end(tmp_path):
    source = tmp_path / "loop.c"
    source.write_text("int main(void)\n{\n\tfor (;;)\n\t\t;\n}\n")
    run = prepared(ProgramSpec((str(source),), max_ticks=10**11), tmp_path / "run")
    said = gdb(
        run,
        "python import os, signal, threading\n"
        "python threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "continue\nmonitor tick",
    )
    assert "SIGINT" in said[2] and number(said[3]) > 100_000


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"defines": ("5",)}, "--define 5: NAME or NAME=VALUE is wanted"),
        ({"machine": "nowhere"}, "nowhere"),
    ],
)
def test_what_it_has_not_is_refused_before_anything_is_built(more, words, tmp_path):
    spec = dataclasses.replace(ProgramSpec((str(PROGRAM),)), **more)
    with pytest.raises(UserError, match=re.escape(words)):
        prepared(spec, tmp_path / "run")
    assert not (tmp_path / "run").exists()
