// SPDX-License-Identifier: BSD-2-Clause
// A single writer: in every clock, if a b-cache has a block in M or E, no other b-cache has it.
module mesi (input clk);
`include "coherent.svh"
  function alone(input [1:0] one, input [1:0] other, input [1:0] third);
    alone = one < `LineState_E || (other == `LineState_I && third == `LineState_I);
  endfunction
  always @* if (!reset && started && !walking) begin
    assert (alone(line[0], line[1], line[2]));
    assert (alone(line[1], line[2], line[0]));
    assert (alone(line[2], line[0], line[1]));
  end
endmodule
