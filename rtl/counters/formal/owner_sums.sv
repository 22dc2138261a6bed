// SPDX-License-Identifier: BSD-2-Clause
// The counters of the owners, one by one: in either bank and in its copy, the n-th owner's counter
// has the ticks that it owned; what the first n + 1 have together is what the first n have and the
// n-th's; for any n. And `clocks` is `ticks` plus `withheld`. Proof tick_owners adds up.
module owner_sums (input clk);
  `include "counters.svh"
  (* anyconst *) wire [4:0] n;
  (* anyconst *) wire window;
  wire now = counts && (!window || inWindow);
  wire counting = !frozen && !clear && clocked && !gatedNow && (!window || inWindow);
  // The reference: of this bank, the ticks of the n-th owner, of the first n, of the first n + 1;
  // all ticks, clocks, and clocks without a tick. Then their copies.
  reg [6 * 64 - 1:0] bank = 0, copy = 0;
  wire [63:0] mine, before, with_, all, clocks, withheld;
  assign {mine, before, with_, all, clocks, withheld} = bank;
  wire [63:0] mineCopy, beforeCopy, withCopy, allCopy, clocksCopy, withheldCopy;
  assign {mineCopy, beforeCopy, withCopy, allCopy, clocksCopy, withheldCopy} = copy;
  always @(posedge clk) begin
    if (now) bank <= {
      eventOwner == n ? more(mine) : mine,
      eventOwner < n ? before + 64'd1 : before, // idle is the last
      eventOwner < n ? with_ + 64'd1 : eventOwner == n ? more(with_) : with_,
      more(all), more(clocks), withheld
    };
    else if (counting && !counted) bank <= {
      mine, before, with_, all, clocks + 64'd1, withheld + 64'd1
    };
    if (copyNext) copy <= bank;
    if (reset || clear) bank <= 0;
    if (reset) copy <= 0;
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
      assert (with_ == before + mine && withCopy == beforeCopy + mineCopy);
      assert (clocks == all + withheld && clocksCopy == allCopy + withheldCopy);
    end
  end
endmodule
