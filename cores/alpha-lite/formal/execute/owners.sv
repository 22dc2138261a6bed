// SPDX-License-Identifier: BSD-2-Clause
// Every tick has one owner, and it is one of the list; `issue` owns it if and only if an
// instruction issues, and every instruction that issues does so in a tick of its own.
module owners (input clk);
  `include "core.svh"
  `include "cache_rules.svh"
  always @* assume (cacheRules);
  `observe(core.pipeline_1, go = issue_issues, consume, trap = issue_trap,
    redirects = redirect_valid,
    owner = events_owner, valid = fetched_valid, awake = pal_awake, emptyOwner)
  `observe(core.fetch, turning, reasonTurned = turn_owner, reasonElse = reason)
  wire [4:0] reason = turning ? reasonTurned : reasonElse; // owner of the gap
  wire taken = core.pipeline_1.execute_mispredicted;
  wire holding = core.fetch.holding;
  reg turned = 0; // fetching was redirected in the last tick
  always @(posedge clk) if (reset) turned <= 0; else if (tick) turned <= redirects;
  always @* if (!reset) begin
    assert (owner <= `Owner_idle);
    assert (go == (owner == `Owner_issue));
    // D empties for an issue, or a killed instruction leaves it: then fetching is redirected.
    assert (!consume || (tick && (go || redirects)));
    assert (consume || !(tick && go));
    assert (!turned || (turning && !holding && !valid)); // fetching moves with the next tick
    assert (awake == (owner != `Owner_idle));
    assert (!trap || owner == `Owner_exception);
    assert (reason == `Owner_refill_restart || reason == `Owner_taken_bubble ||
      reason == `Owner_mispredict || reason == `Owner_exception ||
      reason == `Owner_i_demand); // the first miss of a cold start
    assert (emptyOwner == reason || emptyOwner == `Owner_i_demand ||
      emptyOwner == `Owner_i_stream || emptyOwner == `Owner_refill_restart);
    if (valid && awake && !taken && !trap && !go)
      assert (owner >= `Owner_load_use && owner <= `Owner_io); // the owner is a cause of waiting
  end
endmodule
