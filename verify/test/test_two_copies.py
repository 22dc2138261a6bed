# SPDX-License-Identifier: BSD-2-Clause
"""Two copies of a block: their registers, the input that stops one, and what compares them."""

from verify import two_copies

VERILOG = """\
module Part (
  input  wire          clk,
  input  wire          _zz_1,
  input  wire          tick
);

  wire                 word;
  reg        [7:0]     count;
  reg        [7:0]     words [0:3];
  reg                  before;
  reg                  late;

  always @(posedge clk) begin
    if(_zz_1) begin
      count <= (count + 8'h01);
      words[0] <= count;
    end
  end

  always @(posedge clk) begin
    before <= (word && (! tick));
    late <= (word || (! tick));
  end

endmodule

module Whole (
  input  wire          clk
);

  Part part_1 (
    .clk   (clk)  //i
  );

endmodule
"""


def test_registers_move_in_ticks_or_in_any_clock():
    found = dict(two_copies.registers(VERILOG, "Whole"))
    assert found == {"part_1.count": "tick", "part_1.before": "cleared", "part_1.late": "clock"}
    assert list(two_copies.registers(VERILOG, "Whole", ["part_1"])) == []
    but = dict(two_copies.registers(VERILOG, "Whole", ["part_1.count"]))
    assert set(but) == {"part_1.before", "part_1.late"}


def test_every_module_can_be_stopped():
    verilog = two_copies.stopping(VERILOG)
    assert verilog.count("input  wire          given,") == 2
    assert verilog.count("always @(posedge clk) if (given) begin") == 2
    assert verilog.count("Part part_1 (.given(given),") == 1
    assert dict(two_copies.registers(verilog, "Whole")) == dict(
        two_copies.registers(VERILOG, "Whole")
    )


def test_copies_are_compared_register_by_register():
    text = two_copies.compared(
        "  `same(all, but part_1.late)\n  `tied(part_1, tick, word)\n", "Whole", VERILOG
    )
    assert "wire [7:0] first__part_1__count = first.part_1.count;" in text
    assert "else assert (first__part_1__count == second__part_1__count);" in text
    assert "(first_stands || first__part_1__before == 0)" in text
    assert "late" not in text
    assert "assume (!(tick) || first__part_1__word == second__part_1__word);" in text
