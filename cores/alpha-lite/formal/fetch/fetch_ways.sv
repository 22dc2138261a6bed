// SPDX-License-Identifier: BSD-2-Clause
// A block is in at most one way of the I-cache: no way has a block that F2 misses, or that comes
// for the miss. The proof is of any of four sets of two ways, of any instructions, redirections,
// flushes and answers, and of any choice of the way. Any clock may be no tick.
module fetch_ways (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* anyconst *) wire ideal;
  wire moves;
  FetchOfWays unit (.reset(!started), .clockEnabled(moves), .*);
  assign moves = tick || (ideal && hold) || !started;
  `observe(unit, set = probeSet, tag0 = probeTag0, tag1 = probeTag1,
    place = cache_replacement_way, busy = demandBusy, fills, start)
  `observe(unit.stream, streamBusy = busy)
  `observe(unit.ways_0_valids, setOfValids0 = probeSet, isValid0 = probeValid)
  `observe(unit.ways_1_valids, setOfValids1 = probeSet, isValid1 = probeValid)
  reg demanded0 = 0, prefetched0 = 0; // the unit did not move in the last clock, with an answer
  always @(posedge clk) {demanded0, prefetched0} <=
    moves ? 2'b00 : {port_demandRsp_valid, port_prefetchRsp_valid};
  always @* begin
    assume (!tick || !(hold || settleHold || revoked)); // E1 revokes in no tick
    assume (!hold || !(consume || redirect_valid || flush || coldStart)); // they come in ticks
    assume (setOfValids0 == set && setOfValids1 == set);
    assume (place == 1 || place == 2); // proof replacement
    assume (!port_demandRsp_valid || busy);
    assume (!port_prefetchRsp_valid || streamBusy);
    assume (!demanded0 || port_demandRsp_valid); // an answer stands until its tick
    assume (!prefetched0 || port_prefetchRsp_valid);
    assume (!consume || fetched_valid);
    assume (!coldStart || (fetched_valid && quiet)); // the instruction in D begins anew
    assume (!fills || start[33:12] == 0); // beyond the RAM there are errors (proof memory_time)
  end
  always @* if (started) assert (!(isValid0 && isValid1 && tag0 == tag1));
endmodule
