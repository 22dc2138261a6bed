// SPDX-License-Identifier: BSD-2-Clause
// Rules of pipeline and fetch unit on which the load-store unit relies. back_progress.sv asserts
// them of the real pipeline; proofs that cut the pipeline assume them. E1 is empty after a tick in
// which everything was blocked. No access follows a load that missed until the load is answered. An
// instruction that redirects is no access. E1 changes in ticks only. An access in E1 was attempted.
  `observe(core.loadStore_1, access_valid, attempt, redirected, blocksAll, filling, missed,
    demand = fetch_demand_valid, demandDue = fetch_demandDue)
  reg blocked = 1, port = 0; // after the last tick: E1 is empty; a load is under way
  always @(posedge clk) if (reset) {blocked, port} <= 2'b10;
  else if (tick) {blocked, port} <= {blocksAll, filling || missed};
  reg ticked = 1, before = 0;
  always @(posedge clk) {ticked, before} <= {reset || tick, access_valid && !reset};
  wire accessRules = (!access_valid || before || ticked) &&
    (!(access_valid || redirected) || !blocked) && !(access_valid && port) &&
    !(access_valid && redirected) && (!access_valid || attempt);
  wire fetchRules = demand == (demandDue && (ideal || !redirected));
  // So an access never meets another access.
  wire alone = (isNone || isFill || blocked) && (!isFill || (ideal ? hold : port));
