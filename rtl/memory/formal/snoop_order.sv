// SPDX-License-Identifier: BSD-2-Clause
// No lost invalidation: a block that another place's order takes, or that a cache replaces, leaves
// the tags with that tick. In that tick the core gets the invalidation of this block and of no
// other. Proof `inclusion` of alpha-lite shows the D-cache's part.
module snoop_order (input clk);
`include "coherent.svh"
  // The order is valid before its tick, and counts in its tick.
  wire [2:0] any_ = {3{tick}} &
    {memory_2_invalidate_valid, memory_1_invalidate_valid, memory_0_invalidate_valid};
  wire [2:0] told = any_ & {memory_2_invalidate_payload[33:5] == block,
    memory_1_invalidate_payload[33:5] == block, memory_0_invalidate_payload[33:5] == block};
  reg [2:0] before; // of the clock before
  always @(posedge clk) before <= reset ? 0 : loses;
  wire [2:0] has = {line[2] != `LineState_I, line[1] != `LineState_I, line[0] != `LineState_I};
  always @* if (!reset && started) begin
    assert (told == loses);
    assert (!any_ || orders);
    assert (!(before & has));
  end
endmodule
