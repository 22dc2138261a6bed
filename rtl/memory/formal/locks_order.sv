// SPDX-License-Identifier: BSD-2-Clause
// STx_C never succeeds after another core's write. If the private cache says that STx_C stores, its
// core's flag was up until then, and no order of another core or DMA has taken the block since
// LDx_L read it, this tick included. Proof `locks` of alpha-lite shows that the flag falls with the
// block.
module locks_order (input clk);
  wire [2:0] flags;
  wire [33:0] watched_0;
`include "coherent.svh"
  `observe(bench.system.caches_0, isConditional = conditional)
  `observe(bench.system.bus_1, orderPlace = area_order_place)
  // Core 0: LDx_L reads the block into its b-cache; the flag falls when the block goes.
  (* anyseq *) wire links;
  reg flag;
  (* anyseq *) wire [1:0] otherFlags;
  assign flags = {otherFlags, flag};
  assign watched_0 = {block, 5'd0};
  wire decided = decided_0_valid && !reset;
  wire here = working[0] == block;
  always @(posedge clk)
    flag <= !reset && !(decided && here) && (links ? after[0] != `LineState_I : flag && !loses[0]);
  wire asking = phase[0] == `Phase_asking;
  wire ownOrder = ordered && orderPlace == 0 && !isBack;
  always @* begin
    // STx_C comes after LDx_L, and its core waits for it.
    assume (!(links && phase[0] != `Phase_idle && isConditional));
    if (!reset && started) begin
      assert (!(decided && decided_0_payload && here) || (flag && !loses[0]));
      // Invariants of the induction.
      assert (!flag || state[0] != `LineState_I);
      assert (ownOrder == (asking && !waits0));
      assert (!ownOrder || order_payload_block == working[0]);
      assert (!(asking && isConditional && here) || (flag && wants0 == `SnoopKind_upgrade));
    end
  end
endmodule
