// SPDX-License-Identifier: BSD-2-Clause
// Rules of pipeline and fetch unit on which the load-store unit relies. back_progress.sv asserts
// them of the real pipeline; proofs that cut the pipeline assume them. E1 is empty after a tick in
// which everything was blocked. No access follows a load that missed until the load is answered. An
// instruction that redirects is no access. E1 changes in ticks only; what was attempted may be
// revoked. The bus is wanted anew only after a tick, or after D or the fetch unit has looked.
  `observe(core.loadStore_1, access_valid, attempt, redirected, blocksAll, filling, missed,
    demand = fetch_demand_valid, demandDue = fetch_demandDue, a_loads = loads, a_stores = stores,
    a_store = access_payload_store, a_locked = access_payload_locked, a_drain = drain,
    a_address = access_payload_address, a_turns = busMayTurn, a_prefetch = fetch_prefetch_valid,
    a_holding = holding)
  reg blocked = 1, port = 0; // after the last tick: E1 is empty; a load is under way
  always @(posedge clk) if (reset) {blocked, port} <= 2'b10;
  else if (tick) {blocked, port} <= {blocksAll, filling || missed};
  wire a_revokes = core.pipeline_1_revokes;
  reg before = 0, a_turned = 0, a_revoked = 0, a_was = 0; // was: a clock before that
  reg [40:0] a_asked0;
  wire [40:0] a_asked = {attempt, a_loads, a_stores, a_store, a_locked, a_address, a_drain,
    demandDue};
  reg a_prefetch0;
  always @(posedge clk) begin
    {before, a_revoked, a_was} <= reset ? 0 : {access_valid, a_revokes, a_revoked};
    a_turned <= a_turns;
    {a_asked0, a_prefetch0} <= {a_asked, a_prefetch};
  end
  // E1 revokes directly after a tick, and then has one clock more.
  wire a_voided = (a_revoked || a_was) && !isStore && !isConditional && !access_valid;
  wire a_revoking = stands && before && !access_valid;
  wire accessRules = (!stands || ((!access_valid || before) && a_asked[40:2] == a_asked0[40:2])) &&
    (!(access_valid || redirected) || !blocked) && !(access_valid && port) &&
    !(access_valid && redirected) && !(a_revoking && tick) && (!access_valid ||
      (attempt && a_loads == !a_store && a_stores == a_store)) &&
    (!stands || a_turned || a_voided || a_drain == a_asked0[1]) &&
    !(a_revokes && (tick || stands)) && !(a_revoked && tick);
  // With ideal memory a demand holds time until it is answered, and nothing is prefetched.
  wire a_demands = demandDue || (busBusy && (busKind == `MemoryKind_fetch ||
    busKind == `MemoryKind_prefetch));
  wire fetchRules = holdRule && (!ideal || (!a_prefetch && (!a_demands || fetch_hold))) &&
    (!stands || ideal || a_turned || a_revoked ||
      (demandDue == a_asked0[0] && a_prefetch == a_prefetch0)) &&
    demand == (demandDue && (ideal || !redirected));
  // So an access never meets another access.
  wire alone = (isNone || isFill || blocked) && (!isFill || (ideal ? a_holding : port));
