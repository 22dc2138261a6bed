// SPDX-License-Identifier: BSD-2-Clause
// The counters of the owners, one by one: what the first n + 1 owners have together is what the
// first n have and the n-th's, in either bank and in its copy; for any n. And in both, `clocks` is
// `ticks` plus `withheld`. Proof tick_owners adds up.
module owner_sums (input clk);
  `include "counters.svh"
  (* anyconst *) wire [4:0] n;
  (* anyconst *) wire window;
  wire now = counts && (!window || inWindow);
  reg [63:0] before = 0, with_ = 0, beforeCopy = 0, withCopy = 0; // ticks of the first n, n + 1
  always @(posedge clk) begin
    if (now && eventOwner < n) before <= more(before);
    if (now && eventOwner <= n) with_ <= more(with_);
    if (copyNext) {beforeCopy, withCopy} <= {before, with_};
    if (reset || clear) {before, with_} <= 0;
    if (reset) {beforeCopy, withCopy} <= 0;
  end
  wire [63:0] mine = window ? path_[64 * n +: 64] : all_[64 * n +: 64];
  wire [63:0] mineCopy = window ? pathCopy[64 * n +: 64] : allCopy[64 * n +: 64];
  always @* begin
    assume (n < `OWNERS);
    if (!reset) begin
      assert (pipe);
      assert (with_ == before + mine);
      assert (withCopy == beforeCopy + mineCopy);
      assert (window ? path_clocks == path_ticks + path_withheld :
        all_clocks == all_ticks + all_withheld);
      assert (window ? pathCopy_clocks == pathCopy_ticks + pathCopy_withheld :
        allCopy_clocks == allCopy_ticks + allCopy_withheld);
    end
  end
endmodule
