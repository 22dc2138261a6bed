// SPDX-License-Identifier: BSD-2-Clause
// The counters one by one, in either bank and in its copy: for any n, the n-th owner's counter has
// the ticks of that owner; `ticks` has all ticks; every clock is a tick or counts in `withheld`.
//
// A tick adds the same number to one owner's counter and to `ticks` (shown here), so the sum of the
// owners is `ticks` (arithmetic). Proof tick_owners shows the same of the hardware's own sum.
module owner_counters (input clk);
  `include "counters.svh"
  (* anyconst *) wire [4:0] n;
  (* anyconst *) wire window;
  wire now = counts && (!window || inWindow);
  wire counting = !frozen && !clear && clocked && !gatedNow && (!window || inWindow);
  reg [63:0] mine = 0, all = 0, clocks = 0, withheld = 0;
  reg [63:0] mineCopy = 0, allCopy = 0, clocksCopy = 0, withheldCopy = 0;
  always @(posedge clk) begin
    if (now) begin
      if (eventOwner == n) mine <= more(mine);
      {all, clocks} <= {more(all), more(clocks)};
    end else if (counting && !counted) begin
      {clocks, withheld} <= {clocks + 64'd1, withheld + 64'd1};
    end
    if (copyNext)
      {mineCopy, allCopy, clocksCopy, withheldCopy} <= {mine, all, clocks, withheld};
    if (reset || clear) {mine, all, clocks, withheld} <= 0;
    if (reset) {mineCopy, allCopy, clocksCopy, withheldCopy} <= 0;
  end
  always @* begin
    assume (n < `OWNERS);
    if (!reset) begin
      assert (pipe);
      assert (mine == (window ? path_owners[64 * n +: 64] : all_owners[64 * n +: 64]));
      assert (mineCopy == (window ? pathCopy_owners[64 * n +: 64] : allCopy_owners[64 * n +: 64]));
      assert (all == (window ? path_ticks : all_ticks));
      assert (allCopy == (window ? pathCopy_ticks : allCopy_ticks));
      assert (clocks == (window ? path_clocks : all_clocks));
      assert (clocksCopy == (window ? pathCopy_clocks : allCopy_clocks));
      assert (withheld == (window ? path_withheld : all_withheld));
      assert (withheldCopy == (window ? pathCopy_withheld : allCopy_withheld));
    end
  end
endmodule
