// SPDX-License-Identifier: BSD-2-Clause
// What the load-store unit relies on of the pipeline and the fetch unit: asserted of the real
// pipeline (back_progress.sv), assumed where it is cut. E1 is empty after a tick in which all was
// blocked; no access follows a load that missed until it is answered; what redirects is no access;
// and E1 changes in ticks only. Whoever has an access in E1 has attempted one.
  `observe(core.loadStore_1, access_valid, attempt, redirected, blocksAll, filling, missed,
    demand = fetch_demand_valid, demandDue = fetch_demandDue)
  reg blocked = 1, port = 0; // after the last tick: nothing is in E1; a load is under way
  always @(posedge clk) if (reset) {blocked, port} <= 2'b10;
  else if (tick) {blocked, port} <= {blocksAll, filling || missed};
  reg ticked = 1, before = 0;
  always @(posedge clk) {ticked, before} <= {reset || tick, access_valid && !reset};
  wire accessRules = (!access_valid || before || ticked) &&
    (!(access_valid || redirected) || !blocked) && !(access_valid && port) &&
    !(access_valid && redirected) && (!access_valid || attempt);
  wire fetchRules = demand == (demandDue && (ideal || !redirected));
  // And so an access never meets another one.
  wire alone = (isNone || isFill || blocked) && (!isFill || (ideal ? hold : port));
