# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes that a program chooses are put where it says and judged; the long test hunts all of
them and writes docs/verification/mutation.md."""

import fnmatch
import os
import re
import stat

import pytest

from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.hdl import cocotb_run
from mcpi.verify import mutant_page
from mcpi.verify.mutation import hunt, judges, netlist, rooms
from mcpi.verify.mutation.hunt import Verdict
from mcpi.verify.mutation.netlist import Chosen
from mcpi.verify.mutation.rooms import Reason

COUNT, SEED = 300, 1  # mutants of a room
TOPS = sorted({room.top for room in rooms.rooms().values()})

NETLIST = """\
module Part(clk, mutant_selected, y);
  input clk;
  input [3:0] mutant_selected;
  wire [3:0] mutant_selected;
  output y;
endmodule
module Top(clk, mutant_selected, y);
  input clk;
  wire clk;
  input [3:0] mutant_selected;
  wire [3:0] mutant_selected;
  output y;
  Part part (
    .mutant_selected(mutant_selected)
  );
endmodule
"""


def test_the_tops_input_is_the_number():
    text = netlist._driven(NETLIST, "Top")
    part, top = text.split("module Top")
    assert part == NETLIST.split("module Top")[0], "the modules below it stay"
    assert "(clk, y);" in top and "input [3:0]" not in top
    assert "wire [3:0] mutant_selected = mutant[3:0];" in top
    assert top.count("integer mutant = ") == 1


def test_a_line_of_yosys():
    verilog = ["", "module Part (", "  assign y = (a &&", "    b);", "endmodule"]
    row = "mutate -ctrl mutant_selected 4 7 -mode inv -module \\Part -cell $and$1 -port \\Y "
    row += "-portbit 2 -src right.v:4.3-4.9 -src right.v:3.3-4.9"
    one = netlist._read(row, "room", verilog)
    assert (one.number, one.module, one.mode, one.port) == (7, "Part", "inv", "Y[2]")
    assert one.lines == ("assign y = (a &&", "b);"), "the widest first"


@pytest.fixture
def step(tmp_path):
    """A simulator: mutant 1 differs from the model, 2 in its ticks, 3 has no end."""
    program = tmp_path / "simulator"
    program.write_text(
        "#!/bin/sh\n"
        "case $MCPI_MUTANT in 1) echo wrong >&2; exit 1;; 2) ticks=6;; 3) exec sleep 60;; esac\n"
        'echo "{\\"ticks\\": ${ticks:-5}, \\"wall_seconds\\": $$}"\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return judges.Step("a step", (str(program),), 2)


def test_who_kills(step):
    status, right = step.run(0)
    assert status == 0
    found = [judges.judge(step, right, n) for n in range(5)]
    assert found == ["", judges.MODEL, judges.TICKS, judges.HANGS, ""]


def test_what_was_judged_is_not_judged_again(step, tmp_path, monkeypatch):
    chosen = [Chosen(n, "room", "Part", "inv", "Y[0]", ("line",)) for n in range(1, 5)]
    monkeypatch.setattr(netlist, "make", lambda *_: (tmp_path / "Top.v", chosen))
    monkeypatch.setitem(judges.JUDGES, "Top", lambda _: iter([step]))
    own = [rooms.Room("room", "Top", ("Part",))]
    with Bar() as bar:
        first = hunt.hunt(own, 4, SEED, 2, bar)
        assert [v.by for v in first] == [judges.MODEL, judges.TICKS, judges.HANGS, ""]
        asked = []
        monkeypatch.setattr(judges, "judge", lambda *words: asked.append(words) or "")
        assert hunt.hunt(own, 4, SEED, 2, bar) == first and not asked


def test_an_interrupted_step_goes_on(step, tmp_path, monkeypatch):
    chosen = [Chosen(n, "room", "Part", "inv", "Y[0]", ("line",)) for n in range(1, 4)]
    monkeypatch.setattr(netlist, "make", lambda *_: (tmp_path / "Top.v", chosen))
    monkeypatch.setitem(judges.JUDGES, "Top", lambda _: iter([step]))
    asked = []

    def judge(_step, _right, number: int) -> str:
        asked.append(number)
        if asked == [1, 2]:
            raise KeyboardInterrupt
        return judges.MODEL

    monkeypatch.setattr(judges, "judge", judge)
    own = [rooms.Room("room", "Top", ("Part",))]
    with Bar() as bar:
        with pytest.raises(KeyboardInterrupt):
            hunt.hunt(own, 4, SEED, 1, bar)
        asked.append(0)
        assert all(v.by for v in hunt.hunt(own, 4, SEED, 1, bar))
    assert asked[asked.index(0) + 1 :][0] != 1, "the first is known"


def test_the_table():
    own = [Chosen(n, "room", "Part", "inv", "Y[0]", (f"line {n}",)) for n in range(4)]
    verdicts = [Verdict(own[0], judges.MODEL, "s"), *(Verdict(m, "", "") for m in own[1:])]
    known = [Reason("Part", r"line [23]", "nobody reads it")]
    text = hunt.table(verdicts, known)
    assert "| `room` | 4 | 1 | 0 | 0 | 3 | 25.0% |" in text
    assert "| `Part: inv at Y[0] of line 1` | **none** |" in text
    assert text.count("nobody reads it") == 2


@pytest.mark.parametrize("top", TOPS)
def test_every_room_and_reason_is_of_a_module_that_is_there(top):
    verilog = cocotb_run.elaborate(top).read_text()
    bodies = dict(re.findall(r"^module (\w+) \((.*?)^endmodule", verilog, re.M | re.S))
    own = [name for room in rooms.rooms().values() if room.top == top for name in room.modules]
    for pattern in own:
        assert fnmatch.filter(bodies, pattern), f"rooms.toml: there is no module {pattern}"
    for reason in rooms.reasons():
        if any(fnmatch.fnmatch(reason.module, pattern) for pattern in own):
            lines = (" ".join(line.split()) for line in bodies[reason.module].splitlines())
            assert any(re.search(reason.line, line) for line in lines), f"reasons.toml: {reason}"


@pytest.mark.long
@pytest.mark.parametrize("top", TOPS)
def test_every_room(top):
    own = [room for room in rooms.rooms().values() if room.top == top]
    with Bar() as bar:
        verdicts = hunt.hunt(own, COUNT, SEED, os.cpu_count() or 1, bar)
    known = rooms.reasons()
    mutant_page.write(top, hunt.table(verdicts, known), ROOT / "docs/verification/mutation.md")
    for room in own:
        alive = [v for v in verdicts if v.mutant.room == room.name and not v.by]
        unknown = [v.mutant.title for v in alive if not v.reason(known)]
        assert not unknown, f"{room.name}: nobody sees, and nobody says why:\n" + "\n".join(unknown)
