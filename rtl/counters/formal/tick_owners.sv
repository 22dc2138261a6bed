// SPDX-License-Identifier: BSD-2-Clause
// Every tick has exactly one owner, across the counters: in both banks, and in every copy of them,
// the owners' counters add up to `ticks`, and `owner.issue` is `instructions`; whatever the window
// does, and whenever the host clears, stops, arms or copies.
// So the check in hardware never finds anything, and the error bit stays clear.
module tick_owners (input clk);
  `include "counters.svh"
  // ---- sums of the first owners, of the first n, for n up to `OWNERS; and of the copies
  reg [64 * (`OWNERS + 1) - 1:0] sums = 0, windowSums = 0, sumsCopied = 0, windowSumsCopied = 0;
  integer n;
  always @(posedge clk) begin
    for (n = 0; n < `OWNERS; n = n + 1) if (counts && eventOwner <= n) begin
      sums[64 * (n + 1) +: 64] <= more(sums[64 * (n + 1) +: 64]);
      if (inWindow) windowSums[64 * (n + 1) +: 64] <=
        more(windowSums[64 * (n + 1) +: 64]);
    end
    if (copyNext) {sumsCopied, windowSumsCopied} <= {sums, windowSums};
    if (reset || clear) {sums, windowSums} <= 0;
    if (reset) {sumsCopied, windowSumsCopied} <= 0;
  end
  genvar i;
  generate
    for (i = 0; i < `OWNERS; i = i + 1) begin : each
      always @* if (!reset) begin
        assume (sumsCopied[64 * (i + 1) +: 64] ==
          sumsCopied[64 * i +: 64] + allCopy_owners[64 * i +: 64]);
        assume (windowSumsCopied[64 * (i + 1) +: 64] ==
          windowSumsCopied[64 * i +: 64] + pathCopy_owners[64 * i +: 64]); // proof owner_counters
      end
    end
  endgenerate
  always @* if (!reset) begin
    assert (!ownersError);
    assert (sums[63:0] == 0 && windowSums[63:0] == 0);
    assert (sumsCopied[63:0] == 0 && windowSumsCopied[63:0] == 0);
    // The sums are the ticks.
    assert (sums[64 * `OWNERS +: 64] == all_ticks);
    assert (windowSums[64 * `OWNERS +: 64] == path_ticks);
    assert (sumsCopied[64 * `OWNERS +: 64] == allCopy_ticks);
    assert (windowSumsCopied[64 * `OWNERS +: 64] == pathCopy_ticks);
    assert (all_owners[63:0] == all_instructions && path_owners[63:0] == path_instructions);
    assert (allCopy_owners[63:0] == allCopy_instructions);
    assert (pathCopy_owners[63:0] == pathCopy_instructions);
    // Invariants of the induction.
    assert (!running || (index <= `OWNERS && sum == sumsCopied[64 * index +: 64] &&
      windowSum == windowSumsCopied[64 * index +: 64]));
    assert (pipe);
  end
endmodule
