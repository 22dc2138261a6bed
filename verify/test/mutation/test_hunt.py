# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes that a program chooses are put where it says and judged; the long test hunts all of
them, writes the records of survivors and counts in docs/verification/mutation.md."""

import fnmatch
import os
import re
import stat

import pytest

from mcpi.base.blocks import fill
from mcpi.base.process import Stop
from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.hdl import cocotb_run
from verify import mutant_page
from verify.mutation import equivalence, hunt, kill_steps, mutation_targets, netlist, signals
from verify.mutation.hunt import Verdict
from verify.mutation.mutation_targets import Reason
from verify.mutation.netlist import Chosen

COUNT, SEED = 300, 1  # mutants of a room
PAGE = ROOT / "docs/verification/mutation.md"
RECORDS = ROOT / "verify/mutation"
KILLED_BY = (kill_steps.MODEL, kill_steps.TICKS, kill_steps.HANGS)
TOPS = sorted({room.top for room in mutation_targets.rooms().values()})

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


MUTANTS = """\
module Part(clk, mutant_selected, a, y);
  input clk;
  input a;
  input [3:0] mutant_selected;
  output y;
  assign _0_ = mutant_selected == 4'h2;
  assign _1_ = ~ a;
  assign _2_ = _0_ ? _1_ : a;
  assign _3_ = mutant_selected == 4'hb;
  assign \\y.y [3] = _3_ ? 1'h0 : _2_;
  assign y = a ? \\y.y [3] : _1_;
endmodule
module Without(y);
  output y;
