# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes keyed by cell: each change does what it says, and one that does not fit is an error."""

import pytest

from mcpi.base.errors import UserError
from verify import renamed_signals
from verify.verilog_mutants import Mutant, faulty, load, mutated, unnumbered

VERILOG = """\
module Part (
  input  wire          go,
  output wire          ready,
  input  wire          clk
);
  wire                when_Part_l12;
  reg        [7:0]    count;
  reg                 held;
  wire signed [7:0]   left = {1'b0, count[7:1]};

  Child child (
    .in  (go   ), //i
    .clk (clk  )  //i
  );
  assign ready = ((go && (! held)) || (count == 8'h07));
  assign when_Part_l12 = (go && ready);
  always @(posedge clk) begin
    if(go) begin
      count <= 8'h0;
    end else begin
      count <= (count + 8'h01);
    end
    if(when_Part_l12) begin
      held <= 1'b1;
    end
  end
endmodule
"""
CHANGES = [
    ("ready", "0", "assign ready = 1'b0;"),
    ("ready", "invert", "assign ready = (! (((go && (! held)) || (count == 8'h07))));"),
    ("ready", "go -> 1", "assign ready = ((1'b1 && (! held)) || (count == 8'h07));"),
    ("ready", "|| -> &&", "assign ready = ((go && (! held)) && (count == 8'h07));"),
    ("ready", "8'h07 -> 8'h06", "assign ready = ((go && (! held)) || (count == 8'h06));"),
    ("ready", "(2) -> $ && count[0]", "(((go && (! held)) && count[0]) || (count == 8'h07));"),
    ("ready", "go -> 1; held -> 0", "((1'b1 && (! 1'b0)) || (count == 8'h07));"),
    ("ready", "$ && go", "assign ready = (((go && (! held)) || (count == 8'h07))) && go;"),
    ("count#2", "hold", "count <= count;"),
    ("if:held", "0", "if(1'b0) begin\n      held"),
    ("if:count#1", "go && held", "if(go && held) begin\n      count <= 8'h0;"),
    ("when_Part_n0", "ready", "assign when_Part_n0 = ready;"),
    ("child.in", "0", ".in  (1'b0), //i"),
    ("left", "1'b0 -> go", "wire signed [7:0]   left = {go, count[7:1]};"),
]


@pytest.mark.parametrize(("signal", "change", "text"), CHANGES)
def test_a_change(signal, change, text):
    wrong = faulty(VERILOG, Mutant("Part", signal, change))
    assert text in wrong
    assert len(wrong.splitlines()) == len(VERILOG.splitlines())


@pytest.mark.parametrize(
    ("module", "signal", "change", "said"),
    [
        ("Port", "ready", "0", "there is no module Port"),
        ("Part", "steady", "0", "there is no driver steady"),
        ("Part", "count#3", "hold", "there is no driver count#3"),
        ("Part", "child.out", "0", "there is no driver child.out"),
        ("Part", "if:ready", "0", "ready is assigned without a condition"),
        ("Part", "ready", "gone -> 1", "its expression has no gone"),
        ("Part", "ready", "(5) -> 1", "its expression has 4 pairs of brackets, not 5"),
        ("Part", "ready", "go -> go", "ready stays what it is"),
    ],
)
def test_one_that_does_not_fit_is_an_error(module, signal, change, said):
    with pytest.raises(UserError) as error:
        faulty(VERILOG, Mutant(module, signal, change, "pears"))
    assert said in str(error.value) and "pears" in str(error.value)


def test_all_are_put_behind_their_number():
    text = mutated(VERILOG, [Mutant("Part", "ready", "0"), Mutant("Part", "ready", "1")], "Part")
    assert "assign ready = ((Part.mutant == 2) ? (1'b1) : (((Part.mutant == 1) ? (1'b0) :" in text
    assert "integer mutant = $c32(" in text


def test_a_list(tmp_path):
    path = tmp_path / "mutants.csv"
    path.write_text(
        "# SPDX-License-Identifier: BSD-2-Clause\n"
        "module,signal,change,reason,tests,settings\n"
        "Part,ready,0,never ready,test_a.one;test_b.two,lance.chip=c-lance\n"
    )
    [mutant] = load(path)
    assert mutant.title == "never ready" and mutant.tests == ("test_a.one", "test_b.two")
    assert mutant.settings == {"lance.chip": "c-lance"}


def test_renamed_signals(tmp_path, monkeypatch):
    """The table is made of two folders, and makes the one of the other; a changed gate differs."""
    monkeypatch.setattr(renamed_signals, "TABLE", tmp_path / "table.csv")
    for name, text in (
        ("before", VERILOG),
        ("after", VERILOG.replace("held", "kept")),
        ("other", VERILOG.replace("held", "kept").replace("||", "&&")),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Part-plain.v").write_text(renamed_signals.plain(text))
    renamed_signals.main(["table", str(tmp_path / "before"), str(tmp_path / "after")])
    assert renamed_signals.read() == {("Part", "held"): "kept"}
    assert not renamed_signals.compare(tmp_path / "before", tmp_path / "after")
    assert renamed_signals.compare(tmp_path / "before", tmp_path / "other")


def test_renamed_signals_in_another_order():
    """Items of a module may change places, statements of a process may not."""
    first, second = "wire a ;", "assign a = b ;"
    process = "always @ ( * ) begin\n{}\n{}\nend"

    def arranged(*items: str) -> list[str]:
        text = "\n".join(["module M (", "input wire b", ") ;", *items, "endmodule", ""])
        return renamed_signals.arranged(text.replace("\n", " \n ").split(" "))

    one, other = process.format("c = 0 ;", "c = 1 ;"), process.format("c = 1 ;", "c = 0 ;")
    assert arranged(first, second, one) == arranged(one, second, first)
    assert arranged(first, second, one) != arranged(first, second, other)
    assert arranged(first, second) != arranged(first, first)


def test_a_part_of_a_condition_is_numbered_too():
    text = "wire _zz_when_Part_l7_1 = when_Part_l9 && _zz_when_Part_l7;"
    assert unnumbered(text) == "wire _zz_when_Part_n0_1 = when_Part_n0 && _zz_when_Part_n0;"
