// SPDX-License-Identifier: BSD-2-Clause
// No lost invalidation: a block that another's order takes, or that a cache replaces, is gone from
// its tags with that tick, and in that tick the core is told to drop it; and it is told of nothing
// else. What the D-cache makes of it is proof `inclusion` of alpha-lite.
module snoop_order (input clk);
`include "coherent.svh"
  // It stands before its tick, and counts in it.
  wire [2:0] any_ = {3{tick}} &
    {memory_2_invalidate_valid, memory_1_invalidate_valid, memory_0_invalidate_valid};
  wire [2:0] told = any_ & {memory_2_invalidate_payload[33:5] == block,
    memory_1_invalidate_payload[33:5] == block, memory_0_invalidate_payload[33:5] == block};
  reg [2:0] before; // in the clock before
  always @(posedge clk) before <= reset ? 0 : loses;
  wire [2:0] has = {line[2] != `LineState_I, line[1] != `LineState_I, line[0] != `LineState_I};
  always @* if (!reset && started) begin
    assert (told == loses);
    assert (!any_ || orders);
    assert (!(before & has));
  end
endmodule