endmodule
"""


def test_the_right_one_says_which_mutants_would_have_acted():
    part, without = re.split("(?=module Without)", netlist._watched(MUTANTS))
    assert "| {_1_ != a, 1'h0 != _2_};" in part and "reg [1:0] mutant_watch = 0;" in part
    assert part.count('$display("acting %b 2 11", mutant_watch)') == 1
    assert without in MUTANTS
    no_clock = netlist._watched(MUTANTS.replace("  input clk;", ""))
    assert '$display("acting 11 2 11")' in no_clock and "posedge" not in no_clock
    assert netlist.acting("{}\nacting 01 2 11\nacting 00 2 11\nacting 1 7\n") == {7, 11}


def test_a_line_more_in_the_scala_chooses_no_other_mutants():
    text = "wire when_A_l{}; wire when_B_l7; assign when_A_l{} = when_A_l{}; // A.scala:L{}\n"
    first, second = (netlist.unnumbered(text.format(n, n, n + 2, n)) for n in (9, 98))
    assert first == second == ("wire when_A_n0; wire when_B_n0; assign when_A_n0 = when_A_n1;\n")


RTLIL = """\
module \\Part
  wire width 8 \\a
  cell $mux $procmux$1
    connect \\A \\a
    connect \\B { 1'0 $1_Y [6:0] }
    connect \\S $2_Y
    connect \\Y $3\\y[7:0]
  end
  cell $and $and$2
    connect \\A \\a [1]
    connect \\B \\b
    connect \\Y $2_Y
  end
  cell $dffe $ff$3
    connect \\CLK \\clk
    connect \\D \\d
    connect \\EN $4_Y
    connect \\Q \\q
  end
  connect $4_Y $2_Y
end
"""


def test_what_a_cell_decides():
    part = signals.modules(RTLIL, ["Part"])["Part"]
    assert part.decides("$procmux$1") == ("y",)
    assert part.decides("$and$2") == ("q", "y"), "by a multiplexer, and an alias to a register"
    assert part.decides("other") == ()


CONSTANTS = """\
module \\Part
  wire width 3 \\three
  wire \\one
  cell $mux $mux$1
    connect \\A { 2'10 \\three [2:1] \\one 3'x }
    connect \\B 8'00000011
    connect \\Y \\three
  end
  cell \\Other \\other
    connect \\in \\three
  end
end
"""


def test_what_is_at_a_port():
    part = signals.modules(CONSTANTS, ["Part"])["Part"]
    bits = [part.bit("$mux$1", "A", n) for n in range(8)]
    assert bits == ["x", "x", "x", r"\one[0]", r"\three[1]", r"\three[2]", "0", "1"]
    assert [part.bit("$mux$1", "B", n) for n in (1, 2)] == ["1", "0"]
    assert part.bit("other", "in", 2) == r"\three[2]"


def _rows(*wanted: str) -> list[str]:
    """Lines of yosys's list; of each the mode, the port and its bit."""
    rows = (word.split() for word in wanted)
    return [
        f"mutate -ctrl mutant_selected 4 {n} -mode {mode} -module Part -cell $mux$1 -port {port} "
        f"-portbit {bit}"
        for n, (mode, port, bit) in enumerate(rows)
    ]


def test_no_mutant_is_at_a_clock_and_none_changes_nothing():
    modules = signals.modules(CONSTANTS, ["Part"])
    rows = _rows("inv Y 1", "inv CLK 0", "const0 A 6", "const1 A 6", "const1 A 7", "inv A 0")
    rows += _rows("const0 A 7", "inv RD_CLK 0", "inv A 6", "const0 A 3")
    chosen = netlist._chosen(rows, modules, 4, 7).splitlines()
    own = [row.split() for row in chosen]
    assert [row[4] for row in own] == ["7", "8", "9", "10"]
    assert [f"{row[6]} {row[-3]} {row[-1]}" for row in own] == [
        "inv Y 1", "const1 A 6", "const0 A 7", "inv A 6",
    ]  # fmt: skip
    with pytest.raises(AssertionError, match="5 mutants of 10"):
        netlist._chosen(rows, modules, 6, 1)


def test_a_line_of_yosys():
    verilog = ["", "module Part (", "  assign y = (a &&", "    b);", "endmodule"]
    row = "mutate -ctrl mutant_selected 4 7 -mode inv -module \\Part -cell $and$1 -port \\Y "
    row += "-portbit 2 -src right.v:4.3-4.9 -src right.v:3.3-4.9"
    one = netlist._read(row, "room", verilog)
    assert (one.number, one.module, one.mode, one.port) == (7, "Part", "inv", "Y[2]")
    assert one.lines == ("assign y = (a &&", "b);"), "the widest first"


@pytest.fixture
def step(tmp_path):
    """A simulator: mutant 1 differs from the model, 2 in its ticks, 3 has no end, 5 never acts."""
    program = tmp_path / "simulator"
    program.write_text(
        "#!/bin/sh\n"
        "case $MCPI_MUTANT in 1) echo wrong >&2; exit 1;; 2) ticks=6;; 3) while :; do :; done;; "
        "5) exit 1;; esac\n"
        'echo "{\\"ticks\\": ${ticks:-5}, \\"wall_seconds\\": $$}"\n'
        'test $MCPI_MUTANT != 0 || echo "acting 11110 1 2 3 4 5"\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return kill_steps.Step("a step", (str(program),))


def test_who_kills(step):
    right = step.run(0)
    assert right.status == 0 and right.patience < 3
    found = list(step.judge(right, range(5), Stop()))
    assert [by for _, by in found] == ["", *KILLED_BY, ""]
    assert [number for number, _ in found] == list(range(5))


def test_what_was_judged_is_not_judged_again(step, tmp_path, monkeypatch):
    chosen = [Chosen(n, "room", "Part", "inv", "Y[0]", ("line",)) for n in range(1, 6)]
    monkeypatch.setattr(netlist, "make", lambda *_: (tmp_path / "Top.v", chosen))
    monkeypatch.setattr(equivalence, "proved", lambda _, left: {m.number for m in left[1:]})
    monkeypatch.setitem(kill_steps.JUDGES, "Top", lambda _: iter([step]))
    own = [mutation_targets.Room("room", "Top", ("Part",))]
    with Bar() as bar:
        first = hunt.hunt(own, 4, SEED, 2, bar)
        assert [v.by for v in first] == [*KILLED_BY, "", ""]
        assert [v.same for v in first] == [False, False, False, False, True]
        calls = []
        monkeypatch.setattr(kill_steps.Step, "judge", lambda *words: calls.append(words) or [])
        assert hunt.hunt(own, 4, SEED, 2, bar) == first and not calls


def test_an_interrupted_step_goes_on(step, tmp_path, monkeypatch):
    chosen = [Chosen(n, "room", "Part", "inv", "Y[0]", ("line",)) for n in range(1, 4)]
    monkeypatch.setattr(netlist, "make", lambda *_: (tmp_path / "Top.v", chosen))
    monkeypatch.setattr(equivalence, "proved", lambda _, left: {m.number for m in left[1:]})
    monkeypatch.setitem(kill_steps.JUDGES, "Top", lambda _: iter([step]))
    calls = []

    def judge(_step, _right, numbers, _stop):
        for number in numbers:
            calls.append(number)
            if calls == [1, 2]:
                raise KeyboardInterrupt
            yield number, kill_steps.MODEL

    monkeypatch.setattr(kill_steps.Step, "judge", judge)
    own = [mutation_targets.Room("room", "Top", ("Part",))]
    with Bar() as bar:
        with pytest.raises(KeyboardInterrupt):
            hunt.hunt(own, 4, SEED, 1, bar)
        calls.append(0)
        assert all(v.by for v in hunt.hunt(own, 4, SEED, 1, bar))
    assert calls == [1, 2, 0, 2, 3], "the first is known"


CIRCUIT = """\
module \\Part
  wire input 1 \\clk
  wire input 2 \\a
  wire output 3 \\q
  wire \\on
  wire \\off
  cell $logic_not $not$1
    parameter \\A_SIGNED 0
    parameter \\A_WIDTH 1
    parameter \\Y_WIDTH 1
    connect \\A \\a
    connect \\Y \\off
  end
  cell $logic_or $or$2
    parameter \\A_SIGNED 0
    parameter \\A_WIDTH 1
    parameter \\B_SIGNED 0
    parameter \\B_WIDTH 1
    parameter \\Y_WIDTH 1
    connect \\A \\a
    connect \\B \\off
    connect \\Y \\on
  end
  cell $dff $ff$3
    parameter \\CLK_POLARITY 1
    parameter \\WIDTH 1
    connect \\CLK \\clk
    connect \\D \\on
    connect \\Q \\q
  end
end
"""


def test_the_same_circuit(tmp_path):
    """a or not a is 1, and a mutant that makes it 1 is none; what is known is not asked again."""
    (tmp_path / "right.il").write_text(CIRCUIT)
    places = (("const1", "Y", "$or$2"), ("inv", "B", "$or$2"), ("const1", "Q", "$ff$3"))
    chosen = [
        Chosen(n, "room", "Part", mode, f"{port}[0]", ("line",), row=row)
        for n, (mode, port, cell) in enumerate(places, 1)
        for row in [f"mutate -mode {mode} -module Part -cell {cell} -port {port} -portbit 0"]
    ]
    assert equivalence.proved(tmp_path, chosen) == {1}
    (tmp_path / "right.il").unlink()
    assert equivalence.proved(tmp_path, chosen[:2]) == {1}


def test_the_counts_and_the_survivors():
    own = [Chosen(n, "room", "Part", "inv", "Y[0]", (f"line || {n}",), ("y",)) for n in range(5)]
    verdicts = [Verdict(own[0], kill_steps.MODEL), *(Verdict(m, "") for m in own[1:])]
    known = [
        Reason("Par*", "nobody reads it", line="line .* [23]", effect=False),
        Reason("Part", "another test does", line="line .* [034]", port=r"inv Y\[\d\]"),
        Reason("Part", "no such port", port="const0 .*"),
    ]
    verdicts.append(Verdict(Chosen(5, "room", "Other", "inv", "Y[0]", ("x",)), "", reached=False))
    verdicts.append(Verdict(Chosen(6, "room", "Other", "inv", "Y[0]", ("z",)), "", same=True))
    text = hunt.counts(verdicts, known)
    alive = hunt.survivors(verdicts, known)
    assert "| `room` | 7 | 1 | 0 | 0 | 3 | 3 | 25.0% |" in text
    assert [list(row.values())[1:] for row in alive] == [
        ["Part, y: inv at Y[0] of line || 1", "yes", ""],
        ["Part, y: inv at Y[0] of line || 2", "no", "nobody reads it"],
        ["Part, y: inv at Y[0] of line || 3", "no", "nobody reads it"],
        ["Part, y: inv at Y[0] of line || 4", "yes", "another test does"],
        ["Other, : inv at Y[0] of x", "yes", hunt.UNREACHED.why],
        ["Other, : inv at Y[0] of z", "no", hunt.SAME.why],
    ]


@pytest.mark.parametrize("top", TOPS)
def test_the_page_has_the_counts_of_the_record(top):
    """Survivors of each room, with and without an effect."""
    rows = mutant_page.read(RECORDS / f"survivors_{top}.csv")
    block = re.search(rf"^<!-- {top} -->\n(.*?)^<!-- end -->", PAGE.read_text(), re.M | re.S)[1]
    for room in (r.name for r in mutation_targets.rooms().values() if r.top == top):
        effects = [row["effect"] for row in rows if row["room"] == room]
        line = next(line for line in block.splitlines() if line.startswith(f"| `{room}` |"))
        counted = [int(cell) for cell in line.split("|")[6:8]]
        assert counted == [effects.count("yes"), effects.count("no")], room


@pytest.mark.parametrize("top", TOPS)
def test_every_room_and_reason_is_of_a_module_that_is_there(top):
    verilog = netlist.unnumbered(cocotb_run.elaborate(top).read_text())
    bodies = dict(re.findall(r"^module (\w+) \((.*?)^endmodule", verilog, re.M | re.S))
    rooms = [room for room in mutation_targets.rooms().values() if room.top == top]
    own = [name for room in rooms for name in room.modules]
    for pattern in own:
        assert fnmatch.filter(bodies, pattern), f"{pattern}: no such module"
    for reason in mutation_targets.reasons():
        modules = fnmatch.filter(bodies, reason.module)
        if any(fnmatch.fnmatch(reason.module, pattern) for pattern in own):
            lines = [" ".join(x.split()) for name in modules for x in bodies[name].splitlines()]
            assert any(re.search(reason.line, line) for line in lines), f"reasons.toml: {reason}"


@pytest.mark.long
@pytest.mark.parametrize("top", TOPS)
def test_every_room(top):
    own = [room for room in mutation_targets.rooms().values() if room.top == top]
    with Bar() as bar:
        verdicts = hunt.hunt(own, COUNT, SEED, os.cpu_count() or 1, bar)
    known = mutation_targets.reasons()
    PAGE.write_text(fill(PAGE.read_text(), {top: hunt.counts(verdicts, known)}))
    mutant_page.record(RECORDS / f"survivors_{top}.csv", hunt.survivors(verdicts, known))
    for room in own:
        alive = [v for v in verdicts if v.mutant.room == room.name and not v.by]
        unknown = [v.mutant.title for v in alive if not v.reason(known)]
        assert not unknown, f"{room.name}: nobody sees, and nobody says why:\n" + "\n".join(unknown)
        share = hunt.killed([v for v in verdicts if v.mutant.room == room.name], known)
        assert share >= mutation_targets.KILLED, f"{room.name}: {share:.1%} are killed"
